//! `cargo xtask loom`: containers that threads share, in every order in which the threads may run.

use crate::cmd::{self, Result};

/// Runs the models, in a target folder of their own: everything is compiled for them.
pub(crate) fn run() -> Result {
    let args = ["test", "-p", "skel-core", "--lib", "interleavings::"];
    let target = cmd::target().join("loom");
    let mut command = cmd::cargo(args);
    cmd::run(
        command
            .env("RUSTFLAGS", "--cfg loom")
            .env("CARGO_TARGET_DIR", target),
    )
}
