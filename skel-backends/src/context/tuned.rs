//! From a model to an assignment.

use super::{
    Context, UnitRange,
    moves::{Moves, Situation},
    select::Choice,
};
use crate::{
    positions::{CPU, FIRST_DEVICE, SEQUENTIAL},
    tune::{Answer, Arm, Entry, Instead, Query, Trial, Turn, beside_elems},
};
use skel_core::{
    call::{Call, Operand},
    container::Buffer,
    hash::Fnv64,
    plan::{Blocks, Pattern},
    schedule::{Share, UnitIndex},
};
use skel_model::{
    ClassModel, SizedCurve, TransferModel, UnitId, UnitModel,
    policy::{Candidate, Moved, Policy, Question, StaticSplit, Tuned as ByModel, UnitCost},
};
use std::{sync::Arc, time::Duration};

/// What is predicted for a call.
pub(crate) struct Predicted {
    pub(crate) parts: Vec<UnitRange>,
    pub(crate) ns: f64,
    /// What may be shorter, where nothing like it was ever run.
    instead: Option<Instead>,
}

/// A choice, and the model that it rests on.
pub(super) struct Tuned {
    pub(super) choice: Choice,
    ns: f64,
    /// How devices launch it.
    pub(super) blocks: Blocks,
    entry: Arc<Entry>,
    /// The comparison that it is part of.
    trial: Option<(Arc<Trial>, Turn)>,
}

impl Tuned {
    /// It took so long, on all units of which there are some of the host; as it was meant to be, or not.
    pub(super) fn took(&self, took: Duration, as_meant: bool) {
        let ns = took.as_nanos() as f64;
        if let (Some((trial, turn)), true) = (&self.trial, as_meant) {
            trial.took(*turn, ns);
        }
        if self.ns > 0.0 {
            self.entry.judge(self.ns, ns);
        }
    }
}

/// The best assignment of the class's own size in a situation, among these units, as far as transfers were
/// measured.
pub(crate) fn supposed(
    context: &Context,
    call: &Call<'_>,
    model: &ClassModel,
    units: &[(UnitIndex, UnitId)],
    transfers: &[(UnitId, TransferModel)],
    situation: Situation,
) -> Option<Predicted> {
    let of = |id: &UnitId| model.units.iter().find(|unit| unit.unit == *id);
    let known = units.iter();
    let known: Vec<(UnitIndex, &UnitModel)> = known
        .filter_map(|(index, id)| Some((*index, of(id)?)))
        .collect();
    let moving = (transfers, situation);
    priced(context, call, &known, moving, SizedCurve::own, |priced| {
        best(model, &priced.candidates, model.elems)
    })
}

/// What a call costs on each unit of a class.
struct Priced<'c> {
    moves: &'c [Moves],
    /// What ranges cost.
    costs: Vec<(UnitIndex, UnitCost<'c>)>,
    /// What is known of units that cost so much.
    candidates: Vec<Candidate<'c>>,
}

/// Asks with what a call costs on these units, by the curves that hold for it, with what has to be moved first.
fn priced<'m, R>(
    context: &Context,
    call: &Call<'_>,
    units: &[(UnitIndex, &'m UnitModel)],
    (transfers, situation): (&[(UnitId, TransferModel)], Situation),
    sized: impl Fn(&'m UnitModel) -> SizedCurve<'m>,
    ask: impl FnOnce(&Priced<'_>) -> R,
) -> R {
    let moves = units.iter();
    let moves: Vec<Moves> = moves
        .map(|(index, unit)| Moves::of(context, call, (*index, &unit.unit), transfers, situation))
        .collect();
    let moved: Vec<Vec<Moved<'_>>> = moves.iter().map(Moves::moved).collect();
    let (mut costs, mut candidates) = (Vec::new(), Vec::new());
    for ((index, unit), (moves, moved)) in units.iter().zip(moves.iter().zip(&moved)) {
        let sized = sized(unit);
        let cost = UnitCost::new(sized.curve, sized.factor);
        let (latency_ns, ns_per_elem) = moves.back_ns;
        let cost = cost.fixed(moves.fixed_ns).moving(moved);
        let cost = cost.returning(latency_ns, ns_per_elem);
        costs.push((*index, cost));
        candidates.push(Candidate {
            cost: Some(cost),
            model: Some((*unit, sized)),
            ..Candidate::unknown(*index)
        });
    }
    ask(&Priced {
        moves: &moves,
        costs,
        candidates,
    })
}

/// The best assignment among them.
fn best(class: &ClassModel, units: &[Candidate<'_>], elems: usize) -> Option<Predicted> {
    let decided = ByModel { class }.decide(&Question { elems, units })?;
    Some(Predicted {
        parts: decided.assignment.pieces,
        ns: decided.ns,
        instead: None,
    })
}

/// Asks with what models say of the units that can run the call; with nothing, where there is no model.
pub(super) fn with_candidates<R>(
    context: &Context,
    call: &Call<'_>,
    ask: impl FnOnce(&[Candidate<'_>]) -> R,
) -> R {
    let (elems, beside_elems) = (call.space.elems(), beside_elems(call));
    let Some(entry) = context.table().find(context, call) else {
        return ask(&[]);
    };
    let Some((class, _)) = entry.model.class(elems, beside_elems) else {
        return ask(&[]);
    };
    let units = units(context, call, class);
    let situation = Situation::Now {
        read_back: entry.model.read_back,
    };
    let moving = (entry.transfers.as_slice(), situation);
    let sized = |unit| entry.sizes.curve(class, unit, elems);
    priced(context, call, &units, moving, sized, |priced| {
        ask(&priced.candidates)
    })
}

/// What the model of the call's instance says, if there is one. A call like one of the last is given the same
/// again, without asking the model.
pub(super) fn choose(context: &Context, call: &Call<'_>) -> Option<Tuned> {
    let entry = context.table().find(context, call)?;
    let asked = Query {
        elems: call.space.elems(),
        beside_elems: beside_elems(call),
        residency: residency(call),
    };
    let known = entry.recall(&asked).filter(|known| {
        let able = |(index, _): &UnitRange| context.is_able(*index, call);
        known.parts.iter().all(able)
    });
    let answer = match known {
        Some(known) => known,
        None => {
            let (predicted, blocks) = ask(context, call, &entry, &asked)?;
            let answer = Answer {
                parts: predicted.parts,
                ns: predicted.ns,
                blocks,
                instead: predicted.instead,
            };
            entry.remember(asked, answer.clone());
            answer
        }
    };
    let (mut pieces, mut ns, mut trial) = (answer.parts, answer.ns, None);
    if let Some(instead) = answer.instead {
        let turn = instead.trial.next();
        if turn.arm == Arm::Host {
            (pieces, ns) = (vec![instead.part], instead.ns);
        }
        trial = Some((instead.trial, turn));
    }
    let by_name = false;
    Some(Tuned {
        choice: Choice { pieces, by_name },
        ns,
        blocks: answer.blocks,
        entry,
        trial,
    })
}

/// Asks the model: which unit takes what, and how devices launch it.
fn ask(
    context: &Context,
    call: &Call<'_>,
    entry: &Entry,
    asked: &Query,
) -> Option<(Predicted, Blocks)> {
    let (class, _) = entry.model.class(asked.elems, asked.beside_elems)?;
    let units = units(context, call, class);
    let mut blocks = Blocks::default();
    for (index, unit) in &units {
        if let (Some(block), Ok(unit)) = (unit.block, context.unit(*index)) {
            blocks.set(unit.node(), block);
        }
    }
    let situation = Situation::Now {
        read_back: entry.model.read_back,
    };
    let moving = (entry.transfers.as_slice(), situation);
    let sized = |unit| entry.sizes.curve(class, unit, asked.elems);
    let predicted = priced(context, call, &units, moving, sized, |priced| {
        assigned(call, entry, asked, class, (&units, priced))
    });
    Some((predicted?, blocks))
}

/// Which unit takes what, by this class.
fn assigned(
    call: &Call<'_>,
    entry: &Entry,
    asked: &Query,
    class: &ClassModel,
    (units, priced): (&[(UnitIndex, &UnitModel)], &Priced<'_>),
) -> Option<Predicted> {
    let given = |parts: Vec<UnitRange>| {
        let ns = parts.iter().map(|(index, range)| {
            let unit = priced.costs.iter().find(|(known, _)| known == index);
            unit.map_or(0.0, |(_, cost)| cost.ns(range.clone()))
        });
        let overhead_ns = if parts.len() > 1 {
            class.split_overhead_ns
        } else {
            0.0
        };
        let ns = ns.fold(0.0, f64::max) + overhead_ns;
        Predicted {
            parts,
            ns,
            instead: None,
        }
    };
    let chain = entry.model.chain_choice(asked.elems, asked.beside_elems);
    if let Some(parts) = chain.and_then(|choice| shared(&choice.shares, units, asked.elems)) {
        return Some(given(parts));
    }
    // What was measured as a whole needs no prediction.
    let measured = asked.elems == class.elems
        && asked.beside_elems == class.beside_elems
        && priced.moves.iter().all(Moves::is_nothing);
    let verified = if measured { class.verified() } else { None };
    if let Some(best) = verified
        && let Some(parts) = shared(&best, units, asked.elems)
    {
        return Some(given(parts));
    }
    let best = best(class, &priced.candidates, asked.elems)?;
    // What is fetched afterwards is not in the call, by whose time the model is judged.
    let mut predicted = given(best.parts);
    if call.phases.pattern() == Pattern::Fold {
        predicted.instead = instead(priced, &predicted, asked.elems);
    }
    Some(predicted)
}

/// What a split of a fold may be compared with that begins by sending devices what they lack: no such one was measured.
/// Other calls may end before devices do, and leave there what later calls begin with.
fn instead(priced: &Priced<'_>, predicted: &Predicted, elems: usize) -> Option<Instead> {
    let brings = |((index, _), moves): (&(UnitIndex, UnitCost<'_>), &Moves)| {
        let part = predicted.parts.iter().find(|(known, _)| known == index);
        *index >= FIRST_DEVICE && part.is_some_and(|(_, range)| moves.brings(range))
    };
    let shares = predicted
        .parts
        .iter()
        .any(|(index, _)| *index < FIRST_DEVICE);
    if !shares || !priced.costs.iter().zip(priced.moves).any(brings) {
        return None;
    }
    let host = priced
        .costs
        .iter()
        .filter(|(index, _)| *index < FIRST_DEVICE);
    let alone = host.map(|(index, cost)| (*index, cost.ns(0..elems)));
    let (index, ns) = alone.min_by(|a, b| a.1.total_cmp(&b.1))?;
    let trial = Trial::of(predicted.ns, ns)?;
    Some(Instead {
        part: (index, 0..elems),
        ns,
        trial: Arc::new(trial),
    })
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

/// Which unit takes what, by these shares. Shares of absent units go to the others. If only absent units have
/// shares, there is no answer.
fn shared(
    shares: &[(UnitId, f64)],
    units: &[(UnitIndex, &UnitModel)],
    elems: usize,
) -> Option<Vec<UnitRange>> {
    let share = |id: &UnitId| {
        let found = shares.iter().find(|(unit, _)| unit == id);
        found.and_then(|(_, share)| Share::from_ratio(*share).ok())
    };
    let shares: Vec<Share> = units
        .iter()
        .map(|(_, unit)| share(&unit.unit).unwrap_or(Share::NONE))
        .collect();
    if shares.iter().all(|share| *share == Share::NONE) {
        return None;
    }
    let units: Vec<Candidate<'_>> = (units.iter())
        .map(|(index, _)| Candidate::unknown(*index))
        .collect();
    let question = Question {
        elems,
        units: &units,
    };
    Some(StaticSplit { shares }.assign(&question).pieces)
}

/// Where the elements of the call's containers are, as a number: what is predicted depends on it.
fn residency(call: &Call<'_>) -> u64 {
    let of = |operand: &Operand<'_>| operand.container().map_or(0, Buffer::residency);
    let parts = call.operands.iter().map(of);
    parts.fold(Fnv64::EMPTY, Fnv64::with).value()
}
