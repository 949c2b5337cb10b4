//! The fold pattern: `op(f(x[0], …), op(f(x[1], …), …))`, operands in order.
//!
//! The grouping is that of [`crate::plan::grouping`], whatever the pieces, threads and segments:
//!
//! - An operator that is known to commute runs in strided lanes, which LLVM turns into vector registers.
//! - Any other operator combines neighbours, block by block, which vectorises as well and keeps the order.
#![allow(unsafe_code, reason = "vouches that outputs are written")]

mod near;

use super::{
    blocks,
    elementwise::{arguments, by_rows, kernel},
    grouped::{Folding, Opened},
    trap::{self, Walk},
};
use crate::{
    Element, Error, Result,
    caught::Caught,
    frame::{Before, ElementLayout, Frame, Partial, Spine},
    ir::build,
    isa,
    param::{Each, Form, ParamList},
    plan::{Kernel, Pattern, Phases, cached},
    user_function::UserFunction,
};
use std::{marker::PhantomData, sync::Arc};

/// A binary operator on `T`: a user function `fn(T, T) -> T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot combine two `{T}`",
    label = "an operator is a user function `fn(T, T) -> T`"
)]
pub trait Operator<T: Element>: UserFunction<(Each<T>, Each<T>), Output = T, At = ()> {
    /// Combines two values, the left one first.
    #[inline(always)]
    fn apply(left: T, right: T) -> T {
        Self::call((), (left, right))
    }
}

#[diagnostic::do_not_recommend]
impl<T, R> Operator<T> for R
where
    T: Element,
    R: UserFunction<(Each<T>, Each<T>), Output = T, At = ()>,
{
}

/// What a fold is made of: element function, operator, parameters.
type Types<F, R, P> = PhantomData<fn() -> (F, R, P)>;

/// The plan of Reduce, MapReduce and MapOverlapReduce.
pub(super) struct Fold<F, R, P>(Types<F, R, P>);

impl<F, R, P> Fold<F, R, P>
where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
    R: Operator<F::Output>,
{
    pub(super) const PLAN: &'static dyn Phases = {
        const {
            assert!(
                P::NEAR.is_none(),
                "windows are for `map_overlap!` and `map_overlap_reduce!`, pools for `map_pool!`"
            );
            assert!(P::SWEEPS == 0, "sweeps are for `sweep!`")
        };
        &Self(PhantomData)
    };

    /// Elements see windows, which look so.
    pub(super) const NEAR: Form = match P::NEAR {
        Some(form) => form,
        None => {
            panic!("`map_overlap_reduce!` needs a window: for other functions, use `map_reduce!`")
        }
    };

    /// Elements see windows.
    pub(super) const WINDOWS: &'static dyn Phases = {
        const {
            assert!(!Self::NEAR.pool, "pools are for `map_pool!`");
            assert!(!P::HAS_LINES, "lines are for `map_lines!`");
            assert!(P::SWEEPS == 0, "sweeps are for `sweep!`");
            assert!(
                blocks::only_reads::<P>(),
                "what is reduced over windows changes no argument: leave out the `&mut`"
            );
        };
        &Self(PhantomData)
    };
}

/// The loop over the segments of a piece.
struct Loop<'a, 'm, T: Element, F, R, P, const BY_LANES: bool> {
    folding: &'a mut Folding<T, BY_LANES>,
    frame: &'a mut Frame<'m>,
    /// Whether no elements follow.
    last: bool,
    _types: Types<F, R, P>,
}

impl<F, R, P, const BY_LANES: bool> Loop<'_, '_, F::Output, F, R, P, BY_LANES>
where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
    R: Operator<F::Output>,
{
    #[inline(always)]
    fn fold<const COMPUTED: bool>(self) {
        let (mut rest, opening) = (self.frame.range.clone(), self.frame.opening());
        while !rest.is_empty() {
            let segment = opening.segment(&rest, by_rows::<F, P>());
            rest.start = segment.range().end;
            let mut access = P::open(&mut self.frame.slots[..P::LEN], &segment);
            let mut elements = Opened::<F, R, P>::new(&segment, &mut access);
            let n = segment.range().len();
            self.folding
                .add::<COMPUTED>(&mut elements, n, self.last && rest.is_empty());
        }
    }
}

impl<F, R, P, const BY_LANES: bool> isa::Body for Loop<'_, '_, F::Output, F, R, P, BY_LANES>
where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
    R: Operator<F::Output>,
{
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.fold::<false>();
    }

    #[inline(always)]
    fn run_baseline(self) {
        self.fold::<true>();
    }
}

/// Combines the elements of a piece, by lanes or in order.
///
/// Not inlined: it would be compiled a second time where it is.
#[inline(never)]
fn combined<F, R, P, const BY_LANES: bool>(piece: &mut Frame<'_>) -> Spine
where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
    R: Operator<F::Output>,
{
    let elems = piece.space.shape().len();
    let mut folding = Folding::<F::Output, BY_LANES>::new(piece.grouping, &piece.range, elems);
    isa::dispatch(Loop::<F::Output, F, R, P, BY_LANES> {
        folding: &mut folding,
        frame: piece,
        last: true,
        _types: PhantomData,
    });
    folding.spine::<R>()
}

// SAFETY: a fold has no output slots: `assert_slots`.
unsafe impl<F, R, P> Phases for Fold<F, R, P>
where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
    R: Operator<F::Output>,
{
    fn pattern(&self) -> Pattern {
        Pattern::Fold
    }

    fn partial_layout(&self) -> Option<ElementLayout> {
        Some(ElementLayout::of::<F::Output>())
    }

    fn local(&self, piece: &mut Frame<'_>) -> Spine {
        piece.assert_slots(P::LEN, 0);
        if const { P::NEAR.is_some() } {
            return match R::COMMUTATIVE {
                true => near::fold::<F, R, P, true>(self, piece),
                false => near::fold::<F, R, P, false>(self, piece),
            };
        }
        match (
            const { F::HAS_LANES && blocks::only_reads::<P>() },
            R::COMMUTATIVE,
        ) {
            (true, true) => blocks::fold::<F, R, P, true>(self, piece),
            (true, false) => blocks::fold::<F, R, P, false>(self, piece),
            (false, true) => combined::<F, R, P, true>(piece),
            (false, false) => combined::<F, R, P, false>(piece),
        }
    }

    fn combine(&self, left: &Partial, right: &Partial) -> Partial {
        match (left.get::<F::Output>(), right.get::<F::Output>()) {
            (Some(a), Some(b)) => Partial::of(R::apply(a, b)),
            (None, _) => right.clone(),
            (_, None) => left.clone(),
        }
    }

    fn kernel(&self) -> Result<&'static Arc<Kernel>> {
        cached::<Self>(|| {
            let (program, [map, operator]) = build::build_all([F::ir, R::ir])?;
            let operator = Some((operator, R::COMMUTATIVE));
            let kernel =
                kernel::<F::At>(Pattern::Fold, program, map, operator, arguments::<P>(&[]));
            Ok(kernel.combining(size_of::<F::Output>()))
        })
    }

    fn find_trap(&self, mut piece: Frame<'_>, before: &Before, carry: Partial) -> Option<Error> {
        let mut total: Vec<F::Output> = carry.get().into_iter().collect();
        let walk = const { &Walk::of::<F, R, P>() };
        trap::of_combined(self.kernel(), walk, &mut piece, before, &mut total, true)
    }

    fn combine_trap(&self, left: &Partial, right: &Partial, caught: Caught) -> Error {
        trap::of_partials::<F::Output>(self.kernel(), R::NAME, [left, right], caught)
    }
}
