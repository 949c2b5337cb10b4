//! Cargo, asked what there is and told what to build.

mod build;
mod metadata;
mod selection;

pub use build::build;
pub use selection::Selection;

use crate::exit::Result;
use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    process::Command,
};

/// A program to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its name, which its journal has as well.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// Where its journal and its report go.
    pub folder: PathBuf,
    /// What cargo would tell it.
    pub manifest_dir: Option<PathBuf>,
    /// What cargo would pass before the user's arguments.
    pub first_args: Vec<OsString>,
}

impl Program {
    /// A program that is built already.
    #[must_use]
    pub fn at(path: &Path, target_dir: Option<&Path>) -> Self {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let target = target_dir
            .map(Path::to_path_buf)
            .or_else(|| env::var_os("CARGO_TARGET_DIR").map(PathBuf::from))
            .unwrap_or_else(|| "target".into());
        // As a shell would: what has no slash is looked for here, not in PATH.
        let path = if path.parent().is_some_and(|p| p.as_os_str().is_empty()) {
            Path::new(".").join(path)
        } else {
            path.to_path_buf()
        };
        Program {
            name: file_name(&stem),
            path,
            folder: target.join("tune"),
            manifest_dir: None,
            first_args: Vec::new(),
        }
    }

    /// Its journal.
    #[must_use]
    pub fn journal(&self) -> PathBuf {
        self.folder.join(format!("{}.journal.jsonl", self.name))
    }

    /// A command that runs it, without its arguments.
    #[must_use]
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.args(&self.first_args);
        if let Some(dir) = &self.manifest_dir {
            command.env("CARGO_MANIFEST_DIR", dir);
        }
        command
    }
}

/// Where journals and reports of the selected package go.
///
/// # Errors
/// [`Exit::Metadata`](crate::Exit::Metadata) if cargo knows no such package.
pub fn tune_folder(selection: &Selection) -> Result<PathBuf> {
    if let Some(exe) = &selection.exe {
        return Ok(Program::at(exe, selection.target_dir.as_deref()).folder);
    }
    let target_dir = match &selection.target_dir {
        Some(dir) => dir.clone(),
        None => metadata::Metadata::load(selection)?.target_dir,
    };
    Ok(target_dir.join("tune"))
}

/// `name` as part of a file's name.
fn file_name(name: &str) -> String {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let name: String = name
        .chars()
        .map(|c| if fits(c) { c } else { '_' })
        .collect();
    match name.trim_start_matches('.') {
        "" => "program".into(),
        name => name.into(),
    }
}

/// The cargo that runs us, or the one in `PATH`.
fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn journals_are_named_after_programs_and_stay_in_their_folder() {
        let program = Program::at(Path::new("out/psnr"), Some(Path::new("t")));
        assert_eq!(program.journal(), Path::new("t/tune/psnr.journal.jsonl"));
        assert_eq!(file_name("../a b"), "_a_b");
        assert_eq!(file_name(".."), "program");
    }

    #[test]
    fn a_bare_name_is_a_file_here() {
        let program = Program::at(Path::new("psnr"), None);
        assert_eq!(program.path, Path::new("./psnr"));
    }
}
