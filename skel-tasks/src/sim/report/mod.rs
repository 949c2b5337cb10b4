//! What a simulated run was like, and pictures, traces and tables of it.

mod chrome;
mod compare;
mod dot;
mod paje;
mod svg;
mod table;
mod text;

pub use compare::comparison_svg;
pub use table::table;

use super::Bounds;
use crate::{HandleId, KindId, Machine, MemoryNode, Ns, WorkerId};

/// How an execution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The task has done its work.
    Done,
    /// It has failed.
    Failed,
    /// Its worker was lost; it is executed again, or cancelled.
    Lost,
}

/// A task on a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Execution {
    /// The task, by its position in the program.
    pub task: usize,
    /// Its kind.
    pub kind: KindId,
    /// The worker.
    pub worker: WorkerId,
    /// When the worker took it.
    pub taken_ns: Ns,
    /// When its data was there.
    pub data_ns: Ns,
    /// When it began.
    pub start_ns: Ns,
    /// When it ended.
    pub end_ns: Ns,
    /// How.
    pub outcome: Outcome,
}

/// What a copy was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A worker took a task that reads the data.
    Fetch {
        /// The task's position.
        task: usize,
    },
    /// The scheduler asked for it ahead.
    Prefetch,
    /// A task needed the room, and this memory alone had the data.
    Evict {
        /// The task's position.
        task: usize,
    },
}

/// A copy over one link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Of what.
    pub handle: HandleId,
    /// From where.
    pub from: MemoryNode,
    /// To where.
    pub to: MemoryNode,
    /// How much.
    pub bytes: u64,
    /// When the link began with it.
    pub start_ns: Ns,
    /// When it had arrived.
    pub end_ns: Ns,
    /// What for.
    pub cause: Cause,
    /// Whether it goes on from there: the first of two links.
    pub is_staged: bool,
}

/// What went over a link in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkUse {
    /// From where.
    pub from: MemoryNode,
    /// To where.
    pub to: MemoryNode,
    /// How many copies.
    pub copies: u64,
    /// How much.
    pub bytes: u64,
    /// For how long.
    pub busy_ns: Ns,
}

/// A task that was not executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled {
    /// Its position.
    pub task: usize,
    /// The position of the task whose failure is the cause; its own if no worker was left for it.
    pub cause: usize,
    /// When.
    pub at_ns: Ns,
}

/// A simulated run.
///
/// ```
/// use skel_tasks::{Machine, scheduler, sim::{Simulation, patterns}};
///
/// let program = patterns::stencil_1d(8, 10, 1 << 20);
/// let machine = Machine::cores(4)?;
/// let simulation = Simulation::new(machine.clone(), patterns::rates(&program, &machine));
/// let report = simulation.run(&*scheduler::parse("eager")?, &program)?;
/// assert_eq!((report.tasks, report.executions.len()), (80, 80));
/// // Twice as many blocks as cores: there is always something to do.
/// assert_eq!(report.makespan_ns, report.bounds.area_ns);
/// assert_eq!(report.idle_ns(), 0);
/// # Ok::<(), skel_tasks::TaskError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The program's name.
    pub program: String,
    /// The scheduler, with its settings.
    pub scheduler: String,
    /// The machine.
    pub machine: Machine,
    /// The names of the kinds of tasks.
    pub kinds: Vec<String>,
    /// How many tasks were executed to their end.
    pub tasks: usize,
    /// When the last task ended.
    pub makespan_ns: Ns,
    /// How long each worker executed tasks.
    pub busy_ns: Vec<Ns>,
    /// How long each worker had a task and nothing to execute, since data was missing.
    pub waiting_ns: Vec<Ns>,
    /// What went over links; those that were used.
    pub links: Vec<LinkUse>,
    /// Copies that saved what had to leave a memory.
    pub evictions: u64,
    /// How many events it took.
    pub events: u64,
    /// What the makespan cannot be below.
    pub bounds: Bounds,
    /// Executions, in the order of their ends.
    pub executions: Vec<Execution>,
    /// Copies, in the order in which they were asked for.
    pub copies: Vec<Copied>,
    /// Tasks that were not executed.
    pub cancelled: Vec<Cancelled>,
}

impl Report {
    /// How long workers executed nothing, summed up over all of them.
    #[must_use]
    pub fn idle_ns(&self) -> Ns {
        let idle = |busy_ns: &Ns| self.makespan_ns.saturating_sub(*busy_ns);
        self.busy_ns.iter().map(idle).fold(0, Ns::saturating_add)
    }

    /// What went over all links.
    #[must_use]
    pub fn bytes_moved(&self) -> u64 {
        let bytes = self.links.iter().map(|link| link.bytes);
        bytes.fold(0, u64::saturating_add)
    }

    /// The lower bound as a part of the makespan: 1 is optimal.
    #[must_use]
    pub fn efficiency(&self) -> f64 {
        match self.makespan_ns {
            0 => 1.0,
            ns => self.bounds.best_ns() as f64 / ns as f64,
        }
    }

    /// What a worker is called in traces: its architecture, and its number among those of it.
    #[must_use]
    pub fn worker_name(&self, worker: WorkerId) -> String {
        let machine = &self.machine;
        let Some(class) = machine
            .classes()
            .iter()
            .rfind(|class| class.first <= worker)
        else {
            return format!("worker {}", worker.0);
        };
        let alike = |other: &&crate::Class| other.arch == class.arch && other.first < class.first;
        let before: u32 = machine
            .classes()
            .iter()
            .filter(alike)
            .map(|class| class.workers)
            .sum();
        let number = before + (worker.0 - class.first.0);
        format!("{}{number}", machine.archs()[usize::from(class.arch.0)])
    }

    /// What a link is called in traces.
    fn link_name(&self, from: MemoryNode, to: MemoryNode) -> String {
        let name = |node: MemoryNode| &self.machine.nodes()[usize::from(node.0)].name;
        format!("{} to {}", name(from), name(to))
    }
}
