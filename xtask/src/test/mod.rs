//! `cargo xtask test`: all tests, with a device for those that need one, and one count at the end.

mod tally;

use crate::{
    chromium,
    cmd::{self, Failure, Result},
    cuda,
    vulkan::{self, RuntimeDir, Vulkan},
};
use std::{
    io::{self, BufRead, BufReader, IsTerminal, Write},
    process::{Command, Stdio},
};
use tally::Tally;

/// What tests that need a device say when they find none, after `skipped: NAME: `.
const NO_DEVICE: &str = "no device";

/// Variables that make Mesa's software device compile for a lesser CPU than the machine's: without AVX2, vectors of
/// `f64` are rounded by other code.
const OTHER_CODE_PATHS: [(&str, &str); 1] = [("GALLIUM_OVERRIDE_CPU_CAPS", "avx")];

/// The tests that compare what a device computes with Rust, operation by operation and function by function.
const DEVICE_TESTS: [&str; 2] = ["webgpu", "device"];

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Run only tests whose name contains this
    #[arg(long)]
    pub(crate) filter: Option<String>,
    /// Fail if tests that need a device could not run
    #[arg(long)]
    pub(crate) require_device: bool,
}

/// Runs the tests of the whole workspace.
pub(crate) fn run(options: &Options) -> Result {
    let vulkan = vulkan::ensure();
    let software = vulkan.is_software();
    match vulkan {
        Vulkan::Present(driver) => println!("device tests: {driver}"),
        Vulkan::Missing(why) if options.require_device => {
            return Err(Failure::Check(format!("no Vulkan driver: {why}")));
        }
        Vulkan::Missing(_) => {}
    }
    let cuda = cuda::ensure();
    chromium::ensure();
    let runtime_dir = RuntimeDir::new()?;
    let mut command = cmd::cargo(["test", "--workspace", "--no-fail-fast"]);
    runtime_dir.pass_to(&mut command);
    cuda.pass_to(&mut command);
    if let Some(filter) = &options.filter {
        command.args(["--", filter]);
    }
    let mut tally = Tally::default();
    let mut success = stream(&mut command, &mut tally)?;
    if software {
        // Another CPU's instructions: what Mesa makes of a kernel depends on them.
        for (name, value) in OTHER_CODE_PATHS {
            println!("\nonce more, with {name}={value}");
            let mut command = cmd::cargo(["test", "--workspace", "--no-fail-fast"]);
            for target in DEVICE_TESTS {
                command.args(["--test", target]);
            }
            runtime_dir.pass_to(&mut command);
            command.env(name, value);
            if let Some(filter) = &options.filter {
                command.args(["--", filter]);
            }
            success &= stream(&mut command, &mut tally)?;
        }
    }
    tally.end();
    print!("\n{}", tally.summary());
    if options.require_device
        && let Some(skipped) = tally.skipped().find(|s| s.reason.contains(NO_DEVICE))
    {
        return Err(Failure::Check(format!(
            "a device is required, but {} found none",
            skipped.name
        )));
    }
    if tally.failed > 0 {
        return Err(Failure::Check(format!("{} tests failed", tally.failed)));
    }
    if !success {
        return Err(Failure::Check("cargo test failed: see above".into()));
    }
    Ok(())
}

/// Runs it, passes on all that it prints, and counts.
fn stream(command: &mut Command, tally: &mut Tally) -> Result<bool> {
    let line = cmd::line(command);
    println!("{line}");
    if io::stdout().is_terminal() {
        command.env("CARGO_TERM_COLOR", "always");
    }
    // One pipe for both streams, so that a note about a test stays beside its test.
    let (reader, writer) = io::pipe().map_err(Failure::io("a pipe"))?;
    let both = writer.try_clone().map_err(Failure::io("a pipe"))?;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(writer)
        .stderr(both)
        .spawn()
        .map_err(Failure::io(&*line))?;
    // The command keeps its ends of the pipe open; without this, reading would never end.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut out = io::stdout();
    let mut bytes = Vec::new();
    let mut reader = BufReader::new(reader);
    while reader
        .read_until(b'\n', &mut bytes)
        .map_err(Failure::io(&*line))?
        > 0
    {
        out.write_all(&bytes)
            .map_err(Failure::io("standard output"))?;
        tally.line(String::from_utf8_lossy(&bytes).trim_end());
        bytes.clear();
    }
    let status = child.wait().map_err(Failure::io(&*line))?;
    Ok(status.success())
}
