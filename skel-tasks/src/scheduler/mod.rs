//! Schedulers: which ready task a worker takes next.
//!
//! A scheduler decides where and when, never what: results are the same under all of them. It sees tasks from
//! the moment when all that they wait for is done ([`Scheduler::push`]) until a worker takes them
//! ([`Scheduler::pop`]), and may ask a [`View`] for all that the engine knows. To add one, write a file with a
//! [`Configuration`] and a [`Scheduler`], and add a line to the list in `names.rs`, by which [`parse`] finds it.

use crate::{BadOption, ClassSet, Machine, MemoryNode, Ns, TaskId, View, WorkerId};
use std::fmt;

/// What a scheduler is made of: its settings, one struct per scheduler.
pub trait Configuration: fmt::Debug + Send + Sync {
    /// The name and all settings, as [`parse`] reads them: `laheteroprio,s=1,l=2`.
    fn text(&self) -> String;

    /// A scheduler for this machine.
    ///
    /// # Errors
    /// The setting that cannot be, on this machine or at all, and what it can be.
    fn build(&self, machine: &Machine) -> Result<Box<dyn Scheduler>, BadOption>;
}

/// What [`parse`] gives, wherever a configuration is wanted.
impl<C: Configuration + ?Sized> Configuration for Box<C> {
    fn text(&self) -> String {
        (**self).text()
    }

    fn build(&self, machine: &Machine) -> Result<Box<dyn Scheduler>, BadOption> {
        (**self).build(machine)
    }
}

/// Which ready task a worker takes next. Deterministic: the same calls give the same answers.
pub trait Scheduler: Send {
    /// Whether it asks [`View::now_ns`]. Where it does not, no clock is read for it.
    fn needs_time(&self) -> bool {
        false
    }

    /// Whether it goes by how long tasks take: by what [`Scheduler::finished`] is told, or what the [`View`] expects.
    /// Where it does not, they need not be measured, and `took_ns` may be 0.
    fn measures(&self) -> bool {
        true
    }

    /// These tasks, with all dependencies among them, are known from now on; in the order of their
    /// submission. Called when a batch is closed, before the first of them is pushed.
    fn plan(&mut self, tasks: &[TaskId], view: &View<'_>) {
        let _ = (tasks, view);
    }

    /// The task can be run from now on; `by` is the worker that has finished what it waited for.
    fn push(&mut self, task: TaskId, by: Option<WorkerId>, view: &View<'_>) -> Hint;

    /// The task that the worker takes now; only one that its architecture can run.
    fn pop(&mut self, worker: WorkerId, view: &View<'_>) -> Option<TaskId>;

    /// The worker has finished the task, after `took_ns` of execution.
    fn finished(&mut self, task: TaskId, worker: WorkerId, took_ns: Ns, view: &View<'_>) {
        let _ = (task, worker, took_ns, view);
    }

    /// The worker does not run the task that it was just given by [`Scheduler::pop`], since its memory has no room for
    /// it now, or the task was cancelled. In the first case, it is pushed again later.
    fn not_begun(&mut self, task: TaskId, worker: WorkerId, view: &View<'_>) {
        let _ = (task, worker, view);
    }

    /// A task that was pushed, and that the scheduler has given up, will not be run: it was cancelled.
    fn cancelled(&mut self, task: TaskId, view: &View<'_>) {
        let _ = (task, view);
    }

    /// Gives up all ready tasks, in a stable order. Called when a worker is lost, and they are pushed again; or when they
    /// are all cancelled.
    fn drain(&mut self) -> Vec<TaskId>;

    /// An upper bound of the ready tasks that workers of this class may take; none only where there are none.
    fn ready(&self, class: crate::ClassId) -> usize;
}

/// What the engine does about a task that was pushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Which sleeping worker looks for it.
    pub wake: Wake,
    /// Where its data is going to be needed.
    pub prefetch: Option<MemoryNode>,
}

impl Hint {
    /// Any one worker of these classes looks.
    #[must_use]
    pub fn any(classes: ClassSet) -> Hint {
        Hint {
            wake: Wake::Any(classes),
            prefetch: None,
        }
    }

    /// Any one worker looks, one of the `first` classes if one sleeps there.
    #[must_use]
    pub fn prefer(first: ClassSet, others: ClassSet) -> Hint {
        Hint {
            wake: Wake::Prefer { first, others },
            prefetch: None,
        }
    }

    /// This worker looks.
    #[must_use]
    pub fn worker(worker: WorkerId) -> Hint {
        Hint {
            wake: Wake::Worker(worker),
            prefetch: None,
        }
    }

    /// Data is brought there ahead.
    #[must_use]
    pub fn and_prefetch(self, node: MemoryNode) -> Hint {
        Hint {
            prefetch: Some(node),
            ..self
        }
    }
}

/// Which sleeping worker is to look for a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// One of these classes.
    Any(ClassSet),
    /// One of the first classes, else one of the others.
    Prefer {
        /// Where a worker is woken if one sleeps.
        first: ClassSet,
        /// Where one is woken else.
        others: ClassSet,
    },
    /// This one.
    Worker(WorkerId),
}

mod accel;
mod arriving;
mod bits;
mod by_classes;
mod by_scheme;
mod choice;
mod dm;
mod dmda;
mod dmdar;
mod dmdas;
mod eager;
mod ends;
mod expect;
pub mod heft;
mod heteroprio;
mod laheteroprio;
mod live;
mod lws;
mod names;
mod observed;
mod per_worker;
mod placed;
mod pool;
mod prio;
mod random;
mod stealing;
#[cfg(test)]
mod test;
mod ws;

pub use accel::{
    AdjustBusy, Crawler, DeviceOnly, Greedy, Hill, HostOnly, Percent, Period, Ratio, Step,
};
pub use by_scheme::ByScheme;
pub use dm::Dm;
pub use dmda::Dmda;
pub use dmdar::Dmdar;
pub use dmdas::Dmdas;
pub use eager::Eager;
pub use heft::Heft;
pub use heteroprio::{Buckets, Heteroprio};
pub use laheteroprio::{Affinity, Block, LaHeteroprio, PerArch, Ties};
pub use lws::Lws;
pub use names::{WithCounts, names, names_for, parse, parse_with_counts};
pub use prio::Prio;
pub use random::Random;
pub use ws::Ws;
