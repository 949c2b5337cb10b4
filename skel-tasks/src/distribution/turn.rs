//! One step on its way: what is taken, done, and left.

use super::{Allotment, ItemRun, Outcome, StepTimes};
use crate::{BadOption, Ns};
use std::{collections::VecDeque, ops::Range};

/// The items of one step, until all are done. Each is given out once, or again if the unit that had it was lost.
#[derive(Clone, Debug)]
pub struct Turn {
    /// What each unit takes next.
    own: Vec<VecDeque<usize>>,
    /// What nothing has claimed yet, and how many are claimed at once.
    unclaimed: Range<usize>,
    chunk: usize,
    /// What lost units had: for any that has nothing of its own.
    spare: VecDeque<usize>,
    /// The items that each unit has under way.
    under_way: Vec<Vec<usize>>,
    /// When each unit ended an item last.
    ended_ns: Vec<Ns>,
    is_lost: Vec<bool>,
    runs: Vec<ItemRun>,
    items: usize,
    left: usize,
}

impl Turn {
    /// A step of so many items.
    ///
    /// # Errors
    /// [`BadOption`] if the allotment is not for so many units, or does not give each item once.
    pub fn new(allotment: Allotment, units: usize, items: usize) -> Result<Turn, BadOption> {
        allotment.check(units, items)?;
        let (own, unclaimed, chunk) = match allotment {
            Allotment::Own(own) => (own.into_iter().map(VecDeque::from).collect(), 0..0, 1),
            Allotment::Claims { chunk } => (vec![VecDeque::new(); units], 0..items, chunk),
        };
        Ok(Turn {
            own,
            unclaimed,
            chunk,
            spare: VecDeque::new(),
            under_way: vec![Vec::new(); units],
            ended_ns: vec![0; units],
            is_lost: vec![false; units],
            runs: Vec::with_capacity(items),
            items,
            left: items,
        })
    }

    /// The item that a unit computes now; none if there is nothing for it, at the moment: a unit that is lost later may
    /// leave some. A unit may have several items: a device is given the next one while it is at work.
    ///
    /// # Panics
    /// If there is no such unit.
    pub fn take(&mut self, unit: usize) -> Option<usize> {
        if self.is_lost[unit] {
            return None;
        }
        if self.own[unit].is_empty() {
            let end = self.unclaimed.end;
            let next = self.unclaimed.start.saturating_add(self.chunk).min(end);
            self.own[unit].extend(self.unclaimed.start..next);
            self.unclaimed.start = next;
        }
        let item = self.own[unit]
            .pop_front()
            .or_else(|| self.spare.pop_front());
        self.under_way[unit].extend(item);
        item
    }

    /// The unit has done an item, well or not, from `begin_ns` to `end_ns`. While it had an earlier one as well, it was
    /// at that: the item's time begins when that ended.
    ///
    /// # Panics
    /// If the unit does not have the item.
    pub fn done(&mut self, unit: usize, item: usize, outcome: Outcome, times: Range<Ns>) {
        let under_way = &mut self.under_way[unit];
        let at = under_way.iter().position(|other| *other == item);
        under_way.remove(at.expect("a unit ends what it has taken"));
        let begin_ns = times.start.max(self.ended_ns[unit]);
        let took_ns = times.end.saturating_sub(begin_ns);
        self.ended_ns[unit] = times.end.max(begin_ns);
        self.left -= usize::from(outcome != Outcome::Again);
        if outcome == Outcome::Again {
            self.spare.push_back(item);
        }
        self.runs.push(ItemRun {
            item,
            unit,
            begin_ns,
            took_ns,
            outcome,
        });
    }

    /// The unit takes no more items; what it had is for others.
    ///
    /// # Panics
    /// If there is no such unit.
    pub fn lost(&mut self, unit: usize) {
        self.spare.extend(self.under_way[unit].drain(..));
        self.retire(unit);
    }

    /// The unit takes no more items; what it has not begun is for others. What it has under way it [ends](Turn::done),
    /// with [`Outcome::Again`] if that is for others as well.
    ///
    /// # Panics
    /// If there is no such unit.
    pub fn retire(&mut self, unit: usize) {
        self.is_lost[unit] = true;
        self.spare.extend(self.own[unit].drain(..));
    }

    /// Whether all items are done.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.left == 0
    }

    /// Whether items are left and no unit to take them.
    #[must_use]
    pub fn is_stuck(&self) -> bool {
        self.left > 0 && self.is_lost.iter().all(|lost| *lost)
    }

    /// The units that were lost.
    pub fn lost_units(&self) -> impl Iterator<Item = usize> {
        let all = self.is_lost.iter().enumerate();
        all.filter(|(_, lost)| **lost).map(|(unit, _)| unit)
    }

    /// The items that are not done, in ascending order.
    #[must_use]
    pub fn items_left(&self) -> Vec<usize> {
        let mut is_done = vec![false; self.items];
        for run in self.runs.iter().filter(|run| run.outcome != Outcome::Again) {
            is_done[run.item] = true;
        }
        (0..self.items).filter(|item| !is_done[*item]).collect()
    }

    /// What ran, in the order of the ends.
    #[must_use]
    pub fn runs(&self) -> &[ItemRun] {
        &self.runs
    }

    /// Calls `with` with the times of all items; not for a step in which an item failed, whose times say nothing of the
    /// next one.
    pub(super) fn with_times(&self, with: impl FnOnce(&StepTimes<'_>)) {
        if !self.is_over() || self.runs.iter().any(|run| run.outcome != Outcome::Done) {
            return;
        }
        let (mut owner, mut took_ns) = (vec![0; self.items], vec![0; self.items]);
        for run in &self.runs {
            (owner[run.item], took_ns[run.item]) = (run.unit, run.took_ns);
        }
        with(&StepTimes::new(self.own.len(), &owner, &took_ns));
    }
}
