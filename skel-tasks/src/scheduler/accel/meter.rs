//! Measures periods.

use super::{period::Period, side::Side};
use crate::Ns;
use std::collections::VecDeque;

/// Measures [`Period`]s whose tasks were all decided by the same shares.
pub(super) struct Meter {
    period: Period,
    /// Those that are not over, the oldest first.
    open: VecDeque<Block>,
    /// The number of the oldest.
    first: u32,
    /// When the one before it was over.
    since_ns: Ns,
    /// Whether the next one is the first by other shares.
    is_changed: bool,
}

/// The tasks of a period.
struct Block {
    decided: u32,
    done: u32,
    is_closed: bool,
    is_first: bool,
    /// Whether its shares are those of today.
    is_valid: bool,
    began_ns: Ns,
    busy_ns: [f64; 2],
}

/// One or more periods that are over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Measured {
    /// Per task.
    pub(super) ns_per_task: f64,
    /// How long host and devices were executing.
    pub(super) busy_ns: [f64; 2],
    /// Whether it is the first one of its shares, in which what was left of other ones ran as well.
    pub(super) is_first: bool,
}

impl Meter {
    pub(super) fn new(period: Period) -> Meter {
        Meter {
            period,
            open: VecDeque::new(),
            first: 0,
            since_ns: 0,
            is_changed: true,
        }
    }

    /// Other shares, from the next decision on.
    pub(super) fn change(&mut self) {
        for block in &mut self.open {
            (block.is_closed, block.is_valid) = (true, false);
        }
        self.is_changed = true;
    }

    /// A task was decided; the number of its period.
    pub(super) fn decided(&mut self, now_ns: Ns) -> u32 {
        if self.open.back().is_none_or(|block| block.is_closed) {
            self.open.push_back(Block {
                decided: 0,
                done: 0,
                is_closed: false,
                is_first: std::mem::replace(&mut self.is_changed, false),
                is_valid: true,
                began_ns: now_ns,
                busy_ns: [0.0; 2],
            });
        }
        let number = self.first.wrapping_add(self.open.len() as u32 - 1);
        if let Some(block) = self.open.back_mut() {
            block.decided += 1;
            block.is_closed = match self.period {
                Period::Tasks(tasks) => block.decided >= tasks,
                Period::Time { ns } => now_ns.saturating_sub(block.began_ns) >= ns,
            };
        }
        number
    }

    /// A task of a period is done, or will never be.
    pub(super) fn done(
        &mut self,
        number: u32,
        side: Side,
        took_ns: Ns,
        now_ns: Ns,
    ) -> Option<Measured> {
        let block = self
            .open
            .get_mut(number.wrapping_sub(self.first) as usize)?;
        block.done += 1;
        block.busy_ns[side as usize] += took_ns as f64;
        let (mut tasks, mut is_first, mut busy_ns) = (0_u32, false, [0.0; 2]);
        while let Some(block) = self
            .open
            .front()
            .filter(|block| block.is_closed && block.done >= block.decided)
        {
            if block.is_valid {
                tasks = tasks.saturating_add(block.decided);
                is_first |= block.is_first;
                busy_ns = [busy_ns[0] + block.busy_ns[0], busy_ns[1] + block.busy_ns[1]];
            } else {
                self.since_ns = now_ns;
            }
            self.open.pop_front();
            self.first = self.first.wrapping_add(1);
        }
        if tasks == 0 {
            return None;
        }
        let elapsed_ns = now_ns.saturating_sub(std::mem::replace(&mut self.since_ns, now_ns));
        Some(Measured {
            ns_per_task: elapsed_ns as f64 / f64::from(tasks),
            busy_ns,
            is_first,
        })
    }
}
