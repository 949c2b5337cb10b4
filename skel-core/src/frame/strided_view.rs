//! Elements that do not lie one after the other, gathered as they are needed.

use super::{LONG_ROW, RowsView, View, room::Room};
use crate::{
    Element,
    space::{CoalescedLayout, RowRuns, Segment},
};
use std::ops::Range;

/// Elements that are gathered at once, at most, and bytes that they take, unless one takes more. Elements of a byte or
/// two may be more, as long as they take no more than so many of four bytes: what is opened often costs.
const MOST_ELEMS: usize = 1024;
const MOST_BYTES: usize = 16 << 10;

/// Elements to read that lie at the places that [`CoalescedLayout`] says. What is opened is gathered into memory of
/// the view's own, unless it happens to lie one after the other.
#[derive(Debug)]
pub struct StridedView<'m> {
    view: View<'m>,
    coalesced: CoalescedLayout,
    gathered: Room,
    /// Elements that are gathered as one when the first of them is opened; and whether they are there.
    band: Range<usize>,
    is_there: bool,
}

impl<'m> StridedView<'m> {
    /// Elements at these places of what `view` shows.
    #[must_use]
    pub fn new(view: View<'m>, coalesced: CoalescedLayout) -> Self {
        StridedView {
            view,
            coalesced,
            gathered: Room::default(),
            band: 0..0,
            is_there: false,
        }
    }

    /// The same elements, with memory of its own.
    #[must_use]
    pub fn again(&self) -> Self {
        StridedView::new(self.view, self.coalesced.clone())
    }

    /// Whether the call's rows lie by columns: the bytes of an element, if so.
    pub(super) fn bytes_by_columns(&self, cols: usize) -> Option<usize> {
        let size_bytes = self.view.layout().size_bytes();
        self.coalesced.lies_by_columns(cols).then_some(size_bytes)
    }

    /// From now on, what is opened of these elements is a part of a copy of all of them.
    pub(super) fn hold(&mut self, band: Range<usize>) {
        (self.band, self.is_there) = (band, false);
    }

    /// Whether elements are held: those can be opened in segments of any length.
    pub(super) fn is_held(&self) -> bool {
        !self.band.is_empty()
    }

    fn load_band(&mut self) {
        let (layout, mut rest) = (self.view.layout(), self.band.clone());
        let (start, elems) = (rest.start, rest.len());
        let room = self.gathered.of(layout, elems);
        while !rest.is_empty() {
            let rows = self.coalesced.whole_rows(&rest);
            let end = rest.start + rows.count * rows.first.len;
            assert!(end > rest.start, "elements behind the last");
            let mut to = room.view_out(rest.start - start..end - start);
            self.view.read_rows(rows, &mut to);
            rest.start = end;
        }
        self.is_there = true;
    }

    fn of_band<T: Element>(&mut self, r: Range<usize>) -> &[T] {
        if !self.is_there {
            self.load_band();
        }
        let r = r.start - self.band.start..r.end - self.band.start;
        match self.gathered.array() {
            Some(gathered) => gathered.view(r.clone()).slice(r),
            None => unreachable!("the band was gathered"),
        }
    }

    /// How many elements can be opened at once.
    #[must_use]
    pub fn most_elems(&self) -> usize {
        let size_bytes = self.view.layout().size_bytes();
        let most = MOST_ELEMS * (4 / size_bytes).max(1);
        // A power of two, so that the segments of several strided views end together.
        1 << (MOST_BYTES / size_bytes).clamp(16, most).ilog2()
    }

    /// Elements `r` of the call.
    ///
    /// # Panics
    /// If the elements are not `T`, or some of them are not within the view.
    #[inline]
    #[must_use]
    pub fn slice<T: Element>(&mut self, r: Range<usize>) -> &[T] {
        if self.band.start <= r.start && r.end <= self.band.end && !r.is_empty() {
            return self.of_band(r);
        }
        let run = self.coalesced.run(&r);
        if run.stride == 1 && run.len == r.len() {
            return self.view.slice(run.first..run.first + run.len);
        }
        self.gather(r)
    }

    fn rows_from(&self, segment: &Segment) -> RowRuns {
        let r = segment.range();
        self.coalesced.rows(r.start, r.len(), segment.row_elems())
    }

    /// How many of its elements, from the first of a row on, can be opened in so many rows.
    #[must_use]
    pub(crate) fn most_of_row(&self, segment: &Segment, rows: usize) -> usize {
        let elems = segment.range().len();
        match RowsFrom::of(&self.rows_from(segment), segment) {
            RowsFrom::Place(_) => elems,
            RowsFrom::Values => self.most_elems(),
            RowsFrom::Columns | RowsFrom::Copy => (self.most_elems() / rows).max(1),
        }
    }

    /// How many rows can be opened at once, that of the segment, which is whole, and those below: `most`, at most.
    #[must_use]
    pub(crate) fn rows_at_once(&self, segment: &Segment, most: usize) -> usize {
        let (runs, elems) = (self.rows_from(segment), segment.range().len());
        let fit = match RowsFrom::of(&runs, segment) {
            RowsFrom::Place(_) | RowsFrom::Values => runs.count,
            RowsFrom::Columns => runs
                .count
                .min(self.most_elems() / elems.clamp(1, TILE_ELEMS)),
            RowsFrom::Copy => self.most_elems() / elems.max(1),
        };
        most.min(fit.max(1))
    }

    /// The elements of so many rows at the columns of `segment`; not of more than [`StridedView::rows_at_once`] says.
    ///
    /// # Panics
    /// As [`StridedView::slice`].
    #[must_use]
    pub(crate) fn rows<T: Element>(&mut self, segment: &Segment, rows: usize) -> RowsView<'_, T> {
        let (runs, elems) = (self.rows_from(segment), segment.range().len());
        let RowRuns { first, count, .. } = runs;
        assert_eq!(first.len, elems, "elements of one row");
        match RowsFrom::of(&runs, segment) {
            RowsFrom::Place(pitch) if rows <= count => {
                let end = first.first + (rows - 1) * pitch + elems;
                RowsView::Apart {
                    elements: self.view.slice(first.first..end),
                    pitch,
                }
            }
            RowsFrom::Values if rows <= count => {
                let window = self.view.window();
                let values = self.view.slice::<T>(window.clone());
                RowsView::Alike {
                    values,
                    first: first.first - window.start,
                    step: runs.pitch,
                    copies: self.room(elems),
                }
            }
            RowsFrom::Columns if rows <= count => {
                let window = self.view.window();
                let elements = self.view.slice::<T>(window.clone());
                let (columns, to) = self.room(2 * rows * elems).split_at_mut(rows * elems);
                let runs = RowRuns {
                    count: rows,
                    ..runs
                };
                let apart_bytes = first.stride.unsigned_abs() * size_of::<T>();
                let columns = (segment.row_elems() > MOST_STREAMS && apart_bytes >= FAR_BYTES)
                    .then_some(columns);
                copy_columns(elements, window.start, &runs, columns, to);
                RowsView::Apart {
                    elements: to,
                    pitch: elems,
                }
            }
            _ => RowsView::Apart {
                elements: self.gather(segment.spanning(rows).range()),
                pitch: segment.row_elems(),
            },
        }
    }

    /// Room of its own.
    fn room<T: Element>(&mut self, elems: usize) -> &mut [T] {
        self.is_there = false;
        let (layout, room) = (self.view.layout(), elems.max(self.most_elems()));
        let gathered = self.gathered.of(layout, room);
        gathered.view_mut(0..elems).into_slice::<T>()
    }

    fn gather<T: Element>(&mut self, r: Range<usize>) -> &[T] {
        let window = self.view.window();
        let elements = self.view.slice::<T>(window.clone());
        let coalesced = self.coalesced.clone();
        let to = self.room(r.len());
        let (mut at, mut rest) = (0, r);
        while !rest.is_empty() {
            let rows = coalesced.whole_rows(&rest);
            let elems = rows.count * rows.first.len;
            assert!(elems > 0, "elements behind the last");
            copy_rows(elements, window.start, &rows, &mut to[at..at + elems]);
            (at, rest.start) = (at + elems, rest.start + elems);
        }
        to
    }

    /// Element `i` of the call.
    ///
    /// # Panics
    /// As [`StridedView::slice`].
    #[must_use]
    pub fn element<T: Element>(&self, i: usize) -> T {
        let place = self.coalesced.at(i);
        self.view.slice::<T>(place..place + 1)[0]
    }
}

/// Where several rows are opened.
enum RowsFrom {
    /// Where they are, each so many elements behind the one before it.
    Place(usize),
    /// All elements of a row are one.
    Values,
    /// Gathered column by column: elements of neighbouring rows are closer to each other than those of one.
    Columns,
    /// Gathered.
    Copy,
}

/// A tile of what is gathered by columns has so many elements of a row, or fewer: and rows enough for those of a column to
/// share cache lines.
const TILE_ELEMS: usize = 64;

impl RowsFrom {
    /// The same for all parts of a row, wherever it is cut.
    fn of(runs: &RowRuns, segment: &Segment) -> RowsFrom {
        let is_long = segment.row_elems() >= LONG_ROW;
        // Of few short rows that lie alike, as in a part of small planes, others that lie otherwise are gathered with them.
        let are_many = runs.count.saturating_mul(segment.row_elems()) >= LONG_ROW;
        let (stride, pitch) = (runs.first.stride, runs.pitch);
        match (stride, usize::try_from(pitch)) {
            (1, Ok(pitch)) if are_many && (pitch > 0 || is_long) => RowsFrom::Place(pitch),
            (0, _) if is_long => RowsFrom::Values,
            _ if are_many && runs.lie_by_columns() => RowsFrom::Columns,
            _ => RowsFrom::Copy,
        }
    }
}

/// Rows of so many elements, or fewer, are copied as if they had so many: what is too much is overwritten by the next row.
const AT_ONCE: usize = 8;

/// ... where elements are no larger.
const AT_ONCE_BYTES: usize = 8;

/// Copies the elements of rows of an array whose first element is `start`, one behind the other.
fn copy_rows<T: Element>(elements: &[T], start: usize, rows: &RowRuns, to: &mut [T]) {
    let RowRuns {
        first,
        pitch,
        count,
    } = *rows;
    let (elems, stride) = (first.len, first.stride);
    let place = |row: usize| (first.first - start).wrapping_add_signed(row as isize * pitch);
    let at_once = size_of::<T>() <= AT_ONCE_BYTES && elems <= AT_ONCE;
    match stride {
        1 if pitch == 0 => {
            to[..elems].copy_from_slice(&elements[place(0)..place(0) + elems]);
            let mut done = elems;
            while done < to.len() {
                let more = done.min(to.len() - done);
                to.copy_within(..more, done);
                done += more;
            }
        }
        0 => {
            for row in 0..count {
                let (value, to) = (elements[place(row)], &mut to[row * elems..]);
                match to.first_chunk_mut::<AT_ONCE>() {
                    Some(to) if at_once => *to = [value; AT_ONCE],
                    _ => to[..elems].fill(value),
                }
            }
        }
        1 => {
            for row in 0..count {
                let (from, to) = (&elements[place(row)..], &mut to[row * elems..]);
                match (from.first_chunk(), to.first_chunk_mut::<AT_ONCE>()) {
                    (Some(from), Some(to)) if at_once => *to = *from,
                    _ => to[..elems].copy_from_slice(&from[..elems]),
                }
            }
        }
        stride => {
            for (row, to) in to.chunks_exact_mut(elems).enumerate() {
                let first = place(row);
                for (k, value) in to.iter_mut().enumerate() {
                    *value = elements[first.wrapping_add_signed(k as isize * stride)];
                }
            }
        }
    }
}

/// More columns than that, and further apart, are not known to a processor's prefetchers.
const MOST_STREAMS: usize = 128;
const FAR_BYTES: usize = 1 << 10;

/// Copies the elements of rows of an array whose first element is `start`, one row behind the other, column by column.
/// Where each column is waited for, all of them are copied to `columns` first, by loads that do not wait for each other.
fn copy_columns<T: Element>(
    elements: &[T],
    start: usize,
    rows: &RowRuns,
    columns: Option<&mut [T]>,
    to: &mut [T],
) {
    let RowRuns {
        first,
        pitch,
        count,
    } = *rows;
    let top = |col: usize| (first.first - start).wrapping_add_signed(col as isize * first.stride);
    let place = |col: usize, row: usize| top(col).wrapping_add_signed(row as isize * pitch);
    let Some(columns) = columns.filter(|_| pitch == 1) else {
        for col in 0..first.len {
            let column = to[col..].iter_mut().step_by(first.len);
            if pitch == 1 {
                let from = &elements[top(col)..top(col) + count];
                column.zip(from).for_each(|(to, from)| *to = *from);
            } else {
                column
                    .enumerate()
                    .for_each(|(row, to)| *to = elements[place(col, row)]);
            }
        }
        return;
    };
    for (col, column) in columns.chunks_exact_mut(count).enumerate() {
        let from = elements[top(col)..top(col) + count].as_chunks::<AT_ONCE>();
        let to = column.as_chunks_mut::<AT_ONCE>();
        to.0.iter_mut()
            .zip(from.0)
            .for_each(|(to, from)| *to = *from);
        to.1.iter_mut()
            .zip(from.1)
            .for_each(|(to, from)| *to = *from);
    }
    for (row, to) in to.chunks_exact_mut(first.len).enumerate() {
        let from = columns[row..].iter().step_by(count);
        to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::space::{Layout, Shape};
    use proptest::prelude::*;

    #[test]
    fn gathers_what_lies_apart_and_shows_what_does_not() {
        let data: Vec<u32> = (0..24).collect();
        let (view, shape) = (View::of(&data), Shape::D2(6, 4));
        let transposed = Layout {
            offset: 0,
            strides: [0, 0, 1, 6],
        };
        let mut strided = StridedView::new(view, transposed.over(shape));
        assert_eq!(strided.slice::<u32>(2..7), [12, 18, 1, 7, 13]);
        assert_eq!(strided.element::<u32>(5), 7);
        let part = Layout {
            offset: 1,
            strides: [0, 0, 6, 1],
        };
        let mut strided = StridedView::new(view, part.over(Shape::D2(4, 3)));
        let row = strided.slice::<u32>(3..6);
        assert!(std::ptr::eq(row, &data[7..10]));
        assert_eq!(strided.slice::<u32>(2..5), [3, 7, 8]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 12 } else { 512 }))]

        /// Short rows and long ones, of which one or one element may repeat, in small elements and large ones.
        #[test]
        fn what_is_gathered_is_what_the_layout_says(
            extents in prop::array::uniform3(1_usize..14),
            strides in prop::array::uniform3(-3_isize..4),
            ends: [prop::sample::Index; 2],
        ) {
            let shape = Shape::D3(extents[0], extents[1], extents[2]);
            let layout = Layout { offset: 130, strides: [0, strides[0], strides[1], strides[2]] };
            let (data, coalesced) = ((0..260).collect::<Vec<u32>>(), layout.over(shape));
            let large: Vec<[u32; 3]> = data.iter().map(|x| [*x; 3]).collect();
            let ends = ends.map(|end| end.index(shape.len() + 1));
            let r = ends[0].min(ends[1])..ends[0].max(ends[1]);
            let expected: Vec<u32> = r.clone().map(|i| coalesced.at(i) as u32).collect();
            let mut strided = StridedView::new(View::of(&data), coalesced.clone());
            prop_assert_eq!(strided.slice::<u32>(r.clone()), &expected[..]);
            let expected: Vec<[u32; 3]> = expected.iter().map(|x| [*x; 3]).collect();
            let mut strided = StridedView::new(View::of(&large), coalesced);
            prop_assert_eq!(strided.slice::<[u32; 3]>(r), &expected[..]);
        }
    }
}
