//! The tasks of a batch as numbers, with edges for what they wait for and for data.

use crate::{ClassId, HandleId, Mode, Ns, TaskId, View};
use std::collections::{HashMap, VecDeque};

/// `to` waits for `from`, and reads so many bytes that `from` writes, in one handle. Tasks may have several.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) bytes: u64,
}

/// A batch of tasks, numbered as they were submitted.
pub(super) struct Batch<'v> {
    pub(super) tasks: &'v [TaskId],
    pub(super) view: &'v View<'v>,
    /// Sorted by `from`, and by `to`.
    pub(super) out: Vec<Edge>,
    pub(super) into: Vec<Edge>,
    /// What each task reads that no task of the batch writes before.
    pub(super) given: Vec<Vec<HandleId>>,
    /// The mean of what is known of each task's execution times, by class.
    typical_ns: Vec<Option<f64>>,
    /// The mean of those.
    overall_ns: f64,
}

/// The tasks of a batch that have written a handle last.
#[derive(Default)]
struct Writers {
    mode: Option<Mode>,
    last: Vec<u32>,
    before: Vec<u32>,
}

impl Writers {
    /// The next task that accesses it; calls `each` with those whose data it reads.
    fn access(&mut self, task: u32, mode: Mode, mut each: impl FnMut(u32)) {
        // Those that change it in any order are alike to what comes before and after them.
        let joins = self.mode == Some(mode) && matches!(mode, Mode::Commute | Mode::Reduce);
        if mode.writes() && !joins {
            self.before = std::mem::take(&mut self.last);
        }
        if mode.reads() {
            let sources = if mode.writes() {
                &self.before
            } else {
                &self.last
            };
            sources.iter().for_each(|from| each(*from));
        }
        if mode.writes() {
            self.last.push(task);
        }
        self.mode = Some(mode);
    }
}

impl<'v> Batch<'v> {
    pub(super) fn new(tasks: &'v [TaskId], view: &'v View<'v>) -> Batch<'v> {
        let numbers = tasks.iter().enumerate().map(|(k, task)| (*task, k as u32));
        let numbers: HashMap<TaskId, u32> = numbers.collect();
        let mut writers: HashMap<HandleId, Writers> = HashMap::new();
        let (mut out, mut given) = (Vec::new(), vec![Vec::new(); tasks.len()]);
        for (k, task) in tasks.iter().enumerate() {
            let from = k as u32;
            view.successors(*task, |next| {
                let to = numbers.get(&next).copied();
                out.extend(to.map(|to| Edge { from, to, bytes: 0 }));
            });
            for access in view.accesses(*task) {
                let bytes = view.bytes(access.handle);
                let writers = writers.entry(access.handle).or_default();
                let is_new = writers.last.is_empty();
                if is_new && access.mode.reads() {
                    given[k].push(access.handle);
                }
                writers.access(from, access.mode, |before| {
                    let (from, to) = (before, k as u32);
                    out.push(Edge { from, to, bytes });
                });
            }
        }
        out.sort_unstable();
        let mut into = out.clone();
        into.sort_unstable_by_key(|edge| (edge.to, edge.from, edge.bytes));
        let mut batch = Batch {
            tasks,
            view,
            out,
            into,
            given,
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

    /// The tasks in an order in which each is behind those that it waits for.
    pub(super) fn topological(&self) -> Vec<u32> {
        let mut waits = vec![0_u32; self.tasks.len()];
        self.out
            .iter()
            .for_each(|edge| waits[edge.to as usize] += 1);
        let all = 0..self.tasks.len() as u32;
        let mut open: VecDeque<u32> = all.filter(|k| waits[*k as usize] == 0).collect();
        let mut order = Vec::with_capacity(self.tasks.len());
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

    /// The edges from a task, by target.
    pub(super) fn out_of(&self, task: u32) -> &[Edge] {
        let first = self.out.partition_point(|edge| edge.from < task);
        let end = self.out.partition_point(|edge| edge.from <= task);
        &self.out[first..end]
    }

    /// The edges to a task, by source.
    pub(super) fn into(&self, task: u32) -> &[Edge] {
        let first = self.into.partition_point(|edge| edge.to < task);
        let end = self.into.partition_point(|edge| edge.to <= task);
        &self.into[first..end]
    }
}
