//! What combines two values: an operator that the code around it is compiled for, or one behind pointers.

use crate::{Element, plan::grouping::LANES, skeleton::fold::Operator};
use std::marker::PhantomData;

/// What combines two values, the left one first.
pub(in crate::skeleton) trait Op<T>: Copy {
    /// Combines two values.
    fn apply(self, left: T, right: T) -> T;
}

/// The operator `R`, which loops are compiled for.
pub(in crate::skeleton) struct By<R>(PhantomData<fn() -> R>);

impl<R> Clone for By<R> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for By<R> {}

/// The operator `R`.
#[inline(always)]
pub(in crate::skeleton) fn by<R>() -> By<R> {
    By(PhantomData)
}

impl<T: Element, R: Operator<T>> Op<T> for By<R> {
    #[inline(always)]
    fn apply(self, left: T, right: T) -> T {
        R::apply(left, right)
    }
}

/// An operator behind pointers, with loops over it: what goes by it is compiled once for all operators of a type.
pub(in crate::skeleton) struct Pointers<T> {
    apply: fn(T, T) -> T,
    /// Combines elements with those of another slice.
    zip: fn(&mut [T], &[T]),
    /// Combines neighbours of a slice of twice as many elements.
    pairs: fn(&mut [T], &[T]),
}

impl<T: Element> Pointers<T> {
    /// Those of an operator.
    pub(in crate::skeleton) const fn of<R: Operator<T>>() -> &'static Pointers<T> {
        const {
            &Pointers {
                apply: R::apply,
                zip: zip::<T, R>,
                pairs: pairs::<T, R>,
            }
        }
    }

    /// Combines elements with those of another slice, of as many.
    pub(in crate::skeleton) fn zip(&self, left: &mut [T], right: &[T]) {
        (self.zip)(left, right);
    }

    /// Writes what neighbours among `values` come to; these are twice as many.
    pub(super) fn pairs(&self, out: &mut [T], values: &[T]) {
        (self.pairs)(out, values);
    }

    /// The lanes, the first so many of which have elements, combined: lane `l` with lane `l + w`, for w = 64, 32, … 1.
    pub(super) fn halved(&self, totals: &mut [T; LANES], mut lanes: usize) -> T {
        let mut width = LANES / 2;
        while width > 0 {
            if lanes > width {
                let (left, right) = totals.split_at_mut(width);
                let few = lanes - width;
                self.zip(&mut left[..few], &right[..few]);
                lanes = width;
            }
            width /= 2;
        }
        totals[0]
    }
}

impl<T: Element> Op<T> for &Pointers<T> {
    #[inline(always)]
    fn apply(self, left: T, right: T) -> T {
        (self.apply)(left, right)
    }
}

fn zip<T: Element, R: Operator<T>>(left: &mut [T], right: &[T]) {
    for (left, right) in left.iter_mut().zip(right) {
        *left = R::apply(*left, *right);
    }
}

fn pairs<T: Element, R: Operator<T>>(out: &mut [T], values: &[T]) {
    for (out, [left, right]) in out.iter_mut().zip(values.as_chunks().0) {
        *out = R::apply(*left, *right);
    }
}
