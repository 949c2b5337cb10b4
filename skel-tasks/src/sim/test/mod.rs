//! Laws of simulated runs, on random graphs, under all schedulers.

mod copies;
mod faults;
mod laws;
mod literature;
mod program;
mod recording;
mod render;
mod scale;
mod shapes;
mod timing;

use super::{Program, Report, Simulation, patterns};
use crate::{
    BadOption, ClassId, Configuration, Hint, Link, Machine, Rates, Scheduler, TaskId, View,
    WorkerId, scheduler,
};

const BUS: Link = Link {
    latency_ns: 1_000,
    bytes_per_ns: 8.0,
};

/// Three cores, and two devices with so much memory each.
fn machine(capacity_bytes: Option<u64>) -> Machine {
    let builder = Machine::builder().arch("cpu", 3);
    let builder = builder.device("gpu", 1, capacity_bytes, BUS);
    builder
        .device("gpu", 1, capacity_bytes, BUS)
        .build()
        .unwrap()
}

/// For the kinds of random graphs: one only on cores, one better on devices, one only on devices.
fn rates() -> Rates {
    Rates::new(vec![
        vec![Some(10.0), None],
        vec![Some(10.0), Some(1.0)],
        vec![Some(10.0), Some(0.5)],
    ])
}

/// All schedulers, and one that gives each task to the next worker in turn, by name and with its data ahead.
fn schedulers() -> Vec<Box<dyn Configuration>> {
    let known = scheduler::names().map(|name| scheduler::parse(name).unwrap());
    let mut all: Vec<_> = known.collect();
    all.push(Box::new(InTurn));
    all
}

#[derive(Debug)]
struct InTurn;

impl Configuration for InTurn {
    fn text(&self) -> String {
        "in turn".into()
    }

    fn build(&self, machine: &Machine) -> Result<Box<dyn Scheduler>, BadOption> {
        let queues = vec![Vec::new(); machine.workers()];
        Ok(Box::new(Turns { queues, next: 0 }))
    }
}

struct Turns {
    queues: Vec<Vec<TaskId>>,
    next: usize,
}

impl Scheduler for Turns {
    fn push(&mut self, task: TaskId, _: Option<WorkerId>, view: &View<'_>) -> Hint {
        loop {
            self.next = (self.next + 1) % self.queues.len();
            let worker = WorkerId(self.next as u32);
            if view.is_live(worker) && view.can_run(task, view.machine().class_of(worker)) {
                self.queues[self.next].push(task);
                return Hint::worker(worker).and_prefetch(view.machine().node_of(worker));
            }
        }
    }

    fn pop(&mut self, worker: WorkerId, _: &View<'_>) -> Option<TaskId> {
        self.queues[worker.0 as usize].pop()
    }

    fn drain(&mut self) -> Vec<TaskId> {
        self.queues
            .iter_mut()
            .flat_map(|queue| queue.drain(..))
            .collect()
    }

    fn ready(&self, class: ClassId) -> usize {
        let _ = class;
        self.queues.iter().map(Vec::len).sum()
    }
}

/// Random graphs under all schedulers.
fn each_run(simulation: &Simulation, mut check: impl FnMut(&Program, &Report, &str)) {
    for scheduler in schedulers() {
        for seed in 0..12 {
            let program = patterns::random_graph(150, 4 + seed as usize * 4, seed);
            let what = format!("{} on {}", scheduler.text(), program.name());
            let report = simulation
                .run(&*scheduler, &program)
                .unwrap_or_else(|error| panic!("{what}: {error}"));
            check(&program, &report, &what);
        }
    }
}
