//! A share per kind, by what its tasks gain on devices.

use super::{
    is_some,
    kinds::Kinds,
    side::{Side, Sides},
    split::{Done, Split, Strategy},
};
use crate::{
    BadOption, Machine, Scheduler, TaskId, View, options::Options, scheduler::Configuration,
};

/// Profiles each kind of tasks on both sides, then moves kinds to the devices, those with the best ratio of host to
/// device time first, until both sides are equally loaded; of the last kind, a part (ACCEL's `+accelGreedy`). ACCEL
/// allocates once; here it is done again after a number of tasks, as their numbers and times change. Tasks that
/// only one side can run are its base load. Times are of execution: copies are not seen.
///
/// ```
/// use skel_tasks::scheduler::{self, Configuration, Greedy};
///
/// let greedy = Greedy { samples: 3, ..Greedy::default() };
/// assert_eq!(greedy.text(), "greedy,samples=3,every=64");
/// assert!(scheduler::parse("greedy,samples=-1").unwrap_err().to_string().contains("1 or more"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Greedy {
    /// So many times of each kind on each side make its profile, the first one not counted. ACCEL: 10.
    pub samples: u32,
    /// After so many tasks kinds are allocated again.
    pub every: u32,
}

impl Default for Greedy {
    fn default() -> Greedy {
        Greedy {
            samples: 10,
            every: 64,
        }
    }
}

impl Greedy {
    pub(in crate::scheduler) fn make(
        options: &mut Options<'_>,
    ) -> Result<Box<dyn Configuration>, BadOption> {
        let default = Greedy::default();
        Ok(Box::new(Greedy {
            samples: options.take("samples", "1 or more", default.samples)?,
            every: options.take("every", "1 or more", default.every)?,
        }))
    }
}

impl Configuration for Greedy {
    fn text(&self) -> String {
        format!("greedy,samples={},every={}", self.samples, self.every)
    }

    fn build(&self, machine: &Machine) -> Result<Box<dyn Scheduler>, BadOption> {
        let profiled = Profiled {
            kinds: Kinds::new(is_some("samples", self.samples)?),
            every: is_some("every", self.every)?,
            done: 0,
        };
        Ok(Box::new(Split::new(machine, profiled)))
    }
}

struct Profiled {
    kinds: Kinds,
    every: u32,
    done: u32,
}

impl Strategy for Profiled {
    fn side(&mut self, task: TaskId, view: &View<'_>) -> Side {
        self.kinds.side(view.task(task).kind)
    }

    fn forced(&mut self, task: TaskId, side: Side, view: &View<'_>) {
        self.kinds.forced(view.task(task).kind, side);
    }

    fn done(&mut self, done: &Done, sides: &Sides, view: &View<'_>) {
        let is_new = self.kinds.done(done);
        self.done += 1;
        if is_new || self.done >= self.every {
            self.kinds.allocate(sides, view);
            self.done = 0;
        }
    }
}
