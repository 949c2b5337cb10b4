//! Columns that are folded side by side, in chains of a few rows and a tree above.

use crate::{
    Element, caught::or_unwind, frame::is_right_half, host_memory, skeleton::fold::Operator,
};

/// Columns side by side: the nodes of their chains, and the chains that are open.
pub(in crate::skeleton) struct Columns<T> {
    nodes: Vec<Vec<T>>,
    chains: u64,
    pub(in crate::skeleton) open: Vec<T>,
    /// Memory that is not in use.
    spare: Vec<Vec<T>>,
}

impl<T> Default for Columns<T> {
    fn default() -> Self {
        Columns {
            nodes: Vec::new(),
            chains: 0,
            open: Vec::new(),
            spare: Vec::new(),
        }
    }
}

impl<T: Element> Columns<T> {
    /// Opens chains, one for each column.
    pub(in crate::skeleton) fn begin(&mut self, columns: usize) {
        self.open = match self.spare.pop() {
            Some(mut spare) => {
                spare.clear();
                spare
            }
            None => or_unwind(host_memory::vec(columns)),
        };
    }

    /// Closes the open chains, if there are any.
    #[inline(always)]
    pub(in crate::skeleton) fn close<R: Operator<T>>(&mut self) {
        let node = std::mem::take(&mut self.open);
        if !node.is_empty() {
            self.push::<R>(node);
        }
    }

    /// Appends what one more chain of each column came to; or one more node, all of one level but for the last.
    #[inline(always)]
    pub(in crate::skeleton) fn push<R: Operator<T>>(&mut self, mut node: Vec<T>) {
        let (mut level, mut number) = (0, self.chains);
        while is_right_half(0, level, number)
            && let Some(left) = self.nodes.pop()
        {
            combine_left::<T, R>(&left, &mut node);
            self.spare.push(left);
            (level, number) = (level + 1, number / 2);
        }
        self.nodes.push(node);
        self.chains += 1;
    }

    /// All chains combined: the trees, from the right.
    #[inline(always)]
    pub(in crate::skeleton) fn value<R: Operator<T>>(mut self) -> Vec<T> {
        let mut total = self.nodes.pop().unwrap_or_default();
        while let Some(left) = self.nodes.pop() {
            combine_left::<T, R>(&left, &mut total);
        }
        total
    }
}

#[inline(always)]
fn combine_left<T: Element, R: Operator<T>>(left: &[T], right: &mut [T]) {
    for (left, right) in left.iter().zip(right) {
        *right = R::apply(*left, *right);
    }
}
