//! Which elements of a container are valid on which memory node: a pure state machine.
//!
//! # Rules
//! 1. Under `&self` of the container, **host validity only grows**: [`Coherence::download`] adds to
//!    it, and only `&mut self` operations take away. So host elements that are valid are not written
//!    while shared, and those that are not valid are not read.
//! 2. **Valid on a device means valid in the order of its queue**: an upload or kernel that has been
//!    queued counts. What is queued later sees it, so pending results need no tickets.
//!    A device may drop what is also on the host, or valid nowhere, while nothing that is queued needs it
//!    ([`Coherence::keep`]).
//! 3. **Devices touch host memory only while a caller waits**: uploads and downloads end before the
//!    call that needs them returns. So a container may be dropped or changed at any other time.

use crate::{hash::Fnv64, space::IntervalSet, unit::NodeId};
use std::ops::Range;

/// The validity of the elements `0..len` on the host and on any number of devices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Coherence {
    len: usize,
    host: IntervalSet,
    devices: Vec<(NodeId, IntervalSet)>,
}

impl Coherence {
    /// All elements valid on the host, and only there.
    #[must_use]
    pub(crate) fn on_host(len: usize) -> Self {
        Coherence {
            len,
            host: IntervalSet::of(0..len),
            devices: Vec::new(),
        }
    }

    /// No element valid anywhere.
    #[must_use]
    pub(crate) fn nowhere(len: usize) -> Self {
        Coherence {
            len,
            host: IntervalSet::new(),
            devices: Vec::new(),
        }
    }

    /// The elements that are valid on `node`.
    #[must_use]
    pub(crate) fn valid(&self, node: NodeId) -> IntervalSet {
        if node == NodeId::HOST {
            return self.host.clone();
        }
        let found = self.devices.iter().find(|(n, _)| *n == node);
        found.map_or_else(IntervalSet::new, |(_, set)| set.clone())
    }

    /// The parts of `r` that are not valid on `node`.
    #[must_use]
    pub(crate) fn missing(&self, node: NodeId, r: Range<usize>) -> Vec<Range<usize>> {
        if node == NodeId::HOST {
            return self.host.missing(r);
        }
        match self.devices.iter().find(|(n, _)| *n == node) {
            Some((_, set)) => set.missing(r),
            None if r.is_empty() => Vec::new(),
            None => vec![r],
        }
    }

    /// A number that stands for what is valid where.
    #[must_use]
    pub(crate) fn digest(&self) -> u64 {
        let mix = |hash: Fnv64, part: usize| hash.with(part as u64);
        let set = |hash, set: &IntervalSet| {
            let ends = set.ranges().iter().flat_map(|r| [r.start, r.end]);
            ends.fold(mix(hash, usize::MAX), mix)
        };
        let devices = self.devices.iter();
        let host = set(Fnv64::EMPTY, &self.host);
        let all = devices.fold(host, |hash, (node, valid)| {
            set(mix(hash, node.index()), valid)
        });
        all.value()
    }

    /// Whether everything is valid on the host.
    #[must_use]
    pub(crate) fn host_is_complete(&self) -> bool {
        self.host.contains(&(0..self.len))
    }

    /// What to download so that `r` becomes valid on the host: disjoint parts and where they are.
    /// Parts that are valid nowhere come without a node. In order, so that of several late errors
    /// the one with the smallest index comes first.
    #[must_use]
    pub(crate) fn sources(&self, r: Range<usize>) -> Vec<(Option<NodeId>, Range<usize>)> {
        let mut sources = Vec::new();
        for gap in self.host.missing(r) {
            let mut left = IntervalSet::of(gap.clone());
            for (node, set) in &self.devices {
                for part in left.clone().ranges() {
                    for found in set.present(part.clone()) {
                        left.remove(found.clone());
                        sources.push((Some(*node), found));
                    }
                }
            }
            sources.extend(left.ranges().iter().map(|lost| (None, lost.clone())));
        }
        sources.sort_by_key(|(_, part)| part.start);
        sources
    }

    /// `r` has been downloaded: it is valid on the host, too.
    pub(crate) fn download(&mut self, r: Range<usize>) {
        self.host.insert(r);
    }

    /// `r` has been uploaded to `node`: it is valid there, too.
    pub(crate) fn upload(&mut self, node: NodeId, r: Range<usize>) {
        self.device(node).insert(r);
    }

    /// What of `r` is valid on the host is not valid on the device `node` any more.
    pub(crate) fn retract(&mut self, node: NodeId, r: Range<usize>) {
        for part in self.host.present(r) {
            self.device(node).remove(part);
        }
    }

    /// The device `node` has dropped all elements but `kept`. It may, at any time, where the host has them,
    /// or where they are valid nowhere; so host validity stays as it is, and nothing is lost.
    pub(crate) fn keep(&mut self, node: NodeId, kept: &IntervalSet) {
        let len = self.len;
        let dropped = kept.missing(0..len);
        let device = self.device(node);
        dropped.into_iter().for_each(|r| device.remove(r));
    }

    /// The device `node` has dropped everything and is not used any more. Host validity stays as it is, as in
    /// [`Coherence::keep`].
    pub(super) fn forget(&mut self, node: NodeId) {
        self.devices.retain(|(known, _)| *known != node);
    }

    /// `node` has written `r`: it is valid there and nowhere else.
    pub(crate) fn write(&mut self, node: NodeId, r: Range<usize>) {
        self.invalidate(r.clone());
        if node == NodeId::HOST {
            self.host.insert(r);
        } else {
            self.device(node).insert(r);
        }
    }

    /// `r` is valid nowhere.
    pub(crate) fn invalidate(&mut self, r: Range<usize>) {
        self.host.remove(r.clone());
        for (_, set) in &mut self.devices {
            set.remove(r.clone());
        }
    }

    fn device(&mut self, node: NodeId) -> &mut IntervalSet {
        let k = match self.devices.iter().position(|(n, _)| *n == node) {
            Some(k) => k,
            None => {
                self.devices.push((node, IntervalSet::new()));
                self.devices.len() - 1
            }
        };
        &mut self.devices[k].1
    }
}

#[cfg(test)]
mod test;
