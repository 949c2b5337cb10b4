//! A launch as chunks: what one dispatch can bind and count.

use super::{limits::Limits, memory::Array};
use crate::{
    codegen::wgsl::{is_aggregate, stored_bytes},
    device::{Launch, LaunchArg},
};
use skel_core::space::Layout;
use std::{num::NonZeroU64, ops::Range};
use wgpu::BufferBinding;

/// A chunk's elements, at most: positions in it are `u32`, with room for the last group.
const MOST_ELEMS: usize = 1 << 30;

/// The launch's elements, cut where an argument changes buffers, where a binding would be too large,
/// and where the most work-groups that there can be end, with `most` elements in all.
pub(super) fn chunks(
    limits: &Limits,
    launch: &Launch<'_, Array>,
    most: usize,
) -> Vec<Range<usize>> {
    // Any number of elements is a multiple of one.
    chunks_of(limits, launch, most, 1).unwrap_or_default()
}

/// The same, all of them but the last one of a multiple of `unit` elements; none if an argument changes buffers within
/// that many.
pub(super) fn chunks_of(
    limits: &Limits,
    launch: &Launch<'_, Array>,
    most: usize,
    unit: usize,
) -> Option<Vec<Range<usize>>> {
    let mut chunks = Vec::new();
    let mut start = launch.range.start;
    while start < launch.range.end {
        let mut end = launch
            .range
            .end
            .min(start.saturating_add(most.min(MOST_ELEMS)));
        for (k, arg) in launch.args.iter().enumerate() {
            end = match (array(arg), launch.layout(k)) {
                (Some(array), Some(layout)) => {
                    reach_strided(limits, launch, array, layout, start..end)
                }
                (Some(array), None) => {
                    let offset = launch.offsets.get(k).copied().unwrap_or(0);
                    end.min(reach(limits, array, start + offset) - offset)
                }
                (None, _) => end,
            };
        }
        if end < launch.range.end {
            end -= (end - start) % unit;
            if end == start {
                return None;
            }
        }
        chunks.push(start..end);
        start = end;
    }
    Some(chunks)
}

/// How far one binding of `array` reaches that begins at or before element `start`.
fn reach(limits: &Limits, array: &Array, start: usize) -> usize {
    let (_, at_bytes, end) = array.locate(start);
    let size = stored_bytes(&array.ty);
    let before_bytes = at_bytes % limits.storage_alignment;
    let fit = limits.binding_bytes.saturating_sub(before_bytes) / size;
    end.min(start.saturating_add(usize::try_from(fit).unwrap_or(usize::MAX).max(1)))
}

/// As far towards the end of `chunk` as one binding of `array` holds all that is needed of it; one element
/// at least.
fn reach_strided(
    limits: &Limits,
    launch: &Launch<'_, Array>,
    array: &Array,
    layout: &Layout,
    chunk: Range<usize>,
) -> usize {
    let mut end = chunk.end;
    while end - chunk.start > 1 {
        let needed = layout.needed(
            &(chunk.start..end),
            launch.space.arguments(),
            launch.space.along(),
        );
        if needed.is_empty() || reach(limits, array, needed.start) >= needed.end {
            break;
        }
        end = chunk.start + (end - chunk.start) / 2;
    }
    end
}

/// What to bind of argument `k` for `chunk`, if it is an array, and where in that its first element lies:
/// as [`binding`]; of strided ones, that of index 0, modulo 2^32.
pub(super) fn bound<'a>(
    limits: &Limits,
    launch: &'a Launch<'_, Array>,
    k: usize,
    chunk: &Range<usize>,
) -> Option<(BufferBinding<'a>, u32)> {
    let array = array(launch.args.get(k)?)?;
    match launch.layout(k) {
        Some(layout) => {
            let needed = layout.needed(chunk, launch.space.arguments(), launch.space.along());
            let (bound, before) = binding(limits, array, &needed);
            let unit = if is_aggregate(&array.ty) {
                stored_bytes(&array.ty) / 4
            } else {
                1
            };
            let first = (layout.offset as u64).wrapping_sub(needed.start as u64);
            Some((bound, before.wrapping_add(first.wrapping_mul(unit) as u32)))
        }
        None => {
            let offset = launch.offsets.get(k).copied().unwrap_or(0);
            let places = chunk.start + offset..chunk.end + offset;
            Some(binding(limits, array, &places))
        }
    }
}

/// What to bind of `array` for `chunk`, and where in that the chunk begins: at which element, or, of
/// structs and arrays, at which word.
fn binding<'a>(
    limits: &Limits,
    array: &'a Array,
    chunk: &Range<usize>,
) -> (BufferBinding<'a>, u32) {
    let (buffer, at_bytes, _) = array.locate(chunk.start);
    let size = stored_bytes(&array.ty);
    let before_bytes = at_bytes % limits.storage_alignment;
    let len_bytes = before_bytes + chunk.len() as u64 * size;
    let binding = BufferBinding {
        buffer,
        offset: at_bytes - before_bytes,
        size: NonZeroU64::new(len_bytes),
    };
    let unit = if is_aggregate(&array.ty) { 4 } else { size };
    // Below the alignment, which is a `u32`.
    (binding, u32::try_from(before_bytes / unit).unwrap_or(0))
}

/// What to bind of a container that is read at random: all of it.
pub(super) fn whole(array: &Array) -> BufferBinding<'_> {
    let (buffer, ..) = array.locate(array.window.start);
    BufferBinding {
        buffer,
        offset: 0,
        // Not what the buffer has beyond that.
        size: NonZeroU64::new(array.bound_bytes()),
    }
}

/// The array of an argument that is read or written element by element.
fn array<'a>(arg: &'a LaunchArg<'_, Array>) -> Option<&'a Array> {
    match arg {
        LaunchArg::In(array) | LaunchArg::Strided(array, _) => Some(array),
        LaunchArg::InOut(array) | LaunchArg::Out(array) | LaunchArg::StridedMut(array, _) => {
            Some(array)
        }
        LaunchArg::Uniform(_)
        | LaunchArg::View(..)
        | LaunchArg::Lines(..)
        | LaunchArg::LinesMut(..)
        | LaunchArg::Sweep(..)
        | LaunchArg::Window(..) => None,
    }
}
