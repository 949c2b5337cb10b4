//! The values of a fold of rows or columns, one after the other.

use crate::{
    Element,
    frame::{Frame, Opening},
    param::{ParamList, Position},
    plan::{
        Grouping,
        grouping::{COLUMN, LANES, SHORT},
    },
    skeleton::{axis::AlongAxis, components::Operators, fold::Operator},
    space::{Along, Axis, Segment},
    user_function::UserFunction,
};
use std::{marker::PhantomData, ops::Range};

/// What loops are compiled for: element function, operators, parameters.
pub(super) type Types<F, R, P> = PhantomData<fn() -> (F, R, P)>;

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
    pub(super) fn band<P: ParamList, L: AlongAxis>(
        piece: &mut Frame<'_>,
        rest: &Range<usize>,
    ) -> Range<usize> {
        match (L::AXIS, piece.space.along()) {
            (Axis::Rows, Some(Along { cols, .. })) if cols > 0 => {
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
    pub(super) fn has_few_lanes<R: Operator<T>, T: Element>(&self) -> bool {
        R::COMMUTATIVE && self.grouping == Grouping::Lanes && self.along.depth() < LANES
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
