//! What can be set of a simulation.

use super::{Program, Simulation};
use crate::{BadOption, ClassId, Costs, Machine, MemoryNode, Ns, TaskError, WorkerId};
use std::{fmt, sync::Arc};

/// What operations of the runtime take; nothing by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// Submission of a task, of the submitting program's time.
    pub submit_ns: Ns,
    /// A ready task's handing over to the scheduler, of the time of the worker that made it ready. Behind a task
    /// that it has ahead, it costs nothing.
    pub push_ns: Ns,
    /// Asking the scheduler for a task, of the worker's time.
    pub pop_ns: Ns,
    /// Beginning of an execution, of the worker's time.
    pub launch_ns: Ns,
}

type MakeCosts = Arc<dyn Fn() -> Box<dyn Costs> + Send + Sync>;

#[derive(Clone)]
pub(super) struct Settings {
    pub(super) expected: Option<MakeCosts>,
    pub(super) noise: f64,
    pub(super) seed: u64,
    pub(super) operations: Operations,
    pub(super) most_submitted: usize,
    pub(super) is_batch: bool,
    /// By class.
    pub(super) ahead: Vec<usize>,
    unknown_class: Option<ClassId>,
    pub(super) lost: Vec<(WorkerId, Ns)>,
    pub(super) failing: Vec<usize>,
    pub(super) is_recorded: bool,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("noise", &self.noise)
            .field("seed", &self.seed)
            .field("operations", &self.operations)
            .field("most_submitted", &self.most_submitted)
            .field("is_batch", &self.is_batch)
            .field("ahead", &self.ahead)
            .field("lost", &self.lost)
            .field("failing", &self.failing)
            .finish_non_exhaustive()
    }
}

impl Settings {
    pub(super) fn new(machine: &Machine) -> Settings {
        let classes = machine.classes().iter();
        Settings {
            expected: None,
            noise: 0.0,
            seed: 0,
            operations: Operations::default(),
            most_submitted: 4_096,
            is_batch: false,
            ahead: classes
                .map(|class| match class.node == MemoryNode::HOST {
                    true => 1,
                    false => 2,
                })
                .collect(),
            unknown_class: None,
            lost: Vec::new(),
            failing: Vec::new(),
            is_recorded: true,
        }
    }

    pub(super) fn check(&self, machine: &Machine, program: &Program) -> Result<(), TaskError> {
        let bad = |option, found: String, expected: String| {
            Err(TaskError::BadOption(BadOption::new(
                option, found, expected,
            )))
        };
        if !(0.0..1.0).contains(&self.noise) {
            return bad(
                "noise",
                self.noise.to_string(),
                "at least 0 and below 1".into(),
            );
        }
        if self.most_submitted == 0 {
            return bad("most_submitted", "0".into(), "at least 1".into());
        }
        if self.ahead.contains(&0) {
            return bad("ahead", "0".into(), "at least 1".into());
        }
        if let Some(class) = self.unknown_class {
            let classes = machine.classes().len();
            return bad(
                "ahead of class",
                class.0.to_string(),
                format!("below {classes}"),
            );
        }
        let workers = machine.workers();
        let unknown = |(worker, _): &&(WorkerId, Ns)| worker.0 as usize >= workers;
        if let Some((worker, _)) = self.lost.iter().find(unknown) {
            return bad(
                "lose worker",
                worker.0.to_string(),
                format!("below {workers}"),
            );
        }
        if let Some(task) = self.failing.iter().find(|task| **task >= program.len()) {
            return bad(
                "fail task",
                task.to_string(),
                format!("below {}", program.len()),
            );
        }
        Ok(())
    }
}

impl Simulation {
    /// What the scheduler expects of times; made anew for each run.
    ///
    /// ```
    /// # use skel_tasks::{Machine, Rates, TaskError, Unknown, sim::Simulation};
    /// let rates = Rates::new(vec![vec![Some(1.0)]]);
    /// let blind = Simulation::new(Machine::cores(2)?, rates).expect(|| Box::new(Unknown));
    /// # Ok::<(), TaskError>(())
    /// ```
    #[must_use]
    pub fn expect(mut self, costs: impl Fn() -> Box<dyn Costs> + Send + Sync + 'static) -> Self {
        self.settings.expected = Some(Arc::new(costs));
        self
    }

    /// Tasks take up to this part less or more than their rates say, evenly spread: from 0 to below 1. A task takes
    /// the same under all schedulers.
    #[must_use]
    pub fn noise(mut self, part: f64, seed: u64) -> Self {
        (self.settings.noise, self.settings.seed) = (part, seed);
        self
    }

    /// What operations of the runtime take.
    #[must_use]
    pub fn operations(mut self, operations: Operations) -> Self {
        self.settings.operations = operations;
        self
    }

    /// How many tasks may be unfinished before the submitting program waits; 4,096 without this.
    #[must_use]
    pub fn most_submitted(mut self, tasks: usize) -> Self {
        self.settings.most_submitted = tasks;
        self
    }

    /// All tasks are submitted as one batch, which schedulers that plan see before any of them runs.
    #[must_use]
    pub fn in_one_batch(mut self) -> Self {
        self.settings.is_batch = true;
        self
    }

    /// How many tasks a worker of this class has at a time, the executed one included: 1 on the host, 2 on devices
    /// without this.
    #[must_use]
    pub fn ahead(mut self, class: ClassId, tasks: usize) -> Self {
        match self.settings.ahead.get_mut(usize::from(class.0)) {
            Some(ahead) => *ahead = tasks,
            None => self.settings.unknown_class = Some(class),
        }
        self
    }

    /// Loses a worker at a time. Tasks that were submitted before and that no other worker can run are cancelled;
    /// one that is submitted after that is an error, as it is to a program.
    #[must_use]
    pub fn lose(mut self, worker: WorkerId, at_ns: Ns) -> Self {
        self.settings.lost.push((worker, at_ns));
        self
    }

    /// The task at this position of the program fails at its end.
    #[must_use]
    pub fn fail(mut self, task: usize) -> Self {
        self.settings.failing.push(task);
        self
    }

    /// Neither executions nor copies are recorded, only summed up.
    #[must_use]
    pub fn without_records(mut self) -> Self {
        self.settings.is_recorded = false;
        self
    }
}
