//! The two sides of a machine.

use crate::{BadOption, ClassId, ClassSet, Machine, MemoryNode, View};

/// Where a task runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Host,
    Device,
}

impl Side {
    pub(super) fn other(self) -> Side {
        match self {
            Side::Host => Side::Device,
            Side::Device => Side::Host,
        }
    }
}

/// Which classes of workers are on which side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    host: ClassSet,
    device: ClassSet,
}

impl Sides {
    pub(super) fn of(machine: &Machine) -> Sides {
        let (mut host, mut device) = (ClassSet::EMPTY, ClassSet::EMPTY);
        for (k, class) in machine.classes().iter().enumerate() {
            match class.node == MemoryNode::HOST {
                true => host.insert(ClassId(k as u8)),
                false => device.insert(ClassId(k as u8)),
            }
        }
        Sides { host, device }
    }

    pub(super) fn classes(&self, side: Side) -> ClassSet {
        match side {
            Side::Host => self.host,
            Side::Device => self.device,
        }
    }

    pub(super) fn side(&self, class: ClassId) -> Side {
        match self.host.contains(class) {
            true => Side::Host,
            false => Side::Device,
        }
    }

    /// How many workers of a side are there.
    pub(super) fn live(&self, side: Side, view: &View<'_>) -> u32 {
        self.classes(side)
            .iter()
            .map(|class| view.live(class))
            .sum()
    }

    /// The share of devices, if the machine has the side that it needs.
    pub(super) fn can_have(&self, option: &str, share: f64) -> Result<(), BadOption> {
        if share > 0.0 && self.device.is_empty() {
            return Err(BadOption::new(
                option,
                share,
                "0, since the machine has no device",
            ));
        }
        if share < 1.0 && self.host.is_empty() {
            return Err(BadOption::new(
                option,
                share,
                "1, since the machine has devices only",
            ));
        }
        Ok(())
    }
}
