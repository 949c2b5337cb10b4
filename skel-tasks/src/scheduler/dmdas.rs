//! Dmdas: as `dmda`, sorted by priority, and what misses the fewest bytes first (StarPU's `dmdas`).

use super::{
    Configuration, Scheduler,
    choice::Weights,
    knobs::Knobs,
    placed::{Order, Placed},
};
use crate::{BadKnob, Machine};

/// Tasks are placed as by [`Dmda`](super::Dmda). Of those that wait for a worker, it takes one of the highest
/// priority, of these the one that misses the fewest bytes on its memory node, and the first among equals. This is
/// StarPU's `dmdas`. Data that is brought ahead counts as there.
///
/// ```
/// use skel_tasks::{Machine, scheduler::{self, Dmdas}};
///
/// let settings = scheduler::parse("dmdas,alpha=0.5,beta=2,prefetch=false,window=16")?;
/// assert_eq!(settings.text(), "dmdas,alpha=0.5,beta=2,prefetch=false,window=16");
/// assert!(scheduler::parse("dmdas,alpha=-1")?.build(&Machine::cores(1)?).is_err());
/// assert_eq!(Dmdas::default().alpha, 1.0);
/// # Ok::<(), skel_tasks::TaskError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Dmdas {
    /// The weight of the expected end.
    pub alpha: f64,
    /// The weight of the time of transfers, in addition to their part in the end.
    pub beta: f64,
    /// Whether data is brought ahead to the chosen worker's memory.
    pub prefetch: bool,
    /// Among how many queued tasks of a worker the one that misses the fewest bytes is looked for. StarPU looks at
    /// all, which makes long queues slow.
    pub window: usize,
}

impl Default for Dmdas {
    fn default() -> Dmdas {
        Dmdas {
            alpha: 1.0,
            beta: 1.0,
            prefetch: true,
            window: 256,
        }
    }
}

impl Dmdas {
    pub(super) fn parse(knobs: &mut Knobs<'_>) -> Result<Box<dyn Configuration>, BadKnob> {
        let default = Dmdas::default();
        Ok(Box::new(Dmdas {
            alpha: knobs.take("alpha", "a number of at least 0", default.alpha)?,
            beta: knobs.take("beta", "a number of at least 0", default.beta)?,
            prefetch: knobs.take("prefetch", "true or false", default.prefetch)?,
            window: knobs.take("window", "a whole number of at least 1", default.window)?,
        }))
    }
}

impl Configuration for Dmdas {
    fn text(&self) -> String {
        format!(
            "dmdas,alpha={},beta={},prefetch={},window={}",
            self.alpha, self.beta, self.prefetch, self.window
        )
    }

    fn build(&self, machine: &Machine) -> Result<Box<dyn Scheduler>, BadKnob> {
        let weights = Weights {
            alpha: self.alpha,
            beta: self.beta,
            transfers: true,
        };
        if self.window == 0 {
            return Err(BadKnob::new("window", 0, "a whole number of at least 1"));
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
    use crate::scheduler::testing::{Bench, gpu};
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
