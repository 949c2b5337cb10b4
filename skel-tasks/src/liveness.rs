//! Which workers are there.

use crate::{ArchSet, ClassId, ClassSet, Machine, WorkerId};

pub(crate) struct Liveness {
    workers: Vec<bool>,
    classes: Vec<u32>,
}

impl Liveness {
    pub(crate) fn new(machine: &Machine) -> Liveness {
        Liveness {
            workers: vec![true; machine.workers()],
            classes: machine
                .classes()
                .iter()
                .map(|class| class.workers)
                .collect(),
        }
    }

    /// Whether it was there before.
    pub(crate) fn lose(&mut self, machine: &Machine, worker: WorkerId) -> bool {
        let was_there = self.worker(worker);
        if was_there {
            self.workers[worker.0 as usize] = false;
            self.classes[machine.class_of(worker).0 as usize] -= 1;
        }
        was_there
    }

    pub(crate) fn worker(&self, worker: WorkerId) -> bool {
        self.workers
            .get(worker.0 as usize)
            .copied()
            .unwrap_or(false)
    }

    pub(crate) fn class(&self, class: ClassId) -> u32 {
        self.classes[class.0 as usize]
    }

    /// The classes that have workers left, of these architectures.
    pub(crate) fn classes(&self, machine: &Machine, archs: ArchSet) -> ClassSet {
        let all = machine.classes_of(archs);
        all.iter().filter(|class| self.class(*class) > 0).collect()
    }
}
