//! Where a segment's neighbourhoods lie.

use super::rows::{self, Block};
use crate::{
    frame::SparseView,
    space::{MAX_RANK, Neighbourhood, Reach, Segment},
};

const LAST: usize = MAX_RANK - 1;
/// The dimension along which rows follow each other.
const DOWN: usize = MAX_RANK - 2;

/// Elements of one segment whose neighbourhoods are copied, at most: what is copied stays in the
/// cache, and in bounds, however long rows are.
const STRIP: usize = 1024;

/// Rows that are shorter are copied as a whole: that costs less than what it takes to begin with a segment
/// at either edge.
const SHORT_ROW: usize = 192;

/// The same of rows that are opened at once, of which the edges cost less.
const SHORT_OF_SEVERAL: usize = 16;

#[inline(always)]
fn short_row(rows: usize) -> usize {
    match rows {
        1 => SHORT_ROW,
        _ => SHORT_OF_SEVERAL,
    }
}

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

    /// The first element of the row of offset 0.
    #[inline(always)]
    pub(super) fn row(&self) -> usize {
        (0..LAST).fold(self.base, |sum, d| sum + self.at[d] * self.pitches[d])
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
        (MAX_RANK - reach.rank..across).all(|d| self.is_inside_of(near, reach, d))
    }

    /// Whether the first neighbourhood lies inside of the container, along dimension `d`.
    #[inline(always)]
    pub(super) fn is_inside_of(&self, near: &Neighbourhood, reach: &Reach, d: usize) -> bool {
        self.at[d] >= reach.before[d] && self.at[d] + reach.after[d] < near.extents[d]
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

    /// Elements from the neighbourhood of an element to that of the element below.
    #[inline(always)]
    pub(super) fn row_step(&self, near: &Neighbourhood, reach: &Reach) -> usize {
        match reach.rank {
            1 => 0,
            _ => near.stride[DOWN] * self.pitches[DOWN],
        }
    }

    /// How many rows have neighbourhoods that are inside of the container but for its edges along the last dimension:
    /// that of the place and those below it, without a gap. At least 1, also if that one is not.
    #[inline(always)]
    pub(super) fn rows_inside(&self, near: &Neighbourhood, reach: &Reach) -> usize {
        if !self.along || reach.rank == 1 || !self.is_inside_across(near, reach) {
            return 1;
        }
        // The last place that sees no edge below, and the last that there is.
        let stride = near.stride[DOWN].max(1);
        let room = near.extents[DOWN] - 1 - reach.after[DOWN] - self.at[DOWN];
        let position = (self.at[DOWN] - near.shift[DOWN]) / stride;
        (room / stride + 1).min(near.positions[DOWN] - position)
    }

    /// How many rows from this one on are opened at once, as far as they are inside and what is copied at their edges
    /// stays in the cache.
    #[inline(always)]
    pub(super) fn rows(&self, near: &Neighbourhood, reach: &Reach, elem_bytes: usize) -> usize {
        let positions = near.positions[LAST];
        let block = Block::at(self, near, reach, elem_bytes, positions);
        if let Some(rows @ 2..) = block.map(|block| block.at_once) {
            return rows;
        }
        let inside = self.rows_inside(near, reach);
        if inside == 1 {
            return 1;
        }
        let copied = match positions * near.stride[LAST].max(1) < SHORT_OF_SEVERAL {
            true => positions,
            false => reach.span(LAST).min(positions),
        };
        let has_edges = near.shift[LAST] < reach.before[LAST]
            || near.shift[LAST] + (positions - 1) * near.stride[LAST] + reach.after[LAST]
                >= near.extents[LAST];
        match has_edges {
            true => inside.min(rows::most_rows(reach, near, elem_bytes, copied)),
            false => inside,
        }
    }

    /// How many of `len` elements are alike: their neighbourhoods lie all inside, or none does.
    #[inline(always)]
    pub(super) fn cut(
        &self,
        near: &Neighbourhood,
        reach: &Reach,
        elem_bytes: usize,
        (rows, len): (usize, usize),
    ) -> usize {
        if Block::at(self, near, reach, elem_bytes, len).is_some_and(|block| rows <= block.at_once)
        {
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
            if len * stride < short_row(rows) {
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

    /// All elements that `len` neighbourhoods, `step` elements from each other, reach in each of `rows` rows, `row_step`
    /// elements from each other, must be there: fetching them is decided where the slot is made.
    #[inline(always)]
    pub(super) fn assert_present<'m>(
        &self,
        view: &SparseView<'m>,
        reach: &Reach,
        (rows, row_step): (usize, usize),
        (len, step): (usize, usize),
    ) {
        let (mut before, mut after) = (0_usize, (len - 1).saturating_mul(step));
        after = after.saturating_add((rows - 1).saturating_mul(row_step));
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
        if !view.contain(&(first..last + 1)) {
            for row in 0..rows {
                self.assert_row_present(view, reach, row * row_step, (len, step));
            }
        }
    }

    /// The same of the row that begins `below` elements behind the first, where what lies between the rows that are seen
    /// is not all there.
    #[cold]
    #[inline(never)]
    fn assert_row_present(
        &self,
        view: &SparseView<'_>,
        reach: &Reach,
        below: usize,
        (len, step): (usize, usize),
    ) {
        // What neighbourhoods of a segment share without a gap: one dimension, or no more than a place.
        let along = self.along;
        let dims = MAX_RANK - usize::from(along);
        let rows: usize = (0..dims).map(|d| reach.span(d)).product();
        for row in 0..rows {
            let (mut element, mut rest) = (self.element() + below, row);
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
                view.contain(&(element..end)),
                "elements {element}..{end} were not fetched"
            );
        }
    }
}
