//! Keeping what was found, and saying what it changes.

use crate::{
    command::environment::not_written,
    exit::Result,
    predict, show,
    term::{Style, tell},
};
use skel::model::{
    ClassModel, InstanceModel, MachineModels, TuningFile,
    store::{
        self, Existing, Folder, Lookup, Machine, Saved, Store, StoreError,
        merge::{self, Prefer},
    },
};
use std::{
    env,
    path::{Path, PathBuf},
};

/// What files say that they were written by.
pub(crate) const TOOL: &str = concat!("cargo-tune ", env!("CARGO_PKG_VERSION"));

/// What programs would have found for each instance so far.
pub(super) fn known(models: &MachineModels) -> Vec<Option<InstanceModel>> {
    let store = Store::new(|name| env::var_os(name), None);
    let fingerprint = &models.fingerprint;
    let machine = Machine {
        cpu: &fingerprint.cpu,
        threads: fingerprint.threads,
        devices: Some(&fingerprint.devices),
    };
    let before = |instance: &InstanceModel| match store.find(&instance.key, machine) {
        Lookup::Found(found) => Some(found.model),
        _ => None,
    };
    models.instances.iter().map(before).collect()
}

/// What a class's shares were before, in words; nothing if they are the same.
pub(super) fn change(
    before: Option<&InstanceModel>,
    instance: &InstanceModel,
    class: &ClassModel,
) -> String {
    let Some(before) = before else {
        return "new".into();
    };
    let same = |c: &&ClassModel| (c.elems, c.beside_elems) == (class.elems, class.beside_elems);
    let Some(old) = before.classes.iter().find(same) else {
        return "new size".into();
    };
    let [was, is] = [(before, old), (instance, class)]
        .map(|(i, c)| predict::chosen(i, c).map(|s| show::shares(&s)));
    match was {
        Some(was) if Some(&was) != is.as_ref() => format!("was {was}"),
        _ => "as before".into(),
    }
}

/// That there is a place for models, before time is spent on them.
///
/// # Errors
/// If there is no folder for them, and no file is named.
pub(super) fn somewhere(file: Option<&Path>) -> Result<()> {
    match (Folder::of_user(|name| env::var_os(name)), file) {
        (Err(error), None) => Err(not_written(&error)),
        _ => Ok(()),
    }
}

/// Writes to the user's folder of models, and to a file if one is named. The files that were written. What
/// cannot be written keeps nothing else from being written.
pub(super) fn save(models: &MachineModels, file: Option<&Path>) -> Result<Vec<PathBuf>> {
    let mut written = Vec::new();
    let mut failed = None;
    let waits = |path: &Path| {
        tell!("waiting for another `cargo tune` ({})", path.display());
    };
    let folder = Folder::of_user(|name| env::var_os(name));
    match folder.and_then(|folder| folder.save(TOOL, models, Prefer::New, waits)) {
        Ok(files) => written.extend(files),
        // A file is enough.
        Err(error @ StoreError::NoFolder) if file.is_some() => {
            tell!("{}: {error}", Style::of_stderr().warn("warning"));
        }
        Err(error) => failed = Some(error),
    }
    if let Some(path) = file {
        let new = TuningFile {
            tool: TOOL.into(),
            machines: vec![models.clone()],
        };
        let change = |old: Option<TuningFile>| match old {
            Some(old) => merge::files(old, new, Prefer::New),
            None => new,
        };
        match store::update(path, Existing::Keep, change, || waits(path)) {
            Ok(Saved::Written) => written.push(path.into()),
            Ok(Saved::Unchanged) => {}
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    let Some(error) = failed else {
        return Ok(written);
    };
    let failure = not_written(&error);
    Err(match failure.fix {
        Some(_) => failure,
        None => {
            failure.fix("what was measured stands in the journal: run again when it can be written")
        }
    })
}
