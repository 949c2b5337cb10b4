//! Vectors.

#![allow(unsafe_code, reason = "`host_mut` vouches for what it lends")]

use super::{Buffer, BufferMut, Container, HostMut, HostRef, Shape};
use crate::{Element, Result, unit::NodeId};
use std::{fmt, marker::PhantomData, ops::Range};

/// Elements in a row, on the host and on devices.
///
/// ```
/// use skel::prelude::*;
///
/// let double = map!(|x: f32| 2.0 * x);
/// let x = Vector::from(vec![1.0, 2.0, 3.0]);
/// let y = double.run((&x,))?;
/// assert_eq!(y.host()?[..], [2.0, 4.0, 6.0]);
/// # skel::Result::Ok(())
/// ```
pub struct Vector<T> {
    buffer: Buffer,
    _elements: PhantomData<T>,
}

impl<T: Element> Vector<T> {
    /// `n` times `value`.
    #[must_use]
    pub fn filled(n: usize, value: T) -> Self {
        vec![value; n].into()
    }

    /// Element `i` is `f(i)`.
    #[must_use]
    pub fn from_fn(n: usize, f: impl FnMut(usize) -> T) -> Self {
        (0..n).map(f).collect::<Vec<T>>().into()
    }

    /// A copy of the elements, in row-major order.
    ///
    /// # Errors
    /// As `host`.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        Ok(self.host()?.to_vec())
    }

    /// The elements as a `Vec`. Nothing is copied but what the host lacks.
    ///
    /// # Errors
    /// As [`Vector::host`]; the vector is gone then. Call `host` first to keep it.
    pub fn into_vec(self) -> Result<Vec<T>> {
        self.buffer.into_vec()
    }

    /// The shape.
    #[must_use]
    pub fn shape(&self) -> Shape {
        Shape::D1(self.len())
    }

    /// All elements on the host, in row-major order: downloads what the host lacks, and only that.
    ///
    /// # Errors
    /// Those of the calls that wrote the elements, if they surface now, and of the device.
    pub fn host(&self) -> Result<HostRef<'_, T>> {
        let all = 0..self.buffer.len();
        let elements = self.buffer.host_view(all.clone())?.slice(all);
        Ok(HostRef {
            elements,
            cols: self.shape().row_elems(),
        })
    }

    /// Elements `r` on the host: downloads what the host lacks of them, and only that.
    ///
    /// # Errors
    /// As [`Vector::host`].
    ///
    /// # Panics
    /// If `r` exceeds the length.
    pub fn host_range(&self, r: Range<usize>) -> Result<&[T]> {
        Ok(self.buffer.host_view(r.clone())?.slice(r))
    }

    /// All elements on the host, to change; they are valid nowhere else afterwards.
    ///
    /// # Errors
    /// As [`Vector::host`].
    pub fn host_mut(&mut self) -> Result<HostMut<'_, T>> {
        let (all, cols) = (0..self.buffer.len(), self.shape().row_elems());
        let mut target = BufferMut::new(&mut self.buffer);
        let view = target.lend_mut(all.clone())?;
        // SAFETY: all elements were valid when they were lent for reading and writing, so they are
        // initialised.
        unsafe { target.wrote(NodeId::HOST, all) };
        Ok(HostMut {
            elements: view.into_slice(),
            cols,
        })
    }

    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.buffer.len()
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.buffer.is_empty()
    }

    /// The type-erased part, which knows where the elements are.
    #[must_use]
    pub fn buffer(&self) -> &Buffer {
        &self.buffer
    }
}

impl<T: Element> From<Vec<T>> for Vector<T> {
    /// Takes the memory over; nothing is copied.
    fn from(elements: Vec<T>) -> Self {
        Vector {
            buffer: Buffer::from_vec(elements),
            _elements: PhantomData,
        }
    }
}

impl<T: Element, const N: usize> From<[T; N]> for Vector<T> {
    fn from(elements: [T; N]) -> Self {
        Vec::from(elements).into()
    }
}

impl<T: Element> From<&[T]> for Vector<T> {
    /// Copies the elements.
    fn from(elements: &[T]) -> Self {
        elements.to_vec().into()
    }
}

impl<T: Element> FromIterator<T> for Vector<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        elements.into_iter().collect::<Vec<T>>().into()
    }
}

impl<T: Element> Container<T> for Vector<T> {
    fn unwritten(shape: Shape) -> Result<Self> {
        let buffer = Buffer::unwritten::<T>(shape.len())?;
        Ok(Vector {
            buffer,
            _elements: PhantomData,
        })
    }

    fn target(&mut self) -> BufferMut<'_> {
        BufferMut::new(&mut self.buffer)
    }
}

impl<T: Element> fmt::Debug for Vector<T> {
    /// Type, shape and where the elements are: not the elements, which may be elsewhere.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Vector<{}>{} {}",
            T::ty(),
            self.shape(),
            self.buffer.whereabouts()
        )
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn from_and_into_vec_keep_the_memory() {
        let elements = vec![1_u32, 2, 3];
        let address = elements.as_ptr();
        let back = Vector::from(elements).into_vec().unwrap();
        assert_eq!((back.as_ptr(), &back[..]), (address, &[1, 2, 3][..]));
    }

    #[test]
    fn the_host_view_can_be_changed() {
        let mut v = Vector::from_fn(4, |i| i as u32);
        v.host_mut().unwrap()[2] = 20;
        assert_eq!(v.host().unwrap().iter().sum::<u32>(), 24);
        assert_eq!(v.host_range(2..3).unwrap(), [20]);
    }

    #[test]
    fn debug_says_shape_and_place() {
        assert_eq!(
            format!("{:?}", Vector::filled(3, 1.0_f32)),
            "Vector<f32>[3] on host"
        );
        assert_eq!(
            format!("{:?}", Vector::<f32>::unwritten(Shape::D1(3)).unwrap()),
            "Vector<f32>[3] unwritten"
        );
    }
}
