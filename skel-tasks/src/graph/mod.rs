//! Tasks and handles, and the order that follows from them.
//!
//! Tasks lie in a slab. A task counts what it waits for; nothing is searched when one ends. Tasks that access a
//! handle in a way that needs no order among them (readers, for example) form a [group](groups): the next
//! group waits until the last of them is done. So a thousand readers and the writer behind them are a thousand
//! and one memberships and one link, not a thousand edges.

mod batch;
mod end;
mod groups;
mod handles;
mod split;

use crate::{Access, ArchSet, HandleId, KindId, Mode, TaskError, TaskId, Work, WorkerId};
use groups::{Groups, Links};
use handles::Handles;

/// No slot.
const NONE: u32 = u32::MAX;

/// A slot has so many tasks, one after the other.
const MOST_TASKS: u32 = u32::MAX / 2;

/// A task to be submitted.
#[derive(Clone, Copy, Debug)]
pub struct NewTask<'a> {
    /// Tasks of one kind share a model.
    pub kind: KindId,
    /// What it does with which data; each handle once, unless it is only read.
    pub accesses: &'a [Access],
    /// Tasks that have to be over before, whatever they access.
    pub after: &'a [TaskId],
    /// Tasks of higher priority first, for schedulers that mind.
    pub priority: i32,
    /// Which architectures have an implementation.
    pub archs: ArchSet,
    /// How much it has to do.
    pub work: Work,
    /// The worker that submits it, if one does.
    pub by: Option<WorkerId>,
}

impl<'a> NewTask<'a> {
    /// A task of this kind, for all architectures.
    #[must_use]
    pub fn new(kind: KindId, accesses: &'a [Access]) -> NewTask<'a> {
        NewTask {
            kind,
            accesses,
            after: &[],
            priority: 0,
            archs: ArchSet::ALL,
            work: Work::default(),
            by: None,
        }
    }
}

/// What is known of a submitted task.
#[derive(Clone, Copy, Debug)]
pub struct TaskInfo {
    /// Its kind.
    pub kind: KindId,
    /// Its priority; higher ones first.
    pub priority: i32,
    /// Which architectures have an implementation.
    pub archs: ArchSet,
    /// How much it has to do.
    pub work: Work,
}

/// How far a task has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// There is no task in the slot.
    Free,
    /// It waits for others.
    Waiting,
    /// It waits for handles that are being changed in any order.
    Commuting,
    /// The scheduler has it.
    Ready,
    /// A worker has it.
    Running(WorkerId),
}

/// What is touched whenever a task before it ends.
struct Hot {
    generation: u32,
    /// How many groups and tasks it waits for; one more while its batch is open.
    waiting: u32,
    state: State,
    /// The task whose failure keeps it from running.
    doomed: Option<TaskId>,
    /// Whether its batch is open.
    in_batch: bool,
    /// What waits for this very task.
    waiters: u32,
}

/// What is touched when it is submitted, placed and over. Its lists keep their memory for the next task.
struct Cold {
    info: TaskInfo,
    accesses: Vec<Access>,
    /// The group that it is in, for each access.
    groups: Vec<u32>,
}

/// All tasks that are not over, and all handles.
#[derive(Default)]
pub(crate) struct Graph {
    hot: Vec<Hot>,
    cold: Vec<Cold>,
    free: Vec<u32>,
    links: Links,
    groups: Groups,
    pub(crate) handles: Handles,
    pending: usize,
    /// What waits for nothing any more; empty between calls.
    freed: Vec<TaskId>,
    /// Handles that commuting tasks have given back; empty between calls.
    given_back: Vec<HandleId>,
    /// The tasks of the open batch, in order.
    batch: Option<Vec<TaskId>>,
}

impl Graph {
    /// How many tasks are not over.
    pub(crate) fn pending(&self) -> usize {
        self.pending
    }

    /// Whether the number names a task that is not over.
    pub(crate) fn is_alive(&self, task: TaskId) -> bool {
        let hot = self.hot.get(task.slot());
        hot.is_some_and(|hot| hot.generation == task.generation && hot.state != State::Free)
    }

    fn id(&self, slot: u32) -> TaskId {
        TaskId {
            slot,
            generation: self.hot[slot as usize].generation,
        }
    }

    pub(crate) fn state(&self, task: TaskId) -> State {
        match self.is_alive(task) {
            true => self.hot[task.slot()].state,
            false => State::Free,
        }
    }

    pub(crate) fn set_state(&mut self, task: TaskId, state: State) {
        self.hot[task.slot()].state = state;
    }

    /// The task whose failure keeps this one from running.
    pub(crate) fn doom(&self, task: TaskId) -> Option<TaskId> {
        self.hot[task.slot()].doomed
    }

    /// Keeps the task from running, for this reason.
    pub(crate) fn set_doom(&mut self, task: TaskId, cause: TaskId) {
        self.hot[task.slot()].doomed.get_or_insert(cause);
    }

    pub(crate) fn info(&self, task: TaskId) -> &TaskInfo {
        &self.cold[task.slot()].info
    }

    pub(crate) fn set_archs(&mut self, task: TaskId, archs: ArchSet) {
        self.cold[task.slot()].info.archs = archs;
    }

    pub(crate) fn accesses(&self, task: TaskId) -> &[Access] {
        &self.cold[task.slot()].accesses
    }

    /// How many groups and tasks it waits for.
    pub(crate) fn waiting(&self, task: TaskId) -> usize {
        self.hot[task.slot()].waiting as usize
    }

    /// Calls `each` with every task that waits for this one; twice with one that waits for it in two ways.
    pub(crate) fn successors(&self, task: TaskId, mut each: impl FnMut(TaskId)) {
        self.successors_of_itself(task, &mut each);
        for group in self.groups_of(task) {
            self.successors_of_group(*group, &mut each);
        }
    }

    /// Those that wait for this task, and not for a group that it is in.
    pub(crate) fn successors_of_itself(&self, task: TaskId, mut each: impl FnMut(TaskId)) {
        let first = self.hot[task.slot()].waiters;
        self.links.each(first, |slot| each(self.id(slot)));
    }

    /// The groups that the task is in, one for each handle that it accesses.
    pub(crate) fn groups_of(&self, task: TaskId) -> &[u32] {
        &self.cold[task.slot()].groups
    }

    /// Those that wait for all tasks of a group.
    pub(crate) fn successors_of_group(&self, group: u32, mut each: impl FnMut(TaskId)) {
        let first = self.groups.waiters(group);
        self.links.each(first, |slot| each(self.id(slot)));
    }

    /// All tasks in this state, by slot.
    pub(crate) fn in_state(&self, wanted: impl Fn(State) -> bool) -> Vec<TaskId> {
        let slots = 0..self.hot.len() as u32;
        let found = slots.filter(|slot| wanted(self.hot[*slot as usize].state));
        found.map(|slot| self.id(slot)).collect()
    }

    /// How many bytes these are in all, each handle once.
    pub(crate) fn bytes_of(&mut self, accesses: &[Access]) -> Result<u64, TaskError> {
        let (look, mut bytes) = (self.handles.look(), 0_u64);
        for access in accesses {
            if self.handles.meet(look, access.handle, false)?.is_none() {
                bytes = bytes.saturating_add(self.handles.of(access.handle).bytes);
            }
        }
        Ok(bytes)
    }

    /// What is wrong with a task that is to be added.
    fn check(&mut self, task: &NewTask<'_>) -> Result<(), TaskError> {
        let look = self.handles.look();
        for &Access { handle, mode } in task.accesses {
            let before = self.handles.meet(look, handle, mode.writes())?;
            if before.is_some_and(|writes| writes || mode.writes()) {
                let kind = String::new();
                return Err(TaskError::Conflict { kind, handle });
            }
            if mode.reads() && !self.handles.of(handle).has_content {
                let kind = String::new();
                return Err(TaskError::ReadBeforeWrite { kind, handle });
            }
        }
        for &task in task.after {
            let hot = self.hot.get(task.slot());
            // Another generation is a task that is over; later ones have not been given out.
            if hot.is_none_or(|hot| hot.generation < task.generation) {
                return Err(TaskError::UnknownTask { task });
            }
        }
        Ok(())
    }

    /// Adds a task; whether it is ready is said by [`Graph::is_free`].
    pub(crate) fn add(&mut self, task: &NewTask<'_>) -> Result<TaskId, TaskError> {
        self.check(task)?;
        let NewTask {
            kind,
            priority,
            archs,
            work,
            ..
        } = *task;
        let info = TaskInfo {
            kind,
            priority,
            archs,
            work,
        };
        let slot = self.slot(info);
        let id = self.id(slot);
        self.pending += 1;
        let look = self.handles.look();
        for &access in task.accesses {
            if self.handles.meet(look, access.handle, false) != Ok(None) {
                continue; // read twice
            }
            let group = self.join(slot, access);
            let cold = &mut self.cold[slot as usize];
            cold.accesses.push(access);
            cold.groups.push(group);
        }
        for &before in task.after {
            self.wait_for(slot, before);
        }
        if let Some(batch) = &mut self.batch {
            batch.push(id);
            let hot = &mut self.hot[slot as usize];
            (hot.in_batch, hot.waiting) = (true, hot.waiting + 1);
        }
        Ok(id)
    }

    fn slot(&mut self, info: TaskInfo) -> u32 {
        if let Some(slot) = self.free.pop() {
            let (hot, cold) = (&mut self.hot[slot as usize], &mut self.cold[slot as usize]);
            (hot.state, hot.waiting, hot.doomed, hot.waiters) = (State::Waiting, 0, None, NONE);
            cold.info = info;
            return slot;
        }
        let (state, waiters) = (State::Waiting, NONE);
        self.hot.push(Hot {
            generation: 0,
            waiting: 0,
            state,
            doomed: None,
            in_batch: false,
            waiters,
        });
        self.cold.push(Cold {
            info,
            accesses: Vec::new(),
            groups: Vec::new(),
        });
        self.hot.len() as u32 - 1
    }

    /// The task in `slot` waits for `before`, unless that is over.
    fn wait_for(&mut self, slot: u32, before: TaskId) {
        if self.is_alive(before) {
            let first = &mut self.hot[before.slot()].waiters;
            *first = self.links.add(slot, *first);
            self.hot[slot as usize].waiting += 1;
        }
    }

    /// Joins the handle's current group, or closes it and begins another; waits for the group before. The group.
    fn join(&mut self, slot: u32, access: Access) -> u32 {
        let handle = self.handles.at(access.handle);
        handle.users += 1;
        handle.has_content |= access.mode.writes();
        let (group, before) = handle.order.join(access.mode, &mut self.groups);
        self.groups.enter(group);
        if let Some(before) = before {
            self.groups.add_waiter(before, slot, &mut self.links);
            self.hot[slot as usize].waiting += 1;
        }
        group
    }

    /// Whether a task that waits for nothing may not run all the same: what it reads was not written, or a task
    /// before it failed.
    fn is_doomed(&mut self, task: TaskId) -> bool {
        if self.hot[task.slot()].doomed.is_none() {
            let poisoned = |access: &Access| {
                let is_read = access.mode.reads() || access.mode == Mode::Reduce;
                is_read
                    .then(|| self.handles.poison(access.handle))
                    .flatten()
            };
            self.hot[task.slot()].doomed =
                self.cold[task.slot()].accesses.iter().find_map(poisoned);
        }
        self.hot[task.slot()].doomed.is_some()
    }

    /// Whether it waits for no other task.
    pub(crate) fn is_free(&self, task: TaskId) -> bool {
        self.hot[task.slot()].waiting == 0
    }

    /// Removes a handle that no task uses.
    pub(crate) fn unregister(&mut self, handle: HandleId) -> Result<(), TaskError> {
        self.handles.remove(handle, &mut self.groups)
    }
}
