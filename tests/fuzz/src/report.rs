//! What is found, as lines for `xtask`.

use std::{
    io::Write,
    process,
    sync::{Mutex, PoisonError},
    thread,
    time::Duration,
};

/// Prints lines at once, so that they are there if the process dies.
pub(crate) struct Report;

/// Far more than a compiler run for all functions takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// The function and the unit that are worked on, and how many came before.
static CURRENT: Mutex<(u64, String, String)> = Mutex::new((0, String::new(), String::new()));

/// Ends the process, with a difference, where one function on one unit takes longer than [`PATIENCE`].
pub(crate) fn watch() {
    let current = || {
        CURRENT
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    };
    thread::spawn(move || {
        let mut before = current();
        loop {
            thread::sleep(PATIENCE);
            let now = current();
            if now.0 == before.0 {
                let how = format!("no answer in {} s", PATIENCE.as_secs());
                Report.differs(&now.1, &now.2, &how);
                end();
                process::exit(1);
            }
            before = now;
        }
    });
}

fn line(fields: &[&str]) {
    let clean = |field: &&str| field.replace(['\t', '\n', '\r'], " ");
    let fields: Vec<String> = fields.iter().map(clean).collect();
    let mut out = std::io::stdout().lock();
    let done = writeln!(out, "{}", fields.join("\t")).and_then(|()| out.flush());
    if done.is_err() {
        // The reader is gone.
        process::exit(1);
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
        let mut current = CURRENT.lock().unwrap_or_else(PoisonError::into_inner);
        *current = (current.0 + 1, case.to_owned(), unit.to_owned());
        drop(current);
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
