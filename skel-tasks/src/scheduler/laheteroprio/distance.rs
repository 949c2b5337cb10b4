//! How far memory nodes are from each other: by their links, and by the priorities of their workers.
//!
//! Bramas 2019, "Distance between memory nodes". Two memory nodes are close if they are well linked, and if
//! their workers look at buckets in unlike orders, so that they seldom want the same tasks.

use crate::{Machine, MemoryNode, Ns};
use std::{fmt, str::FromStr};

/// Whose transfer time is the distance of links.
const PROBE_BYTES: u64 = 1 << 30;

/// Which of two memory nodes of the same distance comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// `lowest`: that of the lower number.
    #[default]
    Lowest,
    /// `highest`: that of the higher number, as in the access order for CPUs that the paper prints (table 3B).
    Highest,
}

impl fmt::Display for Ties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ties::Lowest => "lowest",
            Ties::Highest => "highest",
        })
    }
}

impl FromStr for Ties {
    type Err = ();

    fn from_str(text: &str) -> Result<Ties, ()> {
        match text {
            "lowest" => Ok(Ties::Lowest),
            "highest" => Ok(Ties::Highest),
            _ => Err(()),
        }
    }
}

/// The sum of the differences of two lists of priorities, and the sum that it is a fraction of. A list has the
/// priority of each bucket, 0 for the first; a bucket without one counts as 0.
pub(super) fn difference(a: &[Option<u64>], b: &[Option<u64>]) -> (u64, u64) {
    let priority = |of: &[Option<u64>], bucket: usize| of.get(bucket).copied().flatten();
    let buckets = 0..a.len().max(b.len());
    let differences = buckets.map(|bucket| {
        let of = |list| priority(list, bucket).unwrap_or(0);
        of(a).abs_diff(of(b))
    });
    let last = a.iter().chain(b).flatten().max();
    let n = last.map_or(0, |last| last + 1);
    (differences.sum(), (n + 1) * (n + 2) / 2)
}

/// The transfer times from each memory node (second index) to each (first), as fractions of the longest.
pub(super) struct Transfers {
    nodes: usize,
    fractions: Vec<f64>,
}

impl Transfers {
    pub(super) fn new(machine: &Machine) -> Transfers {
        let nodes = machine.nodes().len();
        let pairs = (0..nodes * nodes).map(|k| (k / nodes, k % nodes));
        let time_ns = |(to, from): (usize, usize)| {
            let node = |k: usize| MemoryNode(k as u8);
            machine.transfer_ns(node(from), node(to), PROBE_BYTES)
        };
        let times: Vec<Ns> = pairs.map(time_ns).collect();
        let longest = times.iter().copied().max().unwrap_or(0).max(1) as f64;
        let fractions = times.iter().map(|time| *time as f64 / longest).collect();
        Transfers { nodes, fractions }
    }

    /// How far `other` is from `node`.
    pub(super) fn distance(
        &self,
        node: MemoryNode,
        other: MemoryNode,
        (difference, whole): (u64, u64),
        alpha: f64,
    ) -> f64 {
        let transfer = self.fractions[usize::from(node.0) * self.nodes + usize::from(other.0)];
        let priority = 1.0 - difference as f64 / whole as f64;
        alpha * priority + (1.0 - alpha) * transfer
    }
}

/// All memory nodes but `node`, the closest first, where `distances[m]` is how far m is.
pub(super) fn closest(node: MemoryNode, distances: &[f64], ties: Ties) -> Vec<MemoryNode> {
    let all = (0..distances.len() as u8).map(MemoryNode);
    let mut others: Vec<MemoryNode> = all.filter(|other| *other != node).collect();
    others.sort_by(|a, b| {
        let distance = |node: &MemoryNode| distances[usize::from(node.0)];
        let tie = match ties {
            Ties::Lowest => a.0.cmp(&b.0),
            Ties::Highest => b.0.cmp(&a.0),
        };
        distance(a).total_cmp(&distance(b)).then(tie)
    });
    others
}
