//! Threads that take several elements at once, so that enough loads are on their way.
//!
//! A multiprocessor waits for memory unless some 32 KiB are on their way to it; one element of four bytes per
//! thread is a quarter of that.

use super::kernel::Builder;
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

/// Elements that a thread takes at once, at most.
const MOST_BATCH: usize = 8;

/// Operations of an element, at most, for which memory is what one waits for.
const LIGHT: u32 = 100;

/// How many elements a thread takes at once, usually: 1 where that gains nothing, for computing is what takes long, or
/// elements are large.
#[must_use]
pub fn batch(kernel: &Kernel) -> u32 {
    let light = matches!(kernel.weight, Weight::Operations(n) if n <= LIGHT);
    let read = kernel
        .arguments
        .iter()
        .filter(|argument| matches!(argument.role, Role::In | Role::InOut));
    let bytes: usize = read.map(|argument| argument.ty.size_bytes()).sum();
    if !light || bytes == 0 {
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
