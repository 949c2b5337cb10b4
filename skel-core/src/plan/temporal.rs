//! Temporal blocking: several steps of an iterated stencil in one pass over memory.
//!
//! A step of containers that are larger than the caches reads and writes all of them. Here a thread takes its piece
//! through several steps at once: a group of rows is computed in every step while what it sees is in the cache, each step
//! some rows behind the one before (time skewing, Wonnacott 2000; as a wavefront, Wellein et al. 2009). What lies between
//! the first step and the last is in memory of the thread's own, and is never in the containers. Pieces do not wait for
//! each other: what a piece sees of its neighbours in the steps between it computes itself (overlapped tiling,
//! Krishnamoorthy et al. 2007).
//!
//! Each element is computed by the same function of the same values as in single steps, so it has the same bits.

mod seam;
#[cfg(test)]
mod test;

use super::Phases;
use crate::{
    Result,
    caught::or_unwind,
    frame::{ErasedArray, Frame, NeighbourhoodView, Slot, SparseView},
    space::{EdgeKind, IntervalSet, MAX_RANK, Neighbourhood, Reach},
};
use std::ops::Range;

/// What is computed of each step in turn: so much, or a row. Of less, what it takes to begin would count.
const GROUP_BYTES: usize = 128 << 10;

/// What the steps between may have in memory, for each thread: in a second cache, or in a thread's part of the last one.
const BETWEEN_BYTES: usize = 2 << 20;

/// More steps at once save little, and at the ends of pieces more would be computed again.
const MOST_STEPS: usize = 8;

/// One in so many elements may be computed again at the ends of pieces.
const AGAIN: usize = 16;

/// Pieces for each thread, as far as not too much is computed again.
const PER_THREAD: usize = 4;

/// How the steps of a stencil are taken together.
#[derive(Clone, Copy, Debug)]
pub struct TemporalBlocks {
    near: Neighbourhood,
    reach: Reach,
    /// The containers that are stepped: so many first arguments, and the outputs.
    containers: usize,
    /// All elements of the call.
    elems: usize,
    /// The elements of a row; what is computed in turn is a multiple of it.
    row_elems: usize,
    /// What an element sees before and behind itself, as elements are counted.
    before: usize,
    after: usize,
    /// What is computed of each step in turn.
    group_elems: usize,
    steps: usize,
}

impl TemporalBlocks {
    /// At most `most_steps` steps of a call of `elems` elements together, of so many containers, whose elements have
    /// `elem_bytes` bytes together, and are seen through windows that lie so. Nothing where the results have another
    /// shape than the containers, where windows go around parts of them, or where less than two steps fit the caches or
    /// are asked for.
    #[must_use]
    pub fn new(
        (near, reach): (Neighbourhood, Reach),
        (containers, elem_bytes): (usize, usize),
        elems: usize,
        most_steps: usize,
    ) -> Option<Self> {
        if near.edge == EdgeKind::None
            || near.positions != near.extents
            || near.stride != [1; MAX_RANK]
        {
            return None;
        }
        let row_elems = match (near.rank, near.inner) {
            (1, 1) if near.extents[MAX_RANK - 1] == elems => 1,
            _ => near.extents[MAX_RANK - 1].checked_mul(near.inner)?,
        };
        let pitches = pitches(&near);
        let reaches = |far: &[usize; MAX_RANK]| {
            (0..MAX_RANK).try_fold(0_usize, |sum, d| {
                sum.checked_add(far[d].checked_mul(pitches[d])?)
            })
        };
        let (before, after) = (reaches(&reach.before)?, reaches(&reach.after)?);
        let elem_bytes = elem_bytes.max(1);
        let mut blocks = TemporalBlocks {
            near,
            reach,
            containers,
            elems,
            row_elems: row_elems.max(1),
            before,
            after,
            group_elems: 0,
            steps: 1,
        };
        // Rows are in one group.
        let is_of_rows = (near.rank, near.inner) == (1, 1);
        if near.edge == EdgeKind::Cyclic && !blocks.is_one_volume() && !is_of_rows {
            return None;
        }
        blocks = blocks.in_groups(GROUP_BYTES / elem_bytes);
        let step_bytes = blocks.room().checked_mul(elem_bytes)?.max(1);
        blocks.steps += (BETWEEN_BYTES / step_bytes).min(MOST_STEPS - 1);
        // As `again` says.
        let most = 1 + 2 * (elems / AGAIN) / (before + after).max(1);
        blocks.steps = blocks.steps.min(most).min(most_steps);
        (blocks.steps > 1).then_some(blocks)
    }

    /// The same, of which about so many elements are computed of each step in turn, in whole rows.
    #[must_use]
    pub fn in_groups(self, elems: usize) -> Self {
        let rows = (elems / self.row_elems).max(1);
        TemporalBlocks {
            group_elems: rows * self.row_elems,
            ..self
        }
    }

    /// How many steps are taken together.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// The elements of pieces for so many threads: some pieces for each, unless too much would be computed again.
    #[must_use]
    pub fn piece_elems(&self, threads: usize) -> usize {
        let least = self.again().saturating_mul(AGAIN);
        let piece = match threads {
            1 => self.elems,
            _ => self.elems / (PER_THREAD * threads),
        };
        let whole = piece.max(least).max(1).next_multiple_of(self.row_elems);
        // No small piece is left behind.
        let count = (self.elems / whole).max(1);
        self.elems.div_ceil(count).next_multiple_of(self.row_elems)
    }

    /// Computes the elements of a piece of so many steps. The first arguments are seen through windows, and the outputs
    /// are as many.
    ///
    /// # Panics
    /// As [`Phases::local`], in any of the steps, of any element that is seen.
    pub fn run(&self, phases: &dyn Phases, piece: &mut Frame<'_>, memory: &mut StepMemory) {
        if piece.range.is_empty() {
            return;
        }
        or_unwind(self.prepare(piece, memory));
        while !piece.range.is_empty() {
            let end = piece.range.end.min(piece.range.start + self.group_elems);
            let mut next = piece.range.start..end;
            for between in memory.between.iter_mut().rev() {
                let seen_end = self.seen(&next).end;
                between.to = seen_end.max(between.done).min(between.needed.end);
                next = between.done..between.to;
            }
            for step in 0..memory.between.len() {
                self.step(phases, piece, &mut memory.between, step);
            }
            let mut front = piece.take_front(end);
            if let Some(between) = memory.between.last() {
                self.see(&mut front, between);
            }
            _ = phases.local(&mut front);
        }
    }

    /// The steps between have no elements, and need what the piece sees.
    fn prepare(&self, piece: &Frame<'_>, memory: &mut StepMemory) -> Result<()> {
        let mut layouts = Vec::with_capacity(self.containers);
        for slot in &piece.slots {
            if let Slot::Out(out) = slot {
                layouts.push(out.layout());
            }
        }
        assert_eq!(
            layouts.len(),
            self.containers,
            "as many outputs as containers"
        );
        let mut old = std::mem::take(&mut memory.between).into_iter();
        let mut needed = piece.range.clone();
        for _ in 1..self.steps {
            let ahead = needed.clone();
            needed = self.seen(&ahead);
            let room = self.room().min(needed.len());
            let mut kept = old
                .next()
                .map(|between| between.arrays)
                .unwrap_or_default()
                .into_iter();
            let arrays = layouts.iter().map(|layout| {
                let window = needed.start..needed.start + room;
                ErasedArray::renewed(kept.next(), *layout, window)
            });
            memory.between.push(Between {
                arrays: arrays.collect::<Result<_>>()?,
                done: needed.start,
                to: needed.start,
                needed: needed.clone(),
                ahead: ahead.end,
            });
        }
        memory.between.reverse();
        Ok(())
    }

    /// Computes elements of a step between, as far as they are needed now.
    fn step(
        &self,
        phases: &dyn Phases,
        piece: &mut Frame<'_>,
        between: &mut [Between],
        step: usize,
    ) {
        // What the step behind this one still needs.
        let behind = match between.get(step + 1) {
            Some(next) => next.done,
            None => piece.range.start,
        };
        let (before, rest) = between.split_at_mut(step);
        let this = &mut rest[0];
        let computed = this.done..this.to;
        if computed.is_empty() {
            return;
        }
        let from = self.seen(&(behind..this.ahead)).start.min(this.done);
        let mut frame: Frame<'_> = piece.beside();
        frame.range = computed.clone();
        if let Some(before) = before.last() {
            self.see(&mut frame, before);
        }
        for (array, slot) in this.arrays.iter_mut().zip(outputs(&mut frame)) {
            or_unwind(array.slide(from..computed.start, computed.end));
            *slot = Slot::Out(array.view_out(computed.clone()));
        }
        _ = phases.local(&mut frame);
        this.done = computed.end;
    }

    /// Windows see what a step between has given.
    fn see<'m>(&self, frame: &mut Frame<'m>, between: &'m Between) {
        for (array, slot) in between.arrays.iter().zip(&mut frame.slots) {
            let near = near(slot);
            let view = array.view(array.window().start..between.done);
            *near = NeighbourhoodView::new(SparseView::of(view), near.near, near.pad);
        }
    }

    /// From the first to the last element that elements `r` see, in whole rows.
    fn seen(&self, r: &Range<usize>) -> Range<usize> {
        let seen = hull(&self.near.halo(&self.reach, r.clone()), r);
        let start = seen.start / self.row_elems * self.row_elems;
        let end = seen.end.next_multiple_of(self.row_elems);
        start..end.min(self.elems)
    }

    /// The elements of a step between that are there at a time: those of a group, what it sees, and some more, so that
    /// few of them are moved.
    fn room(&self) -> usize {
        let seen = self.group_elems + self.before + self.after + 2 * self.row_elems;
        seen + seen / 2
    }

    /// How many elements of a piece other pieces compute as well, in the mean of the steps.
    fn again(&self) -> usize {
        (self.before + self.after) * (self.steps - 1) / 2
    }
}

/// Elements from one place to the next, along each dimension.
fn pitches(near: &Neighbourhood) -> [usize; MAX_RANK] {
    let (mut pitches, mut pitch) = ([0; MAX_RANK], near.inner);
    for d in (0..MAX_RANK).rev() {
        pitches[d] = pitch;
        pitch = pitch.saturating_mul(near.extents[d]);
    }
    pitches
}

/// From the first to the last element of those that elements `r` see, and of themselves.
fn hull(seen: &IntervalSet, r: &Range<usize>) -> Range<usize> {
    match seen.ranges() {
        [first, .., last] => first.start.min(r.start)..last.end.max(r.end),
        [only] => only.start.min(r.start)..only.end.max(r.end),
        [] => r.clone(),
    }
}

/// A container that is stepped.
fn near<'s, 'm>(slot: &'s mut Slot<'m>) -> &'s mut NeighbourhoodView<'m> {
    match slot {
        Slot::Window(near) => near,
        _ => unreachable!("the containers that are stepped are seen through windows"),
    }
}

fn outputs<'f, 'm>(frame: &'f mut Frame<'m>) -> impl Iterator<Item = &'f mut Slot<'m>> {
    let slots = frame.slots.iter_mut();
    slots.filter(|slot| matches!(slot, Slot::Out(_)))
}

/// The memory of the steps between, which serves one piece after the other.
#[derive(Debug, Default)]
pub struct StepMemory {
    between: Vec<Between>,
}

/// What a step that is neither the last nor the containers has given.
#[derive(Debug)]
struct Between {
    arrays: Vec<ErasedArray>,
    /// All that is to be computed of it, how far it is, and how far it is to go now.
    needed: Range<usize>,
    done: usize,
    to: usize,
    /// The end of what the step behind it computes.
    ahead: usize,
}
