//! `cargo check` of a crate of user functions, against the same crate of plain functions.

use crate::source::{Kind, library};
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
}

pub(crate) fn run(options: &CompileTimeOptions) -> Result<(), Box<dyn Error>> {
    let folder = Folder::new()?;
    let kinds = [Kind::Plain, Kind::User];
    for kind in kinds {
        write_package(&folder.0.join(kind.name()), kind, options.functions)?;
        // Once unmeasured, for what the crate depends on.
        check(&folder.0, kind)?;
    }
    let mut seconds = [Vec::new(), Vec::new()];
    for _ in 0..options.rounds {
        for (kind, seconds) in kinds.into_iter().zip(&mut seconds) {
            seconds.push(check(&folder.0, kind)?);
        }
    }
    let [plain, user] = seconds.map(|s| stats::median(&s));
    println!("{}", Machine::this());
    println!(
        "cargo check of {} functions of about 30 expressions, not incremental\n",
        options.functions
    );
    let mut table = Table::new(["plain", "user functions", "more", "more, per function"]);
    let more = user - plain;
    let fields = [plain, user, more, more / options.functions.max(1) as f64];
    table.row(fields.map(|s| {
        if s < 0.0 {
            format!("−{}", table::time(-s))
        } else {
            table::time(s)
        }
    }));
    println!("{}", table.text());
    Ok(())
}

/// Seconds for checking the package anew; what it depends on stays built.
fn check(folder: &Path, kind: Kind) -> Result<f64, Box<dyn Error>> {
    let package = folder.join(kind.name());
    // Cargo goes by the time of the last change.
    let source = package.join("src").join("lib.rs");
    fs::write(&source, fs::read(&source)?)?;
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .args(["check", "--quiet", "--offline"])
        .current_dir(&package)
        .stdin(Stdio::null());
    cargo
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_TARGET_DIR", folder.join("target"));
    let start = Instant::now();
    let status = cargo.status()?;
    let seconds = start.elapsed().as_secs_f64();
    if !status.success() {
        return Err(format!("cargo check of the {} functions failed", kind.name()).into());
    }
    Ok(seconds)
}

fn write_package(package: &Path, kind: Kind, functions: usize) -> Result<(), Box<dyn Error>> {
    let root = workspace();
    fs::create_dir_all(package.join("src"))?;
    fs::write(package.join("src").join("lib.rs"), library(kind, functions))?;
    // Both depend on skel, so that Cargo has the same to look after; without drivers, which take long
    // to build and make no difference.
    let manifest = format!(
        "[package]\nname = \"{}\"\nedition = \"2024\"\n\n[dependencies]\nskel = {{ package = \"skel-hybrid\", path = {:?}, default-features = false }}\n\n[workspace]\n",
        kind.name(),
        root
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
