//! Models from files, for the default context.

use super::table::Source;
use crate::{context::tuning::threads, cpu::CpuUnit, unit::Unit};
use skel_core::{notice, setting::environment};
use skel_model::{
    DeviceFingerprint, Fingerprint, InstanceKey, UnitId,
    store::{Lookup, Machine, Place, Store, stale::needed},
};
use std::sync::{
    Once, OnceLock,
    atomic::{AtomicBool, Ordering},
};

/// Embedded models of the program.
static EMBEDDED: OnceLock<&str> = OnceLock::new();

/// Whether the embedded models were read already.
static READ: AtomicBool = AtomicBool::new(false);

/// Embeds the text of a tuning file, for calls in the default context. It must come before the first of them,
/// which reads it. The first text counts. Returns whether this one does.
///
/// A text that is no tuning file is passed over, with one notice; models of other machines are passed over
/// without, and one that is empty or `{}` has no models: that is how to begin.
#[must_use = "it may be too late"]
pub fn embed(text: &'static str) -> bool {
    !READ.load(Ordering::Relaxed) && EMBEDDED.set(text).is_ok()
}

/// The embedded model of an instance. Called when nothing else can be embedded any more.
pub(super) fn embedded(key: &InstanceKey, here: &Fingerprint) -> Lookup {
    static STORE: OnceLock<Option<Store>> = OnceLock::new();
    let alone = || Some(Store::new(|_| None, Some(EMBEDDED.get()?)));
    let machine = Machine {
        cpu: &here.cpu,
        threads: here.threads,
        devices: Some(&here.devices),
    };
    match STORE.get_or_init(alone) {
        Some(store) => store.find(key, machine),
        None => Lookup::Missing,
    }
}

/// Where the default context finds models; none, if none are installed.
pub(crate) fn models_of_files() -> Option<Source> {
    READ.store(true, Ordering::Relaxed);
    let store = Store::new(environment, EMBEDDED.get().copied());
    let is_there = |place: &Place| match place {
        Place::Named(_) | Place::Embedded => true,
        Place::Folder(path) => path.is_dir(),
    };
    if !store.places().iter().any(is_there) {
        return None;
    }
    // Models elsewhere would hide it, and the environment names this file.
    if let Some(error) = store.problem() {
        notice(&format!("{error}; calls run as if it was not there"));
    }
    let cpu = CpuUnit::sequential().info().name.clone();
    // Those of the thread that makes the first call: others may be in pools of their own.
    let threads = threads();
    let source = move |key: &InstanceKey, devices: &dyn Fn() -> Vec<DeviceFingerprint>| {
        let find = |devices| {
            let machine = Machine {
                cpu: &cpu,
                threads,
                devices,
            };
            store.find(key, machine)
        };
        // Devices are looked for only if that matters: if calls would go to some, or machines differ by them.
        let found = match find(None) {
            Lookup::Found(found)
                if found.is_one_of_several || needed(&found.model).any(UnitId::is_device) =>
            {
                find(Some(&devices()))
            }
            found => found,
        };
        match found {
            Lookup::Found(found) => Some((found.model, found.transfers)),
            Lookup::Stale { place, why } => {
                notice(&format!(
                    "the model of {} in {place} is not used: {why}",
                    key.name
                ));
                None
            }
            Lookup::Broken(error) => {
                notice(&format!("{error}; calls run as if it was not there"));
                None
            }
            Lookup::Missing => None,
        }
    };
    Some(Box::new(source))
}

/// Printed once, for the first one.
fn notice(what: &str) {
    static ONCE: Once = Once::new();
    // Names come from files: what a terminal would take for a command is shown as what it is.
    let what = what.escape_debug();
    ONCE.call_once(|| {
        notice::say(format_args!(
            "{what} (said once; `cargo tune check` lists all)"
        ));
    });
}
