//! From a model to an assignment.

use super::{CPU, Context, FIRST_DEVICE, Part, SEQUENTIAL, select::Choice};
use crate::tune::{Asked, Entry, beside_elems};
use arrayvec::ArrayVec;
use skel_core::{
    call::{Call, Operand, Source},
    container::{Buffer, IntervalSet},
    model::{ClassModel, Quality, TransferModel, UnitId, UnitModel},
    schedule::{Assignment, Moved, Policy, Share, StaticSplit, UnitCost, UnitIndex, predict},
    unit::NodeId,
};
use std::{ops::Range, sync::Arc};

/// What is predicted for a call.
pub(crate) struct Predicted {
    pub(crate) parts: Vec<Part>,
    pub(crate) ns: f64,
}

/// A choice, and the model that it rests on.
pub(super) struct Tuned {
    pub(super) choice: Choice,
    pub(super) ns: f64,
    pub(super) entry: Arc<Entry>,
}

/// The best assignment of the class's own size, where everything is where it is needed.
pub(crate) fn resident(model: &ClassModel, units: &[(UnitIndex, UnitId)]) -> Option<Predicted> {
    let (mut sharing, mut alone) = (Vec::new(), Vec::new());
    for (index, id) in units {
        let Some(unit) = model.units.iter().find(|unit| unit.unit == *id) else {
            continue;
        };
        let cost = UnitCost::new(&unit.fit.curve, 1.0);
        if *index == SEQUENTIAL {
            alone.push((*index, cost));
        } else {
            sharing.push((*index, cost));
        }
    }
    assign(model.elems, &sharing, &alone, model.split_overhead_ns)
}

fn assign(
    elems: usize,
    sharing: &[(UnitIndex, UnitCost<'_>)],
    alone: &[(UnitIndex, UnitCost<'_>)],
    overhead_ns: f64,
) -> Option<Predicted> {
    fn costs<'c>(units: &[(UnitIndex, UnitCost<'c>)]) -> ArrayVec<UnitCost<'c>, MOST_UNITS> {
        units
            .iter()
            .take(MOST_UNITS)
            .map(|(_, cost)| *cost)
            .collect()
    }
    // `predict` names positions in the lists.
    let predicted = predict(elems, &costs(sharing), overhead_ns, &costs(alone))?;
    let units = sharing
        .iter()
        .take(MOST_UNITS)
        .chain(alone.iter().take(MOST_UNITS));
    let sizes = units.map(|(index, _)| *index).zip(predicted.sizes);
    Some(Predicted {
        parts: Assignment::of_sizes(sizes).pieces,
        ns: predicted.ns,
    })
}

/// More units than this are not asked.
const MOST_UNITS: usize = 16;

/// What the model of the call's instance says, if there is one. A call like one of the last is given the same
/// again, without asking the model.
pub(super) fn choose(context: &Context, call: &Call<'_>) -> Option<Tuned> {
    let entry = context.table().find(call)?;
    let asked = Asked {
        elems: call.shape.len(),
        beside_elems: beside_elems(call),
        residency: residency(call),
    };
    let known = entry.recall(&asked).filter(|known| {
        let able = |(index, _): &Part| context.is_able(*index, call);
        known.parts.iter().all(able)
    });
    let (parts, ns) = match known {
        Some(known) => (known.parts.to_vec(), known.ns),
        None => {
            let predicted = ask(context, call, &entry, &asked)?;
            entry.remember(asked, &predicted.parts, predicted.ns);
            (predicted.parts, predicted.ns)
        }
    };
    let choice = Choice {
        pieces: parts,
        by_name: false,
    };
    Some(Tuned { choice, ns, entry })
}

/// Asks the model.
fn ask(context: &Context, call: &Call<'_>, entry: &Entry, asked: &Asked) -> Option<Predicted> {
    let (class, factor) = entry.model.class(asked.elems, asked.beside_elems)?;
    let units = units(context, call, class);
    if let Some(parts) = chained(entry, &units, asked) {
        return Some(Predicted { parts, ns: 0.0 });
    }
    let read_back = entry.model.read_back;
    let costs: Vec<Moves> = units
        .iter()
        .map(|(index, unit)| {
            moves(
                context,
                call,
                (*index, &unit.unit),
                &entry.transfers,
                read_back,
            )
        })
        .collect();
    let moved: Vec<Vec<Moved<'_>>> = costs.iter().map(Moves::moved).collect();
    let (mut sharing, mut alone) = (Vec::new(), Vec::new());
    for (k, (index, unit)) in units.iter().enumerate() {
        let cost = UnitCost::new(&unit.fit.curve, factor)
            .fixed(costs[k].fixed_ns)
            .moving(&moved[k]);
        // A model that is not to be trusted decides between single units at most.
        if *index == SEQUENTIAL || class.quality != Quality::Good {
            alone.push((*index, cost));
        } else {
            sharing.push((*index, cost));
        }
    }
    assign(asked.elems, &sharing, &alone, class.split_overhead_ns)
}

/// The units that the class knows and that can run the call, in the order of the ranges.
fn units<'m>(
    context: &Context,
    call: &Call<'_>,
    class: &'m ClassModel,
) -> Vec<(UnitIndex, &'m UnitModel)> {
    let index = |unit: &UnitId| match unit {
        UnitId::Sequential => Some(SEQUENTIAL),
        UnitId::Cpu => Some(CPU),
        UnitId::Device { .. } => context.device(unit),
    };
    let known = class.units.iter();
    let known = known.filter_map(|unit| Some((index(&unit.unit)?, unit)));
    let mut able: Vec<_> = known
        .filter(|(index, _)| context.is_able(*index, call))
        .collect();
    able.sort_by_key(|(index, _)| *index);
    able
}

/// Shares that were chosen for the whole program.
fn chained(entry: &Entry, units: &[(UnitIndex, &UnitModel)], asked: &Asked) -> Option<Vec<Part>> {
    let choice = entry.model.chain_choice(asked.elems, asked.beside_elems)?;
    let share = |id: &UnitId| {
        let found = choice.shares.iter().find(|(unit, _)| unit == id);
        found.and_then(|(_, share)| Share::from_ratio(*share).ok())
    };
    let shares: Vec<Share> = units
        .iter()
        .map(|(_, unit)| share(&unit.unit).unwrap_or(Share::NONE))
        .collect();
    // Only units had a share that are not there: then it says nothing.
    if shares.iter().all(|share| *share == Share::NONE) {
        return None;
    }
    let indices: Vec<UnitIndex> = units.iter().map(|(index, _)| *index).collect();
    Some(StaticSplit { shares }.assign(asked.elems, &indices).pieces)
}

/// Where the elements of the call's containers are, as a number: what is predicted depends on it.
fn residency(call: &Call<'_>) -> u64 {
    let mix = |hash: u64, part: u64| (hash ^ part).wrapping_mul(0x0000_0100_0000_01b3);
    let of = |operand: &Operand<'_>| operand.buffer().map_or(0, Buffer::residency);
    call.operands
        .iter()
        .map(of)
        .fold(0xcbf2_9ce4_8422_2325, mix)
}

/// What a unit lacks.
struct Moves {
    /// What it lacks of whole containers, whatever its range.
    fixed_ns: f64,
    parts: Vec<(IntervalSet, f64, f64, f64)>,
}

impl Moves {
    fn moved(&self) -> Vec<Moved<'_>> {
        let parts = self.parts.iter();
        parts
            .map(|(missing, bytes, per_byte, latency)| {
                Moved::new(missing, *bytes, *per_byte, *latency)
            })
            .collect()
    }
}

fn moves(
    context: &Context,
    call: &Call<'_>,
    (index, id): (UnitIndex, &UnitId),
    transfers: &[(UnitId, TransferModel)],
    read_back: f64,
) -> Moves {
    let mut moves = Moves {
        fixed_ns: 0.0,
        parts: Vec::new(),
    };
    let node = match context.unit(index) {
        Ok(unit) => unit.node(),
        Err(_) => return moves,
    };
    let all = 0..call.shape.len();
    let of = |id: &UnitId| {
        transfers
            .iter()
            .find(|(known, _)| known == id)
            .map(|(_, t)| t)
    };
    // What the host lacks, some device has: the first one will do for an estimate.
    let device = if index < FIRST_DEVICE {
        transfers.first().map(|(_, t)| t)
    } else {
        of(id)
    };
    let Some(transfer) = device else {
        return moves;
    };
    let (latency, per_byte) = if index < FIRST_DEVICE {
        (transfer.down_latency_ns, transfer.down_ns_per_byte)
    } else {
        (transfer.up_latency_ns, transfer.up_ns_per_byte)
    };
    let back = (transfer.down_latency_ns, transfer.down_ns_per_byte);
    for operand in &call.operands {
        let bytes = bytes_per_elem(operand, call.shape.len());
        match operand {
            Operand::Read(buffer) | Operand::Window(buffer, _) => {
                let missing = missing(buffer, node, 0..buffer.len());
                if !missing.is_empty() {
                    moves.parts.push((missing, bytes, per_byte, latency));
                }
            }
            Operand::Update(target) => {
                let window = target.window();
                let missing = missing(target.buffer(), node, window);
                if !missing.is_empty() {
                    moves.parts.push((missing, bytes, per_byte, latency));
                }
            }
            Operand::View(buffer, _) | Operand::Scalar(buffer) => {
                whole(
                    &mut moves,
                    buffer,
                    node,
                    0..buffer.len(),
                    (latency, per_byte),
                );
            }
            Operand::Strided(Source::Container(buffer), _)
            | Operand::ViewPart(Source::Container(buffer), ..)
            | Operand::WindowPart(Source::Container(buffer), ..) => {
                whole(
                    &mut moves,
                    buffer,
                    node,
                    0..buffer.len(),
                    (latency, per_byte),
                );
            }
            // Borrowed memory is the host's, before and after: each run that was measured has moved it.
            _ => {}
        }
        let comes_back = match operand {
            Operand::Write(_) | Operand::Update(_) => read_back,
            _ => 0.0,
        };
        if node != NodeId::HOST && comes_back > 0.0 {
            let written = IntervalSet::of(all.clone());
            moves
                .parts
                .push((written, bytes * comes_back, back.1, back.0 * comes_back));
        }
    }
    moves
}

fn whole(
    moves: &mut Moves,
    buffer: &Buffer,
    node: NodeId,
    r: Range<usize>,
    (latency, per_byte): (f64, f64),
) {
    let elems: usize = buffer.missing(node, r).iter().map(Range::len).sum();
    if elems > 0 {
        moves.fixed_ns += latency + per_byte * (elems * buffer.layout().size_bytes()) as f64;
    }
}

/// What of `r` is missing, counted from its beginning.
fn missing(buffer: &Buffer, node: NodeId, r: Range<usize>) -> IntervalSet {
    let mut missing = IntervalSet::new();
    for part in buffer.missing(node, r.clone()) {
        missing.insert(part.start - r.start..part.end - r.start);
    }
    missing
}

/// Bytes of an operand per element of the call.
fn bytes_per_elem(operand: &Operand<'_>, elems: usize) -> f64 {
    let size = match operand {
        Operand::ReadSlice(view) => view.layout().size_bytes(),
        Operand::UpdateSlice(slice) | Operand::WriteSlice(slice) => slice.layout().size_bytes(),
        operand => operand
            .buffer()
            .map_or(0, |buffer| buffer.layout().size_bytes()),
    };
    let per_elem = operand
        .len()
        .map_or(0.0, |len| len as f64 / elems.max(1) as f64);
    size as f64
        * per_elem.max(if matches!(operand, Operand::Window(..)) {
            0.0
        } else {
            1.0
        })
}
