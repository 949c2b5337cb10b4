//! The values of a fold of rows or columns, one after the other.

use super::Types;
use crate::{
    Element,
    frame::{Frame, Opening, Slot},
    isa,
    param::{ParamList, Position},
    plan::{
        Grouping,
        grouping::{COLUMN, LANES, SHORT},
    },
    skeleton::{components::Operators, fold::Operator, grouped::Columns},
    space::{Along, Axis, Segment},
    user_function::UserFunction,
};
use std::{marker::PhantomData, ops::Range};

/// Values that are folded at once, at most: columns are combined side by side.
pub(super) const BLOCK: usize = 2048;

/// The folds that give some values, which lie side by side, or some steps of these folds.
#[derive(Clone)]
pub(super) struct Folds {
    pub(super) opening: Opening,
    pub(super) grouping: Grouping,
    pub(super) along: Along,
    pub(super) values: Range<usize>,
    /// All steps, unless they begin and end where the grouping allows.
    pub(super) steps: Range<usize>,
}

impl Folds {
    /// The first of values `rest`, which are not none: those to go on with, before others are asked for. Of rows that lie by
    /// columns, the caches hold a copy then.
    pub(super) fn band<P: ParamList>(piece: &mut Frame<'_>, rest: &Range<usize>) -> Range<usize> {
        match piece.space.along() {
            Some(Along {
                axis: Axis::Rows,
                cols,
                ..
            }) if cols > 0 => {
                let band = piece.hold_band(P::LEN, &(rest.start * cols..rest.end * cols));
                rest.start..band.end / cols
            }
            _ => rest.clone(),
        }
    }

    /// All steps of these values of a piece, so many values at a time that all slots can be opened for them.
    ///
    /// # Panics
    /// If there are values, but nothing that they are folded from.
    pub(super) fn of<'f>(
        piece: &Frame<'f>,
        mut rest: Range<usize>,
    ) -> impl Iterator<Item = Folds> + use<'f> {
        let (opening, grouping, along) = (piece.opening(), piece.grouping, piece.space.along());
        let most = BLOCK.min(opening.most().unwrap_or(BLOCK));
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
    ///
    /// # Panics
    /// If they begin or end where the grouping has no boundary.
    pub(super) fn of_steps(self, steps: Range<usize>) -> Folds {
        let (depth, grain) = (self.steps.end, self.grain());
        let is_cut = |at: usize| at == depth || at.is_multiple_of(grain);
        assert!(
            steps.start < steps.end
                && steps.end <= depth
                && is_cut(steps.start)
                && is_cut(steps.end),
            "steps {steps:?} of {depth}, which can be cut at multiples of {grain}"
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
    pub(super) fn is_chain(&self) -> bool {
        self.along.depth() < SHORT && self.grouping != Grouping::Heavy
    }

    /// Whether rows are one tile each, in which some lanes have no element.
    #[inline(always)]
    fn has_few_lanes<R: Operator<T>, T: Element>(&self) -> bool {
        R::COMMUTATIVE && self.grouping == Grouping::Lanes && self.along.depth() < LANES
    }

    /// Writes what each fold comes to.
    #[inline(always)]
    fn each<F, R, P>(&self, inputs: &mut [Slot<'_>], totals: &mut [R::Value])
    where
        P: ParamList,
        F: UserFunction<P>,
        R: Operators<F::Output>,
    {
        let Folds { along, steps, .. } = self;
        match along.axis {
            Axis::Rows => {
                let is_short = self.is_chain() || self.has_few_lanes::<R::Operator, R::Value>();
                let mut rows = self.values.clone();
                while !rows.is_empty() {
                    let totals = &mut totals[rows.start - self.values.start..];
                    if is_short {
                        let folded = self.short_rows::<F, R, P>(inputs, &rows, totals);
                        if folded > 0 {
                            rows.start += folded;
                            continue;
                        }
                    }
                    let first = rows.start * along.cols;
                    let elements = first + steps.start..first + steps.end;
                    totals[0] = match R::Operator::COMMUTATIVE {
                        true => self.row::<F, R, P, true>(inputs, elements),
                        false => self.row::<F, R, P, false>(inputs, elements),
                    };
                    rows.start += 1;
                }
            }
            Axis::Cols => {
                let (mut columns, mut rows) = (Columns::<R::Value>::default(), steps.clone());
                while !rows.is_empty() {
                    let chain = rows.start..rows.end.min(rows.start + COLUMN);
                    rows.start = chain.end;
                    columns.begin(self.values.len());
                    self.rows_of_columns::<F, R, P>(inputs, chain, &mut columns.open);
                    columns.close::<R::Operator>();
                }
                totals.copy_from_slice(&columns.value::<R::Operator>());
            }
        }
    }
}

/// Writes what each of these folds comes to.
///
/// Not inlined: it is called from several places, and is compiled once for all of them.
#[inline(never)]
pub(super) fn fold<F, R, P>(piece: &mut Frame<'_>, folds: &Folds, totals: &mut [R::Value])
where
    P: ParamList,
    F: UserFunction<P>,
    R: Operators<F::Output>,
{
    assert_eq!(totals.len(), folds.values.len(), "a total of each fold");
    isa::dispatch(Loop::<F, R, P> {
        inputs: &mut piece.slots[..P::LEN],
        folds,
        totals,
        _types: PhantomData,
    });
}

struct Loop<'a, 'm, F, R: Operators<F::Output>, P: ParamList>
where
    F: UserFunction<P>,
{
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
        self.folds.each::<F, R, P>(self.inputs, self.totals);
    }
}

/// The value of the `k`-th element of a segment.
#[inline(always)]
pub(super) fn element<F, R, P>(segment: &Segment, k: usize, arguments: P::Args<'_>) -> R::Value
where
    P: ParamList,
    F: UserFunction<P>,
    R: Operators<F::Output>,
{
    R::pack(F::call(F::At::at(segment, k), arguments))
}
