//! Virtual time: a discrete event simulation of a machine that executes a program of tasks.
//!
//! It drives the same [`Engine`](crate::Engine) and the same schedulers as threads do; only time is computed. So
//! a scheduler can be judged on machines that are not there, in seconds instead of hours, and twice the same.
//!
//! - **Workers** take as many tasks as they may have ahead: copies for the next one are made while one executes.
//!   A task is executed once what it reads has arrived on its memory node, and all before it on the worker ended.
//! - **Links** make one copy at a time in each direction, in the order in which copies are asked for. Without a
//!   direct link, a copy goes through the host's memory and takes both links one after the other.
//! - **Memories** with a limit write back what has to leave before what needs its room is copied.
//! - **Submission** is a sequential program with a time per task, which waits while too many are unfinished.
//! - **Decisions** fall at one moment; the times of operations ([`Operations`]) delay what follows on the worker.
//! - **Lost workers** take no more tasks, and theirs run again elsewhere; their memory can still be read.
//!
//! The same program, settings and seed give the same report, to the byte ([`Report::trace`]).

mod bounds;
mod events;
mod links;
mod order;
pub mod patterns;
mod program;
mod recording;
pub mod report;
mod run;
mod setting;
mod submit;
mod work;

pub use bounds::Bounds;
pub use program::{Adding, Data, Program, ProgramTask};
pub use recording::{Recorder, Recording};
pub use report::Report;
pub use setting::Operations;

use crate::{
    Arch, ArchSet, Configuration, Costs, Machine, Ns, Rates, TaskError, split_mix::SplitMix,
};
use setting::Settings;

/// A machine in virtual time, with what tasks take on it.
///
/// ```
/// use skel_tasks::{Link, Machine, MemoryNode, Rates, scheduler, sim::{Program, Simulation}};
///
/// let bus = Link { latency_ns: 100, bytes_per_ns: 1.0 };
/// let machine = Machine::builder().device("gpu", 1, None, bus).build()?;
/// let mut program = Program::new("one task");
/// let (kind, x) = (program.kind("scale"), program.data_at(400, MemoryNode::HOST));
/// program.task(kind).updates(x).work(250).add();
///
/// let simulation = Simulation::new(machine, Rates::new(vec![vec![Some(2.0)]]));
/// let report = simulation.run(&*scheduler::parse("eager")?, &program)?;
/// assert_eq!(report.makespan_ns, 500 + 500); // the copy, then 250 elements
/// assert_eq!(report.bytes_moved(), 400);
/// assert_eq!(report.bounds.area_ns, 500);
/// # Ok::<(), skel_tasks::TaskError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Simulation {
    machine: Machine,
    rates: Rates,
    settings: Settings,
}

impl Simulation {
    /// A machine on which tasks take the times that `rates` say, by the kinds and architectures of program and
    /// machine. The scheduler knows these, unless [told otherwise](Simulation::expect).
    #[must_use]
    pub fn new(machine: Machine, rates: Rates) -> Simulation {
        let settings = Settings::new(&machine);
        Simulation {
            machine,
            rates,
            settings,
        }
    }

    /// The machine.
    #[must_use]
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Executes a program under a scheduler.
    ///
    /// # Errors
    /// What is wrong with a setting ([`TaskError::BadOption`]), with the program ([`TaskError::BadProgram`] and what
    /// [`Engine::submit`](crate::Engine::submit) says), or with the scheduler ([`TaskError::Scheduler`], and
    /// [`TaskError::Stuck`] if it keeps tasks for ever).
    pub fn run(
        &self,
        scheduler: &dyn Configuration,
        program: &Program,
    ) -> Result<Report, TaskError> {
        self.settings.check(&self.machine, program)?;
        self.check(program)?;
        run::Run::new(self, scheduler, program)?.run()
    }

    /// What would make a program's positions point to nothing.
    fn check(&self, program: &Program) -> Result<(), TaskError> {
        let bad = |what: String| Err(TaskError::BadProgram { what });
        if let Some((kind, arch, rate)) = self.rates.impossible() {
            return bad(format!(
                "tasks of kind {kind} take {rate} ns per unit of work on architecture {arch}"
            ));
        }
        let nodes = self.machine.nodes().len();
        for (k, data) in program.all_data().iter().enumerate() {
            if let Some(home) = data.home.filter(|home| usize::from(home.0) >= nodes) {
                return bad(format!(
                    "data {k} lies on memory node {}, of {nodes}",
                    home.0
                ));
            }
        }
        for (position, task) in program.tasks().enumerate() {
            if let Some(before) = task.after.iter().find(|before| **before >= position) {
                return bad(format!("task {position} waits for task {before}"));
            }
            if task.kind.0 as usize >= program.kinds().len() {
                return bad(format!("task {position} is of no kind of the program"));
            }
        }
        Ok(())
    }

    /// The architectures of this machine that can run a task.
    fn archs(&self, program: &Program, task: usize) -> ArchSet {
        let Some(task) = program.get(task) else {
            return ArchSet::EMPTY;
        };
        let all = (0..self.machine.archs().len()).map(|arch| Arch(arch as u8));
        let has_rate = |arch: &Arch| self.rates.exec_ns(task.kind, *arch, task.work).is_some();
        task.archs.and(all.filter(has_rate).collect())
    }

    /// How long a task takes on an architecture, noise included; nothing where it cannot run.
    fn exec_ns(&self, program: &Program, position: usize, arch: Arch) -> Option<Ns> {
        let task = program.get(position)?;
        if !task.archs.contains(arch) {
            return None;
        }
        let exec_ns = self.rates.exec_ns(task.kind, arch, task.work)?;
        let Settings { noise, seed, .. } = self.settings;
        if noise == 0.0 {
            return Some(exec_ns);
        }
        // The same under all schedulers: of the task and the architecture, not of the order.
        let thing = (position as u64) << 6 | u64::from(arch.0);
        let factor = 1.0 + noise * (2.0 * SplitMix::of(seed, thing).unit() - 1.0);
        Some((exec_ns as f64 * factor).round() as Ns)
    }
}

#[cfg(test)]
mod test;
