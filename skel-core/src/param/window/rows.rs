//! Whole rows, copied with their edges, several at once.
//!
//! Rows of a few hundred elements pay more for a segment at either edge than for being copied as a whole,
//! if a row that was copied serves all neighbourhoods that see it. So a block of rows is copied into the
//! slot's scratch memory, and every row of elements is one segment.

use super::{
    gather::{WindowCopy, copy_along, fill, resolve},
    neighbourhood::NeighbourhoodKind,
    place::Place,
};
use crate::{
    frame::{NeighbourhoodView, RowsHeld},
    space::{MAX_RANK, Neighbourhood, Reach},
};
use std::any::TypeId;

/// The dimension along which rows follow each other.
const DOWN: usize = MAX_RANK - 2;
const LAST: usize = MAX_RANK - 1;

/// What a block may take: it shall stay in the first cache, beside what is written.
const BLOCK_BYTES: usize = 24 << 10;

/// More rows save little, and a piece that ends within a block has copied the rest for nothing.
const MOST_ROWS: usize = 16;

/// What a segment at either edge costs, in bytes that could be copied meanwhile: to begin with it, and for
/// each row of what it sees.
const SEGMENT_BYTES: usize = 768;
const SEGMENT_ROW_BYTES: usize = 192;

/// Rows of elements whose neighbourhoods are copied at once.
#[inline(always)]
fn block_rows(reach: &Reach, row_bytes: usize) -> usize {
    let room = BLOCK_BYTES / (planes(reach) * row_bytes).max(1);
    (room + 1).saturating_sub(reach.span(DOWN)).min(MOST_ROWS)
}

/// Rows of `len` neighbourhoods that are copied at once, at an edge of a rectangle.
#[inline(always)]
pub(super) fn most_rows(
    reach: &Reach,
    near: &Neighbourhood,
    elem_bytes: usize,
    len: usize,
) -> usize {
    let row_elems = (len - 1)
        .saturating_mul(near.stride[LAST])
        .saturating_add(reach.span(LAST));
    let row_bytes = row_elems.saturating_mul(elem_bytes);
    let room = BLOCK_BYTES / planes(reach).saturating_mul(row_bytes).max(1);
    (room.saturating_sub(reach.span(DOWN)) / near.stride[DOWN].max(1)).max(1)
}

/// Rows that a row of neighbourhoods sees at each place along [`DOWN`].
#[inline(always)]
fn planes(reach: &Reach) -> usize {
    (MAX_RANK - reach.rank..DOWN)
        .map(|d| reach.span(d))
        .product()
}

/// Whether `len` neighbourhoods are a whole row that is copied in less time than segments at its edges
/// take.
#[inline(always)]
pub(super) fn pay(
    place: &Place,
    near: &Neighbourhood,
    reach: &Reach,
    elem_bytes: usize,
    len: usize,
) -> bool {
    let whole = reach.rank > 1
        && place.along
        && len == near.positions[LAST]
        && near.stride[LAST] == 1
        && near.stride[DOWN] == 1
        // Without edges there is nothing to copy.
        && (near.shift[LAST] < reach.before[LAST] || near.positions[LAST] + reach.after[LAST] > near.extents[LAST] - near.shift[LAST]);
    if !whole {
        return false;
    }
    let row_bytes = (len - 1 + reach.span(LAST)) * elem_bytes;
    let rows = block_rows(reach, row_bytes);
    let span = reach.span(DOWN);
    rows > 1
        && planes(reach) * (rows + span - 1) * row_bytes
            < rows * 2 * (SEGMENT_BYTES + planes(reach) * span * SEGMENT_ROW_BYTES)
}

/// What `len` neighbourhoods from `place` on see, in a block of rows; nothing if they are no whole row, or
/// their rows are not all there.
#[inline(always)]
pub(super) fn whole_rows<K: NeighbourhoodKind>(
    near: &mut NeighbourhoodView<'_>,
    place: &Place,
    len: usize,
) -> Option<WindowCopy<K::Elem>> {
    let reach = const { &K::REACH };
    let row_len = (len - 1).saturating_add(reach.span(LAST));
    let is_held = |held: &RowsHeld| {
        held.kind == TypeId::of::<K>()
            && held.row_len == row_len
            && held.base == place.base
            && (MAX_RANK - reach.rank..DOWN).all(|d| held.at[d] == place.at[d])
            && (held.at[DOWN]..held.at[DOWN] + held.rows).contains(&place.at[DOWN])
    };
    if !pay(place, &near.near, reach, size_of::<K::Elem>(), len) {
        return None;
    }
    let held = match near.rows {
        Some(held) if is_held(&held) => held,
        _ => copy_rows::<K>(near, place, len)?,
    };
    let mut pitches = [0; MAX_RANK];
    (pitches[LAST], pitches[DOWN]) = (1, row_len);
    let mut origin =
        reach.before[LAST] + (place.at[DOWN] - held.at[DOWN] + reach.before[DOWN]) * row_len;
    let mut pitch = held.plane;
    for d in (MAX_RANK - reach.rank..DOWN).rev() {
        pitches[d] = pitch;
        origin += reach.before[d] * pitch;
        pitch *= reach.span(d);
    }
    let room = near.scratch.room::<K::Elem>(planes(reach) * held.plane);
    Some(WindowCopy {
        // From the beginning of the block, since windows reach there.
        origin: room.as_ptr().wrapping_add(origin).cast(),
        pitches,
        step: 1,
        row_step: row_len,
    })
}

/// Copies a block, whose first row of neighbourhoods begins at `place`.
#[inline(never)]
fn copy_rows<K: NeighbourhoodKind>(
    near: &mut NeighbourhoodView<'_>,
    place: &Place,
    len: usize,
) -> Option<RowsHeld> {
    let NeighbourhoodView {
        parts,
        near,
        pad,
        scratch,
        rows: held,
    } = near;
    *held = None;
    let (reach, first_dim) = (const { &K::REACH }, const { MAX_RANK - K::REACH.rank });
    let pad = pad.map(|pad| pad.slice::<K::Elem>(pad.window())[0]);
    let row_len = len - 1 + reach.span(LAST);
    let span = reach.span(DOWN);
    let position = place.at[DOWN] - near.shift[DOWN];
    let mut rows = block_rows(reach, row_len * size_of::<K::Elem>())
        .min(near.positions[DOWN].saturating_sub(position));
    // Below an edge, rows are opened as a rectangle, unless other dimensions have edges there.
    let others_inside = (first_dim..DOWN).all(|d| place.is_inside_of(near, reach, d));
    if others_inside && place.at[DOWN] < reach.before[DOWN] {
        rows = rows.min(reach.before[DOWN] - place.at[DOWN]);
    }
    let plane = (rows + span - 1) * row_len;
    let room = scratch.room::<K::Elem>(planes(reach) * plane);
    let begin = place.at[LAST] as isize - reach.before[LAST] as isize;
    'rows: for row in 0..rows + span - 1 {
        let mut offsets = [0; MAX_RANK];
        offsets[DOWN] = row;
        for p in 0..planes(reach) {
            let to = &mut room[p * plane + row * row_len..][..row_len];
            let mut element = Some(place.base);
            for (d, offset) in offsets.iter().enumerate().take(LAST).skip(first_dim) {
                let at = (place.at[d] + offset) as isize - reach.before[d] as isize;
                element = element
                    .zip(resolve(near, d, at))
                    .map(|(sum, at)| sum + at * place.pitches[d]);
            }
            match element {
                None => fill(to, pad),
                Some(from) => {
                    if !parts.contain(&(from..from + near.extents[LAST])) {
                        // Where the piece ends there are no more rows.
                        rows = (row + 1).saturating_sub(span);
                        break 'rows;
                    }
                    copy_along(to, near, parts, from, begin, pad);
                }
            }
            for d in (first_dim..DOWN).rev() {
                offsets[d] += 1;
                if offsets[d] < reach.span(d) {
                    break;
                }
                offsets[d] = 0;
            }
        }
    }
    if rows == 0 {
        return None;
    }
    *held = Some(RowsHeld {
        kind: TypeId::of::<K>(),
        row_len,
        base: place.base,
        at: place.at,
        rows,
        plane,
    });
    *held
}
