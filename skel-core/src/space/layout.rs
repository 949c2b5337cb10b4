//! Where the elements of an operand lie in its container.

use crate::space::{Along, IndexBox, MAX_RANK, Shape};
use arrayvec::ArrayVec;
use std::ops::Range;

/// Where an operand's elements lie in its container: element `(i₀, i₁, i₂, i₃)` of the index space is
/// element `offset + Σ i_d · stride_d` there. A stride may be 0, so that one element serves many, or
/// negative. Indices of spaces with fewer dimensions are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The place of the first element of the index space.
    pub offset: usize,
    /// How far neighbours along each dimension are apart; the last is the innermost.
    pub strides: [isize; MAX_RANK],
}

impl Layout {
    /// Row by row, as a container of this shape lies in memory, from `offset` on.
    #[must_use]
    pub fn row_major(offset: usize, shape: Shape) -> Layout {
        let extents = shape.extents();
        let (mut strides, mut stride) = ([0; MAX_RANK], 1);
        for d in (0..MAX_RANK).rev() {
            strides[d] = stride as isize;
            stride *= extents[d].max(1);
        }
        Layout { offset, strides }
    }

    /// The place of the element at these indices.
    #[inline]
    #[must_use]
    pub fn at(&self, index: [usize; MAX_RANK]) -> usize {
        let steps = index.iter().zip(self.strides);
        let place = steps.map(|(i, stride)| *i as isize * stride).sum::<isize>();
        self.offset.wrapping_add_signed(place)
    }

    /// The places from the first to the last that the elements `cells` take, with whatever lies between.
    #[must_use]
    pub fn bounds(&self, cells: &IndexBox) -> Range<usize> {
        if cells.is_empty() {
            return 0..0;
        }
        let (mut first, mut last) = (0_isize, 0_isize);
        for (r, stride) in cells.0.iter().zip(self.strides) {
            let ends = [r.start, r.end - 1].map(|i| i as isize * stride);
            first += ends[0].min(ends[1]);
            last += ends[0].max(ends[1]);
        }
        let place = |steps: isize| self.offset.wrapping_add_signed(steps);
        place(first)..place(last) + 1
    }

    /// The places that the elements `r` of a call need of an argument that lies so, with whatever lies
    /// between; `space` is the argument's index space.
    #[must_use]
    pub fn needed(&self, r: &Range<usize>, space: Shape, along: Option<Along>) -> Range<usize> {
        match (along, self.over(space).contiguous()) {
            (None, Some(offset)) => offset + r.start..offset + r.end,
            _ => self.bounds(&IndexBox::of(r, space, along)),
        }
    }

    /// The layout along the elements of `shape`, counted in row-major order.
    #[must_use]
    pub fn over(&self, shape: Shape) -> CoalescedLayout {
        let mut dims = ArrayVec::<(usize, isize), MAX_RANK>::new();
        let mut offset = self.offset;
        for (extent, stride) in shape.extents().into_iter().zip(self.strides) {
            match dims.last_mut() {
                _ if extent == 1 => {}
                // The last step of the inner dimension ends where the outer one goes on.
                Some((outer, step)) if *step == stride * extent as isize => {
                    (*outer, *step) = (*outer * extent, stride);
                }
                _ => dims.push((extent, stride)),
            }
        }
        // Asked for by number: that panics where there are more than can be counted.
        let elems = shape.len();
        let is_empty = elems == 0;
        if is_empty {
            (dims, offset) = (ArrayVec::new(), 0);
        }
        if dims.is_empty() {
            dims.push((usize::from(!is_empty), 1));
        }
        CoalescedLayout { offset, dims }
    }
}

/// A [`Layout`] along the elements of an index space: dimensions that one stride serves are one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoalescedLayout {
    /// The place of the first element.
    pub offset: usize,
    /// Extents and strides, 1 to 4 of them, the outermost first.
    pub dims: ArrayVec<(usize, isize), MAX_RANK>,
}

impl CoalescedLayout {
    /// The place of the first element, if the others follow it one by one.
    #[must_use]
    pub fn contiguous(&self) -> Option<usize> {
        match self.dims[..] {
            [(_, 1)] => Some(self.offset),
            _ => None,
        }
    }

    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        let extents = self.dims.iter().map(|(extent, _)| *extent);
        extents.fold(1, usize::saturating_mul)
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The places from the first to the last, with whatever lies between; nothing if there is no array that
    /// could have all of them.
    #[must_use]
    pub fn places(&self) -> Option<Range<usize>> {
        if self.is_empty() {
            return Some(self.offset..self.offset);
        }
        let (mut first, mut last) = (self.offset, self.offset);
        for (extent, stride) in &self.dims {
            let way = (*extent - 1).checked_mul(stride.unsigned_abs())?;
            match *stride < 0 {
                true => first = first.checked_sub(way)?,
                false => last = last.checked_add(way)?,
            }
        }
        Some(first..last.checked_add(1)?)
    }

    /// Whether no two elements are known to have one place: along each dimension, in order of their strides,
    /// one step goes beyond all that the smaller ones reach.
    #[must_use]
    pub fn is_injective(&self) -> bool {
        let mut dims = self.dims.clone();
        dims.sort_by_key(|(_, stride)| stride.unsigned_abs());
        let mut reach = 0_usize;
        dims.iter().all(|(extent, stride)| {
            let beyond = *extent <= 1 || stride.unsigned_abs() > reach;
            let steps = extent.saturating_sub(1);
            reach = reach.saturating_add(steps.saturating_mul(stride.unsigned_abs()));
            beyond
        })
    }

    /// The place of element `i`.
    #[inline]
    #[must_use]
    pub fn at(&self, i: usize) -> usize {
        self.run(&(i..i + 1)).first
    }

    /// The elements from `r.start` on that one stride serves; at most those of `r`.
    #[inline]
    #[must_use]
    pub fn run(&self, r: &Range<usize>) -> Run {
        let (mut rest, mut place) = (r.start, 0_isize);
        let (mut inner, mut left) = (1, usize::MAX);
        for (d, (extent, stride)) in self.dims.iter().enumerate().rev() {
            // The outermost index is what remains.
            let index = if d == 0 { rest } else { rest % extent };
            if d + 1 == self.dims.len() {
                (inner, left) = (*stride, extent.saturating_sub(index));
            }
            place += index as isize * stride;
            rest /= (*extent).max(1);
        }
        Run {
            first: self.offset.wrapping_add_signed(place),
            stride: inner,
            len: left.min(r.end - r.start),
        }
    }

    /// The `elems` elements from `start` on, which are of one of the call's rows of `cols` elements, and those below them.
    #[inline]
    #[must_use]
    pub fn rows(&self, start: usize, elems: usize, cols: usize) -> RowRuns {
        let first = self.run(&(start..start + elems));
        let (outermost, inner) = (self.dims.len() == 1, self.dims[self.dims.len() - 1]);
        let index = if outermost { start } else { start % inner.0 };
        let left = inner.0.saturating_sub(index + elems);
        if outermost || inner.0 != cols {
            // One stride serves several rows.
            return RowRuns {
                first,
                pitch: inner.1.wrapping_mul(cols as isize),
                count: 1 + left / cols.max(1),
            };
        }
        let outer = self.dims.len() - 2;
        let (extent, pitch) = self.dims[outer];
        let row = start / cols.max(1);
        let row = if outer == 0 { row } else { row % extent };
        RowRuns {
            first,
            pitch,
            count: extent.saturating_sub(row).max(1),
        }
    }

    /// Whether the call's rows, of `cols` elements, lie so that elements of neighbouring ones are closer to each other than
    /// those of one: as those of a transposed matrix.
    #[must_use]
    pub fn lies_by_columns(&self, cols: usize) -> bool {
        !self.is_empty() && self.rows(0, 1, cols).lie_by_columns() && {
            let (inner, _) = self.dims[self.dims.len() - 1];
            inner == cols
        }
    }

    /// The elements from `r.start` on, of which there is one at least, in whole rows of its own innermost dimension if they
    /// begin with one, and `r` has all of it; those that one stride serves, else.
    #[inline]
    #[must_use]
    pub fn whole_rows(&self, r: &Range<usize>) -> RowRuns {
        let (first, inner) = (self.run(r), self.dims[self.dims.len() - 1].0);
        if self.dims.len() == 1 || first.len < inner {
            return RowRuns {
                first,
                pitch: 0,
                count: 1,
            };
        }
        let rows = self.rows(r.start, inner, inner);
        RowRuns {
            count: rows.count.min(r.len() / inner),
            ..rows
        }
    }

    /// Calls `visit` for all runs of the elements `r`, in order; there is none behind the last element.
    #[inline]
    pub fn runs(&self, r: Range<usize>, mut visit: impl FnMut(Run)) {
        let mut rest = r;
        let Some(((extent, stride), outer)) = self.dims.split_last().filter(|_| !rest.is_empty())
        else {
            return;
        };
        // Runs may be short: no division for each.
        let mut index = [0; MAX_RANK];
        let (mut row, mut col) = match outer.is_empty() {
            true => (0, rest.start),
            false => (rest.start / extent, rest.start % extent),
        };
        let mut place = 0_isize;
        for (d, (extent, stride)) in outer.iter().enumerate().rev() {
            index[d] = if d == 0 { row } else { row % extent };
            place += index[d] as isize * stride;
            row /= extent;
        }
        while !rest.is_empty() {
            let run = Run {
                first: self
                    .offset
                    .wrapping_add_signed(place + col as isize * stride),
                stride: *stride,
                len: extent.saturating_sub(col).min(rest.len()),
            };
            if run.len == 0 {
                // Behind the last element there is none.
                return;
            }
            rest.start += run.len;
            col = 0;
            for (d, (extent, stride)) in outer.iter().enumerate().rev() {
                (index[d], place) = (index[d] + 1, place + stride);
                if index[d] < *extent || d == 0 {
                    break;
                }
                place -= *extent as isize * stride;
                index[d] = 0;
            }
            visit(run);
        }
    }
}

/// Elements of neighbouring rows, at the same columns of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowRuns {
    /// Those of the first row.
    pub first: Run,
    /// How far a row is from the one above it.
    pub pitch: isize,
    /// So many rows, at least, lie so: 1 or more.
    pub count: usize,
}

impl RowRuns {
    /// Rows of so many elements, one behind the other.
    #[must_use]
    pub fn one_by_one(start: usize, count: usize, elems: usize) -> RowRuns {
        RowRuns {
            first: Run::one_by_one(start..start + elems),
            pitch: elems as isize,
            count,
        }
    }

    /// Whether elements of neighbouring rows are closer to each other than those of one.
    #[must_use]
    pub fn lie_by_columns(&self) -> bool {
        let apart = self.first.stride.unsigned_abs();
        self.count > 1 && (1..apart).contains(&self.pitch.unsigned_abs())
    }

    /// The elements of row `row`.
    #[inline]
    #[must_use]
    pub fn row(&self, row: usize) -> Run {
        let steps = (row as isize).wrapping_mul(self.pitch);
        Run {
            first: self.first.first.wrapping_add_signed(steps),
            ..self.first
        }
    }

    /// The places from the first to the last, with whatever lies between; nothing if there is no array that could have all
    /// of them.
    #[must_use]
    pub fn places(&self) -> Option<Range<usize>> {
        let Run { first, stride, len } = self.first;
        // So many that two products of 126 bits are added.
        let way = |count: usize, step: isize| {
            let steps = isize::try_from(count).ok()?.checked_sub(1)?;
            Some(steps as i128 * step as i128)
        };
        let (down, along) = (way(self.count, self.pitch)?, way(len, stride)?);
        let first = first as i128;
        let (low, high) = (
            first + down.min(0) + along.min(0),
            first + down.max(0) + along.max(0),
        );
        Some(usize::try_from(low).ok()?..usize::try_from(high).ok()?.checked_add(1)?)
    }
}

/// Elements at equal distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The place of the first one.
    pub first: usize,
    /// How far neighbours are apart.
    pub stride: isize,
    /// How many.
    pub len: usize,
}

impl Run {
    /// Elements that lie one after the other.
    #[must_use]
    pub fn one_by_one(places: Range<usize>) -> Run {
        Run {
            first: places.start,
            stride: 1,
            len: places.len(),
        }
    }

    /// The places from the first to the last, with whatever lies between. Of a run of an array's elements.
    #[must_use]
    pub fn places(&self) -> Range<usize> {
        let way = self
            .len
            .saturating_sub(1)
            .saturating_mul(self.stride.unsigned_abs());
        let (low, high) = match self.stride < 0 {
            true => (self.first.saturating_sub(way), self.first),
            false => (self.first, self.first.saturating_add(way)),
        };
        low..high.saturating_add(usize::from(self.len > 0))
    }
}

#[cfg(test)]
mod test;
