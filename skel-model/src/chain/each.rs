//! The greedy prediction: for each call at its turn, from where data lies then. It is used where no shares
//! were chosen for the whole chain.

use crate::{
    RecordedRole, TransferModel,
    chain::{
        sequence::{Operand, SimulatedCall, Site},
        simulate::{Simulation, UnitRange, needed},
    },
    policy::{Moved, UnitCost, predict},
};
use skel_core::space::IntervalSet;

/// Elements that a unit lacks or that the host reads next, bytes of each, and how they are moved.
struct Missing {
    elems: IntervalSet,
    bytes_per_elem: f64,
    ns_per_byte: f64,
    latency_ns: f64,
}

/// The parts of the best assignment of a call.
pub(super) fn parts(
    simulation: &Simulation<'_>,
    call: &SimulatedCall<'_>,
    site: &Site<'_>,
) -> Vec<UnitRange> {
    // Those that share calls first, in the order of the units, then those that do not.
    let known = || (0..site.curves.len()).filter(|unit| site.curves[*unit].is_some());
    let sharing = known().filter(|unit| site.shareable.contains(unit));
    let alone = known().filter(|unit| !site.shareable.contains(unit));
    let units: Vec<usize> = sharing.chain(alone).collect();
    let missing: Vec<_> = units
        .iter()
        .map(|unit| missing(simulation, call, site, *unit))
        .collect();
    let moved: Vec<Vec<Moved<'_>>> = missing
        .iter()
        .map(|(of_range, ..)| {
            let moved = of_range.iter();
            moved
                .map(|m| Moved::new(&m.elems, m.bytes_per_elem, m.ns_per_byte, m.latency_ns))
                .collect()
        })
        .collect();
    let costs: Vec<UnitCost<'_>> = (0..units.len())
        .filter_map(|k| {
            let sized = call.curves[units[k]]?;
            let cost = UnitCost::new(sized.curve, sized.factor);
            let (latency_ns, ns_per_elem) = missing[k].2;
            let cost = cost.fixed(missing[k].1).moving(&moved[k]);
            Some(cost.returning(latency_ns, ns_per_elem))
        })
        .collect();
    let (sharing, alone) = costs.split_at(site.shareable.len());
    let sizes = predict(call.elems, sharing, site.split_overhead_ns(), alone);
    let mut start = 0;
    let mut parts = Vec::new();
    for (unit, size) in units
        .into_iter()
        .zip(sizes.map_or_else(Vec::new, |found| found.sizes))
    {
        if size > 0 {
            parts.push((unit, start..start + size));
        }
        start += size;
    }
    parts
}

/// What a unit lacks of its range, what moving whole containers to it takes, and what bringing back its
/// results does: once, and per element.
fn missing(
    simulation: &Simulation<'_>,
    call: &SimulatedCall<'_>,
    site: &Site<'_>,
    unit: usize,
) -> (Vec<Missing>, f64, (f64, f64)) {
    let (mut of_range, mut whole_ns, mut back) = (Vec::new(), 0.0, (0.0, 0.0));
    let device = simulation.is_device(unit);
    for operand in &call.operands {
        let bytes_per_elem = simulation.bytes_per_elem(operand);
        if operand.role.reads() {
            let (gaps, transfer) = simulation.missing(operand, unit);
            let (ns_per_byte, latency_ns) = if device {
                up(&transfer)
            } else {
                down(&transfer)
            };
            if operand.role == RecordedRole::Whole {
                let elems: usize = gaps.ranges().iter().map(ExactSizeIterator::len).sum();
                if elems > 0 {
                    whole_ns += latency_ns + ns_per_byte * bytes_per_elem * elems as f64;
                }
            } else {
                let elems = of_call(&gaps, operand, call.elems);
                let bytes_per_elem =
                    bytes_per_elem * (operand.elems as f64 / call.elems.max(1) as f64);
                of_range.push(Missing {
                    elems,
                    bytes_per_elem,
                    ns_per_byte,
                    latency_ns,
                });
            }
        }
        if device && operand.role.writes() && site.read_back > 0.0 {
            let (ns_per_byte, latency_ns) = down(&simulation.transfer(unit));
            back.0 += latency_ns * site.read_back;
            back.1 += bytes_per_elem * site.read_back * ns_per_byte;
        }
    }
    (of_range, whole_ns, back)
}

fn up(transfer: &TransferModel) -> (f64, f64) {
    (transfer.up_ns_per_byte, transfer.up_latency_ns)
}

fn down(transfer: &TransferModel) -> (f64, f64) {
    (transfer.down_ns_per_byte, transfer.down_latency_ns)
}

/// Elements of an operand, as elements of the call.
fn of_call(gaps: &IntervalSet, operand: &Operand, elems: usize) -> IntervalSet {
    if operand.elems == elems {
        return gaps.clone();
    }
    let mut scaled = IntervalSet::new();
    for gap in gaps.ranges() {
        scaled.insert(needed(&Operand { elems, ..*operand }, gap, operand.elems));
    }
    scaled
}
