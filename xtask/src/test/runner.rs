//! Running test programs, some beside others, and counting what they print.

use super::{WORKSPACE, programs::Built, tally::Tally};
use crate::{
    cmd::{self, Failure, Result},
    cuda::Cuda,
    vulkan::RuntimeDir,
};
use std::{
    io::{self, BufRead, BufReader, IsTerminal, Write},
    panic,
    process::{Command, Stdio},
    thread,
    time::Instant,
};

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

/// Programs that keep one core busy at most, since their tests take turns or wait: they run beside the others.
const ON_ONE_CORE: [&str; 4] = ["cuda_unit", "npb", "short_memory", "soak"];

/// When what a program prints is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// Line by line.
    AtOnce,
    /// As one piece when it ends, since another program prints meanwhile.
    AtEnd,
}

/// What test programs need of this machine.
pub(super) struct Runner<'a> {
    pub(super) runtime_dir: RuntimeDir,
    pub(super) cuda: Cuda,
    /// Whether the device of tests is Mesa's.
    pub(super) software: bool,
    pub(super) filter: Option<&'a str>,
}

impl Runner<'_> {
    /// Runs these, one after the other, and those for one core beside them.
    pub(super) fn run(&self, programs: Vec<Built<'_>>, tally: &mut Tally) -> Result {
        let (beside, others): (Vec<_>, Vec<_>) = programs
            .into_iter()
            .partition(|built| ON_ONE_CORE.contains(&&*built.program.name));
        let all = |programs: Vec<Built<'_>>, shown| -> Result<Tally> {
            let mut tally = Tally::default();
            for built in programs {
                self.program(&built, shown, &mut tally)?;
            }
            Ok(tally)
        };
        let (others, beside) = thread::scope(|scope| {
            let beside = scope.spawn(|| all(beside, Shown::AtEnd));
            let others = all(others, Shown::AtOnce);
            (others, beside.join())
        });
        tally.add(others?);
        tally.add(beside.unwrap_or_else(|payload| panic::resume_unwind(payload))?);
        Ok(())
    }

    /// Runs a test program, and once more on other instructions where they matter to it.
    fn program(&self, built: &Built<'_>, shown: Shown, tally: &mut Tally) -> Result {
        let title = built.program.to_string();
        let mut command = built.command();
        self.stream(&title, command.args(self.filter), shown, tally)?;
        let paths = OTHER_CODE_PATHS.iter();
        for other in paths.filter(|other| self.software && other.program == built.program.name) {
            let mut command = built.command();
            command
                .args(self.filter.or(other.filter))
                .env(other.variable, other.value);
            let title = format!("{title} with {}={}", other.variable, other.value);
            self.stream(&title, &mut command, shown, tally)?;
        }
        Ok(())
    }

    /// The examples of the documentation.
    pub(super) fn examples(&self, tally: &mut Tally) -> Result {
        let mut command = cmd::cargo(WORKSPACE);
        command.args(["--no-fail-fast", "--doc"]).args(self.filter);
        let title = "examples of the documentation";
        self.stream(title, &mut command, Shown::AtOnce, tally)
    }

    /// Runs it, passes on all that it prints, and counts.
    fn stream(
        &self,
        title: &str,
        command: &mut Command,
        shown: Shown,
        tally: &mut Tally,
    ) -> Result {
        self.runtime_dir.pass_to(command);
        self.cuda.pass_to(command);
        if io::stdout().is_terminal() {
            command.env("CARGO_TERM_COLOR", "always");
        }
        let start = Instant::now();
        // One pipe for both streams, so that a note about a test stays beside its test.
        let (reader, writer) = io::pipe().map_err(Failure::io("a pipe"))?;
        let both = writer.try_clone().map_err(Failure::io("a pipe"))?;
        let mut child = command
            .stdin(Stdio::null())
            .stdout(writer)
            .stderr(both)
            .spawn()
            .map_err(Failure::io(title))?;
        // The command keeps its ends of the pipe open; without this, reading would never end.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut printed = format!("\n{title}\n").into_bytes();
        if shown == Shown::AtEnd {
            print(&mut format!("{title} runs beside what follows\n").into_bytes())?;
        }
        let mut counts = Tally::default();
        let mut line = Vec::new();
        let mut reader = BufReader::new(reader);
        while reader
            .read_until(b'\n', &mut line)
            .map_err(Failure::io(title))?
            > 0
        {
            counts.line(String::from_utf8_lossy(&line).trim_end());
            printed.append(&mut line);
            if shown == Shown::AtOnce {
                print(&mut printed)?;
            }
        }
        let status = child.wait().map_err(Failure::io(title))?;
        counts.end(title, (!status.success()).then(|| status.to_string()));
        tally.add(counts);
        let seconds = start.elapsed().as_secs_f64();
        printed.extend(format!("{title}: {seconds:.1} s\n").bytes());
        if !status.success() {
            printed.extend(format!("{title} failed: {status}\n").bytes());
        }
        print(&mut printed)
    }
}

/// Passes on what was printed, and forgets it.
fn print(printed: &mut Vec<u8>) -> Result {
    io::stdout()
        .write_all(printed)
        .map_err(Failure::io("standard output"))?;
    printed.clear();
    Ok(())
}
