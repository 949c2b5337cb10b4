//! Dm: the worker that is expected to have done a task first, transfers aside (StarPU's `dm`).

use super::{
    Configuration, Scheduler,
    choice::{Transfers, Weights},
    placed::{Order, Placed},
};
use crate::{BadOption, Machine};

/// Each task goes, when it becomes ready, to the worker that is expected to have done it first: behind all that
/// the worker has, for the time that a model expects. Transfers are not minded. This is StarPU's `dm` ("deque
/// model"), the online form of HEFT's choice.
///
/// Where a time is unknown, architectures that have not measured the kind of task get ten of them first (the
/// worker with the fewest tasks, then the lowest number); then the worker with the fewest tasks divided by its
/// speed gets it, as far as speeds were seen.
///
/// ```
/// use skel_tasks::{Configuration, Machine, scheduler::Dm};
///
/// assert_eq!(Dm.text(), "dm");
/// assert!(Dm.build(&Machine::cores(2)?)?.needs_time());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Dm;

impl Configuration for Dm {
    fn text(&self) -> String {
        "dm".into()
    }

    fn build(&self, machine: &Machine) -> Result<Box<dyn Scheduler>, BadOption> {
        let weights = Weights {
            alpha: 1.0,
            beta: 0.0,
            transfers: Transfers::Ignored,
        };
        Ok(Box::new(Placed::new(machine, weights, Order::Fifo, true)))
    }
}

#[cfg(test)]
mod test {
    use crate::scheduler::test::Bench;
    use crate::{Finish, KindId, Machine, Rates, WorkerId};

    /// Two slow workers, 0 and 1, and a fast one, 2. Kind 1 has no known time on the fast one.
    fn bench() -> Bench {
        let machine = Machine::builder().arch("slow", 2).arch("fast", 1).build();
        let kinds = vec![vec![Some(3.0), Some(1.0)], vec![Some(3.0), None]];
        Bench::with_costs(machine.unwrap(), "dm", Box::new(Rates::new(kinds)))
    }

    #[test]
    fn queues_count_until_a_slower_worker_ends_first() {
        let mut bench = bench();
        let t: Vec<_> = (0..5).map(|_| bench.task().elems(10).submit()).collect();
        // Ends: 10, 20, 30 (the slow ones tie, the lower class wins), 30 on the other slow one, 30 on the fast one.
        assert_eq!(bench.take_all(WorkerId(0)), [t[2]]);
        assert_eq!(bench.take_all(WorkerId(1)), [t[3]]);
        assert_eq!(bench.take_all(WorkerId(2)), [t[0], t[1], t[4]]);
    }

    #[test]
    fn what_has_ended_counts_no_more_and_what_is_late_counts_from_now() {
        let mut bench = bench();
        let first = bench.task().elems(100).submit();
        assert_eq!(bench.take(WorkerId(2)), Some(first));
        let queued = bench.task().elems(51).submit();
        bench.now_ns = 140;
        // The fast one is late: the next ends there at 140 + 51 + 30, and at 140 + 90 on a slow one.
        let next = bench.task().elems(30).submit();
        assert_eq!(bench.take_all(WorkerId(2)), [queued, next]);
        for (task, end) in [(first, 150), (queued, 200)] {
            let done = Finish::Done { took_ns: 50 };
            bench.engine.finished(task, done, WorkerId(2), end).unwrap();
        }
        bench.now_ns = 1_000;
        let t: Vec<_> = (0..3).map(|_| bench.task().elems(10).submit()).collect();
        // One is left on the fast one, and overdue: the others end at 1,010, 1,020, and 1,030 on a slow one.
        assert_eq!(bench.take_all(WorkerId(0)), [t[2]]);
        assert_eq!(bench.take_all(WorkerId(2)), [t[0], t[1]]);
    }

    #[test]
    fn unmeasured_architectures_first_and_then_by_speed() {
        let mut bench = bench();
        let kind = KindId(1);
        let t: Vec<_> = (0..10)
            .map(|_| bench.task().kind(kind).elems(10).submit())
            .collect();
        assert_eq!(bench.take_all(WorkerId(2)), t);
        for task in t {
            let done = Finish::Done { took_ns: 5 };
            bench.engine.finished(task, done, WorkerId(2), 0).unwrap();
        }
        // Known now: 30 ns on the slow ones, 5 ns seen on the fast one: six there before the first elsewhere.
        let t: Vec<_> = (0..8)
            .map(|_| bench.task().kind(kind).elems(10).submit())
            .collect();
        assert_eq!(bench.take_all(WorkerId(0)), [t[5]]);
        assert_eq!(bench.take_all(WorkerId(1)), [t[6]]);
    }

    #[test]
    fn with_nothing_known_tasks_are_counted() {
        let mut bench = Bench::new(Machine::cores(3).unwrap(), "dm");
        let t: Vec<_> = (0..40).map(|_| bench.task().submit()).collect();
        assert_eq!(bench.take(WorkerId(1)), Some(t[1]));
        let count = |worker| bench.take_all(WorkerId(worker)).len();
        assert_eq!([0, 1, 2].map(count), [14, 12, 13]);
    }

    #[test]
    fn a_lost_workers_tasks_are_placed_again() {
        let mut bench = bench();
        let t: Vec<_> = (0..3).map(|_| bench.task().elems(10).submit()).collect();
        let running = bench.take(WorkerId(2)).unwrap();
        bench.engine.lost(WorkerId(2), 0);
        bench
            .engine
            .finished(running, Finish::Retry, WorkerId(2), 0)
            .unwrap();
        let mut left = bench.take_all(WorkerId(0));
        left.extend(bench.take_all(WorkerId(1)));
        left.sort();
        assert_eq!((left, running), (t.clone(), t[0]));
        assert_eq!(bench.take(WorkerId(2)), None);
    }
}
