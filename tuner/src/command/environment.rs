//! What the commands on saved models look at: the environment, the machine, files.

use crate::{
    exit::{Exit, Failure, Result},
    term::printable,
};
use skel::model::{
    Fingerprint, InstanceModel, TuningFile,
    store::{Folder, StoreError, layout},
};
use std::{
    env,
    ffi::OsString,
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Where a command runs. Tests have others than the real one.
pub(crate) struct CommandEnvironment<'a> {
    /// Variables of the environment.
    pub(crate) variable: &'a dyn Fn(&str) -> Option<OsString>,
    /// This machine. Asking looks for devices.
    pub(crate) machine: &'a dyn Fn() -> Fingerprint,
}

impl CommandEnvironment<'_> {
    /// This process.
    pub(crate) const REAL: CommandEnvironment<'static> = CommandEnvironment {
        variable: &|name| env::var_os(name),
        machine: &|| skel::DefaultContext.get().fingerprint(),
    };

    /// The user's folder of models.
    pub(crate) fn folder(&self) -> Result<Folder> {
        Folder::of_user(self.variable).map_err(|error| not_written(&error))
    }

    /// The file that programs look into first.
    pub(crate) fn named_file(&self) -> Option<PathBuf> {
        let named = (self.variable)("SKEL_TUNE_FILE");
        named.filter(|path| !path.is_empty()).map(PathBuf::from)
    }

    /// The files with models: these, or else all that programs of this user find.
    pub(crate) fn sources(&self, files: &[PathBuf]) -> Result<Vec<Source>> {
        if !files.is_empty() {
            return Ok(files.iter().map(|path| Source::named(path)).collect());
        }
        let mut sources: Vec<Source> = Vec::new();
        sources.extend(self.named_file().as_deref().map(Source::named));
        // Without a folder there may still be a file.
        if let Ok(folder) = Folder::of_user(self.variable) {
            let files = folder.files();
            let files = files.map_err(|e| Failure::new(Exit::Incomplete, e.to_string()))?;
            sources.extend(files.into_iter().map(|entry| Source {
                path: entry.path,
                file: entry.file,
                is_named: false,
            }));
        }
        Ok(sources)
    }
}

/// A file with models.
pub(crate) struct Source {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// What is in it.
    pub(crate) file: std::result::Result<TuningFile, StoreError>,
    /// Whether a user named it; else it lies in the folder of models.
    pub(crate) is_named: bool,
}

impl Source {
    fn named(path: &Path) -> Source {
        Source {
            path: path.into(),
            file: layout::read(path),
            is_named: true,
        }
    }

    /// What to do about it if it cannot be read.
    pub(crate) fn remedy(&self) -> Option<&'static str> {
        remedy(self.file.as_ref().err()?, self.is_named)
    }

    /// Its path, harmless in a terminal.
    pub(crate) fn shown(&self) -> String {
        shown(&self.path)
    }
}

/// A path, harmless in a terminal.
pub(crate) fn shown(path: &Path) -> String {
    printable(&path.display().to_string())
}

/// Whether an instance is meant: its name contains one of the words, or there are none.
pub(crate) fn is_meant(filter: &[String], instance: &InstanceModel) -> bool {
    let name = &instance.key.name;
    filter.is_empty() || filter.iter().any(|word| name.contains(word.as_str()))
}

/// The file with the instances that are meant, without machines that have none.
pub(crate) fn only_meant(mut file: TuningFile, filter: &[String]) -> TuningFile {
    for machine in &mut file.machines {
        machine.instances.retain(|i| is_meant(filter, i));
    }
    file.machines.retain(|m| !m.instances.is_empty());
    file
}

/// What to do about a file that cannot be read, where something can be done.
pub(crate) fn remedy(error: &StoreError, is_named: bool) -> Option<&'static str> {
    let StoreError::Malformed { problem, .. } = error else {
        return None;
    };
    match (is_named, problem.is_cut_off()) {
        (false, _) => Some(
            "`cargo tune clear --stale` removes it; the program's next `cargo tune run` saves it again",
        ),
        (true, true) => Some(
            "its end is missing, as after a copy that was stopped or on a full disk: copy it again, or delete \
             it, and have `cargo tune export` write it anew",
        ),
        (true, false) => None,
    }
}

/// A file of models that could not be read.
pub(crate) fn not_read(error: &StoreError) -> Failure {
    let failure = Failure::new(Exit::CheckFailed, printable(&error.to_string()));
    match remedy(error, true) {
        Some(fix) => failure.fix(fix),
        None => failure,
    }
}

/// A file that could not be written.
pub(crate) fn not_written(error: &StoreError) -> Failure {
    let failure = Failure::new(Exit::Write, printable(&error.to_string()));
    match error {
        StoreError::NoFolder => failure.fix("set SKEL_CACHE_DIR to a folder of yours"),
        StoreError::Io { kind, .. } if *kind == io::ErrorKind::StorageFull => {
            failure.fix("make room there, or set SKEL_CACHE_DIR to another folder")
        }
        StoreError::Refused { .. } => failure
            .fix("models are written only to files and folders that no other user can change"),
        // A file that a user names is not written over, unless it can be read.
        error => match remedy(error, true) {
            Some(fix) => failure.fix(fix),
            None => failure,
        },
    }
}

/// What a command has to say in the end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CommandOutput {
    /// For standard output.
    pub(crate) text: String,
    /// How the command ends.
    pub(crate) exit: Exit,
}

impl CommandOutput {
    /// Says it.
    pub(crate) fn print(self) -> Result {
        match io::stdout().lock().write_all(self.text.as_bytes()) {
            // The reader has closed the pipe.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::new(
                Exit::Write,
                format!("standard output: {error}"),
            )),
            _ => Ok(self.exit),
        }
    }
}

#[cfg(test)]
pub(crate) mod test;
