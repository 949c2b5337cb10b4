//! All variables of the environment, as one table: see [`skel_core::setting`] for what nonsense gives.
//!
//! A new variable is a `static` here and a line in [`TABLE`]; `tests/environment.rs` holds the page
//! `docs/environment.md` to it, and finds names that are used elsewhere.

mod rows;

pub use rows::*;

use skel_core::{
    Error,
    setting::{CACHE, CACHE_DIR, OnInvalid, Row, TUNE_FILE, VariableInfo, shown, warn},
};
use std::ffi::OsString;

/// The variables, in the order in which they are described, checked and printed.
pub static TABLE: &[&dyn Row] = &[
    &BACKEND,
    &SOFTWARE_DEVICES,
    &DEVICE_MEMORY_BYTES,
    &WATCHDOG_MS,
    &WATCHDOG,
    &COMPILE_BUDGET_MS,
    &CUDA,
    &CUDA_PINNED,
    &CUDA_POOL,
    &CUDA_STEPS,
    &CUDA_ONE_PASS,
    &CUDA_VECTORS,
    &CUDA_STREAMS,
    &CUDA_COPIERS,
    &NVRTC,
    &TUNE,
    &TUNE_OPTIONS,
    &TUNE_JOURNAL,
    &TUNE_COMMAND,
    &TUNE_FILE,
    &CACHE,
    &CACHE_DIR,
    &DUMP,
    &TRACE,
];

/// Names that begin like ours and belong to tests and to the driver that stands for CUDA's there.
const OF_TESTS: [&str; 2] = ["SKEL_TEST_", "SKEL_SHIM_"];

/// A variable that is set, and whether its value is accepted.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Setting {
    /// Its row.
    pub info: VariableInfo,
    /// The value found, harmless in a terminal.
    pub found: String,
    /// Why the value is not accepted.
    pub problem: Option<Error>,
}

/// All variables of the table that an environment sets, in its order.
///
/// ```
/// let settings = skel::setting::settings(&|name| (name == "SKEL_CUDA").then(|| "maybe".into()));
/// assert_eq!(settings.len(), 1);
/// let problem = settings[0].problem.as_ref().unwrap();
/// assert_eq!(problem.to_string(), "SKEL_CUDA is `maybe`, which is not `on`, `off`, `1` or `0`");
/// ```
pub fn settings(variable: &dyn Fn(&str) -> Option<OsString>) -> Vec<Setting> {
    let set = |row: &&dyn Row| {
        let info = *row.info();
        let value = variable(info.name).filter(|value| !value.is_empty())?;
        Some(Setting {
            info,
            found: shown(&value),
            problem: row.check(variable).err(),
        })
    };
    TABLE.iter().filter_map(set).collect()
}

/// Why calls of the default context are refused; says what else is wrong, and which names nothing reads.
pub(crate) fn problem(variable: &dyn Fn(&str) -> Option<OsString>) -> Option<Error> {
    let mut refused = None;
    for Setting { info, problem, .. } in settings(variable) {
        match (info.on_invalid, problem) {
            (OnInvalid::Warn, Some(problem)) => warn(info.name, &problem.to_string()),
            (OnInvalid::Refuse, Some(problem)) => refused = refused.or(Some(problem)),
            (_, None) => {}
        }
    }
    let unknown = unknown();
    if !unknown.is_empty() {
        let names = unknown.join(", ");
        warn(
            "SKEL_",
            &format!("{names}: no such variable; `cargo tune doctor` lists those that there are"),
        );
    }
    refused
}

/// The variables by which Mesa's drivers choose the instructions that they compile kernels to, sorted.
pub(crate) fn of_drivers() -> Vec<(String, String)> {
    const PREFIXES: [&str; 3] = ["LP_", "LVP_", "GALLIUM_"];
    let all = std::env::vars_os().map(|(name, value)| {
        let text = |os: OsString| os.to_string_lossy().into_owned();
        (text(name), text(value))
    });
    let mut found: Vec<(String, String)> = all
        .filter(|(name, _)| PREFIXES.iter().any(|prefix| name.starts_with(prefix)))
        .collect();
    found.sort_unstable();
    found
}

/// The names in the environment that begin like ours and are none, harmless in a terminal: slips of the pen, which
/// nothing would ever read.
#[must_use]
pub fn unknown() -> Vec<String> {
    unknown_among(std::env::vars_os().map(|(name, _)| name))
}

fn unknown_among(names: impl Iterator<Item = OsString>) -> Vec<String> {
    let is_unknown = |name: &OsString| {
        let bytes = name.as_encoded_bytes();
        bytes.starts_with(b"SKEL_")
            && !OF_TESTS.iter().any(|own| bytes.starts_with(own.as_bytes()))
            && !TABLE.iter().any(|row| name == row.info().name)
    };
    let unknown = names.filter(is_unknown);
    let mut unknown: Vec<String> = unknown.map(|name| shown(&name)).collect();
    unknown.sort();
    unknown
}

#[cfg(test)]
mod test;
