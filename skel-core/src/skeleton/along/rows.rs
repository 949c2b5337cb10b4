//! Folds of rows: each where it lies, short ones several at a time.

use super::values::{Folds, element};
use crate::{
    frame::{Opening, Slot},
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
    /// Folds the first of these short rows, several if they can be opened together; how many.
    #[inline(always)]
    pub(super) fn short_rows<F, R, P>(
        &self,
        inputs: &mut [Slot<'_>],
        rows: Range<usize>,
        mut put: impl FnMut(usize, R::Value),
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
            let row = elements.start..elements.start + cols;
            let value = match self.is_chain() {
                true => chain_row::<F, R, P>(inputs, self.opening, row),
                false => self.row::<F, R, P, true>(inputs, row),
            };
            put(0, value);
            return 1;
        }
        let mut access = P::open(inputs, &segment);
        let elements = |row: usize| row * cols..(row + 1) * cols;
        if self.is_chain() {
            for row in 0..whole {
                let value = chain::<F, R, P>(&segment, &mut access, elements(row), None);
                put(row, value);
            }
        } else {
            for row in 0..whole {
                let (access, elements) = (&mut access, elements(row));
                let value =
                    less_than_lanes::<Packing<F, R>, R::Operator, P>(&segment, access, elements);
                put(row, value);
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

/// Combines the elements of one row, which are not none, one after the other.
#[inline(always)]
fn chain_row<F, R, P>(
    inputs: &mut [Slot<'_>],
    opening: Opening,
    mut elements: Range<usize>,
) -> R::Value
where
    P: ParamList,
    F: UserFunction<P>,
    R: Operators<F::Output>,
{
    let mut total = None;
    while !elements.is_empty() {
        let segment = opening.segment(&elements, by_rows::<F, P>());
        elements.start = segment.range().end;
        let mut access = P::open(inputs, &segment);
        let all = 0..segment.range().len();
        total = Some(chain::<F, R, P>(&segment, &mut access, all, total));
    }
    match total {
        Some(total) => total,
        None => unreachable!("a row has elements"),
    }
}

/// Combines what precedes some elements of a segment, which are not none, with them, one after the other.
#[inline(always)]
fn chain<F, R, P>(
    segment: &Segment,
    access: &mut P::Access<'_>,
    elements: Range<usize>,
    mut total: Option<R::Value>,
) -> R::Value
where
    P: ParamList,
    F: UserFunction<P>,
    R: Operators<F::Output>,
{
    let first = elements.start;
    let mut access = P::sub(access, elements.clone());
    for k in 0..elements.len() {
        let value = element::<F, R, P>(segment, first + k, P::get(&mut access, k));
        total = Some(match total {
            None => value,
            Some(total) => R::Operator::apply(total, value),
        });
    }
    total.unwrap_or_else(|| unreachable!("a segment is not empty"))
}
