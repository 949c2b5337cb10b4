//! Dmda: the worker where a task ends first, with transfers (StarPU's `dmda`).

use super::{
    Configuration, Scheduler,
    choice::{Transfers, Weights},
    placed::{Order, Placed},
};
use crate::{BadOption, Machine, settings::settings};

settings! {
    /// As [`Dm`](super::Dm), but with data: a task is expected to begin on a worker when the worker has done what it has
    /// and the data has arrived, and the worker with the least `alpha · end + beta · transfer` gets it. This is StarPU's
    /// `dmda` (Augonnet, Thibault, Namyst and Wacrenier 2011), with its `STARPU_SCHED_ALPHA` and `STARPU_SCHED_BETA`.
    ///
    /// ```
    /// use skel_tasks::{Machine, scheduler::{self, Dmda}};
    ///
    /// let settings = scheduler::parse("dmda,alpha=0.5,beta=2,prefetch=false,in_turn=false")?;
    /// assert_eq!(settings.text(), "dmda,alpha=0.5,beta=2,prefetch=false,in_turn=false");
    /// assert!(scheduler::parse("dmda,alpha=-1")?.build(&Machine::cores(1)?).is_err());
    /// assert_eq!(Dmda::default().alpha, 1.0);
    /// # Ok::<(), skel_tasks::TaskError>(())
    /// ```
    Dmda, "dmda";
    /// The weight of the expected end.
    alpha: f64 = 1.0, "a number of at least 0";
    /// The weight of the time of transfers, in addition to their part in the end.
    beta: f64 = 1.0, "a number of at least 0";
    /// Whether data is brought ahead to the chosen worker's memory.
    prefetch: bool = true, "true or false";
    /// Whether a task's data is expected behind what is to be copied to the same memory for tasks that were placed before.
    /// Otherwise each task's is expected as if nothing else was copied, so that a memory behind a slow bus gets more tasks
    /// than the bus brings data for. Without `prefetch` it is otherwise: what several tasks read would count for each.
    in_turn: bool = true, "true or false";
}

impl Configuration for Dmda {
    fn text(&self) -> String {
        self.shown()
    }

    fn build(&self, machine: &Machine) -> Result<Box<dyn Scheduler>, BadOption> {
        let weights = Weights {
            alpha: self.alpha,
            beta: self.beta,
            transfers: Transfers::in_turn(self.in_turn && self.prefetch),
        };
        let (weights, order) = (weights.check()?, Order::Fifo);
        Ok(Box::new(Placed::new(
            machine,
            weights,
            order,
            self.prefetch,
        )))
    }
}

#[cfg(test)]
mod test {
    use crate::scheduler::test::Bench;
    use crate::{KindId, Link, Machine, MemoryNode, Mode, Rates, TaskId, WorkerId};

    /// Core 0 and GPU 1, eight times as fast, behind a bus of 1 byte/ns and 100 ns.
    fn bench(text: &str) -> Bench {
        let bus = Link {
            latency_ns: 100,
            bytes_per_ns: 1.0,
        };
        let machine = Machine::builder()
            .arch("cpu", 1)
            .device("gpu", 1, None, bus)
            .build();
        let rates = Rates::new(vec![vec![Some(8.0), Some(1.0)], vec![None, Some(1.0)]]);
        Bench::with_costs(machine.unwrap(), text, Box::new(rates))
    }

    fn on_gpu(bench: &mut Bench) -> Vec<TaskId> {
        bench.take_all(WorkerId(1))
    }

    #[test]
    fn transfers_weigh_against_execution() {
        let mut bench = bench("dmda,beta=0");
        let data = |bench: &mut Bench, bytes| bench.engine.register(bytes, Some(MemoryNode::HOST));
        let (small, large) = (data(&mut bench, 500), data(&mut bench, 900));
        // 800 ns on the core; 600 + 100 on the GPU with the small data, 1,000 + 100 with the large.
        let near = bench.task().elems(100).on(large, Mode::Read).submit();
        assert_eq!(bench.take_all(WorkerId(0)), [near]);
        let far = bench.task().elems(100).on(small, Mode::Read).submit();
        assert_eq!(on_gpu(&mut bench), [far]);
    }

    #[test]
    fn data_arrives_while_others_run_unless_transfers_cost_by_themselves() {
        for (text, is_far) in [("dmda,beta=0", true), ("dmda,beta=1", false)] {
            let mut bench = bench(text);
            let x = bench.engine.register(300, Some(MemoryNode::HOST));
            let first = bench.task().elems(400).submit();
            // The GPU is busy until 400, the data is there at 400: it ends at 450 there, at 400 on the core.
            let core = bench.task().elems(50).on(x, Mode::Read).submit();
            // The core is busy until 400: it ends at 800 there, at 450 on the GPU, and 400 ns of transfer more.
            let next = bench.task().elems(50).on(x, Mode::Read).submit();
            let expected = if is_far {
                vec![first, next]
            } else {
                vec![first]
            };
            assert_eq!(on_gpu(&mut bench), expected, "{text}");
            let rest = bench.take_all(WorkerId(0));
            assert_eq!((rest[0], rest.contains(&next)), (core, !is_far), "{text}");
        }
    }

    #[test]
    fn what_is_brought_ahead_is_there_for_the_next() {
        let mut bench = bench("dmda");
        let x = bench.engine.register(500, Some(MemoryNode::HOST));
        bench.task().elems(1_000).on(x, Mode::Read).submit();
        assert_eq!(bench.engine.take_prefetches().len(), 1);
        // 1,600 + 10 on the GPU, whose queue is longer by now; 80 on the core.
        let short = bench.task().elems(10).on(x, Mode::Read).submit();
        assert_eq!(bench.take_all(WorkerId(0)), [short]);
        let mut bench = bench_without_prefetch();
        let x = bench.engine.register(500, Some(MemoryNode::HOST));
        bench.task().elems(1_000).on(x, Mode::Read).submit();
        assert_eq!(bench.engine.take_prefetches().len(), 0);
    }

    #[test]
    fn copies_into_one_memory_follow_each_other() {
        // Copies take 200 ns each, 10 elements 80 ns on the core and 10 ns on the GPU.
        let on_gpu = |text: &str| {
            let mut bench = bench(text);
            for _ in 0..64 {
                let x = bench.engine.register(100, Some(MemoryNode::HOST));
                bench.task().elems(10).on(x, Mode::Read).submit();
            }
            on_gpu(&mut bench).len()
        };
        // k on the GPU end at 200 k + 10, and the others at 80 · (64 - k) on the core.
        assert_eq!(on_gpu("dmda,beta=0"), 18);
        // The same at 200 + 10 k, since each copy seems to take 200 ns from now.
        assert_eq!(on_gpu("dmda,beta=0,in_turn=false"), 55);
    }

    #[test]
    fn copies_for_tasks_that_were_taken_count_no_more() {
        let mut bench = bench("dmda,beta=0");
        let mut submit = |bytes| {
            let x = bench.engine.register(bytes, Some(MemoryNode::HOST));
            let task = bench.task().elems(500).on(x, Mode::Read).submit();
            (task, on_gpu(&mut bench).contains(&task))
        };
        // 4,000 on the core, 2,600 on the GPU, and behind that 3,100; 4,700 if the first copy was still waited for.
        assert!(submit(2_000).1);
        assert!(submit(2_000).1);
    }

    fn bench_without_prefetch() -> Bench {
        bench("dmda,prefetch=false")
    }

    #[test]
    fn unknown_times_are_measured_first() {
        let mut bench = bench("dmda");
        let kind = KindId(1);
        let t: Vec<_> = (0..12)
            .map(|_| bench.task().kind(kind).elems(10).submit())
            .collect();
        // Ten on the core, which has not measured it; then the GPU has fewer tasks.
        assert_eq!(bench.take_all(WorkerId(0)), t[..10]);
        assert_eq!(on_gpu(&mut bench), t[10..]);
    }

    #[test]
    fn weights_that_cannot_be_are_named() {
        let machine = Machine::cores(1).unwrap();
        for (text, what) in [
            (
                "dmda,alpha=-1",
                "`alpha` is `-1`; expected a number of at least 0",
            ),
            ("dmda,beta=inf", "`beta` is `inf`"),
            ("dmdar,beta=NaN", "`beta` is `NaN`"),
            ("dmdas,window=0", "`window` is `0`"),
        ] {
            let built = crate::scheduler::parse(text).unwrap().build(&machine);
            let error = built.err().unwrap().to_string();
            assert!(error.contains(what), "{error}");
        }
        let error = crate::scheduler::parse("dmda,gamma=1").unwrap_err();
        assert!(
            error
                .to_string()
                .contains("one of the options alpha, beta, prefetch, in_turn")
        );
        for text in [
            "dmdar,prefetch=2",
            "dmdas,window=-1",
            "random,seed=x",
            "dm,alpha=1",
            "heft,a=1",
        ] {
            assert!(crate::scheduler::parse(text).is_err(), "{text}");
        }
    }
}
