//! The strategies of ACCEL, which divide tasks between the host and its devices.
//!
//! *Runtime Coordinated Heterogeneous Tasks in Charm++* (Robson, Buch, Kale) names them in its section III; *Runtime
//! support for object-based message-driven parallel applications on heterogeneous clusters* (Kunzmann) and the
//! runtime's sources say how they work. There, objects call entry methods; here, tasks of a kind become ready. Each
//! task that both sides can run is decided when it is ready, and waits in a queue from which the workers of its
//! side take the first that they can run:
//!
//! | name | share of tasks for devices |
//! |---|---|
//! | `host`, `device` | none, all |
//! | `percent` | a fixed one |
//! | `step` | a sweep from all to none, then the best of it |
//! | `hill` | a search for the valley of the time per task |
//! | `adjust` | moves until both sides are equally busy |
//! | `greedy` | per kind, by what the device gains, until both sides are equally loaded |
//! | `crawler` | `greedy`, then one step up or down for one kind at a time |
//! | `ratio` | a fixed one, in contiguous parts: the split of a hybrid call |
//!
//! A device is a worker on a memory of its own; all workers on the host's memory are the host. Tasks that only
//! one side can run, or has workers left for, go there whatever the share. What measures, measures over a
//! [`Period`].

mod adjust;
mod crawler;
mod dealer;
mod fixed;
mod greedy;
mod hill;
mod kinds;
mod meter;
mod percent;
mod period;
mod ratio;
mod side;
mod split;
mod step;
mod valley;

pub use adjust::AdjustBusy;
pub use crawler::Crawler;
pub use fixed::{DeviceOnly, HostOnly};
pub use greedy::Greedy;
pub use hill::Hill;
pub use percent::Percent;
pub use period::Period;
pub use ratio::Ratio;
pub use step::Step;

#[cfg(test)]
mod test;

use crate::BadOption;

/// A share has to be one.
fn is_share(option: &str, value: f64) -> Result<f64, BadOption> {
    match (0.0..=1.0).contains(&value) {
        true => Ok(value),
        false => Err(BadOption::new(option, value, "a share from 0 to 1")),
    }
}

/// A step from one share to another.
fn is_step(option: &str, value: f64) -> Result<f64, BadOption> {
    match value > 0.0 && value <= 1.0 {
        true => Ok(value),
        false => Err(BadOption::new(option, value, "a step above 0, at most 1")),
    }
}

/// A number of samples.
fn is_some(option: &str, value: u32) -> Result<u32, BadOption> {
    match value {
        0 => Err(BadOption::new(option, value, "1 or more")),
        _ => Ok(value),
    }
}
