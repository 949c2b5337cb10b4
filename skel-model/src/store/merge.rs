//! Models of one instance from two sources.

use crate::{
    ChainChoice, ClassModel, Fingerprint, InstanceModel, MachineModels, Quality, Reason,
    TuningFile, UnitId, UnitModel, size_class,
};

/// Which of two models of the same thing stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefer {
    /// The one that was measured just now; but see [`keep_surer`].
    New,
    /// The one that was there: what others have measured replaces nothing.
    Old,
}

/// All models of both. Machines are the same if their processor, threads and devices are, whatever the
/// drivers; instances if their keys are; size classes if their nearest powers of two are.
#[must_use]
pub fn files(old: TuningFile, new: TuningFile, prefer: Prefer) -> TuningFile {
    let (first, second) = match prefer {
        Prefer::New => (new, old),
        Prefer::Old => (old, new),
    };
    // A file without models may name no tool that wrote it.
    let tool = match first.machines.is_empty() {
        true => second.tool,
        false => first.tool,
    };
    let mut machines = first.machines;
    for machine in second.machines {
        match machines
            .iter_mut()
            .find(|m| same(&m.fingerprint, &machine.fingerprint))
        {
            Some(known) => add(known, machine, prefer),
            None => machines.push(machine),
        }
    }
    TuningFile { tool, machines }
}

fn same(a: &Fingerprint, b: &Fingerprint) -> bool {
    let devices = |f: &Fingerprint| {
        let mut ids: Vec<UnitId> = f.devices.iter().map(|d| d.id.clone()).collect();
        ids.sort();
        ids
    };
    (&a.cpu, a.threads, devices(a)) == (&b.cpu, b.threads, devices(b))
}

/// Adds what is not known yet.
fn add(known: &mut MachineModels, other: MachineModels, prefer: Prefer) {
    for transfer in other.transfers {
        if known.transfers.iter().all(|(unit, _)| *unit != transfer.0) {
            known.transfers.push(transfer);
        }
    }
    for instance in other.instances {
        match known.instances.iter_mut().find(|i| i.key == instance.key) {
            Some(known) => {
                if prefer == Prefer::New {
                    keep_surer(known, &instance);
                }
                add_classes(known, instance);
            }
            None => known.instances.push(instance),
        }
    }
}

/// Adds what another model of the same instance knows of other size classes, and what was chosen for those.
pub fn add_classes(known: &mut InstanceModel, other: InstanceModel) {
    let sizes: Vec<(u32, u32)> = known.classes.iter().map(size).collect();
    for class in other.classes {
        if known.classes.iter().all(|c| size(c) != size(&class)) {
            known.classes.push(class);
        }
    }
    known.classes.sort_by_key(size);
    for choice in other.chain {
        // Where the size was measured, what is chosen for it is chosen by that: also that nothing is.
        let of = |c: &ChainChoice| (size_class(c.elems), size_class(c.beside_elems));
        if !sizes.contains(&of(&choice)) && known.chain.iter().all(|c| of(c) != of(&choice)) {
            known.chain.push(choice);
        }
    }
}

/// Where the time for measuring was over after a few runs, a good model of the same size class and of all its units stays
/// what it was: the next process goes on, and replaces it then.
pub fn keep_surer(new: &mut InstanceModel, old: &InstanceModel) {
    let of = |choice: &ChainChoice| (size_class(choice.elems), size_class(choice.beside_elems));
    let mut is_measured = new.classes.is_empty();
    for class in &mut new.classes {
        let mut known = old.classes.iter();
        let surer = known.find(|old| size(old) == size(class) && is_surer(old, class));
        let Some(surer) = surer else {
            is_measured = true;
            continue;
        };
        let its = size(class);
        *class = surer.clone();
        new.chain.retain(|choice| of(choice) != its);
        let kept = old.chain.iter().filter(|choice| of(choice) == its);
        new.chain.extend(kept.cloned());
    }
    if !is_measured {
        (new.when_unix_s, new.seed, new.drift) = (old.when_unix_s, old.seed, old.drift);
    }
}

fn is_surer(old: &ClassModel, new: &ClassModel) -> bool {
    let knows = |unit: &UnitModel| old.units.iter().any(|known| known.unit == unit.unit);
    old.quality == Quality::Good
        && new.quality == Quality::Weak(Reason::Budget)
        && new.units.iter().all(knows)
}

/// The exponents of the nearest powers of two.
fn size(class: &ClassModel) -> (u32, u32) {
    (size_class(class.elems), size_class(class.beside_elems))
}
