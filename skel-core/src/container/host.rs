//! Host memory: allocation and the views that users get.

mod slice;

use crate::{
    Element, Error, Result,
    host_memory::{self, pool},
    space::Shape,
};
use std::ops::Range;

/// Room for `len` elements in an ordinary `Vec` of length 0, not initialised: recycled, if there is
/// some that fits, or new, of huge pages where it is large.
pub(super) fn allocate<T: Element>(len: usize) -> Result<Vec<T>> {
    let needed_bytes = len.saturating_mul(size_of::<T>());
    let pooled = needed_bytes >= pool::MIN_BLOCK_BYTES;
    if let Some(room) = pooled.then(|| pool::pool().take(len)).flatten() {
        return Ok(room);
    }
    let mut room = host_memory::vec(len)?;
    if pooled {
        pool::advise(room.spare_capacity_mut());
    }
    Ok(room)
}

/// The number of elements of a container of this shape, for a method that is given it by its caller.
pub(super) fn countable(shape: Shape, method: &'static str) -> Result<usize> {
    shape.checked_len().ok_or_else(|| Error::TooLarge {
        instance: method.into(),
        shape,
    })
}

/// `len` elements, made one after the other.
pub(crate) fn made<T: Element>(len: usize, elements: impl Iterator<Item = T>) -> Result<Vec<T>> {
    let mut made = allocate(len)?;
    made.extend(elements.take(len));
    Ok(made)
}

/// For constructors that cannot fail otherwise.
#[track_caller]
pub(crate) fn expect<C>(made: Result<C>) -> C {
    made.unwrap_or_else(|error| panic!("{error}"))
}

/// The container that had this memory is gone.
pub(super) fn recycle<T: Copy>(room: Vec<T>) {
    if room.capacity().saturating_mul(size_of::<T>()) >= pool::MIN_BLOCK_BYTES {
        // Freed here, after the lock.
        let excess = pool::pool().give(room);
        drop(excess);
    }
}

/// The elements of row `row`.
fn row_range(row: usize, cols: usize, elems: usize) -> Range<usize> {
    let start = row
        .checked_mul(cols)
        .filter(|start| *start < elems || cols == 0);
    let Some(start) = start else {
        panic!(
            "row {row} of a matrix of {} rows",
            elems.checked_div(cols).unwrap_or(0)
        );
    };
    start..start + cols
}

macro_rules! view {
    ($(#[$doc:meta])* $name:ident $slice:ty) => {
        $(#[$doc])*
        pub struct $name<'a, T> {
            pub(super) elements: $slice,
            pub(super) cols: usize,
        }
    };
}

view! {
    /// All elements of a container on the host: a slice in row-major order, with rows.
    ///
    /// It is compared and printed like the slice, and taken wherever one is: by functions (`&v.host()?`
    /// is a `&[T]`), by `for`, and as an argument of a skeleton.
    ///
    /// ```
    /// use skel::prelude::*;
    ///
    /// fn mean(x: &[f32]) -> f32 {
    ///     x.iter().sum::<f32>() / x.len() as f32
    /// }
    ///
    /// let v = Vector::from([1.0_f32, 2.0, 6.0]);
    /// let seen = v.host()?;
    /// assert_eq!(seen, [1.0, 2.0, 6.0]);
    /// assert_eq!(format!("{seen:?}"), "[1.0, 2.0, 6.0]");
    /// assert_eq!(mean(&seen), 3.0);
    /// assert_eq!(map!(|x: f32| 2.0 * x).run((&seen,))?.host()?, vec![2.0, 4.0, 12.0]);
    /// # skel::Result::Ok(())
    /// ```
    HostRef &'a [T]
}
view! {
    /// All elements of a container on the host, to change: a slice in row-major order, with rows.
    HostMut &'a mut [T]
}

impl<'a, T: Element> HostRef<'a, T> {
    /// The slice, for as long as the container is borrowed.
    #[must_use]
    pub fn as_slice(&self) -> &'a [T] {
        self.elements
    }

    /// Row `row` of a matrix; a vector is one row.
    ///
    /// # Panics
    /// If there is no such row.
    #[must_use]
    pub fn row(&self, row: usize) -> &'a [T] {
        &self.elements[row_range(row, self.cols, self.elements.len())]
    }

    /// The rows, from the first to the last.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &'a [T]> + use<'a, T> {
        self.elements.chunks_exact(self.cols.max(1))
    }
}

impl<T: Element> HostMut<'_, T> {
    /// Row `row` of a matrix; a vector is one row.
    ///
    /// ```
    /// use skel::prelude::*;
    ///
    /// let mut x = Matrix::from_vec(2, 3, vec![1, 2, 3, 4, 5, 6])?;
    /// let mut host = x.host_mut()?;
    /// host.row_mut(1)[0] = 40;
    /// host.rows_mut().for_each(|row| row.reverse());
    /// drop(host);
    /// assert_eq!(x.host()?[..], [3, 2, 1, 6, 5, 40]);
    /// # skel::Result::Ok(())
    /// ```
    ///
    /// # Panics
    /// If there is no such row.
    #[must_use]
    pub fn row_mut(&mut self, row: usize) -> &mut [T] {
        let range = row_range(row, self.cols, self.elements.len());
        &mut self.elements[range]
    }

    /// The rows, from the first to the last.
    pub fn rows_mut(&mut self) -> impl ExactSizeIterator<Item = &mut [T]> {
        self.elements.chunks_exact_mut(self.cols.max(1))
    }
}
