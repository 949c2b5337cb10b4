//! Data that tasks access: its order, its copies, and whether it can be read.

use super::groups::{Groups, Order};
use crate::{HandleId, MemoryNode, NodeSet, TaskError, TaskId};
use std::collections::VecDeque;

pub(crate) struct Handle {
    generation: u32,
    is_registered: bool,
    pub(crate) bytes: u64,
    /// The memory nodes that have it or will have it, by what has been planned.
    pub(crate) valid: NodeSet,
    /// Whether it was written, or will have been, before what is submitted next.
    pub(crate) has_content: bool,
    /// The task whose failure left it unwritten.
    pub(super) poison: Option<TaskId>,
    pub(super) order: Order,
    /// How many tasks with it are not over.
    pub(super) users: usize,
    /// The task that may change it now, of those that do so in any order.
    pub(super) held_by: Option<TaskId>,
    /// Those that wait for it to be given back.
    pub(super) queue: VecDeque<TaskId>,
    /// The last look at a task's accesses that has met it, and whether one of them writes.
    seen: (u64, bool),
}

#[derive(Default)]
pub(crate) struct Handles {
    all: Vec<Handle>,
    free: Vec<u32>,
    looks: u64,
}

/// A look at the accesses of one task.
#[derive(Clone, Copy)]
pub(super) struct Look(u64);

impl Handles {
    /// Begins a look, which has met no handle.
    pub(super) fn look(&mut self) -> Look {
        self.looks += 1;
        Look(self.looks)
    }

    /// The look meets a handle, perhaps to write it; what it has met of it before: whether that writes.
    pub(super) fn meet(
        &mut self,
        look: Look,
        id: HandleId,
        writes: bool,
    ) -> Result<Option<bool>, TaskError> {
        self.get(id)?;
        let seen = &mut self.all[id.slot()].seen;
        let before = (seen.0 == look.0).then_some(seen.1);
        *seen = (look.0, writes || before == Some(true));
        Ok(before)
    }

    /// A new handle of so many bytes, which has its content `at` a memory node, or none yet.
    pub(crate) fn add(&mut self, bytes: u64, at: Option<MemoryNode>) -> HandleId {
        self.insert(Handle {
            generation: 0,
            is_registered: true,
            bytes,
            valid: at.map_or(NodeSet::EMPTY, NodeSet::only),
            has_content: at.is_some(),
            poison: None,
            order: Order::NEW,
            users: 0,
            held_by: None,
            queue: VecDeque::new(),
            seen: (0, false),
        })
    }

    fn insert(&mut self, new: Handle) -> HandleId {
        match self.free.pop() {
            Some(slot) => {
                let generation = self.all[slot as usize].generation;
                self.all[slot as usize] = Handle { generation, ..new };
                HandleId { slot, generation }
            }
            None => {
                self.all.push(new);
                HandleId {
                    slot: self.all.len() as u32 - 1,
                    generation: 0,
                }
            }
        }
    }

    /// A new handle for the last `bytes` of another one, which has no groups yet. Tasks that wait for their turn to
    /// change that one wait there: they take all of their handles at once.
    pub(super) fn split(&mut self, id: HandleId, bytes: u64) -> Result<HandleId, TaskError> {
        self.get(id)?;
        let handle = self.at(id);
        let bytes = bytes.min(handle.bytes);
        handle.bytes -= bytes;
        let part = Handle {
            generation: 0,
            is_registered: true,
            bytes,
            valid: handle.valid,
            has_content: handle.has_content,
            poison: handle.poison,
            order: Order::NEW,
            users: handle.users,
            held_by: handle.held_by,
            queue: VecDeque::new(),
            seen: (0, false),
        };
        Ok(self.insert(part))
    }

    pub(crate) fn get(&self, id: HandleId) -> Result<&Handle, TaskError> {
        let handle = self.all.get(id.slot());
        let known = |handle: &&Handle| handle.is_registered && handle.generation == id.generation;
        handle
            .filter(known)
            .ok_or_else(|| TaskError::UnknownHandle {
                kind: String::new(),
                handle: id,
            })
    }

    /// One that an unfinished task accesses.
    pub(crate) fn at(&mut self, id: HandleId) -> &mut Handle {
        &mut self.all[id.slot()]
    }

    pub(crate) fn of(&self, id: HandleId) -> &Handle {
        &self.all[id.slot()]
    }

    pub(super) fn poison(&self, id: HandleId) -> Option<TaskId> {
        self.all[id.slot()].poison
    }

    pub(super) fn remove(&mut self, id: HandleId, groups: &mut Groups) -> Result<(), TaskError> {
        let users = self.get(id)?.users;
        if users > 0 {
            return Err(TaskError::InUse {
                handle: id,
                tasks: users,
            });
        }
        let handle = self.at(id);
        handle.order.forget(groups);
        handle.is_registered = false;
        handle.generation += 1;
        if handle.generation < u32::MAX {
            self.free.push(id.slot);
        }
        Ok(())
    }
}
