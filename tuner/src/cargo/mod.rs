//! Cargo, asked what there is and told what to build.

mod build;
mod metadata;
mod selection;

pub use build::build;
pub use selection::Selection;

use crate::exit::{Exit, Failure, Result};
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
    /// A program that is built already, whose journal and report go to `folder`.
    #[must_use]
    pub fn at(path: &Path, folder: PathBuf) -> Self {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        // As a shell would: what has no slash is looked for here, not in PATH.
        let path = if path.parent().is_some_and(|p| p.as_os_str().is_empty()) {
            Path::new(".").join(path)
        } else {
            path.to_path_buf()
        };
        Program {
            name: file_name(&stem),
            path,
            folder,
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

/// Where journals and reports are, whichever command asks and whatever program it is of: in the folder
/// `tune` of `--target-dir`, else of cargo's target folder, for the package in whose folders the command
/// runs, else of `target` in the current directory.
///
/// # Errors
/// [`Exit::Metadata`] if cargo does not understand the package that is there.
pub fn tune_folder(selection: &Selection) -> Result<PathBuf> {
    let target_dir = match &selection.target_dir {
        Some(dir) => dir.clone(),
        None if selection.manifest_path.is_some() || is_in_package()? => {
            metadata::Metadata::load(selection)?.target_dir
        }
        None => {
            let named = env::var_os("CARGO_TARGET_DIR").filter(|dir| !dir.is_empty());
            named.map_or_else(|| "target".into(), PathBuf::from)
        }
    };
    in_target(&target_dir)
}

/// The folder of journals in cargo's target folder: also for a program that goes to other folders before
/// it writes there.
fn in_target(target_dir: &Path) -> Result<PathBuf> {
    let absolute = std::path::absolute(target_dir);
    let absolute = absolute.map_err(|e| {
        let what = format!("cannot find {}: {e}", target_dir.display());
        Failure::new(Exit::Usage, what)
    })?;
    Ok(absolute.join("tune"))
}

/// Whether cargo would find a package from here.
fn is_in_package() -> Result<bool> {
    let here = env::current_dir()
        .map_err(|e| Failure::new(Exit::Usage, format!("the current directory: {e}")))?;
    Ok(here.ancestors().any(|dir| dir.join("Cargo.toml").is_file()))
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
        let program = Program::at(Path::new("out/psnr"), "t/tune".into());
        assert_eq!(program.journal(), Path::new("t/tune/psnr.journal.jsonl"));
        assert_eq!(file_name("../a b"), "_a_b");
        assert_eq!(file_name(".."), "program");
    }

    #[test]
    fn a_bare_name_is_a_file_here() {
        let program = Program::at(Path::new("psnr"), "t/tune".into());
        assert_eq!(program.path, Path::new("./psnr"));
    }
}
