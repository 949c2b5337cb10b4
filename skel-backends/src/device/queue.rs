//! A device's thread and the queue in front of it.
//!
//! Commands run one at a time, in order, on a thread that sleeps otherwise, or looks now and then whether the device has
//! done what callers wait for, so that a device costs no CPU core. Commands borrow nothing: what a command is
//! [lent](super::lent), it has by a lease.

use super::{
    back_pressure::{BackPressure, Permit},
    deadline::{self, CommandKind},
    lease::LeaseGuard,
    lent::Lent,
    scope::{Lend, scope},
    watch::{Patience, Watch},
};
use crate::{exit::GivingBack, fork::ProcessLocal};
use skel_core::{
    Error, Result,
    caught::{Caught, catch},
};
use std::{
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel},
    },
    thread,
    time::{Duration, Instant},
};

/// Drivers may run user functions, which keep many copies of a large array if they are not optimised. Stack memory is
/// committed as it is touched.
const STACK_BYTES: usize = 32 << 20;

type Work<S> = Box<dyn FnOnce(&mut S) + Send>;

/// What a device's thread owns. It may wait for the device while it has no command.
pub(super) trait Waits {
    /// What it waits for the longest; nothing if it sleeps until there is a command.
    fn waits(&self) -> Option<Waiting>;

    /// Looks whether what it waits for is done. Does not wait.
    fn look(&mut self);

    /// A command took so long: that was not the device's time.
    fn was_busy(&mut self, took: Duration);

    /// Waits until all is done.
    fn end(&mut self);
}

/// What a device's thread waits for.
#[derive(Clone, Copy)]
pub(super) struct Waiting {
    pub(super) kind: CommandKind,
    /// Since when it is the device that takes so long.
    pub(super) since: Instant,
    /// Whether it will be asked for about now, or has been: the thread does not sleep.
    pub(super) closely: bool,
}

/// What to do, and the caller to wake after it was consumed.
struct Command<S> {
    work: Work<S>,
    held: Option<LeaseGuard>,
    kind: CommandKind,
}

/// The sending end. Clones share the thread, which ends when the last of them is gone, or when it is not needed
/// any more ([`Watch::dismiss`]).
pub(super) struct Queue<S> {
    commands: ProcessLocal<Sender<Command<S>>>,
    watch: Arc<Watch>,
    room: Arc<BackPressure>,
}

impl<S> Clone for Queue<S> {
    fn clone(&self) -> Self {
        Queue {
            commands: self.commands.clone(),
            watch: Arc::clone(&self.watch),
            room: Arc::clone(&self.room),
        }
    }
}

impl<S: 'static> Queue<S> {
    /// Starts a thread that owns `state`.
    pub(super) fn start(name: &str, watch: &Arc<Watch>, state: S) -> Result<Self>
    where
        S: Waits + Send,
    {
        let (commands, incoming) = channel::<Command<S>>();
        let thread = thread::Builder::new()
            .name(format!("skel {name}"))
            .stack_size(STACK_BYTES);
        let watched = Arc::clone(watch);
        thread
            .spawn(move || serve(state, incoming, &watched))
            .map_err(|error| Error::Device {
                device: name.into(),
                operation: "starting its thread",
                message: error.to_string(),
            })?;
        Ok(Queue {
            commands: ProcessLocal::new(commands),
            watch: Arc::clone(watch),
            room: Arc::default(),
        })
    }

    /// What is known of the device.
    pub(super) fn watch(&self) -> &Arc<Watch> {
        &self.watch
    }

    /// Waits until there is room for an asynchronous command that keeps so many bytes.
    ///
    /// # Errors
    /// That of a device which is given up meanwhile.
    pub(super) fn admit(&self, bytes: u64) -> Result<Permit> {
        self.room.admit(&self.watch, bytes)
    }

    /// Queues a command, which has this lease if a caller waits for it.
    pub(super) fn send(
        &self,
        work: impl FnOnce(&mut S) + Send + 'static,
        held: Option<LeaseGuard>,
    ) {
        let command = Command {
            work: Box::new(work),
            held,
            kind: deadline::current(),
        };
        // A thread that hangs would never take it. One that has ended, by a panic of a driver, drops it; a
        // caller that waits for an answer notices.
        if !self.watch.is_hung() {
            let _gone = self.commands.send(command);
        }
    }

    /// Queues a command for which no caller waits. If the thread is gone, the command is dropped.
    pub(super) fn post(&self, work: impl FnOnce(&mut S) + Send + 'static) {
        self.send(work, None);
    }

    /// Runs a command, and waits for its answer.
    pub(super) fn ask<R: Send + 'static>(
        &self,
        work: impl FnOnce(&mut S) -> Result<R> + Send + 'static,
    ) -> Result<R> {
        let (answer, answered) = channel();
        self.post(move |state| {
            // The asker may have given up.
            let _receiver_gone = answer.send(work(state));
        });
        self.answer(&answered)
    }

    /// Runs a command that is lent `view`, and waits for its answer.
    pub(super) fn ask_lending<'e, V: Lend<'e>, R: Send + 'static>(
        &self,
        view: V,
        work: impl FnOnce(&mut S, Lent<V::Lent>) -> Result<R> + Send + 'static,
    ) -> Result<R> {
        scope(|scope| {
            let lender = scope.lender(self);
            let lent = lender.lend(view);
            lender.ask(move |state| work(state, lent))
        })
    }

    /// What was sent by a command, or that its device is no more.
    pub(super) fn answer<R>(&self, answered: &Receiver<Result<R>>) -> Result<R> {
        if self.watch.is_left() {
            return Err(self.watch.lost());
        }
        loop {
            let received = match self.watch.patience() {
                Patience::Unlimited => answered.recv().map_err(RecvTimeoutError::from),
                Patience::For(time) => answered.recv_timeout(time),
                // It may have come in the last moment.
                Patience::Over => answered
                    .try_recv()
                    .map_err(|_| RecvTimeoutError::Disconnected),
            };
            match received {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    self.watch
                        .lose("its driver has failed, and its thread has ended");
                    return Err(self.watch.lost());
                }
            }
        }
    }
}

/// The thread looks whether what it waits for is done after a sixteenth of the time that it has waited, so that it
/// learns of short work soon and costs little beside long work.
fn pause(since: Instant) -> Duration {
    const SHORTEST: Duration = Duration::from_micros(20);
    const LONGEST: Duration = Duration::from_millis(1);
    (since.elapsed() / 16).clamp(SHORTEST, LONGEST)
}

/// The next command, if there will be one. Until it comes, the thread looks after what it waits for.
fn next<S: Waits>(
    state: &mut S,
    incoming: &Receiver<Command<S>>,
    watch: &Watch,
) -> Option<Command<S>> {
    while let Some(Waiting { kind, .. }) = state.waits() {
        watch.waits(kind, Instant::now());
        let looked = catch(|| state.look());
        watch.end();
        if let Err(caught) = looked {
            watch.lose(&failed(caught));
            return None;
        }
        let Some(Waiting {
            kind,
            since,
            closely,
        }) = state.waits()
        else {
            break;
        };
        watch.waits(kind, since);
        let command = match closely {
            true => incoming.try_recv().map_err(|none| match none {
                TryRecvError::Empty => RecvTimeoutError::Timeout,
                TryRecvError::Disconnected => RecvTimeoutError::Disconnected,
            }),
            false => incoming.recv_timeout(pause(since)),
        };
        watch.end();
        match command {
            Ok(command) => return Some(command),
            Err(RecvTimeoutError::Timeout) if closely => thread::yield_now(),
            Err(RecvTimeoutError::Timeout) => {}
            // No caller is left to be told.
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
    incoming.recv().ok()
}

/// What is said of a driver that has panicked.
fn failed(caught: Caught) -> String {
    format!("its driver has failed: {}", caught.message())
}

/// The thread's loop. A driver must not panic. If one does, its device is gone, and no caller hangs: dropping
/// the commands wakes the waiting callers.
fn serve<S: Waits>(mut state: S, incoming: Receiver<Command<S>>, watch: &Watch) {
    while let Some(Command { work, held, kind }) = next(&mut state, &incoming, watch) {
        watch.begin(kind);
        let began = Instant::now();
        let done = catch(|| LeaseGuard::run(held.as_ref(), || work(&mut state)));
        watch.end();
        state.was_busy(began.elapsed());
        let is_done = done.is_ok();
        if let Err(caught) = done {
            watch.lose(&failed(caught));
        }
        drop(held);
        if let (true, Some(Waiting { kind, .. })) = (is_done && watch.is_dismissed(), state.waits())
        {
            watch.waits(kind, Instant::now());
            // What it panics with has no reader.
            let _panicked = catch(|| state.end());
            watch.end();
        }
        if !is_done || watch.is_dismissed() {
            let _giving_back = GivingBack::begin();
            // Waiting callers are woken before the driver is dropped, which may take any time.
            drop(incoming);
            drop(state);
            return;
        }
    }
}

#[cfg(test)]
mod test;
