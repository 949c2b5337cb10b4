//! Deadlines of commands: how long each may take before its device is given up, where a watchdog goes by
//! models ([`Watchdog::ByModel`](crate::Watchdog)).
//!
//! The caller that starts a piece knows the prediction for it, but the piece's commands are posted in many
//! places. So the prediction is a thread-local of the calling thread meanwhile, and each command that the
//! thread posts takes it along.

use crate::finally::Finally;
use std::{cell::Cell, time::Duration};

/// How long a piece may take by its model, and what is fetched of its results later.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Deadline {
    pub(crate) piece: Duration,
    pub(crate) fetch: Fetch,
}

/// How long a download may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fetch {
    pub(crate) least: Duration,
    pub(crate) ns_per_byte: f64,
}

impl Fetch {
    /// Of so many bytes.
    pub(super) fn of(self, bytes: u64) -> Duration {
        self.least
            .saturating_add(duration(self.ns_per_byte * bytes as f64))
    }
}

/// So many nanoseconds; what is no time is none.
pub(crate) fn duration(ns: f64) -> Duration {
    Duration::try_from_secs_f64(ns / 1e9).unwrap_or(if ns > 0.0 {
        Duration::MAX
    } else {
        Duration::ZERO
    })
}

/// What a command is for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum CommandKind {
    /// Nothing that is predicted.
    #[default]
    Other,
    /// A piece of a call.
    Piece(Deadline),
    /// To fetch so many bytes of what others have computed.
    Fetch { bytes: u64 },
}

thread_local! {
    static CURRENT: Cell<CommandKind> = const { Cell::new(CommandKind::Other) };
}

/// What the commands are for that this thread posts.
pub(super) fn current() -> CommandKind {
    CURRENT.get()
}

/// Commands that `body` posts are for this.
pub(super) fn on<R>(kind: CommandKind, body: impl FnOnce() -> R) -> R {
    let before = CURRENT.replace(kind);
    let _restore = Finally(|| CURRENT.set(before));
    body()
}

/// Commands that `body` posts are for a piece, of which perhaps something is predicted.
pub(crate) fn of_piece<R>(deadline: Option<Deadline>, body: impl FnOnce() -> R) -> R {
    on(
        deadline.map_or(CommandKind::Other, CommandKind::Piece),
        body,
    )
}
