//! HEFT: heterogeneous earliest finish time with insertion (Topcuoglu, Hariri and Wu, "Performance-effective and
//! low-complexity task scheduling for heterogeneous computing", 2002).
//!
//! All tasks of a batch are ranked by the longest way to an end of the graph, with mean times, and planned in this
//! order, each on the worker where it ends first; also before tasks that are planned already, where a worker would
//! be idle long enough.

mod edges;
mod graph;
mod insert;
mod plan;
mod rank;
mod run;

pub use plan::{Planned, Schedule, schedule};

use super::{Configuration, Scheduler};
use crate::{BadOption, Machine};

/// Tasks of a batch go to the workers that [`schedule`] plans for them, and each worker takes those that are ready
/// in the order of the plan. A worker does not stay idle for a planned task that is not ready yet: one that waits
/// for its turn with a handle, or was cancelled, would block it. Tasks outside batches, and those of lost workers,
/// go where they are expected to end first, behind what is ready there. Both are HEFT's choices (Topcuoglu, Hariri
/// and Wu 2002); StarPU's `heft` is the second one alone.
///
/// ```
/// use skel_tasks::{Configuration, Machine, scheduler::Heft};
///
/// assert_eq!(Heft.text(), "heft");
/// assert!(Heft.build(&Machine::cores(2)?).is_ok());
/// # Ok::<(), skel_tasks::TaskError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Heft;

impl Configuration for Heft {
    fn text(&self) -> String {
        "heft".into()
    }

    fn build(&self, machine: &Machine) -> Result<Box<dyn Scheduler>, BadOption> {
        Ok(Box::new(run::Run::new(machine)))
    }
}

#[cfg(test)]
mod test;
