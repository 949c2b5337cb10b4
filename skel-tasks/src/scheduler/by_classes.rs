//! Ready tasks, kept apart by the classes of workers that can run them.

use crate::{ClassId, ClassSet};

/// One `Q` for each set of classes that was met. So a worker never looks at a task that it cannot run, and costs
/// grow with the number of these sets, of which programs have a few.
pub(super) struct ByClasses<Q> {
    parts: Vec<(ClassSet, Q)>,
}

impl<Q> ByClasses<Q> {
    pub(super) fn new() -> ByClasses<Q> {
        ByClasses { parts: Vec::new() }
    }

    /// The part of tasks that these classes can run; `new` if there is none yet.
    pub(super) fn part(&mut self, classes: ClassSet, new: impl FnOnce() -> Q) -> &mut Q {
        let known = self.parts.iter().position(|(other, _)| *other == classes);
        let k = known.unwrap_or_else(|| {
            self.parts.push((classes, new()));
            self.parts.len() - 1
        });
        &mut self.parts[k].1
    }

    /// The parts of what workers of this class can run.
    pub(super) fn of(&self, class: ClassId) -> impl Iterator<Item = &Q> {
        let parts = self.parts.iter();
        parts
            .filter(move |(classes, _)| classes.contains(class))
            .map(|(_, part)| part)
    }

    /// The parts of what workers of this class can run, to be changed.
    pub(super) fn of_mut(&mut self, class: ClassId) -> impl Iterator<Item = &mut Q> {
        let parts = self.parts.iter_mut();
        parts
            .filter(move |(classes, _)| classes.contains(class))
            .map(|(_, part)| part)
    }

    /// All parts.
    pub(super) fn all_mut(&mut self) -> impl Iterator<Item = &mut Q> {
        self.parts.iter_mut().map(|(_, part)| part)
    }
}
