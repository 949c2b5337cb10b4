//! A browser without a window, for the test that looks at the tuner's report.

use crate::{apt, cmd};
use std::process::Command;

/// The programs that do.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Finds one, or installs one, or says what to install.
pub(crate) fn ensure() {
    if is_there() {
        return;
    }
    println!("no Chromium");
    if let Err(failure) = apt::install(&["chromium"]) {
        println!("not installed: {failure}");
    }
    if !is_there() {
        println!("the test of the report's pictures will be skipped; for it, install chromium");
    }
}

fn is_there() -> bool {
    NAMES
        .iter()
        .any(|name| cmd::succeeds(Command::new(name).arg("--version")))
}
