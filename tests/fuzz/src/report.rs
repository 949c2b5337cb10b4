//! What is found, as lines for `xtask`.

use std::io::Write;

/// Prints lines at once, so that they are there if the process dies.
pub(crate) struct Report;

fn line(fields: &[&str]) {
    let clean = |field: &&str| field.replace(['\t', '\n', '\r'], " ");
    let fields: Vec<String> = fields.iter().map(clean).collect();
    let mut out = std::io::stdout().lock();
    let done = writeln!(out, "{}", fields.join("\t")).and_then(|()| out.flush());
    if done.is_err() {
        // The reader is gone.
        std::process::exit(1);
    }
}

/// This unit is not there.
pub(crate) fn skipped(unit: &str, reason: &str) {
    line(&["skipped", unit, reason]);
}

/// Nothing is left to be said; without this line the process died.
pub(crate) fn end() {
    line(&["end"]);
}

impl Report {
    /// What is worked on from here.
    pub(crate) fn start(&self, case: &str, unit: &str) {
        line(&["start", case, unit]);
    }

    /// So many inputs agree, so many of them as traps.
    pub(crate) fn agrees(&self, case: &str, unit: &str, inputs: usize, traps: usize) {
        line(&[
            "agrees",
            case,
            unit,
            &inputs.to_string(),
            &traps.to_string(),
        ]);
    }

    /// The unit cannot run this function.
    pub(crate) fn refused(&self, case: &str, unit: &str, reason: &str) {
        line(&["refused", case, unit, reason]);
    }

    /// The unit computes something else, or fails.
    pub(crate) fn differs(&self, case: &str, unit: &str, how: &str) {
        line(&["differs", case, unit, how]);
    }
}
