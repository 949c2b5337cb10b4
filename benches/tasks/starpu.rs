//! StarPU, where it and a C compiler are: a program of its own (`starpu.c`), since its workers spin while they have
//! nothing to do.

use crate::{
    contender::{Batch, Contender, Effort, Sample},
    plain::workers,
};
use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

/// The program that runs tasks with StarPU.
pub(crate) struct Program {
    path: PathBuf,
    /// Where StarPU keeps what it has learned about the machine.
    home: PathBuf,
}

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../benches/tasks/starpu.c");

/// Compiles it.
///
/// # Errors
/// Why that cannot be.
pub(crate) fn compile() -> Result<Program, String> {
    let flags = output(Command::new("pkg-config").args(["--cflags", "--libs", "starpu-1.3"]))?;
    let ours = env::current_exe().map_err(|error| error.to_string())?;
    let folder = ours.parent().unwrap_or(Path::new("."));
    let (path, home) = (
        folder.join("tasks-starpu"),
        folder.join("tasks-starpu-home"),
    );
    std::fs::create_dir_all(&home).map_err(|error| format!("{}: {error}", home.display()))?;
    let mut compiler = Command::new("cc");
    compiler
        .args(["-O3", "-march=native", SOURCE, "-o"])
        .arg(&path)
        .args(flags.split_whitespace());
    output(&mut compiler)?;
    let program = Program { path, home };
    // The first run measures the machine.
    program.run("eager", &["grain".into(), "1:1".into()])?;
    Ok(program)
}

impl Program {
    /// Runs it under a scheduler; what it has measured.
    pub(crate) fn run(&self, scheduler: &str, args: &[String]) -> Result<Vec<Sample>, String> {
        let text = output(
            Command::new(&self.path)
                .args(args)
                .env("STARPU_HOME", &self.home)
                .env("STARPU_NCPU", workers().to_string())
                .env("STARPU_NCUDA", "0")
                .env("STARPU_NOPENCL", "0")
                .env("STARPU_SILENT", "1")
                .env("STARPU_SCHED", scheduler),
        )?;
        text.lines().map(sample).collect()
    }
}

/// A line `what,seconds,cores`; the last is missing where it was too short to tell.
fn sample(line: &str) -> Result<Sample, String> {
    let strange = || format!("StarPU's program printed `{line}`");
    let mut fields = line.rsplitn(3, ',');
    let cores = fields.next().ok_or_else(strange)?;
    let seconds = fields.next().ok_or_else(strange)?;
    Ok(Sample {
        what: fields.next().ok_or_else(strange)?.into(),
        seconds: seconds.parse().map_err(|_| strange())?,
        cores: cores.parse().ok(),
    })
}

fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let out = command
        .output()
        .map_err(|error| format!("`{name}` does not run: {error}"))?;
    let said = String::from_utf8_lossy(&out.stderr);
    match out.status.success() {
        true => Ok(String::from_utf8_lossy(&out.stdout).into_owned()),
        false => Err(format!("`{name}`: {}: {}", out.status, said.trim())),
    }
}

/// StarPU under a scheduler.
pub(crate) struct StarPu<'p> {
    pub(crate) program: &'p Program,
    pub(crate) scheduler: &'static str,
}

/// The schedulers under which StarPU is measured.
pub(crate) const SCHEDULERS: [&str; 3] = ["eager", "lws", "dmda"];

impl Contender for StarPu<'_> {
    fn name(&self) -> String {
        format!("StarPU {}", self.scheduler)
    }

    fn overhead(&mut self, effort: &Effort) -> Result<Vec<Sample>, String> {
        let numbers = [effort.tasks, effort.round_trips].map(|n| n.to_string());
        let args = [&["overhead".to_owned()][..], &numbers].concat();
        self.program.run(self.scheduler, &args)
    }

    fn grain(&mut self, batches: &[Batch]) -> Result<Vec<Sample>, String> {
        let names = batches.iter().map(|batch| batch.name());
        let args: Vec<String> = std::iter::once("grain".into()).chain(names).collect();
        self.program.run(self.scheduler, &args)
    }
}
