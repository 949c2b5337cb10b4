//! Settings of a graph.

use super::{
    TaskGraph, seats,
    shared::{Limits, Shared},
    times::Models,
};
use crate::Context;
use skel_core::{
    Error, Result,
    schedule::{AHEAD, check_ahead},
};
use skel_tasks::{BadOption, Configuration, scheduler::Eager, sim::Recorder};
use std::sync::Arc;

/// Tasks that are submitted and have not ended, at most: as many as caches hold. More of them would be slower.
const MOST_SUBMITTED: usize = 4096;

/// Makes a [`TaskGraph`].
///
/// ```
/// use skel::{Context, tasks::{TaskGraph, scheduler}};
///
/// let context = Context::builder().build()?;
/// let graph = TaskGraph::builder(&context)
///     .scheduler(scheduler::parse("eager").map_err(skel::Error::BadOption)?)
///     .most_submitted(100)
///     .build()?;
/// for _ in 0..1000 {
///     graph.task("nothing", (), |()| Ok(())).submit()?; // waits while there are 100
/// }
/// graph.wait()?;
/// # skel::Result::Ok(())
/// ```
#[derive(Debug)]
pub struct TaskGraphBuilder {
    context: Context,
    scheduler: Box<dyn Configuration>,
    most_submitted: usize,
    ahead: usize,
    is_recorded: bool,
    name: Option<String>,
}

impl TaskGraphBuilder {
    pub(super) fn new(context: &Context) -> TaskGraphBuilder {
        TaskGraphBuilder {
            context: context.clone(),
            scheduler: Box::new(Eager),
            most_submitted: MOST_SUBMITTED,
            ahead: AHEAD,
            is_recorded: false,
            name: None,
        }
    }

    /// Which task a worker takes next: `Heft`, say, or what [`parse`](skel_tasks::scheduler::parse) gives; [`Eager`]
    /// without this.
    #[must_use]
    pub fn scheduler(self, scheduler: impl Configuration + 'static) -> Self {
        let scheduler = Box::new(scheduler);
        TaskGraphBuilder { scheduler, ..self }
    }

    /// So many tasks may be submitted and not have ended; [`NewTask::submit`](super::NewTask::submit) works until a
    /// fifth of them is done, except in a task. 4,096 without this.
    #[must_use]
    pub fn most_submitted(self, most_submitted: usize) -> Self {
        TaskGraphBuilder {
            most_submitted,
            ..self
        }
    }

    /// Gives each device so many tasks at once, at most, 1 to 8: each has a thread, so while the device computes for one,
    /// the next has its data copied there and its calls wait in the device's queue. 2 without this.
    #[must_use]
    pub fn ahead(self, ahead: usize) -> Self {
        TaskGraphBuilder { ahead, ..self }
    }

    /// Keeps what is learned of the times of tasks between runs of the program, for this machine, under a name: in the
    /// user's cache folder (`SKEL_CACHE_DIR`), read by [`build`](Self::build) and written when the graph is dropped.
    /// Kinds of tasks are known by their names there. Schedulers that mind times need not try each worker anew.
    ///
    /// A file that cannot be read or written costs time and no result: a line on standard error says why.
    #[must_use]
    pub fn learn_as(self, name: impl Into<String>) -> Self {
        let name = Some(name.into());
        TaskGraphBuilder { name, ..self }
    }

    /// Notes which tasks there are and when each of them runs where: see [`TaskGraph::recording`]. What is noted stays
    /// in memory as long as the graph does, some 200 bytes of each task.
    #[must_use]
    pub fn record(self) -> Self {
        TaskGraphBuilder {
            is_recorded: true,
            ..self
        }
    }

    /// The graph, with its threads: one for each core of the current rayon pool, and for each device as many as it is
    /// given tasks at once.
    ///
    /// # Errors
    /// [`Error::BadOption`] for settings that cannot be, what is wrong with `SKEL_BACKEND`, [`Error::Device`] if a
    /// thread cannot be started.
    pub fn build(self) -> Result<TaskGraph> {
        if self.most_submitted == 0 {
            let bad = BadOption::new("most_submitted", 0, "a number from 1 on");
            return Err(Error::BadOption(bad));
        }
        let ahead = check_ahead(self.ahead)?;
        let (units, machine) = seats::seats(&self.context)?;
        let scheduler = self.scheduler.build(&machine).map_err(Error::BadOption)?;
        let limits = Limits {
            most: self.most_submitted,
            resume: self.most_submitted - self.most_submitted.div_ceil(5),
        };
        let name = || self.scheduler.text();
        let record = || Recorder::new("a graph of tasks", &machine, name());
        let recorder = self.is_recorded.then(record);
        let models = Models::open(self.name.as_deref(), &self.context, &machine);
        let shared = Shared::new(
            self.context,
            (units, ahead),
            machine,
            scheduler,
            limits,
            models,
            recorder,
        );
        let shared = Arc::new(shared);
        let mut graph = TaskGraph {
            shared,
            threads: Vec::new(),
        };
        let rooms: Vec<usize> = (graph.shared.lock().places.iter())
            .map(|place| place.room)
            .collect();
        for (seat, room) in rooms.into_iter().enumerate() {
            for _ in 0..room {
                graph.threads.push(seats::start(&graph.shared, seat)?);
            }
        }
        Ok(graph)
    }
}
