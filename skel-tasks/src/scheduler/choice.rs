//! The choice of a worker for a task by expected times: what `dm`, `dmda`, `dmdar`, `dmdas` of StarPU share, and
//! what `heft` does with tasks outside its plan.

use super::{arriving::Arriving, expect::Expect, observed::Observed};
use crate::{BadOption, ClassId, ClassSet, Machine, Ns, TaskId, View, WorkerId};

/// How many tasks of a kind an architecture gets before another counts as known better (StarPU:
/// `STARPU_CALIBRATE_MINIMUM`).
const CALIBRATION: u32 = 10;

/// What a choice minds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// Of the expected end.
    pub(super) alpha: f64,
    /// Of the time of transfers, in addition to their part in the end.
    pub(super) beta: f64,
    /// When data is expected.
    pub(super) transfers: Transfers,
}

/// When the data of a task that is placed is expected to have arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transfers {
    /// It is not minded.
    Ignored,
    /// As if nothing else was copied.
    Alone,
    /// Behind what is to be copied to the same memory for tasks that were placed before.
    InTurn,
}

impl Transfers {
    pub(super) fn in_turn(is_so: bool) -> Transfers {
        match is_so {
            true => Transfers::InTurn,
            false => Transfers::Alone,
        }
    }
}

impl Weights {
    /// # Errors
    /// The weight that is negative or not a number.
    pub(super) fn check(self) -> Result<Weights, BadOption> {
        for (option, value) in [("alpha", self.alpha), ("beta", self.beta)] {
            if !(value.is_finite() && value >= 0.0) {
                return Err(BadOption::new(option, value, "a number of at least 0"));
            }
        }
        Ok(self)
    }
}

/// A worker, and when it is expected to have done the task.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    pub(super) worker: WorkerId,
    pub(super) end_ns: Ns,
    /// How long the copies that it needs take.
    copies_ns: Ns,
}

/// Chooses workers, and keeps what it needs for that. It asks classes, not workers: one class's workers differ only
/// in when they are free.
pub(super) struct Chooser {
    weights: Weights,
    pub(super) expect: Expect,
    arriving: Arriving,
    observed: Observed,
}

impl Chooser {
    pub(super) fn new(weights: Weights, machine: &Machine) -> Chooser {
        Chooser {
            weights,
            expect: Expect::new(machine),
            arriving: Arriving::new(machine),
            observed: Observed::default(),
        }
    }

    /// The best worker for a ready task; none if none can run it.
    pub(super) fn choose(&mut self, task: TaskId, view: &View<'_>) -> Option<Choice> {
        self.expect.refresh(view);
        let (machine, able) = (view.machine(), view.able(task).collect::<ClassSet>());
        let is_unknown = |class: &ClassId| {
            let arch = machine.class(*class).arch;
            view.exec_ns(task, arch).is_none()
        };
        let unknown: ClassSet = able.iter().filter(is_unknown).collect();
        let worker = match unknown.is_empty() {
            true => self.best(task, able, view),
            false => self.by_load(task, able, unknown, view),
        }?;
        Some(self.at(task, worker, view))
    }

    /// When the worker would have done the task, behind what it has.
    pub(super) fn at(&self, task: TaskId, worker: WorkerId, view: &View<'_>) -> Choice {
        let (now_ns, machine) = (view.now_ns(), view.machine());
        let node = machine.node_of(worker);
        let copies_ns = match self.weights.transfers {
            Transfers::Ignored => 0,
            Transfers::Alone | Transfers::InTurn => view.transfer_ns(task, node),
        };
        // What is there already waits for no copies.
        let arrival_ns = match self.weights.transfers {
            Transfers::InTurn if copies_ns > 0 => {
                copies_ns.saturating_add(self.arriving.pending_ns(node))
            }
            _ => copies_ns,
        };
        let start_ns = self.expect.end_ns(worker, now_ns);
        let time_ns = self.observed.time_ns(task, machine.arch_of(worker), view);
        let exec_ns = match view.exec_ns(task, machine.arch_of(worker)) {
            Some(exec_ns) => exec_ns,
            None => time_ns.unwrap_or(0.0) as Ns,
        };
        let begin_ns = start_ns.max(now_ns.saturating_add(arrival_ns));
        Choice {
            worker,
            end_ns: begin_ns.saturating_add(exec_ns),
            copies_ns,
        }
    }

    /// The least `alpha · end + beta · transfer`; the lowest class among equals.
    fn best(&mut self, task: TaskId, able: ClassSet, view: &View<'_>) -> Option<WorkerId> {
        let (mut best, mut least) = (None, f64::INFINITY);
        for class in able.iter() {
            let Some((worker, _)) = self.expect.first_free(class, view.now_ns()) else {
                continue;
            };
            let left_ns = self.at(task, worker, view).end_ns - view.now_ns();
            let transfer_ns = match self.weights.beta {
                0.0 => 0,
                _ => view.transfer_ns(task, view.machine().class(class).node),
            };
            let fitness =
                self.weights.alpha * left_ns as f64 + self.weights.beta * transfer_ns as f64;
            if best.is_none() || fitness < least {
                (best, least) = (Some(worker), fitness);
            }
        }
        best
    }

    /// Where times are missing: classes of architectures that have not measured the kind get tasks first, the
    /// worker with the fewest and then the lowest number; else the fewest tasks divided by the speed.
    fn by_load(
        &self,
        task: TaskId,
        able: ClassSet,
        unknown: ClassSet,
        view: &View<'_>,
    ) -> Option<WorkerId> {
        let kind = view.task(task).kind;
        let arch = |class: ClassId| view.machine().class(class).arch;
        let fresh = unknown
            .iter()
            .filter(|class| self.observed.assigned(kind, arch(*class)) < CALIBRATION);
        let fewest = fresh.filter_map(|class| self.expect.fewest(class));
        if let Some((worker, _)) = fewest.min_by_key(|(worker, tasks)| (*tasks, *worker)) {
            return Some(worker);
        }
        let time_ns = |class| self.observed.time_ns(task, arch(class), view);
        let is_comparable = able.iter().all(|class| time_ns(class).is_some());
        let (mut best, mut least) = (None, f64::INFINITY);
        for class in able.iter() {
            let Some((worker, tasks)) = self.expect.fewest(class) else {
                continue;
            };
            let time_ns = time_ns(class).filter(|_| is_comparable).unwrap_or(1.0);
            let load = (f64::from(tasks) + 1.0) * time_ns;
            if best.is_none() || load < least {
                (best, least) = (Some(worker), load);
            }
        }
        best
    }

    /// The task is queued for that worker.
    pub(super) fn queue(&mut self, task: TaskId, choice: Choice, view: &View<'_>) {
        let arch = view.machine().arch_of(choice.worker);
        if view.exec_ns(task, arch).is_none() {
            self.observed.assign(view.task(task).kind, arch);
        }
        self.expect
            .queue(task, choice.worker, choice.end_ns, view.now_ns());
        let node = view.machine().node_of(choice.worker);
        self.arriving.place(task, node, choice.copies_ns);
    }

    /// The worker takes a task that was queued for it.
    pub(super) fn begin(&mut self, task: TaskId, worker: WorkerId, view: &View<'_>) {
        self.expect.begin(task, worker, view.now_ns());
        self.arriving.take(task, view.machine().node_of(worker));
    }

    /// What was queued is to be placed anew.
    pub(super) fn drain(&mut self) {
        self.expect.drain();
        self.arriving.drain();
    }

    /// The worker has ended the task.
    pub(super) fn finished(
        &mut self,
        task: TaskId,
        worker: WorkerId,
        took_ns: Ns,
        view: &View<'_>,
    ) {
        let arch = view.machine().arch_of(worker);
        self.observed.finish(view.task(task).kind, arch, took_ns);
        self.expect.end(task, worker, view.now_ns());
    }
}
