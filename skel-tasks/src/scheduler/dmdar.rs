//! Dmdar: as `dmda`, and what misses the fewest bytes is run first (StarPU's `dmdar`).

use super::{
    Configuration, Scheduler,
    choice::{Transfers, Weights},
    placed::{Order, Placed},
};
use crate::{BadOption, Machine, settings::settings};

settings! {
    /// Tasks are placed as by [`Dmda`](super::Dmda). Of those that wait for a worker, it takes the one that misses the
    /// fewest bytes on its memory node, by what is there or on its way; the first among equals. This is StarPU's
    /// `dmdar`. Data that is brought ahead counts as there, so the order differs from `dmda` where a memory is full,
    /// or without `prefetch`.
    ///
    /// ```
    /// use skel_tasks::{Machine, scheduler::{self, Dmdar}};
    ///
    /// let settings = scheduler::parse("dmdar,alpha=0.5,beta=2,prefetch=false,in_turn=false,window=16")?;
    /// assert_eq!(settings.text(), "dmdar,alpha=0.5,beta=2,prefetch=false,in_turn=false,window=16");
    /// assert!(scheduler::parse("dmdar,alpha=-1")?.build(&Machine::cores(1)?).is_err());
    /// assert_eq!(Dmdar::default().alpha, 1.0);
    /// # Ok::<(), skel_tasks::TaskError>(())
    /// ```
    Dmdar, "dmdar";
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
    /// Among how many queued tasks of a worker the one that misses the fewest bytes is looked for. StarPU looks at
    /// all, which makes long queues slow.
    window: usize = 256, "a whole number of at least 1";
}

impl Configuration for Dmdar {
    fn text(&self) -> String {
        self.shown()
    }

    fn build(&self, machine: &Machine) -> Result<Box<dyn Scheduler>, BadOption> {
        let weights = Weights {
            alpha: self.alpha,
            beta: self.beta,
            transfers: Transfers::in_turn(self.in_turn && self.prefetch),
        };
        if self.window == 0 {
            return Err(BadOption::new("window", 0, "a whole number of at least 1"));
        }
        let (weights, order) = (weights.check()?, Order::LeastMissing(self.window));
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
    use crate::scheduler::test::{Bench, gpu};
    use crate::{MemoryNode, Mode, TaskId, WorkerId};

    fn fill(bench: &mut Bench) -> Vec<TaskId> {
        let sizes = [30, 10, 20, 10];
        let x = sizes.map(|bytes| bench.engine.register(bytes, Some(MemoryNode::HOST)));
        x.map(|x| bench.task().on(x, Mode::Read).submit()).to_vec()
    }

    #[test]
    fn what_misses_least_is_first() {
        let mut bench = Bench::new(gpu(), "dmdar,prefetch=false");
        let t = fill(&mut bench);
        assert_eq!(bench.take_all(WorkerId(0)), [t[1], t[3], t[2], t[0]]);
    }

    #[test]
    fn a_window_bounds_the_search_and_data_ahead_is_there() {
        let mut bench = Bench::new(gpu(), "dmdar,prefetch=false,window=1");
        let t = fill(&mut bench);
        assert_eq!(bench.take_all(WorkerId(0)), t);
        let mut bench = Bench::new(gpu(), "dmdar");
        let t = fill(&mut bench);
        assert_eq!(bench.take_all(WorkerId(0)), t);
    }
}
