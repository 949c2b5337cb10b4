//! Prio: the task of the highest priority first (StarPU's `prio`).

use super::{Configuration, Hint, Scheduler, by_classes::ByClasses};
use crate::{BadOption, ClassId, ClassSet, Machine, TaskId, View, WorkerId};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Ready tasks in one order for all workers: by priority, and as they became ready among equals. Each worker
/// takes the first that it can run. This is StarPU's `prio`.
///
/// ```
/// use skel_tasks::{Configuration, Machine, scheduler::Prio};
///
/// assert_eq!(Prio.text(), "prio");
/// assert!(Prio.build(&Machine::cores(2)?).is_ok());
/// # Ok::<(), skel_tasks::TaskError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Prio;

impl Configuration for Prio {
    fn text(&self) -> String {
        "prio".into()
    }

    fn build(&self, _: &Machine) -> Result<Box<dyn Scheduler>, BadOption> {
        Ok(Box::new(Queue {
            ready: ByClasses::new(),
            pushed: 0,
        }))
    }
}

/// Priority, and the lower number first among equals.
type Entry = (i32, Reverse<u64>, TaskId);

/// A heap for each set of classes, so that none is searched for what a worker can run.
struct Queue {
    ready: ByClasses<BinaryHeap<Entry>>,
    pushed: u64,
}

impl Scheduler for Queue {
    fn measures(&self) -> bool {
        false
    }

    fn push(&mut self, task: TaskId, _: Option<WorkerId>, view: &View<'_>) -> Hint {
        let able: ClassSet = view.able(task).collect();
        self.pushed += 1;
        let heap = self.ready.part(able, BinaryHeap::new);
        heap.push((view.task(task).priority, Reverse(self.pushed), task));
        Hint::any(able)
    }

    fn pop(&mut self, worker: WorkerId, view: &View<'_>) -> Option<TaskId> {
        let heaps = self.ready.of_mut(view.machine().class_of(worker));
        let first = heaps.max_by_key(|heap| heap.peek().copied())?;
        first.pop().map(|(_, _, task)| task)
    }

    fn drain(&mut self) -> Vec<TaskId> {
        let heaps = self.ready.all_mut();
        let mut all: Vec<Entry> = heaps.flat_map(BinaryHeap::drain).collect();
        all.sort_by_key(|(_, Reverse(number), _)| *number);
        all.into_iter().map(|(_, _, task)| task).collect()
    }

    fn ready(&self, class: ClassId) -> usize {
        self.ready.of(class).map(BinaryHeap::len).sum()
    }
}

#[cfg(test)]
mod test {
    use crate::scheduler::test::Bench;
    use crate::{Arch, ArchSet, Machine, WorkerId};

    #[test]
    fn priorities_come_first_and_equals_in_order() {
        let machine = Machine::builder().arch("a", 1).arch("b", 1).build();
        let mut bench = Bench::new(machine.unwrap(), "prio");
        let priorities = [0, 5, -3, 5, 0];
        let t = priorities.map(|priority| bench.task().priority(priority).submit());
        let only_b = ArchSet::only(Arch(1));
        let last = bench.task().priority(1).archs(only_b).submit();
        assert_eq!(bench.take_all(WorkerId(0)), [t[1], t[3], t[0], t[4], t[2]]);
        assert_eq!(bench.take_all(WorkerId(1)), [last]);
    }

    #[test]
    fn a_loss_keeps_the_order() {
        let mut bench = Bench::new(Machine::cores(2).unwrap(), "prio");
        let t = [1, 2, 1].map(|priority| bench.task().priority(priority).submit());
        bench.engine.lost(WorkerId(0), 0);
        assert_eq!(bench.take_all(WorkerId(0)), []);
        assert_eq!(bench.take_all(WorkerId(1)), [t[1], t[0], t[2]]);
    }
}
