//! Copies that tasks which were placed still wait for: those into one memory follow each other.

use crate::{Machine, MemoryNode, Ns, TaskId};

/// How long the copies into each memory take that are expected for tasks which no worker has taken yet. A task that is
/// placed there now waits for all of them. What a worker has taken counts no more, so that wrong expectations end with
/// the tasks that they were about.
pub(super) struct Arriving {
    /// By memory node.
    pending_ns: Vec<Ns>,
    /// Of each task that is placed, by slot.
    copies_ns: Vec<Ns>,
}

impl Arriving {
    pub(super) fn new(machine: &Machine) -> Arriving {
        Arriving {
            pending_ns: vec![0; machine.nodes().len()],
            copies_ns: Vec::new(),
        }
    }

    /// How long copies take that precede one into this memory.
    pub(super) fn pending_ns(&self, node: MemoryNode) -> Ns {
        self.pending_ns[usize::from(node.0)]
    }

    /// A task was placed, for which copies into this memory take so long.
    pub(super) fn place(&mut self, task: TaskId, node: MemoryNode, copies_ns: Ns) {
        if self.copies_ns.len() <= task.slot() {
            self.copies_ns.resize(task.slot() + 1, 0);
        }
        self.copies_ns[task.slot()] = copies_ns;
        let pending_ns = &mut self.pending_ns[usize::from(node.0)];
        *pending_ns = pending_ns.saturating_add(copies_ns);
    }

    /// A worker of this memory takes a task that was placed.
    pub(super) fn take(&mut self, task: TaskId, node: MemoryNode) {
        let copies_ns = std::mem::take(&mut self.copies_ns[task.slot()]);
        let pending_ns = &mut self.pending_ns[usize::from(node.0)];
        *pending_ns = pending_ns.saturating_sub(copies_ns);
    }

    /// Tasks that were placed and not taken are placed anew.
    pub(super) fn drain(&mut self) {
        self.pending_ns.fill(0);
        self.copies_ns.fill(0);
    }
}
