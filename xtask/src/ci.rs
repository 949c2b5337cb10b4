//! `cargo xtask ci`: what must hold before a change goes in, on a machine without a GPU.

use crate::{
    assembly,
    cmd::{self, Failure, Result},
    examples, figures, fuzz, lines, loom, package, test, vulkan,
};
use std::time::Instant;

/// Runs every step in order, and stops at the first that fails.
pub(crate) fn run() -> Result {
    let start = Instant::now();
    step("formatting", || cargo(&["fmt", "--all", "--check"]))?;
    step("length of files", lines::run)?;
    step("figures", || {
        figures::run(&figures::Options { check: true })
    })?;
    step("packages", package::run)?;
    step("clippy", || {
        cargo(&[
            "clippy",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ])
    })?;
    step("fuzz targets", || {
        // No members of the workspace, since running them takes nightly Rust; compiled, they can be by any.
        let mut check = cmd::cargo(["check", "--manifest-path", "fuzz/Cargo.toml"]);
        check.arg("--target-dir").arg(cmd::target());
        cmd::run(&mut check)
    })?;
    step("documentation", || {
        let mut doc = cmd::cargo(["doc", "--workspace", "--no-deps"]);
        cmd::run(doc.env("RUSTDOCFLAGS", "-D warnings"))
    })?;
    step("tests", || {
        // Where the software device was found or installed, nothing excuses a test for want of one.
        let require_device = vulkan::ensure().is_software();
        test::run(&test::Options {
            filter: None,
            require_device,
            changed: None,
        })
    })?;
    step("orders of threads", loom::run)?;
    step("fuzzing", || fuzz::run(&fuzz::Options::of_ci()))?;
    step("examples", examples::run)?;
    // Of the same build.
    step("assembly", assembly::run)?;
    println!("\nall passed in {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

fn step(name: &str, work: impl FnOnce() -> Result) -> Result {
    println!("\n== {name}");
    let start = Instant::now();
    work().map_err(|failure| Failure::Check(format!("{name}: {failure}")))?;
    println!("== {name}: {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

fn cargo(args: &[&str]) -> Result {
    cmd::run(&mut cmd::cargo(args.iter().copied()))
}
