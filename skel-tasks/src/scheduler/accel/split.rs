//! What all strategies have in common: a side is decided when a task is ready, and remembered.

use super::side::{Side, Sides};
use crate::{
    ClassId, ClassSet, KindId, Machine, Ns, Scheduler, TaskId, View, WorkerId,
    scheduler::{Hint, pool::Pool},
};

/// Decides on which side tasks run.
pub(super) trait Strategy: Send {
    /// Whether it needs the time.
    fn needs_time(&self) -> bool {
        false
    }

    /// The side of a task that either can run.
    fn side(&mut self, task: TaskId, view: &View<'_>) -> Side;

    /// A task that only this side can run.
    fn forced(&mut self, task: TaskId, side: Side, view: &View<'_>) {
        let _ = (task, side, view);
    }

    /// The number of the period of the task that was decided last, however it was.
    fn period(&mut self, view: &View<'_>) -> u32 {
        let _ = view;
        0
    }

    /// A task is over. Where it says nothing of times, since it failed or was cancelled, it took 0 ns.
    fn done(&mut self, done: &Done, sides: &Sides, view: &View<'_>) {
        let _ = (done, sides, view);
    }
}

/// A task that is over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Done {
    pub(super) kind: KindId,
    /// Where it was executed.
    pub(super) side: Side,
    pub(super) took_ns: Ns,
    /// What [`Strategy::period`] was when its side was decided.
    pub(super) period: u32,
}

/// What was decided of a task.
#[derive(Clone, Copy)]
struct Decision {
    task: TaskId,
    kind: KindId,
    side: Side,
    period: u32,
    /// Whether the strategy knows that it is over.
    is_over: bool,
}

impl Decision {
    fn done(&self, side: Side, took_ns: Ns) -> Done {
        let (kind, period) = (self.kind, self.period);
        Done {
            kind,
            side,
            took_ns,
            period,
        }
    }
}

/// The scheduler of a strategy.
pub(super) struct Split<S> {
    strategy: S,
    sides: Sides,
    pool: Pool,
    /// By slot of the task, so that one that is pushed again is not counted twice.
    decisions: Vec<Option<Decision>>,
}

impl<S: Strategy> Split<S> {
    pub(super) fn new(machine: &Machine, strategy: S) -> Split<S> {
        Split {
            strategy,
            sides: Sides::of(machine),
            pool: Pool::default(),
            decisions: Vec::new(),
        }
    }

    fn decide(&mut self, task: TaskId, able: ClassSet, view: &View<'_>) -> Side {
        let known = self.decisions.get(task.slot()).copied().flatten();
        if let Some(known) = known.filter(|known| known.task == task) {
            return known.side;
        }
        let can = |side| !able.and(self.sides.classes(side)).is_empty();
        let side = match (can(Side::Host), can(Side::Device)) {
            (true, true) => self.strategy.side(task, view),
            (is_host, _) => {
                let side = if is_host { Side::Host } else { Side::Device };
                self.strategy.forced(task, side, view);
                side
            }
        };
        let decision = Decision {
            task,
            kind: view.task(task).kind,
            side,
            period: self.strategy.period(view),
            is_over: false,
        };
        if task.slot() >= self.decisions.len() {
            self.decisions.resize(task.slot() + 1, None);
        }
        let before = self.decisions[task.slot()].replace(decision);
        // A task that was cancelled leaves its slot to another one, and nothing more.
        if let Some(gone) = before.filter(|gone| !gone.is_over) {
            self.strategy
                .done(&gone.done(gone.side, 0), &self.sides, view);
        }
        side
    }
}

impl<S: Strategy> Scheduler for Split<S> {
    fn needs_time(&self) -> bool {
        self.strategy.needs_time()
    }

    fn push(&mut self, task: TaskId, _: Option<WorkerId>, view: &View<'_>) -> Hint {
        let able: ClassSet = view.able(task).collect();
        let side = self.decide(task, able, view);
        let there = able.and(self.sides.classes(side));
        // Its side may have been lost since.
        let elsewhere = able.and(self.sides.classes(side.other()));
        self.pool
            .push(task, if there.is_empty() { elsewhere } else { there })
    }

    fn pop(&mut self, worker: WorkerId, view: &View<'_>) -> Option<TaskId> {
        self.pool.pop(view.machine().class_of(worker))
    }

    fn finished(&mut self, task: TaskId, worker: WorkerId, took_ns: Ns, view: &View<'_>) {
        let decision = self.decisions.get_mut(task.slot()).and_then(Option::as_mut);
        // One that is run again is over only once.
        let Some(decision) = decision.filter(|decision| decision.task == task && !decision.is_over)
        else {
            return;
        };
        decision.is_over = true;
        let side = self.sides.side(view.machine().class_of(worker));
        let done = decision.done(side, took_ns);
        self.strategy.done(&done, &self.sides, view);
    }

    fn cancelled(&mut self, task: TaskId, view: &View<'_>) {
        let decision = self.decisions.get_mut(task.slot()).and_then(Option::as_mut);
        if let Some(decision) = decision.filter(|known| known.task == task && !known.is_over) {
            decision.is_over = true;
            let done = decision.done(decision.side, 0);
            self.strategy.done(&done, &self.sides, view);
        }
    }

    fn drain(&mut self) -> Vec<TaskId> {
        self.pool.drain()
    }

    fn ready(&self, class: ClassId) -> usize {
        self.pool.ready(class)
    }
}
