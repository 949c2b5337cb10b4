//! The ends of containers that windows see as neighbours of each other: where edges are cyclic, the first elements lie
//! behind the last.
//!
//! Both ends are one piece, in which the elements of the container come twice: element `n` of the piece is element 0
//! behind the last. Of each step between, what lies around that seam is in memory of its own.

use super::TemporalBlocks;
use crate::{
    caught::or_unwind,
    frame::{ErasedArray, Frame, NeighbourhoodView, Slot, SparseView},
    plan::Phases,
    space::{EdgeKind, MAX_RANK, Neighbourhood},
};
use std::ops::Range;

impl TemporalBlocks {
    /// How many elements at each end are in one piece with those at the other end: see [`TemporalBlocks::run_seam`].
    #[must_use]
    pub fn seam_elems(&self) -> usize {
        if self.near.edge != EdgeKind::Cyclic || !self.is_one_volume() {
            return 0;
        }
        let (outermost, pitches) = (self.outermost(), super::pitches(&self.near));
        let reach = self.reach.before[outermost].max(self.reach.after[outermost]);
        reach * pitches[outermost] * self.steps
    }

    /// Whether windows go over all of the container, and not over parts of it, one by one.
    pub(super) fn is_one_volume(&self) -> bool {
        self.near.extents.iter().product::<usize>() * self.near.inner == self.elems
    }

    fn outermost(&self) -> usize {
        MAX_RANK - self.near.rank
    }

    /// Computes the elements at both ends of the call, so many as [`TemporalBlocks::seam_elems`] says at each, as
    /// [`TemporalBlocks::run`] computes others.
    ///
    /// # Panics
    /// As [`TemporalBlocks::run`].
    pub fn run_seam<'m>(
        &self,
        phases: &dyn Phases,
        (first, last): (&mut Frame<'m>, &mut Frame<'m>),
    ) {
        let n = self.elems;
        assert!(
            first.range.start == 0 && last.range.end == n,
            "both ends of a call"
        );
        // What each step is needed of, the first ones last.
        let mut needed = vec![last.range.start..n + first.range.end];
        for _ in 0..self.steps {
            let ahead = &needed[needed.len() - 1];
            needed.push(self.seen_across(ahead));
        }
        let mut seen = self.ends(last, &needed[self.steps]);
        for step in (0..self.steps).rev() {
            let range = &needed[step];
            let mut given = match step {
                0 => Vec::new(),
                _ => arrays(&seen, range),
            };
            for (part, from) in [(range.start..n, 0), (n..range.end, n)] {
                let ours = if from == 0 { &mut *last } else { &mut *first };
                let mut frame: Frame<'_> = match step {
                    0 => ours.take(),
                    _ => ours.beside(),
                };
                for (array, slot) in given.iter_mut().zip(super::outputs(&mut frame)) {
                    *slot = Slot::Out(array.view_out(part.clone()).counted_from(from));
                }
                for (array, slot) in seen.iter().zip(&mut frame.slots) {
                    let near = super::near(slot);
                    let across = self.across(from > 0);
                    *near = NeighbourhoodView::new(SparseView::of(array.all()), across, near.pad);
                }
                frame.range = part.start - from..part.end - from;
                _ = phases.local(&mut frame);
            }
            seen = given;
        }
    }

    /// The elements of the containers around the seam.
    fn ends(&self, piece: &mut Frame<'_>, range: &Range<usize>) -> Vec<ErasedArray> {
        let slots = piece.slots.iter_mut().take(self.containers);
        let copy = |slot: &mut Slot<'_>| {
            let view = &super::near(slot).view;
            let mut array = or_unwind(ErasedArray::zeroed(view.layout(), range.clone()));
            for (part, from) in [
                (range.start..self.elems, 0),
                (self.elems..range.end, self.elems),
            ] {
                let there = view.view(part.start - from..part.end - from);
                array.view_out(part).counted_from(from).copy_from(there);
            }
            array
        };
        slots.map(copy).collect()
    }

    /// How windows lie in two containers, one behind the other; those of the elements behind the seam in the second.
    fn across(&self, is_behind: bool) -> Neighbourhood {
        let (mut near, outermost) = (self.near, self.outermost());
        near.extents[outermost] *= 2;
        near.shift[outermost] = if is_behind {
            self.near.extents[outermost]
        } else {
            0
        };
        near
    }

    /// What elements around the seam see.
    fn seen_across(&self, range: &Range<usize>) -> Range<usize> {
        let mut near = self.across(false);
        near.positions = near.extents;
        super::hull(&near.halo(&self.reach, range.clone()), range)
    }
}

/// Memory of the same types.
fn arrays(like: &[ErasedArray], range: &Range<usize>) -> Vec<ErasedArray> {
    let array = |like: &ErasedArray| or_unwind(ErasedArray::zeroed(like.layout(), range.clone()));
    like.iter().map(array).collect()
}
