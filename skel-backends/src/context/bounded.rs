//! Foreign code that may hang, with a limit of time.
//!
//! Drivers list and open devices before there is a watchdog to look at them. So that is done on a thread of its own: a
//! driver that hangs blocks that thread, and not every caller that wants a device.

use std::{
    fmt, io,
    sync::mpsc::{RecvTimeoutError, channel},
    thread,
    time::Duration,
};

/// Compilers recurse as deep as the source is nested. Stack memory is committed as it is touched.
const STACK_BYTES: usize = 64 << 20;

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Unanswered {
    /// It took longer than this. The thread goes on; what it gives is dropped.
    Overdue(Duration),
    /// It has panicked.
    Panicked,
    /// The system has no thread to give.
    NoThread(io::Error),
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unanswered::Overdue(limit) => write!(f, "it took longer than {limit:?}"),
            Unanswered::Panicked => f.write_str("its driver has panicked"),
            Unanswered::NoThread(error) => write!(f, "there is no thread to be had: {error}"),
        }
    }
}

/// What `work` gives, on a thread of this name, that is waited for no longer than the limit, if there is one.
pub(super) fn within<R: Send + 'static>(
    limit: Option<Duration>,
    thread: String,
    work: impl FnOnce() -> R + Send + 'static,
) -> Result<R, Unanswered> {
    let (done, answered) = channel();
    let thread = thread::Builder::new().name(thread).stack_size(STACK_BYTES);
    // Where it took too long, the receiver is gone: what was opened is closed again.
    let spawned = thread.spawn(move || drop(done.send(work())));
    spawned.map_err(Unanswered::NoThread)?;
    let answer = match limit {
        None => answered.recv().map_err(RecvTimeoutError::from),
        Some(limit) => answered.recv_timeout(limit),
    };
    answer.map_err(|error| match (error, limit) {
        (RecvTimeoutError::Timeout, Some(limit)) => Unanswered::Overdue(limit),
        _ => Unanswered::Panicked,
    })
}
