//! The values of a fold of rows or columns, one after the other.

use crate::{
    Element,
    frame::{Frame, Opening, Slot},
    param::{ParamList, Position},
    plan::{
        Grouping,
        grouping::{COLUMN, LANES, SHORT},
    },
    skeleton::{
        components::{Operators, Packing},
        elementwise::by_rows,
        fold::Operator,
        grouped::{Columns, Folding, less_than_lanes},
    },
    space::{Along, Axis, Segment},
    user_function::UserFunction,
};
use std::ops::Range;

/// Columns that are combined side by side, at most.
const BLOCK: usize = 2048;

/// Rows of fewer than [`LANES`] elements that are opened together, at most.
const TOGETHER: usize = 64;

/// Rows of so few elements are opened several at a time, and their columns taken in blocks whose totals stay in
/// registers. Longer ones are read as they lie.
const NARROW: usize = 256;

/// Columns of a block, if there are as many left; and otherwise.
const WIDE: usize = 32;
const FEW: usize = 8;

/// The folds that give some values, which lie side by side, or some steps of these folds.
#[derive(Clone)]
pub(super) struct Folds {
    opening: Opening,
    grouping: Grouping,
    along: Along,
    pub(super) values: Range<usize>,
    /// All steps, unless they begin and end where the grouping allows.
    steps: Range<usize>,
}

impl Folds {
    /// All steps of the values of a piece, so many values at a time that all slots can be opened for them.
    ///
    /// # Panics
    /// If there are values, but nothing that they are folded from.
    pub(super) fn of<'f>(piece: &Frame<'f>) -> impl Iterator<Item = Folds> + use<'f> {
        let (opening, grouping, along) = (piece.opening(), piece.grouping, piece.space.along());
        let most = BLOCK.min(opening.most().unwrap_or(BLOCK));
        let mut rest = piece.range.clone();
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let along = along.filter(|along| along.depth() > 0);
            let along =
                along.unwrap_or_else(|| panic!("folds of rows or columns that have elements"));
            let values = rest.start..rest.end.min(rest.start + most);
            rest.start = values.end;
            Some(Folds {
                opening,
                grouping,
                along,
                values,
                steps: 0..along.depth(),
            })
        })
    }

    /// The same folds of fewer steps, which are not none.
    pub(super) fn of_steps(self, steps: Range<usize>) -> Folds {
        let depth = self.steps.end;
        assert!(
            steps.start < steps.end && steps.end <= depth,
            "steps {steps:?} of {depth}"
        );
        Folds { steps, ..self }
    }

    /// Where steps can be cut without another result: at multiples of this.
    pub(super) fn grain(&self) -> usize {
        match self.along.axis {
            Axis::Cols => COLUMN,
            Axis::Rows if self.is_chain() => usize::MAX,
            Axis::Rows => self.grouping.tile_elems(),
        }
    }

    /// Whether rows are so short that they are combined one element after the other.
    fn is_chain(&self) -> bool {
        self.along.depth() < SHORT && self.grouping != Grouping::Heavy
    }

    /// Whether rows are one tile each, in which some lanes have no element.
    #[inline(always)]
    fn has_few_lanes<R: Operator<T>, T: Element>(&self) -> bool {
        R::COMMUTATIVE && self.grouping == Grouping::Lanes && self.along.depth() < LANES
    }

    /// Gives each value to `put`, counted from the first, in order.
    #[inline(always)]
    pub(super) fn each<F, R, P>(
        &self,
        inputs: &mut [Slot<'_>],
        mut put: impl FnMut(usize, R::Value),
    ) where
        P: ParamList,
        F: UserFunction<P>,
        R: Operators<F::Output>,
    {
        let Folds { along, steps, .. } = self;
        match along.axis {
            Axis::Rows if self.is_chain() || self.has_few_lanes::<R::Operator, R::Value>() => {
                let mut rows = self.values.clone();
                while !rows.is_empty() {
                    let k = rows.start - self.values.start;
                    rows.start += self.short_rows::<F, R, P>(inputs, rows.clone(), |i, value| {
                        put(k + i, value);
                    });
                }
            }
            Axis::Rows => {
                for (k, row) in self.values.clone().enumerate() {
                    let first = row * along.cols;
                    let elements = first + steps.start..first + steps.end;
                    let value = match R::Operator::COMMUTATIVE {
                        true => self.row::<F, R, P, true>(inputs, elements),
                        false => self.row::<F, R, P, false>(inputs, elements),
                    };
                    put(k, value);
                }
            }
            Axis::Cols => {
                let (mut columns, mut rows) = (Columns::<R::Value>::default(), steps.clone());
                while !rows.is_empty() {
                    let chain = rows.start..rows.end.min(rows.start + COLUMN);
                    rows.start = chain.end;
                    columns.begin(self.values.len());
                    self.chain::<F, R, P>(inputs, chain, &mut columns.open);
                    columns.close::<R::Operator>();
                }
                for (k, total) in columns.value::<R::Operator>().into_iter().enumerate() {
                    put(k, total);
                }
            }
        }
    }

    /// Folds these rows of all columns, which are not none, one row after the other.
    #[inline(always)]
    fn chain<F, R, P>(
        &self,
        inputs: &mut [Slot<'_>],
        rows: Range<usize>,
        totals: &mut Vec<R::Value>,
    ) where
        P: ParamList,
        F: UserFunction<P>,
        R: Operators<F::Output>,
    {
        let (cols, values) = (self.along.cols, &self.values);
        if values.len() == cols && cols <= NARROW && !by_rows::<F, P>() {
            let elements = rows.start * cols..rows.end * cols;
            let segment = self.opening.segment(&elements, false);
            if segment.range() == elements {
                let mut access = P::open(inputs, &segment);
                side_by_side::<F, R, P>(&segment, &mut access, (rows.len(), cols), totals);
                return;
            }
        }
        for row in rows.clone() {
            let elements = row * cols + values.start..row * cols + values.end;
            let is_first = row == rows.start;
            add_row::<F, R, P>(inputs, self.opening, elements, totals, is_first);
        }
    }

    /// Folds the first of these short rows, several if they can be opened together; how many.
    #[inline(always)]
    fn short_rows<F, R, P>(
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
    fn row<F, R, P, const BY_LANES: bool>(
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

/// The totals of all columns of a few rows that were opened together.
#[inline(always)]
fn side_by_side<F, R, P>(
    segment: &Segment,
    access: &mut P::Access<'_>,
    (rows, cols): (usize, usize),
    totals: &mut Vec<R::Value>,
) where
    P: ParamList,
    F: UserFunction<P>,
    R: Operators<F::Output>,
{
    // Room for all, now: a call between a block's loop and its end would keep its totals from registers.
    totals.resize(cols, crate::element::zero());
    let mut col = 0;
    while cols - col >= WIDE {
        let block = block::<F, R, P, WIDE>(segment, access, (rows, cols), col);
        totals[col..col + WIDE].copy_from_slice(&block);
        col += WIDE;
    }
    while cols - col >= FEW {
        let block = block::<F, R, P, FEW>(segment, access, (rows, cols), col);
        totals[col..col + FEW].copy_from_slice(&block);
        col += FEW;
    }
    let rest = cols - col;
    if rest == 0 {
        return;
    }
    for row in 0..rows {
        let first = row * cols + col;
        let mut access = P::sub(access, first..first + rest);
        let mut value = |k: usize| element::<F, R, P>(segment, first + k, P::get(&mut access, k));
        for (k, total) in totals[col..].iter_mut().enumerate() {
            *total = match row {
                0 => value(k),
                _ => R::Operator::apply(*total, value(k)),
            };
        }
    }
}

/// The totals of so many columns from `col`: they stay in registers.
#[inline(always)]
fn block<F, R, P, const W: usize>(
    segment: &Segment,
    access: &mut P::Access<'_>,
    (rows, cols): (usize, usize),
    col: usize,
) -> [R::Value; W]
where
    P: ParamList,
    F: UserFunction<P>,
    R: Operators<F::Output>,
{
    let mut values = |row: usize| -> [R::Value; W] {
        let first = row * cols + col;
        let mut access = P::sub(access, first..first + W);
        std::array::from_fn(|k| element::<F, R, P>(segment, first + k, P::get(&mut access, k)))
    };
    let mut totals = values(0);
    for row in 1..rows {
        // From array to array: in place, LLVM stores and loads them in each row.
        let values = values(row);
        totals = std::array::from_fn(|k| R::Operator::apply(totals[k], values[k]));
    }
    totals
}

/// The value of the `k`-th element of a segment.
#[inline(always)]
fn element<F, R, P>(segment: &Segment, k: usize, arguments: P::Args<'_>) -> R::Value
where
    P: ParamList,
    F: UserFunction<P>,
    R: Operators<F::Output>,
{
    R::pack(F::call(F::At::at(segment, k), arguments))
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

/// Adds elements of one row to the totals of their columns.
#[inline(always)]
fn add_row<F, R, P>(
    inputs: &mut [Slot<'_>],
    opening: Opening,
    elements: Range<usize>,
    totals: &mut Vec<R::Value>,
    is_first: bool,
) where
    P: ParamList,
    F: UserFunction<P>,
    R: Operators<F::Output>,
{
    let (mut rest, start) = (elements.clone(), elements.start);
    while !rest.is_empty() {
        let segment = opening.segment(&rest, by_rows::<F, P>());
        let r = segment.range();
        rest.start = r.end;
        let n = r.end - r.start;
        let mut access = P::open(inputs, &segment);
        let mut access = P::sub(&mut access, 0..n);
        let mut value = |k: usize| element::<F, R, P>(&segment, k, P::get(&mut access, k));
        if is_first {
            totals.extend((0..n).map(value));
        } else {
            let totals = &mut totals[r.start - start..r.end - start];
            for (k, total) in totals.iter_mut().enumerate() {
                *total = R::Operator::apply(*total, value(k));
            }
        }
    }
}
