//! Random: each task to a worker drawn by speed (StarPU's `random`), from a seed.

use super::{
    Configuration, Hint, Scheduler, live::LiveWorkers, observed::Observed, per_worker::PerWorker,
};
use crate::{
    BadOption, ClassId, ClassSet, Machine, Ns, TaskId, View, WorkerId, options::Options,
    split_mix::SplitMix,
};

/// A ready task goes to a worker that is drawn with a probability in proportion to its speed at this task, as
/// StarPU's `random` does with the speeds of architectures; its queue is first in, first out. The speed is one
/// over the expected time, or over the mean of the times seen; where nothing is known, it is the mean of the
/// other workers' speeds.
///
/// ```
/// use skel_tasks::{Configuration, scheduler::{self, Random}};
///
/// assert_eq!(scheduler::parse("random,seed=7")?.text(), Random { seed: 7 }.text());
/// # Ok::<(), skel_tasks::BadOption>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Random {
    /// Where the sequence of draws begins: the same seed gives the same sequence.
    pub seed: u64,
}

impl Random {
    pub(super) fn parse(options: &mut Options<'_>) -> Result<Box<dyn Configuration>, BadOption> {
        let seed = options.take("seed", "a whole number of 64 bits", 0)?;
        Ok(Box::new(Random { seed }))
    }
}

impl Configuration for Random {
    fn text(&self) -> String {
        format!("random,seed={}", self.seed)
    }

    fn build(&self, machine: &Machine) -> Result<Box<dyn Scheduler>, BadOption> {
        Ok(Box::new(Draws {
            draws: SplitMix::new(self.seed),
            live: LiveWorkers::new(machine),
            observed: Observed::default(),
            queues: PerWorker::new(machine),
        }))
    }
}

struct Draws {
    draws: SplitMix,
    live: LiveWorkers,
    observed: Observed,
    queues: PerWorker,
}

impl Draws {
    fn choose(&mut self, task: TaskId, view: &View<'_>) -> Option<WorkerId> {
        let draw = self.draws.unit();
        let arch_of = |class: ClassId| view.machine().class(class).arch;
        let known = |class| Some(self.observed.time_ns(task, arch_of(class), view)?.recip());
        let live = |class| f64::from(view.live(class));
        let (mut sum, mut workers) = (0.0, 0.0);
        for class in view.able(task) {
            if let Some(speed) = known(class) {
                (sum, workers) = (sum + speed * live(class), workers + live(class));
            }
        }
        let mean = if workers > 0.0 { sum / workers } else { 1.0 };
        let speed = |class| known(class).unwrap_or(mean);
        let total: f64 = view
            .able(task)
            .map(|class| speed(class) * live(class))
            .sum();
        let (mut left, mut worker) = (draw * total, None);
        for class in view.able(task) {
            let (speed, workers) = (speed(class), self.live.of(class));
            // Rounding may leave a little behind the last.
            let index = (left / speed) as usize;
            worker = workers.get(index).or(workers.last()).copied();
            if index < workers.len() {
                break;
            }
            left -= speed * workers.len() as f64;
        }
        worker
    }
}

impl Scheduler for Draws {
    fn push(&mut self, task: TaskId, _: Option<WorkerId>, view: &View<'_>) -> Hint {
        self.live.refresh(view);
        let Some(worker) = self.choose(task, view) else {
            return Hint::any(ClassSet::EMPTY);
        };
        self.queues.push(worker, 0, task);
        Hint::worker(worker).and_prefetch(view.machine().node_of(worker))
    }

    fn pop(&mut self, worker: WorkerId, _: &View<'_>) -> Option<TaskId> {
        self.queues.pop(worker)
    }

    fn finished(&mut self, task: TaskId, worker: WorkerId, took_ns: Ns, view: &View<'_>) {
        let arch = view.machine().arch_of(worker);
        self.observed.finish(view.task(task).kind, arch, took_ns);
    }

    fn drain(&mut self) -> Vec<TaskId> {
        self.live.invalidate();
        self.queues.drain()
    }

    fn ready(&self, class: ClassId) -> usize {
        self.queues.ready(class)
    }
}

#[cfg(test)]
mod test {
    use crate::scheduler::test::Bench;
    use crate::{Machine, Rates, WorkerId};

    fn bench(text: &str) -> Bench {
        let machine = Machine::builder().arch("slow", 2).arch("fast", 2).build();
        let rates = Rates::new(vec![vec![Some(3.0), Some(1.0)]]);
        Bench::with_costs(machine.unwrap(), text, Box::new(rates))
    }

    fn counts(bench: &mut Bench) -> [usize; 4] {
        [0, 1, 2, 3].map(|worker| bench.take_all(WorkerId(worker)).len())
    }

    #[test]
    fn shares_are_in_proportion_to_speeds() {
        let mut bench = bench("random,seed=1");
        for _ in 0..10_000 {
            bench.task().elems(10).submit();
        }
        // 1 : 1 : 3 : 3; the standard deviation is at most 50.
        let expected = [1_250, 1_250, 3_750, 3_750];
        let counts = counts(&mut bench);
        assert_eq!(counts.iter().sum::<usize>(), 10_000);
        for (count, expected) in counts.iter().zip(expected) {
            assert!(count.abs_diff(expected) < 200, "{counts:?}");
        }
    }

    #[test]
    fn seeds_give_sequences() {
        let run = |seed: u64| {
            let mut bench = bench(&format!("random,seed={seed}"));
            let t: Vec<_> = (0..100).map(|_| bench.task().elems(9).submit()).collect();
            let order = bench.take_all(WorkerId(2));
            let of = |task| t.iter().position(|other| other == task).unwrap();
            order.iter().map(of).collect::<Vec<_>>()
        };
        assert_eq!(run(4), run(4));
        assert_ne!(run(4), run(5));
    }

    #[test]
    fn a_lost_worker_gets_nothing() {
        let mut bench = bench("random");
        (0..50).for_each(|_| _ = bench.task().submit());
        bench.engine.lost(WorkerId(3), 0);
        (0..50).for_each(|_| _ = bench.task().submit());
        let counts = counts(&mut bench);
        assert_eq!((counts[3], counts.iter().sum::<usize>()), (0, 100));
    }
}
