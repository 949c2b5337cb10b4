//! How a host function gets at its arguments.

use super::{Each, EachMut, Form, Kind, Params, Uniform, for_each_arity};
use crate::{
    Element,
    frame::{Slot, View},
    ir::{Ty, Value, eval},
    plan::Role,
    space::Segment,
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

    /// Whether all elements of a segment must be of one row.
    const BY_ROWS: bool = false;

    /// What a neighbourhood looks like.
    const NEAR: Option<Form> = None;

    /// Whether it is a line.
    const IS_LINE: bool = false;

    /// Whether it is a sweep.
    const IS_SWEEP: bool = false;

    /// The opened slot: a typed slice, mostly.
    type Access<'a>;

    /// The type in the IR.
    fn ty() -> Ty;

    /// Where a segment must end, at the latest, so that all its elements can be opened in one way, and those below it, in
    /// `rows` rows.
    #[inline(always)]
    fn cut(slot: &Slot<'_>, segment: &Segment, rows: usize) -> usize {
        let _ = (slot, rows);
        segment.range().end
    }

    /// How many rows can be opened at once, that of the segment and those below: where one is cut, all are. At least 1, and
    /// `most` at most.
    #[inline(always)]
    fn rows(slot: &Slot<'_>, segment: &Segment, most: usize) -> usize {
        let _ = (slot, segment);
        if Self::BY_ROWS { 1 } else { most }
    }

    /// The slot's elements of so many rows, from that of the segment on, at its columns. Not of more rows than
    /// [`Param::rows`] says.
    #[inline(always)]
    fn open_rows<'a>(slot: &'a mut Slot<'_>, segment: &Segment, rows: usize) -> Self::Access<'a> {
        Self::open(slot, &segment.spanning(rows))
    }

    /// The accesses of elements `r` of row `row`, both counted from the beginning of what [`Param::open_rows`] has
    /// opened.
    #[inline(always)]
    fn sub_row<'b, 'a: 'b>(
        access: &'b mut Self::Access<'a>,
        row: usize,
        r: Range<usize>,
    ) -> Self::Access<'b> {
        let _ = row;
        Self::sub(access, r)
    }

    /// The slot's elements of the segment.
    fn open<'a>(slot: &'a mut Slot<'_>, segment: &Segment) -> Self::Access<'a>;

    /// The accesses of elements `r`, counted from the beginning of the access: one bounds check for
    /// many elements.
    fn sub<'b, 'a: 'b>(access: &'b mut Self::Access<'a>, r: Range<usize>) -> Self::Access<'b>;

    /// Whether the elements' neighbourhoods are those of neighbouring elements. A loop that is compiled for this case alone
    /// can read vectors.
    #[inline(always)]
    fn lie_together(access: &Self::Access<'_>) -> bool {
        let _ = access;
        true
    }

    /// The argument of element `i`, counted from the beginning of the access.
    fn get<'b, 'a: 'b>(access: &'b mut Self::Access<'a>, i: usize) -> Self::Arg<'b>;

    /// The argument of element `i` (absolute), for the interpreter; a view is the one of this number.
    fn value(slot: &Slot<'_>, i: usize, number: usize) -> Value;

    /// What the interpreter reads through a view, for the first element of the segment.
    fn view<'s>(slot: &'s Slot<'_>, segment: &Segment) -> Option<Box<dyn eval::View + 's>> {
        let _ = (slot, segment);
        None
    }
}

/// What the slot holds, for reading. The executor makes the slots from [`Param::ROLE`], so another
/// variant is a bug of ours.
fn readable<'a>(slot: &'a Slot<'_>) -> View<'a> {
    match slot {
        Slot::In(view) => *view,
        Slot::InOut(view) => view.as_view(),
        Slot::Strided(_) | Slot::Scattered(_) => unreachable!("strided elements are gathered"),
        Slot::Out(_)
        | Slot::Whole(..)
        | Slot::Window(_)
        | Slot::Lines(_)
        | Slot::LinesMut(_)
        | Slot::Sweep(_) => {
            unreachable!("neither an output nor a whole container is read element by element")
        }
    }
}

impl<T: Element> Param for Each<T> {
    const ROLE: Role = Role::In;
    type Access<'a> = &'a [T];

    fn ty() -> Ty {
        T::ty()
    }

    #[inline(always)]
    fn open<'a>(slot: &'a mut Slot<'_>, segment: &Segment) -> &'a [T] {
        match slot {
            Slot::Strided(strided) => strided.slice(segment.range()),
            slot => readable(slot).slice(segment.range()),
        }
    }

    #[inline(always)]
    fn sub<'b, 'a: 'b>(access: &'b mut &'a [T], r: Range<usize>) -> &'b [T] {
        &access[r]
    }

    #[inline(always)]
    fn get<'b, 'a: 'b>(access: &'b mut &'a [T], i: usize) -> T {
        access[i]
    }

    fn value(slot: &Slot<'_>, i: usize, _: usize) -> Value {
        let element: T = match slot {
            Slot::Strided(strided) => strided.element(i),
            Slot::Scattered(scattered) => scattered.element(i),
            slot => readable(slot).slice(i..i + 1)[0],
        };
        element.to_value()
    }
}

impl<T: Element> Param for EachMut<T> {
    const ROLE: Role = Role::InOut;
    type Access<'a> = &'a mut [T];

    fn ty() -> Ty {
        T::ty()
    }

    #[inline(always)]
    fn open<'a>(slot: &'a mut Slot<'_>, segment: &Segment) -> &'a mut [T] {
        match slot {
            Slot::InOut(view) => view.slice(segment.range()),
            Slot::Scattered(scattered) => scattered.slice_mut(segment.range()),
            _ => unreachable!("`&mut` arguments are read and written"),
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

    fn value(slot: &Slot<'_>, i: usize, number: usize) -> Value {
        Each::<T>::value(slot, i, number)
    }
}

impl<T: Element> Param for Uniform<T> {
    const ROLE: Role = Role::Uniform;
    type Access<'a> = T;

    fn ty() -> Ty {
        T::ty()
    }

    #[inline(always)]
    fn open(slot: &mut Slot<'_>, _: &Segment) -> T {
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

    fn value(slot: &Slot<'_>, _: usize, number: usize) -> Value {
        Each::<T>::value(slot, 0, number)
    }
}

/// A tuple of [`Param`]s.
pub trait ParamList: Params {
    /// How many.
    const LEN: usize;
    /// What each slot is for.
    const ROLES: &'static [Role];
    /// Whether all elements of a segment must be of one row.
    const BY_ROWS: bool;
    /// What its neighbourhoods look like, if there are any: as far as the widest reaches.
    const NEAR: Option<Form>;
    /// Whether there are lines.
    const HAS_LINES: bool;
    /// How many sweeps there are.
    const SWEEPS: usize;
    /// Whether something is changed in place, one element by one call of the function.
    const CHANGES: bool;

    /// The opened slots.
    type Access<'a>;

    /// The types in the IR.
    fn tys() -> Vec<Ty>;

    /// See [`Param::cut`].
    fn cut(slots: &[Slot<'_>], segment: &Segment, rows: usize) -> usize;

    /// See [`Param::rows`].
    fn rows(slots: &[Slot<'_>], segment: &Segment, most: usize) -> usize;

    /// See [`Param::open_rows`].
    fn open_rows<'a>(slots: &'a mut [Slot<'_>], segment: &Segment, rows: usize)
    -> Self::Access<'a>;

    /// See [`Param::sub_row`].
    fn sub_row<'b, 'a: 'b>(
        access: &'b mut Self::Access<'a>,
        row: usize,
        r: Range<usize>,
    ) -> Self::Access<'b>;

    /// The first `LEN` slots' elements of the segment.
    fn open<'a>(slots: &'a mut [Slot<'_>], segment: &Segment) -> Self::Access<'a>;

    /// See [`Param::sub`].
    fn sub<'b, 'a: 'b>(access: &'b mut Self::Access<'a>, r: Range<usize>) -> Self::Access<'b>;

    /// See [`Param::lie_together`].
    fn lie_together(access: &Self::Access<'_>) -> bool;

    /// See [`Param::get`].
    fn get<'b, 'a: 'b>(access: &'b mut Self::Access<'a>, i: usize) -> Self::Args<'b>;

    /// See [`Param::value`]; a view has the number of its slot.
    fn values(slots: &[Slot<'_>], i: usize) -> Vec<Value>;

    /// See [`Param::view`], by the number of the slot.
    fn views<'s>(slots: &'s [Slot<'_>], segment: &Segment)
    -> Vec<Option<Box<dyn eval::View + 's>>>;
}

macro_rules! param_list {
    ($($k:ident $i:tt),*) => {
        impl<$($k: Param),*> ParamList for ($($k,)*) {
            const LEN: usize = Self::ROLES.len();
            const ROLES: &'static [Role] = &[$($k::ROLE),*];
            const BY_ROWS: bool = false $(|| $k::BY_ROWS)*;
            const NEAR: Option<Form> = Form::widest(&[$($k::NEAR),*]);
            const HAS_LINES: bool = false $(|| $k::IS_LINE)*;
            const SWEEPS: usize = 0 $(+ $k::IS_SWEEP as usize)*;
            const CHANGES: bool = false $(|| matches!($k::ROLE, Role::InOut))*;
            type Access<'a> = ($($k::Access<'a>,)*);

            fn tys() -> Vec<Ty> {
                vec![$($k::ty()),*]
            }

            #[inline(always)]
            #[allow(unused_variables, reason = "the empty tuple uses none")]
            fn cut(slots: &[Slot<'_>], segment: &Segment, rows: usize) -> usize {
                let end = segment.range().end;
                $(let end = end.min($k::cut(&slots[$i], segment, rows));)*
                end
            }

            #[inline(always)]
            #[allow(unused_variables, reason = "the empty tuple uses none")]
            fn rows(slots: &[Slot<'_>], segment: &Segment, most: usize) -> usize {
                $(let most = $k::rows(&slots[$i], segment, most);)*
                most
            }

            #[inline(always)]
            #[allow(
                non_snake_case,
                unused_variables,
                irrefutable_let_patterns,
                clippy::unused_unit,
                reason = "the empty tuple uses none"
            )]
            fn open_rows<'a>(
                slots: &'a mut [Slot<'_>],
                segment: &Segment,
                rows: usize,
            ) -> Self::Access<'a> {
                let [$($k,)* ..] = slots else { unreachable!("a frame has a slot per parameter") };
                ($($k::open_rows($k, segment, rows),)*)
            }

            #[inline(always)]
            #[allow(unused_variables, clippy::unused_unit, reason = "the empty tuple uses none")]
            fn sub_row<'b, 'a: 'b>(
                access: &'b mut Self::Access<'a>,
                row: usize,
                r: Range<usize>,
            ) -> Self::Access<'b> {
                ($($k::sub_row(&mut access.$i, row, r.clone()),)*)
            }

            #[inline(always)]
            #[allow(
                non_snake_case,
                unused_variables,
                irrefutable_let_patterns,
                clippy::unused_unit,
                reason = "the empty tuple uses none"
            )]
            fn open<'a>(slots: &'a mut [Slot<'_>], segment: &Segment) -> Self::Access<'a> {
                let [$($k,)* ..] = slots else { unreachable!("a frame has a slot per parameter") };
                ($($k::open($k, segment),)*)
            }

            #[inline(always)]
            #[allow(unused_variables, clippy::unused_unit, reason = "the empty tuple uses none")]
            fn sub<'b, 'a: 'b>(access: &'b mut Self::Access<'a>, r: Range<usize>) -> Self::Access<'b> {
                ($($k::sub(&mut access.$i, r.clone()),)*)
            }

            #[inline(always)]
            #[allow(unused_variables, reason = "the empty tuple uses none")]
            fn lie_together(access: &Self::Access<'_>) -> bool {
                true $(&& $k::lie_together(&access.$i))*
            }

            #[inline(always)]
            #[allow(unused_variables, clippy::unused_unit, reason = "the empty tuple uses none")]
            fn get<'b, 'a: 'b>(access: &'b mut Self::Access<'a>, i: usize) -> Self::Args<'b> {
                ($($k::get(&mut access.$i, i),)*)
            }

            #[allow(unused_variables, reason = "the empty tuple uses none")]
            fn values(slots: &[Slot<'_>], i: usize) -> Vec<Value> {
                vec![$($k::value(&slots[$i], i, $i)),*]
            }

            #[allow(unused_variables, reason = "the empty tuple uses none")]
            fn views<'s>(
                slots: &'s [Slot<'_>],
                segment: &Segment,
            ) -> Vec<Option<Box<dyn eval::View + 's>>> {
                vec![$($k::view(&slots[$i], segment)),*]
            }
        }
    };
}
for_each_arity!(param_list);
