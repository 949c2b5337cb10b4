//! Elements to write that do not lie one after the other.
#![allow(
    unsafe_code,
    reason = "several pieces write elements that lie between each other's"
)]

use super::{
    ElementLayout, ErasedArray, LONG_ROW, OutSlice, RowsMut, RowsOut, View, ViewMut, ViewOut,
    room::Room,
};
use crate::{
    Element, Result,
    space::{CoalescedLayout, RowRuns, Segment},
};
use std::ops::Range;

/// Elements to write, and perhaps to read before, at the places that [`CoalescedLayout`] says. What is opened is memory
/// of the view's own, which comes to its places when something else is opened, or the view dropped; what lies one after
/// the other is opened where it is.
///
/// Invariant: no two elements of `range` have one place, no other view reads or writes those places, and if
/// `reads` says so they are initialised.
#[derive(Debug)]
pub struct StridedViewMut<'m> {
    out: ViewOut<'m>,
    coalesced: CoalescedLayout,
    range: Range<usize>,
    reads: bool,
    gathered: Room,
    /// What `gathered` holds, until it is flushed.
    open: Range<usize>,
    /// Of so many of these, only so many are open: columns of some rows, of which others were not written.
    part: OpenColumns,
    /// Elements that are opened as one when the first of them is.
    band: Range<usize>,
}

/// The first `elems` of each `cols` elements.
#[derive(Clone, Copy, Debug)]
struct OpenColumns {
    elems: usize,
    cols: usize,
}

impl OpenColumns {
    const ALL: OpenColumns = OpenColumns {
        elems: usize::MAX,
        cols: usize::MAX,
    };
}

/// Elements that are gathered at once, at most, and bytes that they take, unless one takes more.
const MOST_ELEMS: usize = 1024;
const MOST_BYTES: usize = 16 << 10;

impl<'m> StridedViewMut<'m> {
    /// The elements `range` at these places of `out`.
    ///
    /// # Safety
    /// They keep the invariant of the type during `'m`.
    pub(crate) unsafe fn new(
        out: ViewOut<'m>,
        coalesced: CoalescedLayout,
        range: Range<usize>,
        reads: bool,
    ) -> Self {
        StridedViewMut {
            out,
            coalesced,
            range,
            reads,
            gathered: Room::default(),
            open: 0..0,
            part: OpenColumns::ALL,
            band: 0..0,
        }
    }

    /// The elements `range` at these places of `elements`, which are read before if `reads` says so.
    ///
    /// # Panics
    /// If two elements have one place, some of them are no elements of the layout, or a place is outside of `elements`.
    #[must_use]
    pub fn within(
        elements: ViewMut<'m>,
        coalesced: CoalescedLayout,
        range: Range<usize>,
        reads: bool,
    ) -> Self {
        let (places, window) = (coalesced.places(), elements.window());
        assert!(
            coalesced.is_injective() && range.end <= coalesced.len(),
            "places for one element each"
        );
        assert!(
            range.is_empty()
                || places.is_some_and(|of| window.start <= of.start && of.end <= window.end),
            "places outside of {window:?}"
        );
        // SAFETY: the places are all different and lie within elements that are initialised, which are ours alone for `'m`.
        unsafe { Self::new(elements.into_out(), coalesced, range, reads) }
    }

    /// Takes the elements before `mid`: what is left begins there.
    ///
    /// # Panics
    /// If `mid` is not within its range.
    #[must_use]
    pub fn take_front(&mut self, mid: usize) -> Self {
        self.release();
        let Range { start, end } = self.range;
        assert!(start <= mid && mid <= end, "split outside of the view");
        self.range.start = mid;
        StridedViewMut {
            // SAFETY: each view writes and reads the places of its own range alone, and the two ranges have none in common.
            out: unsafe { self.out.again() },
            coalesced: self.coalesced.clone(),
            range: start..mid,
            reads: self.reads,
            gathered: Room::default(),
            open: 0..0,
            part: OpenColumns::ALL,
            band: 0..0,
        }
    }

    /// The bytes of an element, if they are only written, and the call's rows lie by columns.
    pub(super) fn bytes_by_columns(&self, cols: usize) -> Option<usize> {
        let size_bytes = self.out.layout().size_bytes();
        (!self.reads && self.coalesced.lies_by_columns(cols)).then_some(size_bytes)
    }

    /// From now on, what is opened of these elements, all of which will be written, comes to its places with all of them.
    ///
    /// # Panics
    /// If some of them are not the view's, or they are read.
    pub(super) fn hold(&mut self, band: Range<usize>) {
        assert!(!self.reads, "elements that are read, too");
        self.release();
        self.own(&band);
        self.band = band;
    }

    /// From now on, nothing is held: what is open comes to its places.
    pub(super) fn release(&mut self) {
        self.flush();
        self.band = 0..0;
    }

    /// Whether elements are held: those can be opened in segments of any length.
    pub(super) fn is_held(&self) -> bool {
        !self.band.is_empty()
    }

    /// How many elements can be opened at once.
    #[must_use]
    pub fn most_elems(&self) -> usize {
        let fit = MOST_BYTES / self.out.layout().size_bytes();
        1 << fit.clamp(16, MOST_ELEMS).ilog2()
    }

    /// Whether the elements are read before they are written.
    #[must_use]
    pub fn reads(&self) -> bool {
        self.reads
    }

    /// The places of elements of the call, if they lie one after the other.
    fn together(&self, r: &Range<usize>) -> Option<Range<usize>> {
        let run = self.coalesced.run(r);
        (run.stride == 1 && run.len == r.len()).then(|| run.places())
    }

    fn own(&self, r: &Range<usize>) {
        let Range { start, end } = self.range;
        assert!(
            start <= r.start && r.start <= r.end && r.end <= end,
            "elements {r:?} of {start}..{end}"
        );
    }

    fn rows_from(&self, segment: &Segment) -> RowRuns {
        let r = segment.range();
        self.coalesced.rows(r.start, r.len(), segment.row_elems())
    }

    /// How many of its elements, from the first of a row on, can be opened at once.
    #[must_use]
    pub(crate) fn most_of_row(&self, segment: &Segment) -> usize {
        match self.rows_from(segment).first.stride {
            1 => segment.range().len(),
            _ => self.most_elems(),
        }
    }

    /// How many rows can be opened at once, that of the segment, which is whole, and those below: `most`, at most.
    #[must_use]
    pub(crate) fn rows_at_once(&self, segment: &Segment, most: usize) -> usize {
        let (rows, elems) = (self.rows_from(segment), segment.range().len());
        let fit = self.most_elems() / elems.max(1);
        let fit = match rows.first.stride {
            // Few short rows, as in a part of small planes, are gathered with others.
            1 if rows.pitch >= 0 && rows.count.saturating_mul(elems) >= LONG_ROW => rows.count,
            _ => fit,
        };
        most.min(fit.max(1))
    }

    /// Where so many rows at the columns of `segment` begin, and how far one is from the one above it, if they can be opened
    /// where they are.
    fn in_place(&mut self, segment: &Segment, rows: usize) -> Option<(Range<usize>, usize)> {
        self.flush();
        self.own(&segment.spanning(rows).range());
        let RowRuns {
            first,
            pitch,
            count,
        } = self.rows_from(segment);
        assert_eq!(first.len, segment.range().len(), "elements of one row");
        let pitch = usize::try_from(pitch).ok()?;
        (first.stride == 1 && rows <= count).then(|| (first.places(), pitch))
    }

    /// The elements of so many rows at the columns of `segment`, to be written; not of more rows than
    /// [`StridedViewMut::rows_at_once`] says.
    ///
    /// # Panics
    /// As [`StridedViewMut::slice_out`].
    #[must_use]
    pub(crate) fn rows_out<T: Element>(
        &mut self,
        segment: &Segment,
        rows: usize,
    ) -> RowsOut<'_, T> {
        if let Some((first, pitch)) = self.in_place(segment, rows) {
            return RowsOut::apart(self.out.reborrow(), first, pitch, rows);
        }
        let (elems, cols) = (segment.range().len(), segment.row_elems());
        let part = match elems < cols && rows > 1 {
            true => OpenColumns { elems, cols },
            false => OpenColumns::ALL,
        };
        let opened = self.opened(segment.spanning(rows).range(), part);
        RowsOut::over(opened, segment, rows)
    }

    /// The same, to be read and written.
    ///
    /// # Panics
    /// As [`StridedViewMut::slice_mut`].
    #[must_use]
    pub(crate) fn rows_mut<T: Element>(
        &mut self,
        segment: &Segment,
        rows: usize,
    ) -> RowsMut<'_, T> {
        assert!(self.reads, "elements that are only written");
        if let Some((first, pitch)) = self.in_place(segment, rows) {
            // SAFETY: `reads` is set, and `in_place` has asserted that they are of `range`: by the invariant they are
            // initialised, and no other view has their places.
            return unsafe { RowsMut::apart(self.out.reborrow(), first, pitch, rows) };
        }
        let opened = self.slice_mut(segment.spanning(rows).range());
        RowsMut::over(opened, segment, rows)
    }

    fn room(&mut self, len: usize) -> &mut ErasedArray {
        let (layout, len) = (self.out.layout(), len.max(self.most_elems()));
        self.gathered.of(layout, len)
    }

    /// Elements `r` of the call, to be written.
    ///
    /// # Panics
    /// If the elements are not `T`, or some of them are not the view's.
    #[must_use]
    pub fn slice_out<T: Element>(&mut self, r: Range<usize>) -> OutSlice<'_, T> {
        self.opened(r, OpenColumns::ALL)
    }

    /// The same, of which only a part is brought to its places.
    fn opened<T: Element>(&mut self, r: Range<usize>, part: OpenColumns) -> OutSlice<'_, T> {
        if self.band.start <= r.start && r.end <= self.band.end && !r.is_empty() {
            if self.open != self.band {
                self.flush();
                self.own(&self.band);
                (self.open, self.part) = (self.band.clone(), OpenColumns::ALL);
            }
            let (elems, r) = (
                self.band.len(),
                r.start - self.band.start..r.end - self.band.start,
            );
            return self.room(elems).view_out(r).into_slice::<T>();
        }
        self.flush();
        self.own(&r);
        if let Some(places) = self.together(&r) {
            return self.out.slice::<T>(places);
        }
        let len = r.len();
        (self.open, self.part) = (r, part);
        self.room(len).view_out(0..len).into_slice::<T>()
    }

    /// Elements `r` of the call, to be read and written.
    ///
    /// # Panics
    /// As [`StridedViewMut::slice_out`]; if they are not to be read.
    #[must_use]
    pub fn slice_mut<T: Element>(&mut self, r: Range<usize>) -> &mut [T] {
        self.flush();
        assert!(self.reads, "elements that are only written");
        self.own(&r);
        if let Some(places) = self.together(&r) {
            // SAFETY: `&mut self` keeps other slices of this view away; what is opened are these places alone.
            let mut rest = unsafe { self.out.again() };
            drop(rest.take_front(places.start));
            // SAFETY: `own` has asserted that they are of `range`, and `reads` is set: by the invariant they are
            // initialised, and no other view has their places.
            return unsafe { rest.take_front(places.end).assume_init() }.into_slice::<T>();
        }
        let len = r.len();
        let room = len.max(self.most_elems());
        let gathered = self.gathered.of(self.out.layout(), room);
        let (out, mut at) = (&self.out, 0);
        self.coalesced.runs(r.clone(), |run| {
            // SAFETY: the run is of elements `r`, which `own` has asserted to be of `range`, and `reads` is set: by the
            // invariant they are initialised, and no other view writes their places.
            unsafe { out.read_run(run, &mut gathered.view_out(at..at + run.len)) };
            at += run.len;
        });
        (self.open, self.part) = (r, OpenColumns::ALL);
        gathered.view_mut(0..len).into_slice::<T>()
    }

    /// Element `i` of the call.
    ///
    /// # Panics
    /// As [`StridedViewMut::slice_mut`].
    #[must_use]
    pub fn element<T: Element>(&self, i: usize) -> T {
        assert!(self.reads, "elements that are only written");
        self.own(&(i..i + 1));
        // SAFETY: `own` has asserted that it is of `range`, and `reads` is set: by the invariant it is initialised, and no
        // other view writes its place.
        unsafe { self.out.read(self.coalesced.at(i)) }
    }

    /// A copy of its elements as they are in their places.
    ///
    /// # Errors
    /// [`crate::Error::OutOfMemory`].
    ///
    /// # Panics
    /// If they are not to be read.
    pub fn copy(&self) -> Result<ErasedArray> {
        self.copy_to(None)
    }

    /// The same, in the memory of `old` if that will do.
    pub(super) fn copy_to(&self, old: Option<ErasedArray>) -> Result<ErasedArray> {
        assert!(self.reads, "elements that are only written");
        let mut copy = ErasedArray::renewed(old, self.out.layout(), self.range.clone())?;
        let mut at = self.range.start;
        self.coalesced.runs(self.range.clone(), |run| {
            // SAFETY: the run is of `range`, and `reads` is set: by the invariant its elements are initialised, and no other
            // view writes their places.
            unsafe { self.out.read_run(run, &mut copy.view_out(at..at + run.len)) };
            at += run.len;
        });
        Ok(copy)
    }

    /// Which elements of the call it has.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// How many bytes its elements take.
    #[must_use]
    pub fn len_bytes(&self) -> usize {
        self.range.len() * self.out.layout().size_bytes()
    }

    /// The layout of its elements.
    #[must_use]
    pub fn layout(&self) -> ElementLayout {
        self.out.layout()
    }

    /// Brings elements of the call to their places.
    ///
    /// # Panics
    /// If they are of another type, or some of them are not the view's.
    pub fn put_all(&mut self, elements: View<'_>) {
        self.flush();
        self.own(&elements.window());
        self.scatter(elements.window(), elements);
    }

    /// Brings elements `r` of the call to their places; `elements` has them, from its first on.
    fn scatter(&self, r: Range<usize>, elements: View<'_>) {
        let mut at = elements.window().start;
        if r == self.band {
            let mut rest = r;
            while !rest.is_empty() {
                let rows = self.coalesced.whole_rows(&rest);
                let elems = rows.count * rows.first.len;
                assert!(elems > 0, "elements behind the last");
                // SAFETY: what is brought is of the view's own elements, which no other view reads or writes: `hold` has
                // asserted that the band is.
                unsafe { self.out.write_rows(rows, elements.narrow(at..at + elems)) };
                (at, rest.start) = (at + elems, rest.start + elems);
            }
            return;
        }
        self.coalesced.runs(r, |run| {
            // SAFETY: what is brought is of the view's own elements, which no other view reads or writes.
            unsafe { self.out.write_run(run, elements.narrow(at..at + run.len)) };
            at += run.len;
        });
    }

    /// Brings what is open to its places.
    fn flush(&mut self) {
        let open = std::mem::replace(&mut self.open, 0..0);
        let Some(gathered) = self.gathered.array() else {
            return;
        };
        let OpenColumns { elems, cols } = self.part;
        let mut start = open.start;
        while start < open.end {
            let (at, end) = (
                start - open.start,
                open.end.min(start.saturating_add(elems)),
            );
            self.scatter(start..end, gathered.view(at..at + (end - start)));
            start = start.saturating_add(cols);
        }
    }
}

impl Drop for StridedViewMut<'_> {
    /// After a panic, too: the elements of a call that failed are not read.
    fn drop(&mut self) {
        self.flush();
    }
}

#[cfg(test)]
mod test;
