//! The plan of a sweep: loops over the elements of a tile, by rows.
#![allow(unsafe_code, reason = "vouches for what its phases write")]

mod rows;
#[cfg(test)]
mod test;

use self::rows::Rows;
use super::{
    elementwise,
    trap::{self, Reads},
};
use crate::{
    Element, Error, Result,
    caught::catch,
    frame::{Before, Frame, Partial, Spine},
    isa,
    param::{SweepKind, SweepParams, Swept},
    plan::{Kernel, Pattern, Phases, cached},
    space::{MAX_RANK, ROWS_AT_ONCE, Segment, SweepBox, SweepOrder, SweepProgress},
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

/// Rows are computed at once if more elements of each see nothing beyond the edges.
const LEAST_TOGETHER: usize = 16;

/// Some rows of a tile.
struct Block<'a, const K: usize> {
    order: &'a SweepOrder,
    tile: &'a SweepBox,
    /// The elements that they begin with.
    starts: [usize; K],
    /// The places along a row around which all is there that an element sees.
    inside: Range<usize>,
    progress: &'a SweepProgress,
}

/// Columns cut into what can be opened at once, as the sweep goes.
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
    /// How many rows are computed at once: their chains are to fill the time that an element waits for another, and what
    /// is known of each is to fit into registers, which integers share with the addresses.
    const ROWS: usize = match (P::Sweep::RANK, size_of::<Swept<P>>()) {
        (1, _) => 1,
        _ if Swept::<P>::IS_INTEGER => 3,
        (_, ..=8) => ROWS_AT_ONCE,
        (_, ..=64) => 2,
        _ => 1,
    };

    /// Computes the elements of a tile.
    ///
    /// # Safety
    /// As of [`Phases::tile`]: no other thread does anything with the elements that the tile has or sees.
    unsafe fn compute(piece: &mut Frame<'_>, tile: &SweepBox, progress: &SweepProgress) {
        let compute = match Self::ROWS {
            ROWS_AT_ONCE => Self::compute_by::<ROWS_AT_ONCE>,
            3 => Self::compute_by::<3>,
            2 => Self::compute_by::<2>,
            _ => Self::compute_by::<1>,
        };
        // SAFETY: the caller promises the same.
        unsafe { compute(piece, tile, progress) };
    }

    /// # Safety
    /// As of [`Phases::tile`].
    unsafe fn compute_by<const K: usize>(
        piece: &mut Frame<'_>,
        tile: &SweepBox,
        progress: &SweepProgress,
    ) where
        for<'a, 'm> Rows<'a, 'm, F, P, K>: isa::Body<Output = ()>,
    {
        let Some(order) = piece.sweep().copied() else {
            unreachable!("a sweep has a container that is swept")
        };
        // Tiles that need not wait for each other were found by the order's radius: rows that are seen are within it.
        let sees = P::Sweep::RADIUS.into_iter().zip(order.radius());
        assert!(
            sees.into_iter().all(|(sees, told)| sees <= told),
            "a sweep in the order of one that sees less far"
        );
        let (x, y) = (MAX_RANK - 1, MAX_RANK - 2);
        let inside = |first: [usize; MAX_RANK]| order.inside_of_row(first, tile.end[x]);
        let mut others = None;
        let (mut rows, mut done) = (tile.rows(), 0);
        while let Some(first) = rows.next() {
            progress.begin_rows(done);
            let mut last = first;
            last[y] += K - 1;
            let is_block = K > 1
                && last[y] < tile.end[y]
                && inside(first).len().min(inside(last).len()) > LEAST_TOGETHER;
            if is_block {
                let others: &mut [Frame<'_>; K] =
                    others.get_or_insert_with(|| [(); K].map(|()| piece.beside_sweep()));
                let starts = std::array::from_fn(|j| {
                    let mut places = first;
                    places[y] += j;
                    order.row(places)
                });
                let block = Block {
                    order: &order,
                    tile,
                    starts,
                    inside: inside(first),
                    progress,
                };
                Self::compute_rows::<K>(others.each_mut(), block);
                rows.by_ref().take(K - 1).for_each(drop);
                done += K;
            } else {
                let starts = [order.row(first)];
                let block = Block {
                    order: &order,
                    tile,
                    starts,
                    inside: inside(first),
                    progress,
                };
                Self::compute_rows::<1>([&mut *piece], block);
                done += 1;
            }
        }
    }

    /// Computes what the tile has of some rows.
    fn compute_rows<const K: usize>(mut frames: [&mut Frame<'_>; K], block: Block<'_, K>)
    where
        for<'a, 'm> Rows<'a, 'm, F, P, K>: isa::Body<Output = ()>,
    {
        let Block {
            order,
            tile,
            starts,
            inside,
            progress,
        } = block;
        let x = MAX_RANK - 1;
        let descending = order.is_descending()[x];
        let columns = |places: Range<usize>| match descending {
            true => order.extents()[x] - places.end..order.extents()[x] - places.start,
            false => places,
        };
        let (space, most) = (frames[0].arguments_space(), frames[0].opening().most());
        let (inside, mut done) = (columns(inside), 0);
        for part in parts(columns(tile.start[x]..tile.end[x]), most, descending) {
            let of_part = |column: usize| column.clamp(part.start, part.end) - part.start;
            isa::dispatch(Rows::<F, P, K> {
                frames: frames.each_mut().map(|frame| &mut **frame),
                segments: starts.map(|start| {
                    Segment::new(&(start + part.start..start + part.end), true, space)
                }),
                inside: of_part(inside.start)..of_part(inside.end),
                descending,
                done,
                progress,
                _types: PhantomData,
            });
            done += part.len();
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
        assert!(piece.is_whole_sweep(), "a part of a sweep");
        if let Some(all) = piece.sweep().map(SweepOrder::all) {
            // SAFETY: the piece is all of the sweep, so nothing else does anything with its elements.
            unsafe { Self::compute(piece, &all, &SweepProgress::default()) };
        }
        Spine::EMPTY
    }

    unsafe fn tile(&self, piece: &mut Frame<'_>, tile: &SweepBox, progress: &SweepProgress) {
        piece.assert_slots(P::LEN, 0);
        // SAFETY: what the caller promises.
        unsafe { Self::compute(piece, tile, progress) };
    }

    fn kernel(&self) -> Result<&'static Arc<Kernel>> {
        cached::<Self>(|| {
            let arguments = elementwise::arguments::<P>(&[]);
            elementwise::kernel_of_map::<F::At>(Pattern::Sweep, F::ir, arguments)
        })
    }

    fn find_trap(&self, mut piece: Frame<'_>, before: &Before, _: Partial) -> Option<Error> {
        assert!(piece.is_whole_sweep(), "a part of a sweep");
        before.restore(&mut piece);
        let order = *piece.sweep()?;
        for number in 0..piece.range.len() {
            let element = order.element(number);
            if before.has_computed(element) {
                continue;
            }
            let start = order.places(element);
            let end = start.map(|place| place + 1);
            let (one, progress) = (SweepBox { start, end }, SweepProgress::default());
            // SAFETY: the piece is all of the sweep, so nothing else does anything with its elements.
            let one = catch(|| unsafe { Self::compute(&mut piece, &one, &progress) });
            if let Err(caught) = one {
                let index = Some(element);
                return Some(trap::of_element(
                    self.kernel(),
                    const { &Reads::of::<F, P>() },
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
