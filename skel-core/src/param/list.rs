//! All parameters of a function.

use super::{Form, Param, Params, for_each_arity};
use crate::{
    frame::Slot,
    ir::{Ty, Value, eval},
    plan::Role,
    space::Segment,
};
use std::ops::Range;

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

    /// Several rows of them, opened at once.
    type Rows<'a>;

    /// The types in the IR.
    fn tys() -> Vec<Ty>;

    /// See [`Param::cut`].
    fn cut(slots: &[Slot<'_>], segment: &Segment, rows: usize) -> usize;

    /// See [`Param::rows`].
    fn rows(slots: &[Slot<'_>], segment: &Segment, most: usize) -> usize;

    /// See [`Param::open_rows`].
    fn open_rows<'a>(slots: &'a mut [Slot<'_>], segment: &Segment, rows: usize) -> Self::Rows<'a>;

    /// See [`Param::are_one`].
    fn are_one(opened: &Self::Rows<'_>, elems: usize) -> bool;

    /// See [`Param::join`].
    fn join(opened: &mut Self::Rows<'_>);

    /// See [`Param::row`].
    fn row<'b, 'a: 'b>(
        opened: &'b mut Self::Rows<'a>,
        row: usize,
        first: usize,
        elems: usize,
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
            const CHANGES: bool = false $(|| matches!($k::ROLE, Role::InOut | Role::LineMut))*;
            type Access<'a> = ($($k::Access<'a>,)*);
            type Rows<'a> = ($($k::Rows<'a>,)*);

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
            ) -> Self::Rows<'a> {
                let [$($k,)* ..] = slots else { unreachable!("a frame has a slot per parameter") };
                ($($k::open_rows($k, segment, rows),)*)
            }

            #[inline(always)]
            #[allow(unused_variables, reason = "the empty tuple uses none")]
            fn are_one(opened: &Self::Rows<'_>, elems: usize) -> bool {
                true $(&& $k::are_one(&opened.$i, elems))*
            }

            #[inline(always)]
            #[allow(unused_variables, reason = "the empty tuple uses none")]
            fn join(opened: &mut Self::Rows<'_>) {
                $($k::join(&mut opened.$i);)*
            }

            #[inline(always)]
            #[allow(unused_variables, clippy::unused_unit, reason = "the empty tuple uses none")]
            fn row<'b, 'a: 'b>(
                opened: &'b mut Self::Rows<'a>,
                row: usize,
                first: usize,
                elems: usize,
            ) -> Self::Access<'b> {
                ($($k::row(&mut opened.$i, row, first, elems),)*)
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
