//! Elements by rectangles: of parts with gaps, and of those that see neighbourhoods, inside of the containers.
//!
//! To begin with a segment takes as long as some hundred elements of a stencil. So the rows of a piece whose
//! neighbourhoods lie inside are computed as one rectangle, for which all is looked up and checked once, and what is left
//! at both ends of its rows as segments of their own. Rows of parts are computed so where they are, and rows of functions
//! that ask for their row and column, since their segments are rows; those that may read whole containers down their
//! columns, in strips.

use super::piece::Loops;
use crate::{
    frame::{Frame, LONG_ROW, Slot},
    space::Segment,
};
use std::ops::Range;

/// The elements at the edges of rows are computed while the rows are in the cache: so many bytes of results at once, or
/// so many rows.
const BAND_BYTES: usize = 64 << 10;
const MOST_ROWS: usize = 4;

/// What a first cache holds, on most machines.
const FIRST_CACHE_BYTES: usize = 32 << 10;

/// Where a whole container is read, perhaps down its columns, and what is read in one row would be out of the cache before
/// the rows below read the rest of its cache lines, rows are computed in strips: so many elements of at least so many rows.
const STRIP: usize = 256;
const STRIP_ROWS: usize = 16;

/// So many cache lines, each of another page perhaps, may be out of the caches before a row is over, ...
const MANY_LINES: usize = 1 << 11;

/// ... and so many if the container's rows are multiples of so many bytes, since the lines of a column share few sets of
/// the cache then.
const FEW_LINES: usize = 1 << 9;
const CONFLICT_BYTES: usize = 1 << 10;

impl Loops {
    /// Computes elements `range` of a piece; some of them `again` where that is faster.
    pub(in crate::skeleton) fn rectangles(
        &self,
        piece: &mut Frame<'_>,
        range: Range<usize>,
        again: bool,
    ) {
        let (end, space) = (range.end, piece.arguments_space());
        for slot in &mut piece.slots {
            if let Slot::Window(near) = slot {
                near.end = end;
            }
        }
        let mut segment = Segment::new(&range, true, space);
        while !segment.range().is_empty() {
            let rows = self.rows_at_once(piece, &segment, end);
            if rows > 1 {
                let behind = segment.spanning(rows).range().end;
                self.band(piece, segment, rows, again);
                segment = Segment::new(&(behind..end), true, space);
                continue;
            }
            segment = self.first_part(piece, segment, 1);
            (self.run)(piece, &segment, 1, again);
            segment = segment.next(end);
        }
    }

    /// Computes several whole rows, the first of which is `row`.
    fn band(&self, piece: &mut Frame<'_>, row: Segment, rows: usize, again: bool) {
        let (end, mut rest) = (row.range().end, row);
        let strips = self.goes_in_strips(piece, rest.range().len());
        if self.near.is_none() && !strips && self.have_gaps(piece, rest.row_elems()) {
            let parts = self.blocks.parts(rest.range().len(), again);
            let is_cut = self.first_part(piece, rest.clone(), rows).range().end < end;
            if !parts[1].is_empty() && !is_cut {
                for part in parts {
                    let until = rest.range().start + part.end;
                    let columns = rest.clone().after(part.start).until(until);
                    (self.run)(piece, &columns, rows, again);
                }
                return;
            }
        }
        // Where elements see several planes, and rows are not in the first cache, a column at the left edge is computed after
        // what lies beside it: by itself, it would wait for a cache line of each row of each plane. (Of one plane, long rows
        // are in no cache any more by then.)
        let planes = self.near.is_some_and(|form| form.reach.rank > 2);
        let bytes = (rows * rest.range().len()).saturating_mul(self.result_bytes);
        let (mut edge, mut is_turn) = (None, !planes || bytes < FIRST_CACHE_BYTES);
        while !rest.range().is_empty() || edge.is_some() {
            let segment = match edge.take_if(|_| is_turn || rest.range().is_empty()) {
                Some(edge) => edge,
                None => {
                    let mut segment = self.first_part(piece, rest, rows);
                    if strips {
                        let end_of_strip = segment.range().start + STRIP;
                        segment = segment.until(end_of_strip);
                    }
                    rest = segment.next(end);
                    if !is_turn && edge.is_none() && segment.range().len() == 1 {
                        edge = Some(segment);
                        continue;
                    }
                    is_turn = true;
                    segment
                }
            };
            (self.run)(piece, &segment, rows, again);
        }
    }

    /// Whether rows of `cols` elements are computed in strips.
    fn goes_in_strips(&self, piece: &Frame<'_>, cols: usize) -> bool {
        let is_far = |slot: &Slot<'_>| match slot {
            Slot::Whole(view, shape) => {
                let row_bytes = shape.row_elems() * view.layout().size_bytes();
                let conflicts = row_bytes > 0 && row_bytes.is_multiple_of(CONFLICT_BYTES);
                cols > MANY_LINES || conflicts && cols > FEW_LINES
            }
            _ => false,
        };
        self.reads_anywhere && piece.slots.iter().any(is_far)
    }

    /// Whether rows of `cols` elements cannot all be computed as one: results have gaps, or rows are too long for what is
    /// read with gaps to be gathered.
    fn have_gaps(&self, piece: &Frame<'_>, cols: usize) -> bool {
        let mut outputs = piece.slots[self.inputs..].iter();
        cols >= LONG_ROW || outputs.any(|slot| matches!(slot, Slot::Scattered(_)))
    }

    /// The elements of a segment, from the first on, that can be opened at once, in `rows` rows.
    fn first_part(&self, piece: &Frame<'_>, segment: Segment, rows: usize) -> Segment {
        let (inputs, outputs) = piece.slots.split_at(self.inputs);
        let cut = (self.cut)(inputs, &segment, rows);
        let results = outputs.iter().map(|slot| slot.cut_to_write(&segment));
        let cut = results.fold(cut, usize::min);
        let segment = segment.until(cut);
        assert!(!segment.range().is_empty(), "segments have elements");
        segment
    }

    /// How many rows are computed at once: whole ones, of which the segment is the first.
    fn rows_at_once(&self, piece: &Frame<'_>, segment: &Segment, end: usize) -> usize {
        let (range, cols) = (segment.range(), segment.row_elems());
        if range.len() < cols {
            return 1;
        }
        let fit = BAND_BYTES / (cols * self.result_bytes).max(1);
        let strips = self.goes_in_strips(piece, cols);
        let least = if strips { STRIP_ROWS } else { MOST_ROWS };
        let most = ((end - range.start) / cols).min(fit.max(least));
        if most < 2 {
            return 1;
        }
        let (inputs, outputs) = piece.slots.split_at(self.inputs);
        let most = (self.rows)(inputs, segment, most);
        outputs
            .iter()
            .fold(most, |most, slot| slot.rows_to_write(segment, most))
    }
}
