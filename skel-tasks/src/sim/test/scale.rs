//! What a task costs does not depend on how many workers there are.

use super::*;
use crate::{ClassId, TaskError};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

/// Counts how often a scheduler is asked for a task.
#[derive(Debug)]
struct Counted {
    inner: Box<dyn Configuration>,
    asked: Arc<AtomicUsize>,
}

impl Configuration for Counted {
    fn text(&self) -> String {
        self.inner.text()
    }

    fn build(&self, machine: &Machine) -> Result<Box<dyn Scheduler>, BadOption> {
        Ok(Box::new(Counting {
            inner: self.inner.build(machine)?,
            asked: self.asked.clone(),
        }))
    }
}

struct Counting {
    inner: Box<dyn Scheduler>,
    asked: Arc<AtomicUsize>,
}

impl Scheduler for Counting {
    fn push(&mut self, task: TaskId, by: Option<WorkerId>, view: &View<'_>) -> Hint {
        self.inner.push(task, by, view)
    }

    fn pop(&mut self, worker: WorkerId, view: &View<'_>) -> Option<TaskId> {
        self.asked.fetch_add(1, Relaxed);
        self.inner.pop(worker, view)
    }

    fn needs_time(&self) -> bool {
        self.inner.needs_time()
    }

    fn not_begun(&mut self, task: TaskId, worker: WorkerId, view: &View<'_>) {
        self.inner.not_begun(task, worker, view);
    }

    fn finished(&mut self, task: TaskId, worker: WorkerId, took_ns: u64, view: &View<'_>) {
        self.inner.finished(task, worker, took_ns, view);
    }

    fn drain(&mut self) -> Vec<TaskId> {
        self.inner.drain()
    }

    fn ready(&self, class: ClassId) -> usize {
        self.inner.ready(class)
    }
}

/// How often a worker asks, per task, beside the first time, for chains on cores and four GPUs: twice as many as workers, so
/// that a worker waits now and then.
fn asked_per_task(name: &str, workers: u32) -> Result<f64, TaskError> {
    const TASKS: usize = 40_000;
    let streams = workers / 16;
    let builder = Machine::builder().arch("cpu", workers - 4 * streams);
    let machine = (0..4).fold(builder, |builder, _| {
        builder.device("gpu", streams, None, BUS)
    });
    let mut program = Program::new("chains");
    let kind = program.kind("task");
    let data: Vec<_> = (0..workers).map(|_| program.data(64)).collect();
    for k in 0..TASKS {
        let (own, next) = (data[k % data.len()], data[(k * 7 + 1) % data.len()]);
        let task = match k < data.len() {
            true => program.task(kind).writes(own),
            false if own == next => program.task(kind).updates(own),
            false => program.task(kind).updates(own).reads(next),
        };
        task.work(1_000 + (k as u64 * 7_919) % 1_000).add();
    }
    let asked = Arc::new(AtomicUsize::new(0));
    let scheduler = Counted {
        inner: scheduler::parse(name)?,
        asked: asked.clone(),
    };
    let simulation = Simulation::new(
        machine.build()?,
        Rates::new(vec![vec![Some(1.0), Some(0.25)]]),
    );
    let report = simulation.without_records().run(&scheduler, &program)?;
    assert_eq!(report.tasks, TASKS);
    let first = workers as usize;
    Ok((asked.load(Relaxed) - first) as f64 / TASKS as f64)
}

/// A task that becomes ready wakes a worker, and not all of them.
#[test]
fn a_task_makes_as_many_workers_ask_among_4096_as_among_64() {
    for name in ["eager", "lws", "dmda", "heteroprio", "laheteroprio"] {
        let [few, many] = [64, 4_096].map(|workers| asked_per_task(name, workers).unwrap());
        assert!(
            many < 4.0 && many < 2.0 * few + 0.5,
            "{name}: {few} and {many}"
        );
    }
}
