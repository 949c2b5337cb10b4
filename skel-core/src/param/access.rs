//! How a host function gets at its arguments.

use super::{Each, EachMut, Kind, Params, Uniform, for_each_arity};
use crate::{
    Element,
    frame::{Slot, View},
    ir::{Ty, Value},
    plan::Role,
};
use std::ops::Range;

/// A kind whose element type every unit knows, and how its arguments are read from a slot.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a kind of parameter that skeletons can pass",
    label = "not a parameter kind"
)]
pub trait Param: Kind {
    /// What the slot is for.
    const ROLE: Role;

    /// The opened slot: a typed slice, mostly.
    type Access<'a>;

    /// The element type.
    fn ty() -> Ty;

    /// Elements `r` of the slot.
    fn open<'a>(slot: &'a mut Slot<'_>, r: &Range<usize>) -> Self::Access<'a>;

    /// The accesses of elements `r`, counted from the beginning of the access: one bounds check for
    /// many elements.
    fn sub<'b, 'a: 'b>(access: &'b mut Self::Access<'a>, r: Range<usize>) -> Self::Access<'b>;

    /// The argument of element `i`, counted from the beginning of the access.
    fn get<'b, 'a: 'b>(access: &'b mut Self::Access<'a>, i: usize) -> Self::Arg<'b>;

    /// The argument of element `i` (absolute), for the interpreter.
    fn value(slot: &Slot<'_>, i: usize) -> Value;
}

/// What the slot holds, for reading. The executor makes the slots from [`Param::ROLE`], so another
/// variant is a bug of ours.
fn readable<'a>(slot: &'a Slot<'_>) -> View<'a> {
    match slot {
        Slot::In(view) => *view,
        Slot::InOut(view) => view.as_view(),
        Slot::Out(_) => unreachable!("an output is not an argument"),
    }
}

impl<T: Element> Param for Each<T> {
    const ROLE: Role = Role::In;
    type Access<'a> = &'a [T];

    fn ty() -> Ty {
        T::ty()
    }

    #[inline(always)]
    fn open<'a>(slot: &'a mut Slot<'_>, r: &Range<usize>) -> &'a [T] {
        readable(slot).slice(r.clone())
    }

    #[inline(always)]
    fn sub<'b, 'a: 'b>(access: &'b mut &'a [T], r: Range<usize>) -> &'b [T] {
        &access[r]
    }

    #[inline(always)]
    fn get<'b, 'a: 'b>(access: &'b mut &'a [T], i: usize) -> T {
        access[i]
    }

    fn value(slot: &Slot<'_>, i: usize) -> Value {
        readable(slot).slice::<T>(i..i + 1)[0].to_value()
    }
}

impl<T: Element> Param for EachMut<T> {
    const ROLE: Role = Role::InOut;
    type Access<'a> = &'a mut [T];

    fn ty() -> Ty {
        T::ty()
    }

    #[inline(always)]
    fn open<'a>(slot: &'a mut Slot<'_>, r: &Range<usize>) -> &'a mut [T] {
        match slot {
            Slot::InOut(view) => view.slice(r.clone()),
            Slot::In(_) | Slot::Out(_) => unreachable!("`&mut` arguments are read and written"),
        }
    }

    #[inline(always)]
    fn sub<'b, 'a: 'b>(access: &'b mut &'a mut [T], r: Range<usize>) -> &'b mut [T] {
        &mut access[r]
    }

    #[inline(always)]
    fn get<'b, 'a: 'b>(access: &'b mut &'a mut [T], i: usize) -> &'b mut T {
        &mut access[i]
    }

    fn value(slot: &Slot<'_>, i: usize) -> Value {
        Each::<T>::value(slot, i)
    }
}

impl<T: Element> Param for Uniform<T> {
    const ROLE: Role = Role::Uniform;
    type Access<'a> = T;

    fn ty() -> Ty {
        T::ty()
    }

    #[inline(always)]
    fn open(slot: &mut Slot<'_>, _: &Range<usize>) -> T {
        readable(slot).slice::<T>(0..1)[0]
    }

    #[inline(always)]
    fn sub<'b, 'a: 'b>(access: &'b mut T, _: Range<usize>) -> T {
        *access
    }

    #[inline(always)]
    fn get<'b, 'a: 'b>(access: &'b mut T, _: usize) -> T {
        *access
    }

    fn value(slot: &Slot<'_>, _: usize) -> Value {
        Each::<T>::value(slot, 0)
    }
}

/// A tuple of [`Param`]s.
pub trait ParamList: Params {
    /// How many.
    const LEN: usize;
    /// What each slot is for.
    const ROLES: &'static [Role];

    /// The opened slots.
    type Access<'a>;

    /// The element types.
    fn tys() -> Vec<Ty>;

    /// Elements `r` of the first `LEN` slots.
    fn open<'a>(slots: &'a mut [Slot<'_>], r: &Range<usize>) -> Self::Access<'a>;

    /// See [`Param::sub`].
    fn sub<'b, 'a: 'b>(access: &'b mut Self::Access<'a>, r: Range<usize>) -> Self::Access<'b>;

    /// See [`Param::get`].
    fn get<'b, 'a: 'b>(access: &'b mut Self::Access<'a>, i: usize) -> Self::Args<'b>;

    /// See [`Param::value`].
    fn values(slots: &[Slot<'_>], i: usize) -> Vec<Value>;
}

macro_rules! param_list {
    ($($k:ident $i:tt),*) => {
        impl<$($k: Param),*> ParamList for ($($k,)*) {
            const LEN: usize = Self::ROLES.len();
            const ROLES: &'static [Role] = &[$($k::ROLE),*];
            type Access<'a> = ($($k::Access<'a>,)*);

            fn tys() -> Vec<Ty> {
                vec![$($k::ty()),*]
            }

            #[inline(always)]
            #[allow(
                non_snake_case,
                unused_variables,
                irrefutable_let_patterns,
                clippy::unused_unit,
                reason = "the empty tuple uses none"
            )]
            fn open<'a>(slots: &'a mut [Slot<'_>], r: &Range<usize>) -> Self::Access<'a> {
                let [$($k,)* ..] = slots else { unreachable!("a frame has a slot per parameter") };
                ($($k::open($k, r),)*)
            }

            #[inline(always)]
            #[allow(unused_variables, clippy::unused_unit, reason = "the empty tuple uses none")]
            fn sub<'b, 'a: 'b>(access: &'b mut Self::Access<'a>, r: Range<usize>) -> Self::Access<'b> {
                ($($k::sub(&mut access.$i, r.clone()),)*)
            }

            #[inline(always)]
            #[allow(unused_variables, clippy::unused_unit, reason = "the empty tuple uses none")]
            fn get<'b, 'a: 'b>(access: &'b mut Self::Access<'a>, i: usize) -> Self::Args<'b> {
                ($($k::get(&mut access.$i, i),)*)
            }

            #[allow(unused_variables, reason = "the empty tuple uses none")]
            fn values(slots: &[Slot<'_>], i: usize) -> Vec<Value> {
                vec![$($k::value(&slots[$i], i)),*]
            }
        }
    };
}
for_each_arity!(param_list);
