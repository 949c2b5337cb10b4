//! What a segment at an edge sees, copied, with the edges made.
#![allow(unsafe_code, reason = "reads elements that were all written before")]

use super::{neighbourhood::NeighbourhoodKind, place::Place};
use crate::{
    Element,
    frame::{NeighbourhoodView, SparseView},
    space::{MAX_RANK, Neighbourhood},
};
use std::mem::MaybeUninit;

/// The dimension along which rows follow each other.
const DOWN: usize = MAX_RANK - 2;

/// At an edge along the last dimension, what an element sees of a row is no more than so much, mostly.
const FEW: usize = 16;

/// A copy of what a segment sees, in the slot's scratch memory.
pub(super) struct WindowCopy<T> {
    /// The first neighbourhood's element at offset 0.
    pub(super) origin: *const T,
    /// Elements from one place to the next, along each dimension.
    pub(super) pitches: [usize; MAX_RANK],
    /// Elements from one neighbourhood to the next.
    pub(super) step: usize,
    /// Elements from the first neighbourhood of a row to that of the row below.
    pub(super) row_step: usize,
}

/// Copies what `len` neighbourhoods from `place` on see, and those below them, in as many rows: those of one plane, which
/// are alike if all lie inside of the container along all dimensions but the last.
#[inline(never)]
pub(super) fn gather<K: NeighbourhoodKind>(
    near: &mut NeighbourhoodView<'_>,
    place: &Place,
    len: usize,
    (rows_of_windows, are_alike): (usize, bool),
) -> WindowCopy<K::Elem> {
    let NeighbourhoodView {
        view,
        near,
        pad,
        scratch,
        rows: held,
        ..
    } = near;
    *held = None;
    let (reach, last) = (const { &K::REACH }, MAX_RANK - 1);
    let pad = pad.map(|pad| pad.slice::<K::Elem>(pad.window())[0]);
    // Places that all rows see along a dimension.
    let below = (rows_of_windows - 1).saturating_mul(near.stride[DOWN]);
    let span = |d: usize| match d {
        DOWN => reach.span(d).saturating_add(below),
        _ => reach.span(d),
    };
    // Rows of the copy: along the last dimension, or what lies inside of it.
    let (along, step) = (place.along, place.step(near));
    let row_len = if along {
        let steps = (len - 1).checked_mul(step);
        let row_len = steps.and_then(|steps| steps.checked_add(reach.span(last)));
        row_len.expect("a copy larger than any memory")
    } else {
        len
    };
    // The other dimensions; loops over them have constant bounds.
    let first_dim = MAX_RANK - reach.rank;
    let across = |d: usize| !(along && d == last);
    let rows: usize = (first_dim..MAX_RANK)
        .filter(|d| across(*d))
        .map(span)
        .fold(1, usize::saturating_mul);
    let room = scratch.room::<K::Elem>(rows.saturating_mul(row_len));
    let begin = place.at[last] as isize - reach.before[last] as isize;
    // Where the elements of short rows come from is found once for all rows.
    let container = place.base..place.base + place.pitches[first_dim] * near.extents[first_dim];
    let are_few = along && row_len <= FEW && view.contain(&container);
    let columns = are_few.then(|| {
        let mut columns = [None; FEW];
        for (at, column) in (begin..).zip(&mut columns[..row_len]) {
            *column = resolve(near, last, at);
        }
        (columns, view.slice::<K::Elem>(container))
    });
    // Where the first of alike rows comes from, the others follow.
    let at_once = if rows_of_windows > 1 && are_alike {
        span(DOWN)
    } else {
        1
    };
    // The row's offsets along the other dimensions, counted from 0.
    let mut offsets = [0; MAX_RANK];
    for copies in room.chunks_exact_mut(at_once * row_len) {
        let mut element = Some(place.base);
        for d in (first_dim..MAX_RANK).rev() {
            if across(d) {
                let at = (place.at[d] + offsets[d]) as isize - reach.before[d] as isize;
                let at = resolve(near, d, at);
                element = element.zip(at).map(|(sum, at)| sum + at * place.pitches[d]);
            }
        }
        for d in (first_dim..MAX_RANK).rev() {
            if across(d) {
                offsets[d] += if d == DOWN { at_once } else { 1 };
                if offsets[d] < span(d) {
                    break;
                }
                offsets[d] = 0;
            }
        }
        match (element, &columns) {
            (None, _) => fill(copies, pad),
            (Some(from), Some((columns, elements))) => {
                let elements = &elements[from - place.base..];
                copy_columns(
                    copies,
                    elements,
                    place.pitches[DOWN],
                    &columns[..row_len],
                    pad,
                );
            }
            (Some(from), None) => {
                for (row, to) in copies.chunks_exact_mut(row_len).enumerate() {
                    let from = from + row * place.pitches[DOWN];
                    match along {
                        true => copy_along(to, near, view, from, begin, pad),
                        false => copy(to, view.slice(from..from + len)),
                    }
                }
            }
        }
    }
    let (mut pitches, mut pitch, mut origin) = ([0; MAX_RANK], row_len, 0);
    if along {
        pitches[last] = 1;
        origin = reach.before[last];
    }
    for d in (first_dim..MAX_RANK).rev() {
        if across(d) {
            pitches[d] = pitch;
            origin += reach.before[d] * pitch;
            pitch *= span(d);
        }
    }
    // From the beginning of the copy, since windows reach there.
    let origin = room.as_ptr().wrapping_add(origin).cast();
    WindowCopy {
        origin,
        pitches,
        step,
        row_step: near.stride[DOWN] * pitches[DOWN],
    }
}

/// Rows of the copy that lie below each other, of few `columns`: one column after the other, so that what a column is
/// is asked once. `elements` begin with the first row's, and the next row's are `pitch` behind.
#[inline(always)]
fn copy_columns<T: Element>(
    copies: &mut [MaybeUninit<T>],
    elements: &[T],
    pitch: usize,
    columns: &[Option<usize>],
    pad: Option<T>,
) {
    for (k, column) in columns.iter().enumerate() {
        let copies = copies.chunks_exact_mut(columns.len());
        match column {
            Some(at) => {
                for (row, to) in copies.enumerate() {
                    to[k].write(elements[row * pitch + at]);
                }
            }
            None => copies.for_each(|to| fill(&mut to[k..=k], pad)),
        }
    }
}

/// [`EdgeKind::resolve`](crate::space::EdgeKind::resolve), which is a call, where there is something to
/// resolve.
#[inline(always)]
pub(super) fn resolve(near: &Neighbourhood, d: usize, at: isize) -> Option<usize> {
    match usize::try_from(at) {
        Ok(at) if at < near.extents[d] => Some(at),
        _ => near.edge.resolve(at, near.extents[d]),
    }
}

/// A row of the copy along the last dimension, whose place `first` comes first. `from` is the element
/// at place 0.
#[inline(always)]
pub(super) fn copy_along<T: Element>(
    row: &mut [MaybeUninit<T>],
    near: &Neighbourhood,
    view: &SparseView<'_>,
    from: usize,
    first: isize,
    pad: Option<T>,
) {
    let extent = near.extents[MAX_RANK - 1];
    let all = from..from + extent;
    if !view.contain(&all) {
        // Of a piece that begins or ends within this row, only what it sees is there.
        for (place, to) in (first..).zip(row) {
            let at = resolve(near, MAX_RANK - 1, place);
            let value = at.map(|at| view.slice::<T>(from + at..from + at + 1)[0]);
            fill(std::slice::from_mut(to), value.or(pad));
        }
        return;
    }
    let elements = view.slice::<T>(all);
    // What lies before the container, in it, and behind it.
    let before = row.len().min(usize::try_from(-first).unwrap_or(0));
    let inside = usize::try_from(first).unwrap_or(0).min(extent);
    let (left, rest) = row.split_at_mut(before);
    let (middle, right) = rest.split_at_mut(rest.len().min(extent - inside));
    let behind = first + (before + middle.len()) as isize;
    copy(middle, &elements[inside..]);
    for (edge, first) in [(left, first), (right, behind)] {
        for (place, to) in (first..).zip(edge) {
            let at = near.edge.resolve(place, extent);
            fill(std::slice::from_mut(to), at.map(|at| elements[at]).or(pad));
        }
    }
}

#[inline(always)]
fn copy<T: Element>(to: &mut [MaybeUninit<T>], from: &[T]) {
    to.write_copy_of_slice(&from[..to.len()]);
}

#[inline(always)]
pub(super) fn fill<T: Element>(to: &mut [MaybeUninit<T>], value: Option<T>) {
    let Some(value) = value else {
        unreachable!("a padded edge has a value")
    };
    for to in to {
        to.write(value);
    }
}
