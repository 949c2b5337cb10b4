//! What the workers of a job share under its lock.

use super::{job::ReleasedChunk, run::Outcome};
use crate::{hybrid::Report, partials};
use skel_core::{Result, frame::Spine};
use skel_tasks::{Engine, Finish, NewTask, Ns, TaskError, TaskId, WorkerId};
use std::{ops::Range, time::Instant};

/// What a task does.
pub(super) enum Step<'e> {
    /// Nothing any more: a worker has it.
    Taken,
    /// The local phase of a chunk; of a scan, as much as can be done.
    Chunk(usize),
    /// Writes a chunk of a scan.
    Finish(Box<ReleasedChunk<'e>>),
}

impl Step<'_> {
    pub(super) fn chunk(&self) -> usize {
        match self {
            Step::Taken => usize::MAX,
            Step::Chunk(chunk) => *chunk,
            Step::Finish(released) => released.number,
        }
    }
}

/// Tasks that a worker has taken, to be done as one.
pub(super) struct Taken<'e> {
    /// One for each chunk.
    pub(super) tasks: Vec<TaskId>,
    /// That of the first.
    pub(super) step: Step<'e>,
}

impl Taken<'_> {
    /// The chunks that it is.
    pub(super) fn chunks(&self) -> Range<usize> {
        let first = self.step.chunk();
        first..first.saturating_add(self.tasks.len())
    }
}

/// What is shared under one lock. No call is looked at under it, no user function is run, and it is never locked
/// under a call's.
pub(super) struct State<'u, 'e> {
    pub(super) engine: Engine,
    /// By the tasks' slots.
    steps: Vec<Step<'e>>,
    /// When the last task of each seat ended.
    pub(super) ended: Vec<Instant>,
    pub(super) results: Vec<Option<Result<Spine>>>,
    pub(super) reports: Vec<Report<'u>>,
    /// The first chunk that failed; those behind it are left out.
    first_failed: usize,
    /// What a scheduler did that it must not do.
    pub(super) fault: Option<TaskError>,
    /// Whether a unit has failed.
    pub(super) has_lost: bool,
    /// When the last task ended, by the engine's time.
    pub(super) now_ns: Ns,
}

/// Notes what a task does.
pub(super) fn put<'e>(steps: &mut Vec<Step<'e>>, task: TaskId, step: Step<'e>) {
    if steps.len() <= task.slot() {
        steps.resize_with(task.slot() + 1, || Step::Taken);
    }
    steps[task.slot()] = step;
}

impl<'e> State<'_, 'e> {
    pub(super) fn new(
        (engine, now_ns): (Engine, Ns),
        (steps, chunks): (Vec<Step<'e>>, usize),
        seats: usize,
    ) -> Self {
        State {
            engine,
            ended: vec![Instant::now(); seats],
            results: std::iter::repeat_with(|| None).take(chunks).collect(),
            steps,
            has_lost: false,
            now_ns,
            reports: Vec::new(),
            first_failed: usize::MAX,
            fault: None,
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.engine.pending() == 0 || self.fault.is_some()
    }

    /// Whether a chunk need not be computed, since one before it has failed.
    pub(super) fn leaves_out(&self, chunk: usize) -> bool {
        chunk > self.first_failed
    }

    /// The next tasks of a seat, up to `most` chunks if they are chunks, with what it has to do; those that follow each
    /// other together.
    pub(super) fn take(&mut self, seat: usize, most: usize, now_ns: Ns) -> Vec<Taken<'e>> {
        let mut all: Vec<Taken<'e>> = Vec::new();
        while all.len() < most {
            let Some((task, step)) = self.take_one(seat, now_ns) else {
                break;
            };
            let tasks = vec![task];
            all.push(Taken { tasks, step });
        }
        all.sort_by_key(|taken| taken.step.chunk());
        all.dedup_by(|next, taken| {
            let follows = next.step.chunk() == taken.chunks().end;
            if follows {
                taken.tasks.extend(&next.tasks);
            }
            follows
        });
        all
    }

    fn take_one(&mut self, seat: usize, now_ns: Ns) -> Option<(TaskId, Step<'e>)> {
        if self.is_over() {
            return None;
        }
        match self.engine.next(WorkerId(seat as u32), now_ns) {
            Ok(task) => {
                let task = task?;
                let step = std::mem::replace(&mut self.steps[task.slot()], Step::Taken);
                Some((task, step))
            }
            Err(fault) => {
                self.fault = Some(fault);
                None
            }
        }
    }

    /// Whether sleeping workers have been woken, who look now. Nothing is copied ahead here: a device fetches what a
    /// chunk needs when it starts.
    pub(super) fn wakes(&mut self) -> bool {
        self.engine.take_prefetches().for_each(drop);
        let wakes = self.engine.take_wakes().count() > 0;
        if self.fault.is_none() {
            self.fault = self.engine.stuck();
        }
        wakes || self.fault.is_some()
    }

    /// No worker gets the tasks that are left.
    pub(super) fn give_up(&mut self) {
        let tasks = self.engine.pending();
        if tasks > 0 {
            self.fault.get_or_insert(TaskError::Stuck { tasks });
        }
    }

    /// A seat has done these tasks, one for each of the chunks, or has left them out. What came of them, the first one has.
    pub(super) fn note(
        &mut self,
        (seat, tasks, first): (usize, &[TaskId], usize),
        outcome: Option<Outcome<'e>>,
        took_ns: Ns,
        now_ns: Ns,
    ) {
        self.now_ns = self.now_ns.max(now_ns);
        let worker = WorkerId(seat as u32);
        let work = |task: TaskId| self.engine.view(now_ns).task(task).work.elems;
        let elems: Vec<u64> = tasks.iter().map(|task| work(*task)).collect();
        let kind = self.engine.view(now_ns).task(tasks[0]).kind;
        if let Some(outcome) = outcome {
            if outcome.broke {
                self.engine.lost(worker, now_ns);
                self.has_lost = true;
            }
            // An operator's trap may hide an element's behind it.
            let hides = outcome.result.as_ref().is_err_and(partials::is_of_operator);
            if outcome.result.is_err() && !hides {
                self.first_failed = self.first_failed.min(first);
            }
            // A chunk of a scan has two tasks, and the one that writes it may be noted first: its error stays.
            let result = &mut self.results[first];
            if !matches!(result, Some(Err(_))) {
                *result = Some(outcome.result);
            }
            for released in outcome.released {
                self.release(released, (kind, worker), now_ns);
            }
        }
        let all: u64 = elems.iter().sum();
        for (task, elems) in tasks.iter().zip(elems) {
            let share = elems as f64 / all.max(1) as f64;
            let took_ns = match tasks {
                [_] => took_ns,
                _ => (took_ns as f64 * share) as Ns,
            };
            let how = Finish::Done { took_ns };
            if let Err(fault) = self.engine.finished(*task, how, worker, now_ns) {
                self.fault = Some(fault);
            }
        }
    }

    /// A chunk of a scan can be written now.
    fn release(
        &mut self,
        released: ReleasedChunk<'e>,
        (kind, worker): (skel_tasks::KindId, WorkerId),
        now_ns: Ns,
    ) {
        let by = Some(worker);
        let new = NewTask {
            by,
            ..NewTask::new(kind, &[])
        };
        match self.engine.submit(new, now_ns) {
            Ok(task) => {
                put(&mut self.steps, task, Step::Finish(Box::new(released)));
            }
            Err(fault) => self.fault = Some(fault),
        }
    }
}
