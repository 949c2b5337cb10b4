//! How a piece that is no scan goes to the device's thread, and how its caller hears of its end.

use super::{
    Driver,
    asynchronous::{AsyncCommand, ValueReader},
    back_pressure::Permit,
    begin_time::BeginTime,
    bind::Bound,
    deadline,
    lent::Elements,
    piece::DevicePiece,
    pinned::PinnedArray,
    scatter::{self, StagedOutput},
    scope::Scope,
    unit::DeviceUnit,
    work::{ArrayId, Wait, Work},
};
use skel_core::{
    Result,
    frame::{Spine, StridedViewMut, ViewMut},
};
use std::{
    sync::{
        Arc,
        mpsc::{Sender, channel},
    },
    time::Duration,
};

/// A piece whose operands are bound.
pub(super) struct Delivery<'u, 'e, D: Driver> {
    pub(super) unit: &'u DeviceUnit<D>,
    pub(super) scope: &'u Scope<'e>,
    pub(super) call: &'e str,
    pub(super) work: Work,
    pub(super) bound: Bound<'e, D>,
    pub(super) since: BeginTime,
    pub(super) permit: Permit,
}

/// What goes when a command is done.
type Held<D> = (Vec<PinnedArray<D>>, Permit);

/// By which a command says how it ended.
type Answer = Sender<Result<(Spine, Duration)>>;

/// What of the host a piece writes: slices, and what is written one by one.
type Landing<'e> = (
    Vec<(ArrayId, ViewMut<'e>, bool)>,
    Vec<StagedOutput<StridedViewMut<'e>>>,
);

impl<'u, 'e, D: Driver> Delivery<'u, 'e, D> {
    /// Queues it.
    pub(super) fn post(self) -> DevicePiece<'u, 'e, D> {
        let Delivery {
            unit,
            scope,
            call,
            work,
            bound,
            since,
            permit,
        } = self;
        let wait = work.job.wait;
        let lands = !bound.slices.is_empty() || !bound.staged.is_empty();
        // A kernel that is not there in time is computed elsewhere, as long as the call has not returned.
        let is_first = !unit.watch.compilations.is_ready(work.job.kernel.hash);
        let borrows =
            wait != Wait::No || is_first || bound.borrows || !bound.uploads.is_empty() || lands;
        let mut piece = DevicePiece {
            unit,
            answered: None,
            reader: None,
            borrows,
            uploads: bound.uploads,
            on_host: false,
            launched: borrows.then(|| Arc::clone(&work.job.launched)),
            partial: Spine::EMPTY,
            busy: Duration::ZERO,
        };
        let held = (bound.held, permit);
        if !borrows && !work.job.phases.pattern().combines() {
            unit.post_unwatched(call, work, held);
            return piece;
        }
        let (answer, answered) = channel();
        piece.answered = Some(answered);
        if !borrows {
            let reader = unit.post_value(call, work, (held, since), answer);
            piece.reader = Some(reader);
        } else if wait == Wait::Ahead && !lands {
            unit.post_ahead(scope, work, (held, since), answer);
        } else {
            let landing = (bound.slices, bound.staged);
            unit.post_landing(scope, work, landing, (held, since), answer);
        }
        piece
    }
}

impl<D: Driver> DeviceUnit<D> {
    /// Nothing is waited for; errors taint the outputs.
    fn post_unwatched(&self, call: &str, work: Work, held: Held<D>) {
        let async_command = AsyncCommand::new(&self.watch, call, &work.range);
        self.queue.post(move |memory| {
            async_command.finish(&memory.run(work));
            drop(held);
        });
    }

    /// Only a reader of the partial has to wait.
    fn post_value(
        &self,
        call: &str,
        work: Work,
        (held, since): (Held<D>, BeginTime),
        answer: Answer,
    ) -> ValueReader {
        let reader = ValueReader::default();
        let async_command = AsyncCommand::of_value(&self.watch, call, &reader);
        let kind = deadline::current();
        self.queue.post(move |memory| {
            let answer = move |told| {
                async_command.finish(&told);
                // The value may never be read.
                drop(answer.send(told));
            };
            memory.run_ahead(&work, (&since, kind), Box::new(answer));
            drop(held);
        });
        reader
    }

    /// The caller waits, while the device is given other pieces.
    fn post_ahead(
        &self,
        scope: &Scope<'_>,
        work: Work,
        (held, since): (Held<D>, BeginTime),
        answer: Answer,
    ) {
        let kind = deadline::current();
        scope.post(&self.queue, move |memory| {
            // The caller may have given up after an error elsewhere.
            let answer = move |told| drop(answer.send(told));
            memory.run_ahead(&work, (&since, kind), Box::new(answer));
            drop(held);
        });
    }

    /// The caller waits, and what it lends is written before it hears of the end.
    fn post_landing<'e>(
        &self,
        scope: &Scope<'e>,
        mut work: Work,
        (slices, staged): Landing<'e>,
        (held, since): (Held<D>, BeginTime),
        answer: Answer,
    ) {
        let (lender, counters) = (scope.lender(&self.queue), Arc::clone(&self.counters));
        let slices = slices.into_iter();
        work.slices = slices
            .map(|(id, view, reads)| (id, lender.lend(view), reads))
            .collect();
        work.staged = scatter::lent(staged, &lender);
        lender.post(move |memory| {
            let started = since.began(memory);
            let slices = work.slices.iter();
            counters.count(slices.map(|(_, view, reads)| (*reads, view.len_bytes())));
            let staged = work.staged.iter().map(|output| &output.elements);
            counters.count(staged.map(|elements| (elements.reads(), elements.len_bytes())));
            let result = memory.run(work);
            // The caller may have given up after an error elsewhere.
            let _receiver_gone =
                answer.send(result.map(|partial| (partial, memory.since(started))));
            drop(held);
        });
    }
}
