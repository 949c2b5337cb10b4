//! Crates of generated functions: written, built, run.

use super::{
    generate::Case,
    hostile::Declaration,
    report::{Line, Lines},
};
use crate::cmd::{self, DEV_PROFILE, Failure, Result};
use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The unit that compares both faces which the CPU has of a function with loops.
const LANES: &str = "lanes";

/// A Cargo workspace below the target folder, whose members are crates of functions. It has the
/// project's test profile and shares its target folder, so little but the functions is compiled.
pub(super) struct Workspace {
    root: PathBuf,
    target: PathBuf,
    environment: Vec<(String, String)>,
}

/// What became of the functions of some crates.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// What rustc, or the macros, say of those that do not compile, by name.
    pub(super) rejected: BTreeMap<String, String>,
    /// What the others printed.
    pub(super) lines: Vec<Line>,
}

impl Workspace {
    /// The folder, with nothing in it but what all runs share.
    pub(super) fn new(environment: Vec<(String, String)>) -> Result<Workspace> {
        let target = env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| cmd::root().join("target"), PathBuf::from);
        let root = target.join("fuzz");
        fs::create_dir_all(&root).map_err(Failure::io(root.display().to_string()))?;
        // The same versions of everything, so that nothing is built twice.
        let lock = cmd::root().join("Cargo.lock");
        if lock.is_file() {
            let copy = root.join("Cargo.lock");
            fs::copy(&lock, &copy).map_err(Failure::io(copy.display().to_string()))?;
        }
        Ok(Workspace {
            root,
            target,
            environment,
        })
    }

    /// Builds and runs the cases, `per_crate` of them in each crate. `args` are those of the harness.
    pub(super) fn run(
        &self,
        cases: &[&Case],
        per_crate: usize,
        args: &[String],
    ) -> Result<Outcome> {
        let lanes = args.iter().any(|unit| unit == LANES);
        let (mut outcome, crates) = self.compile("build", cases, (per_crate, lanes))?;
        if crates > 0 {
            outcome.lines = self.execute(crates, args)?;
        }
        Ok(outcome)
    }

    /// Only asks rustc whether it takes the cases.
    pub(super) fn check(&self, cases: &[&Case], per_crate: usize) -> Result<Outcome> {
        Ok(self.compile("check", cases, (per_crate, false))?.0)
    }

    /// Builds a crate of declarations, and gives Cargo's messages for programs: of what does not compile, errors.
    pub(super) fn declarations(&self, all: &[&Declaration]) -> Result<String> {
        let manifest =
            format!("[workspace]\nresolver = \"3\"\nmembers = [\"hostile\"]\n\n{DEV_PROFILE}");
        write(&self.root.join("Cargo.toml"), &manifest)?;
        let folder = self.root.join("hostile");
        let source = fresh(&folder)?;
        write(&folder.join("Cargo.toml"), &crate_manifest("hostile"))?;
        let mut main = String::from("#![allow(warnings)]\n");
        for declaration in all {
            main.push_str(&format!("mod {};\n", declaration.name));
            let file = source.join(format!("{}.rs", declaration.name));
            write(&file, &declaration.source())?;
        }
        main.push_str("\nfn main() {}\n");
        write(&source.join("main.rs"), &main)?;
        let mut command = self.command("build", "--message-format=json");
        let out = cmd::output(&mut command)?;
        // Unless rustc was asked at all, nothing was refused.
        let said = String::from_utf8_lossy(&out.stdout).into_owned();
        match out.status.success() || said.contains("\"level\":\"error") {
            true => Ok(said),
            false => Err(Failure::Check(format!(
                "the declarations were not compiled:\n{}",
                String::from_utf8_lossy(&out.stderr)
            ))),
        }
    }

    /// Cargo, in this workspace.
    fn command(&self, verb: &str, format: &str) -> Command {
        let mut command = cmd::cargo([verb, "--keep-going", format]);
        command
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", &self.target)
            .env("CARGO_TERM_COLOR", "never")
            .envs(self.environment.iter().cloned());
        command
    }

    /// Has Cargo `build` or `check` the cases; what was rejected, and how many crates the rest is in.
    fn compile(
        &self,
        verb: &str,
        cases: &[&Case],
        (per_crate, lanes): (usize, bool),
    ) -> Result<(Outcome, usize)> {
        let mut outcome = Outcome::default();
        let mut left: Vec<&Case> = cases.to_vec();
        // What does not compile is left out, until the rest does.
        while !left.is_empty() {
            let crates: Vec<&[&Case]> = left.chunks(per_crate).collect();
            self.write(&crates, lanes)?;
            let rejected = self.cargo(verb, &left)?;
            if rejected.is_empty() {
                return Ok((outcome, crates.len()));
            }
            left.retain(|case| !rejected.contains_key(&case.name));
            outcome.rejected.extend(rejected);
        }
        Ok((outcome, 0))
    }

    /// With lanes, every second crate has them, or the only one: they cost rustc far more than all else, and a crate
    /// that has them has no debug assertions.
    fn write(&self, crates: &[&[&Case]], lanes: bool) -> Result {
        let members: Vec<String> = (0..crates.len()).map(|k| format!("\"b{k}\"")).collect();
        let mut manifest = format!(
            "[workspace]\nresolver = \"3\"\nmembers = [{}]\n\n{DEV_PROFILE}",
            members.join(", ")
        );
        for k in 0..crates.len() {
            let profile = match lanes && (k % 2 == 1 || crates.len() == 1) {
                true => "debug-assertions = false",
                // Little of it runs more than a thousand times.
                false => "opt-level = 0",
            };
            manifest.push_str(&format!("\n[profile.dev.package.b{k}]\n{profile}\n"));
        }
        write(&self.root.join("Cargo.toml"), &manifest)?;
        for (k, cases) in crates.iter().enumerate() {
            self.write_crate(k, cases)?;
        }
        Ok(())
    }

    fn write_crate(&self, number: usize, cases: &[&Case]) -> Result {
        let folder = self.root.join(format!("b{number}"));
        let source = fresh(&folder)?;
        write(
            &folder.join("Cargo.toml"),
            &crate_manifest(&format!("b{number}")),
        )?;
        let mut main = String::from(
            "#![allow(warnings, arithmetic_overflow, overflowing_literals, unconditional_panic, clippy::all)]\n",
        );
        for case in cases {
            let name = &case.name;
            main.push_str(&format!("mod {name};\n"));
            let text = format!("use skel_fuzz::prelude::*;\n\n{}", case.text());
            write(&source.join(format!("{name}.rs")), &text)?;
        }
        main.push_str("\nfn main() {\n    skel_fuzz::main(&[\n");
        for case in cases {
            let name = &case.name;
            main.push_str(&format!("        (\"{name}\", {name}::compared),\n"));
        }
        main.push_str("    ]);\n}\n");
        write(&source.join("main.rs"), &main)
    }

    /// Builds or checks all crates; what is wrong with which functions.
    fn cargo(&self, verb: &str, cases: &[&Case]) -> Result<BTreeMap<String, String>> {
        let mut command = self.command(verb, "--message-format=short");
        let out = cmd::output(&mut command)?;
        if out.status.success() {
            return Ok(BTreeMap::new());
        }
        let said = String::from_utf8_lossy(&out.stderr);
        let mut rejected = BTreeMap::new();
        for line in said.lines().filter(|line| line.contains(": error")) {
            let Some((_, rest)) = line.split_once("/src/") else {
                continue;
            };
            let Some((name, why)) = rest.split_once(".rs:") else {
                continue;
            };
            if cases.iter().any(|case| case.name == name) {
                rejected
                    .entry(name.to_owned())
                    .or_insert_with(|| why.to_owned());
            }
        }
        match rejected.is_empty() {
            true => Err(Failure::Check(format!(
                "the functions do not build:\n{said}"
            ))),
            false => Ok(rejected),
        }
    }

    /// Runs all crates at the same time.
    fn execute(&self, crates: usize, args: &[String]) -> Result<Vec<Line>> {
        let mut children = Vec::new();
        for number in 0..crates {
            let program = self.target.join("debug").join(format!("b{number}"));
            let mut command = Command::new(&program);
            command
                .args(args)
                .envs(self.environment.iter().cloned())
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::null());
            let what = program.display().to_string();
            children.push((command.spawn().map_err(Failure::io(&*what))?, what));
        }
        // Each prints less than a pipe holds only while it is read: one thread for each.
        let readers: Vec<_> = children
            .into_iter()
            .map(|(child, what)| std::thread::spawn(move || (child.wait_with_output(), what)))
            .collect();
        let mut lines = Lines::default();
        for reader in readers {
            let Ok((output, what)) = reader.join() else {
                return Err(Failure::Check("a thread that reads died".into()));
            };
            let output = output.map_err(Failure::io(what))?;
            lines.add(&String::from_utf8_lossy(&output.stdout), output.status);
        }
        Ok(lines.all)
    }
}

/// An empty folder for the sources of a crate.
fn fresh(folder: &Path) -> Result<PathBuf> {
    let source = folder.join("src");
    let what = || Failure::io(source.display().to_string());
    if source.exists() {
        fs::remove_dir_all(&source).map_err(what())?;
    }
    fs::create_dir_all(&source).map_err(what())?;
    Ok(source)
}

fn crate_manifest(name: &str) -> String {
    let root = cmd::root();
    let path = |below: &str| root.join(below).display().to_string().replace('\\', "/");
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nskel = {{ package = \"skel-hybrid\", path = \"{}\" }}\nskel-fuzz = {{ path = \"{}\" }}\n",
        path(""),
        path("tests/fuzz")
    )
}

fn write(path: &Path, text: &str) -> Result {
    fs::write(path, text).map_err(Failure::io(path.display().to_string()))
}
