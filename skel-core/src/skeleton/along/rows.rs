//! Folds of rows: each where it lies, short ones several at a time.

use super::values::{Folds, Types, element};
use crate::{
    frame::Slot,
    isa,
    param::ParamList,
    skeleton::{
        components::{Operators, Packing},
        elementwise::by_rows,
        fold::Operator,
        grouped::{Folding, Opened, less_than_lanes},
    },
    space::Segment,
    user_function::UserFunction,
};
use std::{marker::PhantomData, ops::Range};

/// Rows of fewer than [`LANES`](crate::plan::grouping::LANES) elements that are opened together, at most.
const TOGETHER: usize = 64;

/// Writes what each of these rows comes to.
pub(super) fn fold<F, R, P>(inputs: &mut [Slot<'_>], folds: &Folds, totals: &mut [R::Value])
where
    P: ParamList,
    F: UserFunction<P>,
    R: Operators<F::Output>,
{
    isa::dispatch(Loop::<F, R, P> {
        inputs,
        folds,
        totals,
        _types: PhantomData,
    });
}

/// The loop over rows.
struct Loop<'a, 'm, F: UserFunction<P>, R: Operators<F::Output>, P: ParamList> {
    inputs: &'a mut [Slot<'m>],
    folds: &'a Folds,
    totals: &'a mut [R::Value],
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
        let Loop {
            inputs,
            folds,
            totals,
            ..
        } = self;
        let is_short = folds.is_chain() || folds.has_few_lanes::<R::Operator, R::Value>();
        let mut rows = folds.values.clone();
        while !rows.is_empty() {
            let totals = &mut totals[rows.start - folds.values.start..];
            if is_short {
                let folded = folds.short_rows::<F, R, P>(inputs, &rows, totals);
                if folded > 0 {
                    rows.start += folded;
                    continue;
                }
            }
            totals[0] = folds.row::<F, R, P, false>(inputs, rows.start);
            rows.start += 1;
        }
    }

    #[inline(always)]
    fn run_baseline(self) {
        let rows = self.folds.values.clone();
        for (row, total) in rows.zip(self.totals) {
            *total = self.folds.row::<F, R, P, true>(self.inputs, row);
        }
    }
}

impl Folds {
    /// Folds the first of these short rows, as many as can be opened together; how many. None, where not even one can.
    #[inline(always)]
    fn short_rows<F, R, P>(
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

    /// Folds one row; see [`Folding::add`].
    #[inline(always)]
    fn row<F, R, P, const COMPUTED: bool>(&self, inputs: &mut [Slot<'_>], row: usize) -> R::Value
    where
        P: ParamList,
        F: UserFunction<P>,
        R: Operators<F::Output>,
    {
        match R::Operator::COMMUTATIVE {
            true => self.grouped_row::<F, R, P, true, COMPUTED>(inputs, row),
            false => self.grouped_row::<F, R, P, false, COMPUTED>(inputs, row),
        }
    }

    #[inline(always)]
    fn grouped_row<F, R, P, const BY_LANES: bool, const COMPUTED: bool>(
        &self,
        inputs: &mut [Slot<'_>],
        row: usize,
    ) -> R::Value
    where
        P: ParamList,
        F: UserFunction<P>,
        R: Operators<F::Output>,
    {
        let (first, depth) = (row * self.along.cols, self.along.depth());
        let mut rest = first + self.steps.start..first + self.steps.end;
        let mut folding = Folding::<R::Value, BY_LANES>::new(self.grouping, &self.steps, depth);
        while !rest.is_empty() {
            let segment = self.opening.segment(&rest, by_rows::<F, P>());
            rest.start = segment.range().end;
            let mut access = P::open(inputs, &segment);
            let mut elements = Opened::<Packing<F, R>, R::Operator, P>::new(&segment, &mut access);
            let n = segment.range().len();
            folding.add::<COMPUTED>(&mut elements, n, rest.is_empty());
        }
        let value = folding.value::<R::Operator>();
        value.unwrap_or_else(|| unreachable!("a row has elements"))
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
