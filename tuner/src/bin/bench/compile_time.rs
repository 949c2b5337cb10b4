//! What building takes: `cargo check` of a crate of user functions, against the same crate of plain functions, and
//! release builds of programs with many calls of a skeleton.

use crate::source::{Kind, Skeleton, library, program};
use std::{
    env,
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio, id},
    time::Instant,
};
use tuner::{Machine, Table, stats, table};

#[derive(clap::Args)]
pub(crate) struct CompileTimeOptions {
    /// The number of functions in the crate
    #[arg(long, default_value_t = 200)]
    functions: usize,
    /// How often each crate is checked
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// The number of calls of a skeleton in a release build; 0 for none of these builds
    #[arg(long, default_value_t = 10)]
    calls: usize,
}

pub(crate) fn run(options: &CompileTimeOptions) -> Result<(), Box<dyn Error>> {
    let folder = Folder::new()?;
    println!("{}", Machine::this());
    checks(&folder.0, options)?;
    if options.calls > 0 {
        release_builds(&folder.0, options)?;
    }
    Ok(())
}

fn checks(folder: &Path, options: &CompileTimeOptions) -> Result<(), Box<dyn Error>> {
    let kinds = [Kind::Plain, Kind::User];
    for kind in kinds {
        let source = ("lib.rs", library(kind, options.functions));
        write_package(&folder.join(kind.name()), kind.name(), source)?;
        // Once unmeasured, for what the crate depends on.
        build(folder, kind.name(), CHECK)?;
    }
    let mut seconds = [Vec::new(), Vec::new()];
    for _ in 0..options.rounds {
        for (kind, seconds) in kinds.into_iter().zip(&mut seconds) {
            seconds.push(build(folder, kind.name(), CHECK)?);
        }
    }
    let [plain, user] = seconds.map(|s| stats::median(&s));
    println!(
        "cargo check of {} functions of about 30 expressions, not incremental\n",
        options.functions
    );
    let mut table = Table::new(["plain", "user functions", "more", "more, per function"]);
    let more = user - plain;
    let fields = [plain, user, more, more / options.functions.max(1) as f64];
    table.row(fields.map(signed));
    println!("{}", table.text());
    Ok(())
}

fn release_builds(folder: &Path, options: &CompileTimeOptions) -> Result<(), Box<dyn Error>> {
    println!(
        "cargo build --release of a program with one call, and with {} more, of another function each\n",
        options.calls
    );
    let mut table = Table::new(["", "one call", "all", "per further call"]);
    for skeleton in Skeleton::ALL {
        let counts = [1, 1 + options.calls];
        let mut seconds = [Vec::new(), Vec::new()];
        for (count, seconds) in counts.into_iter().zip(&mut seconds) {
            let source = ("main.rs", program(skeleton, count));
            write_package(&folder.join("calls"), "calls", source)?;
            // Once unmeasured, for what the program depends on.
            build(folder, "calls", RELEASE)?;
            for _ in 0..options.rounds.div_ceil(2) {
                seconds.push(build(folder, "calls", RELEASE)?);
            }
        }
        let [one, all] = seconds.map(|s| stats::median(&s));
        let each = (all - one) / options.calls as f64;
        let times = [one, all, each].map(signed);
        let [one, all, each] = times;
        table.row([skeleton.name().into(), one, all, each]);
    }
    println!("{}", table.text());
    Ok(())
}

fn signed(seconds: f64) -> String {
    match seconds < 0.0 {
        true => format!("−{}", table::time(-seconds)),
        false => table::time(seconds),
    }
}

const CHECK: &[&str] = &["check"];
const RELEASE: &[&str] = &["build", "--release"];

/// Seconds for checking or building the package anew; what it depends on stays built.
fn build(folder: &Path, package: &str, command: &[&str]) -> Result<f64, Box<dyn Error>> {
    let package = folder.join(package);
    // Cargo goes by the time of the last change.
    for source in fs::read_dir(package.join("src"))? {
        let source = source?.path();
        fs::write(&source, fs::read(&source)?)?;
    }
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .args(command)
        .args(["--quiet", "--offline"])
        .current_dir(&package)
        .stdin(Stdio::null());
    cargo
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_TARGET_DIR", folder.join("target"));
    let start = Instant::now();
    let status = cargo.status()?;
    let seconds = start.elapsed().as_secs_f64();
    if !status.success() {
        return Err(format!("cargo {} failed in {}", command[0], package.display()).into());
    }
    Ok(seconds)
}

fn write_package(
    package: &Path,
    name: &str,
    (file, source): (&str, String),
) -> Result<(), Box<dyn Error>> {
    let root = workspace();
    fs::create_dir_all(package.join("src"))?;
    fs::write(package.join("src").join(file), source)?;
    // All depend on skel, so that Cargo has the same to look after; without drivers, which take long
    // to build and make no difference.
    let manifest = format!(
        "[package]\nname = \"{}\"\nedition = \"2024\"\n\n[dependencies]\nskel = {{ package = \"skel-hybrid\", path = {:?}, default-features = false }}\n\n[workspace]\n",
        name, root
    );
    fs::write(package.join("Cargo.toml"), manifest)?;
    // The versions that are there already: nothing is downloaded.
    let lock = root.join("Cargo.lock");
    if lock.exists() {
        fs::copy(lock, package.join("Cargo.lock"))?;
    }
    Ok(())
}

/// Cargo says at run time where the package is whose program it runs.
fn workspace() -> PathBuf {
    let here =
        env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&here).join("..")
}

/// A temporary folder, removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self, Box<dyn Error>> {
        let path = env::temp_dir().join(format!("skel-compile-time-{}", id()));
        fs::create_dir_all(&path)?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            eprintln!("warning: {} stays behind: {error}", self.0.display());
        }
    }
}
