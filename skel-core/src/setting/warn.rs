//! What is said on standard error, once.

use crate::notice;
use std::{
    collections::BTreeSet,
    ffi::OsStr,
    sync::{Mutex, PoisonError},
};

/// So much of a value is shown.
const MOST_CHARS: usize = 200;

/// A value, harmless in a terminal, and not longer than a message may be.
#[must_use]
pub fn shown(value: &OsStr) -> String {
    let text = value.to_string_lossy();
    let mut shown: String = text.chars().take(MOST_CHARS).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown.escape_debug().to_string()
}

/// Says on standard error that what a variable is about is off, and why: once for each variable.
pub fn warn(name: &'static str, what: &str) {
    static SAID: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
    let is_first = SAID
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(name);
    if is_first {
        notice::say(what);
    }
}
