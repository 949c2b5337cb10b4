//! Threads that take several elements at once, so that enough loads are on their way.
//!
//! A multiprocessor waits for memory unless some 32 KiB are on their way to it; one element of four bytes per
//! thread is a quarter of that.

use super::{kernel::Builder, vectors, windows};
use crate::codegen::template;
use skel_core::{
    ir::Weight,
    plan::{Kernel, Role},
};

const EACH: &str = include_str!("../templates/cuda/each.cu");
const BATCHES: &str = include_str!("../templates/cuda/batches.cu");

/// Bytes that a thread asks for before it waits for any: with as many threads as a multiprocessor holds,
/// enough on their way to keep its memory busy.
const AHEAD_BYTES: usize = 32;

/// The same of a fold by lanes in vectors. Four of 16 bytes are as fast as eight, on an H100.
const FOLD_AHEAD_BYTES: usize = 64;

/// Elements that a thread takes at once, at most.
const MOST_BATCH: usize = 8;

/// Operations of an element, at most, for which memory is what one waits for.
const LIGHT: u32 = 100;

/// Vectors that a thread takes at once, at most.
const MOST_VECTORS: u32 = 4;

/// Elements below each other that a thread takes at once, usually.
const MOST_ROWS: u32 = 4;

/// Operations that all elements of a thread may come to, so that its code stays short.
const UNROLLED: u32 = 1000;

/// Whether memory is what one waits for.
pub(super) fn is_light(kernel: &Kernel) -> bool {
    operations(kernel) <= LIGHT
}

fn operations(kernel: &Kernel) -> u32 {
    match kernel.weight {
        Weight::Operations(n) => n,
        _ => u32::MAX,
    }
}

/// Bytes of arguments that an element reads.
pub(super) fn read_bytes(kernel: &Kernel) -> usize {
    let read = kernel
        .arguments
        .iter()
        .filter(|argument| matches!(argument.role, Role::In | Role::InOut));
    read.map(|argument| argument.ty.size_bytes()).sum()
}

/// How many elements a thread of an elementwise kernel takes at once, usually.
#[must_use]
pub fn batch(kernel: &Kernel, vectors: bool) -> u32 {
    match vectors::width(kernel).filter(|_| vectors) {
        None if windows::takes_rows(kernel) => rows(kernel),
        None => single(kernel),
        Some(width) => {
            let bytes = read_bytes(kernel) * width as usize;
            let ahead = AHEAD_BYTES.checked_div(bytes).unwrap_or(1) as u32;
            let short = UNROLLED / (operations(kernel).max(1) * width);
            width << ahead.min(short).clamp(1, MOST_VECTORS).ilog2()
        }
    }
}

/// How many elements below each other a thread takes that sees what is around them. Its code has the function once for
/// each, and once more where that is beyond an edge.
fn rows(kernel: &Kernel) -> u32 {
    let short = UNROLLED / operations(kernel).max(1).saturating_mul(2);
    1 << short.clamp(1, MOST_ROWS).ilog2()
}

/// How many vectors of `width` elements a thread of a fold takes at once, as far apart as lanes are: at most the eight
/// that a whole tile has for it.
#[must_use]
pub(super) fn rows_of_vectors(kernel: &Kernel, width: u32) -> u32 {
    let bytes = read_bytes(kernel) * width as usize;
    let ahead = FOLD_AHEAD_BYTES.checked_div(bytes).unwrap_or(1) as u32;
    let short = UNROLLED / (operations(kernel).max(1).saturating_mul(width));
    1 << ahead.min(short).clamp(1, MOST_BATCH as u32).ilog2()
}

/// What else may be tried.
#[must_use]
pub fn batches(kernel: &Kernel, vectors: bool) -> [u32; 4] {
    match vectors::width(kernel).filter(|_| vectors) {
        Some(width) if width > 1 => [1, width, 2 * width, 4 * width],
        _ => [1, 2, 4, 8],
    }
}

/// How many elements a thread takes at once, one by one: 1 where that gains nothing, for computing is what takes long,
/// or elements are large.
#[must_use]
pub(super) fn single(kernel: &Kernel) -> u32 {
    let bytes = read_bytes(kernel);
    if !is_light(kernel) || bytes == 0 {
        return 1;
    }
    let most = (AHEAD_BYTES / bytes).clamp(1, MOST_BATCH);
    // The power of two that is not larger.
    1 << most.ilog2()
}

impl Builder<'_> {
    /// Adds the loop over a thread's elements, of which each does what `element` says: one by one, or in
    /// batches.
    pub(super) fn each(&self, element: &str, values: &mut Vec<(&'static str, String)>) {
        values.push(("batch", self.batch.to_string()));
        values.push(("body", template::fill(element, values)));
        let each = if self.batch > 1 { BATCHES } else { EACH };
        values.push(("each", template::fill(each, values)));
    }
}
