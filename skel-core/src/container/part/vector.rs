//! Parts in one dimension.

use super::{place, within};
use crate::{
    Element, Result,
    call::{Layout, Operand, Source},
    container::{MAX_RANK, Shape, Vector},
    frame::View,
};
use std::{marker::PhantomData, ops::RangeBounds};

/// Some elements of a container, at equal distances, in either direction: what may be passed wherever a
/// vector is read element by element. Nothing is copied, on the host or on devices; a device is sent what
/// lies between the first and the last, as far as it lacks it.
///
/// ```
/// use skel::prelude::*;
///
/// let v = Vector::from_fn(10, |i| i as i32);
/// let double = map!(|x: i32| 2 * x);
/// assert_eq!(double.run((v.part(2..5),))?.host()?[..], [4, 6, 8]);
/// assert_eq!(double.run((v.step_by(4),))?.host()?[..], [0, 8, 16]);
/// assert_eq!(double.run((v.part(..3).reversed(),))?.host()?[..], [4, 2, 0]);
/// // Neighbours, without a copy of either.
/// let differences = map!(|left: i32, right: i32| right - left);
/// assert_eq!(differences.run((v.part(..9), v.part(1..)))?.host()?[..], [1; 9]);
/// # skel::Result::Ok(())
/// ```
#[derive(Clone, Copy)]
pub struct VectorPart<'a, T> {
    source: Source<'a>,
    offset: usize,
    len: usize,
    stride: isize,
    _elements: PhantomData<&'a [T]>,
}

impl<'a, T: Element> VectorPart<'a, T> {
    pub(super) fn new(source: Source<'a>, offset: usize, len: usize, stride: isize) -> Self {
        VectorPart {
            source,
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
        VectorPart {
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
        VectorPart {
            len: self.len.div_ceil(step),
            // With a step beyond the end there is one element, and no stride is ever taken.
            stride: self
                .stride
                .saturating_mul(isize::try_from(step).unwrap_or(isize::MAX)),
            ..self
        }
    }

    /// From the last element to the first.
    #[must_use]
    pub fn reversed(self) -> Self {
        VectorPart {
            offset: place(self.offset, self.len.saturating_sub(1), self.stride),
            stride: self.stride.saturating_neg(),
            ..self
        }
    }

    /// A copy of the elements.
    ///
    /// # Errors
    /// Those of downloading what the host lacks.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let layout = self.layout();
        let cells = crate::call::Cells::around(&(0..self.len), self.shape());
        let bounds = layout.bounds(&cells);
        let view = self.source.host_view(bounds.clone())?;
        let elements = view.slice::<T>(bounds.clone());
        let steps = layout.over(self.shape());
        Ok((0..self.len)
            .map(|i| elements[steps.at(i) - bounds.start])
            .collect())
    }

    /// Source, offset, length, stride.
    pub(super) fn parts(&self) -> (Source<'a>, usize, usize, isize) {
        (self.source, self.offset, self.len, self.stride)
    }

    fn layout(&self) -> Layout {
        let mut strides = [0; MAX_RANK];
        strides[MAX_RANK - 1] = self.stride;
        Layout {
            offset: self.offset,
            strides,
        }
    }

    pub(crate) fn operand_to_read(&self) -> Operand<'a> {
        Operand::Strided(self.source, self.layout())
    }

    /// The operand of a call in which dimension `d` counts the elements, and the others do not.
    pub(super) fn along(&self, d: usize) -> Operand<'a> {
        let mut strides = [0; MAX_RANK];
        strides[d] = self.stride;
        let layout = Layout {
            offset: self.offset,
            strides,
        };
        Operand::Strided(self.source, layout)
    }
}

impl<T: Element> std::fmt::Debug for VectorPart<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "VectorPart<{}>[{}] from {} by {}",
            T::ty(),
            self.len,
            self.offset,
            self.stride
        )
    }
}

impl<'a, T: Element> From<&'a Vector<T>> for VectorPart<'a, T> {
    fn from(v: &'a Vector<T>) -> Self {
        VectorPart::new(Source::Container(v.buffer()), 0, v.len(), 1)
    }
}

impl<'a, T: Element> From<&'a [T]> for VectorPart<'a, T> {
    fn from(elements: &'a [T]) -> Self {
        VectorPart::new(Source::Slice(View::of(elements)), 0, elements.len(), 1)
    }
}

impl<'a, T: Element> From<&'a Vec<T>> for VectorPart<'a, T> {
    fn from(elements: &'a Vec<T>) -> Self {
        elements.as_slice().into()
    }
}

impl<'a, T: Element, const N: usize> From<&'a [T; N]> for VectorPart<'a, T> {
    fn from(elements: &'a [T; N]) -> Self {
        elements.as_slice().into()
    }
}

impl<T: Element> Vector<T> {
    /// Some of its elements, without gaps: see [`VectorPart`].
    ///
    /// # Panics
    /// If the range is not within it.
    #[must_use]
    #[track_caller]
    pub fn part(&self, range: impl RangeBounds<usize>) -> VectorPart<'_, T> {
        VectorPart::from(self).part(range)
    }

    /// Its first element, and every `step`th from there: see [`VectorPart`].
    ///
    /// # Panics
    /// If `step` is 0.
    #[must_use]
    #[track_caller]
    pub fn step_by(&self, step: usize) -> VectorPart<'_, T> {
        VectorPart::from(self).step_by(step)
    }

    /// From its last element to its first: see [`VectorPart`].
    #[must_use]
    pub fn reversed(&self) -> VectorPart<'_, T> {
        VectorPart::from(self).reversed()
    }
}
