//! The automatic choice of a formula: the one that is least disturbed by what moves between push and pop.
//!
//! Bramas 2019, "Automatic DLAF selection". A best memory node difference (BMD) is a task for which a formula
//! gives another memory node when it is popped than it gave when the task was pushed. Ties are broken from the
//! same memory node both times, so that only moved data can make a difference.

use super::affinity::{FORMULAS, Formula, Locality};
use crate::{MemoryNode, TaskId};

/// What each formula said when a task was pushed.
#[derive(Clone, Copy)]
struct Record {
    home: MemoryNode,
    chosen: [MemoryNode; FORMULAS.len()],
}

/// The differences of each formula, and the records of ready tasks by slot.
#[derive(Default)]
pub(super) struct Robust {
    differences: [u64; FORMULAS.len()],
    records: Vec<Option<Record>>,
}

impl Robust {
    /// The formula of the fewest differences.
    pub(super) fn formula(&self) -> Formula {
        let all = self.differences.iter().zip(FORMULAS);
        let least = all.min_by_key(|(differences, _)| **differences);
        least.map_or(FORMULAS[0], |(_, formula)| formula)
    }

    /// Notes what the formulas say of a task that is pushed from `home`.
    pub(super) fn pushed(&mut self, task: TaskId, home: MemoryNode, data: &Locality) {
        if self.records.len() <= task.slot() {
            self.records.resize(task.slot() + 1, None);
        }
        let chosen = FORMULAS.map(|formula| data.best(formula, home));
        self.records[task.slot()] = Some(Record { home, chosen });
    }

    /// Compares with what they say now that it is popped.
    pub(super) fn popped(&mut self, task: TaskId, data: &Locality) {
        let Some(Record { home, chosen }) = self.records[task.slot()].take() else {
            return;
        };
        for (k, formula) in FORMULAS.into_iter().enumerate() {
            let differs = data.best(formula, home) != chosen[k];
            self.differences[k] += u64::from(differs);
        }
    }

    #[cfg(test)]
    pub(super) fn differences(&self) -> [u64; FORMULAS.len()] {
        self.differences
    }
}
