//! Columns that are folded side by side, in chains of a few rows and a tree above.

use super::Pointers;
use crate::{Element, caught::or_unwind, element::zero, frame::is_right_half, host_memory};

/// Columns side by side: the nodes of their chains, and the chains that are open.
pub(in crate::skeleton) struct Columns<T: 'static> {
    op: &'static Pointers<T>,
    nodes: Vec<Vec<T>>,
    chains: u64,
    /// Memory that is not in use.
    spare: Vec<Vec<T>>,
}

impl<T: Element> Columns<T> {
    /// Columns without chains, whose values are combined so.
    pub(in crate::skeleton) fn new(op: &'static Pointers<T>) -> Self {
        Columns {
            op,
            nodes: Vec::new(),
            chains: 0,
            spare: Vec::new(),
        }
    }

    /// Room for a chain of each of so many columns, always as many. What is in it counts for nothing.
    pub(in crate::skeleton) fn room(&mut self, columns: usize) -> Vec<T> {
        let spare = self.spare.pop();
        spare.unwrap_or_else(|| or_unwind(host_memory::filled(columns, zero())))
    }

    /// Appends what one more chain of each column came to; or one more node, all of one level but for the last.
    pub(in crate::skeleton) fn push(&mut self, mut node: Vec<T>) {
        let (mut level, mut number) = (0, self.chains);
        while is_right_half(0, level, number)
            && let Some(left) = self.nodes.pop()
        {
            node = self.combined(left, node);
            (level, number) = (level + 1, number / 2);
        }
        self.nodes.push(node);
        self.chains += 1;
    }

    /// All chains combined: the trees, from the right.
    pub(in crate::skeleton) fn value(mut self) -> Vec<T> {
        let mut total = self.nodes.pop().unwrap_or_default();
        while let Some(left) = self.nodes.pop() {
            total = self.combined(left, total);
        }
        total
    }

    fn combined(&mut self, mut left: Vec<T>, right: Vec<T>) -> Vec<T> {
        self.op.zip(&mut left, &right);
        self.spare.push(right);
        left
    }
}
