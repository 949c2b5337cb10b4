//! From a journal to models of instances.

use crate::journal::{ClassJournal, InstanceJournal, Journal, Split};
use crate::stats;
use skel::model::{ClassModel, InstanceModel, MachineModels, Measured, Sample, chain};

/// The models of what was measured to the end.
#[must_use]
pub fn models(journal: &Journal, seed: u64, now_unix_s: u64) -> Option<MachineModels> {
    let instances = journal.instances.values();
    let instance = |instance: &InstanceJournal| {
        let classes: Vec<ClassModel> = instance.classes.values().filter_map(class).collect();
        (!classes.is_empty()).then(|| InstanceModel {
            key: instance.key.clone(),
            classes,
            chain: Vec::new(),
            read_back: 0.0,
            seed,
            when_unix_s: now_unix_s,
            drift: instance
                .classes
                .values()
                .map(|c| c.drift)
                .fold(0.0, f64::max),
        })
    };
    Some(MachineModels {
        fingerprint: journal.fingerprint()?.clone(),
        transfers: journal
            .transfers
            .iter()
            .map(|(unit, model)| (unit.clone(), *model))
            .collect(),
        instances: instances.filter_map(instance).collect(),
    })
}

/// Adds what the program did with its data: what the host read, and shares that suit each other. How
/// many times as fast those are as shares chosen for each call alone, if that matters.
pub fn together(models: &mut MachineModels, journal: &Journal) -> Option<f64> {
    let plan = chain::apply(
        chain::Waits::default(),
        &mut models.instances,
        &journal.events,
        &models.transfers,
    )?;
    let gain = plan.alone_ns / plan.ns;
    (gain.is_finite() && gain >= 1.02).then_some(gain)
}

/// A finished class, with the whole calls that were measured after it was finished, as the oracle's.
fn class(class: &ClassJournal) -> Option<ClassModel> {
    let mut model = class.model.clone()?;
    for split in &class.splits {
        let known = model.measured.iter_mut().find(|m| m.shares == split.shares);
        let sample = sample(model.elems, split);
        match known {
            // The last measurement counts, or the model's own, if that is the same.
            Some(known) => known.sample = sample,
            None => model.measured.push(Measured {
                shares: split.shares.clone(),
                sample,
            }),
        }
    }
    Some(model)
}

fn sample(elems: usize, split: &Split) -> Sample {
    let median_ns = stats::median(&split.runs_ns);
    let distances: Vec<f64> = split
        .runs_ns
        .iter()
        .map(|ns| (ns - median_ns).abs())
        .collect();
    Sample {
        elems,
        median_ns,
        mad_ns: stats::median(&distances),
        runs: u32::try_from(split.runs_ns.len()).unwrap_or(u32::MAX),
    }
}
