//! How long a sequence takes, for given shares.
//!
//! The host and each device have a clock. A device's runs on while the host does something else; the host
//! waits where it reads, where it wants a value, and until uploads are done.

use crate::{
    RecordedRole, TransferModel,
    chain::{
        Waits, each,
        sequence::{self, Extent, Op, Operand, Sequence, SimulatedCall},
    },
};
use skel_core::{
    schedule::{Share, cut},
    space::IntervalSet,
};
use std::ops::Range;

/// The state of a simulation: where data is valid, and the time of each clock.
pub(super) struct Simulation<'a> {
    sequence: &'a Sequence<'a>,
    buffers: Vec<Buffer>,
    host_ns: f64,
    /// Per unit; those of the host stay at zero.
    device_ns: Vec<f64>,
}

/// A unit, and what it takes.
pub(super) type UnitRange = (usize, Range<usize>);

/// Where a buffer's elements are valid.
struct Buffer {
    host: IntervalSet,
    /// Per unit; nothing for those of the host.
    devices: Vec<IntervalSet>,
}

impl<'a> Simulation<'a> {
    /// The end of everything. `shares` has, per site, what each unit takes.
    pub(super) fn run(sequence: &'a Sequence<'a>, shares: &[Vec<f64>]) -> f64 {
        Simulation::with(sequence, |_, call, site| parts(call.elems, &shares[site]))
    }

    /// The end of everything, if what is done with each call is predicted at its turn.
    pub(super) fn run_each(sequence: &'a Sequence<'a>) -> f64 {
        Simulation::with(sequence, |simulation, call, site| {
            each::parts(simulation, call, &sequence.sites[site])
        })
    }

    fn with(
        sequence: &'a Sequence<'a>,
        assign: impl Fn(&Simulation<'a>, &SimulatedCall<'_>, usize) -> Vec<UnitRange>,
    ) -> f64 {
        let mut simulation = Simulation {
            sequence,
            buffers: Vec::new(),
            host_ns: 0.0,
            device_ns: vec![0.0; sequence.units.len()],
        };
        simulation.forget();
        for op in &sequence.ops {
            match op {
                Op::Call(call) => {
                    let parts = call.site.map(|site| assign(&simulation, call, site));
                    simulation.call(call, parts.unwrap_or_default());
                }
                Op::Read { buffer, range } => simulation.fetch(*buffer, range.clone()),
                Op::Forget => simulation.forget(),
            }
        }
        simulation.end_ns()
    }

    fn end_ns(&self) -> f64 {
        self.device_ns.iter().copied().fold(self.host_ns, f64::max)
    }

    fn forget(&mut self) {
        self.host_ns = self.end_ns();
        let units = self.sequence.units.len();
        let buffer = |extent: &Extent| Buffer {
            host: IntervalSet::of(0..extent.elems),
            devices: vec![IntervalSet::new(); units],
        };
        self.buffers = self.sequence.buffers.iter().map(buffer).collect();
    }

    fn call(&mut self, call: &SimulatedCall<'_>, parts: Vec<UnitRange>) {
        let Some(site) = call.site else {
            // On the host, in no time.
            for operand in call.operands.iter().filter(|operand| operand.role.reads()) {
                self.fetch(operand.buffer, 0..operand.elems);
            }
            call.operands
                .iter()
                .for_each(|operand| self.write(None, operand, 0..operand.elems));
            return;
        };
        for (unit, range) in &parts {
            self.gather(*unit, call, range);
        }
        let site = &self.sequence.sites[site];
        let mut uploaded_ns = 0.0_f64;
        let mut ready_ns = 0.0_f64;
        let mut host_ns = 0.0;
        for (unit, range) in &parts {
            let ns = sequence::ns(&call.curves, *unit, range.len());
            if self.is_device(*unit) {
                uploaded_ns = uploaded_ns.max(self.upload(*unit, call, range));
                self.device_ns[*unit] += ns;
                ready_ns = ready_ns.max(self.device_ns[*unit]);
            } else {
                // When all devices have begun.
                host_ns += ns;
            }
        }
        self.host_ns += host_ns;
        self.host_ns = self.host_ns.max(uploaded_ns);
        if call.value || self.sequence.waits == Waits::ForDevices {
            self.host_ns = self.host_ns.max(ready_ns);
        }
        if parts.len() > 1 {
            // Each unit that takes part is slowed down: units that compute on the same cores share them.
            let overhead_ns = site.split_overhead_ns();
            self.host_ns += overhead_ns;
            for (unit, _) in &parts {
                if self.is_device(*unit) {
                    self.device_ns[*unit] += overhead_ns;
                }
            }
        }
        for (unit, range) in &parts {
            let device = self.is_device(*unit).then_some(*unit);
            for operand in &call.operands {
                self.write(device, operand, needed(operand, range, call.elems));
            }
        }
    }

    pub(super) fn is_device(&self, unit: usize) -> bool {
        self.sequence.units[unit].is_device()
    }

    pub(super) fn transfer(&self, unit: usize) -> TransferModel {
        self.sequence.transfers[unit]
    }

    pub(super) fn bytes_per_elem(&self, operand: &Operand) -> f64 {
        self.sequence.buffers[operand.buffer].bytes_per_elem
    }

    /// What of an operand a unit lacks, and how that gets there: to the host from the first device that has
    /// any of it.
    pub(super) fn missing(&self, operand: &Operand, unit: usize) -> (IntervalSet, TransferModel) {
        let buffer = &self.buffers[operand.buffer];
        let device = self.is_device(unit);
        let there = if device {
            &buffer.devices[unit]
        } else {
            &buffer.host
        };
        let mut gaps = IntervalSet::new();
        there
            .missing(0..operand.elems)
            .into_iter()
            .for_each(|gap| gaps.insert(gap));
        let from = if device {
            Some(unit)
        } else {
            buffer.devices.iter().position(|there| !there.is_empty())
        };
        (
            gaps,
            from.map(|unit| self.transfer(unit)).unwrap_or_default(),
        )
    }

    /// Brings to the host what the unit reads there, or what has to go through the host to get to it.
    fn gather(&mut self, unit: usize, call: &SimulatedCall<'_>, range: &Range<usize>) {
        for operand in call.operands.iter().filter(|operand| operand.role.reads()) {
            let needed = needed(operand, range, call.elems);
            let missing = if self.is_device(unit) {
                self.buffers[operand.buffer].devices[unit].missing(needed)
            } else {
                vec![needed]
            };
            for range in missing {
                self.fetch(operand.buffer, range);
            }
        }
    }

    /// Brings to a device what it reads and lacks, and says when that is done.
    fn upload(&mut self, unit: usize, call: &SimulatedCall<'_>, range: &Range<usize>) -> f64 {
        let transfer = self.sequence.transfers[unit];
        let mut ns = self.device_ns[unit].max(self.host_ns);
        let mut uploaded_ns = 0.0;
        for operand in call.operands.iter().filter(|operand| operand.role.reads()) {
            let bytes_per_elem = self.bytes_per_elem(operand);
            let there = &mut self.buffers[operand.buffer].devices[unit];
            for missing in there.missing(needed(operand, range, call.elems)) {
                let bytes = missing.len() as f64 * bytes_per_elem;
                ns += transfer.up_latency_ns + transfer.up_ns_per_byte * bytes;
                uploaded_ns = ns;
                there.insert(missing);
            }
        }
        self.device_ns[unit] = ns;
        uploaded_ns
    }

    /// Brings to the host what it lacks.
    fn fetch(&mut self, buffer: usize, range: Range<usize>) {
        let bytes_per_elem = self.sequence.buffers[buffer].bytes_per_elem;
        let buffer = &mut self.buffers[buffer];
        for missing in buffer.host.missing(range) {
            let mut left = IntervalSet::of(missing.clone());
            for (unit, there) in buffer.devices.iter().enumerate() {
                let transfer = self.sequence.transfers[unit];
                for part in left.clone().ranges() {
                    for found in there.present(part.clone()) {
                        let bytes = found.len() as f64 * bytes_per_elem;
                        let begin_ns = self.host_ns.max(self.device_ns[unit]);
                        let moving_ns =
                            transfer.down_latency_ns + transfer.down_ns_per_byte * bytes;
                        self.host_ns = begin_ns + moving_ns;
                        self.device_ns[unit] = self.host_ns;
                        left.remove(found);
                    }
                }
            }
            buffer.host.insert(missing);
        }
    }

    /// A unit has written its part: it is valid there and nowhere else.
    fn write(&mut self, device: Option<usize>, operand: &Operand, range: Range<usize>) {
        if !operand.role.writes() {
            return;
        }
        let buffer = &mut self.buffers[operand.buffer];
        buffer.host.remove(range.clone());
        buffer
            .devices
            .iter_mut()
            .for_each(|there| there.remove(range.clone()));
        match device {
            Some(unit) => buffer.devices[unit].insert(range),
            None => buffer.host.insert(range),
        }
    }
}

/// Which units take part, and with which range.
fn parts(elems: usize, shares: &[f64]) -> Vec<UnitRange> {
    let share = |share: &f64| Share::from_ratio(share.clamp(0.0, 1.0)).unwrap_or(Share::NONE);
    let sizes = cut(elems, &shares.iter().map(share).collect::<Vec<_>>());
    let mut start = 0;
    let ranges = sizes.into_iter().map(|size| {
        start += size;
        start - size..start
    });
    ranges
        .enumerate()
        .filter(|(_, range)| !range.is_empty())
        .collect()
}

/// The elements of an operand that a range of the call needs.
pub(super) fn needed(operand: &Operand, range: &Range<usize>, elems: usize) -> Range<usize> {
    if operand.role == RecordedRole::Whole {
        return 0..operand.elems;
    }
    if operand.elems == elems {
        return range.clone();
    }
    // No larger than the operand, so it fits.
    let scale = |k: usize| (k as u128 * operand.elems as u128 / elems.max(1) as u128) as usize;
    scale(range.start)..scale(range.end)
}
