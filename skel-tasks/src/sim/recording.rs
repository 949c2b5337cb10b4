//! Real runs as programs and reports, so that they are drawn and simulated like any other.

use super::{
    Bounds, Program, Report,
    report::{Cancelled, Execution, Outcome},
};
use crate::{Arch, HandleId, Machine, MemoryNode, NewTask, Ns, Rates, TaskId, WorkerId};
use std::collections::HashMap;

/// What a real run has done: the tasks as a program, and when each of them ran where as a report. Copies are not in
/// it: devices make them in the time of the task that needs them.
///
/// A [`Recorder`] makes it; graphs of tasks have one if they are told to.
#[derive(Clone, Debug)]
pub struct Recording {
    /// All tasks, in the order of their submission.
    pub program: Program,
    /// What ran so far.
    pub report: Report,
}

impl Recording {
    /// The mean time per unit of work that each kind of tasks took on each architecture, failed ones left out: what
    /// the program would take on other machines is simulated with these. A kind of which none was done, since all
    /// failed or were cancelled, takes no time.
    ///
    /// ```
    /// use skel_tasks::{Access, Machine, MemoryNode, Mode, NewTask, Work, WorkerId, scheduler};
    /// use skel_tasks::{Engine, Unknown, sim::{Recorder, Simulation, report::Outcome}};
    ///
    /// // Two tasks that a core has executed one after the other, in 300 ns each.
    /// let one = Machine::cores(1)?;
    /// let mut engine = Engine::new(one.clone(), scheduler::parse("eager")?.build(&one)?, Box::new(Unknown));
    /// let mut recorder = Recorder::new("two", &one, "eager".into());
    /// let kind = engine.kind("half");
    /// for start_ns in [0, 300] {
    ///     let new = NewTask { work: Work { elems: 100 }, ..NewTask::new(kind, &[]) };
    ///     let task = engine.submit(new, 0)?;
    ///     recorder.submitted(task, "half", &new);
    ///     recorder.executed(task, WorkerId(0), start_ns, start_ns + 300, Outcome::Done);
    /// }
    /// let recording = recorder.recording();
    /// assert_eq!(recording.report.makespan_ns, 600);
    ///
    /// // On two cores, they would have run side by side.
    /// let simulation = Simulation::new(Machine::cores(2)?, recording.rates());
    /// let report = simulation.run(&*scheduler::parse("eager")?, &recording.program)?;
    /// assert_eq!(report.makespan_ns, 300);
    /// # Ok::<(), skel_tasks::TaskError>(())
    /// ```
    #[must_use]
    pub fn rates(&self) -> Rates {
        let mut rates = means(&self.program, &self.report);
        for kind in &mut rates {
            if kind.iter().all(Option::is_none) {
                kind.fill(Some(0.0));
            }
        }
        Rates::new(rates)
    }
}

/// Notes what a real run does. It is told of data and tasks in the order in which an engine is.
#[derive(Clone, Debug)]
pub struct Recorder {
    machine: Machine,
    scheduler: String,
    program: Program,
    /// Of the engine's handles, those of the program.
    data: HashMap<HandleId, HandleId>,
    /// Of the engine's tasks, their positions.
    positions: HashMap<TaskId, usize>,
    executions: Vec<Execution>,
    cancelled: Vec<Cancelled>,
}

impl Recorder {
    /// For a run of tasks on a machine, under a scheduler of this name.
    #[must_use]
    pub fn new(name: &str, machine: &Machine, scheduler: String) -> Recorder {
        Recorder {
            machine: machine.clone(),
            scheduler,
            program: Program::new(name),
            data: HashMap::new(),
            positions: HashMap::new(),
            executions: Vec::new(),
            cancelled: Vec::new(),
        }
    }

    /// The engine has registered data, which lies in the host's memory.
    pub fn registered(&mut self, handle: HandleId, bytes: u64) {
        let data = self.program.data_at(bytes, MemoryNode::HOST);
        self.data.insert(handle, data);
    }

    /// The engine has split the last `bytes` off the data of a handle.
    pub fn split(&mut self, handle: HandleId, part: HandleId, bytes: u64) {
        if let Some(&whole) = self.data.get(&handle) {
            self.data.insert(part, self.program.split(whole, bytes));
        }
    }

    /// The engine has taken in a task of the kind of this name.
    pub fn submitted(&mut self, task: TaskId, kind: &str, new: &NewTask<'_>) {
        let (data, positions) = (&self.data, &self.positions);
        let after: Vec<usize> = new
            .after
            .iter()
            .filter_map(|before| positions.get(before).copied())
            .collect();
        let kind = self.program.kind(kind);
        let mut adding = self
            .program
            .task(kind)
            .work(new.work.elems)
            .priority(new.priority)
            .archs(new.archs);
        for access in new.accesses {
            if let Some(handle) = data.get(&access.handle) {
                adding = adding.access(*handle, access.mode);
            }
        }
        for before in after {
            adding = adding.after(before);
        }
        self.positions.insert(task, adding.add());
    }

    /// A worker has executed a task, from one time to another.
    pub fn executed(
        &mut self,
        task: TaskId,
        worker: WorkerId,
        start_ns: Ns,
        end_ns: Ns,
        outcome: Outcome,
    ) {
        let Some(&task) = self.positions.get(&task) else {
            return;
        };
        let Some(kind) = self.program.get(task).map(|task| task.kind) else {
            return;
        };
        self.executions.push(Execution {
            task,
            kind,
            worker,
            taken_ns: start_ns,
            data_ns: start_ns,
            start_ns,
            end_ns: end_ns.max(start_ns),
            outcome,
        });
    }

    /// A task was cancelled for the sake of another one.
    pub fn cancelled(&mut self, task: TaskId, cause: TaskId, at_ns: Ns) {
        if let Some(&task) = self.positions.get(&task) {
            let cause = self.positions.get(&cause).copied().unwrap_or(task);
            self.cancelled.push(Cancelled { task, cause, at_ns });
        }
    }

    /// What it has noted so far. Times begin with the first task.
    #[must_use]
    pub fn recording(&self) -> Recording {
        let origin_ns = self.executions.iter().map(|it| it.start_ns).min();
        let origin_ns = origin_ns.unwrap_or(0);
        let mut executions = self.executions.clone();
        for it in &mut executions {
            for ns in [
                &mut it.taken_ns,
                &mut it.data_ns,
                &mut it.start_ns,
                &mut it.end_ns,
            ] {
                *ns -= origin_ns;
            }
        }
        let mut cancelled = self.cancelled.clone();
        for it in &mut cancelled {
            it.at_ns = it.at_ns.saturating_sub(origin_ns);
        }
        let workers = self.machine.worker_ids().count();
        let mut busy_ns = vec![0; workers];
        for it in &executions {
            if let Some(busy_ns) = busy_ns.get_mut(it.worker.0 as usize) {
                *busy_ns += it.end_ns - it.start_ns;
            }
        }
        let makespan_ns = executions.iter().map(|it| it.end_ns).max().unwrap_or(0);
        let is_done = |it: &&Execution| it.outcome == Outcome::Done;
        let mut report = Report {
            program: self.program.name().into(),
            scheduler: self.scheduler.clone(),
            machine: self.machine.clone(),
            kinds: self.program.kinds().to_vec(),
            tasks: executions.iter().filter(is_done).count(),
            makespan_ns,
            busy_ns,
            waiting_ns: vec![0; workers],
            links: Vec::new(),
            evictions: 0,
            events: executions.len() as u64,
            bounds: Bounds::default(),
            executions,
            copies: Vec::new(),
            cancelled,
        };
        report.bounds = bounds(&self.program, &report);
        Recording {
            program: self.program.clone(),
            report,
        }
    }
}

/// The bounds of what was executed: a task takes what it took where it ran, and what its kind takes elsewhere.
fn bounds(program: &Program, report: &Report) -> Bounds {
    use crate::Costs;
    let machine = &report.machine;
    let mut took = vec![None; program.len()];
    for it in &report.executions {
        if it.outcome == Outcome::Done {
            took[it.task] = Some((machine.arch_of(it.worker), it.end_ns - it.start_ns));
        }
    }
    let rates = Rates::new(means(program, report));
    let exec_ns = |task: usize, arch: Arch| match took[task] {
        Some((ran_on, ns)) if ran_on == arch => Some(ns),
        _ => {
            let task = program.get(task)?;
            let may = task.archs.contains(arch);
            may.then(|| rates.exec_ns(task.kind, arch, task.work))?
        }
    };
    Bounds::new(machine, program, exec_ns, |task| took[task].is_some())
}

/// The mean time per unit of work, by kind and architecture.
fn means(program: &Program, report: &Report) -> Vec<Vec<Option<f64>>> {
    let archs = report.machine.archs().len();
    let mut sums = vec![vec![(0_u64, 0_u64); archs]; program.kinds().len()];
    for it in &report.executions {
        let arch = usize::from(report.machine.arch_of(it.worker).0);
        if let (Outcome::Done, Some(task)) = (it.outcome, program.get(it.task)) {
            let (ns, elems) = &mut sums[it.kind.0 as usize][arch];
            *ns += it.end_ns - it.start_ns;
            *elems += task.work.elems;
        }
    }
    let rate = |&(ns, elems): &(u64, u64)| (elems > 0).then(|| ns as f64 / elems as f64);
    sums.iter()
        .map(|kind| kind.iter().map(rate).collect())
        .collect()
}
