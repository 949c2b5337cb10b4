//! The submitting program.

use super::{events::Event, run::Run};
use crate::{NewTask, TaskError};

impl Run<'_> {
    /// Submits until the program waits: for room, or for its own next operation to be over.
    pub(super) fn submit(&mut self) -> Result<(), TaskError> {
        let settings = &self.simulation.settings;
        let submit_ns = settings.operations.submit_ns;
        self.is_waiting = false;
        if settings.is_batch && self.ids.is_empty() {
            self.engine.open_batch();
            while self.ids.len() < self.program.len() {
                self.submit_one()?;
            }
            let all_ns = submit_ns.saturating_mul(self.ids.len() as u64);
            match all_ns {
                0 => self.engine.close_batch(self.now_ns),
                _ => self.events.plan(all_ns, Event::Submit),
            }
        } else if settings.is_batch {
            self.engine.close_batch(self.now_ns);
        }
        while self.ids.len() < self.program.len() {
            if self.engine.pending() >= settings.most_submitted {
                self.is_waiting = true;
                break;
            }
            self.submit_one()?;
            if submit_ns > 0 {
                let next_ns = self.now_ns.saturating_add(submit_ns);
                self.events.plan(next_ns, Event::Submit);
                break;
            }
        }
        self.take_ended();
        Ok(())
    }

    /// Whether the submitting program has waited, and need not any longer.
    pub(super) fn has_room(&self) -> bool {
        self.is_waiting && self.engine.pending() < self.simulation.settings.most_submitted
    }

    fn submit_one(&mut self) -> Result<(), TaskError> {
        let position = self.ids.len();
        let Some(task) = self.program.get(position) else {
            return Ok(());
        };
        self.after.clear();
        self.after
            .extend(task.after.iter().map(|before| self.ids[*before]));
        let new = NewTask {
            kind: task.kind,
            accesses: task.accesses,
            after: &self.after,
            priority: task.priority,
            archs: self.simulation.archs(self.program, position),
            work: task.work,
            by: None,
        };
        let id = self.engine.submit(new, self.now_ns)?;
        if self.positions.len() <= id.slot() {
            self.positions.resize(id.slot() + 1, 0);
        }
        self.positions[id.slot()] = position;
        self.ids.push(id);
        // Its slot serves another task if it was cancelled at once.
        self.take_ended();
        Ok(())
    }
}
