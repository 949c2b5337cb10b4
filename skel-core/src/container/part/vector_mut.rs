//! Parts in one dimension, to write.

use super::{place, within};
use crate::{
    Element,
    call::{Cells, Layout, Operand},
    container::{Buffer, BufferMut, MAX_RANK, Shape, Vector},
};
use std::{marker::PhantomData, ops::RangeBounds};

/// Some elements of a container, at equal distances, in either direction, to be written: what may be passed
/// for `&mut T` parameters, and to `run_into`. The other elements stay as they are.
///
/// A range without gaps is written on every unit. Elements with gaps between them, or backwards, are written
/// by the CPU: a device takes no share of such a call, and says [`Unsupported`](crate::Error::Unsupported) if
/// it is asked for by name. If a call fails, everything from the first to the last of them is lost.
///
/// ```
/// use skel::prelude::*;
///
/// let mut v = Vector::from([0, 1, 2, 3, 4, 5]);
/// map!(|x: &mut i32| *x *= 10).run((v.part_mut(1..3),))?;
/// assert_eq!(v.host()?[..], [0, 10, 20, 3, 4, 5]);
/// map!(|x: i32| x + 1).run_into((&[6, 7, 8],), v.part_mut(..).step_by(2))?;
/// assert_eq!(v.host()?[..], [7, 10, 8, 3, 9, 5]);
/// # skel::Result::Ok(())
/// ```
pub struct VectorPartMut<'a, T> {
    buffer: &'a mut Buffer,
    offset: usize,
    len: usize,
    stride: isize,
    _elements: PhantomData<T>,
}

impl<'a, T: Element> VectorPartMut<'a, T> {
    pub(super) fn new(buffer: &'a mut Buffer, offset: usize, len: usize, stride: isize) -> Self {
        VectorPartMut {
            buffer,
            offset,
            len,
            stride,
            _elements: PhantomData,
        }
    }

    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The shape.
    #[must_use]
    pub fn shape(&self) -> Shape {
        Shape::D1(self.len)
    }

    /// Fewer of its elements, without gaps.
    ///
    /// # Panics
    /// If the range is not within it.
    #[must_use]
    #[track_caller]
    pub fn part(self, range: impl RangeBounds<usize>) -> Self {
        let range = within(&range, self.len);
        VectorPartMut {
            offset: place(self.offset, range.start, self.stride),
            len: range.len(),
            ..self
        }
    }

    /// The first element, and every `step`th from there.
    ///
    /// # Panics
    /// If `step` is 0.
    #[must_use]
    #[track_caller]
    pub fn step_by(self, step: usize) -> Self {
        assert!(step > 0, "a step of 0 elements");
        let step_places = isize::try_from(step).unwrap_or(isize::MAX);
        VectorPartMut {
            len: self.len.div_ceil(step),
            stride: self.stride.saturating_mul(step_places),
            ..self
        }
    }

    /// From the last element to the first.
    #[must_use]
    pub fn reversed(self) -> Self {
        VectorPartMut {
            offset: place(self.offset, self.len.saturating_sub(1), self.stride),
            stride: self.stride.saturating_neg(),
            ..self
        }
    }

    pub(crate) fn operand_to_write(&mut self, reads: bool) -> Operand<'_> {
        let mut strides = [0; MAX_RANK];
        strides[MAX_RANK - 1] = self.stride;
        let layout = Layout {
            offset: self.offset,
            strides,
        };
        operand(self.buffer, layout, Shape::D1(self.len), reads)
    }
}

/// The operand of a call of this shape that writes elements that lie so.
pub(super) fn operand(
    buffer: &mut Buffer,
    layout: Layout,
    shape: Shape,
    reads: bool,
) -> Operand<'_> {
    let contiguous = layout.over(shape).contiguous();
    let window = match contiguous {
        Some(offset) => offset..offset + shape.len(),
        None => layout.bounds(&Cells::around(&(0..shape.len()), shape)),
    };
    let target = BufferMut::part(buffer, window);
    match (contiguous, reads) {
        (Some(_), true) => Operand::Update(target),
        (Some(_), false) => Operand::Write(target),
        (None, _) => Operand::Scatter(target, layout, reads),
    }
}

impl<T: Element> std::fmt::Debug for VectorPartMut<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (ty, len) = (T::ty(), self.len);
        let (offset, stride) = (self.offset, self.stride);
        write!(f, "VectorPartMut<{ty}>[{len}] from {offset} by {stride}")
    }
}

impl<T: Element> Vector<T> {
    /// Some of its elements, without gaps, to write: see [`VectorPartMut`].
    ///
    /// # Panics
    /// If the range is not within it.
    #[must_use]
    #[track_caller]
    pub fn part_mut(&mut self, range: impl RangeBounds<usize>) -> VectorPartMut<'_, T> {
        let len = self.len();
        VectorPartMut::new(self.buffer_mut(), 0, len, 1).part(range)
    }
}
