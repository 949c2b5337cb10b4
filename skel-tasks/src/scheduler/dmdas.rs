//! Dmdas: as `dmda`, sorted by priority, and what misses the fewest bytes first (StarPU's `dmdas`).

use super::{
    Configuration, Scheduler,
    choice::{Transfers, Weights},
    placed::{Order, Placed},
};
use crate::{BadOption, Machine, settings::settings};

settings! {
    /// Tasks are placed as by [`Dmda`](super::Dmda). Of those that wait for a worker, it takes one of the highest
    /// priority, of these the one that misses the fewest bytes on its memory node, and the first among equals. This is
    /// StarPU's `dmdas`. Data that is brought ahead counts as there.
    ///
    /// ```
    /// use skel_tasks::{Machine, scheduler::{self, Dmdas}};
    ///
    /// let settings = scheduler::parse("dmdas,alpha=0.5,beta=2,prefetch=false,in_turn=false,window=16")?;
    /// assert_eq!(settings.text(), "dmdas,alpha=0.5,beta=2,prefetch=false,in_turn=false,window=16");
    /// assert!(scheduler::parse("dmdas,alpha=-1")?.build(&Machine::cores(1)?).is_err());
    /// assert_eq!(Dmdas::default().alpha, 1.0);
    /// # Ok::<(), skel_tasks::TaskError>(())
    /// ```
    Dmdas, "dmdas";
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

impl Configuration for Dmdas {
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
        let (weights, order) = (weights.check()?, Order::Priority(self.window));
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
    use crate::{MemoryNode, Mode, WorkerId};

    #[test]
    fn priorities_come_before_missing_bytes() {
        let mut bench = Bench::new(gpu(), "dmdas,prefetch=false");
        let tasks = [(20, 0), (10, 0), (30, 1), (25, 1), (10, 0), (99, 2)];
        let t = tasks.map(|(bytes, priority)| {
            let x = bench.engine.register(bytes, Some(MemoryNode::HOST));
            let task = bench.task().on(x, Mode::Read).priority(priority);
            task.submit()
        });
        let order = [t[5], t[3], t[2], t[1], t[4], t[0]];
        assert_eq!(bench.take_all(WorkerId(0)), order);
    }
}
