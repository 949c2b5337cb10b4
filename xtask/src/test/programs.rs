//! Test programs as executables: building them, and running one as cargo would.

use super::{
    WORKSPACE,
    workspace::{Kind, Package, Program},
};
use crate::cmd::{self, Failure, Result};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::Command,
};

/// Builds these programs, and perhaps others of the same name; the executables.
pub(super) fn build<'a>(
    programs: impl Iterator<Item = &'a Program>,
    packages: &[Package],
) -> Result<BTreeMap<Program, PathBuf>> {
    let mut cargo = cmd::cargo(WORKSPACE);
    cargo.args(["--no-run", "--message-format=json-render-diagnostics"]);
    let mut flags: Vec<[&str; 2]> = Vec::new();
    for program in programs {
        match program.kind {
            Kind::Lib => flags.push(["--lib", ""]),
            Kind::Bin => flags.push(["--bin", &program.name]),
            Kind::Test | Kind::Other => flags.push(["--test", &program.name]),
        }
    }
    flags.sort_unstable();
    flags.dedup();
    cargo.args(flags.iter().flatten().filter(|word| !word.is_empty()));
    let said = cmd::messages(&mut cargo)?;
    Ok(said
        .lines()
        .filter_map(|line| executable(line, packages))
        .collect())
}

/// The test program that a line of cargo's messages announces.
fn executable(line: &str, packages: &[Package]) -> Option<(Program, PathBuf)> {
    let message: Value = serde_json::from_str(line).ok()?;
    if message["reason"] != "compiler-artifact" || message["profile"]["test"] != true {
        return None;
    }
    let manifest = Path::new(message["manifest_path"].as_str()?);
    let folder = manifest.parent()?;
    let folder = folder.strip_prefix(cmd::root()).unwrap_or(folder);
    let package = packages.iter().find(|package| package.folder == folder)?;
    let program = Program {
        package: package.name.clone(),
        kind: Kind::of(&message["target"]),
        name: message["target"]["name"].as_str()?.into(),
    };
    Some((program, message["executable"].as_str()?.into()))
}

/// A test program that was built.
pub(super) struct Built<'a> {
    pub(super) program: &'a Program,
    executable: &'a Path,
    folder: PathBuf,
    /// The tests that are meant, where not all are.
    tests: &'static [&'static str],
}

impl<'a> Built<'a> {
    /// One of those that [`build`] gave.
    pub(super) fn new(
        program: &'a Program,
        tests: &'static [&'static str],
        built: &'a BTreeMap<Program, PathBuf>,
        packages: &[Package],
    ) -> Result<Built<'a>> {
        let executable = built
            .get(program)
            .ok_or_else(|| Failure::Check(format!("cargo built no `{program}`")))?;
        let package = packages.iter().find(|p| p.name == program.package);
        Ok(Built {
            program,
            executable,
            folder: package.map_or_else(cmd::root, |p| cmd::root().join(&p.folder)),
            tests,
        })
    }

    /// As cargo runs it: in its package's folder, with what tests ask of cargo's variables.
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(self.executable);
        command
            .args(self.tests)
            .env("CARGO_MANIFEST_DIR", &self.folder)
            .env("CARGO_PKG_NAME", &self.program.package)
            .current_dir(&self.folder);
        command
    }
}
