//! Some steps of all folds of a piece, and what all steps come to.
#![allow(unsafe_code, reason = "vouches that outputs are written")]

use super::{FoldAlong, Shared, fold, values::Folds};
use crate::{
    caught::or_unwind,
    element::zero,
    frame::Frame,
    host_memory,
    param::{Outputs, ParamList},
    plan::{StepFolds, StepTotals},
    skeleton::{
        axis::AlongAxis,
        components::Operators,
        grouped::{Columns, Pointers},
    },
    user_function::UserFunction,
};
use std::ops::Range;

impl<F, R, P, L: AlongAxis> Shared<F, R, P, L>
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
    R: Operators<F::Output>,
{
    fn fold_steps(piece: &mut Frame<'_>, steps: &Range<usize>) -> StepTotals {
        let (first, values) = (piece.range.start, piece.range.len());
        let mut totals: Vec<R::Value> = or_unwind(host_memory::filled(values, zero()));
        for folds in Folds::of(piece, piece.range.clone()) {
            let Range { start, end } = folds.values;
            let totals = &mut totals[start - first..end - first];
            fold::<F, R, P, L>(piece, &folds.of_steps(steps.clone()), totals);
        }
        Box::new(totals)
    }

    fn put_steps(piece: &mut Frame<'_>, totals: Vec<StepTotals>, begins: bool) {
        let values = piece.range.len();
        let mut columns = Columns::new(Pointers::of::<R::Operator>());
        for totals in totals {
            match totals.downcast::<Vec<R::Value>>() {
                Ok(totals) if totals.len() == values => columns.push(*totals),
                _ => panic!("the steps of another piece"),
            }
        }
        let totals = columns.value();
        assert_eq!(totals.len(), values, "folds without steps");
        let (first, parts) = (piece.range.start, Folds::of(piece, piece.range.clone()));
        let (outputs, initial) = Self::outputs(piece, begins);
        for Folds { values, .. } in parts {
            let totals = &totals[values.start - first..values.end - first];
            Self::put(outputs, initial, &values, totals);
        }
    }
}

// SAFETY: `put_steps` puts a value for every element of the piece, in all slots that are only to be written: `outputs`
// asserts which.
unsafe impl<F, R, P, L: AlongAxis, const BEGINS: bool> StepFolds for FoldAlong<F, R, P, L, BEGINS>
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
    R: Operators<F::Output>,
{
    fn grain(&self, piece: &Frame<'_>) -> usize {
        Folds::of(piece, piece.range.clone())
            .next()
            .map_or(usize::MAX, |folds| folds.grain())
    }

    fn fold(&self, piece: &mut Frame<'_>, steps: Range<usize>) -> StepTotals {
        Shared::<F, R, P, L>::fold_steps(piece, &steps)
    }

    fn put(&self, piece: &mut Frame<'_>, totals: Vec<StepTotals>) {
        Shared::<F, R, P, L>::put_steps(piece, totals, BEGINS);
    }
}
