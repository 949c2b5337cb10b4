//! Parts of containers, read where they lie: ranges, every so many elements, rows, columns, blocks,
//! backwards, transposed. Nothing is copied.

mod matrix;
mod matrix_mut;
mod spread;
mod vector;
mod vector_mut;

pub use matrix::MatrixPart;
pub use matrix_mut::MatrixPartMut;
pub use spread::{Across, Down, across, down};
pub use vector::VectorPart;
pub use vector_mut::VectorPartMut;

use std::ops::{Bound, Range, RangeBounds};

/// The indices of `0..len` that a range means.
///
/// # Panics
/// If it does not lie in `0..len`.
#[track_caller]
fn within(range: &impl RangeBounds<usize>, len: usize) -> Range<usize> {
    let start = match range.start_bound() {
        Bound::Included(start) => *start,
        Bound::Excluded(before) => before.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(last) => last.saturating_add(1),
        Bound::Excluded(end) => *end,
        Bound::Unbounded => len,
    };
    assert!(
        start <= end && end <= len,
        "the range {start}..{end} does not lie in 0..{len}"
    );
    start..end
}

/// The place `steps` strides from `offset` on. Of parts without elements, any place will do.
fn place(offset: usize, steps: usize, stride: isize) -> usize {
    offset.wrapping_add_signed((steps as isize).wrapping_mul(stride))
}
