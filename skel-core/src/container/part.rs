//! Parts of containers, read in place: ranges, strided, rows, columns, planes, blocks, reversed, transposed.
//! Nothing is copied.

mod grid;
mod methods;
mod of;
mod read;
mod spread;
mod write;

pub use read::{MatrixPart, Tensor3Part, Tensor4Part, VectorPart};
pub use spread::{Across, Down, across, down};
pub use write::{MatrixPartMut, Tensor3PartMut, Tensor4PartMut, VectorPartMut};

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
