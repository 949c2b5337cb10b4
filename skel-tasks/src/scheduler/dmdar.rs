//! Dmdar: as `dmda`, and what misses the fewest bytes is run first (StarPU's `dmdar`).

use super::{
    Configuration, Scheduler,
    choice::Weights,
    knobs::Knobs,
    placed::{Order, Placed},
};
use crate::{BadKnob, Machine};

/// Tasks are placed as by [`Dmda`](super::Dmda). Of those that wait for a worker, it takes the one that misses the
/// fewest bytes on its memory node, by what is there or on its way; the first among equals. This is StarPU's
/// `dmdar`. Data that is brought ahead counts as there, so the order differs from `dmda` where a memory is full,
/// or without `prefetch`.
///
/// ```
/// use skel_tasks::{Machine, scheduler::{self, Dmdar}};
///
/// let settings = scheduler::parse("dmdar,alpha=0.5,beta=2,prefetch=false,window=16")?;
/// assert_eq!(settings.text(), "dmdar,alpha=0.5,beta=2,prefetch=false,window=16");
/// assert!(scheduler::parse("dmdar,alpha=-1")?.build(&Machine::cores(1)?).is_err());
/// assert_eq!(Dmdar::default().alpha, 1.0);
/// # Ok::<(), skel_tasks::TaskError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Dmdar {
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

impl Default for Dmdar {
    fn default() -> Dmdar {
        Dmdar {
            alpha: 1.0,
            beta: 1.0,
            prefetch: true,
            window: 256,
        }
    }
}

impl Dmdar {
    pub(super) fn parse(knobs: &mut Knobs<'_>) -> Result<Box<dyn Configuration>, BadKnob> {
        let default = Dmdar::default();
        Ok(Box::new(Dmdar {
            alpha: knobs.take("alpha", "a number of at least 0", default.alpha)?,
            beta: knobs.take("beta", "a number of at least 0", default.beta)?,
            prefetch: knobs.take("prefetch", "true or false", default.prefetch)?,
            window: knobs.take("window", "a whole number of at least 1", default.window)?,
        }))
    }
}

impl Configuration for Dmdar {
    fn text(&self) -> String {
        format!(
            "dmdar,alpha={},beta={},prefetch={},window={}",
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
    use crate::scheduler::testing::{Bench, gpu};
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
