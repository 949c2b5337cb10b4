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
    components::{Operators, Packing},
    elementwise::{arguments, kernel},
    fold::Operator,
    reduce::itself,
    trap::{self, Cause, Reads},
};
use crate::{
    Element, Error, Result,
    frame::{Before, Frame, Partial, Slot, Spine},
    ir::build,
    isa,
    param::{Each, Outputs, ParamList, Uniform},
    plan::{self, Argument, Kernel, Pattern, Phases, Role, StepFolds, cached},
    user_function::UserFunction,
};
use std::{marker::PhantomData, sync::Arc};
use values::Folds;

type Types<F, R, P> = PhantomData<fn() -> (F, R, P)>;

/// The plan of folds along an axis; with `BEGINS`, the argument behind the others is what every fold
/// begins with.
pub(super) struct FoldAlong<F, R, P, const BEGINS: bool>(Types<F, R, P>);

impl<F, R, P, const BEGINS: bool> FoldAlong<F, R, P, BEGINS>
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

    /// Number of slots before the outputs.
    const INPUTS: usize = P::LEN + BEGINS as usize;
}

/// All steps of some folds, whose values go to the outputs.
struct Loop<'a, 'm, F, R, P, const BEGINS: bool> {
    frame: &'a mut Frame<'m>,
    folds: Folds,
    _types: Types<F, R, P>,
}

impl<F, R, P, const BEGINS: bool> isa::Body for Loop<'_, '_, F, R, P, BEGINS>
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
    R: Operators<F::Output>,
{
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let inputs = FoldAlong::<F, R, P, BEGINS>::INPUTS;
        let (inputs, outputs) = self.frame.slots.split_at_mut(inputs);
        let (inputs, rest) = inputs.split_at_mut(P::LEN);
        let initial = rest.first_mut().map(initial::<R::Value>);
        let mut outputs = <F::Output as Outputs>::open(outputs, &self.folds.values);
        self.folds.each::<F, R, P>(inputs, |k, total| {
            let value = behind::<R::Value, R::Operator>(initial, total);
            <F::Output as Outputs>::put(&mut outputs, k, R::unpack(value));
        });
    }
}

#[inline(always)]
fn initial<T: Element>(slot: &mut Slot<'_>) -> T {
    match slot {
        Slot::In(view) => view.slice(0..1)[0],
        _ => unreachable!("what a fold begins with is one value"),
    }
}

/// What a fold comes to, behind what it begins with.
#[inline(always)]
fn behind<T: Element, R: Operator<T>>(initial: Option<T>, total: T) -> T {
    match initial {
        Some(initial) => R::apply(initial, total),
        None => total,
    }
}

// SAFETY: the loop puts a value for every element of the piece, in all slots that are only to be written:
// `assert_slots`. Rows and columns are not empty, since the skeleton sees to those that are.
unsafe impl<F, R, P, const BEGINS: bool> Phases for FoldAlong<F, R, P, BEGINS>
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
    R: Operators<F::Output>,
{
    fn pattern(&self) -> Pattern {
        Pattern::Elementwise
    }

    fn local(&self, piece: &mut Frame<'_>) -> Spine {
        piece.assert_slots(P::LEN + usize::from(BEGINS), <F::Output as Outputs>::LEN);
        for folds in Folds::of(piece) {
            isa::dispatch(Loop::<F, R, P, BEGINS> {
                frame: piece,
                folds,
                _types: PhantomData,
            });
        }
        Spine::EMPTY
    }

    fn step_folds(&self) -> Option<&dyn StepFolds> {
        Some(self)
    }

    fn kernel(&self) -> Result<&'static Arc<Kernel>> {
        cached::<Self>(|| {
            let (program, [map, operator]) = build::build_all([F::ir, R::Operator::ir])?;
            let operator = Some((operator, R::Operator::COMMUTATIVE));
            let mut arguments = arguments::<P>(&<F::Output as Outputs>::tys());
            if BEGINS {
                let initial = Argument {
                    role: Role::Uniform,
                    ty: <R::Value as Element>::ty(),
                };
                arguments.insert(P::LEN, initial);
            }
            let kernel = kernel::<F::At>(Pattern::Elementwise, program, map, operator, arguments);
            let kernel = kernel.combining(size_of::<R::Value>());
            Ok(if BEGINS {
                kernel.with_initial(P::LEN)
            } else {
                kernel
            })
        })
    }

    fn find_trap(&self, piece: Frame<'_>, before: &Before, _: Partial) -> Option<Error> {
        let along = piece.space.along()?;
        let mut run = |piece: &mut Frame<'_>| _ = self.local(piece);
        let (mut value, first) = trap::first_panic(piece, before, &mut run)?;
        let index = value.range.start;
        let elements = (0..along.depth()).map(|step| {
            let element = along.element(index, step);
            element..element + 1
        });
        let initial = BEGINS.then(|| initial::<R::Value>(&mut value.slots[P::LEN]));
        let walked =
            trap::walk::<Packing<F, R>, R::Operator, P>(&mut value, elements, initial, false);
        let kernel = self.kernel();
        Some(match walked {
            None => plan::unplaced(kernel, F::NAME, Some(index), first),
            Some((Cause::Element(i), caught)) => trap::of_element(
                kernel,
                const { &Reads::of::<F, P>() },
                &value,
                i,
                Some(index),
                caught,
            ),
            Some((Cause::Operator(left, right), caught)) => {
                trap::of_operator::<_, R::Operator>(kernel, (left, right), Some(index), caught)
            }
        })
    }
}

/// `fn(k) -> k`, whose result may be a tuple: what rows and columns without elements give.
pub(super) struct Constant<O, R>(PhantomData<fn() -> (O, R)>);

impl<O: Outputs, R: Operators<O>> UserFunction<(Uniform<R::Value>,)> for Constant<O, R> {
    type At = ();
    type Output = O;
    const NAME: &'static str = "constant";

    #[inline(always)]
    fn call((): (), (value,): (R::Value,)) -> O {
        R::unpack(value)
    }

    fn ir(cx: &mut build::Cx) -> crate::ir::Imp {
        <itself as UserFunction<(Each<R::Value>,)>>::ir(cx)
    }
}
