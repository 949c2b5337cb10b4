//! `cargo xtask figures`: every measured figure in the documents is generated from the files of results.
//!
//! A generated part stands between two comments, `<!-- figures NAME -->` and `<!-- end of figures -->`. With
//! `--check` nothing is written: what differs is an error. Ratios are those of the medians beside them.

mod evaluation;
mod figure8;
mod results;
mod speed;
mod table;
#[cfg(test)]
mod test;

use crate::cmd::{self, Failure, Result};
use std::fs;

/// What `cargo xtask figures` takes.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Write nothing, and fail if a figure is not that of the results
    #[arg(long)]
    pub(crate) check: bool,
}

/// Where results lie.
const FOLDER: &str = "benches/results";
/// Documents that have figures.
const DOCUMENTS: [&str; 3] = ["README.md", "docs/speed.md", "docs/evaluation.md"];

const BEGIN: &str = "<!-- figures ";
const END: &str = "<!-- end of figures -->";

/// Writes them all, or compares.
pub(crate) fn run(options: &Options) -> Result {
    let mut stale = Vec::new();
    let mut settle = |path: &str, old: &str, new: &str| -> Result {
        if old == new {
            return Ok(());
        }
        stale.push(path.to_owned());
        match options.check {
            true => Ok(()),
            false => fs::write(cmd::root().join(path), new).map_err(Failure::io(path)),
        }
    };
    for path in results::files()? {
        let old = read(&path)?;
        settle(&path, &old, &results::with_ratios(&old))?;
    }
    for path in DOCUMENTS {
        let old = read(path)?;
        let new = filled(path, &old, generate)?;
        settle(path, &old, &new)?;
    }
    match (stale.is_empty(), options.check) {
        (true, _) => println!("all figures are those of {FOLDER}"),
        (false, false) => println!("written: {}", stale.join(", ")),
        (false, true) => {
            return Err(Failure::Check(format!(
                "figures are not those of {FOLDER}: {}; `cargo xtask figures` writes them",
                stale.join(", ")
            )));
        }
    }
    Ok(())
}

/// The text of a part.
fn generate(name: &str) -> Result<String> {
    if let Some(machine) = name.strip_prefix("figure8 ") {
        return figure8::part(&read(&format!("{FOLDER}/paper/figure8-{machine}.json"))?);
    }
    match name.strip_prefix("paper ") {
        Some(machine) => evaluation::tables(&read(&format!("{FOLDER}/paper/{machine}.json"))?),
        None => speed::part(name),
    }
}

/// A file of the project.
fn read(path: &str) -> Result<String> {
    fs::read_to_string(cmd::root().join(path)).map_err(Failure::io(path))
}

fn wrong(path: &str, what: impl Into<String>) -> Failure {
    Failure::Check(format!("{path}: {}", what.into()))
}

/// The document with its generated parts anew.
fn filled(path: &str, text: &str, part: impl Fn(&str) -> Result<String>) -> Result<String> {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once(BEGIN) {
        let (name, after) = after
            .split_once(" -->")
            .ok_or_else(|| wrong(path, "a comment that begins figures does not end"))?;
        let (_, after) = after
            .split_once(END)
            .ok_or_else(|| wrong(path, format!("no `{END}` behind `{name}`")))?;
        let new = part(name)?;
        out += &format!("{before}{BEGIN}{name} -->\n{}\n{END}", new.trim_end());
        rest = after;
    }
    Ok(out + rest)
}

/// The document without its generated parts.
#[cfg(test)]
fn by_hand(path: &str, text: &str) -> Result<String> {
    filled(path, text, |_| Ok(String::new()))
}
