//! Folds of rows and columns: the elementwise pattern over their values, with a loop inside.
//!
//! A row is read where it lies, and combined as [`super::fold`] does it, its elements counted from its beginning.
//! Columns are combined side by side, row after row, so that memory is read in order: in chains of [`COLUMN`] rows,
//! and those by a tree.
#![allow(unsafe_code, reason = "vouches that outputs are written")]

use super::{
    components::{Operators, Packing},
    elementwise::{arguments, by_rows, kernel},
    fold::Operator,
    grouped::{Columns, Folding},
    reduce::itself,
    trap::{self, Cause},
};
use crate::{
    Element, Error, Result,
    frame::{Before, Frame, Opening, Partial, Slot, Spine},
    ir::build,
    isa,
    param::{Each, Outputs, ParamList, Position, Uniform},
    plan::{
        self, Argument, Grouping, Kernel, Pattern, Phases, Role, cached,
        grouping::{COLUMN, SHORT},
    },
    space::{Axis, Segment},
    user_function::UserFunction,
};
use std::{marker::PhantomData, ops::Range, sync::Arc};

type Types<F, R, P> = PhantomData<fn() -> (F, R, P)>;

/// The plan of folds along an axis; with `BEGINS`, the argument behind the others is what every fold
/// begins with.
pub(super) struct FoldAlong<F, R, P, const BEGINS: bool>(Types<F, R, P>);

impl<F, R, P, const BEGINS: bool> FoldAlong<F, R, P, BEGINS>
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
    R: Operators<F::Output>,
{
    pub(super) const PLAN: &'static dyn Phases = {
        const {
            assert!(
                P::NEAR.is_none(),
                "windows are for `map_overlap!`, pools for `map_pool!`"
            );
            assert!(P::SWEEPS == 0, "sweeps are for `sweep!`");
            let mut k = 0;
            while k < P::ROLES.len() {
                assert!(
                    !matches!(P::ROLES[k], Role::InOut),
                    "a reduction of rows or columns changes nothing in place: take `x: T`"
                );
                k += 1;
            }
        };
        &Self(PhantomData)
    };

    /// Number of slots before the outputs.
    const INPUTS: usize = P::LEN + BEGINS as usize;
}

/// Columns that are combined side by side, at most.
const BLOCK: usize = 2048;

/// The folds that give some values, which lie side by side.
struct Loop<'a, 'm, F, R, P, const BEGINS: bool> {
    frame: &'a mut Frame<'m>,
    opening: Opening,
    values: Range<usize>,
    _types: Types<F, R, P>,
}

impl<F, R, P, const BEGINS: bool> isa::Body for Loop<'_, '_, F, R, P, BEGINS>
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
    R: Operators<F::Output>,
{
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Some(along) = self.frame.space.along() else {
            unreachable!("a fold of rows or columns knows which");
        };
        let inputs = FoldAlong::<F, R, P, BEGINS>::INPUTS;
        let (inputs, outputs) = self.frame.slots.split_at_mut(inputs);
        let (inputs, rest) = inputs.split_at_mut(P::LEN);
        let initial = rest.first_mut().map(initial::<R::Value>);
        let mut outputs = <F::Output as Outputs>::open(outputs, &self.values);
        let mut put = |k: usize, value: R::Value| {
            <F::Output as Outputs>::put(&mut outputs, k, R::unpack(value));
        };
        let (values, opening) = (self.values, self.opening);
        let fold = RowFold {
            opening,
            grouping: self.frame.grouping,
            initial,
        };
        match along.axis {
            Axis::Rows => {
                for (k, row) in values.enumerate() {
                    let elements = row * along.cols..(row + 1) * along.cols;
                    let value = match R::Operator::COMMUTATIVE {
                        true => fold.row::<F, R, P, true>(inputs, elements),
                        false => fold.row::<F, R, P, false>(inputs, elements),
                    };
                    put(k, value);
                }
            }
            Axis::Cols => {
                let mut columns = Columns::<R::Value>::default();
                for row in 0..along.rows {
                    let is_first = row.is_multiple_of(COLUMN);
                    if is_first {
                        columns.close::<R::Operator>();
                        columns.begin(values.len());
                    }
                    let elements = row * along.cols + values.start..row * along.cols + values.end;
                    add_row::<F, R, P>(inputs, opening, elements, &mut columns.open, is_first);
                }
                columns.close::<R::Operator>();
                for (k, total) in columns.value::<R::Operator>().into_iter().enumerate() {
                    let total = match initial {
                        Some(initial) => R::Operator::apply(initial, total),
                        None => total,
                    };
                    put(k, total);
                }
            }
        }
    }
}

#[inline(always)]
fn initial<T: Element>(slot: &mut Slot<'_>) -> T {
    match slot {
        Slot::In(view) => view.slice(0..1)[0],
        _ => unreachable!("what a fold begins with is one value"),
    }
}

/// How rows are folded.
struct RowFold<T> {
    opening: Opening,
    grouping: Grouping,
    initial: Option<T>,
}

impl<T: Element> RowFold<T> {
    /// Folds the elements of one row, which are not none.
    #[inline(always)]
    fn row<F, R, P, const BY_LANES: bool>(
        &self,
        inputs: &mut [Slot<'_>],
        mut elements: Range<usize>,
    ) -> T
    where
        P: ParamList,
        F: UserFunction<P>,
        R: Operators<F::Output, Value = T>,
    {
        let n = elements.len();
        if n < SHORT && self.grouping != Grouping::Heavy {
            let total = chain_row::<F, R, P>(inputs, self.opening, elements);
            return match self.initial {
                Some(initial) => R::Operator::apply(initial, total),
                None => total,
            };
        }
        let mut folding = Folding::<T, BY_LANES>::new(self.grouping, &(0..n), n);
        while !elements.is_empty() {
            let segment = self.opening.segment(&elements, by_rows::<F, P>());
            elements.start = segment.range().end;
            let last = elements.is_empty();
            folding.add::<Packing<F, R>, R::Operator, P>(inputs, &segment, last);
        }
        match (self.initial, folding.value::<R::Operator>()) {
            (Some(initial), Some(total)) => R::Operator::apply(initial, total),
            (None, Some(total)) => total,
            (_, None) => unreachable!("a row has elements"),
        }
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
        total = Some(chain::<F, R, P>(inputs, &segment, total));
    }
    match total {
        Some(total) => total,
        None => unreachable!("a row has elements"),
    }
}

/// Combines what precedes a segment with its elements, which are not none, one after the other.
#[inline(always)]
fn chain<F, R, P>(
    inputs: &mut [Slot<'_>],
    segment: &Segment,
    mut total: Option<R::Value>,
) -> R::Value
where
    P: ParamList,
    F: UserFunction<P>,
    R: Operators<F::Output>,
{
    let n = segment.range().len();
    let mut access = P::open(inputs, segment);
    let mut access = P::sub(&mut access, 0..n);
    for k in 0..n {
        let value = R::pack(F::call(F::At::at(segment, k), P::get(&mut access, k)));
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
        let mut value = |k: usize| R::pack(F::call(F::At::at(&segment, k), P::get(&mut access, k)));
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

// SAFETY: the loop puts a value for every element of the piece, in all slots that are only to be written:
// `assert_slots`. Rows and columns are not empty, since the skeleton sees to those that are.
unsafe impl<F, R, P, const BEGINS: bool> Phases for FoldAlong<F, R, P, BEGINS>
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
    R: Operators<F::Output>,
{
    fn pattern(&self) -> Pattern {
        Pattern::Elementwise
    }

    fn local(&self, piece: &mut Frame<'_>) -> Spine {
        piece.assert_slots(P::LEN + usize::from(BEGINS), <F::Output as Outputs>::LEN);
        let opening = piece.opening();
        let mut rest = piece.range.clone();
        let most = opening.most().unwrap_or(BLOCK);
        assert!(
            rest.is_empty() || piece.space.along().is_some_and(|along| along.depth() > 0),
            "folds of rows or columns that have elements"
        );
        while !rest.is_empty() {
            let values = rest.start..rest.end.min(rest.start + BLOCK.min(most));
            rest.start = values.end;
            isa::dispatch(Loop::<F, R, P, BEGINS> {
                frame: piece,
                opening,
                values,
                _types: PhantomData,
            });
        }
        Spine::EMPTY
    }

    fn kernel(&self) -> Result<Arc<Kernel>> {
        cached::<Self>(|| {
            let (program, map, operator) = build::build_two(F::ir, R::Operator::ir)?;
            let operator = Some((operator, R::Operator::COMMUTATIVE));
            let mut arguments = arguments::<P>(&<F::Output as Outputs>::tys());
            if BEGINS {
                let initial = Argument {
                    role: Role::Uniform,
                    ty: <R::Value as Element>::ty(),
                };
                arguments.insert(P::LEN, initial);
            }
            let kernel = kernel::<F::At>(Pattern::Elementwise, program, map, operator, arguments);
            let kernel = kernel.combining(size_of::<R::Value>());
            Ok(if BEGINS {
                kernel.with_initial(P::LEN)
            } else {
                kernel
            })
        })
    }

    fn find_trap(&self, piece: Frame<'_>, before: &Before, _: Partial) -> Option<Error> {
        let along = piece.space.along()?;
        let mut run = |piece: &mut Frame<'_>| _ = self.local(piece);
        let (mut value, first) = trap::first_panic(piece, before, &mut run)?;
        let index = value.range.start;
        let elements = (0..along.depth()).map(|step| {
            let element = along.element(index, step);
            element..element + 1
        });
        let initial = BEGINS.then(|| initial::<R::Value>(&mut value.slots[P::LEN]));
        let walked =
            trap::walk::<Packing<F, R>, R::Operator, P>(&mut value, elements, initial, false);
        let kernel = self.kernel();
        Some(match walked {
            None => plan::unplaced(kernel, F::NAME, Some(index), first),
            Some((Cause::Element(i), caught)) => {
                trap::of_element::<F, P>(kernel, &value, i, Some(index), caught)
            }
            Some((Cause::Operator(left, right), caught)) => {
                trap::of_operator::<_, R::Operator>(kernel, (left, right), Some(index), caught)
            }
        })
    }
}

/// `fn(k) -> k`, whose result may be a tuple: what rows and columns without elements give.
pub(super) struct Constant<O, R>(PhantomData<fn() -> (O, R)>);

impl<O: Outputs, R: Operators<O>> UserFunction<(Uniform<R::Value>,)> for Constant<O, R> {
    type At = ();
    type Output = O;
    const NAME: &'static str = "constant";

    #[inline(always)]
    fn call((): (), (value,): (R::Value,)) -> O {
        R::unpack(value)
    }

    fn ir(cx: &mut build::Cx) -> crate::ir::Imp {
        <itself as UserFunction<(Each<R::Value>,)>>::ir(cx)
    }
}
