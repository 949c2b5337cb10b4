//! Building the examples and running one.

use crate::cmd::{self, Failure, Result};
use serde_json::Value;
use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The built examples, and a folder for what they write.
pub(super) struct Examples {
    programs: HashMap<String, PathBuf>,
    pub(super) scratch: PathBuf,
}

/// What an example did.
pub(super) struct Ran {
    pub(super) line: String,
    pub(super) code: Option<i32>,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

impl Examples {
    /// Builds them as a user does: optimised.
    pub(super) fn build() -> Result<Self> {
        let mut build = cmd::cargo([
            "build",
            "--release",
            "-p",
            "skel-examples",
            "--examples",
            "--message-format",
            "json-render-diagnostics",
        ]);
        let line = cmd::line(&build);
        println!("{line}");
        let out = build
            .stderr(Stdio::inherit())
            .output()
            .map_err(Failure::io(&*line))?;
        if !out.status.success() {
            return Err(Failure::Program {
                command: line,
                status: out.status.to_string(),
            });
        }
        let programs = String::from_utf8_lossy(&out.stdout)
            .lines()
            .filter_map(executable)
            .collect();
        let scratch = std::env::temp_dir().join(format!("skel-examples-{}", std::process::id()));
        fs::create_dir_all(&scratch).map_err(Failure::io(scratch.display().to_string()))?;
        Ok(Examples { programs, scratch })
    }

    /// The names of all.
    pub(super) fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.programs.keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }

    /// Runs it to its end, however it ends.
    pub(super) fn run(&self, name: &str, args: &[&str]) -> Result<Ran> {
        self.run_in(&cmd::root(), name, args, &[])
    }

    fn run_in(
        &self,
        folder: &Path,
        name: &str,
        args: &[&str],
        environment: &[(&str, &str)],
    ) -> Result<Ran> {
        let mut command = Command::new(self.program(name)?);
        command
            .args(args)
            .current_dir(folder)
            .envs(environment.iter().copied());
        ran(&mut command)
    }

    /// Runs it; an error unless it succeeds. Nothing where it found no device to run on.
    pub(super) fn ok(&self, name: &str, args: &[&str]) -> Result<Option<Ran>> {
        self.checked(self.run(name, args)?)
    }

    /// The same without arguments, where it may leave files behind.
    pub(super) fn alone(&self, name: &str) -> Result<Option<Ran>> {
        self.checked(self.run_in(&self.scratch, name, &[], &[])?)
    }

    /// The same, where software devices count as devices.
    pub(super) fn with_software(&self, name: &str, args: &[&str]) -> Result<Option<Ran>> {
        let environment = [("SKEL_SOFTWARE_DEVICES", "1")];
        self.checked(self.run_in(&cmd::root(), name, args, &environment)?)
    }

    /// The same, where its address space has so many kibibytes; it may fail.
    #[cfg(unix)]
    pub(super) fn limited(&self, name: &str, args: &[&str], kibibytes: usize) -> Result<Ran> {
        let program = self.program(name)?;
        let limit = format!("ulimit -v {kibibytes} && exec \"$0\" \"$@\"");
        let mut command = Command::new("sh");
        command.args(["-c", &limit]).arg(program).args(args);
        ran(&mut command)
    }

    fn program(&self, name: &str) -> Result<&Path> {
        let program = self.programs.get(name).map(PathBuf::as_path);
        program.ok_or_else(|| Failure::Check(format!("there is no example {name}")))
    }

    fn checked(&self, ran: Ran) -> Result<Option<Ran>> {
        if ran.code == Some(0) {
            println!("ok: {}", ran.line);
            return Ok(Some(ran));
        }
        if ran.stderr.starts_with("error: no device") {
            println!("skipped: {}: {}", ran.line, ran.stderr.trim_end());
            return Ok(None);
        }
        Err(Failure::Check(format!(
            "{} ended with code {:?}:\n{}{}",
            ran.line, ran.code, ran.stdout, ran.stderr
        )))
    }
}

impl Drop for Examples {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.scratch) {
            eprintln!("warning: {} stays behind: {error}", self.scratch.display());
        }
    }
}

/// Runs a program to its end, however it ends.
fn ran(command: &mut Command) -> Result<Ran> {
    command
        .env_remove("SKEL_BACKEND")
        // As in a container: nothing is printed for want of it.
        .env_remove("XDG_RUNTIME_DIR");
    let line = cmd::line(command);
    let out = cmd::output(command)?;
    Ok(Ran {
        line,
        code: out.status.code(),
        stdout: String::from_utf8_lossy(&out.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&out.stderr).into_owned(),
    })
}

/// Name and path, if a line of Cargo's JSON announces an example.
fn executable(line: &str) -> Option<(String, PathBuf)> {
    let message: Value = serde_json::from_str(line).ok()?;
    let target = &message["target"];
    if target["kind"][0] != "example" {
        return None;
    }
    Some((
        target["name"].as_str()?.into(),
        message["executable"].as_str()?.into(),
    ))
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_a_target() {
        let folder = cmd::root().join("examples");
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("the manifest");
        let files = fs::read_dir(folder).expect("the folder").flatten();
        let paths = files.map(|file| file.path());
        let is_source = |path: &PathBuf| {
            path.extension().is_some_and(|e| e == "rs") || path.join("main.rs").exists()
        };
        let mut seen = 0;
        for path in paths.filter(is_source) {
            let name = path
                .file_stem()
                .and_then(|name| name.to_str())
                .expect("a name");
            let file = if path.is_dir() { "/main.rs" } else { ".rs" };
            let target = format!("[[example]]\nname = \"{name}\"\npath = \"{name}{file}\"\n");
            assert!(manifest.contains(&target), "{name}");
            seen += 1;
        }
        assert!(seen > 20, "{seen}");
    }

    #[test]
    fn only_examples_are_taken_from_the_messages() {
        let line = |kind: &str| {
            format!(r#"{{"target":{{"kind":["{kind}"],"name":"psnr"}},"executable":"/t/psnr"}}"#)
        };
        assert_eq!(
            executable(&line("example")),
            Some(("psnr".into(), "/t/psnr".into()))
        );
        assert_eq!(executable(&line("bin")), None);
        assert_eq!(executable("not json"), None);
    }
}
