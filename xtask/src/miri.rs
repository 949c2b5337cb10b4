//! `cargo xtask miri`: undefined behaviour is looked for where the `unsafe` code is.

use crate::cmd::{self, Result};
use std::process::Command;

/// rayon's global pool is never joined, so what it owns counts as leaked.
const FLAGS: &str = "-Zmiri-disable-isolation -Zmiri-ignore-leaks";
/// rayon's queues (crossbeam-epoch) keep pointers as integers, and break the rules of Stacked Borrows
/// but not those of Tree Borrows.
const FOR_RAYON: &str = "-Zmiri-tree-borrows -Zmiri-permissive-provenance";

/// Runs Miri where it is installed, and otherwise says that it did not.
pub(crate) fn run() -> Result {
    let Some(toolchain) = ["+nightly", ""]
        .into_iter()
        .find(|t| cmd::succeeds(&mut miri(t, &["--version"])))
    else {
        println!(
            "skipped: miri: not installed; `rustup toolchain install nightly --component miri` would do"
        );
        return Ok(());
    };
    cmd::run(miri(toolchain, &["test", "-p", "skel-core", "--lib"]).env("MIRIFLAGS", FLAGS))?;
    // Without the wgpu feature: Miri cannot call drivers, and need not compile them.
    let args = [
        "test",
        "-p",
        "skel-backends",
        "--lib",
        "--no-default-features",
        "--",
        "cpu::",
        "device::",
        "mock::",
    ];
    let flags = format!("{FLAGS} {FOR_RAYON}");
    cmd::run(miri(toolchain, &args).env("MIRIFLAGS", &flags))?;
    // Whole calls of every kind, over mock devices and as tasks.
    cmd::run(miri(toolchain, &["test", "-p", "skel-calls"]).env("MIRIFLAGS", flags))
}

fn miri(toolchain: &str, args: &[&str]) -> Command {
    // Not the cargo that runs us, but the one that understands `+toolchain`.
    let mut command = Command::new("cargo");
    if !toolchain.is_empty() {
        command.arg(toolchain);
    }
    command.arg("miri").args(args).current_dir(cmd::root());
    command
        .env("PROPTEST_CASES", "4")
        .env_remove("RUSTUP_TOOLCHAIN")
        .env_remove("CARGO");
    command
}
