//! Copies over links, and when data is where.

use super::report::{Cause, Copied, LinkUse};
use crate::{HandleId, Machine, MemoryNode, Ns, Transfer};

/// Links, each of which makes one copy at a time per direction in the order in which they were asked for, and the
/// times at which copies arrive. Since nothing overtakes, all times are known when a copy is asked for.
pub(super) struct Links {
    nodes: usize,
    /// Of each ordered pair of nodes: when its last copy is made.
    free_ns: Vec<Ns>,
    used: Vec<LinkUse>,
    /// When the last copy of a handle to a node is, or was, there.
    arrives_ns: Vec<Ns>,
    copies: Option<Vec<Copied>>,
}

impl Links {
    pub(super) fn new(machine: &Machine, handles: usize, is_recorded: bool) -> Links {
        let nodes = machine.nodes().len();
        let pairs = (0..nodes * nodes).map(|k| LinkUse {
            from: MemoryNode((k / nodes) as u8),
            to: MemoryNode((k % nodes) as u8),
            copies: 0,
            bytes: 0,
            busy_ns: 0,
        });
        Links {
            nodes,
            free_ns: vec![0; nodes * nodes],
            used: pairs.collect(),
            arrives_ns: vec![0; handles * nodes],
            copies: is_recorded.then(Vec::new),
        }
    }

    fn at(&self, handle: HandleId, node: MemoryNode) -> usize {
        handle.slot() * self.nodes + usize::from(node.0)
    }

    /// When the data is on the node.
    pub(super) fn arrives_ns(&self, handle: HandleId, node: MemoryNode) -> Ns {
        self.arrives_ns[self.at(handle, node)]
    }

    /// Makes a copy, not before this time, nor before the data is where it comes from, nor while an older copy is
    /// still under way to the same place; when it arrives.
    pub(super) fn copy(
        &mut self,
        machine: &Machine,
        transfer: &Transfer,
        not_before_ns: Ns,
        cause: Cause,
    ) -> Ns {
        let Transfer {
            handle, from, to, ..
        } = *transfer;
        let arrived_ns = self
            .arrives_ns(handle, from)
            .max(self.arrives_ns(handle, to));
        let ready_ns = not_before_ns.max(arrived_ns);
        let end_ns = if machine.link(from, to).is_some() {
            self.hop(machine, transfer, (from, to), ready_ns, cause)
        } else {
            let half_ns = self.hop(machine, transfer, (from, MemoryNode::HOST), ready_ns, cause);
            self.hop(machine, transfer, (MemoryNode::HOST, to), half_ns, cause)
        };
        let at = self.at(handle, to);
        self.arrives_ns[at] = end_ns;
        end_ns
    }

    fn hop(
        &mut self,
        machine: &Machine,
        transfer: &Transfer,
        (from, to): (MemoryNode, MemoryNode),
        ready_ns: Ns,
        cause: Cause,
    ) -> Ns {
        let pair = usize::from(from.0) * self.nodes + usize::from(to.0);
        let link = machine.link(from, to);
        let time_ns = link.map_or(0, |link| link.time_ns(transfer.bytes));
        let start_ns = ready_ns.max(self.free_ns[pair]);
        let end_ns = start_ns.saturating_add(time_ns);
        self.free_ns[pair] = end_ns;
        let used = &mut self.used[pair];
        used.copies += 1;
        used.bytes = used.bytes.saturating_add(transfer.bytes);
        used.busy_ns = used.busy_ns.saturating_add(end_ns - start_ns);
        if let Some(copies) = &mut self.copies {
            copies.push(Copied {
                handle: transfer.handle,
                from,
                to,
                bytes: transfer.bytes,
                start_ns,
                end_ns,
                cause,
                is_staged: to != transfer.to,
            });
        }
        end_ns
    }

    /// The links that were used, and all copies.
    pub(super) fn finish(self) -> (Vec<LinkUse>, Vec<Copied>) {
        let used = self.used.into_iter().filter(|link| link.copies > 0);
        (used.collect(), self.copies.unwrap_or_default())
    }
}
