//! LAHeteroprio at work.

use super::{
    Affinity,
    affinity::{Formula, Locality, least},
    distance::{Ties, Transfers, closest, difference},
    order::order,
    robust::Robust,
};
use crate::{
    Class, ClassId, ClassSet, Hint, Machine, MemoryNode, Scheduler, TaskId, View, WorkerId,
    scheduler::heteroprio::{Grid, Rows},
};

/// How lists are looked at.
pub(super) struct Walk {
    pub(super) transfers: Transfers,
    pub(super) alpha: f64,
    pub(super) ties: Ties,
    /// By architecture.
    pub(super) s: Vec<usize>,
    pub(super) l: Vec<usize>,
}

/// One list per row and memory node.
pub(super) struct Queues {
    rows: Rows,
    grid: Grid,
    classes: Vec<Class>,
    nodes: usize,
    walk: Walk,
    affinity: Affinity,
    data: Locality,
    robust: Robust,
}

impl Queues {
    pub(super) fn new(
        rows: Rows,
        machine: &Machine,
        walk: Walk,
        affinity: Affinity,
        data: Locality,
    ) -> Queues {
        let (classes, nodes) = (machine.classes().to_vec(), machine.nodes().len());
        let mut queues = Queues {
            rows,
            grid: Grid::new(nodes, classes.len()),
            classes,
            nodes,
            walk,
            affinity,
            data,
            robust: Robust::default(),
        };
        queues.order();
        queues
    }

    /// Gives each class the order of lists that follows from the present orders of rows.
    fn order(&mut self) {
        self.grid.grow(self.rows.len());
        for (k, class) in self.classes.iter().enumerate() {
            let arch = usize::from(class.arch.0);
            let others = closest(class.node, &self.distances(k, class), self.walk.ties);
            let (s, l) = (self.walk.s[arch], self.walk.l[arch]);
            let lists = order(class.node, &others, self.rows.order(k), s, l);
            let lists = lists.into_iter();
            self.grid
                .set_order(k, lists.map(|(row, node)| (row, usize::from(node.0))));
        }
    }

    /// How far each memory node is from a class of workers, which is number `k`. Of a memory node's classes, the first counts; one
    /// without workers has no priorities.
    fn distances(&self, k: usize, class: &Class) -> Vec<f64> {
        let own = self.priorities(k);
        let nodes = (0..self.nodes as u8).map(MemoryNode);
        let distances = nodes.map(|node| {
            let there = self.classes.iter().position(|class| class.node == node);
            let theirs = there.map_or(Vec::new(), |class| self.priorities(class));
            let difference = difference(&own, &theirs);
            let walk = &self.walk;
            walk.transfers
                .distance(class.node, node, difference, walk.alpha)
        });
        distances.collect()
    }

    /// The priority of each row for a class; 0 for the first.
    fn priorities(&self, class: usize) -> Vec<Option<u64>> {
        let mut priorities = vec![None; self.rows.len()];
        for (priority, row) in self.rows.order(class).iter().enumerate() {
            priorities[*row] = Some(priority as u64);
        }
        priorities
    }

    /// The memory node of a task that is pushed from `home`.
    fn place(&mut self, task: TaskId, home: MemoryNode, view: &View<'_>) -> MemoryNode {
        let formula = match self.affinity {
            Affinity::LaRu => return home,
            Affinity::Mc => {
                let time_ns = |node| view.transfer_ns(task, MemoryNode(node as u8)).into();
                return least(self.nodes, home, time_ns);
            }
            Affinity::Sdh => Formula::Sdh,
            Affinity::Sdh2 => Formula::Sdh2,
            Affinity::Sdhb => Formula::Sdhb,
            Affinity::Smwb => Formula::Smwb,
            Affinity::Auto => self.robust.formula(),
        };
        self.data.look(task, view);
        if self.affinity == Affinity::Auto {
            self.robust.pushed(task, home, &self.data);
        }
        self.data.best(formula, home)
    }

    #[cfg(test)]
    pub(super) fn differences(&self) -> [u64; 4] {
        self.robust.differences()
    }
}

impl Scheduler for Queues {
    fn push(&mut self, task: TaskId, by: Option<WorkerId>, view: &View<'_>) -> Hint {
        let home = by.map_or(MemoryNode::HOST, |by| view.machine().node_of(by));
        let node = self.place(task, home, view);
        let entered = self.rows.enter(task, view);
        if entered.is_reordered {
            self.order();
        }
        self.grid.push(entered.row, usize::from(node.0), task);
        let is_there = |class: &ClassId| self.classes[usize::from(class.0)].node == node;
        let there: ClassSet = entered.classes.iter().filter(is_there).collect();
        Hint::prefer(there, entered.classes)
    }

    fn pop(&mut self, worker: WorkerId, view: &View<'_>) -> Option<TaskId> {
        let class = usize::from(view.machine().class_of(worker).0);
        let (rows, arch) = (&self.rows, self.classes[class].arch);
        if rows.ready(class) == 0 {
            return None;
        }
        let (task, row) = self.grid.pop(class, |row| rows.may_take(row, arch))?;
        self.rows.leave(row);
        if self.affinity == Affinity::Auto {
            self.data.look(task, view);
            self.robust.popped(task, &self.data);
        }
        Some(task)
    }

    fn drain(&mut self) -> Vec<TaskId> {
        self.rows.clear();
        self.grid.drain()
    }

    fn ready(&self, class: ClassId) -> usize {
        self.rows.ready(class.0.into())
    }
}
