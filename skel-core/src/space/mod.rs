//! Index geometry: shapes, index spaces, layouts, neighbourhoods, sets of indices. It is pure arithmetic, and
//! uses no other module.
//!
//! | type | what it says |
//! |---|---|
//! | [`Shape`] | the extents of a container or call |
//! | [`IndexSpace`] | what a call says of all its elements: shape, folded axis, random stream |
//! | [`Segment`], [`SegmentSpace`] | neighbouring elements, by rows where that matters |
//! | [`Layout`], [`CoalescedLayout`], [`Run`] | where the elements of an operand lie: an offset and strides |
//! | [`Lines`] | the lines of a container along a dimension |
//! | [`Along`], [`IndexBox`] | folds of rows and columns; boxes of indices |
//! | [`Neighbourhood`], [`Reach`], [`WindowSpecialisation`], [`EdgeKind`] | windows and pools, and their halos |
//! | [`SweepOrder`], [`SweepBox`] | which elements a sweep computes before which, and what they see |
//! | [`IntervalSet`] | sets of indices, as ranges |
//!
//! Elements are counted in row-major order everywhere. Arrays of extents have [`MAX_RANK`] entries, the last
//! of which is the innermost; dimensions that are not there have extent 1.

mod along;
mod grid;
mod index;
mod interval;
mod layout;
mod lines;
mod neighbourhood;
mod progress;
mod segment;
mod shape;
mod stream;
mod sweep;

pub use along::{Along, Axis, IndexBox};
pub(crate) use grid::Grid;
pub use index::IndexSpace;
pub use interval::IntervalSet;
pub use layout::{CoalescedLayout, Layout, RowRuns, Run};
pub use lines::Lines;
pub use neighbourhood::{EdgeKind, Neighbourhood, Reach, WindowSpecialisation};
pub use progress::SweepProgress;
pub use segment::{Segment, SegmentSpace};
pub use shape::{MAX_RANK, Shape};
pub use stream::Stream;
pub use sweep::{ROWS_AT_ONCE, SweepBox, SweepOrder};
