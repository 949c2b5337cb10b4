//! How a piece is computed by the loops of a function: what is the same for all functions, and so is compiled once.
//!
//! A skeleton's loops are compiled for each function that it is called with, and for each instruction set; that is most of
//! what a program waits for when it is built. All else goes by [`Loops`], a table of the function's loops and of what is
//! to be known of them.

use super::{
    by_rows,
    loops::{self, Blocks},
    streamed::{self, StreamLoop},
};
use crate::{
    frame::{Frame, Opening, Slot},
    isa,
    lanes::Choice,
    param::{Form, Outputs, ParamList, Position},
    plan::{Phases, Role},
    skeleton::blocks::{self, LaneLoop},
    space::Segment,
    streaming,
    user_function::UserFunction,
};

/// The loops of one function.
pub(in crate::skeleton) struct Loops {
    /// The number of arguments, and of outputs.
    pub(super) inputs: usize,
    outputs: usize,
    /// What its neighbourhoods look like, if it sees some.
    pub(super) near: Option<Form>,
    has_lines: bool,
    /// Whether all elements of a segment must be of one row, ...
    by_rows: bool,
    /// ... since it asks for its row and column.
    knows_its_row: bool,
    /// Whether elements that know their row may read a container anywhere.
    pub(super) reads_anywhere: bool,
    /// What a loop computes at once.
    pub(super) blocks: Blocks,
    /// The bytes of an element's results.
    pub(super) result_bytes: usize,
    /// [`ParamList::cut`] and [`ParamList::rows`].
    pub(super) cut: fn(&[Slot<'_>], &Segment, usize) -> usize,
    pub(super) rows: fn(&[Slot<'_>], &Segment, usize) -> usize,
    /// The elements of a segment, and of so many rows at its columns; some of them again where that is faster.
    pub(super) run: fn(&mut Frame<'_>, &Segment, usize, bool),
    /// The same of one row, in lanes.
    lanes: Option<LaneLoop>,
    /// The same, whose results are streamed.
    streamed: Option<StreamLoop>,
}

impl Loops {
    pub(super) const fn of<F, P>() -> Self
    where
        P: ParamList,
        F: UserFunction<P, Output: Outputs>,
    {
        Loops {
            inputs: P::LEN,
            outputs: <F::Output as Outputs>::LEN,
            near: P::NEAR,
            has_lines: P::HAS_LINES,
            by_rows: by_rows::<F, P>(),
            knows_its_row: F::At::BY_ROWS,
            reads_anywhere: F::At::BY_ROWS && P::NEAR.is_none() && has_view(P::ROLES),
            blocks: Blocks::of::<F, P>(),
            result_bytes: size_of::<F::Output>(),
            cut: P::cut,
            rows: P::rows,
            run: loops::run::<F, P>,
            lanes: blocks::lane_loop::<F, P>(),
            streamed: streamed::stream_loop::<F, P>(),
        }
    }

    /// Computes all elements of the piece.
    pub(super) fn compute(&self, plan: &(dyn Phases + 'static), piece: &mut Frame<'_>) {
        piece.assert_slots(self.inputs, self.outputs);
        let is_pure = || plan.kernel().is_ok_and(|kernel| kernel.is_pure);
        if self.near.is_some() {
            self.rectangles(piece, piece.range.clone(), is_pure());
            return;
        }
        if self.has_lines && plan.kernel().is_ok_and(|kernel| kernel.goes_through) {
            piece.gather_lines();
        }
        let opening = piece.opening();
        if let Some(lanes) = &self.lanes
            && piece.range.len() >= isa::lanes().max(1)
        {
            let choice = Choice::of(plan.id(), &|| {
                let kernel = plan.kernel();
                kernel.is_ok_and(|kernel| blocks::usable(kernel, lanes.may_guess))
            });
            let mut scalar = |frame: &mut Frame<'_>, segment: Segment| {
                self.plain(frame, opening, &segment);
            };
            let range = piece.range.clone();
            blocks::run(piece, range, opening, choice, lanes, &mut scalar);
            return;
        }
        let streamed = self.streamed.as_ref();
        if let Some(streamed) = streamed.filter(|_| self.are_streamed(piece)) {
            self.segments(piece, opening, |piece, segment| {
                self.stream(piece, opening, segment, streamed);
            });
        } else if self.knows_its_row || opening.most().is_some() {
            self.rectangles(piece, piece.range.clone(), is_pure());
        } else {
            self.segments(piece, opening, |piece, segment| {
                (self.run)(piece, segment, 1, false)
            });
        }
    }

    /// Calls `run` for segment after segment.
    #[inline(always)]
    fn segments(
        &self,
        piece: &mut Frame<'_>,
        opening: Opening,
        run: impl Fn(&mut Frame<'_>, &Segment),
    ) {
        let mut rest = piece.range.clone();
        while !rest.is_empty() {
            let segment = opening.segment(&rest, self.by_rows);
            rest.start = segment.range().end;
            run(piece, &segment);
        }
    }

    /// Whether the results of this piece are written past the caches.
    fn are_streamed(&self, piece: &Frame<'_>) -> bool {
        let bytes = piece.space.elems().saturating_mul(self.result_bytes);
        streaming::pays(bytes) && matches!(piece.slots.last(), Some(Slot::Out(_)))
    }

    /// Computes a segment, also one of several rows of what has gaps.
    fn plain(&self, piece: &mut Frame<'_>, opening: Opening, segment: &Segment) {
        match opening.most() {
            None => (self.run)(piece, segment, 1, false),
            Some(_) => self.rectangles(piece, segment.range(), false),
        }
    }

    /// Computes a segment whose results are streamed, but for those that share a cache line or block with others.
    fn stream(
        &self,
        piece: &mut Frame<'_>,
        opening: Opening,
        segment: &Segment,
        streamed: &StreamLoop,
    ) {
        let r = segment.range();
        let first = match piece.slots.last() {
            Some(Slot::Out(view)) => view.before_line(&r),
            _ => r.len(),
        };
        let blocks = (r.len() - first) / streamed.block;
        let last = first + blocks * streamed.block;
        let part = |from: usize, to: usize| segment.clone().after(from).until(r.start + to);
        if blocks == 0 || !(streamed.run)(piece, &part(first, last)) {
            return self.plain(piece, opening, segment);
        }
        for (from, to) in [(0, first), (last, r.len())] {
            if from < to {
                self.plain(piece, opening, &part(from, to));
            }
        }
    }
}

/// Whether a whole container is read.
const fn has_view(roles: &[Role]) -> bool {
    let mut k = 0;
    while k < roles.len() {
        if matches!(roles[k], Role::View) {
            return true;
        }
        k += 1;
    }
    false
}
