//! What tests of schedulers share: an engine whose tasks are written down quickly.

mod laws;

use crate::{
    Access, ArchSet, Costs, Engine, HandleId, KindId, Link, Machine, Mode, NewTask, Ns, TaskId,
    Unknown, Work, WorkerId, scheduler,
};

/// An engine and a time.
pub(in crate::scheduler) struct Bench {
    pub(in crate::scheduler) engine: Engine,
    pub(in crate::scheduler) now_ns: Ns,
}

/// One GPU on a memory without a limit, and nothing else.
pub(in crate::scheduler) fn gpu() -> Machine {
    let bus = Link {
        latency_ns: 1,
        bytes_per_ns: 1.0,
    };
    let machine = Machine::builder().device("gpu", 1, None, bus);
    machine.build().unwrap()
}

impl Bench {
    pub(in crate::scheduler) fn new(machine: Machine, text: &str) -> Bench {
        Bench::with_costs(machine, text, Box::new(Unknown))
    }

    pub(in crate::scheduler) fn with_costs(
        machine: Machine,
        text: &str,
        costs: Box<dyn Costs>,
    ) -> Bench {
        let scheduler = scheduler::parse(text).unwrap().build(&machine).unwrap();
        let mut engine = Engine::new(machine, scheduler, costs);
        for kind in ["zero", "one"] {
            engine.kind(kind);
        }
        Bench { engine, now_ns: 0 }
    }

    /// A task of kind 0 without data, to be changed and submitted.
    pub(in crate::scheduler) fn task(&mut self) -> Draft<'_> {
        Draft {
            bench: self,
            task: NewTask::new(KindId(0), &[]),
            accesses: Vec::new(),
        }
    }

    pub(in crate::scheduler) fn take(&mut self, worker: WorkerId) -> Option<TaskId> {
        self.engine.next(worker, self.now_ns).unwrap()
    }

    /// All that a worker can take now.
    pub(in crate::scheduler) fn take_all(&mut self, worker: WorkerId) -> Vec<TaskId> {
        std::iter::from_fn(|| self.take(worker)).collect()
    }
}

/// A task that is not submitted yet.
pub(in crate::scheduler) struct Draft<'b> {
    bench: &'b mut Bench,
    task: NewTask<'static>,
    accesses: Vec<Access>,
}

impl Draft<'_> {
    pub(in crate::scheduler) fn kind(mut self, kind: KindId) -> Self {
        self.task.kind = kind;
        self
    }

    pub(in crate::scheduler) fn priority(mut self, priority: i32) -> Self {
        self.task.priority = priority;
        self
    }

    pub(in crate::scheduler) fn archs(mut self, archs: ArchSet) -> Self {
        self.task.archs = archs;
        self
    }

    pub(in crate::scheduler) fn by(mut self, worker: WorkerId) -> Self {
        self.task.by = Some(worker);
        self
    }

    pub(in crate::scheduler) fn elems(mut self, elems: u64) -> Self {
        self.task.work = Work { elems };
        self
    }

    pub(in crate::scheduler) fn on(mut self, handle: HandleId, mode: Mode) -> Self {
        self.accesses.push(Access { handle, mode });
        self
    }

    pub(in crate::scheduler) fn submit(self) -> TaskId {
        let task = NewTask {
            accesses: &self.accesses,
            ..self.task
        };
        self.bench.engine.submit(task, self.bench.now_ns).unwrap()
    }
}
