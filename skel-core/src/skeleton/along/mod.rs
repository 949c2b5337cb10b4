//! Folds of rows and columns: the elementwise pattern over their values, with a loop inside.
//!
//! A row is read where it lies, and combined as [`super::fold`] does it, its elements counted from its beginning.
//! Columns are combined side by side, row after row, so that memory is read in order: in chains of
//! [`COLUMN`](plan::grouping::COLUMN) rows, and those by a tree.
#![allow(unsafe_code, reason = "vouches that outputs are written")]

mod columns;
mod rows;
mod steps;
mod values;

use super::{
    axis::AlongAxis,
    components::{Operators, Packed, Packing},
    elementwise::{arguments, kernel},
    fold::Operator,
    reduce::itself,
    trap::{self, Cause, Walk},
};
use crate::{
    Element, Error, Result,
    caught::or_unwind,
    element::zero,
    frame::{Before, Frame, Partial, Slot, Spine},
    host_memory,
    ir::build,
    param::{Each, Outputs, ParamList, Uniform},
    plan::{self, Argument, Kernel, Pattern, Phases, Role, StepFolds, cached},
    space::Axis,
    stack,
    user_function::UserFunction,
};
use std::{marker::PhantomData, ops::Range, sync::Arc};
use values::{BLOCK, Folds};

type Types<F, R, P, L> = PhantomData<fn() -> (F, R, P, L)>;

/// The plan of folds along an axis; with `BEGINS`, the argument behind the others is what every fold
/// begins with.
pub(super) struct FoldAlong<F, R, P, L, const BEGINS: bool>(Types<F, R, P, L>);

impl<F, R, P, L: AlongAxis, const BEGINS: bool> FoldAlong<F, R, P, L, BEGINS>
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
    R: Operators<F::Output>,
{
    pub(super) const PLAN: &'static dyn Phases = {
        const {
            assert!(
                P::NEAR.is_none(),
                "windows are for `map_overlap!`, pools for `map_pool!`"
            );
            assert!(P::SWEEPS == 0, "sweeps are for `sweep!`");
            let mut k = 0;
            while k < P::ROLES.len() {
                assert!(
                    !matches!(P::ROLES[k], Role::InOut),
                    "a reduction of rows or columns changes nothing in place: take `x: T`"
                );
                k += 1;
            }
        };
        &Self(PhantomData)
    };
}

/// What plans with a beginning and without one share, so that it is compiled once. Whether it `begins` is an argument of
/// theirs.
struct Shared<F, R, P, L>(Types<F, R, P, L>);

#[inline(always)]
fn initial<T: Element>(slot: &mut Slot<'_>) -> T {
    match slot {
        Slot::In(view) => view.slice(0..1)[0],
        _ => unreachable!("what a fold begins with is one value"),
    }
}

/// Folds of larger elements have a stack of their own: some hundred elements are combined at once, and, where nothing is
/// optimised, lie there several times.
const MOST_ON_STACK_BYTES: usize = if cfg!(debug_assertions) { 256 } else { 1024 };

/// So many elements such a stack has room for.
const STACK_ELEMS: usize = if cfg!(debug_assertions) {
    1 << 15
} else {
    1 << 12
};

#[cold]
fn on_large_stack(elem_bytes: usize, fold: impl FnOnce() + Send) {
    let needed = elem_bytes.saturating_mul(STACK_ELEMS);
    let folded = stack::with_bytes("skel folds".into(), needed, fold);
    or_unwind(folded.map_err(|_| host_memory::short(needed)));
}

/// Writes what each of these folds comes to.
///
/// Not inlined: it is called from several places, and is compiled once for all of them.
#[inline(never)]
fn fold<F, R, P, L>(piece: &mut Frame<'_>, folds: &Folds, totals: &mut [R::Value])
where
    P: ParamList,
    F: UserFunction<P>,
    R: Operators<F::Output>,
    L: AlongAxis,
{
    assert_eq!(totals.len(), folds.values.len(), "a total of each fold");
    assert_eq!(folds.along.axis, L::AXIS, "the plan of the call's axis");
    let inputs = &mut piece.slots[..P::LEN];
    let mut fold = || match const { L::AXIS } {
        Axis::Rows => rows::fold::<F, R, P>(inputs, folds, totals),
        Axis::Cols => columns::fold::<F, R, P>(inputs, folds, totals),
    };
    if const { size_of::<R::Value>() > MOST_ON_STACK_BYTES } {
        on_large_stack(size_of::<R::Value>(), fold);
    } else {
        fold();
    }
}

impl<F, R, P, L: AlongAxis> Shared<F, R, P, L>
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
    R: Operators<F::Output>,
{
    /// Asserts that the piece has the slots of the plan. The outputs, and what the folds begin with.
    fn outputs<'a, 'm>(
        piece: &'a mut Frame<'m>,
        begins: bool,
    ) -> (&'a mut [Slot<'m>], Option<R::Value>) {
        let inputs = P::LEN + usize::from(begins);
        piece.assert_slots(inputs, <F::Output as Outputs>::LEN);
        let (inputs, outputs) = piece.slots.split_at_mut(inputs);
        (outputs, inputs.get_mut(P::LEN).map(initial::<R::Value>))
    }

    /// Writes what some folds came to, behind what they begin with.
    #[expect(
        clippy::needless_range_loop,
        reason = "with an iterator, rows of 3 and 4 elements take 7 % longer"
    )]
    fn put(
        outputs: &mut [Slot<'_>],
        initial: Option<R::Value>,
        values: &Range<usize>,
        totals: &[R::Value],
    ) {
        let n = values.len();
        assert_eq!(totals.len(), n, "a total of each fold");
        let mut outputs = <F::Output as Outputs>::open(outputs, values);
        // Exactly `n` of both, so that no access is checked.
        let (mut outputs, totals) = (
            <F::Output as Outputs>::sub(&mut outputs, 0..n),
            &totals[..n],
        );
        match initial {
            Some(initial) => {
                for k in 0..n {
                    let value = R::Operator::apply(initial, totals[k]);
                    <F::Output as Outputs>::put(&mut outputs, k, R::unpack(value));
                }
            }
            None => {
                for k in 0..n {
                    <F::Output as Outputs>::put(&mut outputs, k, R::unpack(totals[k]));
                }
            }
        }
    }

    fn local(piece: &mut Frame<'_>, begins: bool) {
        let mut rest = piece.range.clone();
        let mut totals = or_unwind(host_memory::filled(rest.len().min(BLOCK), zero()));
        while !rest.is_empty() {
            let band = Folds::band::<P, L>(piece, &rest);
            rest.start = band.end;
            for folds in Folds::of(piece, band) {
                let totals = &mut totals[..folds.values.len()];
                fold::<F, R, P, L>(piece, &folds, totals);
                let (outputs, initial) = Self::outputs(piece, begins);
                Self::put(outputs, initial, &folds.values, totals);
            }
        }
        piece.release_bands();
    }

    fn kernel(begins: bool) -> Result<Kernel> {
        let (program, [map, operator]) = build::build_all([F::ir, R::Operator::ir])?;
        let operator = Some((operator, R::Operator::COMMUTATIVE));
        let mut arguments = arguments::<P>(&<F::Output as Outputs>::tys());
        if begins {
            let initial = Argument {
                role: Role::Uniform,
                ty: <R::Value as Element>::ty(),
            };
            arguments.insert(P::LEN, initial);
        }
        let kernel = kernel::<F::At>(Pattern::Elementwise, program, map, operator, arguments);
        let kernel = kernel.combining(size_of::<R::Value>());
        Ok(match begins {
            true => kernel.with_initial(P::LEN),
            false => kernel,
        })
    }

    fn find_trap(
        plan: &dyn Phases,
        piece: Frame<'_>,
        before: &Before,
        begins: bool,
    ) -> Option<Error> {
        let along = piece.space.along()?;
        let mut run = |piece: &mut Frame<'_>| Self::local(piece, begins);
        let (mut value, first) = trap::first_panic(piece, before, &mut run)?;
        let index = value.range.start;
        let mut elements = (0..along.depth()).map(|step| {
            let element = along.element(index, step);
            element..element + 1
        });
        let initial = begins.then(|| initial::<R::Value>(&mut value.slots[P::LEN]));
        let mut total: Vec<R::Value> = initial.into_iter().collect();
        let walk = const { &Walk::of::<Packing<F, R>, R::Operator, P>() };
        let walked = walk.first_panic(&mut value, &mut elements, &mut total, false);
        let (kernel, index) = (plan.kernel(), Some(index));
        Some(match walked {
            None => plan::unplaced(kernel, F::NAME, index, first),
            Some((Cause::Element(i), caught)) => {
                trap::of_element(kernel, &walk.reads, &value, i, index, caught)
            }
            Some((Cause::Operator(operands), caught)) => {
                trap::of_operands(kernel, walk.operator, &operands, index, caught)
            }
        })
    }
}

// SAFETY: `put` puts a value for every element of the piece, in all slots that are only to be written: `outputs` asserts
// which. Rows and columns are not empty, since the skeleton sees to those that are.
unsafe impl<F, R, P, L: AlongAxis, const BEGINS: bool> Phases for FoldAlong<F, R, P, L, BEGINS>
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
    R: Operators<F::Output>,
{
    fn pattern(&self) -> Pattern {
        Pattern::Elementwise
    }

    fn local(&self, piece: &mut Frame<'_>) -> Spine {
        Shared::<F, R, P, L>::local(piece, BEGINS);
        Spine::EMPTY
    }

    fn step_folds(&self) -> Option<&dyn StepFolds> {
        Some(self)
    }

    fn kernel(&self) -> Result<&'static Arc<Kernel>> {
        cached::<Self>(|| Shared::<F, R, P, L>::kernel(BEGINS))
    }

    fn find_trap(&self, piece: Frame<'_>, before: &Before, _: Partial) -> Option<Error> {
        Shared::<F, R, P, L>::find_trap(self, piece, before, BEGINS)
    }
}

/// `fn(k) -> k`, whose result may be a tuple: what rows and columns without elements give.
pub(super) struct Constant<O, V>(PhantomData<fn() -> (O, V)>);

impl<O: Outputs, V: Packed<O>> UserFunction<(Uniform<V>,)> for Constant<O, V> {
    type At = ();
    type Output = O;
    const NAME: &'static str = "constant";

    #[inline(always)]
    fn call((): (), (value,): (V,)) -> O {
        value.unpack()
    }

    fn ir(cx: &mut build::Cx) -> crate::ir::Imp {
        <itself as UserFunction<(Each<V>,)>>::ir(cx)
    }
}
