//! The order that follows from a program's accesses: its edges, and its longest path.
//!
//! Both are computed from the program alone and not by the engine, so that they can tell when the engine errs.

use super::Program;
use crate::{Mode, Ns};

/// The last two groups of tasks that access one handle and need no order among each other.
struct Groups<T> {
    mode: Mode,
    current: T,
    previous: T,
}

impl<T: Default> Default for Groups<T> {
    fn default() -> Self {
        Groups {
            mode: Mode::Read,
            current: T::default(),
            previous: T::default(),
        }
    }
}

impl<T: Default> Groups<T> {
    /// Begins another group unless the task may join this one.
    fn enter(&mut self, mode: Mode) {
        if !self.mode.joins(mode) {
            self.previous = std::mem::take(&mut self.current);
        }
        self.mode = mode;
    }
}

impl Program {
    /// Calls `each` with the positions of every two tasks of which the second has to wait for the first, but for
    /// those that follow from others; twice where they wait in two ways.
    pub fn edges(&self, mut each: impl FnMut(usize, usize)) {
        let mut groups: Vec<Groups<Vec<usize>>> = Vec::new();
        groups.resize_with(self.all_data().len(), Groups::default);
        for (position, task) in self.tasks().enumerate() {
            for (k, access) in task.accesses.iter().enumerate() {
                let is_again = task.accesses[..k]
                    .iter()
                    .any(|other| other.handle == access.handle);
                let Some(group) = groups.get_mut(access.handle.slot()).filter(|_| !is_again) else {
                    continue;
                };
                group.enter(access.mode);
                group.current.push(position);
                group
                    .previous
                    .iter()
                    .for_each(|before| each(*before, position));
            }
            task.after.iter().for_each(|before| each(*before, position));
        }
    }

    /// The longest path, where each task takes this time.
    pub(super) fn longest_path_ns(&self, time_ns: impl Fn(usize) -> Ns) -> Ns {
        let mut ends_ns: Vec<Ns> = Vec::with_capacity(self.len());
        let mut groups: Vec<Groups<Ns>> = Vec::new();
        groups.resize_with(self.all_data().len(), Groups::default);
        for (position, task) in self.tasks().enumerate() {
            let mut start_ns = 0;
            for access in task.accesses {
                let Some(group) = groups.get_mut(access.handle.slot()) else {
                    continue;
                };
                group.enter(access.mode);
                start_ns = start_ns.max(group.previous);
            }
            let before = task.after.iter().filter_map(|before| ends_ns.get(*before));
            start_ns = before.copied().fold(start_ns, Ns::max);
            let end_ns = start_ns.saturating_add(time_ns(position));
            ends_ns.push(end_ns);
            for access in task.accesses {
                if let Some(group) = groups.get_mut(access.handle.slot()) {
                    // A group of readers may end before the one that it waits for has: it is never shorter.
                    group.current = group.current.max(end_ns);
                }
            }
        }
        ends_ns.into_iter().max().unwrap_or(0)
    }
}
