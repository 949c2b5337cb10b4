//! From a journal to models of instances.

use crate::journal::{ClassJournal, InstanceJournal, Journal};
use skel::model::{ClassModel, InstanceModel, MachineModels, chain};

/// The models of what was measured so far.
#[must_use]
pub fn models(journal: &Journal, seed: u64, now_unix_s: u64) -> Option<MachineModels> {
    let instances = journal.instances.values();
    let instance = |instance: &InstanceJournal| {
        let classes: Vec<ClassModel> = instance
            .classes
            .values()
            .filter_map(ClassJournal::model)
            .collect();
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
                .map(ClassJournal::drift)
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
        &journal.events(),
        &models.transfers,
    )?;
    let gain = plan.alone_ns / plan.ns;
    (gain.is_finite() && gain >= 1.02).then_some(gain)
}
