//! Elements by rectangles: of parts with gaps, and of those that see neighbourhoods, inside of the containers.
//!
//! To begin with a segment takes as long as some hundred elements of a stencil. So the rows of a piece whose
//! neighbourhoods lie inside are computed as one rectangle, for which all is looked up and checked once, and what is left
//! at both ends of its rows as segments of their own. Rows of parts are computed so where they are, and rows of functions
//! that ask for their row and column, since their segments are rows; those that may read whole containers down their
//! columns, in strips.

use super::elementwise::{Loop, in_blocks};
use crate::{
    frame::{Frame, LONG_ROW, Slot},
    isa,
    param::{Outputs, ParamList, Position},
    plan::Role,
    space::Segment,
    user_function::UserFunction,
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

/// Whether elements that know their row may read a container anywhere.
const fn reads_anywhere<F, P>() -> bool
where
    P: ParamList,
    F: UserFunction<P>,
{
    let mut k = 0;
    while k < P::ROLES.len() {
        if matches!(P::ROLES[k], Role::View) {
            return F::At::BY_ROWS && P::NEAR.is_none();
        }
        k += 1;
    }
    false
}

/// Whether rows of `cols` elements are computed in strips.
fn goes_in_strips(piece: &Frame<'_>, cols: usize) -> bool {
    piece.slots.iter().any(|slot| match slot {
        Slot::Whole(view, shape) => {
            let row_bytes = shape.row_elems() * view.layout().size_bytes();
            let conflicts = row_bytes > 0 && row_bytes.is_multiple_of(CONFLICT_BYTES);
            cols > MANY_LINES || conflicts && cols > FEW_LINES
        }
        _ => false,
    })
}

/// Computes elements `range` of a piece; some of them `again` where that is faster.
pub(super) fn run<F, P>(piece: &mut Frame<'_>, range: Range<usize>, again: bool)
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
{
    let (end, space) = (range.end, piece.arguments_space());
    let mut segment = Segment::new(&range, true, space);
    while !segment.range().is_empty() {
        let rows = rows_at_once::<F, P>(piece, &segment, end);
        if rows > 1 {
            let behind = segment.spanning(rows).range().end;
            band::<F, P>(piece, segment, rows, again);
            segment = Segment::new(&(behind..end), true, space);
            continue;
        }
        segment = first_part::<F, P>(piece, segment, 1);
        let next = segment.next(end);
        isa::dispatch(Loop::<F, P>::of_rows(piece, &segment, 1, again));
        segment = next;
    }
}

/// Computes several whole rows, the first of which is `row`.
fn band<F, P>(piece: &mut Frame<'_>, row: Segment, rows: usize, again: bool)
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
{
    let (end, mut rest) = (row.range().end, row);
    let strips = const { reads_anywhere::<F, P>() } && goes_in_strips(piece, rest.range().len());
    if const { P::NEAR.is_none() } && !strips && have_gaps(piece, P::LEN, rest.row_elems()) {
        let parts = in_blocks::<F, P>(rest.range().len(), again);
        let is_cut = first_part::<F, P>(piece, rest.clone(), rows).range().end < end;
        if !parts[1].is_empty() && !is_cut {
            for part in parts {
                let until = rest.range().start + part.end;
                let columns = rest.clone().after(part.start).until(until);
                isa::dispatch(Loop::<F, P>::of_rows(piece, &columns, rows, again));
            }
            return;
        }
    }
    // Where elements see several planes, and rows are not in the first cache, a column at the left edge is computed after
    // what lies beside it: by itself, it would wait for a cache line of each row of each plane. (Of one plane, long rows
    // are in no cache any more by then.)
    let planes = const { matches!(P::NEAR, Some(form) if form.reach.rank > 2) };
    let bytes = (rows * rest.range().len()).saturating_mul(size_of::<F::Output>());
    let (mut edge, mut is_turn) = (None, !planes || bytes < FIRST_CACHE_BYTES);
    while !rest.range().is_empty() || edge.is_some() {
        let segment = match edge.take_if(|_| is_turn || rest.range().is_empty()) {
            Some(edge) => edge,
            None => {
                let mut segment = first_part::<F, P>(piece, rest, rows);
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
        isa::dispatch(Loop::<F, P>::of_rows(piece, &segment, rows, again));
    }
}

/// Whether rows of `cols` elements cannot all be computed as one: results have gaps, or rows are too long for what is read
/// with gaps to be gathered.
fn have_gaps(piece: &Frame<'_>, inputs: usize, cols: usize) -> bool {
    let mut outputs = piece.slots[inputs..].iter();
    cols >= LONG_ROW || outputs.any(|slot| matches!(slot, Slot::Scattered(_)))
}

/// The elements of a segment, from the first on, that can be opened at once, in `rows` rows.
fn first_part<F, P>(piece: &Frame<'_>, segment: Segment, rows: usize) -> Segment
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
{
    let (inputs, outputs) = piece.slots.split_at(P::LEN);
    let cut = P::cut(inputs, &segment, rows).min(F::Output::cut(outputs, &segment));
    let segment = segment.until(cut);
    assert!(!segment.range().is_empty(), "segments have elements");
    segment
}

/// How many rows are computed at once: whole ones, of which the segment is the first.
#[inline]
fn rows_at_once<F, P>(piece: &Frame<'_>, segment: &Segment, end: usize) -> usize
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
{
    let (range, cols) = (segment.range(), segment.row_elems());
    if range.len() < cols {
        return 1;
    }
    let fit = BAND_BYTES / (cols * size_of::<F::Output>()).max(1);
    let strips = const { reads_anywhere::<F, P>() } && goes_in_strips(piece, cols);
    let least = if strips { STRIP_ROWS } else { MOST_ROWS };
    let most = ((end - range.start) / cols).min(fit.max(least));
    if most < 2 {
        return 1;
    }
    let (inputs, outputs) = piece.slots.split_at(P::LEN);
    F::Output::rows(outputs, segment, P::rows(inputs, segment, most))
}
