//! What a mock device does, besides computing.

use super::{Gate, Law, driver::MockDriver};
use crate::device::DeviceUnit;
use skel_core::{Result, plan::BlockConfig, unit::UnitKind};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

/// What a driver is asked to do, as far as a script can make it fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Room for an array.
    Allocate,
    /// Elements to the device.
    Upload,
    /// Elements from the device.
    Download,
    /// Elements from one array to another, when it grows; takes no time.
    Grow,
    /// The local phase of a piece.
    Launch,
    /// The last phase of a piece of a scan.
    Finish,
}

type Takes = Arc<dyn Fn(usize) -> Duration + Send + Sync>;
type Hook = Arc<dyn Fn(Operation) + Send + Sync>;

/// The description of a mock device; [`Mock::unit`] makes the device.
#[derive(Clone)]
pub struct Mock {
    pub(super) name: String,
    pub(super) kind: UnitKind,
    pub(super) memory_bytes: Option<u64>,
    pub(super) step_bytes: Option<u64>,
    pub(super) largest_array_bytes: Option<u64>,
    pub(super) most_bytes_in_use: Arc<AtomicU64>,
    pub(super) takes: Takes,
    pub(super) law: Option<Law>,
    pub(super) virtual_time: bool,
    pub(super) hook: Hook,
    pub(super) failures: Vec<(Operation, u64)>,
    pub(super) cannot: Option<String>,
    pub(super) faults: Vec<(Operation, u64, Fault)>,
    pub(super) lies_in: Option<BlockConfig>,
    pub(super) refuses: Option<(BlockConfig, Arc<AtomicBool>)>,
    pub(super) compiles: Vec<(u64, Gate)>,
    pub(super) ends: Vec<(u64, Gate)>,
    pub(super) copies_beside_kernels: bool,
}

/// What happens at an operation, besides failing.
#[derive(Clone)]
pub(super) enum Fault {
    /// The device is gone, from then on.
    Vanish,
    /// It waits.
    Wait(Gate),
    /// It does as if it had done it.
    WrongData,
    /// The driver panics.
    Panic,
    /// The kernel does not compile.
    Reject,
    /// There is no memory for it.
    Short,
}

impl Mock {
    /// A device that takes no time and does not fail.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Mock {
            name: name.into(),
            kind: UnitKind::Mock,
            memory_bytes: None,
            step_bytes: None,
            largest_array_bytes: None,
            most_bytes_in_use: Arc::default(),
            takes: Arc::new(|_| Duration::ZERO),
            law: None,
            virtual_time: false,
            hook: Arc::new(|_| ()),
            failures: Vec::new(),
            cannot: None,
            faults: Vec::new(),
            lies_in: None,
            refuses: None,
            compiles: Vec::new(),
            ends: Vec::new(),
            copies_beside_kernels: false,
        }
    }

    fn fault(mut self, operation: Operation, n: u64, fault: Fault) -> Self {
        self.faults.push((operation, n, fault));
        self
    }

    /// Is gone when it is asked for the `n`-th operation of this kind, counted from 1: that one and all
    /// that follow, of any kind, say [`skel_core::Error::DeviceLost`].
    #[must_use]
    pub fn vanishes(self, operation: Operation, n: u64) -> Self {
        self.fault(operation, n, Fault::Vanish)
    }

    /// Waits before the `n`-th operation of this kind, counted from 1, until the gate is opened: a device
    /// that hangs, or one that is held back.
    #[must_use]
    pub fn waits(self, operation: Operation, n: u64, gate: &Gate) -> Self {
        self.fault(operation, n, Fault::Wait(gate.clone()))
    }

    /// Gives zeros in the `n`-th download, counted from 1, instead of what it should, and says that all is
    /// well: for tests of what checks results.
    #[must_use]
    pub fn lies(self, n: u64) -> Self {
        self.fault(Operation::Download, n, Fault::WrongData)
    }

    /// Gives zeros in downloads that follow a launch in this block configuration.
    #[must_use]
    pub fn lies_in(self, block: BlockConfig) -> Self {
        let lies_in = Some(block);
        Mock { lies_in, ..self }
    }

    /// Offers this block configuration, and finds out at the first launch in it that it does not do: it launches as
    /// usual instead, by chance as quickly as its law says, and does not offer it any more.
    #[must_use]
    pub fn refuses(self, block: BlockConfig) -> Self {
        let refuses = Some((block, Arc::default()));
        Mock { refuses, ..self }
    }

    /// Has a driver that panics at the `n`-th operation of this kind, counted from 1.
    #[must_use]
    pub fn panics(self, operation: Operation, n: u64) -> Self {
        self.fault(operation, n, Fault::Panic)
    }

    /// Finds out at the `n`-th launch, counted from 1, that it cannot compile the kernel.
    #[must_use]
    pub fn rejects(self, n: u64) -> Self {
        self.fault(Operation::Launch, n, Fault::Reject)
    }

    /// Has no memory for the `n`-th operation of this kind, counted from 1: [`skel_core::Error::OutOfMemory`].
    #[must_use]
    pub fn runs_short(self, operation: Operation, n: u64) -> Self {
        self.fault(operation, n, Fault::Short)
    }

    /// Has a compiler that is at its `n`-th kernel, counted from 1, until the gate is opened. Without this, it
    /// compiles nothing.
    #[must_use]
    pub fn compiles_behind(mut self, n: u64, gate: &Gate) -> Self {
        self.compiles.push((n, gate.clone()));
        self
    }

    /// Is done with its `n`-th launch, counted from 1, when the gate is opened. Until then it is given further uploads and
    /// launches; what waits for that launch waits. Without this, a launch is done when it has been queued.
    #[must_use]
    pub fn ends_behind(mut self, n: u64, gate: &Gate) -> Self {
        self.ends.push((n, gate.clone()));
        self
    }

    /// Launches take their time, one after the other, while the device goes on with uploads, as GPUs do: what a law says of
    /// both overlaps. Under a virtual clock, times are added up as without this.
    #[must_use]
    pub fn copies_beside_kernels(self) -> Self {
        Mock {
            copies_beside_kernels: true,
            ..self
        }
    }

    /// What it claims to be: `Auto` treats it like that.
    #[must_use]
    pub fn kind(self, kind: UnitKind) -> Self {
        Mock { kind, ..self }
    }

    /// A launch takes as long as is said for its number of elements, or longer. [`Mock::law`] says more.
    #[must_use]
    pub fn takes(self, takes: impl Fn(usize) -> Duration + Send + Sync + 'static) -> Self {
        Mock {
            takes: Arc::new(takes),
            ..self
        }
    }

    /// Launches and transfers take as long as the law says, counted from their beginning; or longer, if
    /// what they really do takes longer. A scan has two phases, which take as much as a launch each. An
    /// element that folds a row or column takes as many times as much as it folds elements.
    #[must_use]
    pub fn law(self, law: Law) -> Self {
        Mock {
            memory_bytes: law.memory().or(self.memory_bytes),
            law: Some(law),
            ..self
        }
    }

    /// Nothing takes time, but what it would have taken is counted: see
    /// [`ContextBuilder::virtual_time`](crate::ContextBuilder::virtual_time).
    #[must_use]
    pub fn virtual_time(self) -> Self {
        Mock {
            virtual_time: true,
            ..self
        }
    }

    /// Called on the device's thread before each operation; may block.
    #[must_use]
    pub fn before_each(self, hook: impl Fn(Operation) + Send + Sync + 'static) -> Self {
        Mock {
            hook: Arc::new(hook),
            ..self
        }
    }

    /// Fails the `n`-th operation of this kind, counted from 1.
    #[must_use]
    pub fn fails(mut self, operation: Operation, n: u64) -> Self {
        self.failures.push((operation, n));
        self
    }

    /// Computes while the next elements are on their way, and takes large pieces in steps of about so many
    /// bytes.
    #[must_use]
    pub fn step_bytes(self, bytes: u64) -> Self {
        Mock {
            step_bytes: Some(bytes),
            ..self
        }
    }

    /// Has only so much memory.
    #[must_use]
    pub fn memory_bytes(self, bytes: u64) -> Self {
        Mock {
            memory_bytes: Some(bytes),
            ..self
        }
    }

    /// Has room for no array of more bytes, as if its memory were in pieces; it does not say so before.
    #[must_use]
    pub fn largest_array_bytes(self, bytes: u64) -> Self {
        Mock {
            largest_array_bytes: Some(bytes),
            ..self
        }
    }

    /// The most bytes that arrays have taken at the same time, on the device that was made of this.
    #[must_use]
    pub fn most_bytes_in_use(&self) -> u64 {
        self.most_bytes_in_use.load(Ordering::Relaxed)
    }

    /// Says of every kernel that it cannot run it.
    #[must_use]
    pub fn cannot(self, reason: impl Into<String>) -> Self {
        Mock {
            cannot: Some(reason.into()),
            ..self
        }
    }

    /// The device.
    ///
    /// # Errors
    /// If the system has no thread to give.
    pub fn unit(&self) -> Result<DeviceUnit<MockDriver>> {
        DeviceUnit::new(MockDriver::new(self.clone()))
    }

    /// Its driver alone.
    #[cfg(test)]
    pub(crate) fn driver(&self) -> MockDriver {
        MockDriver::new(self.clone())
    }
}
