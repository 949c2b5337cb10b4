//! Where a segment's neighbourhoods lie.

use super::rows;
use crate::{
    frame::Parts,
    space::{MAX_RANK, Neighbourhood, Reach, Segment},
};

/// Elements of one segment whose neighbourhoods are copied, at most: what is copied stays in the
/// cache, and in bounds, however long rows are.
const STRIP: usize = 1024;

/// Rows that are shorter are copied as a whole: that costs less than what it takes to begin with a segment
/// at either edge.
const SHORT_ROW: usize = 192;

/// Where the neighbourhood of a segment's first element lies in its container.
pub(super) struct Place {
    /// The place of offset 0, along each dimension; beyond the edges it may not be.
    pub(super) at: [usize; MAX_RANK],
    /// Elements from one place to the next, along each dimension.
    pub(super) pitches: [usize; MAX_RANK],
    /// The element at place 0 of all dimensions.
    pub(super) base: usize,
    /// Whether the elements of a segment differ in their place along the last dimension, and not inside
    /// of it.
    pub(super) along: bool,
}

impl Place {
    /// Only of segments of one row. Divides as little as the rank needs: segments may be short.
    #[inline(always)]
    pub(super) fn of(near: &Neighbourhood, reach: &Reach, segment: &Segment) -> Place {
        let (row, col) = segment.row_and_col();
        // Of a single column, windows go down it all the same.
        let along = near.inner == 1 && segment.row_elems() == near.positions[MAX_RANK - 1];
        let mut place = Place {
            at: [0; MAX_RANK],
            pitches: [0; MAX_RANK],
            base: 0,
            along,
        };
        let (mut rest, mut pitch) = (row, near.inner);
        if !along {
            place.base = col;
        }
        let first = MAX_RANK - reach.rank;
        for d in (first..MAX_RANK).rev() {
            let position = if along && d == MAX_RANK - 1 {
                col
            } else {
                // Where there are no positions there are no segments. Mostly there is nothing to divide.
                let positions = near.positions[d].max(1);
                let position = if rest < positions {
                    rest
                } else {
                    rest % positions
                };
                rest = if rest < positions {
                    0
                } else {
                    rest / positions
                };
                position
            };
            place.at[d] = position * near.stride[d] + near.shift[d];
            place.pitches[d] = pitch;
            pitch *= near.extents[d];
        }
        place.base += rest * pitch;
        place
    }

    /// The element of offset 0.
    #[inline(always)]
    pub(super) fn element(&self) -> usize {
        (0..MAX_RANK).fold(self.base, |sum, d| sum + self.at[d] * self.pitches[d])
    }

    /// Elements from one neighbourhood to the next.
    #[inline(always)]
    pub(super) fn step(&self, near: &Neighbourhood) -> usize {
        if self.along {
            near.stride[MAX_RANK - 1]
        } else {
            1
        }
    }

    /// Whether the neighbourhoods lie inside of the container, along the dimensions in which those of a
    /// segment do not differ.
    #[inline(always)]
    fn is_inside_across(&self, near: &Neighbourhood, reach: &Reach) -> bool {
        let across = MAX_RANK - usize::from(self.along);
        (MAX_RANK - reach.rank..across)
            .all(|d| self.at[d] >= reach.before[d] && self.at[d] + reach.after[d] < near.extents[d])
    }

    /// Whether `len` neighbourhoods lie inside of the container.
    #[inline(always)]
    pub(super) fn is_inside(&self, near: &Neighbourhood, reach: &Reach, len: usize) -> bool {
        let d = MAX_RANK - 1;
        self.is_inside_across(near, reach)
            && (!self.along
                || (self.at[d] >= reach.before[d]
                    && self.at[d] + (len - 1) * near.stride[d] + reach.after[d] < near.extents[d]))
    }

    /// How many of `len` elements are alike: their neighbourhoods lie all inside, or none does.
    #[inline(always)]
    pub(super) fn cut(
        &self,
        near: &Neighbourhood,
        reach: &Reach,
        elem_bytes: usize,
        len: usize,
    ) -> usize {
        if rows::pay(self, near, reach, elem_bytes, len) {
            return len;
        }
        if !self.is_inside_across(near, reach) {
            return len.min(STRIP);
        }
        if !self.along {
            return len;
        }
        let d = MAX_RANK - 1;
        let (at, stride) = (self.at[d], near.stride[d].max(1));
        if at < reach.before[d] {
            if len * stride < SHORT_ROW {
                return len;
            }
            return len.min((reach.before[d] - at).div_ceil(stride)).min(STRIP);
        }
        match near.extents[d].checked_sub(at + reach.after[d] + 1) {
            Some(room) => len.min(if stride == 1 {
                room + 1
            } else {
                room / stride + 1
            }),
            None => len.min(STRIP),
        }
    }

    /// All elements that `len` neighbourhoods inside of the container reach must be there: fetching them
    /// is decided where the slot is made.
    #[inline(always)]
    pub(super) fn assert_present<'m>(
        &self,
        parts: &Parts<'m>,
        reach: &Reach,
        len: usize,
        step: usize,
    ) {
        let (mut before, mut after) = (0_usize, (len - 1).saturating_mul(step));
        for d in MAX_RANK - reach.rank..MAX_RANK {
            before = before.saturating_add(reach.before[d].saturating_mul(self.pitches[d]));
            after = after.saturating_add(reach.after[d].saturating_mul(self.pitches[d]));
        }
        // What a window points at rests on this, wherever the neighbourhood comes from.
        let first = self.element().checked_sub(before);
        let last = self.element().checked_add(after);
        let (Some(first), Some(last)) = (first, last.filter(|last| *last < usize::MAX)) else {
            panic!("a neighbourhood that no container has");
        };
        if !parts.contain(&(first..last + 1)) {
            self.assert_rows_present(parts, reach, len, step);
        }
    }

    /// The same, where what lies between the rows that are seen is not all there.
    #[cold]
    #[inline(never)]
    fn assert_rows_present(&self, parts: &Parts<'_>, reach: &Reach, len: usize, step: usize) {
        // What neighbourhoods of a segment share without a gap: one dimension, or no more than a place.
        let along = self.along;
        let dims = MAX_RANK - usize::from(along);
        let rows: usize = (0..dims).map(|d| reach.span(d)).product();
        for row in 0..rows {
            let (mut element, mut rest) = (self.element(), row);
            for d in 0..dims {
                let offset = rest % reach.span(d);
                rest /= reach.span(d);
                element = element + offset * self.pitches[d] - reach.before[d] * self.pitches[d];
            }
            let mut end = element + (len - 1) * step + 1;
            if along {
                element -= reach.before[MAX_RANK - 1];
                end += reach.after[MAX_RANK - 1];
            }
            assert!(
                parts.contain(&(element..end)),
                "elements {element}..{end} were not fetched"
            );
        }
    }
}
