//! A device's thread and the queue in front of it.
//!
//! Commands run one at a time, in order, on a thread that sleeps otherwise, so that a device costs no
//! CPU core. A command may borrow from the caller if it was posted in a [`Scope`], which waits for it.
#![allow(unsafe_code, reason = "borrowed commands: a scope outlives them")]

use skel_core::{Error, Result};
use std::{
    marker::PhantomData,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
};

type Work<S> = Box<dyn FnOnce(&mut S) + Send>;

/// What to do, and whom to tell *after it was consumed*: telling from within would let the caller
/// free what the closure has borrowed, while the closure is still there.
struct Command<S> {
    work: Work<S>,
    done: Option<Done>,
}

/// The sending end. Clones share the thread, which ends when the last of them is gone.
pub(super) struct Queue<S> {
    commands: Sender<Command<S>>,
    name: Arc<str>,
}

impl<S> Clone for Queue<S> {
    fn clone(&self) -> Self {
        Queue {
            commands: self.commands.clone(),
            name: Arc::clone(&self.name),
        }
    }
}

impl<S: 'static> Queue<S> {
    /// Starts a thread that owns `state`.
    pub(super) fn start(name: &str, state: S) -> Result<Self>
    where
        S: Send,
    {
        let (commands, incoming) = channel::<Command<S>>();
        let thread = thread::Builder::new().name(format!("skel {name}"));
        thread
            .spawn(move || serve(state, &incoming))
            .map_err(|error| Error::Device {
                device: name.into(),
                operation: "starting its thread",
                message: error.to_string(),
            })?;
        Ok(Queue {
            commands,
            name: name.into(),
        })
    }

    /// Queues a command that borrows nothing. If the thread is gone, the command is dropped.
    pub(super) fn post(&self, work: impl FnOnce(&mut S) + Send + 'static) {
        // The thread ends by a panic of a driver only; whoever waits for an answer notices.
        let _gone = self.commands.send(Command {
            work: Box::new(work),
            done: None,
        });
    }

    /// Runs a command and waits for its answer.
    pub(super) fn ask<'e, R: Send + 'e>(
        &self,
        work: impl FnOnce(&mut S) -> Result<R> + Send + 'e,
    ) -> Result<R> {
        let (answer, answered) = channel();
        scope(|s| {
            s.post(self, move |state| {
                // The asker waits; if it is gone, so is the need for an answer.
                let _unheard = answer.send(work(state));
            });
        });
        self.answer(&answered)
    }

    /// What was sent by a command, or that its thread is no more.
    pub(super) fn answer<R>(&self, answered: &Receiver<Result<R>>) -> Result<R> {
        answered.recv().unwrap_or_else(|_| {
            Err(Error::Device {
                device: self.name.to_string(),
                operation: "a command",
                message: "the device's driver has failed before, and its thread has ended".into(),
            })
        })
    }
}

/// The thread's loop. A driver must not panic; if one does, its device is gone, and nobody hangs:
/// commands are dropped, which tells those who wait.
fn serve<S>(mut state: S, incoming: &Receiver<Command<S>>) {
    while let Ok(Command { work, done }) = incoming.recv() {
        let survived = catch_unwind(AssertUnwindSafe(|| work(&mut state))).is_ok();
        drop(done);
        if !survived {
            return;
        }
    }
}

#[derive(Default)]
struct Count {
    left: Mutex<usize>,
    changed: Condvar,
}

impl Count {
    fn change(&self, by: impl FnOnce(&mut usize)) {
        by(&mut self.left.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }

    fn wait(&self) {
        let left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        drop(
            self.changed
                .wait_while(left, |left| *left > 0)
                .unwrap_or_else(PoisonError::into_inner),
        );
    }
}

/// Dropped when a command is gone, done or not.
struct Done(Arc<Count>);

impl Drop for Done {
    fn drop(&mut self) {
        self.0.change(|left| *left -= 1);
    }
}

/// Posts commands that borrow for `'e`.
pub struct Scope<'e> {
    count: Arc<Count>,
    _borrows: PhantomData<std::cell::Cell<&'e ()>>,
}

/// Runs `body`; returns, or goes on panicking, when all commands posted in it are gone.
pub fn scope<'e, R>(body: impl FnOnce(&Scope<'e>) -> R) -> R {
    struct Wait(Arc<Count>);
    impl Drop for Wait {
        fn drop(&mut self) {
            self.0.wait();
        }
    }
    let count = Arc::new(Count::default());
    let _wait = Wait(Arc::clone(&count));
    body(&Scope {
        count,
        _borrows: PhantomData,
    })
}

impl<'e> Scope<'e> {
    pub(super) fn post<S: 'static>(&self, queue: &Queue<S>, work: impl FnOnce(&mut S) + Send + 'e) {
        self.count.change(|left| *left += 1);
        let done = Some(Done(Arc::clone(&self.count)));
        let work: Box<dyn FnOnce(&mut S) + Send + 'e> = Box::new(work);
        // SAFETY: only the lifetime changes. `scope` does not end before `done` is dropped, and
        // `done` is dropped after `work` was consumed: by `serve`, or, where the command is dropped
        // unserved, by the order of `Command`'s fields.
        let work: Work<S> = unsafe { std::mem::transmute(work) };
        let _gone = queue.commands.send(Command { work, done });
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn commands_run_in_order_and_may_borrow() {
        let queue = Queue::start("test", Vec::new()).unwrap();
        let words = [String::from("a"), String::from("b")];
        let mut lengths = [0, 0];
        scope(|s| {
            for (word, length) in words.iter().zip(&mut lengths) {
                s.post(&queue, move |seen: &mut Vec<String>| {
                    seen.push(word.clone());
                    *length = seen.len();
                });
            }
        });
        assert_eq!(lengths, [1, 2]);
        assert_eq!(queue.ask(|seen| Ok(seen.concat())).unwrap(), "ab");
    }

    #[test]
    fn a_driver_that_panics_leaves_nobody_waiting() {
        let queue = Queue::start("test", ()).unwrap();
        let asked = queue.ask(|()| -> Result<()> { panic!("expected by the test") });
        assert!(matches!(asked, Err(Error::Device { .. })));
        assert!(matches!(queue.ask(|()| Ok(())), Err(Error::Device { .. })));
    }
}
