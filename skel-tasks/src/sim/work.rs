//! What workers do: take tasks, end them, and get lost.

use super::{
    Simulation,
    events::Event,
    report::{Cause, Execution, Outcome},
    run::{Placed, Run},
};
use crate::{Access, Finish, KindId, Mode, TaskError, TaskId, WorkerId};

impl Run<'_> {
    /// The worker takes a task, if it may have one more.
    pub(super) fn look(&mut self, worker: WorkerId) -> Result<(), TaskError> {
        let it = &self.workers[worker.0 as usize];
        if it.is_lost || it.placed.len() >= it.ahead {
            return Ok(());
        }
        if let Some(task) = self.engine.next(worker, self.now_ns)? {
            self.take(worker, task)?;
            let it = &self.workers[worker.0 as usize];
            if it.placed.len() < it.ahead {
                self.further.push_back(worker);
            }
        }
        self.take_ended();
        Ok(())
    }

    /// Since nothing overtakes on links and workers, the whole course of the task is known at once.
    fn take(&mut self, worker: WorkerId, id: TaskId) -> Result<(), TaskError> {
        let Simulation {
            machine, settings, ..
        } = self.simulation;
        let position = self.positions[id.slot()];
        let taken_ns = self.now_ns.saturating_add(settings.operations.pop_ns);
        // What is copied to a memory needs the room of what leaves it.
        let mut room_ns = taken_ns;
        for transfer in self.engine.transfers() {
            if transfer.evicts {
                let cause = Cause::Evict { task: position };
                let left_ns = self.links.copy(machine, transfer, taken_ns, cause);
                room_ns = room_ns.max(left_ns);
                self.evictions += 1;
            } else {
                let cause = Cause::Fetch { task: position };
                self.links.copy(machine, transfer, room_ns, cause);
            }
        }
        let task = self.program.get(position);
        let (kind, accesses): (KindId, &[Access]) =
            task.map_or((KindId(0), &[]), |task| (task.kind, task.accesses));
        let node = machine.node_of(worker);
        let mut data_ns = room_ns;
        for access in accesses {
            // What only writes waits as well: a copy under way would overwrite what it has written.
            if access.mode != Mode::Reduce {
                data_ns = data_ns.max(self.links.arrives_ns(access.handle, node));
            }
        }
        let arch = machine.arch_of(worker);
        let Some(exec_ns) = self.simulation.exec_ns(self.program, position, arch) else {
            return Err(TaskError::Scheduler { task: id });
        };
        let it = &mut self.workers[worker.0 as usize];
        let could_ns = it.free_ns.max(taken_ns);
        let start_ns = data_ns
            .max(could_ns)
            .saturating_add(settings.operations.launch_ns);
        let end_ns = start_ns.saturating_add(exec_ns);
        it.waiting_ns = it
            .waiting_ns
            .saturating_add(data_ns.saturating_sub(could_ns));
        it.free_ns = end_ns;
        it.placed.push_back(Placed {
            id,
            execution: Execution {
                task: position,
                kind,
                worker,
                taken_ns,
                data_ns,
                start_ns,
                end_ns,
                outcome: Outcome::Done,
            },
        });
        self.events.plan(end_ns, Event::End(worker));
        Ok(())
    }

    /// The first task that the worker has is over.
    pub(super) fn end(&mut self, worker: WorkerId) -> Result<(), TaskError> {
        let it = &mut self.workers[worker.0 as usize];
        // Of a lost worker's tasks, nothing is left.
        let Some(Placed { id, mut execution }) = it.placed.pop_front() else {
            return Ok(());
        };
        let took_ns = execution.end_ns - execution.start_ns;
        it.busy_ns = it.busy_ns.saturating_add(took_ns);
        let settings = &self.simulation.settings;
        self.makespan_ns = self.now_ns;
        self.is_done[execution.task] = true;
        let mut how = Finish::Done { took_ns };
        if settings.failing.contains(&execution.task) {
            (how, execution.outcome) = (Finish::Failed, Outcome::Failed);
            self.causes.insert(id, execution.task);
        }
        self.record(execution);
        let pushed = self.engine.pushed();
        self.engine.finished(id, how, worker, self.now_ns)?;
        self.take_ended();
        let push_ns = settings.operations.push_ns;
        if push_ns > 0 {
            let all_ns = push_ns.saturating_mul(self.engine.pushed() - pushed);
            let it = &mut self.workers[worker.0 as usize];
            if it.placed.is_empty() {
                it.free_ns = self.now_ns.saturating_add(all_ns);
            }
        }
        if self.has_room() {
            self.submit()?;
        }
        self.look(worker)
    }

    fn record(&mut self, execution: Execution) {
        if self.simulation.settings.is_recorded {
            self.executions.push(execution);
        }
    }

    pub(super) fn lose(&mut self, worker: WorkerId) -> Result<(), TaskError> {
        let it = &mut self.workers[worker.0 as usize];
        it.is_lost = true;
        let placed = std::mem::take(&mut it.placed);
        self.engine.lost(worker, self.now_ns);
        self.take_ended();
        for Placed { id, mut execution } in placed {
            if execution.start_ns < self.now_ns {
                (execution.end_ns, execution.outcome) = (self.now_ns, Outcome::Lost);
                let it = &mut self.workers[worker.0 as usize];
                let took_ns = execution.end_ns - execution.start_ns;
                it.busy_ns = it.busy_ns.saturating_add(took_ns);
                self.record(execution);
            }
            self.engine
                .finished(id, Finish::Retry, worker, self.now_ns)?;
            self.take_ended();
        }
        Ok(())
    }
}
