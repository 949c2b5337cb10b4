//! What is under a graph's lock.

use super::{
    body::Body,
    failures::Failures,
    segments::{RangeAccess, Segments},
    times::Models,
};
use skel_core::{Cause, Error};
use skel_tasks::{Access, Engine, Machine, Ns, Scheduler, TaskError, TaskId, sim::Recorder};

/// Which threads work for a worker.
#[derive(Clone)]
pub(super) struct Place {
    /// So many do, its own or one that waits, each on a task.
    pub(super) threads: usize,
    /// So many may, and are its own: one for a core.
    pub(super) room: usize,
    /// One of its own is to look.
    pub(super) is_woken: bool,
    /// Its own has come, and sleeps again: another was there.
    pub(super) is_turned_away: bool,
    /// When its last task ended.
    pub(super) ended_ns: Ns,
}

impl Place {
    fn new(room: usize) -> Place {
        Place {
            threads: 0,
            room,
            is_woken: false,
            is_turned_away: false,
            ended_ns: 0,
        }
    }

    /// No further thread may work for it.
    pub(super) fn is_taken(&self) -> bool {
        self.threads == self.room
    }

    /// Its own thread is on its way, and no other is there.
    pub(super) fn is_coming(&self) -> bool {
        self.is_woken && !self.is_taken()
    }
}

pub(super) struct State {
    pub(super) engine: Engine,
    /// The parts of data that tasks access by ranges.
    pub(super) segments: Segments,
    /// By the tasks' slots.
    bodies: Vec<Option<Box<dyn Body>>>,
    /// Of each worker.
    pub(super) places: Vec<Place>,
    /// The last core's thread is to look, unless the thread that submits tasks waits before long.
    pub(super) owed: bool,
    /// How many tasks were submitted, and how many there were when a worker looked last.
    pub(super) submitted: (u64, u64),
    /// Threads that wait; how many of them would work, and have nothing to do; and for which tasks.
    pub(super) waiting: usize,
    pub(super) napping: usize,
    pub(super) awaited: Vec<TaskId>,
    pub(super) throttled: usize,
    /// How many threads hold tasks back, to hand them over as a batch.
    pub(super) batches: usize,
    pub(super) closed: bool,
    pub(super) first_error: Option<Error>,
    pub(super) failures: Failures,
    /// How many tasks each worker has run.
    pub(super) ran: Vec<u64>,
    /// What the scheduler did that it must not do. Nothing is submitted from then on.
    pub(super) fault: Option<TaskError>,
    /// Notes what is done, if the graph was told to.
    pub(super) recorder: Option<Recorder>,
}

/// What a thread has taken out of the state, and ends when it does not have the lock.
#[derive(Default)]
pub(super) struct Over {
    /// What it has run last.
    pub(super) ran: Option<Box<dyn Body>>,
    /// What will not run, each with its error.
    pub(super) cancelled: Vec<(Box<dyn Body>, Error)>,
    /// Errors of tasks that need not be known any more.
    pub(super) forgotten: Vec<Cause>,
}

impl Over {
    pub(super) fn is_empty(&self) -> bool {
        self.ran.is_none() && self.cancelled.is_empty() && self.forgotten.is_empty()
    }
}

impl State {
    pub(super) fn new(
        machine: Machine,
        scheduler: Box<dyn Scheduler>,
        rooms: &[usize],
        models: &Models,
        recorder: Option<Recorder>,
    ) -> State {
        let mut engine = Engine::new(machine, scheduler, Box::new(models.times.clone()));
        models.introduce(&mut engine);
        State {
            recorder,
            engine,
            segments: Segments::default(),
            bodies: Vec::new(),
            places: rooms.iter().copied().map(Place::new).collect(),
            owed: false,
            submitted: (0, 0),
            waiting: 0,
            napping: 0,
            awaited: Vec::new(),
            throttled: 0,
            batches: 0,
            closed: false,
            first_error: None,
            failures: Failures::default(),
            ran: vec![0; rooms.len()],
            fault: None,
        }
    }

    /// Whether nothing is left to do, for ever.
    pub(super) fn is_finished(&self) -> bool {
        self.closed && self.engine.pending() == 0
    }

    /// The accesses of a task to handles, where some are by ranges or to data that was split.
    pub(super) fn resolve(
        &mut self,
        accesses: &[Access],
        ranges: &[RangeAccess],
    ) -> Option<Vec<Access>> {
        let State {
            engine,
            segments,
            recorder,
            ..
        } = self;
        segments.resolve(accesses, ranges, &mut |handle, bytes| {
            // A handle of another graph was refused before.
            let Ok(part) = engine.split(handle, bytes) else {
                return handle;
            };
            if let Some(recorder) = recorder {
                recorder.split(handle, part, bytes);
            }
            part
        })
    }

    pub(super) fn keep(&mut self, task: TaskId, body: Box<dyn Body>) {
        if self.bodies.len() <= task.slot() {
            self.bodies.resize_with(task.slot() + 1, || None);
        }
        self.bodies[task.slot()] = Some(body);
    }

    pub(super) fn take(&mut self, task: TaskId) -> Option<Box<dyn Body>> {
        self.bodies.get_mut(task.slot())?.take()
    }

    /// Takes out what was cancelled. In the critical section in which the engine has said so: their slots are free,
    /// and the next tasks that are submitted have them.
    pub(super) fn take_cancelled(&mut self, over: &mut Over, now_ns: Ns) {
        let State {
            engine,
            bodies,
            recorder,
            failures,
            ..
        } = self;
        for (task, cause) in engine.take_cancelled() {
            if let Some(recorder) = recorder {
                recorder.cancelled(task, cause, now_ns);
            }
            if let Some(body) = bodies.get_mut(task.slot()).and_then(Option::take) {
                over.cancelled.push((body, failures.cancelled(cause)));
            }
        }
    }
}
