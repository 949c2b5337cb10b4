//! Some steps of all folds of a piece, and what all steps come to.
#![allow(unsafe_code, reason = "vouches that outputs are written")]

use super::{FoldAlong, Types, behind, initial, values::Folds};
use crate::{
    Element,
    caught::or_unwind,
    frame::Frame,
    host_memory, isa,
    param::{Outputs, ParamList},
    plan::{StepFolds, StepTotals},
    skeleton::{components::Operators, grouped::Columns},
    user_function::UserFunction,
};
use std::{marker::PhantomData, ops::Range};

/// Some steps of some folds, whose values are kept.
struct Loop<'a, 'm, F, R: Operators<F::Output>, P: ParamList>
where
    F: UserFunction<P>,
{
    frame: &'a mut Frame<'m>,
    folds: Folds,
    totals: &'a mut Vec<R::Value>,
    _types: Types<F, R, P>,
}

impl<F, R, P> isa::Body for Loop<'_, '_, F, R, P>
where
    P: ParamList,
    F: UserFunction<P>,
    R: Operators<F::Output>,
{
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let inputs = &mut self.frame.slots[..P::LEN];
        self.folds
            .each::<F, R, P>(inputs, |_, total| self.totals.push(total));
    }
}

/// Combines what the steps of each fold came to.
struct Join<T, R> {
    totals: Vec<Vec<T>>,
    _operator: PhantomData<R>,
}

impl<T: Element, R: super::Operator<T>> isa::Body for Join<T, R> {
    type Output = Vec<T>;

    #[inline(always)]
    fn run(self) -> Vec<T> {
        let mut columns = Columns::default();
        for totals in self.totals {
            columns.push::<R>(totals);
        }
        columns.value::<R>()
    }
}

// SAFETY: `put` puts a value for every element of the piece, in all slots that are only to be written: `assert_slots`.
unsafe impl<F, R, P, const BEGINS: bool> StepFolds for FoldAlong<F, R, P, BEGINS>
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
    R: Operators<F::Output>,
{
    fn grain(&self, piece: &Frame<'_>) -> usize {
        Folds::of(piece)
            .next()
            .map_or(usize::MAX, |folds| folds.grain())
    }

    fn fold(&self, piece: &mut Frame<'_>, steps: Range<usize>) -> StepTotals {
        piece.assert_slots(Self::INPUTS, <F::Output as Outputs>::LEN);
        let mut totals: Vec<R::Value> = or_unwind(host_memory::vec(piece.range.len()));
        for folds in Folds::of(piece) {
            isa::dispatch(Loop::<F, R, P> {
                frame: piece,
                folds: folds.of_steps(steps.clone()),
                totals: &mut totals,
                _types: PhantomData,
            });
        }
        Box::new(totals)
    }

    fn put(&self, piece: &mut Frame<'_>, totals: Vec<StepTotals>) {
        piece.assert_slots(Self::INPUTS, <F::Output as Outputs>::LEN);
        let values = piece.range.len();
        let typed = |totals: StepTotals| match totals.downcast::<Vec<R::Value>>() {
            Ok(totals) if totals.len() == values => *totals,
            _ => panic!("the steps of another piece"),
        };
        let totals = isa::dispatch(Join::<R::Value, R::Operator> {
            totals: totals.into_iter().map(typed).collect(),
            _operator: PhantomData,
        });
        assert_eq!(totals.len(), values, "folds without steps");
        let (first, range) = (piece.range.start, Folds::of(piece));
        let (inputs, outputs) = piece.slots.split_at_mut(Self::INPUTS);
        let initial = inputs.get_mut(P::LEN).map(initial::<R::Value>);
        for Folds { values, .. } in range {
            let mut outputs = <F::Output as Outputs>::open(outputs, &values);
            for (k, value) in values.enumerate() {
                let total = totals[value - first];
                let total = behind::<R::Value, R::Operator>(initial, total);
                <F::Output as Outputs>::put(&mut outputs, k, R::unpack(total));
            }
        }
    }
}
