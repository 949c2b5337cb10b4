//! Parts of containers, read in place: ranges, strided, rows, columns, planes, blocks, reversed, transposed.
//! Nothing is copied.

mod methods;
mod of;
mod read;
mod spread;
mod write;

pub use read::{MatrixPart, Tensor3Part, Tensor4Part, VectorPart};
pub use spread::{Across, Down, across, down};
pub use write::{MatrixPartMut, Tensor3PartMut, Tensor4PartMut, VectorPartMut};
