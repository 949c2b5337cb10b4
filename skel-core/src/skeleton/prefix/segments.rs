//! Scans of several segments: an element that begins one forgets what precedes it.
#![allow(unsafe_code, reason = "an element type without padding")]

use super::Form;
use crate::{
    Element,
    element::Check,
    ir::{Imp, Ty, Value, build::Cx},
    param::{Each, Index2, ParamList, Params, Uniform},
    plan::Role,
    skeleton::fold::Operator,
    user_function::{Function2, UserFunction},
};
use skel_macros::user_function;
use std::marker::PhantomData;

/// The combination of some elements since the last beginning of a segment among them, if there is one.
#[derive(Clone, Copy)]
#[repr(C, packed)]
pub(in crate::skeleton) struct Flagged<T> {
    value: T,
    starts: bool,
}

impl<T: Element> Flagged<T> {
    /// What precedes all elements.
    pub(in crate::skeleton) fn before(value: T) -> Self {
        Flagged {
            value,
            starts: false,
        }
    }
}

/// Whether the bytes are any number of them.
fn are_flagged<T: Element>(bytes: &[u8]) -> bool {
    let whole = bytes.chunks_exact(size_of::<Flagged<T>>());
    whole.remainder().is_empty()
        && whole.into_iter().all(|bytes| {
            let (value, starts) = bytes.split_at(size_of::<T>());
            T::CHECK.is_none_or(|check| check(value)) && starts[0] <= 1
        })
}

// SAFETY: packed, so without padding; zero bytes are a value of both parts, and the check is of both.
unsafe impl<T: Element> Element for Flagged<T> {
    const IS_SCALAR: bool = false;
    const CHECK: Option<Check> = Some(are_flagged::<T>);

    fn ty() -> Ty {
        Ty::structure("Flagged", &[("value", T::ty()), ("starts", Ty::Bool)])
    }

    fn to_value(self) -> Value {
        let Flagged { value, starts } = self;
        Value::structure(&Self::ty(), vec![value.to_value(), Value::Bool(starts)])
    }

    fn from_value(value: &Value) -> Option<Self> {
        let [value, starts] = crate::element::struct_parts(value)?;
        Some(Flagged {
            value: T::from_value(value)?,
            starts: bool::from_value(starts)?,
        })
    }
}

/// `R` within segments.
#[user_function]
#[inline(always)]
pub(in crate::skeleton) fn within<T: Element, R: Function2<T, T, T>>(
    left: Flagged<T>,
    right: Flagged<T>,
) -> Flagged<T> {
    if right.starts {
        right
    } else {
        Flagged {
            value: R::call(left.value, right.value),
            starts: left.starts,
        }
    }
}

/// Marks the elements that begin a row.
#[user_function]
#[inline(always)]
pub(in crate::skeleton) fn mark_rows<T: Element>(x: T, at: Index2) -> Flagged<T> {
    Flagged {
        value: x,
        starts: at.col == 0,
    }
}

/// The same, with a value that precedes each row.
#[user_function]
#[inline(always)]
pub(in crate::skeleton) fn mark_rows_from<T: Element, R: Function2<T, T, T>>(
    x: T,
    #[uniform] initial: T,
    at: Index2,
) -> Flagged<T> {
    mark_from::<T, R>(x, at.col == 0, initial)
}

/// Marks the elements that have a flag.
#[user_function]
#[inline(always)]
pub(in crate::skeleton) fn mark<T: Element>(x: T, starts: bool) -> Flagged<T> {
    Flagged { value: x, starts }
}

/// The same, with a value that precedes each segment.
#[user_function]
#[inline(always)]
pub(in crate::skeleton) fn mark_from<T: Element, R: Function2<T, T, T>>(
    x: T,
    starts: bool,
    #[uniform] initial: T,
) -> Flagged<T> {
    let value = if starts { R::call(initial, x) } else { x };
    Flagged { value, starts }
}

/// What is written of an element, from the prefix and its own state.
#[user_function]
#[inline(always)]
fn value<T: Element>(prefix: Flagged<T>, _own: Flagged<T>) -> T {
    prefix.value
}

/// The same, where an initial value is passed.
#[user_function]
#[inline(always)]
fn value_beside<T: Element>(prefix: Flagged<T>, _own: Flagged<T>, #[uniform] _initial: T) -> T {
    prefix.value
}

/// The same, where nothing but the initial value precedes the first element of a segment.
#[user_function]
#[inline(always)]
fn value_before<T: Element>(prefix: Flagged<T>, own: Flagged<T>, #[uniform] initial: T) -> T {
    if own.starts { initial } else { prefix.value }
}

/// Parameters of elements in segments.
pub(in crate::skeleton) trait Segments<T: Element, R>:
    ParamList + Sized
{
    /// Marks the elements that begin a segment: each row begins one, unless there are flags. Where there is an
    /// initial value, it precedes each segment.
    type Mark: UserFunction<Self, Output = Flagged<T>>;

    /// Whether there are no flags.
    const ROWS: bool;

    /// The element, and the initial value, if it is passed.
    fn element(args: Self::Args<'_>) -> (T, Option<T>);
}

impl<T: Element, R: Operator<T>> Segments<T, R> for (Each<T>,) {
    type Mark = mark_rows;
    const ROWS: bool = true;

    #[inline(always)]
    fn element((x,): (T,)) -> (T, Option<T>) {
        (x, None)
    }
}

impl<T: Element, R: Operator<T>> Segments<T, R> for (Each<T>, Uniform<T>) {
    type Mark = mark_rows_from<R>;
    const ROWS: bool = true;

    #[inline(always)]
    fn element((x, initial): (T, T)) -> (T, Option<T>) {
        (x, Some(initial))
    }
}

impl<T: Element, R: Operator<T>> Segments<T, R> for (Each<T>, Each<bool>) {
    type Mark = mark;
    const ROWS: bool = false;

    #[inline(always)]
    fn element((x, _): (T, bool)) -> (T, Option<T>) {
        (x, None)
    }
}

impl<T: Element, R: Operator<T>> Segments<T, R> for (Each<T>, Each<bool>, Uniform<T>) {
    type Mark = mark_from<R>;
    const ROWS: bool = false;

    #[inline(always)]
    fn element((x, _, initial): (T, bool, T)) -> (T, Option<T>) {
        (x, Some(initial))
    }
}

/// Operator, elements, parameters.
type Types<R, T, P> = PhantomData<fn() -> (R, T, P)>;

/// Segments, of elements that are combined by `R`.
pub(in crate::skeleton) struct Segmented<R, T, P, const EXCLUSIVE: bool>(Types<R, T, P>);

impl<R, T, P, const EXCLUSIVE: bool> Form for Segmented<R, T, P, EXCLUSIVE>
where
    R: Operator<T>,
    T: Element,
    P: Segments<T, R>,
{
    type Params = P;
    type State = Flagged<T>;
    type Output = T;
    type Map = P::Mark;
    type Operator = within<R>;
    type Inner = T;
    type InnerOperator = R;
    const EXCLUSIVE: bool = EXCLUSIVE;
    const ROWS: bool = P::ROWS;
    const FLAGS: bool = true;

    #[inline(always)]
    fn element(args: <P as Params>::Args<'_>) -> (T, Option<T>) {
        P::element(args)
    }

    #[inline(always)]
    fn output(prefix: T) -> T {
        prefix
    }

    #[inline(always)]
    fn inner(state: Flagged<T>) -> (T, bool) {
        (state.value, state.starts)
    }

    #[inline(always)]
    fn outer(value: T, starts: bool) -> Flagged<T> {
        Flagged { value, starts }
    }

    #[inline(always)]
    fn emit(prefix: Flagged<T>, own: Flagged<T>, args: <P as Params>::Args<'_>) -> T {
        match P::element(args).1 {
            Some(initial) if EXCLUSIVE => value_before(prefix, own, initial),
            Some(initial) => value_beside(prefix, own, initial),
            None => value(prefix, own),
        }
    }

    fn emission(cx: &mut Cx) -> Imp {
        type States<T> = (Each<Flagged<T>>, Each<Flagged<T>>);
        type StatesAndInitial<T> = (Each<Flagged<T>>, Each<Flagged<T>>, Uniform<T>);
        match (P::ROLES.contains(&Role::Uniform), EXCLUSIVE) {
            (false, _) => <value as UserFunction<States<T>>>::ir(cx),
            (true, false) => <value_beside as UserFunction<StatesAndInitial<T>>>::ir(cx),
            (true, true) => <value_before as UserFunction<StatesAndInitial<T>>>::ir(cx),
        }
    }
}
