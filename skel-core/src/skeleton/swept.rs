//! The plan of a sweep: a plain loop over the elements of a tile, row by row.
#![allow(unsafe_code, reason = "vouches for the order of elements")]

use super::{elementwise, trap};
use crate::{
    Error, Result,
    caught::catch,
    frame::{Before, Frame, Partial, Slot, Spine},
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
            assert!(
                P::SWEEPS == 1,
                "one container is swept: pass others as elements or whole"
            );
            assert!(
                !P::CHANGES,
                "a sweep changes the container that it sweeps, and nothing else: leave out the `&mut`"
            );
            assert!(!P::HAS_LINES, "lines are for `map_lines!`");
            assert!(
                P::NEAR.is_none(),
                "windows are for `map_overlap!`, pools for `map_pool!`"
            );
        };
        &Self(PhantomData)
    };
}

/// The loop over neighbouring elements of a row.
struct Loop<'a, 'm, F, P> {
    frame: &'a mut Frame<'m>,
    segment: Segment,
    /// Of which of them all that they see is there, counted from the first.
    inside: Range<usize>,
    descending: bool,
    _types: PhantomData<fn() -> (F, P)>,
}

impl<F, P> isa::Body for Loop<'_, '_, F, P>
where
    P: SweepParams,
    F: UserFunction<P, Output = Swept<P>>,
{
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (n, segment) = (self.segment.range().len(), &self.segment);
        let mut all = P::open(&mut self.frame.slots, segment);
        let Range { start, end } = self.inside;
        let (front, back) = (0..start, end..n);
        let (first, last) = match self.descending {
            true => (back, front),
            false => (front, back),
        };
        at_edge::<F, P>(&mut all, segment, first, self.descending);
        let (from, n) = (start, end - start);
        if n > 0 && !self.descending {
            // Slices of exactly `n` elements, so that no access in the loop is checked.
            let mut access = P::sub_inside(&mut all, start..end);
            for k in 0..n {
                let value = F::call(F::At::at(segment, from + k), P::get(&mut access, k));
                // SAFETY: elements of a row are computed one after the other here. Rows are computed in the order of the
                // sweep: by `compute` in a tile; by the caller of `Phases::tile` between tiles; and `Phases::local` has
                // asserted that this is the only part of the sweep.
                unsafe { P::put(&mut access, k, value) };
            }
        } else if n > 0 {
            let mut access = P::sub_inside(&mut all, start..end);
            for k in (0..n).rev() {
                let value = F::call(F::At::at(segment, from + k), P::get(&mut access, k));
                // SAFETY: elements of a row are computed one after the other here, and the caller keeps to the order of tiles.
                unsafe { P::put(&mut access, k, value) };
            }
        }
        at_edge::<F, P>(&mut all, segment, last, self.descending);
    }
}

/// Elements `r` of a row, which may see what is beyond the edges. Few, and compiled once.
#[inline(never)]
fn at_edge<F, P>(all: &mut P::Access<'_>, segment: &Segment, r: Range<usize>, descending: bool)
where
    P: SweepParams,
    F: UserFunction<P, Output = Swept<P>>,
{
    let (from, n) = (r.start, r.len());
    if n == 0 {
        return;
    }
    let mut access = P::sub(all, r);
    for turn in 0..n {
        let k = match descending {
            true => n - 1 - turn,
            false => turn,
        };
        let value = F::call(F::At::at(segment, from + k), P::get(&mut access, k));
        // SAFETY: elements of a row are computed one after the other here, and the caller keeps to the order of tiles.
        unsafe { P::put(&mut access, k, value) };
    }
}

/// Elements `r` cut into what can be opened at once, as the sweep goes. Where parts end does not depend on the tile.
fn parts(
    mut rest: Range<usize>,
    most: Option<usize>,
    descending: bool,
) -> impl Iterator<Item = Range<usize>> {
    let most = most.unwrap_or(usize::MAX);
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let part = match descending {
            true => rest.start.max((rest.end - 1) / most * most)..rest.end,
            false => {
                let end = (rest.start / most).saturating_add(1).saturating_mul(most);
                rest.start..rest.end.min(end)
            }
        };
        match descending {
            true => rest.end = part.start,
            false => rest.start = part.end,
        }
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
        let descending = order.is_descending()[x];
        let columns = |places: Range<usize>| match descending {
            true => order.extents()[x] - places.end..order.extents()[x] - places.start,
            false => places,
        };
        let own = columns(tile.start[x]..tile.end[x]);
        for first in tile.rows() {
            let inside = columns(order.inside_of_row(first, tile.end[x]));
            let row = order.row(first);
            for part in parts(row + own.start..row + own.end, opening.most(), descending) {
                let of_part =
                    |column: usize| (row + column).clamp(part.start, part.end) - part.start;
                let inside = of_part(inside.start)..of_part(inside.end);
                let segment = Segment::new(&part, true, piece.arguments_space());
                isa::dispatch(Loop::<F, P> {
                    frame: piece,
                    segment,
                    inside,
                    descending,
                    _types: PhantomData,
                });
            }
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
        // A range can say anything; another part with elements of its own may be at work.
        let is_part = |slot: &Slot<'_>| matches!(slot, Slot::Sweep(sweep) if !sweep.is_whole());
        assert!(!piece.slots.iter().any(is_part), "a part of a sweep");
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
