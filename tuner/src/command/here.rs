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
pub(crate) struct Here<'a> {
    /// Variables of the environment.
    pub(crate) variable: &'a dyn Fn(&str) -> Option<OsString>,
    /// This machine. Asking looks for devices.
    pub(crate) machine: &'a dyn Fn() -> Fingerprint,
}

impl Here<'_> {
    /// This process.
    pub(crate) const REAL: Here<'static> = Here {
        variable: &|name| env::var_os(name),
        machine: &|| skel::DefaultContext.get().fingerprint(),
    };

    /// The user's folder of models.
    pub(crate) fn folder(&self) -> Result<Folder> {
        Folder::of_user(self.variable).map_err(|error| {
            let failure = Failure::new(Exit::Write, error.to_string());
            failure.fix("set SKEL_CACHE_DIR to a folder of yours")
        })
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

/// A file that could not be written.
pub(crate) fn not_written(error: &StoreError) -> Failure {
    let failure = Failure::new(Exit::Write, printable(&error.to_string()));
    match error {
        StoreError::Io { kind, .. } if *kind == io::ErrorKind::StorageFull => {
            failure.fix("make room there, or set SKEL_CACHE_DIR to another folder")
        }
        StoreError::Refused { .. } => {
            failure.fix("models are written only to files and folders that nobody else can change")
        }
        _ => failure,
    }
}

/// What a command has to say in the end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Said {
    /// For standard output.
    pub(crate) text: String,
    /// How the command ends.
    pub(crate) exit: Exit,
}

impl Said {
    /// Says it.
    pub(crate) fn print(self) -> Result {
        match io::stdout().lock().write_all(self.text.as_bytes()) {
            // Who reads has seen enough.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::new(
                Exit::Write,
                format!("standard output: {error}"),
            )),
            _ => Ok(self.exit),
        }
    }
}

#[cfg(test)]
pub(crate) mod test {
    use super::*;
    use crate::{command::run::save::TOOL, predict};
    use skel::model::{
        ChainChoice, DeviceFingerprint, InstanceKey, MachineModels, TransferModel, UnitId,
        store::merge::Prefer,
    };
    use std::collections::HashMap;

    /// A user with models, on a machine.
    pub(crate) struct Site {
        pub(crate) folder: tempfile::TempDir,
        variables: HashMap<String, OsString>,
        pub(crate) machine: Fingerprint,
    }

    impl Site {
        /// One who has tuned these instances.
        pub(crate) fn with(names: &[&str]) -> Site {
            let folder = tempfile::tempdir().unwrap();
            let cache = folder.path().join("cache");
            let site = Site {
                variables: HashMap::from([("SKEL_CACHE_DIR".into(), cache.into())]),
                machine: fingerprint(),
                folder,
            };
            let models = Folder::of_user(site.here().variable).unwrap();
            let machine = machine(names);
            models.save(TOOL, &machine, Prefer::New, |_| {}).unwrap();
            site
        }

        pub(crate) fn set(&mut self, name: &str, value: &str) {
            self.variables.insert(name.into(), value.into());
        }

        pub(crate) fn here(&self) -> Here<'_> {
            // They live as long as a test does.
            let variables = self.variables.clone();
            let machine = self.machine.clone();
            Here {
                variable: Box::leak(Box::new(move |name: &str| variables.get(name).cloned())),
                machine: Box::leak(Box::new(move || machine.clone())),
            }
        }

        /// A file of models, beside the folder.
        pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
            let path = self.folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        }

        /// The files in the folder of models.
        pub(crate) fn saved(&self) -> Vec<PathBuf> {
            let files = self.here().folder().unwrap().files().unwrap();
            files.into_iter().map(|entry| entry.path).collect()
        }
    }

    fn gpu() -> UnitId {
        UnitId::device("mock", "a", 0)
    }

    fn fingerprint() -> Fingerprint {
        Fingerprint {
            cpu: "Chip".into(),
            threads: 4,
            devices: vec![DeviceFingerprint {
                id: gpu(),
                name: "a".into(),
                driver: "1.0".into(),
            }],
        }
    }

    /// A machine with these instances, the CPU three times as slow as the device.
    pub(crate) fn machine(names: &[&str]) -> MachineModels {
        let transfer = TransferModel {
            up_latency_ns: 9000.0,
            up_ns_per_byte: 0.02,
            down_latency_ns: 11_000.0,
            down_ns_per_byte: 0.04,
        };
        MachineModels {
            fingerprint: fingerprint(),
            transfers: vec![(gpu(), transfer)],
            instances: names.iter().map(|name| instance(name)).collect(),
        }
    }

    fn instance(name: &str) -> InstanceModel {
        let units = [(UnitId::Cpu, 3.0, 0.0), (gpu(), 1.0, 30_000.0)];
        let mut class = predict::test::class(1 << 20, &units);
        class.best = Some(vec![(UnitId::Cpu, 0.25), (gpu(), 0.75)]);
        InstanceModel {
            key: InstanceKey {
                name: name.into(),
                pattern: "MapReduce".into(),
                elements: "f32".into(),
                hash: 1,
            },
            chain: vec![ChainChoice {
                elems: 1 << 20,
                beside_elems: 0,
                shares: vec![(gpu(), 1.0)],
            }],
            classes: vec![class],
            read_back: 0.5,
            seed: 7,
            when_unix_s: 951_782_400,
            drift: 0.01,
        }
    }

    /// A file of that machine, as text.
    pub(crate) fn file(machines: Vec<MachineModels>) -> TuningFile {
        TuningFile {
            tool: TOOL.into(),
            machines,
        }
    }

    #[test]
    fn a_full_disk_is_said_with_what_helps() {
        let error = StoreError::Io {
            path: "a\u{1b}b".into(),
            operation: "write",
            kind: io::ErrorKind::StorageFull,
            message: "no space".into(),
        };
        let failure = not_written(&error);
        assert_eq!(failure.exit, Exit::Write);
        assert_eq!(failure.what, "cannot write a\\u{1b}b: no space");
        assert!(failure.fix.unwrap().contains("SKEL_CACHE_DIR"));
    }
}
