//! Kinds of parameters that are whole containers, the same for all elements.

use super::{Kind, MatrixView, Param, Tensor3View, Tensor4View, access::opened_as_one};
use crate::{
    Element,
    frame::Slot,
    ir::{Ty, Value, ViewKind, eval},
    plan::Role,
    space::{Segment, Shape},
};
use std::{marker::PhantomData, ops::Range};

/// The elements of a slot, and how they are arranged.
#[inline(always)]
pub(super) fn elements_of<'a, T: Element>(slot: &Slot<'a>) -> (&'a [T], Shape) {
    match slot {
        Slot::Whole(view, shape) => (view.slice(view.window()), *shape),
        _ => unreachable!("whole containers have slots of their own"),
    }
}

/// What the interpreter reads of a view: elements at constant steps along each dimension.
pub(super) struct Strided<'a, T, const RANK: usize> {
    pub(super) elements: &'a [T],
    pub(super) first: usize,
    /// How many elements there are, and how far apart they are.
    pub(super) dimensions: [(usize, usize); RANK],
}

impl<T: Element, const RANK: usize> eval::View for Strided<'_, T, RANK> {
    fn extent(&self, dimension: usize) -> usize {
        self.dimensions[dimension].0
    }

    fn get(&self, indices: &[isize]) -> Value {
        let steps = self.dimensions.iter().zip(indices);
        let places = steps.map(|((_, step), index)| index.cast_unsigned() * step);
        self.elements[self.first + places.sum::<usize>()].to_value()
    }
}

/// The value of a parameter that is a view: the one of this number.
pub(super) fn value(ty: Ty, number: usize) -> Value {
    match ty {
        Ty::View(ty) => Value::View(ty, number),
        _ => unreachable!("a view has the type of one"),
    }
}

/// A kind for each rank: what the function gets, made of all elements and their shape.
macro_rules! whole {
    ($(
        $(#[$doc:meta])*
        $kind:ident $rank:literal: $view:ty, |$elements:ident, $shape:ident| $made:expr;
    )*) => { $(
        $(#[$doc])*
        pub struct $kind<T>(PhantomData<fn() -> T>);

        impl<T: 'static> Kind for $kind<T> {
            type Arg<'a> = $view;
        }

        impl<T: Element> Param for $kind<T> {
            const ROLE: Role = Role::View;
            type Access<'a> = $view;

            opened_as_one!();

            fn ty() -> Ty {
                Ty::view(T::ty(), ViewKind::Whole { rank: $rank })
            }

            #[inline(always)]
            fn open<'a>(slot: &'a mut Slot<'_>, _: &Segment) -> $view {
                let ($elements, $shape) = elements_of(slot);
                $made
            }

            #[inline(always)]
            fn sub<'b, 'a: 'b>(access: &'b mut Self::Access<'a>, _: Range<usize>) -> Self::Access<'b> {
                *access
            }

            #[inline(always)]
            fn get<'b, 'a: 'b>(access: &'b mut Self::Access<'a>, _: usize) -> Self::Arg<'b> {
                *access
            }

            fn value(_: &Slot<'_>, _: usize, number: usize) -> Value {
                value(<Self as Param>::ty(), number)
            }

            fn view<'s>(slot: &'s Slot<'_>, _: &Segment) -> Option<Box<dyn eval::View + 's>> {
                let (elements, shape) = elements_of::<T>(slot);
                let mut step = 1;
                let mut dimensions = [(0, 0); $rank];
                for d in (0..$rank).rev() {
                    let extent = shape.extent_of_rank($rank, d);
                    dimensions[d] = (extent, step);
                    step *= extent;
                }
                Some(Box::new(Strided { elements, first: 0, dimensions }))
            }
        }
    )* };
}
whole! {
    /// A whole vector, read at random: `xs: &[T]`.
    Whole 1: &'a [T], |elements, _shape| elements;
    /// A whole matrix, read at random: `m: MatrixView<T>`.
    WholeMatrix 2: MatrixView<'a, T>, |elements, shape| MatrixView::new(elements, shape.rows(), shape.row_elems());
    /// A whole tensor of three dimensions, read at random: `t: Tensor3View<T>`.
    WholeTensor3 3: Tensor3View<'a, T>, |elements, shape| {
        let [_, planes, rows, cols] = shape.extents();
        Tensor3View::new(elements, [planes, rows, cols])
    };
    /// A whole tensor of four dimensions, read at random: `t: Tensor4View<T>`.
    WholeTensor4 4: Tensor4View<'a, T>, |elements, shape| Tensor4View::new(elements, shape.extents());
}
