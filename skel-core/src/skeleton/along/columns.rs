//! Folds of columns: side by side, a few rows at a time, so that memory is read in order.

use super::values::{Folds, Types, element};
use crate::{
    element::zero,
    frame::Slot,
    isa,
    param::ParamList,
    plan::grouping::COLUMN,
    skeleton::{
        components::{Operators, Packing},
        elementwise::by_rows,
        fold::Operator,
        grouped::{BLOCK_VALUES, Columns, Elements, Opened, Pointers, array, compute},
    },
    space::Segment,
    user_function::UserFunction,
};
use std::{marker::PhantomData, ops::Range};

/// Rows of so few elements are opened several at a time, and their columns taken in blocks whose totals stay in
/// registers. Longer ones are read as they lie.
const NARROW: usize = 256;
/// ... or of so few bytes.
const NARROW_BYTES: usize = 1 << 10;

/// Columns of a block, if there are as many left; and otherwise.
const WIDE: usize = 32;
const FEW: usize = 8;

/// Writes what each of these columns comes to.
pub(super) fn fold<F, R, P>(inputs: &mut [Slot<'_>], folds: &Folds, totals: &mut [R::Value])
where
    P: ParamList,
    F: UserFunction<P>,
    R: Operators<F::Output>,
{
    let mut chain = |rows: Range<usize>, totals: &mut [R::Value]| {
        isa::dispatch(Chain::<F, R, P> {
            inputs,
            folds,
            rows,
            totals,
            _types: PhantomData,
        });
    };
    let mut rows = folds.steps.clone();
    if rows.len() <= COLUMN {
        return chain(rows, totals);
    }
    let mut columns = Columns::new(Pointers::of::<R::Operator>());
    while !rows.is_empty() {
        let few = rows.start..rows.end.min(rows.start + COLUMN);
        rows.start = few.end;
        let mut totals = columns.room(folds.values.len());
        chain(few, &mut totals);
        columns.push(totals);
    }
    totals.copy_from_slice(&columns.value());
}

/// The loop over a few rows, which are not none, of all columns.
struct Chain<'a, 'm, F: UserFunction<P>, R: Operators<F::Output>, P: ParamList> {
    inputs: &'a mut [Slot<'m>],
    folds: &'a Folds,
    rows: Range<usize>,
    totals: &'a mut [R::Value],
    _types: Types<F, R, P>,
}

/// The segments of each of these rows, one after the other; which columns they are of, and whether they are of the first row.
fn segments<F, P>(
    folds: &Folds,
    rows: Range<usize>,
) -> impl Iterator<Item = (Segment, Range<usize>, bool)>
where
    P: ParamList,
    F: UserFunction<P>,
{
    let (cols, values) = (folds.along.cols, &folds.values);
    let (mut row, mut at) = (rows.start, 0);
    std::iter::from_fn(move || {
        if at == values.len() {
            (row, at) = (row + 1, 0);
        }
        if row == rows.end {
            return None;
        }
        let start = row * cols + values.start;
        let segment = folds
            .opening
            .segment(&(start + at..start + values.len()), by_rows::<F, P>());
        let columns = at..segment.range().end - start;
        at = columns.end;
        Some((segment, columns, row == rows.start))
    })
}

impl<F, R, P> isa::Body for Chain<'_, '_, F, R, P>
where
    P: ParamList,
    F: UserFunction<P>,
    R: Operators<F::Output>,
{
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (cols, values) = (self.folds.along.cols, &self.folds.values);
        let is_narrow = cols <= NARROW || cols * size_of::<R::Value>() <= NARROW_BYTES;
        if values.len() == cols && is_narrow && !by_rows::<F, P>() {
            let elements = self.rows.start * cols..self.rows.end * cols;
            let segment = self.folds.opening.segment(&elements, false);
            if segment.range() == elements {
                let mut access = P::open(self.inputs, &segment);
                let extents = (self.rows.len(), cols);
                side_by_side::<F, R, P>(&segment, &mut access, extents, self.totals);
                return;
            }
        }
        for (segment, columns, is_first) in segments::<F, P>(self.folds, self.rows) {
            let mut access = P::open(self.inputs, &segment);
            let mut elements = Opened::<Packing<F, R>, R::Operator, P>::new(&segment, &mut access);
            match is_first {
                true => elements.copy(0, &mut self.totals[columns]),
                false => elements.add(0, &mut self.totals[columns]),
            }
        }
    }

    /// By values that are computed before they are combined.
    #[inline(always)]
    fn run_baseline(self) {
        let (op, mut values) = (Pointers::of::<R::Operator>(), [zero(); BLOCK_VALUES]);
        for (segment, columns, is_first) in segments::<F, P>(self.folds, self.rows) {
            let mut access = P::open(self.inputs, &segment);
            for (k, totals) in self.totals[columns].chunks_mut(BLOCK_VALUES).enumerate() {
                let values = &mut values[..totals.len()];
                compute::<Packing<F, R>, P>(&segment, &mut access, k * BLOCK_VALUES, values);
                match is_first {
                    true => totals.copy_from_slice(values),
                    false => op.zip(totals, values),
                }
            }
        }
    }
}

/// The totals of all columns of a few rows that were opened together.
#[inline(always)]
fn side_by_side<F, R, P>(
    segment: &Segment,
    access: &mut P::Access<'_>,
    (rows, cols): (usize, usize),
    totals: &mut [R::Value],
) where
    P: ParamList,
    F: UserFunction<P>,
    R: Operators<F::Output>,
{
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
        array(|k| element::<F, R, P>(segment, first + k, P::get(&mut access, k)))
    };
    let mut totals = values(0);
    for row in 1..rows {
        // From array to array: in place, LLVM stores and loads them in each row.
        let values = values(row);
        totals = array(|k| R::Operator::apply(totals[k], values[k]));
    }
    totals
}
