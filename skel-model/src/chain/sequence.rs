//! The recorded calls, with their models looked up.

use crate::{
    ClassModel, Event, InstanceModel, Quality, RecordedCall, RecordedRole, SizedCurve, Sizes,
    TransferModel, UnitId, chain::Waits, curve::tame, size_class,
};
use std::{collections::HashMap, ops::Range};

/// At most so many calls and reads are simulated, in so many stretches.
const MOST_EVENTS: usize = 1024;
const STRETCHES: usize = 4;

/// All that a simulation needs.
pub(super) struct Sequence<'a> {
    /// The units that any model speaks of: those of the host, then the devices.
    pub(super) units: Vec<UnitId>,
    /// Per unit; zeros for the host.
    pub(super) transfers: Vec<TransferModel>,
    /// What shares are chosen for.
    pub(super) sites: Vec<Site<'a>>,
    /// What happens, one after the other.
    pub(super) ops: Vec<Op<'a>>,
    /// What is moved.
    pub(super) buffers: Vec<Extent>,
    /// How long calls wait for devices.
    pub(super) waits: Waits,
}

/// How large a buffer is.
#[derive(Clone, Copy, Default)]
pub(super) struct Extent {
    pub(super) elems: usize,
    pub(super) bytes_per_elem: f64,
}

/// An instance, and one of its size classes.
pub(super) struct Site<'a> {
    pub(super) id: &'a str,
    pub(super) elems: usize,
    pub(super) beside_elems: usize,
    /// The model that is nearest.
    class: &'a ClassModel,
    /// As of a call of so many elements.
    pub(super) curves: Curves<'a>,
    /// See [`InstanceModel::read_back`].
    pub(super) read_back: f64,
    /// Which units share calls.
    pub(super) shareable: Vec<usize>,
}

/// The curve of each unit, where there is one.
pub(super) type Curves<'a> = Vec<Option<SizedCurve<'a>>>;

/// Something that happens.
pub(super) enum Op<'a> {
    Call(SimulatedCall<'a>),
    Read {
        buffer: usize,
        range: Range<usize>,
    },
    /// Another stretch begins: nothing is on its way, and the host has everything.
    Forget,
}

pub(super) struct SimulatedCall<'a> {
    /// `None` without a model.
    pub(super) site: Option<usize>,
    pub(super) elems: usize,
    /// None without a model.
    pub(super) curves: Curves<'a>,
    pub(super) operands: Vec<Operand>,
    /// Whether the host waits for a value.
    pub(super) value: bool,
}

pub(super) struct Operand {
    pub(super) buffer: usize,
    pub(super) role: RecordedRole,
    pub(super) elems: usize,
}

impl<'a> Sequence<'a> {
    pub(super) fn new(
        events: &'a [Event],
        models: &'a [InstanceModel],
        sizes: &'a [Sizes],
        transfers: &[(UnitId, TransferModel)],
    ) -> Sequence<'a> {
        let modelled = models
            .iter()
            .flat_map(|m| &m.classes)
            .flat_map(|c| &c.units);
        let mut units: Vec<UnitId> = modelled.map(|unit| unit.unit.clone()).collect();
        units.sort();
        units.dedup();
        let transfer = |unit: &UnitId| transfers.iter().find(|(id, _)| id == unit).map(|(_, t)| *t);
        let mut sequence = Sequence {
            transfers: units
                .iter()
                .map(|unit| tamed(transfer(unit).unwrap_or_default()))
                .collect(),
            units,
            sites: Vec::new(),
            ops: Vec::new(),
            buffers: Vec::new(),
            waits: Waits::ForUploads,
        };
        let mut known = Known {
            models: models
                .iter()
                .zip(sizes)
                .map(|(model, sizes)| (model.key.id(), (model, sizes)))
                .collect(),
            sites: HashMap::new(),
            buffers: HashMap::new(),
        };
        for (k, stretch) in stretches(events).into_iter().enumerate() {
            if k > 0 {
                sequence.ops.push(Op::Forget);
            }
            for event in stretch {
                let op = sequence.op(event, &mut known);
                sequence.ops.push(op);
            }
        }
        sequence
    }

    /// Shares with the names of their units, without those that have nothing.
    pub(super) fn named(&self, shares: &[f64]) -> Vec<(UnitId, f64)> {
        let named = self.units.iter().cloned().zip(shares.iter().copied());
        named.filter(|(_, share)| *share > 0.0).collect()
    }

    /// What was verified to be best for a site.
    pub(super) fn verified(&self, site: &Site<'_>) -> Option<Vec<f64>> {
        let best = site.class.best.as_ref()?;
        let share = |unit: &UnitId| {
            best.iter()
                .find(|(id, _)| id == unit)
                .map_or(0.0, |(_, share)| *share)
        };
        let shares: Vec<f64> = self.units.iter().map(share).collect();
        let sum: f64 = shares.iter().sum();
        let sound = shares.iter().all(|share| (0.0..=1.0).contains(share)) && sum > 0.0;
        // Only their proportions count.
        sound.then(|| shares.iter().map(|share| share / sum).collect())
    }

    fn op(&mut self, event: &'a Event, known: &mut Known<'a>) -> Op<'a> {
        match event {
            Event::Read { buffer, from, to } => Op::Read {
                buffer: self.buffer(*buffer, *to, 0, known),
                range: *from..*to,
            },
            Event::Call(call) => {
                let operands: Vec<Operand> = call
                    .operands
                    .iter()
                    .map(|operand| Operand {
                        buffer: self.buffer(
                            operand.buffer,
                            operand.elems,
                            operand.bytes_per_elem,
                            known,
                        ),
                        role: operand.role,
                        elems: operand.elems,
                    })
                    .collect();
                let site = self.site(call, known);
                Op::Call(SimulatedCall {
                    site,
                    elems: call.elems,
                    curves: self.curves(site, call, known),
                    value: !operands.iter().any(|operand| operand.role.writes()),
                    operands,
                })
            }
        }
    }

    /// Calls of one site may be of several sizes.
    fn curves(&self, site: Option<usize>, call: &RecordedCall, known: &Known<'a>) -> Curves<'a> {
        let site = site.map(|site| &self.sites[site]);
        let model = known.models.get(&call.id);
        match (site, model) {
            (Some(site), Some((_, sizes))) => curves(&self.units, site.class, sizes, call.elems),
            _ => Vec::new(),
        }
    }

    fn buffer(
        &mut self,
        number: u64,
        elems: usize,
        bytes_per_elem: usize,
        known: &mut Known<'a>,
    ) -> usize {
        let k = *known.buffers.entry(number).or_insert_with(|| {
            self.buffers.push(Extent::default());
            self.buffers.len() - 1
        });
        let extent = &mut self.buffers[k];
        extent.elems = extent.elems.max(elems);
        extent.bytes_per_elem = extent.bytes_per_elem.max(bytes_per_elem as f64);
        k
    }

    fn site(&mut self, call: &'a RecordedCall, known: &mut Known<'a>) -> Option<usize> {
        let key = (
            call.id.as_str(),
            size_class(call.elems),
            size_class(call.beside_elems),
        );
        if let Some(site) = known.sites.get(&key) {
            return *site;
        }
        let site = known.models.get(&call.id).and_then(|model| {
            let (model, sizes) = *model;
            let (class, _) = model.class(call.elems, call.beside_elems)?;
            if class.units.is_empty() {
                return None;
            }
            let of = |unit: &UnitId| class.units.iter().find(|model| model.unit == *unit);
            let shares = |k: &usize| {
                let unit = of(&self.units[*k]).filter(|_| self.units[*k] != UnitId::Sequential);
                let good = class.quality == Quality::Good;
                good && unit.is_some_and(|unit| unit.fit.quality == Quality::Good)
            };
            self.sites.push(Site {
                id: &call.id,
                elems: call.elems,
                beside_elems: call.beside_elems,
                class,
                read_back: tame(model.read_back).min(1.0),
                curves: curves(&self.units, class, sizes, call.elems),
                shareable: (0..self.units.len()).filter(shares).collect(),
            });
            Some(self.sites.len() - 1)
        });
        known.sites.insert(key, site);
        site
    }
}

/// What is looked up while events become operations.
struct Known<'a> {
    models: HashMap<String, (&'a InstanceModel, &'a Sizes)>,
    sites: HashMap<(&'a str, u32, u32), Option<usize>>,
    buffers: HashMap<u64, usize>,
}

/// What a unit takes for so many elements.
pub(super) fn ns(curves: &Curves<'_>, unit: usize, elems: usize) -> f64 {
    curves[unit].map_or(f64::INFINITY, |curve| curve.ns(elems as f64))
}

fn curves<'a>(
    units: &[UnitId],
    class: &'a ClassModel,
    sizes: &'a Sizes,
    elems: usize,
) -> Curves<'a> {
    let of = |unit: &UnitId| class.units.iter().find(|model| model.unit == *unit);
    let units = units.iter();
    units
        .map(|unit| Some(sizes.curve(class, of(unit)?, elems)))
        .collect()
}

impl Site<'_> {
    /// By how much, relatively, a call that these units share may take longer than their curves say: what the curves
    /// are off where they were measured, or what runs differ by.
    pub(super) fn unsure(&self, units: impl Iterator<Item = usize>, ids: &[UnitId]) -> f64 {
        let of = |unit: usize| {
            self.class
                .units
                .iter()
                .find(|model| model.unit == ids[unit])
        };
        let off = units.filter_map(|unit| Some(of(unit)?.fit.relative_rms));
        // Without samples nothing is known of runs.
        let measured = self.class.units.iter().any(|unit| !unit.samples.is_empty());
        off.fold(if measured { self.class.noise() } else { 0.0 }, f64::max)
    }

    pub(super) fn split_overhead_ns(&self) -> f64 {
        tame(self.class.split_overhead_ns)
    }
}

/// All events, or some of a long program: the beginning, the end, and others between.
fn stretches(events: &[Event]) -> Vec<&[Event]> {
    if events.len() <= MOST_EVENTS {
        return vec![events];
    }
    let len = MOST_EVENTS / STRETCHES;
    let from = |k: usize| (events.len() - len) * k / (STRETCHES - 1);
    (0..STRETCHES)
        .map(|k| &events[from(k)..from(k) + len])
        .collect()
}

fn tamed(transfer: TransferModel) -> TransferModel {
    TransferModel {
        up_latency_ns: tame(transfer.up_latency_ns),
        up_ns_per_byte: tame(transfer.up_ns_per_byte),
        down_latency_ns: tame(transfer.down_latency_ns),
        down_ns_per_byte: tame(transfer.down_ns_per_byte),
    }
}
