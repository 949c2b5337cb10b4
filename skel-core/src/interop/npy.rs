//! Files in NumPy's format: what `numpy.save` writes and `numpy.load` reads.
//!
//! ```
//! use skel::{npy, prelude::*};
//!
//! # let path = std::env::temp_dir().join(format!("skel-doc-{}.npy", std::process::id()));
//! let table = Matrix::from_fn(2, 3, |i, j| (10 * i + j) as f32);
//! npy::save(&path, &table)?;
//! let again: Matrix<f32> = npy::load(&path)?;
//! assert_eq!(again.host()?[..], [0.0, 1.0, 2.0, 10.0, 11.0, 12.0]);
//! assert!(npy::load::<Matrix<f64>>(&path).is_err()); // never converted behind your back
//! # std::fs::remove_file(&path).unwrap();
//! # skel::Result::Ok(())
//! ```

mod header;

pub use crate::error::NpyProblem as Problem;

use crate::{
    Element, Error, Result,
    container::{Matrix, Tensor3, Tensor4, Vector},
    host_memory,
    space::{MAX_RANK, Shape},
};
use ndarray::{ArrayViewD, IxDyn, ShapeBuilder};
use ndarray_npy::{
    ReadDataError, ReadableElement, WritableElement, WriteNpyError, WriteNpyExt,
    npy::header::{Header, Layout, ReadHeaderError},
};
use std::{
    fs::File,
    io::{self, BufReader, BufWriter, Read, Seek, Write},
    path::Path,
    sync::Arc,
};

type Attempt<T> = std::result::Result<T, Problem>;

/// A type of elements that NumPy has.
pub trait NpyElement: Element + ReadableElement + WritableElement {}

impl<T: Element + ReadableElement + WritableElement> NpyElement for T {}

mod sealed {
    pub trait Sealed {}
}

/// A container that a file can hold: `Vector`, `Matrix`, `Tensor3` or `Tensor4`.
pub trait NpyContainer: sealed::Sealed + Sized {
    /// The elements.
    #[doc(hidden)]
    type Element: NpyElement;
    /// The number of dimensions.
    #[doc(hidden)]
    const RANK: usize;
    #[doc(hidden)]
    fn from_elements(shape: Shape, elements: Vec<Self::Element>) -> Self;
    #[doc(hidden)]
    fn to_host(&self) -> Result<(Shape, &[Self::Element])>;
}

macro_rules! containers {
    ($($name:ident $rank:literal |$shape:ident, $elements:ident| $make:expr;)*) => { $(
        impl<T: NpyElement> sealed::Sealed for $name<T> {}

        impl<T: NpyElement> NpyContainer for $name<T> {
            type Element = T;
            const RANK: usize = $rank;

            fn from_elements($shape: Shape, $elements: Vec<T>) -> Self {
                $make
            }

            fn to_host(&self) -> Result<(Shape, &[T])> {
                Ok((self.shape(), self.host()?.as_slice()))
            }
        }
    )* };
}
containers! {
    Vector 1 |_shape, elements| elements.into();
    Matrix 2 |shape, elements| Matrix::of(shape.extents()[2], shape.extents()[3], elements);
    Tensor3 3 |shape, elements| Tensor3::of(shape, elements);
    Tensor4 4 |shape, elements| Tensor4::of(shape, elements);
}

/// Reads a file, which must hold exactly such a container: this element type, in any byte order, and
/// this number of dimensions, in row-major or column-major order.
///
/// # Errors
/// [`Error::Npy`]; [`Error::OutOfMemory`].
pub fn load<C: NpyContainer>(path: impl AsRef<Path>) -> Result<C> {
    let path = path.as_ref();
    let failed = |problem| failed(path, problem);
    let (mut file, header, shape) = open::<C>(path).map_err(failed)?;
    let mut elements = host_memory::vec(shape.len())?;
    read(&mut file, &header, shape.len(), &mut elements).map_err(failed)?;
    if header.layout == Layout::Fortran {
        let columns = ArrayViewD::from_shape(IxDyn(&header.shape).f(), &elements)
            .map_err(|error| failed(Problem::Format(error.to_string())))?;
        elements = host_memory::collect(columns.iter().copied())?;
    }
    Ok(C::from_elements(shape, elements))
}

/// Writes a file, or overwrites it.
///
/// # Errors
/// Those of `host`; [`Error::Npy`].
pub fn save<C: NpyContainer>(path: impl AsRef<Path>, container: &C) -> Result<()> {
    let (path, (shape, elements)) = (path.as_ref(), container.to_host()?);
    write(path, shape, elements).map_err(|problem| failed(path, problem))
}

fn failed(path: &Path, problem: Problem) -> Error {
    Error::Npy {
        file: path.display().to_string(),
        problem,
    }
}

/// The file, at its elements, and what they are: there are as many as it says.
fn open<C: NpyContainer>(path: &Path) -> Attempt<(BufReader<File>, Header, Shape)> {
    let file = File::open(path)?;
    let len_bytes = file.metadata()?.len();
    let mut file = BufReader::new(file);
    let header = header::read(&mut file, len_bytes)?;
    if header.shape.len() != C::RANK {
        return Err(Problem::Rank {
            found: header.shape,
            expected: C::RANK,
        });
    }
    let mut extents = [1; MAX_RANK];
    extents[MAX_RANK - C::RANK..].copy_from_slice(&header.shape);
    let shape = Shape::of_rank(C::RANK, extents);
    // Before anything is allocated: the header may say what it likes.
    let elem_bytes = size_of::<C::Element>();
    let needed_bytes = shape
        .checked_len()
        .and_then(|len| len.checked_mul(elem_bytes));
    let expected_bytes = needed_bytes.map_or(u64::MAX, |bytes| bytes as u64);
    let found_bytes = len_bytes.saturating_sub(file.stream_position()?);
    if expected_bytes > found_bytes {
        return Err(Problem::Truncated {
            found_bytes,
            expected_bytes,
        });
    }
    Ok((file, header, shape))
}

/// Elements that are read at once: the reader takes memory for them that it does not ask for.
const READ_BYTES: usize = 4 << 10;

/// Reads all of the file's elements, which are `left`, into `to`, where there is room for them.
fn read<T: NpyElement>(
    file: &mut BufReader<File>,
    header: &Header,
    mut left: usize,
    to: &mut Vec<T>,
) -> Attempt<()> {
    let most = (READ_BYTES / size_of::<T>()).max(1);
    while left > most {
        let part = file.take((most * size_of::<T>()) as u64);
        let part = T::read_to_end_exact_vec(part, &header.type_descriptor, most);
        to.extend_from_slice(&part.map_err(problem_of_data::<T>)?);
        left -= most;
    }
    // Nothing may follow the last of them.
    let part = T::read_to_end_exact_vec(file, &header.type_descriptor, left);
    to.extend_from_slice(&part.map_err(problem_of_data::<T>)?);
    Ok(())
}

fn write<T: NpyElement>(path: &Path, shape: Shape, elements: &[T]) -> Attempt<()> {
    let extents = &shape.extents()[MAX_RANK - shape.rank()..];
    let array = ArrayViewD::from_shape(IxDyn(extents), elements)
        .map_err(|error| Problem::Format(error.to_string()))?;
    let mut file = BufWriter::new(File::create(path)?);
    array.write_npy(&mut file)?;
    Ok(file.flush()?)
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Problem::Io(Arc::new(error))
    }
}

impl From<ReadHeaderError> for Problem {
    fn from(error: ReadHeaderError) -> Self {
        match error {
            ReadHeaderError::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Problem::Format("its header is not complete".into())
            }
            ReadHeaderError::Io(error) => error.into(),
            ReadHeaderError::Parse(error) => Problem::Format(error.to_string()),
        }
    }
}

impl From<WriteNpyError> for Problem {
    fn from(error: WriteNpyError) -> Self {
        match error {
            WriteNpyError::Io(error) => error.into(),
            other => Problem::Format(other.to_string()),
        }
    }
}

fn problem_of_data<T: NpyElement>(error: ReadDataError) -> Problem {
    match error {
        ReadDataError::Io(error) => error.into(),
        ReadDataError::WrongDescriptor(found) => Problem::ElementType {
            found: found.to_string(),
            expected: T::type_descriptor().to_string(),
        },
        other => Problem::Format(other.to_string()),
    }
}
