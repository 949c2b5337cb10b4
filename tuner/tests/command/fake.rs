//! Programs that write a journal as the library does, without computing anything.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Output},
};
use tempfile::TempDir;

pub(crate) const HELLO: &str = r#"{"reason":"journal","proto":1,"skel":"0.1.0","pid":7,"fingerprint":{"cpu":"Chip 9","threads":8,"devices":[{"id":"mock:a#0","name":"a","driver":"1"}]}}"#;
pub(crate) const INSTANCE: &str = r#"{"reason":"instance","id":"00ff","key":{"name":"app::dot","pattern":"MapReduce","elements":"f32","hash":"0123456789abcdef0123456789abcdef"}}"#;
pub(crate) const STARTED: &str = r#"{"reason":"class-started","id":"00ff","elems":4096,"beside_elems":0,"units":["cpu","mock:a#0"],"points":[1024,4096]}"#;
pub(crate) const SAMPLE: &str = r#"{"reason":"sample","id":"00ff","elems":4096,"beside_elems":0,"unit":"cpu","part_elems":1024,"ns":[1020,1024,1028]}"#;
pub(crate) const PROBLEM: &str = r#"{"reason":"problem","what":"load is 9","kind":"busy"}"#;

/// A folder with a program, in which the command runs.
pub(crate) struct Place {
    pub(crate) dir: TempDir,
    program: PathBuf,
}

impl Place {
    /// A program that appends these lines to its journal, and then does what `script` says.
    pub(crate) fn new(lines: &[&str], script: &str) -> Place {
        let dir = tempfile::tempdir().expect("a folder");
        let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(dir.path().join("lines"), lines).expect("written");
        let program = dir.path().join("app");
        let text = format!(
            "#!/bin/sh\ncat '{}/lines' >> \"$SKEL_TUNE_JOURNAL\"\n{script}\n",
            dir.path().display()
        );
        fs::write(&program, text).expect("written");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("executable");
        Place { dir, program }
    }

    /// A program that only does what `script` says.
    pub(crate) fn silent(script: &str) -> Place {
        Place::new(&[], script)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn journal(&self) -> PathBuf {
        self.path("target/tune/app.journal.jsonl")
    }

    /// `cargo tune WORDS --exe app`, in this folder, not started yet.
    pub(crate) fn tune(&self, words: &[&str]) -> Command {
        let mut command = command(self.dir.path());
        let (first, rest) = words.split_first().expect("a command");
        command
            .arg(first)
            .arg("--exe")
            .arg(&self.program)
            .args(rest);
        command
    }
}

/// The command in a folder, whose caches lie there as well.
pub(crate) fn command(dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-tune"));
    command
        .arg("tune")
        .current_dir(dir)
        .env("SKEL_CACHE_DIR", dir.join("cache"))
        .env("CARGO_TARGET_DIR", dir.join("target"));
    for name in ["SKEL_TUNE_FILE", "NO_COLOR", "CLICOLOR_FORCE", "SKEL_TUNE"] {
        command.env_remove(name);
    }
    command
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
