//! `cargo xtask loom`: containers that threads share, a crew's gate, the carries of a scan, the threads of a graph of tasks, and
//! scans whose blocks wait for each other, in every order in which threads may run, or in those of few interruptions.

use crate::cmd::{self, Result};

/// Runs the models, in a target folder of their own: everything is compiled for them.
pub(crate) fn run() -> Result {
    let target = cmd::target().join("loom");
    for models in [
        // Together, so that what both need is compiled once.
        [
            "test",
            "-p",
            "skel-core",
            "-p",
            "skel-backends",
            "--lib",
            "--no-default-features",
            "interleavings::",
        ]
        .as_slice(),
        &["test", "-p", "skel-look-back"],
    ] {
        let mut command = cmd::cargo(models.iter().copied());
        command
            .env("RUSTFLAGS", "--cfg loom")
            // Compiling them takes far longer than running them.
            .env("CARGO_PROFILE_TEST_OPT_LEVEL", "0")
            .env("CARGO_TARGET_DIR", &target);
        cmd::run(&mut command)?;
    }
    Ok(())
}
