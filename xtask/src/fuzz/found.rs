//! What differed, kept as a test of the language.

use super::generate::Case;
use crate::cmd::{self, Failure, Result};
use std::{fs, path::PathBuf, process::Command};

fn folder() -> PathBuf {
    cmd::root().join("tests/corpus/src/found")
}

/// Writes the function where `tests/corpus/src/found/mod.rs` finds it; the path from the root.
pub(super) fn keep(case: &Case, seed: u64, unit: &str) -> Result<String> {
    let name = format!("s{seed}_{}", case.name);
    let file = folder().join(format!("{name}.rs"));
    let text = format!(
        "//! Found by `cargo xtask fuzz --seed {seed}`: {unit} differed.\n\n\
         use skel::prelude::*;\n\
         use skel_core::param::{{Each, EachLine, EachLineMut, EachMut, EachSweep1, EachSweep2, Uniform, Whole}};\n\
         use skel_verify::{{Case, ToValue, case}};\n\n{}",
        case.text()
            .replace("pub fn compared()", "pub(super) fn compared()")
            .replace("skel_fuzz::to_value!", "skel_verify::to_value!")
    );
    fs::create_dir_all(folder()).map_err(Failure::io(folder().display().to_string()))?;
    fs::write(&file, text).map_err(Failure::io(file.display().to_string()))?;
    format(&file)?;
    list()?;
    Ok(format!("tests/corpus/src/found/{name}.rs"))
}

/// Writes the list of all that was found.
fn list() -> Result {
    let folder = folder();
    let what = || Failure::io(folder.display().to_string());
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder).map_err(what())? {
        let path = entry.map_err(what())?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        if name != "mod" && path.extension().is_some_and(|e| e == "rs") {
            names.push(name.into_owned());
        }
    }
    names.sort();
    let modules: String = names.iter().map(|n| format!("mod {n};\n")).collect();
    let cases: String = names
        .iter()
        .map(|n| format!("{n}::compared(),\n"))
        .collect();
    let text = format!(
        "//! Functions on which units once differed, as `cargo xtask fuzz` found and shrank them. It writes\n\
         //! this list, too.\n\n\
         #![allow(unused, arithmetic_overflow, unconditional_panic, reason = \"generated code\")]\n\n\
         use super::Case;\n\n{modules}\npub(super) fn cases() -> Vec<Case> {{\nvec![{cases}]\n}}\n"
    );
    let file = folder.join("mod.rs");
    fs::write(&file, text).map_err(Failure::io(file.display().to_string()))?;
    format(&file)
}

fn format(file: &std::path::Path) -> Result {
    cmd::run(
        Command::new("rustfmt")
            .args(["--edition", "2024"])
            .arg(file),
    )
}
