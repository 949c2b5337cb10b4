//! LAHeteroprio: tables of the paper, boundary values, and laws.

mod bytes;
mod grid;
mod laws;
mod options;
mod orders;
mod tables;

use super::LaHeteroprio;
use crate::{
    Access, Arch, Configuration, Engine, HandleId, KindId, Link, Machine, MachineBuilder, Mode,
    NewTask, TaskId, Unknown, Work, WorkerId, scheduler,
};

const BUS: Link = Link {
    latency_ns: 1_000,
    bytes_per_ns: 10.0,
};

/// CPUs at memory node 0, a GPU at each other one.
fn machine(cpus: u32, gpus: u32) -> Machine {
    let gpu = |builder: MachineBuilder, _| builder.device("gpu", 1, None, BUS);
    let cpu = Machine::builder().arch("cpu", cpus);
    (0..gpus).fold(cpu, gpu).build().unwrap()
}

fn engine(machine: Machine, scheduler: &LaHeteroprio) -> Engine {
    let built = scheduler.build(&machine).unwrap();
    Engine::new(machine, built, Box::new(Unknown))
}

/// An engine that keeps tasks for a scheduler that is called by itself.
fn keeper(machine: Machine) -> Engine {
    let eager = scheduler::parse("eager").unwrap().build(&machine).unwrap();
    Engine::new(machine, eager, Box::new(Unknown))
}

fn submit(
    engine: &mut Engine,
    kind: u32,
    accesses: &[(HandleId, Mode)],
    by: Option<u32>,
) -> TaskId {
    let access = |&(handle, mode)| Access { handle, mode };
    let accesses: Vec<Access> = accesses.iter().map(access).collect();
    let task = NewTask {
        by: by.map(WorkerId),
        work: Work { elems: 1 },
        ..NewTask::new(KindId(kind), &accesses)
    };
    engine.submit(task, 0).unwrap()
}

fn next(engine: &mut Engine, worker: u32) -> Option<TaskId> {
    engine.next(WorkerId(worker), 0).unwrap()
}

/// The number of an architecture of [`machine`].
const GPU: Arch = Arch(1);
