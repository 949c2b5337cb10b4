//! `cargo xtask test --changed`: the tests that the files which changed can break, and no others.
//!
//! Everything is built as the whole run builds it: with the same features, so that nothing is compiled twice. Which
//! files make a test program is what its modules say; what depends on it, what `cargo metadata` says.

mod plan;
mod sources;
mod workspace;

use super::{Runner, WORKSPACE};
use crate::cmd::{self, Failure, Result};
use plan::{Plan, Program, Selection, plan};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use workspace::{Kind, Package, packages};

/// Runs them; false where all tests are needed.
pub(super) fn run(revision: &str, runner: &mut Runner) -> Result<bool> {
    let files = changed(revision)?;
    let metadata = words(&mut cmd::cargo([
        "metadata",
        "--no-deps",
        "--format-version",
        "1",
    ]))?;
    let metadata: Value = serde_json::from_str(&metadata)
        .map_err(|error| Failure::Check(format!("cargo metadata: {error}")))?;
    let root = cmd::root();
    let read = |file: &Path| fs::read_to_string(root.join(file)).ok();
    let packages = packages(&metadata, &root, &read)?;
    println!("files that differ from {revision}: {}", files.len());
    let selection = match plan(&packages, &files) {
        Plan::All(file) => {
            println!(
                "all tests are run: everything is built by {}",
                file.display()
            );
            return Ok(false);
        }
        Plan::Some(selection) => selection,
    };
    say(&selection);
    // Unit tests first: they are built soonest, and are nearest to what changed.
    for kinds in [[Kind::Lib, Kind::Bin].as_slice(), &[Kind::Test]] {
        let programs = selection
            .programs
            .iter()
            .filter(|(program, _)| kinds.contains(&program.kind));
        let mut programs: Vec<_> = programs.collect();
        programs.sort_by_key(|(program, _)| !selection.changed.contains(&program.package));
        if programs.is_empty() {
            continue;
        }
        let built = build(programs.iter().map(|(program, _)| *program), &packages)?;
        for (program, tests) in programs {
            let Some(executable) = built.get(program) else {
                let what = format!(
                    "cargo built no tests of {} in {}",
                    program.name, program.package
                );
                return Err(Failure::Check(what));
            };
            runner.run(
                &program.name,
                &mut command(executable, program, &packages, tests),
            )?;
        }
    }
    if selection.examples {
        let mut examples = cmd::cargo(WORKSPACE);
        runner.run("", examples.args(["--no-fail-fast", "--doc"]))?;
    }
    Ok(true)
}

/// The files that differ from a revision, those that git does not know yet included.
fn changed(revision: &str) -> Result<Vec<PathBuf>> {
    let git = |args: &[&str]| words(Command::new("git").args(args).current_dir(cmd::root()));
    let differ = git(&["diff", "--name-only", "--no-renames", "-z", revision, "--"])?;
    let unknown = git(&["ls-files", "--others", "--exclude-standard", "-z"])?;
    let names = differ.split('\0').chain(unknown.split('\0'));
    let mut files: Vec<PathBuf> = names
        .filter(|name| !name.is_empty())
        .map(PathBuf::from)
        .collect();
    files.sort();
    files.dedup();
    Ok(files)
}

/// What a program prints on standard output.
fn words(command: &mut Command) -> Result<String> {
    let out = cmd::output(command)?;
    match out.status.success() {
        true => Ok(String::from_utf8_lossy(&out.stdout).into_owned()),
        false => Err(Failure::Check(format!(
            "`{}`: {}",
            cmd::line(command),
            cmd::last_words(&out)
        ))),
    }
}

fn say(selection: &Selection) {
    for (program, tests) in &selection.programs {
        match tests {
            [] => println!("runs {program}"),
            tests => println!("runs {program}: only {}", tests.join(", ")),
        }
    }
    if selection.examples {
        println!("runs the examples of the documentation");
    }
    let left_out: Vec<String> = selection
        .left_out
        .iter()
        .map(|program| program.to_string())
        .collect();
    println!("leaves out {}", left_out.join(", "));
}

/// Builds these programs, and others of the same kind; the executables.
fn build<'a>(
    programs: impl Iterator<Item = &'a Program>,
    packages: &[Package],
) -> Result<BTreeMap<Program, PathBuf>> {
    let mut cargo = cmd::cargo(WORKSPACE);
    cargo.args(["--no-run", "--message-format=json-render-diagnostics"]);
    let mut flags: Vec<&str> = Vec::new();
    for program in programs {
        match program.kind {
            Kind::Lib => flags.push("--lib"),
            Kind::Bin => flags.extend(["--bin", &program.name]),
            Kind::Test | Kind::Other => flags.extend(["--test", &program.name]),
        }
    }
    if let Some(first) = flags.iter().position(|flag| *flag == "--lib") {
        let mut at = 0;
        flags.retain(|flag| {
            at += 1;
            *flag != "--lib" || at == first + 1
        });
    }
    cargo.args(flags);
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

/// As cargo runs it: in its package's folder, with what tests ask of cargo's variables.
fn command(executable: &Path, program: &Program, packages: &[Package], tests: &[&str]) -> Command {
    let package = packages
        .iter()
        .find(|package| package.name == program.package);
    let folder = package.map_or_else(cmd::root, |package| cmd::root().join(&package.folder));
    let mut command = Command::new(executable);
    command
        .args(tests)
        .env("CARGO_MANIFEST_DIR", &folder)
        .env("CARGO_PKG_NAME", &program.package)
        .current_dir(folder);
    command
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn the_workspace_knows_the_files_of_its_own_tests() {
        let metadata = words(&mut cmd::cargo([
            "metadata",
            "--no-deps",
            "--format-version",
            "1",
        ]));
        let metadata: Value = serde_json::from_str(&metadata.expect("cargo")).expect("JSON");
        let root = cmd::root();
        let read = |file: &Path| fs::read_to_string(root.join(file)).ok();
        let packages = packages(&metadata, &root, &read).expect("packages");
        let runs = |file: &str| match plan(&packages, &[file.into()]) {
            Plan::Some(selection) => selection.programs.keys().map(ToString::to_string).collect(),
            Plan::All(_) => vec!["all".to_owned()],
        };
        let itself = runs("xtask/src/test/changed/plan_test.rs");
        assert_eq!(itself, ["skel-tests --test root", "xtask --bin xtask"]);
        // A file that packages share, and one that the library's documentation is.
        let shared = runs("tests/common/cuda_driver.rs");
        for program in ["skel-tests --test cuda", "skel-backends --test cuda_unit"] {
            assert!(shared.iter().any(|p| p == program), "{shared:?}");
        }
        assert!(runs("docs/skeletons.md").len() > shared.len());
        assert_eq!(runs("Cargo.toml"), ["all"]);
    }
}
