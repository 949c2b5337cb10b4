//! The tasks of a batch as numbers, with edges for what they wait for and for data.

use super::edges::{Edge, Edges};
use crate::{ClassId, HandleId, Ns, TaskId, View};
use std::collections::VecDeque;

/// A batch of tasks, numbered as they were submitted; numbers behind theirs are gates.
pub(super) struct Batch<'v> {
    pub(super) tasks: &'v [TaskId],
    pub(super) view: &'v View<'v>,
    /// Sorted by `from`, and by `to`.
    out: Vec<Edge>,
    into: Vec<Edge>,
    /// How many bytes are read through each gate.
    pub(super) gates: Vec<u64>,
    /// What each task reads that no task of the batch writes before.
    pub(super) given: Vec<Vec<HandleId>>,
    /// The mean of what is known of each task's execution times, by class.
    typical_ns: Vec<Option<f64>>,
    /// The mean of those.
    overall_ns: f64,
}

impl<'v> Batch<'v> {
    /// Groups of more than `most` tasks have gates.
    pub(super) fn new(tasks: &'v [TaskId], view: &'v View<'v>, most: usize) -> Batch<'v> {
        let edges = Edges::new(tasks, view, most);
        let mut out = edges.all;
        out.sort_unstable();
        let mut into = out.clone();
        into.sort_unstable_by_key(|edge| (edge.to, edge.from, edge.bytes));
        let mut batch = Batch {
            tasks,
            view,
            out,
            into,
            gates: edges.gates,
            given: edges.given,
            typical_ns: Vec::new(),
            overall_ns: 1.0,
        };
        batch.typical_ns = tasks.iter().map(|task| batch.known_ns(*task)).collect();
        let known = || batch.typical_ns.iter().flatten();
        if known().next().is_some() {
            batch.overall_ns = known().sum::<f64>() / known().count() as f64;
        }
        batch
    }

    /// How many tasks and gates there are.
    pub(super) fn nodes(&self) -> usize {
        self.tasks.len() + self.gates.len()
    }

    /// Which gate a node is, if it is one.
    pub(super) fn gate(&self, node: u32) -> Option<usize> {
        (node as usize).checked_sub(self.tasks.len())
    }

    #[cfg(test)]
    pub(super) fn edges(&self) -> usize {
        self.out.len()
    }

    fn known_ns(&self, task: TaskId) -> Option<f64> {
        let (mut sum_ns, mut count) = (0.0, 0.0);
        for class in self.view.able(task) {
            let arch = self.view.machine().class(class).arch;
            if let Some(exec_ns) = self.view.exec_ns(task, arch) {
                (sum_ns, count) = (sum_ns + exec_ns as f64, count + 1.0);
            }
        }
        (count > 0.0).then_some(sum_ns / count)
    }

    /// How long a task takes on a class: what the model says, else its mean elsewhere, else the mean of all tasks.
    pub(super) fn exec_ns(&self, task: usize, class: ClassId) -> Ns {
        let arch = self.view.machine().class(class).arch;
        let known = self.view.exec_ns(self.tasks[task], arch);
        known.unwrap_or_else(|| self.typical_ns[task].unwrap_or(self.overall_ns).round() as Ns)
    }

    /// Tasks and gates in an order in which each is behind those that it waits for.
    pub(super) fn topological(&self) -> Vec<u32> {
        let mut waits = vec![0_u32; self.nodes()];
        self.out
            .iter()
            .for_each(|edge| waits[edge.to as usize] += 1);
        let all = 0..self.nodes() as u32;
        let mut open: VecDeque<u32> = all.filter(|k| waits[*k as usize] == 0).collect();
        let mut order = Vec::with_capacity(self.nodes());
        while let Some(task) = open.pop_front() {
            order.push(task);
            for edge in self.out_of(task) {
                waits[edge.to as usize] -= 1;
                if waits[edge.to as usize] == 0 {
                    open.push_back(edge.to);
                }
            }
        }
        order
    }

    /// The edges from a node, by target.
    pub(super) fn out_of(&self, task: u32) -> &[Edge] {
        let first = self.out.partition_point(|edge| edge.from < task);
        let end = self.out.partition_point(|edge| edge.from <= task);
        &self.out[first..end]
    }

    /// The edges to a node, by source.
    pub(super) fn into(&self, task: u32) -> &[Edge] {
        let first = self.into.partition_point(|edge| edge.to < task);
        let end = self.into.partition_point(|edge| edge.to <= task);
        &self.into[first..end]
    }
}
