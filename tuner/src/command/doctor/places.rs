//! Where models are looked for.

use super::super::environment::CommandEnvironment;
use crate::term::printable;
use skel::model::{
    TuningFile,
    store::{Folder, Place, Store, StoreError, layout},
};
use std::path::Path;

/// Where models are looked for, in order, and what is there.
pub(super) fn places(
    here: &CommandEnvironment<'_>,
    warnings: &mut Vec<String>,
) -> Vec<(String, String)> {
    let store = Store::new(here.variable, None);
    let mut places = Vec::new();
    let mut named = false;
    for place in store.places() {
        let shown = printable(&place.to_string());
        let found = match &place {
            Place::Named(path) => {
                named = true;
                of_file(path, warnings)
            }
            Place::Embedded => continue,
            Place::Folder(_) => of_folder(store.folder(), warnings),
        };
        places.push((shown, found));
    }
    if !named {
        places.insert(0, ("SKEL_TUNE_FILE".into(), "not set".into()));
    }
    let embedded = "a file in the program itself";
    places.insert(1, (embedded.into(), "if it has one".into()));
    if let Err(error) = store.folder() {
        places.push(("the user's folder of models".into(), error.to_string()));
    }
    places
}

fn of_file(path: &Path, warnings: &mut Vec<String>) -> String {
    match layout::read(path) {
        Ok(file) => said(&file),
        Err(error) => {
            let error = printable(&error.to_string());
            warnings.push(format!("SKEL_TUNE_FILE is of no use: {error}"));
            "cannot be read".into()
        }
    }
}

fn said(file: &TuningFile) -> String {
    let instances: usize = file.machines.iter().map(|m| m.instances.len()).sum();
    let machines = file.machines.len();
    format!("{instances} instances on {machines} machines")
}

fn of_folder(
    folder: std::result::Result<&Folder, StoreError>,
    warnings: &mut Vec<String>,
) -> String {
    let files = match folder.and_then(Folder::files) {
        Ok(files) => files,
        Err(error) => {
            warnings.push(printable(&error.to_string()));
            return "cannot be read".into();
        }
    };
    let broken = files.iter().filter(|entry| entry.file.is_err()).count();
    if broken > 0 {
        warnings.push(format!(
            "{broken} of the saved models cannot be read: `cargo tune clear --stale` removes them"
        ));
    }
    match files.len() {
        0 => "nothing yet".into(),
        n => format!("{n} instances"),
    }
}
