//! Folds of columns: side by side, a few rows at a time, so that memory is read in order.

use super::values::{Folds, element};
use crate::{
    frame::{Opening, Slot},
    param::ParamList,
    skeleton::{components::Operators, elementwise::by_rows, fold::Operator, grouped::array},
    space::Segment,
    user_function::UserFunction,
};
use std::ops::Range;

/// Rows of so few elements are opened several at a time, and their columns taken in blocks whose totals stay in
/// registers. Longer ones are read as they lie.
const NARROW: usize = 256;
/// ... or of so few bytes.
const NARROW_BYTES: usize = 1 << 10;

/// Columns of a block, if there are as many left; and otherwise.
const WIDE: usize = 32;
const FEW: usize = 8;

impl Folds {
    /// Folds these rows of all columns, which are not none, one row after the other.
    #[inline(always)]
    pub(super) fn rows_of_columns<F, R, P>(
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
        let is_narrow = cols <= NARROW || cols * size_of::<R::Value>() <= NARROW_BYTES;
        if values.len() == cols && is_narrow && !by_rows::<F, P>() {
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
