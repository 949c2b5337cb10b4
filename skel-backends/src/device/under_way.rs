//! Pieces that a device was given and whose ends are of interest, while the device's thread goes on with others: callers
//! wait for them, or will read a value.
//!
//! So one thread can wait for the end of a task while another one gives the device the next: uploads and launches are
//! queued behind what runs, and the device does not idle between tasks. The thread asks the driver for the marks of
//! what is under way, the oldest first, after each command and while there is none; only a driver without marks is
//! waited for.

use super::{
    Driver, Mark,
    allowance::LaunchesSoFar,
    begin_time::BeginTime,
    deadline::CommandKind,
    memory::{Memory, Started},
    queue::{Waiting, Waits},
    taint::TaintSource,
    work::Work,
};
use crate::ItemId;
use skel_core::{Error, Result, frame::Spine};
use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

/// Is told the partial of a piece, and how long the device was at work on it.
pub(super) type Answer = Box<dyn FnOnce(Result<(Spine, Duration)>) + Send>;

/// What a caller waits for.
struct Awaited<D: Driver> {
    mark: Mark,
    started: Started,
    work: AwaitedWork<D>,
    kind: CommandKind,
    /// What the mark is behind.
    launches: LaunchesSoFar,
    answer: Answer,
}

/// What there is to find out when the mark has passed.
enum AwaitedWork<D: Driver> {
    /// The partial of a piece, and whether it has trapped.
    Piece(Option<D::Pending>, Vec<TaintSource>),
    /// Whether any of these has trapped and that was not reported.
    Item(Vec<TaintSource>),
}

/// For so long after it was launched, and after a reader asked, the thread looks for what is under way without a pause:
/// waking takes longer.
const CLOSELY: Duration = Duration::from_micros(20);
const ATTENDED: Duration = Duration::from_millis(2);

/// All of a device, the oldest first.
pub(super) struct UnderWay<D: Driver> {
    awaited: VecDeque<Awaited<D>>,
    /// Since when the oldest is waited for.
    since: Instant,
    /// Until when it is looked for without a pause.
    closely_until: Instant,
    /// When the last piece ended, by the device's clock.
    passed: Duration,
}

impl<D: Driver> Default for UnderWay<D> {
    fn default() -> Self {
        UnderWay {
            awaited: VecDeque::new(),
            since: Instant::now(),
            closely_until: Instant::now(),
            passed: Duration::ZERO,
        }
    }
}

impl<D: Driver> UnderWay<D> {
    fn push(&mut self, awaited: Awaited<D>) {
        if self.awaited.is_empty() {
            self.since = Instant::now();
        }
        self.awaited.push_back(awaited);
        self.look_closely(CLOSELY);
    }

    fn look_closely(&mut self, time: Duration) {
        self.closely_until = self.closely_until.max(Instant::now() + time);
    }

    /// How long the device was at work on a piece that it came to at one time and ended at another. While it had an
    /// earlier one as well, it was at that.
    pub(super) fn passed(&mut self, began: Duration, ended: Duration) -> Duration {
        let before = std::mem::replace(&mut self.passed, ended);
        ended.saturating_sub(began.max(before))
    }
}

impl<D: Driver> Memory<D> {
    /// Launches a piece, and tells its partial when the device has ended it. What the piece trapped at is told, too.
    /// `kind` is what the command that asks for it is for.
    pub(super) fn run_ahead(
        &mut self,
        work: &Work,
        (since, kind): (&BeginTime, CommandKind),
        answer: Answer,
    ) {
        let started = since.began(self);
        match self.start(work) {
            Ok((pending, causes)) => {
                self.wait_behind(started, AwaitedWork::Piece(pending, causes), kind, answer);
            }
            Err(error) => {
                self.taint_failed(work, &error);
                answer(Err(error));
            }
        }
    }

    /// A reader asks for a value that may be under way.
    pub(super) fn attend(&mut self) {
        self.under_way.look_closely(ATTENDED);
    }

    /// Tells when all that an item's calls have launched is done, or the first error of a launch of theirs that was not
    /// reported.
    pub(super) fn settle(&mut self, item: ItemId, kind: CommandKind, answer: Answer) {
        let (started, causes) = (self.untimed(), self.outstanding_of(item));
        self.wait_behind(started, AwaitedWork::Item(causes), kind, answer);
    }

    /// Answers when all is done that has been queued.
    fn wait_behind(
        &mut self,
        started: Started,
        work: AwaitedWork<D>,
        kind: CommandKind,
        answer: Answer,
    ) {
        let (AwaitedWork::Piece(_, causes) | AwaitedWork::Item(causes)) = &work;
        let traps: Vec<_> = causes.iter().filter_map(TaintSource::words).collect();
        let launches = self.watch().launches();
        let awaited = |mark| Awaited {
            mark,
            launches,
            started,
            work,
            kind,
            answer,
        };
        match self.driver_mut().mark(&traps) {
            Ok(Some(mark)) => self.under_way.push(awaited(mark)),
            // It has no marks, or no memory for one.
            Ok(None) | Err(Error::OutOfMemory { .. }) => {
                let done = self.driver_mut().wait();
                self.answer(awaited(Mark(0)), done);
            }
            Err(error) => self.answer(awaited(Mark(0)), Err(error)),
        }
    }

    /// All that was waited for is done, or nothing is known of it.
    fn answer(&mut self, awaited: Awaited<D>, done: Result<()>) {
        let partial = done.and_then(|()| match awaited.work {
            AwaitedWork::Piece(pending, causes) => self.outcome(pending, &causes),
            AwaitedWork::Item(causes) => {
                let mut causes = causes.iter();
                let first = causes.find_map(|cause| cause.look(self.driver_mut()));
                // Without memory to look, it is found when the results are read.
                match first.filter(|error| !matches!(error, Error::OutOfMemory { .. })) {
                    Some(error) => Err(error),
                    None => Ok(Spine::EMPTY),
                }
            }
        });
        let now = self.now();
        let busy = self.under_way.passed(awaited.started.at(), now);
        (awaited.answer)(partial.map(|partial| (partial, busy)));
    }
}

impl<D: Driver> Waits for Memory<D> {
    fn waits(&self) -> Option<Waiting> {
        let oldest = self.under_way.awaited.front()?;
        Some(Waiting {
            kind: oldest.kind,
            since: self.under_way.since,
            closely: Instant::now() < self.under_way.closely_until,
        })
    }

    fn was_busy(&mut self, took: Duration) {
        let since = self.under_way.since + took;
        self.under_way.since = since.min(Instant::now());
    }

    fn look(&mut self) {
        while let Some(oldest) = self.under_way.awaited.front() {
            let mark = oldest.mark;
            let passed = match self.driver_mut().has_passed(mark) {
                Ok(false) => return,
                passed => passed.map(drop),
            };
            let Some(oldest) = self.under_way.awaited.pop_front() else {
                return;
            };
            self.watch().passed(oldest.launches);
            self.under_way.since = Instant::now();
            self.answer(oldest, passed);
        }
    }

    fn end(&mut self) {
        // What has passed does not wait for the rest.
        self.look();
        // What has failed is told so by its mark.
        let _waited = self.driver_mut().wait();
        self.look();
    }
}
