//! Closures as user functions.
//!
//! `map!(|x: f32| 2.0 * x)` makes two closures of one: the user's, which CPUs call, and the IR
//! builder. [`UserFunction`] has no `self`, as the functions that skeletons are made of are known by
//! type alone; so the closures, which capture nothing and therefore have no bytes, are made up out
//! of their types where they are called.

use super::{Fun, Slot, Typed, UserFunction};
use crate::{
    ir::{
        Imp,
        build::{Cx, Source},
    },
    param::{Params, Position},
};
use std::marker::PhantomData;

/// The user function of a closure: its parameter kinds, index and result, the closure `C` itself,
/// its builder `B`, and whether it is spelled like an operator that commutes on numbers.
#[expect(clippy::type_complexity, reason = "it is a list of types")]
pub struct Lambda<P, At, R, C, B, const COMMUTES: bool>(PhantomData<fn() -> (P, At, R, C, B)>);

impl<P, At, R, C, B, const COMMUTES: bool> Lambda<P, At, R, C, B, COMMUTES>
where
    P: Params,
    At: Position,
    R: Typed,
    C: for<'a> Fn(At, P::Args<'a>) -> R + Copy + Send + Sync + 'static,
    B: Fn(&mut Cx, &Slot<R>) -> Source + Copy + Send + Sync + 'static,
{
    /// The function as a value. Both closures must capture nothing.
    #[must_use]
    pub fn fun(_host: C, _builder: B) -> Fun<Self> {
        const {
            assert!(
                size_of::<C>() == 0 && size_of::<B>() == 0,
                "a closure given to a skeleton captures nothing: pass the value as a #[uniform] parameter"
            );
        }
        Fun::new()
    }
}

impl<P, At, R, C, B, const COMMUTES: bool> UserFunction<P> for Lambda<P, At, R, C, B, COMMUTES>
where
    P: Params,
    At: Position,
    R: Typed,
    C: for<'a> Fn(At, P::Args<'a>) -> R + Copy + Send + Sync + 'static,
    B: Fn(&mut Cx, &Slot<R>) -> Source + Copy + Send + Sync + 'static,
{
    type At = At;
    type Output = R;

    const NAME: &'static str = "closure";
    const COMMUTATIVE: bool = COMMUTES && R::IS_SCALAR;

    #[inline(always)]
    fn call(at: At, args: P::Args<'_>) -> R {
        made_up::<C>()(at, args)
    }

    fn ir(cx: &mut Cx) -> Imp {
        cx.define::<Self>(Self::NAME, |cx| made_up::<B>()(cx, &Slot::new()))
    }
}

/// A closure that is promised to commute.
pub struct Commutative<F>(PhantomData<fn() -> F>);

/// The closure with the promise: what `#[commutative] |a: T, b: T| …` becomes.
#[must_use]
pub fn commutative<F>(_: Fun<F>) -> Fun<Commutative<F>> {
    Fun::new()
}

impl<P: Params, F: UserFunction<P>> UserFunction<P> for Commutative<F> {
    type At = F::At;
    type Output = F::Output;

    const NAME: &'static str = F::NAME;
    const COMMUTATIVE: bool = true;

    #[inline(always)]
    fn call(at: F::At, args: P::Args<'_>) -> F::Output {
        F::call(at, args)
    }

    fn ir(cx: &mut Cx) -> Imp {
        F::ir(cx)
    }
}

/// A value of a type without bytes.
#[inline(always)]
#[expect(
    unsafe_code,
    reason = "a closure's type is all there is of it, but Rust has no way to say so"
)]
fn made_up<C: Copy>() -> C {
    const {
        assert!(
            size_of::<C>() == 0,
            "only a type without bytes can be made up"
        );
        // Of a closure that captures what cannot exist, say of an `enum` without variants, there is a type but
        // no value; an `Option` of it needs no byte to say so.
        assert!(
            size_of::<Option<C>>() > 0,
            "only a type that has a value can be made up"
        );
    }
    // SAFETY: `C` has no bytes, so none are read; the pointer is aligned and not null, which is all
    // that a read of no bytes asks. That a value of `C` may exist: this is called only through the
    // `UserFunction` impl above, whose `Lambda` is private to what the macros write; they obtain it
    // from `Lambda::fun`, which took a value of `C`; and `C` is `Copy`, so another is as good.
    unsafe { std::ptr::NonNull::<C>::dangling().as_ptr().read() }
}
