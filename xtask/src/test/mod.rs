//! `cargo xtask test`: all tests, with a device for those that need one, and one count at the end.

mod changed;
mod tally;

use crate::{
    chromium,
    cmd::{self, Failure, Result},
    cuda::{self, Cuda},
    vulkan::{self, RuntimeDir, Vulkan},
};
use std::{
    io::{self, BufRead, BufReader, IsTerminal, Write},
    process::{Command, Stdio},
};
use tally::Tally;

/// What tests that need a device say when they find none, after `skipped: NAME: `.
const NO_DEVICE: &str = "no device";

/// A variable that makes Mesa's software device compile otherwise than for the machine's CPU. The tests named
/// `arithmetic::other_code_paths_are_taken` see that it does.
struct CodePath {
    variable: &'static str,
    value: &'static str,
    /// A test program, and which of its tests.
    program: &'static str,
    filter: Option<&'static str>,
}

/// The operations are compared one by one (`webgpu`), and function by function (`device`). What else `webgpu` tests is
/// how a kernel is put together, which is the same whatever Mesa makes of it.
const OTHER_CODE_PATHS: [CodePath; 3] = [
    // Without AVX2, vectors of `f64` are rounded by other code.
    CodePath {
        variable: "GALLIUM_OVERRIDE_CPU_CAPS",
        value: "avx",
        program: "webgpu",
        filter: Some("arithmetic"),
    },
    CodePath {
        variable: "GALLIUM_OVERRIDE_CPU_CAPS",
        value: "avx",
        program: "device",
        filter: None,
    },
    // Vectors of half the width: 4 lanes of `f32`, other instructions for all of them.
    CodePath {
        variable: "LP_NATIVE_VECTOR_WIDTH",
        value: "128",
        program: "webgpu",
        filter: Some("arithmetic"),
    },
];

/// All tests. The examples have none; they are compiled and run by `cargo xtask examples`.
const WORKSPACE: [&str; 4] = ["test", "--workspace", "--exclude", "skel-examples"];

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Run only tests whose name contains this
    #[arg(long)]
    pub(crate) filter: Option<String>,
    /// Fail if tests that need a device could not run
    #[arg(long)]
    pub(crate) require_device: bool,
    /// Run only what the files that differ from a revision of git can break, and say what that is
    #[arg(long, value_name = "REVISION", num_args = 0..=1, default_missing_value = "HEAD")]
    pub(crate) changed: Option<String>,
}

/// Test programs with what they need of this machine, and the count of all.
struct Runner<'a> {
    runtime_dir: RuntimeDir,
    cuda: Cuda,
    software: bool,
    filter: Option<&'a str>,
    tally: Tally,
    success: bool,
}

impl Runner<'_> {
    /// Runs a test program of this name, and once more on other instructions where they matter to it.
    fn run(&mut self, name: &str, command: &mut Command) -> Result {
        self.runtime_dir.pass_to(command);
        self.cuda.pass_to(command);
        command.args(self.filter);
        self.success &= stream(command, &mut self.tally)?;
        let paths = OTHER_CODE_PATHS.iter();
        for other in paths.filter(|other| self.software && other.program == name) {
            println!("\nonce more, with {}={}", other.variable, other.value);
            if self.filter.is_none() {
                command.args(other.filter);
            }
            self.success &= stream(command.env(other.variable, other.value), &mut self.tally)?;
            command.env_remove(other.variable);
        }
        Ok(())
    }

    /// All of the workspace.
    fn run_all(&mut self) -> Result {
        let mut command = cmd::cargo(WORKSPACE);
        command.arg("--no-fail-fast");
        self.cuda.pass_to(&mut command);
        self.cargo(&mut command, self.filter)?;
        if self.software {
            // Another CPU's instructions: what Mesa makes of a kernel depends on them.
            for other in &OTHER_CODE_PATHS {
                println!("\nonce more, with {}={}", other.variable, other.value);
                let mut command = cmd::cargo(WORKSPACE);
                command.arg("--no-fail-fast");
                command.args(["--test", other.program]);
                let filter = self.filter.or(other.filter);
                self.cargo(command.env(other.variable, other.value), filter)?;
            }
        }
        Ok(())
    }

    fn cargo(&mut self, command: &mut Command, filter: Option<&str>) -> Result {
        self.runtime_dir.pass_to(command);
        if let Some(filter) = filter {
            command.args(["--", filter]);
        }
        self.success &= stream(command, &mut self.tally)?;
        Ok(())
    }
}

/// Runs the tests of the whole workspace, or those that a change can break.
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
    let mut runner = Runner {
        runtime_dir: RuntimeDir::new()?,
        cuda,
        software,
        filter: options.filter.as_deref(),
        tally: Tally::default(),
        success: true,
    };
    let some = match &options.changed {
        Some(revision) => changed::run(revision, &mut runner)?,
        None => false,
    };
    if !some {
        runner.run_all()?;
    }
    let Runner {
        mut tally, success, ..
    } = runner;
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
