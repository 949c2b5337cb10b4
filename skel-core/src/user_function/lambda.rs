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
    lanes::Var,
    param::{Params, Position, Source as Lanes},
};
use std::{any::Any, marker::PhantomData};

/// The user function of a closure: its parameter kinds, index and result, the closure `C` itself,
/// its builder `B`, its faces `L` for lanes, and whether it is spelled like an operator that commutes on numbers.
#[expect(clippy::type_complexity, reason = "it is a list of types")]
pub struct Lambda<P, At, R, C, B, L, const COMMUTES: bool>(
    PhantomData<fn() -> (P, At, R, C, B, L)>,
);

impl<P, At, R, C, B, const COMMUTES: bool> Lambda<P, At, R, C, B, NoFaces, COMMUTES>
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
        const { assert!(size_of::<(C, B)>() == 0, "{}", CAPTURES) }
        Fun::new()
    }
}

const CAPTURES: &str =
    "a closure given to a skeleton captures nothing: pass the value as a #[uniform] parameter";

impl<P, At, R, C, B, L, K, const HAS: bool, const GUESSES: bool, const COMMUTES: bool>
    Lambda<P, At, R, C, B, Faces<L, K, HAS, GUESSES>, COMMUTES>
where
    P: Params,
    At: Position,
    R: Typed,
    C: for<'a> Fn(At, P::Args<'a>) -> R + Copy + Send + Sync + 'static,
    B: Fn(&mut Cx, &Slot<R>) -> Source + Copy + Send + Sync + 'static,
    L: Fn(&mut dyn Lanes<P, At = At>, &mut Var<R, 16>) + Copy + Send + Sync + 'static,
    K: Fn(&mut dyn Lanes<P, At = At>, &mut Var<R, 32>) + Copy + Send + Sync + 'static,
{
    /// The same, with faces for 16 and for 32 lanes. All closures must capture nothing.
    #[must_use]
    pub fn with_lanes(_host: C, _builder: B, _of_16: L, _of_32: K) -> Fun<Self> {
        const { assert!(size_of::<(C, B, L, K)>() == 0, "{}", CAPTURES) }
        Fun::new()
    }
}

impl<P, At, R, C, B, L, const COMMUTES: bool> UserFunction<P>
    for Lambda<P, At, R, C, B, L, COMMUTES>
where
    P: Params,
    At: Position,
    R: Typed,
    C: for<'a> Fn(At, P::Args<'a>) -> R + Copy + Send + Sync + 'static,
    B: Fn(&mut Cx, &Slot<R>) -> Source + Copy + Send + Sync + 'static,
    L: ClosureLanes<P, At, R>,
{
    type At = At;
    type Output = R;

    const NAME: &'static str = "closure";
    const COMMUTATIVE: bool = COMMUTES && R::IS_SCALAR;
    const HAS_LANES: bool = L::HAS;
    const LANES_MAY_GUESS: bool = L::MAY_GUESS;

    #[inline(always)]
    fn call(at: At, args: P::Args<'_>) -> R {
        made_up::<C>()(at, args)
    }

    #[inline(always)]
    fn lanes<const N: usize, S: Lanes<P, At = At>>(source: &mut S, out: &mut Var<R, N>) {
        L::run(source, out);
    }

    fn ir(cx: &mut Cx) -> Imp {
        cx.define::<Self>(Self::NAME, |cx| made_up::<B>()(cx, &Slot::new()))
    }
}

/// The faces for lanes that a closure has.
pub trait ClosureLanes<P: Params, At, R>: 'static {
    /// See [`UserFunction::HAS_LANES`].
    const HAS: bool;
    /// See [`UserFunction::LANES_MAY_GUESS`].
    const MAY_GUESS: bool;

    /// Calls the closure for a block of elements.
    fn run<const N: usize, S: Lanes<P, At = At>>(source: &mut S, out: &mut Var<R, N>);
}

/// None.
pub struct NoFaces;

impl<P: Params, At, R> ClosureLanes<P, At, R> for NoFaces {
    const HAS: bool = false;
    const MAY_GUESS: bool = false;

    #[inline(always)]
    fn run<const N: usize, S: Lanes<P, At = At>>(_: &mut S, _: &mut Var<R, N>) {}
}

/// One for 16 lanes, one for 32; whether they compute anything, and whether they may go on with values that the closure
/// does not see.
pub struct Faces<L, K, const HAS: bool, const GUESSES: bool>(PhantomData<fn() -> (L, K)>);

impl<P, At, R, L, K, const HAS: bool, const GUESSES: bool> ClosureLanes<P, At, R>
    for Faces<L, K, HAS, GUESSES>
where
    P: Params,
    At: Position,
    R: Typed,
    L: Fn(&mut dyn Lanes<P, At = At>, &mut Var<R, 16>) + Copy + Send + Sync + 'static,
    K: Fn(&mut dyn Lanes<P, At = At>, &mut Var<R, 32>) + Copy + Send + Sync + 'static,
{
    const HAS: bool = HAS;
    const MAY_GUESS: bool = GUESSES;

    #[inline(always)]
    fn run<const N: usize, S: Lanes<P, At = At>>(source: &mut S, out: &mut Var<R, N>) {
        const { assert!(N == 16 || N == 32, "there is no face for as many lanes") }
        let out: &mut dyn Any = out;
        if let Some(out) = out.downcast_mut::<Var<R, 16>>() {
            made_up::<L>()(source, out);
        } else if let Some(out) = out.downcast_mut::<Var<R, 32>>() {
            made_up::<K>()(source, out);
        }
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
    const HAS_LANES: bool = F::HAS_LANES;
    const LANES_MAY_GUESS: bool = F::LANES_MAY_GUESS;

    #[inline(always)]
    fn call(at: F::At, args: P::Args<'_>) -> F::Output {
        F::call(at, args)
    }

    #[inline(always)]
    fn lanes<const N: usize, S: Lanes<P, At = F::At>>(source: &mut S, out: &mut Var<F::Output, N>) {
        F::lanes(source, out);
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
    // that a read of no bytes asks. That a value of `C` may exist: this is called only through the impls of
    // `UserFunction` for `Lambda` and of `ClosureLanes` for `Faces`, which are private to what the macros write; they
    // obtain these types from `Lambda::fun` or `Lambda::with_lanes`, which took a value of `C`; and `C` is `Copy`, so
    // another is as good.
    unsafe { std::ptr::NonNull::<C>::dangling().as_ptr().read() }
}
