//! The fold pattern: `op(f(x[0], …), op(f(x[1], …), …))`, operands in order.
//!
//! The grouping is fixed by [`TILE`], never by the number of threads, so a float result depends on
//! the partition between units only:
//!
//! - An operator that is known to commute runs in [`LANES`] strided lanes, which LLVM turns into
//!   vector registers.
//! - Any other operator combines neighbours, tile by tile: `b[i] = op(b[2i], b[2i+1])` until few
//!   remain, which vectorises as well and keeps the order.
#![allow(unsafe_code, reason = "vouches that outputs are written")]

use super::{
    blocks,
    elementwise::{arguments, by_rows, kernel},
    trap::{self, Cause},
};
use crate::{
    Element, Error, Result,
    caught::Caught,
    frame::{Before, ElementLayout, Frame, Partial, Slot},
    ir::build,
    isa,
    param::{Each, ParamList, Position},
    plan::{Kernel, Pattern, Phases, cached},
    space::Segment,
    user_function::UserFunction,
};
use std::{marker::PhantomData, sync::Arc};

/// Elements that are combined by a tree; a power of two.
pub(super) const TILE: usize = 256;
/// A tree stops at this many, which one chain combines.
const CHAIN: usize = 16;
/// So many that the inner loop is not unrolled: the loop vectoriser does better than the SLP one.
pub(super) const LANES: usize = 128;

/// A binary operator on `T`: a user function `fn(T, T) -> T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot combine two `{T}`",
    label = "an operator is a user function `fn(T, T) -> T`"
)]
pub trait Operator<T: Element>: UserFunction<(Each<T>, Each<T>), Output = T, At = ()> {
    /// Combines two values, the left one first.
    #[inline(always)]
    fn apply(left: T, right: T) -> T {
        Self::call((), (left, right))
    }
}

#[diagnostic::do_not_recommend]
impl<T, R> Operator<T> for R
where
    T: Element,
    R: UserFunction<(Each<T>, Each<T>), Output = T, At = ()>,
{
}

/// What a fold is made of: element function, operator, parameters.
type Types<F, R, P> = PhantomData<fn() -> (F, R, P)>;

/// The plan of Reduce and MapReduce.
pub(super) struct Fold<F, R, P>(Types<F, R, P>);

impl<F, R, P> Fold<F, R, P>
where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
    R: Operator<F::Output>,
{
    pub(super) const PLAN: &'static dyn Phases = {
        const {
            assert!(
                P::NEAR.is_none(),
                "windows are for `map_overlap!`, pools for `map_pool!`"
            )
        };
        &Self(PhantomData)
    };
}

/// The loop over one segment, which is not empty.
struct Loop<'a, 'm, F, R, P> {
    frame: &'a mut Frame<'m>,
    segment: Segment,
    _types: Types<F, R, P>,
}

impl<F, R, P> isa::Body for Loop<'_, '_, F, R, P>
where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
    R: Operator<F::Output>,
{
    type Output = F::Output;

    #[inline(always)]
    fn run(self) -> F::Output {
        segment::<F, R, P>(&mut self.frame.slots[..P::LEN], &self.segment)
    }
}

/// Folds the elements of a segment, which is not empty, by the user's own function.
pub(super) fn one_by_one<F, R, P>(frame: &mut Frame<'_>, segment: Segment) -> F::Output
where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
    R: Operator<F::Output>,
{
    isa::dispatch(Loop::<F, R, P> {
        frame,
        segment,
        _types: PhantomData,
    })
}

/// The value of the `k`-th element of the segment.
#[inline(always)]
pub(super) fn element<F, P>(segment: &Segment, access: &mut P::Access<'_>, k: usize) -> F::Output
where
    P: ParamList,
    F: UserFunction<P>,
{
    F::call(F::At::at(segment, k), P::get(access, k))
}

/// Folds the elements of a segment, which is not empty.
#[inline(always)]
pub(super) fn segment<F, R, P>(slots: &mut [Slot<'_>], segment: &Segment) -> F::Output
where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
    R: Operator<F::Output>,
{
    let r = segment.range();
    let n = r.end - r.start;
    let mut access = P::open(slots, segment);
    if R::COMMUTATIVE && n >= 2 * LANES {
        lanes::<F, R, P>(segment, &mut access, n)
    } else {
        tiles::<F, R, P>(segment, &mut access, n)
    }
}

/// The value of the `k`-th element of the segment.
macro_rules! element {
    ($segment:expr, $access:expr, $k:expr, $i:expr) => {
        F::call(F::At::at($segment, $k), P::get($access, $i))
    };
}

#[inline(always)]
fn lanes<F, R, P>(segment: &Segment, access: &mut P::Access<'_>, n: usize) -> F::Output
where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
    R: Operator<F::Output>,
{
    let mut totals: [F::Output; LANES] = {
        let mut block = P::sub(access, 0..LANES);
        std::array::from_fn(|l| element!(segment, &mut block, l, l))
    };
    let mut at = LANES;
    while at + LANES <= n {
        let mut block = P::sub(access, at..at + LANES);
        for (l, total) in totals.iter_mut().enumerate() {
            *total = R::apply(*total, element!(segment, &mut block, at + l, l));
        }
        at += LANES;
    }
    let mut total = chain::<F::Output, R>(&totals);
    for k in at..n {
        total = R::apply(total, element!(segment, access, k, k));
    }
    total
}

/// The elements of a segment tile by tile, in order.
#[inline(always)]
pub(super) fn tiles<F, R, P>(segment: &Segment, access: &mut P::Access<'_>, n: usize) -> F::Output
where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
    R: Operator<F::Output>,
{
    let (mut total, mut at): (Option<F::Output>, usize) = (None, 0);
    while at + TILE <= n {
        let mut block = P::sub(access, at..at + TILE);
        // The first level of the tree is done while reading.
        let mut buffer: [F::Output; TILE / 2] = std::array::from_fn(|i| {
            let left = element!(segment, &mut block, at + 2 * i, 2 * i);
            R::apply(
                left,
                element!(segment, &mut block, at + 2 * i + 1, 2 * i + 1),
            )
        });
        let tile = tree::<F::Output, R>(&mut buffer);
        total = Some(total.map_or(tile, |total| R::apply(total, tile)));
        at += TILE;
    }
    let mut tail: Option<F::Output> = None;
    for k in at..n {
        let value = element!(segment, access, k, k);
        tail = Some(tail.map_or(value, |tail| R::apply(tail, value)));
    }
    match (total, tail) {
        (Some(total), Some(tail)) => R::apply(total, tail),
        (Some(total), None) => total,
        (None, Some(tail)) => tail,
        (None, None) => unreachable!("a segment is not empty"),
    }
}

/// Combines neighbours until [`CHAIN`] remain, and those in a row.
#[inline(always)]
pub(super) fn tree<T: Element, R: Operator<T>>(buffer: &mut [T; TILE / 2]) -> T {
    let mut spare = *buffer;
    let mut len = TILE / 2;
    while len > CHAIN {
        // From one array to another: in place, LLVM would have to prove that nothing overlaps.
        for i in 0..len / 2 {
            spare[i] = R::apply(buffer[2 * i], buffer[2 * i + 1]);
        }
        len /= 2;
        buffer[..len].copy_from_slice(&spare[..len]);
    }
    chain::<T, R>(&buffer[..CHAIN])
}

#[inline(always)]
pub(super) fn chain<T: Element, R: Operator<T>>(values: &[T]) -> T {
    let mut total = values[0];
    for value in &values[1..] {
        total = R::apply(total, *value);
    }
    total
}

// SAFETY: a fold has no output slots: `assert_slots`.
unsafe impl<F, R, P> Phases for Fold<F, R, P>
where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
    R: Operator<F::Output>,
{
    fn pattern(&self) -> Pattern {
        Pattern::Fold
    }

    fn partial_layout(&self) -> Option<ElementLayout> {
        Some(ElementLayout::of::<F::Output>())
    }

    fn local(&self, piece: &mut Frame<'_>) -> Partial {
        piece.assert_slots(P::LEN, 0);
        let (mut rest, opening) = (piece.range.clone(), piece.opening());
        let mut total = Partial::NONE;
        while !rest.is_empty() {
            let segment = opening.segment(&rest, by_rows::<F, P>());
            rest.start = segment.range().end;
            let part = match const { F::HAS_LANES && blocks::only_reads::<P>() } {
                true => blocks::fold::<Self, F, R, P>(self, piece, &segment),
                false => None,
            };
            let part = part.unwrap_or_else(|| one_by_one::<F, R, P>(piece, segment));
            total = self.combine(total, Partial::of(part));
        }
        total
    }

    fn combine(&self, left: Partial, right: Partial) -> Partial {
        match (left.get::<F::Output>(), right.get::<F::Output>()) {
            (Some(a), Some(b)) => Partial::of(R::apply(a, b)),
            (None, _) => right,
            (_, None) => left,
        }
    }

    fn kernel(&self) -> Result<Arc<Kernel>> {
        cached::<Self>(|| {
            let (program, map, operator) = build::build_two(F::ir, R::ir)?;
            let operator = Some((operator, R::COMMUTATIVE));
            Ok(kernel::<F::At>(
                Pattern::Fold,
                program,
                map,
                operator,
                arguments::<P>(&[]),
            ))
        })
    }

    fn find_trap(&self, mut piece: Frame<'_>, before: &Before, carry: Partial) -> Option<Error> {
        before.restore(&mut piece);
        let all = std::iter::once(piece.range.clone());
        let (cause, caught) = trap::walk::<F, R, P>(&mut piece, all, carry.get(), true)?;
        before.restore(&mut piece);
        Some(match cause {
            Cause::Element(i) => {
                trap::of_element::<F, P>(self.kernel(), &piece, i, Some(i), caught)
            }
            Cause::Operator(left, right) => {
                trap::of_operator::<_, R>(self.kernel(), (left, right), None, caught)
            }
        })
    }

    fn combine_trap(&self, left: Partial, right: Partial, caught: Caught) -> Error {
        trap::of_partials::<F::Output, R>(self.kernel(), left, right, caught)
    }
}
