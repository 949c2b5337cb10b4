//! The scan pattern: `out[i] = x[0] ⊕ … ⊕ x[i]`, operands in order.
//!
//! A *form* of it says what is combined and what is written: the elements themselves, or, where there are
//! several segments, elements that know whether they begin one. The operator need be associative, no
//! more; nothing needs an identity.
//!
//! The grouping is that of [`crate::plan::grouping`]: before tile `j` stands the tree of all tiles before it; within
//! the tile, chunks and blocks are chained. So the bits depend on neither pieces nor threads nor units.
#![allow(unsafe_code, reason = "vouches that outputs are written")]

mod held;
mod loops;
mod pass;
mod rows;
mod scanning;
mod segments;
mod wide;

use scanning::Scanning;
pub(super) use segments::{Flagged, Segmented};

use super::{
    elementwise::{arguments, kernel},
    fold::Operator,
    grouped::{by, join},
    reduce::itself,
    trap::{self, Walk},
};
use crate::{
    Element, Error, Result,
    caught::Caught,
    frame::{Before, ElementLayout, Frame, Partial, Slot, Spine},
    ir::{
        Imp,
        build::{self, Cx},
    },
    param::{Each, ParamList, Params},
    plan::{Emission, Kernel, Pattern, Phases, cached},
    user_function::UserFunction,
};
use skel_macros::user_function;
use std::{marker::PhantomData, ops::Range, sync::Arc};

/// What a scan combines and writes.
pub(super) trait Form: 'static {
    /// The parameters.
    type Params: ParamList;
    /// What is combined.
    type State: Element;
    /// What is written.
    type Output: Element;
    /// What is combined of an element.
    type Map: UserFunction<Self::Params, Output = Self::State>;
    /// How it is combined.
    type Operator: Operator<Self::State>;
    /// What is left of a state where no segment begins: elements between beginnings are combined as such.
    type Inner: Element;
    /// How that is combined, to the same.
    type InnerOperator: Operator<Self::Inner>;
    /// Whether an element is written before it is combined; something precedes the first one then.
    const EXCLUSIVE: bool;
    /// Whether each row begins a segment, and nothing else does.
    const ROWS: bool;
    /// Whether there are segments: else no state begins one.
    const FLAGS: bool;

    /// The element as such, and what precedes each segment, if that is passed.
    fn element(args: <Self::Params as Params>::Args<'_>) -> (Self::Inner, Option<Self::Inner>);

    /// What is written where the prefix is this.
    fn output(prefix: Self::Inner) -> Self::Output;

    /// What is within the state, and whether it begins a segment.
    fn inner(state: Self::State) -> (Self::Inner, bool);

    /// The state of these.
    fn outer(inner: Self::Inner, begins: bool) -> Self::State;

    /// What is written: of the prefix up to the element, or, if `EXCLUSIVE`, before it, and of the element's
    /// own state and arguments.
    fn emit(
        prefix: Self::State,
        own: Self::State,
        args: <Self::Params as Params>::Args<'_>,
    ) -> Self::Output;

    /// The same in the IR: of the two states, and of uniform arguments.
    fn emission(cx: &mut Cx) -> Imp;
}

/// All elements in a row, combined by `R`.
pub(super) struct Whole<R, T, const EXCLUSIVE: bool>(PhantomData<fn() -> (R, T)>);

impl<R: Operator<T>, T: Element, const EXCLUSIVE: bool> Form for Whole<R, T, EXCLUSIVE> {
    type Params = (Each<T>,);
    type State = T;
    type Output = T;
    type Map = itself;
    type Operator = R;
    type Inner = T;
    type InnerOperator = R;
    const EXCLUSIVE: bool = EXCLUSIVE;
    const ROWS: bool = false;
    const FLAGS: bool = false;

    #[inline(always)]
    fn element((x,): (T,)) -> (T, Option<T>) {
        (x, None)
    }

    #[inline(always)]
    fn output(prefix: T) -> T {
        prefix
    }

    #[inline(always)]
    fn inner(state: T) -> (T, bool) {
        (state, false)
    }

    #[inline(always)]
    fn outer(inner: T, _: bool) -> T {
        inner
    }

    #[inline(always)]
    fn emit(prefix: T, _: T, _: (T,)) -> T {
        prefix
    }

    fn emission(cx: &mut Cx) -> Imp {
        <prefix as UserFunction<(Each<T>, Each<T>)>>::ir(cx)
    }
}

/// What a scan of all elements writes.
#[user_function]
fn prefix<T: Element>(prefix: T, _own: T) -> T {
    prefix
}

/// The plan of a scan.
pub(super) struct Prefix<S>(PhantomData<fn() -> S>);

impl<S: Form> Prefix<S> {
    pub(super) const PLAN: &'static dyn Phases = &Self(PhantomData);

    /// Writes these elements of the piece.
    fn write(piece: &mut Frame<'_>, range: Range<usize>, scanning: &mut Scanning<S>) {
        let rest = if const { S::ROWS } && rows::are_short(piece, scanning) {
            rows::write(piece, range, scanning)
        } else {
            range
        };
        let is_plain = matches!(piece.slots.last(), Some(Slot::Out(_)));
        // Where each element waits for the one before it, none waits for memory.
        if const { wide::is_wide::<S>() }
            && is_plain
            && wide::streams::<S>(piece.space.elems())
            && loops::walk_streaming::<S>(piece, rest.clone(), scanning)
        {
            return;
        }
        loops::walk::<S, true>(piece, rest, scanning);
    }
}

/// Calls `walk` for elements `rest` of the first `slots` of a piece, in bands.
fn for_bands(
    piece: &mut Frame<'_>,
    slots: usize,
    mut rest: Range<usize>,
    mut walk: impl FnMut(&mut Frame<'_>, Range<usize>),
) {
    while !rest.is_empty() {
        let band = piece.hold_band(slots, &rest);
        rest.start = band.end;
        walk(piece, band);
    }
    piece.release_bands();
}

// SAFETY: the segments cover the piece, and the loop of `finish` puts a value for every element of each, in the
// one slot that is only to be written: `assert_slots`.
unsafe impl<S: Form> Phases for Prefix<S> {
    fn pattern(&self) -> Pattern {
        Pattern::Scan
    }

    fn partial_layout(&self) -> Option<ElementLayout> {
        Some(ElementLayout::of::<S::State>())
    }

    fn local(&self, piece: &mut Frame<'_>) -> Spine {
        // Tiles, also of what could be one chain: they are combined at once.
        let mut scanning = Scanning::<S>::new(piece.grouping, false);
        scanning.begin(
            &piece.range,
            piece.space.elems(),
            &Spine::EMPTY,
            piece.grouping,
        );
        let rest = if const { S::ROWS } {
            rows::skip(piece, &mut scanning)
        } else {
            piece.range.clone()
        };
        for_bands(piece, S::Params::LEN, rest, |piece, band| {
            loops::walk::<S, false>(piece, band, &mut scanning);
        });
        scanning.spine()
    }

    fn combine(&self, left: &Partial, right: &Partial) -> Partial {
        let joined = join::<S::State>(by::<S::Operator>(), left.get(), right.get());
        joined.map_or(Partial::NONE, Partial::of)
    }

    fn finish(&self, piece: &mut Frame<'_>, carry: &Spine) -> Spine {
        piece.assert_slots(<S::Params as ParamList>::LEN, 1);
        let mut scanning = Scanning::<S>::new(piece.grouping, loops::is_exact::<S>());
        scanning.begin(&piece.range, piece.space.elems(), carry, piece.grouping);
        let all = piece.range.clone();
        for_bands(piece, S::Params::LEN + 1, all, |piece, band| {
            Self::write(piece, band, &mut scanning);
        });
        scanning.spine()
    }

    fn kernel(&self) -> Result<&'static Arc<Kernel>> {
        cached::<Self>(|| {
            let (program, [map, operator, function]) =
                build::build_all([S::Map::ir, S::Operator::ir, S::emission])?;
            let kernel = kernel::<<S::Map as UserFunction<S::Params>>::At>(
                Pattern::Scan,
                program,
                map,
                // Prefixes need the order, also of an operator that commutes.
                Some((operator, false)),
                arguments::<S::Params>(&[S::Output::ty()]),
            );
            let kernel = kernel.combining(size_of::<S::State>());
            let kernel = kernel.wide(wide::is_wide::<S>());
            Ok(kernel.with_emission(Emission {
                function,
                exclusive: S::EXCLUSIVE,
            }))
        })
    }

    fn find_trap(&self, mut piece: Frame<'_>, before: &Before, carry: Partial) -> Option<Error> {
        let mut total: Vec<S::State> = carry.get().into_iter().collect();
        let walk = const { &Walk::of::<S::Map, S::Operator, S::Params>() };
        // Elements have no number: what marks the first of a segment may call the operator.
        trap::of_combined(self.kernel(), walk, &mut piece, before, &mut total, false)
    }

    fn combine_trap(&self, left: &Partial, right: &Partial, caught: Caught) -> Error {
        let (kernel, operator) = (self.kernel(), S::Operator::NAME);
        trap::of_partials::<S::State>(kernel, operator, [left, right], caught)
    }
}
