//! A user of a machine, for tests.

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
    /// A site where these instances were tuned.
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

    pub(crate) fn here(&self) -> CommandEnvironment<'_> {
        // They live as long as a test does.
        let variables = self.variables.clone();
        let machine = self.machine.clone();
        CommandEnvironment {
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
