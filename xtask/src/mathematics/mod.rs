//! `cargo xtask mathematics`: errors and bits of the functions of `f32` over all floats, and errors of those of `f64`
//! over a thousand million random ones, against the C library's functions of `long double`.

use crate::cmd::{self, Result};
use std::{ffi::OsString, process::Command};

/// Runs what is too long for every test run: some half an hour each, on two cores.
pub(crate) fn run() -> Result {
    let exact = compiled()?;
    let tests = ["math::test::all::", "math::test::random::"];
    let mut command = cmd::cargo(["test", "--release", "-p", "skel-core", "--lib", "--"]);
    command
        .args(tests)
        .args(["--ignored", "--nocapture", "--test-threads=1"])
        .env("SKEL_EXACT", exact);
    cmd::run(&mut command)
}

/// The program that has the functions of `long double`, from `exact.c`.
fn compiled() -> Result<OsString> {
    let source = cmd::root().join("xtask/src/mathematics/exact.c");
    let program = cmd::target().join("exact");
    let mut command = Command::new("cc");
    command
        .args(["-O2", "-o"])
        .arg(&program)
        .arg(source)
        .arg("-lm");
    cmd::run(&mut command)?;
    Ok(program.into())
}
