//! Groups of tasks that need no order among each other, and the lists of what waits for them.

use super::NONE;
use crate::Mode;

/// Lists of slots, in one arena.
#[derive(Default)]
pub(super) struct Links {
    links: Vec<Link>,
    free: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Link {
    slot: u32,
    next: u32,
}

impl Links {
    /// A list that begins with `slot`, and goes on with what `next` begins.
    pub(super) fn add(&mut self, slot: u32, next: u32) -> u32 {
        let link = Link { slot, next };
        match self.free.pop() {
            Some(at) => {
                self.links[at as usize] = link;
                at
            }
            None => {
                self.links.push(link);
                self.links.len() as u32 - 1
            }
        }
    }

    /// The first slot of a list that is given up from here, and the rest of it.
    pub(super) fn take(&mut self, at: u32) -> Option<(u32, u32)> {
        let Link { slot, next } = *self.links.get(at as usize)?;
        self.free.push(at);
        Some((slot, next))
    }

    pub(super) fn each(&self, mut at: u32, mut each: impl FnMut(u32)) {
        while let Some(link) = self.links.get(at as usize) {
            each(link.slot);
            at = link.next;
        }
    }
}

/// Tasks that access one handle and need no order among each other.
struct Group {
    /// How many of them are not over.
    live: u32,
    /// What waits until none is.
    waiters: u32,
    /// Whether no handle knows it any more: its slot is free when it is over.
    forgotten: bool,
}

#[derive(Default)]
pub(super) struct Groups {
    groups: Vec<Group>,
    free: Vec<u32>,
}

impl Groups {
    pub(super) fn begin(&mut self) -> u32 {
        let group = Group {
            live: 0,
            waiters: NONE,
            forgotten: false,
        };
        match self.free.pop() {
            Some(at) => {
                self.groups[at as usize] = group;
                at
            }
            None => {
                self.groups.push(group);
                self.groups.len() as u32 - 1
            }
        }
    }

    pub(super) fn forget(&mut self, at: u32) {
        if at == NONE {
            return;
        }
        match self.groups[at as usize].live {
            0 => self.free.push(at),
            _ => self.groups[at as usize].forgotten = true,
        }
    }

    fn is_live(&self, at: u32) -> bool {
        at != NONE && self.groups[at as usize].live > 0
    }

    pub(super) fn enter(&mut self, at: u32) {
        self.groups[at as usize].live += 1;
    }

    /// A member is over; the list of those that have waited for it, if it was the last.
    pub(super) fn leave(&mut self, at: u32) -> u32 {
        let group = &mut self.groups[at as usize];
        group.live -= 1;
        if group.live > 0 {
            return NONE;
        }
        let waiters = std::mem::replace(&mut group.waiters, NONE);
        if group.forgotten {
            self.free.push(at);
        }
        waiters
    }

    pub(super) fn waiters(&self, at: u32) -> u32 {
        self.groups[at as usize].waiters
    }

    pub(super) fn add_waiter(&mut self, at: u32, slot: u32, links: &mut Links) {
        let waiters = &mut self.groups[at as usize].waiters;
        *waiters = links.add(slot, *waiters);
    }
}

/// The groups of a handle that matter: the one that tasks may join, and the one before it.
pub(super) struct Order {
    mode: Mode,
    current: u32,
    previous: u32,
}

impl Order {
    pub(super) const NEW: Order = Order {
        mode: Mode::Read,
        current: NONE,
        previous: NONE,
    };

    /// The group for a task that accesses the handle so, and the one that it has to wait for.
    pub(super) fn join(&mut self, mode: Mode, groups: &mut Groups) -> (u32, Option<u32>) {
        if self.current == NONE {
            self.current = groups.begin();
        } else if groups.is_live(self.current) && !self.mode.joins(mode) {
            let closed = std::mem::replace(&mut self.current, groups.begin());
            groups.forget(std::mem::replace(&mut self.previous, closed));
        }
        // A group of which all are over serves again.
        self.mode = mode;
        (
            self.current,
            groups.is_live(self.previous).then_some(self.previous),
        )
    }

    /// The same order, of groups that stand for these.
    pub(super) fn of_twins(&self, twins: &[(u32, u32)]) -> Order {
        let twin = |group: u32| {
            let known = twins.iter().find(|(of, _)| *of == group);
            known.map_or(NONE, |(_, twin)| *twin)
        };
        Order {
            mode: self.mode,
            current: twin(self.current),
            previous: twin(self.previous),
        }
    }

    /// Whether the group is one of those that matter.
    pub(super) fn has(&self, group: u32) -> bool {
        self.current == group || self.previous == group
    }

    pub(super) fn forget(&mut self, groups: &mut Groups) {
        groups.forget(std::mem::replace(&mut self.current, NONE));
        groups.forget(std::mem::replace(&mut self.previous, NONE));
    }
}
