//! What tasks of a batch wait for, and what they read, as edges.
//!
//! n tasks of a group before m of another would be n·m edges. Where the group is large, a *gate* stands between them: a
//! node without duration, which comes after all of the group. What is read through a gate comes from where the last of
//! the group ends, memory node by memory node; a task that reads several handles of one such group is planned as if
//! they came at the same time.

use crate::{HandleId, Mode, TaskId, View};
use std::collections::{BTreeMap, HashMap};

/// `to` waits for `from`, and reads so many bytes that `from` writes, in one handle. Nodes may have several. To a gate, it
/// is what those behind it read; from a gate, it is nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) bytes: u64,
}

/// The edges of a batch.
pub(super) struct Edges {
    /// In no order. Numbers are those of tasks, and of gates behind them.
    pub(super) all: Vec<Edge>,
    /// How many bytes are read through each gate.
    pub(super) gates: Vec<u64>,
    /// What each task reads that no task of the batch writes before.
    pub(super) given: Vec<Vec<HandleId>>,
    /// Groups of more tasks than that have gates.
    most: usize,
}

/// Tasks of which others wait for all, and their gate, once they have one.
#[derive(Default)]
struct Group {
    tasks: Vec<u32>,
    gate: Option<u32>,
}

/// The tasks of a batch that have written a handle last, and those before them.
#[derive(Default)]
struct Writers {
    mode: Option<Mode>,
    last: Group,
    before: Group,
}

impl Edges {
    pub(super) fn new(tasks: &[TaskId], view: &View<'_>, most: usize) -> Edges {
        let mut edges = Edges {
            all: Vec::new(),
            gates: Vec::new(),
            given: vec![Vec::new(); tasks.len()],
            most,
        };
        edges.order(tasks, view);
        edges.data(tasks, view);
        edges
    }

    /// What tasks wait for.
    fn order(&mut self, tasks: &[TaskId], view: &View<'_>) {
        let numbers = tasks.iter().enumerate().map(|(k, task)| (*task, k as u32));
        let numbers: HashMap<TaskId, u32> = numbers.collect();
        let mut groups: BTreeMap<u32, Group> = BTreeMap::new();
        for (k, task) in tasks.iter().enumerate() {
            let from = k as u32;
            view.graph.successors_of_itself(*task, |next| {
                let to = numbers.get(&next).copied();
                self.all.extend(to.map(|to| Edge { from, to, bytes: 0 }));
            });
            for group in view.graph.groups_of(*task) {
                groups.entry(*group).or_default().tasks.push(from);
            }
        }
        for (number, group) in &mut groups {
            view.graph.successors_of_group(*number, |next| {
                if let Some(to) = numbers.get(&next) {
                    self.join(group, *to, 0);
                }
            });
        }
    }

    /// What tasks read.
    fn data(&mut self, tasks: &[TaskId], view: &View<'_>) {
        let mut writers: HashMap<HandleId, Writers> = HashMap::new();
        for (k, task) in tasks.iter().enumerate() {
            for access in view.accesses(*task) {
                let writers = writers.entry(access.handle).or_default();
                if writers.last.tasks.is_empty() && access.mode.reads() {
                    self.given[k].push(access.handle);
                }
                let bytes = view.bytes(access.handle);
                writers.access(self, (k as u32, access.mode), bytes);
            }
        }
    }

    /// A task comes after all of a group, of which it reads so many bytes.
    fn join(&mut self, group: &mut Group, to: u32, bytes: u64) {
        if group.tasks.len() <= self.most {
            let direct = group.tasks.iter().map(|&from| Edge { from, to, bytes });
            self.all.extend(direct);
            return;
        }
        let gate = *group.gate.get_or_insert_with(|| {
            let gate = (self.given.len() + self.gates.len()) as u32;
            self.gates.push(bytes);
            let edges = group.tasks.iter().map(|&from| Edge {
                from,
                to: gate,
                bytes,
            });
            self.all.extend(edges);
            gate
        });
        self.all.push(Edge {
            from: gate,
            to,
            bytes: 0,
        });
    }
}

impl Writers {
    /// The next task that accesses the handle.
    fn access(&mut self, edges: &mut Edges, (task, mode): (u32, Mode), bytes: u64) {
        // Those that change it in any order are alike to what comes before and after them.
        let joins = self.mode == Some(mode) && matches!(mode, Mode::Commute | Mode::Reduce);
        if mode.writes() && !joins {
            self.before = std::mem::take(&mut self.last);
        }
        if mode.reads() {
            let sources = match mode.writes() {
                true => &mut self.before,
                false => &mut self.last,
            };
            edges.join(sources, task, bytes);
        }
        if mode.writes() {
            self.last.tasks.push(task);
        }
        self.mode = Some(mode);
    }
}
