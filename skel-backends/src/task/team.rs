//! Who takes part: the workers of a call, and the machine that a scheduler sees.

use super::{DeviceThreads, Measured};
use crate::{cpu::CpuUnit, device::Deadline, positions::FIRST_DEVICE, unit::Unit};
use skel_core::{Error, Result, call::Call, schedule::UnitIndex};
use skel_tasks::{Link, Machine, MemoryNode};
use std::ops::Range;

/// What schedulers suppose of the way to a device: that of a usual bus (PCIe 4, pinned memory). It only chooses;
/// times that were measured count more, since those of tasks include their transfers.
const BUS: Link = Link {
    latency_ns: 10_000,
    bytes_per_ns: 12.0,
};

/// A worker's place.
#[derive(Clone, Copy)]
pub(crate) struct Seat<'u> {
    /// The position of its unit in the context, as reports count.
    pub(crate) index: UnitIndex,
    /// What computes.
    pub(crate) unit: &'u dyn Unit,
    /// The way to its memory, if that was measured.
    pub(crate) link: Option<Link>,
}

impl Seat<'_> {
    pub(super) fn is_on_host(&self) -> bool {
        self.index < FIRST_DEVICE
    }
}

/// The workers that may take part in a call.
pub(crate) struct Team<'u> {
    /// The workers on the host's memory first, then the devices.
    pub(crate) seats: Vec<Seat<'u>>,
    /// What computes a chunk that a device fails to, and its position.
    pub(crate) fallback: (UnitIndex, &'u CpuUnit),
    /// Threads for its devices.
    pub(crate) device_threads: &'u DeviceThreads,
    /// Whether there is one thread only, which does all in turn: under virtual time.
    pub(crate) in_turn: bool,
    /// How long elements of the call may take on a unit, where that is known.
    pub(crate) deadline: &'u DeadlineOf<'u>,
    /// How long elements of the call take on a unit by the tuner's model, in nanoseconds.
    pub(crate) modelled_ns: &'u ModelledOf<'u>,
}

/// The deadline of a piece on the unit at a position of the context.
pub(crate) type DeadlineOf<'u> =
    dyn Fn(&Call<'_>, UnitIndex, &Range<usize>) -> Option<Deadline> + Sync + 'u;

/// The time of elements on the unit at a position of the context.
pub(crate) type ModelledOf<'u> =
    dyn Fn(&Call<'_>, UnitIndex, &Range<usize>) -> Option<f64> + Sync + 'u;

impl Team<'_> {
    /// The number of workers on the host's memory.
    pub(super) fn host_seats(&self) -> usize {
        self.seats.iter().filter(|seat| seat.is_on_host()).count()
    }

    /// The machine that the scheduler sees, workers in the order of seats; without devices if `host_only`.
    ///
    /// # Errors
    /// [`skel_core::Error::Task`] for more devices than the engine counts.
    pub(super) fn machine(&self, host_only: bool) -> Result<Machine> {
        let devices = self
            .seats
            .iter()
            .filter(|seat| !seat.is_on_host() && !host_only);
        let devices = devices.map(|seat| (&*seat.unit.info().name, seat.link));
        machine(self.host_seats(), devices)
    }

    /// What models say of architectures of which nothing was measured, for a chunk like the first one.
    pub(super) fn introduce(
        &self,
        measured: &mut Measured,
        machine: &Machine,
        call: &Call<'_>,
        chunk: &Range<usize>,
    ) {
        for (worker, seat) in machine.worker_ids().zip(&self.seats) {
            let arch = machine.arch_of(worker);
            if !measured.knows(arch)
                && let Some(ns) = (self.modelled_ns)(call, seat.index, chunk)
            {
                measured.note(arch, ns / chunk.len().max(1) as f64);
            }
        }
    }

    /// The devices, with the memory nodes by which the machine knows theirs.
    pub(super) fn devices(&self) -> impl Iterator<Item = (MemoryNode, &Seat<'_>)> {
        let devices = self.seats.iter().filter(|seat| !seat.is_on_host());
        devices
            .enumerate()
            .map(|(k, seat)| (MemoryNode(k as u8 + 1), seat))
    }
}

/// A machine of so many cores, and of devices of these names, with the ways to them where those were measured.
///
/// # Errors
/// [`skel_core::Error::Task`] for more devices than the engine counts.
pub(crate) fn machine<'n>(
    cores: usize,
    devices: impl Iterator<Item = (&'n str, Option<Link>)>,
) -> Result<Machine> {
    let cores = u32::try_from(cores).unwrap_or(u32::MAX);
    let mut machine = Machine::builder().arch("cpu", cores);
    for (device, link) in devices {
        machine = machine.device(device, 1, None, link.unwrap_or(BUS));
    }
    machine.build().map_err(Error::Task)
}
