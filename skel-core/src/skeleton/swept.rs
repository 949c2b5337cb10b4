//! The plan of a sweep: a plain loop over the elements of a tile, row by row.
#![allow(unsafe_code, reason = "vouches for the order of elements")]

use super::{elementwise, trap};
use crate::{
    Error, Result,
    caught::catch,
    frame::{Before, Frame, Opening, Partial, Spine},
    ir::build,
    isa,
    param::{Position, SweepParams, Swept},
    plan::{Kernel, Pattern, Phases, cached},
    space::{MAX_RANK, Segment, SweepBox, SweepOrder},
    user_function::UserFunction,
};
use std::{marker::PhantomData, ops::Range, sync::Arc};

/// The plan of a sweep.
pub(super) struct Plan<F, P>(PhantomData<fn() -> (F, P)>);

impl<F, P> Plan<F, P>
where
    P: SweepParams,
    F: UserFunction<P, Output = Swept<P>>,
{
    pub(super) const PLAN: &'static dyn Phases = {
        const {
            assert!(P::SWEEPS == 1, "one container is swept: pass others as elements or whole");
            assert!(!P::CHANGES, "a sweep changes the container that it sweeps, and nothing else: leave out the `&mut`");
            assert!(!P::HAS_LINES, "lines are for `map_lines!`");
            assert!(
                P::NEAR.is_none(),
                "windows are for `map_overlap!`, pools for `map_pool!`"
            );
        };
        &Self(PhantomData)
    };
}

/// The loop over elements of a row, of which all that they see is there, or over any.
struct Loop<'a, 'm, F, P, const INSIDE: bool> {
    frame: &'a mut Frame<'m>,
    segment: Segment,
    descending: bool,
    _types: PhantomData<fn() -> (F, P)>,
}

impl<F, P, const INSIDE: bool> isa::Body for Loop<'_, '_, F, P, INSIDE>
where
    P: SweepParams,
    F: UserFunction<P, Output = Swept<P>>,
{
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (n, segment) = (self.segment.range().len(), &self.segment);
        let slots = &mut self.frame.slots;
        let mut access = match INSIDE {
            true => P::open_inside(slots, segment),
            false => P::open(slots, segment),
        };
        // Slices of exactly `n` elements, so that no access in the loop is checked.
        let mut access = P::sub(&mut access, 0..n);
        if INSIDE && !self.descending {
            for k in 0..n {
                let value = F::call(F::At::at(segment, k), P::get(&mut access, k));
                // SAFETY: `Phases::tile` is called in the order of the sweep, or one loop goes over all elements.
                unsafe { P::put(&mut access, k, value) };
            }
            return;
        }
        for turn in 0..n {
            let k = match self.descending {
                true => n - 1 - turn,
                false => turn,
            };
            let value = F::call(F::At::at(segment, k), P::get(&mut access, k));
            // SAFETY: as above.
            unsafe { P::put(&mut access, k, value) };
        }
    }
}

/// The elements of a row with these places, as they lie, cut into what can be opened at once; as the sweep goes.
fn parts(
    order: &SweepOrder,
    first: [usize; MAX_RANK],
    places: Range<usize>,
    most: Option<usize>,
) -> impl Iterator<Item = Range<usize>> {
    let x = MAX_RANK - 1;
    let descending = order.is_descending()[x];
    let at = |place: usize| {
        let mut places = first;
        places[x] = place;
        order.at(places)
    };
    let mut rest = match (places.is_empty(), descending) {
        (true, _) => 0..0,
        (false, true) => at(places.end - 1)..at(places.start) + 1,
        (false, false) => at(places.start)..at(places.end - 1) + 1,
    };
    let most = most.unwrap_or(usize::MAX);
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        // Where parts end does not depend on the tile, as everywhere.
        if descending {
            let start = ((rest.end - 1) / most * most).max(rest.start);
            let part = start..rest.end;
            rest.end = start;
            return Some(part);
        }
        let end = (rest.start / most).saturating_add(1).saturating_mul(most);
        let part = rest.start..end.min(rest.end);
        rest.start = part.end;
        Some(part)
    })
}

impl<F, P> Plan<F, P>
where
    P: SweepParams,
    F: UserFunction<P, Output = Swept<P>>,
{
    /// Computes the elements of a tile.
    fn compute(piece: &mut Frame<'_>, tile: &SweepBox) {
        let Some(order) = piece.sweep().copied() else {
            unreachable!("a sweep has a container that is swept")
        };
        let (opening, x) = (piece.opening(), MAX_RANK - 1);
        for first in tile.rows() {
            let inside = order.inside_of_row(first, tile.end[x]);
            let edges = [first[x]..inside.start, inside.end..tile.end[x]];
            let [before, behind] = edges;
            Self::row::<false>(piece, opening, &order, first, before);
            Self::row::<true>(piece, opening, &order, first, inside);
            Self::row::<false>(piece, opening, &order, first, behind);
        }
    }

    fn row<const INSIDE: bool>(
        piece: &mut Frame<'_>,
        opening: Opening,
        order: &SweepOrder,
        first: [usize; MAX_RANK],
        places: Range<usize>,
    ) {
        for part in parts(order, first, places, opening.most()) {
            let segment = Segment::new(&part, true, piece.arguments_space());
            isa::dispatch(Loop::<F, P, INSIDE> {
                frame: piece,
                segment,
                descending: order.is_descending()[MAX_RANK - 1],
                _types: PhantomData,
            });
        }
    }
}

// SAFETY: there is no output that is only to be written: `assert_slots`.
unsafe impl<F, P> Phases for Plan<F, P>
where
    P: SweepParams,
    F: UserFunction<P, Output = Swept<P>>,
{
    fn pattern(&self) -> Pattern {
        Pattern::Sweep
    }

    fn local(&self, piece: &mut Frame<'_>) -> Spine {
        piece.assert_slots(P::LEN, 0);
        if piece.range.is_empty() {
            return Spine::EMPTY;
        }
        assert_eq!(piece.range, 0..piece.space.elems(), "a part of a sweep");
        if let Some(all) = piece.sweep().map(SweepOrder::all) {
            Self::compute(piece, &all);
        }
        Spine::EMPTY
    }

    unsafe fn tile(&self, piece: &mut Frame<'_>, tile: &SweepBox) {
        piece.assert_slots(P::LEN, 0);
        Self::compute(piece, tile);
    }

    fn kernel(&self) -> Result<Arc<Kernel>> {
        cached::<Self>(|| {
            let (program, map) = build::build(F::ir)?;
            let arguments = elementwise::arguments::<P>(&[]);
            Ok(elementwise::kernel::<F::At>(
                Pattern::Sweep,
                program,
                map,
                None,
                arguments,
            ))
        })
    }

    fn find_trap(&self, mut piece: Frame<'_>, before: &Before, _: Partial) -> Option<Error> {
        before.restore(&mut piece);
        let order = *piece.sweep()?;
        for number in 0..piece.range.len() {
            let element = order.element(number);
            let start = order.places(element);
            let end = start.map(|place| place + 1);
            let one = catch(|| Self::compute(&mut piece, &SweepBox { start, end }));
            if let Err(caught) = one {
                let index = Some(element);
                return Some(trap::of_element::<F, P>(
                    self.kernel(),
                    &piece,
                    element,
                    index,
                    caught,
                ));
            }
        }
        None
    }
}
