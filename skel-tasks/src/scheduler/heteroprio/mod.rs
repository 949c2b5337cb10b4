//! Heteroprio: buckets of tasks, which each architecture looks at in an order of its own.
//!
//! E. Agullo, B. Bramas, O. Coulaud, E. Darve, M. Messner, T. Takahashi, *Task-based FMM for heterogeneous
//! architectures*, 2016; described anew in B. Bramas, *Impact study of data locality on task-based applications
//! through the Heteroprio scheduler*, PeerJ Computer Science 5:e190, 2019.

mod buckets;
mod grid;
mod rows;
mod slow;
mod text;

pub use buckets::Buckets;
pub(crate) use buckets::arch_named;
pub(crate) use grid::Grid;
pub(crate) use rows::Rows;
pub(crate) use text::show;

use super::{Configuration, Hint, Scheduler};
use crate::options::Options;
use crate::{Arch, BadOption, ClassId, Machine, TaskId, View, WorkerId};

/// Ready tasks in buckets, one for each kind of tasks. Workers of an architecture take the first task of the
/// first bucket, by the architecture's priorities: by default those tasks first that it accelerates most.
///
/// Where few tasks are ready, a slower architecture keeps off those of the best one: it takes from a bucket
/// only if there are at least as many tasks as workers of the best architecture, times the factor by which it
/// is slower. Bramas 2019, "Multi-priorities" and "Speedup factors". Push and pop take constant time but for
/// words of bits. Tasks of one bucket that differ in the architectures that run them have lists of their own.
///
/// ```
/// use skel_tasks::{
///     Arch, ArchSet, Engine, KindId, Link, Machine, NewTask, Rates, Work, WorkerId, scheduler,
/// };
///
/// let bus = Link { latency_ns: 1_000, bytes_per_ns: 10.0 };
/// let machine = Machine::builder().arch("cpu", 1).device("gpu", 1, None, bus).build()?;
/// // The GPU is ten times faster for one kind of tasks, and twice for the other.
/// let rates = Rates::new(vec![
///     vec![Some(20.0), Some(10.0)],
///     vec![Some(100.0), Some(10.0)],
/// ]);
/// let heteroprio = scheduler::parse("heteroprio")?.build(&machine)?;
/// let mut engine = Engine::new(machine, heteroprio, Box::new(rates));
/// let (sums, products) = (engine.kind("sum"), engine.kind("product"));
/// let mut submit = |kind| {
///     let work = Work { elems: 1 };
///     engine.submit(NewTask { work, ..NewTask::new(kind, &[]) }, 0)
/// };
/// let sum = [submit(sums)?, submit(sums)?];
/// let product = [submit(products)?, submit(products)?];
///
/// // Each begins with what it does best.
/// assert_eq!(engine.next(WorkerId(1), 0)?, Some(product[0]));
/// assert_eq!(engine.next(WorkerId(0), 0)?, Some(sum[0]));
/// // One sum and one product are left, which the GPU does faster.
/// assert_eq!(engine.next(WorkerId(0), 0)?, None);
/// # Ok::<(), skel_tasks::TaskError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heteroprio {
    /// What is not to be derived from times: the options `kinds`, `order`, `best` and `slow`.
    pub buckets: Buckets,
}

impl Heteroprio {
    pub(super) fn take(options: &mut Options<'_>) -> Result<Heteroprio, BadOption> {
        let buckets = Buckets::take(options)?;
        Ok(Heteroprio { buckets })
    }
}

impl Configuration for Heteroprio {
    fn text(&self) -> String {
        let mut text = "heteroprio".into();
        self.buckets.show(&mut text);
        text
    }

    fn build(&self, machine: &Machine) -> Result<Box<dyn Scheduler>, BadOption> {
        let rows = Rows::new(self.buckets.declare(machine)?, machine);
        let classes = machine.classes();
        let mut queues = Queues {
            rows,
            grid: Grid::new(1, classes.len()),
            archs: classes.iter().map(|class| class.arch).collect(),
        };
        queues.order();
        Ok(Box::new(queues))
    }
}

/// One list per row.
struct Queues {
    rows: Rows,
    grid: Grid,
    /// By class.
    archs: Vec<Arch>,
}

impl Queues {
    fn order(&mut self) {
        self.grid.grow(self.rows.len());
        for class in 0..self.archs.len() {
            let rows = self.rows.order(class).iter();
            self.grid.set_order(class, rows.map(|row| (*row, 0)));
        }
    }
}

impl Scheduler for Queues {
    fn push(&mut self, task: TaskId, _: Option<WorkerId>, view: &View<'_>) -> Hint {
        let entered = self.rows.enter(task, view);
        if entered.is_reordered {
            self.order();
        }
        self.grid.push(entered.row, 0, task);
        Hint::any(entered.classes)
    }

    fn pop(&mut self, worker: WorkerId, view: &View<'_>) -> Option<TaskId> {
        let class = usize::from(view.machine().class_of(worker).0);
        let (rows, arch) = (&self.rows, self.archs[class]);
        if rows.ready(class) == 0 {
            return None;
        }
        let (task, row) = self.grid.pop(class, |row| rows.may_take(row, arch))?;
        self.rows.leave(row);
        Some(task)
    }

    fn drain(&mut self) -> Vec<TaskId> {
        self.rows.clear();
        self.grid.drain()
    }

    fn ready(&self, class: ClassId) -> usize {
        self.rows.ready(class.0.into())
    }
}

#[cfg(test)]
mod test;
