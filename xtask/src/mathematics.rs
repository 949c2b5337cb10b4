//! `cargo xtask mathematics`: errors and bits of the functions of `f32`, over all floats.

use crate::cmd::{self, Result};

/// Runs what is too long for every test run.
pub(crate) fn run() -> Result {
    let all = "math::test::all::";
    let test = ["test", "--release", "-p", "skel-core", "--lib", all];
    let mut command = cmd::cargo(test);
    command.args(["--", "--ignored", "--nocapture"]);
    cmd::run(&mut command)
}
