//! Parts of containers, read where they lie: ranges, every so many elements, rows, columns, planes, blocks,
//! backwards, transposed. Nothing is copied.

mod methods;
mod of;
mod read;
mod spread;
mod write;

pub use read::{MatrixPart, Tensor3Part, Tensor4Part, VectorPart};
pub use spread::{Across, Down, across, down};
pub use write::{MatrixPartMut, Tensor3PartMut, Tensor4PartMut, VectorPartMut};
