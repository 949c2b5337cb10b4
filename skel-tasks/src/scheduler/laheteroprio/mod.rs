//! LAHeteroprio: Heteroprio whose buckets are split by memory nodes.
//!
//! B. Bramas, *Impact study of data locality on task-based applications through the Heteroprio scheduler*,
//! PeerJ Computer Science 5:e190, 2019.

mod affinity;
mod distance;
mod order;
mod per_arch;
mod queues;
mod robust;

pub use affinity::Affinity;
pub use distance::Ties;
pub use per_arch::{Block, PerArch};

use super::{
    Configuration, Scheduler,
    heteroprio::{Buckets, Rows, show},
};
use crate::{BadOption, Machine, MemoryNode, options::Options};
use affinity::{Locality, THETA_PARTS};
use distance::Transfers;
use queues::{Queues, Walk};
use std::iter::once;

/// The largest `theta`.
const MAX_THETA: f64 = 1e9;

/// Heteroprio with data locality: each bucket has a list per memory node. A task is pushed to the list of the
/// memory node that it has the most [`Affinity`] with; a worker looks first into the lists of its own memory node,
/// then into those of close ones.
///
/// A worker looks at `l` buckets at its own memory node, then at the same ones at the `s` closest memory nodes,
/// then at the next `l` buckets; the lists of all other memory nodes come last. The distance of two memory nodes is
/// `alpha` times that of the priorities of their workers, which is 1 for equal ones, and `1 − alpha` times the
/// transfer time, of which the longest counts as 1. Bramas 2019; what the paper leaves open is decided as
/// [`Affinity`] and [`Ties`] say. What [`Heteroprio`](super::Heteroprio) says about buckets and the slow factor
/// holds here, too, where all lists of a bucket count together.
///
/// ```
/// use skel_tasks::{Access, Engine, Link, Machine, MemoryNode, Mode, NewTask, Unknown, WorkerId};
/// use skel_tasks::scheduler::{Affinity, Block, LaHeteroprio, PerArch};
/// use skel_tasks::Configuration;
///
/// let bus = Link { latency_ns: 1_000, bytes_per_ns: 10.0 };
/// let machine = Machine::builder().arch("cpu", 1).device("gpu", 1, None, bus).build()?;
/// let scheduler = LaHeteroprio {
///     affinity: Affinity::Sdh2,
///     s: PerArch::all(1),
///     l: PerArch::all(Block::Buckets(2)),
///     ..LaHeteroprio::default()
/// };
/// assert_eq!(scheduler.text(), "laheteroprio,affinity=sdh2,s=1,l=2");
///
/// let built = scheduler.build(&machine)?;
/// let mut engine = Engine::new(machine, built, Box::new(Unknown));
/// let kind = engine.kind("step");
/// let at = [MemoryNode::HOST, MemoryNode(1)].map(|node| engine.register(8, Some(node)));
/// let mut step = |handle| {
///     let update = Access { handle, mode: Mode::Update };
///     engine.submit(NewTask::new(kind, &[update]), 0)
/// };
/// let (on_host, on_gpu) = (step(at[0])?, step(at[1])?);
/// // Each takes what is near, though both could run both.
/// assert_eq!(engine.next(WorkerId(1), 0)?, Some(on_gpu));
/// assert_eq!(engine.next(WorkerId(0), 0)?, Some(on_host));
/// # Ok::<(), skel_tasks::TaskError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LaHeteroprio {
    /// What is not to be derived from times: the options `kinds`, `order`, `best` and `slow`.
    pub buckets: Buckets,
    /// How a task's memory node is found.
    pub affinity: Affinity,
    /// S: how many of the closest memory nodes a worker looks at with each block of buckets; fewer than there are
    /// memory nodes. By default all others for architectures of the host's memory, one for devices.
    pub s: PerArch<usize>,
    /// l: how many buckets a block has. By default one for architectures of the host's memory, all for devices.
    pub l: PerArch<Block>,
    /// α: how much of the distance of memory nodes is that of priorities, from 0 to 1. By default 0.5.
    pub alpha: f64,
    /// θ: the weight of what is written for [`Affinity::Sdhb`], a multiple of 0.001 from 0 to 10⁹.
    /// By default 1,000.
    pub theta: f64,
    /// Whether data that every memory node has is left out of affinities: the option `ignore_common`.
    pub ignores_common: bool,
    /// Which of equally distant memory nodes is closer.
    pub ties: Ties,
}

impl Default for LaHeteroprio {
    fn default() -> LaHeteroprio {
        LaHeteroprio {
            buckets: Buckets::default(),
            affinity: Affinity::Auto,
            s: PerArch::default(),
            l: PerArch::default(),
            alpha: 0.5,
            theta: 1_000.0,
            ignores_common: false,
            ties: Ties::Lowest,
        }
    }
}

impl LaHeteroprio {
    pub(super) fn take(options: &mut Options<'_>) -> Result<LaHeteroprio, BadOption> {
        let default = LaHeteroprio::default();
        let s = "a number of memory nodes: NUMBER, or ARCH:NUMBER, separated by /";
        let l = "a number of buckets from 1, or all: NUMBER, or ARCH:NUMBER, separated by /";
        Ok(LaHeteroprio {
            affinity: options.take("affinity", &Affinity::choices(), default.affinity)?,
            s: options.take("s", s, default.s)?,
            l: options.take("l", l, default.l)?,
            alpha: options.take("alpha", ALPHA, default.alpha)?,
            theta: options.take("theta", THETA, default.theta)?,
            ignores_common: options.take("ignore_common", "true or false", false)?,
            ties: options.take("ties", "one of lowest, highest", default.ties)?,
            buckets: Buckets::take(options)?,
        })
    }

    fn build_queues(&self, machine: &Machine) -> Result<Queues, BadOption> {
        let nodes = machine.nodes().len();
        let check_s = |s: usize| match s < nodes {
            true => Ok(()),
            false => {
                let expected = format!("0 to {}: the machine has {nodes} memory nodes", nodes - 1);
                Err(BadOption::new("s", s, expected))
            }
        };
        let check_l = |l: Block| match l.len() {
            0 => Err(BadOption::new("l", l, "a number of buckets from 1, or all")),
            _ => Ok(()),
        };
        if !(0.0..=1.0).contains(&self.alpha) {
            return Err(BadOption::new("alpha", self.alpha, ALPHA));
        }
        let classes = machine.classes().iter();
        let on_host = classes.filter(|class| class.node == MemoryNode::HOST);
        let on_host: Vec<_> = on_host.map(|class| usize::from(class.arch.0)).collect();
        let s = self.s.of("s", machine, check_s)?.into_iter().enumerate();
        let s = s.map(|(arch, s)| match on_host.contains(&arch) {
            true => s.unwrap_or(nodes - 1),
            false => s.unwrap_or(1),
        });
        let l = self.l.of("l", machine, check_l)?.into_iter().enumerate();
        let l = l.map(|(arch, l)| match on_host.contains(&arch) {
            true => l.unwrap_or(Block::Buckets(1)).len(),
            false => l.unwrap_or(Block::All).len(),
        });
        let walk = Walk {
            transfers: Transfers::new(machine),
            alpha: self.alpha,
            ties: self.ties,
            s: s.collect(),
            l: l.collect(),
        };
        let rows = Rows::new(self.buckets.declare(machine)?, machine);
        let data = Locality::new(nodes, theta_parts(self.theta)?, self.ignores_common);
        Ok(Queues::new(rows, machine, walk, self.affinity, data))
    }
}

const ALPHA: &str = "a number from 0 to 1";
const THETA: &str = "a multiple of 0.001 from 0 to 1000000000";

/// θ in thousandths, exactly.
fn theta_parts(theta: f64) -> Result<u128, BadOption> {
    let parts = (theta * THETA_PARTS as f64).round();
    let is_exact = parts / THETA_PARTS as f64 == theta;
    match (0.0..=MAX_THETA).contains(&theta) && is_exact {
        true => Ok(parts as u128),
        false => Err(BadOption::new("theta", theta, THETA)),
    }
}

impl Configuration for LaHeteroprio {
    fn text(&self) -> String {
        let (mut text, default) = (String::from("laheteroprio"), LaHeteroprio::default());
        let mut option = |name: &str, is_default: bool, value: &dyn std::fmt::Display| {
            if !is_default {
                show(&mut text, name, '/', once(value));
            }
        };
        option(
            "affinity",
            self.affinity == default.affinity,
            &self.affinity,
        );
        option("s", self.s.is_default(), &self.s);
        option("l", self.l.is_default(), &self.l);
        option("alpha", self.alpha == default.alpha, &self.alpha);
        option("theta", self.theta == default.theta, &self.theta);
        option("ignore_common", !self.ignores_common, &self.ignores_common);
        option("ties", self.ties == default.ties, &self.ties);
        self.buckets.show(&mut text);
        text
    }

    fn build(&self, machine: &Machine) -> Result<Box<dyn Scheduler>, BadOption> {
        Ok(Box::new(self.build_queues(machine)?))
    }
}

#[cfg(test)]
mod test;
