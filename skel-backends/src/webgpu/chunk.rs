//! A launch as chunks: what one dispatch can bind and count.

use super::{limits::Limits, memory::Array};
use crate::{
    codegen::wgsl::{is_aggregate, stored_bytes},
    device::{Launch, LaunchArg},
};
use std::{num::NonZeroU64, ops::Range};
use wgpu::BufferBinding;

/// A chunk's elements, at most: positions in it are `u32`, with room for the last group.
const MOST_ELEMS: usize = 1 << 30;

/// The launch's elements, cut where an argument changes buffers, where a binding would be too large,
/// and where `groups` work-groups (in all) of one element per lane end.
pub(super) fn chunks(
    limits: &Limits,
    launch: &Launch<'_, Array>,
    most: usize,
) -> Vec<Range<usize>> {
    let mut chunks = Vec::new();
    let mut start = launch.range.start;
    while start < launch.range.end {
        let mut end = launch
            .range
            .end
            .min(start.saturating_add(most.min(MOST_ELEMS)));
        for array in launch.args.iter().filter_map(array) {
            end = end.min(reach(limits, array, start));
        }
        chunks.push(start..end);
        start = end;
    }
    chunks
}

/// How far one binding of `array` reaches that begins at or before element `start`.
fn reach(limits: &Limits, array: &Array, start: usize) -> usize {
    let (_, at_bytes, end) = array.locate(start);
    let size = stored_bytes(&array.ty);
    let before_bytes = at_bytes % limits.storage_alignment;
    let fit = limits.binding_bytes.saturating_sub(before_bytes) / size;
    end.min(start.saturating_add(usize::try_from(fit).unwrap_or(usize::MAX).max(1)))
}

/// What to bind of `array` for `chunk`, and where in that the chunk begins: at which element, or, of
/// structs and arrays, at which word.
pub(super) fn binding<'a>(
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
        size: None,
    }
}

/// The array of an argument that is read or written element by element.
pub(super) fn array<'a>(arg: &'a LaunchArg<'_, Array>) -> Option<&'a Array> {
    match arg {
        LaunchArg::In(array) => Some(array),
        LaunchArg::InOut(array) | LaunchArg::Out(array) => Some(array),
        LaunchArg::Uniform(_) | LaunchArg::View(..) | LaunchArg::Window(..) => None,
    }
}
