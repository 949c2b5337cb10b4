//! Whole rows, copied with their edges, several at once.
//!
//! At either edge of rows a segment of its own begins, which takes as long as some hundred elements do. Where rows are
//! short, they are copied as a whole, into the slot's scratch memory: a row of the copy serves all neighbourhoods that see
//! it, and rows that were copied together are computed as one rectangle. Short rows of tensors are copied by planes.

use super::{
    gather::{WindowCopy, copy_along, fill, resolve},
    neighbourhood::NeighbourhoodKind,
    place::Place,
};
use crate::{
    Element,
    frame::{NeighbourhoodView, RowsHeld},
    space::{MAX_RANK, Neighbourhood, Reach, Segment},
};
use std::{any::TypeId, mem::MaybeUninit, ops::Range};

const LAST: usize = MAX_RANK - 1;
/// The dimension along which rows follow each other, ...
const DOWN: usize = MAX_RANK - 2;
/// ... and that along which planes do.
const ABOVE: usize = MAX_RANK - 3;

/// What a block of rows may take: it shall stay in the first cache, beside what is written.
const BLOCK_BYTES: usize = 24 << 10;

/// The same of planes, of which each is copied as often as there are blocks that see it: in the second.
const PLANES_BYTES: usize = 96 << 10;

/// More rows save little, at an edge above or below, and a piece that ends within a block has copied the rest for nothing.
const MOST_ROWS: usize = 16;

/// What a segment at either edge costs, in bytes that could be copied meanwhile: to begin with it, and for
/// each row of what it sees.
const SEGMENT_BYTES: usize = 768;
const SEGMENT_ROW_BYTES: usize = 192;

/// What it costs to copy a row, beside its bytes.
const ROW_BYTES: usize = 300;

/// What edges on the left and right of rows cost that are opened at once, ...
const EDGES_BYTES: usize = 16_000;

/// ... and each place in a row that is seen there, for itself and for each row that sees it.
const EDGE_BYTES: usize = 40;
const EDGE_ROW_BYTES: usize = 10;

/// What rows are copied at once.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Block {
    /// Rows of neighbourhoods, from the place's on.
    rows: usize,
    /// So many planes of them, where all rows of a plane are copied.
    planes: usize,
    /// So many of the rows are opened at once.
    pub(super) at_once: usize,
}

impl Block {
    /// What is copied for rows of `len` neighbourhoods, from `place` on; nothing if they are no whole rows, or if it takes
    /// longer than segments at their edges. A piece that has so many whole rows has all that is copied for those.
    #[inline(always)]
    pub(super) fn at(
        place: &Place,
        near: &Neighbourhood,
        reach: &Reach,
        elem_bytes: usize,
        len: usize,
    ) -> Option<Block> {
        let whole = reach.rank > 1
            && place.along
            && len == near.positions[LAST]
            && near.stride[LAST] == 1
            && near.stride[DOWN] == 1
            // Without edges there is nothing to copy, ...
            && (near.shift[LAST] < reach.before[LAST] || sees_behind(near, reach, 1))
            // ... and a row that does not see all columns may have been fetched without them.
            && near.shift[LAST] <= reach.before[LAST]
            && sees_behind(near, reach, 0);
        if !whole {
            return None;
        }
        let row_bytes = (len - 1 + reach.span(LAST)) * elem_bytes;
        let left = near.positions[DOWN] - (place.at[DOWN] - near.shift[DOWN]);
        let all = Block::of_all(near, reach, row_bytes);
        if let Some(all) = all {
            let rows = all.rows.min(left);
            let planes = match left == near.positions[DOWN] {
                true => near.positions[ABOVE].saturating_sub(place.at[ABOVE] - near.shift[ABOVE]),
                false => 1,
            };
            return Some(Block {
                rows,
                planes: all.planes.min(planes.max(1)),
                at_once: rows,
            });
        }
        Block::at_edges(place, near, reach, row_bytes, left)
    }

    /// What is copied of all rows, if that takes less time than segments at their left and right edges.
    #[inline(always)]
    fn of_all(near: &Neighbourhood, reach: &Reach, row_bytes: usize) -> Option<Block> {
        let (rows, seen) = (near.positions[DOWN], reach.span(DOWN));
        let columns = 2 * planes_seen(reach) * reach.span(LAST);
        let edges_bytes = rows
            .saturating_mul(columns)
            .saturating_mul(EDGE_BYTES + seen * EDGE_ROW_BYTES)
            .saturating_add(EDGES_BYTES);
        // Each is copied once at least: mostly, no more is to be found out.
        if copy_bytes(rows, row_bytes) >= edges_bytes {
            return None;
        }
        // A small plane as a whole: nothing has to be divided.
        let rows_seen = rows + seen - 1;
        if reach.rank == 2 && rows > 1 && rows_seen.saturating_mul(row_bytes) <= BLOCK_BYTES {
            let pays = copy_bytes(rows_seen, row_bytes) < edges_bytes;
            return pays.then_some(Block {
                rows,
                planes: 1,
                at_once: rows,
            });
        }
        Block::fitting(near, reach, row_bytes, edges_bytes)
    }

    /// What the caches have room for, if it pays to copy so many rows for each plane.
    #[inline(never)]
    fn fitting(
        near: &Neighbourhood,
        reach: &Reach,
        row_bytes: usize,
        edges_bytes: usize,
    ) -> Option<Block> {
        let (rows, seen) = (near.positions[DOWN], reach.span(DOWN));
        let planes = match reach.rank {
            3 if near.stride[ABOVE] == 1 => {
                let plane_bytes = (rows + seen - 1).saturating_mul(row_bytes);
                let room = PLANES_BYTES / plane_bytes.max(1);
                (room + 1)
                    .saturating_sub(reach.span(ABOVE))
                    .min(near.positions[ABOVE])
            }
            _ => 0,
        };
        let (rows, planes, copied) = match planes {
            0 => {
                let room = BLOCK_BYTES / planes_seen(reach).saturating_mul(row_bytes).max(1);
                let block = (room + 1).saturating_sub(seen).min(rows);
                let blocks = rows.div_ceil(block.max(1));
                let copied = rows + blocks.saturating_mul(seen - 1);
                (block, 1, planes_seen(reach).saturating_mul(copied))
            }
            // A plane is copied again for each block that sees it.
            _ => {
                let copied = (rows + seen - 1) * (planes + reach.span(ABOVE) - 1);
                (rows, planes, copied / planes)
            }
        };
        let pays = rows > 1 && copy_bytes(copied, row_bytes) < edges_bytes;
        pays.then_some(Block {
            rows,
            planes,
            at_once: rows,
        })
    }

    /// What is copied at an edge above or below, or of a plane at an edge, where each row is a segment of its own.
    #[inline(always)]
    fn at_edges(
        place: &Place,
        near: &Neighbourhood,
        reach: &Reach,
        row_bytes: usize,
        left: usize,
    ) -> Option<Block> {
        let (seen, span) = (planes_seen(reach), reach.span(DOWN));
        let room = BLOCK_BYTES / (seen * row_bytes).max(1);
        let rows = (room + 1).saturating_sub(span).min(MOST_ROWS);
        let pays = rows > 1
            && seen * (rows + span - 1) * row_bytes
                < rows * 2 * (SEGMENT_BYTES + seen * span * SEGMENT_ROW_BYTES);
        if !pays {
            return None;
        }
        let first = MAX_RANK - reach.rank;
        let others_inside = (first..DOWN).all(|d| place.is_inside_of(near, reach, d));
        let rows = match others_inside && place.at[DOWN] < reach.before[DOWN] {
            true => rows.min(reach.before[DOWN] - place.at[DOWN]),
            false => rows,
        };
        let rows = rows.min(left);
        // Several that see no edge are opened with segments at their edges.
        let are_inside = others_inside && place.is_inside_of(near, reach, DOWN);
        Some(Block {
            rows,
            planes: 1,
            at_once: if are_inside { 1 } else { rows },
        })
    }

    /// No more than so many rows of it, of which there is one at least.
    #[inline(always)]
    fn until(self, rows: usize, near: &Neighbourhood) -> Block {
        let rows = rows.max(1);
        let planes = rows / near.positions[DOWN];
        Block {
            rows: self.rows.min(rows),
            planes: self.planes.min(planes).max(1),
            ..self
        }
    }
}

/// What it costs to copy so many rows, in bytes.
#[inline(always)]
fn copy_bytes(rows: usize, row_bytes: usize) -> usize {
    rows.saturating_mul(ROW_BYTES + row_bytes)
}

/// Whether the last neighbourhood of a row sees so many places behind the last column.
#[inline(always)]
fn sees_behind(near: &Neighbourhood, reach: &Reach, places: usize) -> bool {
    near.shift[LAST] + near.positions[LAST] + reach.after[LAST] >= near.extents[LAST] + places
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
    let room = BLOCK_BYTES / planes_seen(reach).saturating_mul(row_bytes).max(1);
    (room.saturating_sub(reach.span(DOWN)) / near.stride[DOWN].max(1)).max(1)
}

/// Planes that a neighbourhood sees.
#[inline(always)]
fn planes_seen(reach: &Reach) -> usize {
    (MAX_RANK - reach.rank..DOWN)
        .map(|d| reach.span(d))
        .product()
}

/// What the neighbourhoods of a segment see, and those below it, in so many rows, in a block of rows; nothing if they are
/// no whole rows, or fewer rows are copied.
#[inline(always)]
pub(super) fn whole_rows<K: NeighbourhoodKind>(
    near: &mut NeighbourhoodView<'_>,
    place: &Place,
    segment: &Segment,
    rows: usize,
) -> Option<WindowCopy<K::Elem>> {
    let Range { start, end } = segment.range();
    let len = end - start;
    let reach = const { &K::REACH };
    let row_len = (len - 1).saturating_add(reach.span(LAST));
    let block = Block::at(place, &near.near, reach, size_of::<K::Elem>(), len)?;
    if rows > block.at_once {
        return None;
    }
    let first_dim = const { MAX_RANK - K::REACH.rank };
    let is_held = |held: &RowsHeld| {
        held.kind == TypeId::of::<K>()
            && held.row_len == row_len
            && held.base == place.base
            && (first_dim..ABOVE.max(first_dim)).all(|d| held.at[d] == place.at[d])
            && (held.at[ABOVE]..held.at[ABOVE] + held.planes).contains(&place.at[ABOVE])
            && held.at[DOWN] <= place.at[DOWN]
            && place.at[DOWN] + rows <= held.at[DOWN] + held.rows
    };
    let held = match near.rows {
        Some(held) if is_held(&held) => held,
        _ => {
            let block = block.until(near.end.saturating_sub(start) / len, &near.near);
            copy_rows::<K>(near, place, len, block).filter(is_held)?
        }
    };
    let mut pitches = [0; MAX_RANK];
    (pitches[LAST], pitches[DOWN]) = (1, row_len);
    let mut origin =
        reach.before[LAST] + (place.at[DOWN] - held.at[DOWN] + reach.before[DOWN]) * row_len;
    let mut pitch = held.plane;
    for d in (first_dim..DOWN).rev() {
        pitches[d] = pitch;
        origin += (place.at[d] - held.at[d] + reach.before[d]) * pitch;
        pitch *= match d {
            ABOVE => held.planes_seen,
            _ => reach.span(d),
        };
    }
    let room = near.scratch.room::<K::Elem>(pitch);
    Some(WindowCopy {
        // From the beginning of the block, since windows reach there.
        origin: room.as_ptr().wrapping_add(origin).cast(),
        pitches,
        step: 1,
        row_step: row_len,
    })
}

/// Copies a block, whose first row of neighbourhoods begins at `place`; less of it where the piece ends.
#[inline(never)]
fn copy_rows<K: NeighbourhoodKind>(
    near: &mut NeighbourhoodView<'_>,
    place: &Place,
    len: usize,
    block: Block,
) -> Option<RowsHeld> {
    let NeighbourhoodView {
        view,
        near,
        pad,
        scratch,
        rows: held,
        ..
    } = near;
    *held = None;
    let (reach, first_dim) = (const { &K::REACH }, const { MAX_RANK - K::REACH.rank });
    let pad = pad.map(|pad| pad.slice::<K::Elem>(pad.window())[0]);
    let row_len = len - 1 + reach.span(LAST);
    let Block {
        mut rows,
        mut planes,
        ..
    } = block;
    let rows_seen = rows + reach.span(DOWN) - 1;
    let plane = rows_seen * row_len;
    // Places that are seen along the other dimensions.
    let planes_seen = reach.span(ABOVE) + planes - 1;
    let seen = |d: usize| match d {
        ABOVE => planes_seen,
        _ => reach.span(d),
    };
    let all_planes: usize = (first_dim..DOWN).map(&seen).product();
    let room = scratch.room::<K::Elem>(all_planes * plane);
    let begin = place.at[LAST] as isize - reach.before[LAST] as isize;
    // What is there of the container around these rows, mostly all that they see, is asked for once.
    let columns = Columns::of(near, begin, row_len);
    let there = match columns {
        Some(_) => view.around(place.row()),
        None => 0..0,
    };
    let elements = view.slice::<K::Elem>(there.clone());
    let mut offsets = [0; MAX_RANK];
    for copies in room.chunks_exact_mut(plane) {
        if offsets[ABOVE] >= reach.span(ABOVE) + planes - 1 {
            break;
        }
        let mut element = Some(place.base);
        for (d, offset) in offsets.iter().enumerate().take(DOWN).skip(first_dim) {
            let at = (place.at[d] + offset) as isize - reach.before[d] as isize;
            let at = resolve(near, d, at);
            element = element.zip(at).map(|(sum, at)| sum + at * place.pitches[d]);
        }
        let (mut rest, pitch) = (copies, place.pitches[DOWN]);
        let mut next = place.at[DOWN] as isize - reach.before[DOWN] as isize;
        while !rest.is_empty() {
            let at = next;
            let from = element.and_then(|sum| Some(sum + resolve(near, DOWN, at)? * pitch));
            if let (Some(columns), Some(from)) = (&columns, from)
                && there.start <= from
                && from + near.extents[LAST] <= there.end
            {
                // Rows that follow each other in the container go together.
                let following = match usize::try_from(at) {
                    Ok(at) => near.extents[DOWN].saturating_sub(at).max(1),
                    Err(_) => 1,
                };
                let there_are = (there.end - from - near.extents[LAST]) / pitch + 1;
                let together = following.min(there_are).min(rest.len() / row_len);
                let to = rest.split_off_mut(..together * row_len);
                let to = to.expect("no more rows than there are");
                columns.copy(to, &elements[from - there.start..], (row_len, pitch), pad);
                next += together as isize;
                continue;
            }
            let to = rest.split_off_mut(..row_len).expect("a row is left");
            next += 1;
            let Some(from) = from else {
                fill(to, pad);
                continue;
            };
            if !view.contain(&(from..from + near.extents[LAST])) {
                // Where the piece ends there are no more rows, of the first plane or of a further one.
                planes = (offsets[ABOVE] + 1).saturating_sub(reach.span(ABOVE));
                if planes == 0 {
                    let missing = rest.len() / row_len + 1;
                    rows = rows.min((rows_seen - missing + 1).saturating_sub(reach.span(DOWN)));
                    planes = 1;
                }
                break;
            }
            copy_along(to, near, view, from, begin, pad);
        }
        for d in (first_dim..DOWN).rev() {
            offsets[d] += 1;
            if offsets[d] < seen(d) {
                break;
            }
            offsets[d] = 0;
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
        planes,
        plane,
        planes_seen,
    });
    *held
}

/// At either edge of a row, as many columns are found once for all rows.
const FEW: usize = 8;

/// Where what a row sees beside its columns comes from, if it sees all of them and few places beside: that is the same for
/// all rows.
struct Columns {
    /// How many columns there are.
    extent: usize,
    /// How many places lie to the left of them.
    left: usize,
    /// The places beside them, in a copied row, and the columns whose elements these have.
    beside: [(usize, usize); 2 * FEW],
    /// How many places that are.
    count: usize,
    /// Whether they have none of the elements, but what pads the edge.
    are_padded: bool,
}

impl Columns {
    /// Those that rows see which begin with this place; nothing if they do not see all columns, or there are none, or many
    /// places beside them.
    #[inline(always)]
    fn of(near: &Neighbourhood, first: isize, row_len: usize) -> Option<Columns> {
        let extent = near.extents[LAST];
        let left = usize::try_from(-first).ok()?;
        let right = row_len.checked_sub(left + extent)?;
        if extent == 0 || left > FEW || right > FEW {
            return None;
        }
        let mut columns = Columns {
            extent,
            left,
            beside: [(0, 0); 2 * FEW],
            count: left + right,
            are_padded: false,
        };
        let places = (0..left).chain(left + extent..row_len);
        for (place, beside) in places.zip(&mut columns.beside) {
            let column = resolve(near, LAST, first + place as isize);
            columns.are_padded |= column.is_none();
            *beside = (place, column.unwrap_or(0));
        }
        Some(columns)
    }

    /// Copies rows of `row_len` places: what is there of them, `pitch` elements apart, and what pads their edges.
    #[inline(always)]
    fn copy<T: Element>(
        &self,
        to: &mut [MaybeUninit<T>],
        elements: &[T],
        (row_len, pitch): (usize, usize),
        pad: Option<T>,
    ) {
        // All of them, or a row would be left as it was.
        let rows = to.len() / row_len;
        let elements = &elements[..(rows - 1) * pitch + self.extent];
        let columns = self.left..self.left + self.extent;
        for (to, from) in to.chunks_exact_mut(row_len).zip(elements.chunks(pitch)) {
            to[columns.clone()].write_copy_of_slice(&from[..self.extent]);
        }
        for (place, column) in &self.beside[..self.count] {
            for (to, from) in to.chunks_exact_mut(row_len).zip(elements.chunks(pitch)) {
                match self.are_padded {
                    false => _ = to[*place].write(from[*column]),
                    true => fill(&mut to[*place..=*place], pad),
                }
            }
        }
    }
}
