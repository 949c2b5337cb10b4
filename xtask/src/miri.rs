//! `cargo xtask miri`: undefined behaviour is looked for where the `unsafe` code is.

use crate::cmd::{self, Result};
use std::process::Command;

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
    cmd::run(&mut miri(toolchain, &["test", "-p", "skel-core", "--lib"]))?;
    // Without the wgpu feature: Miri cannot call drivers, and need not compile them.
    cmd::run(&mut miri(
        toolchain,
        &[
            "test",
            "-p",
            "skel-backends",
            "--lib",
            "--no-default-features",
            "cpu::",
        ],
    ))
}

fn miri(toolchain: &str, args: &[&str]) -> Command {
    // Not the cargo that runs us, but the one that understands `+toolchain`.
    let mut command = Command::new("cargo");
    if !toolchain.is_empty() {
        command.arg(toolchain);
    }
    command.arg("miri").args(args).current_dir(cmd::root());
    // rayon's global pool is never joined, so what it owns counts as leaked.
    command.env("MIRIFLAGS", "-Zmiri-disable-isolation -Zmiri-ignore-leaks");
    command
        .env("PROPTEST_CASES", "4")
        .env_remove("RUSTUP_TOOLCHAIN")
        .env_remove("CARGO");
    command
}
