//! The workers that are there, by class, to be drawn from in constant time.

use crate::{ClassId, ClassSet, Machine, View, WorkerId};

/// Lists of live workers. They are made anew after a worker was lost, which is rare.
pub(super) struct LiveWorkers {
    lists: Vec<Vec<WorkerId>>,
    is_stale: bool,
    /// How often each class had its turn.
    turns: Vec<u64>,
}

impl LiveWorkers {
    pub(super) fn new(machine: &Machine) -> LiveWorkers {
        let classes = machine.classes().len();
        LiveWorkers {
            lists: vec![Vec::new(); classes],
            is_stale: true,
            turns: vec![0; classes],
        }
    }

    /// A worker was lost.
    pub(super) fn invalidate(&mut self) {
        self.is_stale = true;
    }

    /// Looks which workers are there, if that may have changed.
    pub(super) fn refresh(&mut self, view: &View<'_>) {
        if !std::mem::take(&mut self.is_stale) {
            return;
        }
        for (class, list) in view.machine().classes().iter().zip(&mut self.lists) {
            list.clear();
            let all = (class.first.0..class.first.0 + class.workers).map(WorkerId);
            list.extend(all.filter(|worker| view.is_live(*worker)));
        }
    }

    /// The live workers of a class.
    pub(super) fn of(&self, class: ClassId) -> &[WorkerId] {
        &self.lists[usize::from(class.0)]
    }

    /// The workers of these classes take turns, each class as often as it has workers.
    pub(super) fn next_of(&mut self, classes: ClassSet) -> Option<WorkerId> {
        let share = |class: ClassId| (self.turns[usize::from(class.0)], self.of(class).len());
        let candidates = classes.iter().filter(|class| !self.of(*class).is_empty());
        let class = candidates.min_by(|a, b| {
            let ((a_turns, a_live), (b_turns, b_live)) = (share(*a), share(*b));
            let of_a = u128::from(a_turns) * b_live as u128;
            of_a.cmp(&(u128::from(b_turns) * a_live as u128))
        })?;
        let turn = self.turns[usize::from(class.0)];
        self.turns[usize::from(class.0)] += 1;
        let list = self.of(class);
        Some(list[(turn % list.len() as u64) as usize])
    }
}
