//! Folds of rows: each where it lies, short ones several at a time.

use super::values::{Folds, element};
use crate::{
    frame::Slot,
    param::ParamList,
    skeleton::{
        components::{Operators, Packing},
        elementwise::by_rows,
        fold::Operator,
        grouped::{Folding, less_than_lanes},
    },
    space::Segment,
    user_function::UserFunction,
};
use std::ops::Range;

/// Rows of fewer than [`LANES`](crate::plan::grouping::LANES) elements that are opened together, at most.
const TOGETHER: usize = 64;

impl Folds {
    /// Folds the first of these short rows, as many as can be opened together; how many. None, where not even one can.
    #[inline(always)]
    pub(super) fn short_rows<F, R, P>(
        &self,
        inputs: &mut [Slot<'_>],
        rows: &Range<usize>,
        totals: &mut [R::Value],
    ) -> usize
    where
        P: ParamList,
        F: UserFunction<P>,
        R: Operators<F::Output>,
    {
        let cols = self.along.cols;
        let most = if by_rows::<F, P>() { 1 } else { TOGETHER };
        let elements = rows.start * cols..rows.end.min(rows.start + most) * cols;
        let segment = self.opening.segment(&elements, by_rows::<F, P>());
        let whole = segment.range().len() / cols;
        if whole == 0 {
            return 0;
        }
        let mut access = P::open(inputs, &segment);
        let elements = |row: usize| row * cols..(row + 1) * cols;
        if self.is_chain() {
            for (row, total) in totals[..whole].iter_mut().enumerate() {
                *total = chain::<F, R, P>(&segment, &mut access, elements(row));
            }
        } else {
            for (row, total) in totals[..whole].iter_mut().enumerate() {
                let (access, elements) = (&mut access, elements(row));
                *total =
                    less_than_lanes::<Packing<F, R>, R::Operator, P>(&segment, access, elements);
            }
        }
        whole
    }

    /// Folds elements of one row.
    #[inline(always)]
    pub(super) fn row<F, R, P, const BY_LANES: bool>(
        &self,
        inputs: &mut [Slot<'_>],
        mut elements: Range<usize>,
    ) -> R::Value
    where
        P: ParamList,
        F: UserFunction<P>,
        R: Operators<F::Output>,
    {
        let mut folding =
            Folding::<R::Value, BY_LANES>::new(self.grouping, &self.steps, self.along.depth());
        while !elements.is_empty() {
            let segment = self.opening.segment(&elements, by_rows::<F, P>());
            elements.start = segment.range().end;
            let last = elements.is_empty();
            folding.add::<Packing<F, R>, R::Operator, P>(inputs, &segment, last);
        }
        folding
            .value::<R::Operator>()
            .unwrap_or_else(|| unreachable!("a row has elements"))
    }
}

/// Combines some elements of a segment, which are not none, one after the other.
#[inline(always)]
fn chain<F, R, P>(segment: &Segment, access: &mut P::Access<'_>, elements: Range<usize>) -> R::Value
where
    P: ParamList,
    F: UserFunction<P>,
    R: Operators<F::Output>,
{
    let first = elements.start;
    let mut access = P::sub(access, elements.clone());
    let mut total = element::<F, R, P>(segment, first, P::get(&mut access, 0));
    for k in 1..elements.len() {
        let value = element::<F, R, P>(segment, first + k, P::get(&mut access, k));
        total = R::Operator::apply(total, value);
    }
    total
}
