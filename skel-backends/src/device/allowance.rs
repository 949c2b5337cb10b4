//! How long a device's thread takes, and may take: pure bookkeeping of what its watchdog goes by.

use super::deadline::{CommandKind, Fetch};
use std::time::{Duration, Instant};

/// As long as anything may take: what models promise is summed up.
const MOST: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// What the thread is at, and what the device still owes.
#[derive(Default)]
pub(super) struct Allowance {
    /// Since when it has been at its command.
    pub(super) since: Option<Instant>,
    /// What this command may take for itself.
    own: Duration,
    /// What it may take, as it may have to wait for launches before.
    pub(super) allowed: Duration,
    /// What all launches so far may take, and those of them that are done: the next wait waits for the others.
    launched: Duration,
    done: Duration,
    /// Whether this command is among them.
    counted: bool,
    /// How long downloads may take, if a model has said it.
    fetch: Option<Fetch>,
}

/// All launches up to some moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaunchesSoFar(Duration);

impl Allowance {
    /// The thread has a command; `limit` is for what has no deadline of its own.
    pub(super) fn begin(&mut self, kind: CommandKind, limit: Duration) {
        self.own = self.own_time(kind, limit);
        self.allowed = self.owed() + self.own;
        self.counted = false;
        self.since = Some(Instant::now());
    }

    /// The thread has no command, and waits since then for the device to end an earlier one.
    pub(super) fn wait(&mut self, kind: CommandKind, limit: Duration, since: Instant) {
        let own = self.own_time(kind, limit);
        // What was launched after it is owed as well.
        self.allowed = self.owed().max(own);
        self.since = Some(since);
    }

    /// A launch of this command was queued.
    pub(super) fn launch(&mut self) {
        if !std::mem::replace(&mut self.counted, true) {
            self.launched = self.launched.saturating_add(self.own);
        }
    }

    /// All that was launched by now.
    pub(super) fn launches(&self) -> LaunchesSoFar {
        LaunchesSoFar(self.launched)
    }

    /// These are done; later ones may not be.
    pub(super) fn passed(&mut self, launches: LaunchesSoFar) {
        self.done = self.done.max(launches.0);
    }

    /// All launches are done.
    pub(super) fn settle(&mut self) {
        (self.done, self.counted) = (self.launched, false);
    }

    fn owed(&self) -> Duration {
        self.launched.saturating_sub(self.done)
    }

    fn own_time(&mut self, kind: CommandKind, limit: Duration) -> Duration {
        let own = match kind {
            CommandKind::Other => limit,
            CommandKind::Piece(deadline) => {
                self.fetch = Some(deadline.fetch);
                deadline.piece
            }
            CommandKind::Fetch { bytes } => self.fetch.map_or(limit, |fetch| fetch.of(bytes)),
        };
        own.min(MOST)
    }
}

#[cfg(test)]
mod test {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(10);

    fn launch(allowance: &mut Allowance) -> LaunchesSoFar {
        allowance.begin(CommandKind::Other, LIMIT);
        allowance.launch();
        // A second one of the same command is no more work than was expected of it.
        allowance.launch();
        allowance.launches()
    }

    #[test]
    fn what_is_done_is_not_owed_and_what_came_later_is() {
        let mut allowance = Allowance::default();
        let marks = [(); 3].map(|()| launch(&mut allowance));
        assert_eq!(allowance.owed(), 3 * LIMIT);
        allowance.passed(marks[1]);
        assert_eq!(allowance.owed(), LIMIT);
        // An earlier one says nothing new.
        allowance.passed(marks[0]);
        assert_eq!(allowance.owed(), LIMIT);
        allowance.settle();
        allowance.passed(marks[2]);
        launch(&mut allowance);
        assert_eq!(allowance.owed(), LIMIT);
        allowance.begin(CommandKind::Other, LIMIT);
        assert_eq!(allowance.allowed, 2 * LIMIT);
    }

    #[test]
    fn a_thread_that_only_waits_has_what_is_owed() {
        let mut allowance = Allowance::default();
        let since = Instant::now();
        for _ in 0..4 {
            launch(&mut allowance);
        }
        allowance.wait(CommandKind::Fetch { bytes: 0 }, LIMIT, since);
        assert_eq!(
            (allowance.allowed, allowance.since),
            (4 * LIMIT, Some(since))
        );
    }

    #[test]
    fn deadlines_without_an_end_do_not_stop_the_count() {
        let mut allowance = Allowance::default();
        for _ in 0..3 {
            allowance.begin(CommandKind::Other, Duration::MAX);
            allowance.launch();
        }
        assert_eq!(allowance.owed(), 3 * MOST);
        allowance.settle();
        launch(&mut allowance);
        assert_eq!(allowance.owed(), LIMIT);
    }
}
