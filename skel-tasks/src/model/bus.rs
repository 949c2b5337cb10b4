//! Links of a machine, from measured copies.

use super::{is_time, line::Line};
use crate::{Link, MemoryNode, Ns};
use std::collections::BTreeMap;

/// Measured copies between memory nodes, each direction by itself, and the [`Link`]s that they make: latency and
/// bandwidth by least squares of relative errors.
///
/// ```
/// use skel_tasks::{MemoryNode, model::Bus};
///
/// let (mut bus, gpu) = (Bus::default(), MemoryNode(1));
/// for bytes in [1_000, 10_000, 1_000_000] {
///     assert!(bus.add(MemoryNode::HOST, gpu, bytes, 500.0 + bytes as f64 / 8.0));
/// }
/// let link = bus.link(MemoryNode::HOST, gpu).unwrap();
/// assert_eq!(link.latency_ns, 500);
/// assert!((link.bytes_per_ns - 8.0).abs() < 1e-6);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bus {
    pub(super) lines: BTreeMap<(u8, u8), Line>,
}

impl Bus {
    /// Adds a copy; false, and nothing changes, if it has no bytes, stays where it is, or its time is not finite
    /// and above 0.
    pub fn add(&mut self, from: MemoryNode, to: MemoryNode, bytes: u64, ns: f64) -> bool {
        let is_good = from != to && bytes > 0 && is_time(ns) && is_time(1.0 / (ns * ns));
        if is_good {
            let line = self.lines.entry((from.0, to.0)).or_default();
            line.add(bytes as f64, ns, 1.0 / (ns * ns));
        }
        is_good
    }

    /// The link, if copies of two sizes or more were measured and larger ones took longer.
    #[must_use]
    pub fn link(&self, from: MemoryNode, to: MemoryNode) -> Option<Link> {
        let line = self.lines.get(&(from.0, to.0))?;
        let fitted = line.fit()?;
        // A negative latency is noise: none is the nearest there is, with the slope that belongs to it.
        let (latency_ns, ns_per_byte) = match fitted.offset < 0.0 {
            true => (0.0, line.through_origin()),
            false => (fitted.offset, fitted.slope),
        };
        let bytes_per_ns = 1.0 / ns_per_byte;
        is_time(bytes_per_ns).then_some(Link {
            latency_ns: latency_ns.round() as Ns,
            bytes_per_ns,
        })
    }

    /// The directions that were measured.
    pub fn measured(&self) -> impl Iterator<Item = (MemoryNode, MemoryNode)> {
        let pairs = self.lines.keys();
        pairs.map(|&(from, to)| (MemoryNode(from), MemoryNode(to)))
    }
}
