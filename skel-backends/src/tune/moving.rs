//! Splits of a call that has to move data: what is best for it differs from what is best where all data lies
//! where it is needed.

use crate::context::{FIRST_DEVICE, SEQUENTIAL, tuned::Predicted};
use skel_core::{
    call::{Call, Operand, Source},
    container::IntervalSet,
    model::{ClassModel, Quality, TransferModel, UnitId},
    schedule::{Assignment, Moved, UnitCost, UnitIndex, predict},
};

/// What the program may have to move when it makes such a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Situation {
    /// Devices lack the arguments.
    Arguments,
    /// The host reads what they compute.
    Results,
    /// Both.
    All,
}

impl Situation {
    pub(super) const EACH: [Situation; 3] =
        [Situation::All, Situation::Results, Situation::Arguments];
}

/// The best assignment of the class's own size in a situation, as far as transfers were measured.
pub(super) fn predicted(
    model: &ClassModel,
    units: &[(UnitIndex, UnitId)],
    call: &Call<'_>,
    transfers: &[(UnitId, TransferModel)],
    situation: Situation,
) -> Option<Predicted> {
    let all = IntervalSet::of(0..model.elems);
    let moved: Vec<Moves<'_>> = units
        .iter()
        .map(|(index, id)| {
            let known = transfers.iter().find(|(known, _)| known == id);
            match known.filter(|_| *index >= FIRST_DEVICE) {
                Some((_, transfer)) => moves(call, model.elems, transfer, situation, &all),
                None => Moves::default(),
            }
        })
        .collect();
    let (mut sharing, mut alone) = ((Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
    for ((index, id), moves) in units.iter().zip(&moved) {
        let Some(unit) = model.units.iter().find(|unit| unit.unit == *id) else {
            continue;
        };
        let shares = *index != SEQUENTIAL && unit.fit.quality == Quality::Good;
        let (indices, costs) = if shares { &mut sharing } else { &mut alone };
        indices.push(*index);
        let cost = UnitCost::new(&unit.fit.curve, 1.0);
        let cost = cost.fixed(moves.fixed_ns).moving(&moves.moved);
        costs.push(cost.returning(moves.back_ns.0, moves.back_ns.1));
    }
    let overhead_ns = model.split_overhead_ns;
    let found = predict(model.elems, &sharing.1, overhead_ns, &alone.1)?;
    let indices = sharing.0.into_iter().chain(alone.0);
    Some(Predicted {
        parts: Assignment::of_sizes(indices.zip(found.sizes)).pieces,
        ns: found.ns,
    })
}

/// What is moved for a device.
#[derive(Default)]
struct Moves<'a> {
    /// Whatever its range.
    fixed_ns: f64,
    /// For each element of that.
    moved: Vec<Moved<'a>>,
    /// Of its results: once, and per element.
    back_ns: (f64, f64),
}

fn moves<'a>(
    call: &Call<'_>,
    elems: usize,
    transfer: &TransferModel,
    situation: Situation,
    all: &'a IntervalSet,
) -> Moves<'a> {
    let there = situation != Situation::Results;
    let back = situation != Situation::Arguments;
    let mut moves = Moves::default();
    for operand in &call.operands {
        // Borrowed memory is the host's: each run that was measured has moved it.
        let Some(buffer) = operand.buffer() else {
            continue;
        };
        let bytes = buffer.layout().size_bytes() as f64;
        let per_elem = bytes * operand.len().unwrap_or(elems) as f64 / elems.max(1) as f64;
        let whole = match operand {
            Operand::View(..)
            | Operand::Strided(Source::Container(_), _)
            | Operand::ViewPart(..)
            | Operand::WindowPart(..)
            | Operand::Scalar(_) => true,
            Operand::Read(_) | Operand::Window(..) | Operand::Update(_) | Operand::Write(_) => {
                false
            }
            _ => continue,
        };
        if whole && there {
            moves.fixed_ns +=
                transfer.up_latency_ns + transfer.up_ns_per_byte * bytes * buffer.len() as f64;
        }
        if !whole && there && !matches!(operand, Operand::Write(_)) {
            moves.moved.push(Moved::new(
                all,
                per_elem,
                transfer.up_ns_per_byte,
                transfer.up_latency_ns,
            ));
        }
        if back && matches!(operand, Operand::Write(_) | Operand::Update(_)) {
            moves.back_ns.0 += transfer.down_latency_ns;
            moves.back_ns.1 += per_elem * transfer.down_ns_per_byte;
        }
    }
    moves
}
