//! The type-erased argument pack of a host function: one piece of the index space, with the memory
//! of one node.
//!
//! A [`Frame`] holds a [`Slot`] per argument and output. It can be split: inputs are shared, outputs
//! divided. Typed access checks the element type and the bounds, so that everything outside this
//! module is safe code.

mod array;
mod band;
mod before;
mod layout;
mod line;
mod lines;
mod neighbourhood;
mod partial;
mod room;
mod rows;
mod scratch;
mod sparse_view;
mod spine;
mod strided_view;
mod strided_view_mut;
mod sweep;
mod values;
mod view;

pub use array::ErasedArray;
pub(crate) use band::band_of_lines;
pub use before::Before;
pub use layout::ElementLayout;
pub use line::Line;
pub use lines::{LinesAccess, LinesMut, LinesView};
pub use neighbourhood::NeighbourhoodView;
pub(crate) use neighbourhood::RowsHeld;
pub(crate) use partial::assert_fits;
pub use partial::{MAX_PARTIAL_BYTES, Partial};
pub(crate) use room::Room;
pub use rows::{RowsMut, RowsOut, RowsView};
pub use scratch::Scratch;
pub use sparse_view::SparseView;
pub(crate) use spine::is_right_half;
pub use spine::{Combine, Spine};
pub use strided_view::StridedView;
pub use strided_view_mut::StridedViewMut;
pub use sweep::{Near, SweepAccess, SweepInside, SweepMut, SweepNeighbourhood, SweepRadius};
pub(crate) use view::Block;
pub use view::{Fence, InvalidBytes, OutSlice, View, ViewMut, ViewOut};

use crate::{
    plan::Grouping,
    short::ShortVec,
    space::{CoalescedLayout, IndexSpace, Lines, Segment, SegmentSpace, Shape, SweepOrder},
};
use std::ops::Range;

/// Arguments in order, then outputs. Up to four lie in place.
pub type Slots<'m> = ShortVec<Slot<'m>, 4>;

/// The memory of one argument or output.
#[derive(Debug)]
pub enum Slot<'m> {
    /// Elements to read.
    In(View<'m>),
    /// Elements to read that do not lie one after the other.
    Strided(Box<StridedView<'m>>),
    /// Elements to read and write: `&mut T`.
    InOut(ViewMut<'m>),
    /// Elements to write, not initialised before.
    Out(ViewOut<'m>),
    /// Elements to write, and perhaps to read, that do not lie one after the other.
    Scattered(Box<StridedViewMut<'m>>),
    /// A whole container, whatever the piece is, and its shape.
    Whole(View<'m>, Shape),
    /// A container of which each element sees a neighbourhood.
    Window(Box<NeighbourhoodView<'m>>),
    /// A container of which each element reads a line.
    Lines(Box<LinesView<'m>>),
    /// A container of which each element reads and writes a line.
    LinesMut(Box<LinesMut<'m>>),
    /// A container that a sweep changes, of which each element sees others.
    Sweep(Box<SweepMut<'m>>),
}

/// One piece of a call's index space, with the memory it needs.
#[derive(Debug)]
pub struct Frame<'m> {
    /// Arguments in order, then outputs.
    pub slots: Slots<'m>,
    /// The elements of the piece.
    pub range: Range<usize>,
    /// The whole index space, of which `range` counts elements in row-major order. Where elements fold rows or
    /// columns, [`Slot::In`] and [`Slot::Strided`] count those of [`IndexSpace::arguments`].
    pub space: IndexSpace,
    /// How the call's elements are grouped, if they are combined.
    pub grouping: Grouping,
}

impl<'m> Slot<'m> {
    /// Elements to read, at these places of what `view` shows.
    #[must_use]
    pub fn strided(view: View<'m>, coalesced: CoalescedLayout) -> Slot<'m> {
        match coalesced.contiguous() {
            Some(offset) => Slot::In(view.counted_from(offset)),
            None => Slot::Strided(Box::new(StridedView::new(view, coalesced))),
        }
    }

    /// Takes the elements before `mid`, of those that are divided; all else is shared.
    fn take_front(&mut self, mid: usize) -> Slot<'m> {
        match self {
            Slot::In(view) => Slot::In(*view),
            Slot::Strided(strided) => Slot::Strided(Box::new(strided.again())),
            Slot::Whole(view, shape) => Slot::Whole(*view, *shape),
            Slot::Window(near) => Slot::Window(near.clone()),
            Slot::InOut(view) => Slot::InOut(view.take_front(mid)),
            Slot::Out(view) => Slot::Out(view.take_front(mid)),
            Slot::Scattered(scattered) => Slot::Scattered(Box::new(scattered.take_front(mid))),
            Slot::Lines(lines) => Slot::Lines(Box::new(lines.again())),
            Slot::LinesMut(lines) => Slot::LinesMut(Box::new(lines.take_front(mid))),
            Slot::Sweep(sweep) => Slot::Sweep(Box::new(sweep.take_front(mid))),
        }
    }

    /// Where a segment must end, at the latest, so that all its elements can be opened to be written in one way, and those
    /// below it.
    pub(crate) fn cut_to_write(&self, segment: &Segment) -> usize {
        let r = segment.range();
        match self {
            Slot::Scattered(scattered) => r.end.min(r.start + scattered.most_of_row(segment)),
            _ => r.end,
        }
    }

    /// How many rows can be opened at once to be written, that of the segment and those below: `most`, at most.
    pub(crate) fn rows_to_write(&self, segment: &Segment, most: usize) -> usize {
        match self {
            Slot::Scattered(scattered) => scattered.rows_at_once(segment, most),
            _ => most,
        }
    }

    /// How many elements can be opened at once, if there is a limit.
    fn most_elems(&self) -> Option<usize> {
        match self {
            Slot::Strided(strided) if strided.is_held() => None,
            Slot::Strided(strided) => Some(strided.most_elems()),
            Slot::Scattered(scattered) if scattered.is_held() => None,
            Slot::Scattered(scattered) => Some(scattered.most_elems()),
            Slot::Lines(lines) => lines.most_lines(),
            Slot::LinesMut(lines) => lines.most_lines(),
            _ => None,
        }
    }
}

/// How the elements of all slots are opened: segment by segment.
#[derive(Clone, Copy, Debug)]
pub struct Opening {
    /// How many elements can be opened at once, if there is a limit.
    most: Option<usize>,
    space: SegmentSpace,
}

impl Opening {
    /// How many elements can be opened at once, if there is a limit.
    #[must_use]
    pub fn most(&self) -> Option<usize> {
        self.most
    }

    /// The segment that begins at `rest.start` and ends with `rest` or earlier, such that every slot can be
    /// opened for it. Where it ends does not depend on the piece.
    #[inline(always)]
    #[must_use]
    pub fn segment(&self, rest: &Range<usize>, by_rows: bool) -> Segment {
        match self.most {
            None => Segment::new(rest, by_rows, self.space),
            Some(most) => {
                let end = (rest.start / most + 1) * most;
                // What lies row by row need not be copied.
                let by_rows = by_rows || self.space.shape.row_elems() >= LONG_ROW;
                Segment::new(&(rest.start..end.min(rest.end)), by_rows, self.space)
            }
        }
    }
}

/// Shorter rows of what has gaps are opened several at a time, and those that repeat, or of which one element does, are
/// gathered: so they are computed as one row with others that follow one another.
pub(crate) const LONG_ROW: usize = 64;

impl<'m> Frame<'m> {
    /// Whether there are arguments that the piece changes in place.
    #[must_use]
    pub fn changes_arguments(&self) -> bool {
        self.slots.iter().any(|slot| match slot {
            Slot::InOut(_) | Slot::LinesMut(_) | Slot::Sweep(_) => true,
            Slot::Scattered(scattered) => scattered.reads(),
            _ => false,
        })
    }

    /// From now on, lines are opened on a copy where that pays, if most of their elements are used.
    pub(crate) fn gather_lines(&mut self) {
        for slot in &mut self.slots {
            match slot {
                Slot::Lines(lines) => lines.gather(),
                Slot::LinesMut(lines) => lines.gather(),
                _ => {}
            }
        }
    }

    /// How the lines lie that its elements see, if they see some.
    #[must_use]
    pub fn lines(&self) -> Option<Lines> {
        self.slots.iter().find_map(|slot| match slot {
            Slot::Lines(lines) => Some(lines.lines()),
            Slot::LinesMut(lines) => Some(lines.lines()),
            _ => None,
        })
    }

    /// Which elements are computed before which, of a sweep.
    #[must_use]
    pub fn sweep(&self) -> Option<&SweepOrder> {
        self.slots.iter().find_map(|slot| match slot {
            Slot::Sweep(sweep) => Some(sweep.order()),
            _ => None,
        })
    }

    /// Whether it has all elements of a sweep, and no other part does anything with them.
    #[must_use]
    pub fn is_whole_sweep(&self) -> bool {
        let is_whole = |slot: &Slot<'_>| matches!(slot, Slot::Sweep(sweep) if sweep.is_whole());
        self.range == (0..self.space.elems()) && self.slots.iter().any(is_whole)
    }

    /// Another frame of the same elements, of which it has what is read alone.
    ///
    /// # Panics
    /// If it is of a sweep: its elements would be written through one frame while they are read through the other.
    #[must_use]
    pub fn beside(&mut self) -> Frame<'m> {
        assert!(self.sweep().is_none(), "a sweep has one frame");
        let start = self.range.start;
        self.twin(|slot| slot.take_front(start))
    }

    /// Another frame of all elements of a sweep, so that several rows of it can be opened at once.
    pub(crate) fn beside_sweep(&mut self) -> Frame<'m> {
        let start = self.range.start;
        self.twin(|slot| match slot {
            Slot::Sweep(sweep) => Slot::Sweep(Box::new(sweep.beside())),
            other => other.take_front(start),
        })
    }

    fn twin(&mut self, slot: impl FnMut(&mut Slot<'m>) -> Slot<'m>) -> Frame<'m> {
        Frame {
            slots: self.slots.iter_mut().map(slot).collect(),
            range: self.range.clone(),
            space: self.space,
            grouping: self.grouping,
        }
    }

    /// Puts back what [`Frame::take_front`] has taken of a sweep.
    ///
    /// # Panics
    /// If these elements do not precede its own, or it is not of a sweep.
    pub fn join_front(&mut self, front: Frame<'m>) {
        assert_eq!(front.range.end, self.range.start, "parts with a gap");
        for (slot, front) in self.slots.iter_mut().zip(front.slots) {
            match (slot, front) {
                (Slot::Sweep(sweep), Slot::Sweep(front)) => sweep.join_front(*front),
                (Slot::In(_), Slot::In(_))
                | (Slot::Strided(_), Slot::Strided(_))
                | (Slot::Whole(..), Slot::Whole(..)) => {}
                _ => panic!("parts of what is no sweep"),
            }
        }
        self.range.start = front.range.start;
    }

    /// Asserts that these are the slots of a plan of so many arguments and outputs. An output that no plan
    /// knows would never be written; so nothing but an output is memory that is only to be written.
    ///
    /// # Panics
    /// If they are not.
    pub(crate) fn assert_slots(&self, arguments: usize, outputs: usize) {
        let unread = |slot: &Slot<'_>| match slot {
            Slot::Out(_) => true,
            Slot::Scattered(scattered) => !scattered.reads(),
            Slot::In(_)
            | Slot::Strided(_)
            | Slot::InOut(_)
            | Slot::Whole(..)
            | Slot::Window(_)
            | Slot::Lines(_)
            | Slot::LinesMut(_)
            | Slot::Sweep(_) => false,
        };
        assert!(
            self.slots.len() == arguments + outputs && !self.slots[..arguments].iter().any(unread),
            "a frame of other arguments and outputs than the plan's"
        );
    }

    /// How the arguments' elements are opened.
    #[must_use]
    pub fn opening(&self) -> Opening {
        let most = self.slots.iter().filter_map(Slot::most_elems).min();
        Opening {
            most,
            space: self.arguments_space(),
        }
    }

    /// What the call says of all elements of its arguments: more than its own, if it folds rows or
    /// columns.
    #[must_use]
    pub fn arguments_space(&self) -> SegmentSpace {
        SegmentSpace {
            shape: self.space.arguments(),
            stream: self.space.stream(),
        }
    }

    /// What the call says of all its elements.
    #[must_use]
    pub fn space(&self) -> SegmentSpace {
        SegmentSpace {
            shape: self.space.shape(),
            stream: self.space.stream(),
        }
    }

    /// Takes the elements before `mid`: what is left begins there.
    ///
    /// # Panics
    /// If `mid` is not within the piece.
    #[must_use]
    pub fn take_front(&mut self, mid: usize) -> Frame<'m> {
        let Range { start, end } = self.range;
        assert!(start <= mid && mid <= end, "split outside of the piece");
        self.range.start = mid;
        Frame {
            slots: self
                .slots
                .iter_mut()
                .map(|slot| slot.take_front(mid))
                .collect(),
            range: start..mid,
            space: self.space,
            grouping: self.grouping,
        }
    }

    /// Takes all of it: no elements are left.
    #[must_use]
    pub fn take(&mut self) -> Frame<'m> {
        let (end, space, grouping) = (self.range.end, self.space, self.grouping);
        let range = end..end;
        std::mem::replace(
            self,
            Frame {
                slots: Slots::new(),
                range,
                space,
                grouping,
            },
        )
    }
}
