//! What is wrong with a file in NumPy's format.

use std::{io, sync::Arc};

/// What is wrong with a file in NumPy's format.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NpyProblem {
    /// It could not be opened, read or written.
    #[error("{0}")]
    Io(Arc<io::Error>),
    /// It is none, or damaged.
    #[error("not a file of NumPy's format: {0}")]
    Format(String),
    /// Its elements are of another type; they are not converted.
    #[error("its elements are {found}, but `{expected}` is needed")]
    ElementType {
        /// The file's description of the type, as NumPy writes it.
        found: String,
        /// The container's type, as NumPy writes it.
        expected: String,
    },
    /// Its array has another number of dimensions.
    #[error("its shape is {found:?}, but {expected} dimensions are needed")]
    Rank {
        /// The file's shape.
        found: Vec<usize>,
        /// The container's number of dimensions.
        expected: usize,
    },
    /// There are fewer bytes than the shape says.
    #[error("{found_bytes} bytes of elements, where its shape says {expected_bytes}")]
    Truncated {
        /// What is there.
        found_bytes: u64,
        /// What the shape says; `u64::MAX` if that is too large a number.
        expected_bytes: u64,
    },
}
