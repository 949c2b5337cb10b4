//! Vectors.

#![allow(unsafe_code, reason = "`host_mut` vouches for what it lends")]

use super::{
    Buffer, BufferMut, Container, HostMut, HostRef,
    common::container_methods,
    host::{allocate, expect, made},
    sealed::Over,
};
use crate::{Element, Result, host_memory, space::Shape, unit::NodeId};
use std::{marker::PhantomData, ops::Range};

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

container_methods!(Vector);

impl<T: Element> Vector<T> {
    /// `n` times `value`.
    ///
    /// # Panics
    /// If memory is short; see [`Vector::try_filled`].
    #[must_use]
    #[track_caller]
    pub fn filled(n: usize, value: T) -> Self {
        expect(Self::try_filled(n, value))
    }

    /// Element `i` is `f(i)`.
    ///
    /// # Panics
    /// If memory is short; see [`Vector::try_from_fn`].
    #[must_use]
    #[track_caller]
    pub fn from_fn(n: usize, f: impl FnMut(usize) -> T) -> Self {
        expect(Self::try_from_fn(n, f))
    }

    /// `n` times `value`, if there is room for it.
    ///
    /// ```
    /// use skel::{Error, prelude::*};
    ///
    /// let n: usize = 1 << 60; // whatever a user asks for
    /// assert!(matches!(Vector::try_filled(n, 0.0_f32), Err(Error::OutOfMemory { .. })));
    /// assert_eq!(Vector::try_filled(3, 0.5_f32)?.host()?[..], [0.5; 3]);
    /// # skel::Result::Ok(())
    /// ```
    ///
    /// # Errors
    /// [`OutOfMemory`](crate::Error::OutOfMemory).
    pub fn try_filled(n: usize, value: T) -> Result<Self> {
        let made = made(n, std::iter::repeat(value))?;
        Ok(Self::of(Buffer::from_made(made)))
    }

    /// Element `i` is `f(i)`, if there is room for `n` of them.
    ///
    /// ```
    /// use skel::{Error, prelude::*};
    ///
    /// let n: usize = 1 << 60; // whatever a user asks for
    /// let squares = |n| Vector::try_from_fn(n, |i| (i * i) as u64);
    /// assert!(matches!(squares(n), Err(Error::OutOfMemory { .. })));
    /// assert_eq!(squares(4)?.host()?[..], [0, 1, 4, 9]);
    /// # skel::Result::Ok(())
    /// ```
    ///
    /// # Errors
    /// [`OutOfMemory`](crate::Error::OutOfMemory).
    pub fn try_from_fn(n: usize, f: impl FnMut(usize) -> T) -> Result<Self> {
        Ok(Self::of(Buffer::from_made(made(n, (0..n).map(f))?)))
    }

    /// A copy of a slice, if there is room for it.
    ///
    /// ```
    /// use skel::prelude::*;
    ///
    /// assert_eq!(Vector::try_from_slice(&[1, 2, 3])?.host()?[..], [1, 2, 3]);
    /// # skel::Result::Ok(())
    /// ```
    ///
    /// # Errors
    /// [`OutOfMemory`](crate::Error::OutOfMemory).
    pub fn try_from_slice(elements: &[T]) -> Result<Self> {
        let mut copy = allocate(elements.len())?;
        copy.extend_from_slice(elements);
        Ok(Self::of(Buffer::from_made(copy)))
    }

    pub(super) fn of(buffer: Buffer) -> Self {
        Vector {
            buffer,
            _elements: PhantomData,
        }
    }

    /// The shape.
    #[must_use]
    pub fn shape(&self) -> Shape {
        Shape::D1(self.len())
    }
}

impl<T: Element> From<Vec<T>> for Vector<T> {
    /// Takes the memory over; nothing is copied.
    fn from(elements: Vec<T>) -> Self {
        Self::of(Buffer::from_vec(elements))
    }
}

impl<T: Element, const N: usize> From<[T; N]> for Vector<T> {
    fn from(elements: [T; N]) -> Self {
        Vec::from(elements).into()
    }
}

impl<T: Element> From<&[T]> for Vector<T> {
    /// Copies the elements; panics if memory is short: see [`Vector::try_from_slice`].
    #[track_caller]
    fn from(elements: &[T]) -> Self {
        expect(Self::try_from_slice(elements))
    }
}

impl<T: Element> FromIterator<T> for Vector<T> {
    /// Panics if memory is short.
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        expect(host_memory::collect(elements)).into()
    }
}

impl<T: Element> Over for Vector<T> {
    fn over(_: Shape, buffer: Buffer) -> Self {
        Vector::of(buffer)
    }
}

impl<T: Element> Container<T> for Vector<T> {
    fn target(&mut self) -> BufferMut<'_> {
        BufferMut::new(&mut self.buffer)
    }

    fn elements(&self) -> &Buffer {
        &self.buffer
    }

    fn shape(&self) -> Shape {
        Vector::shape(self)
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
