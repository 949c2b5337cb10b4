//! The look-up that a program makes.

use crate::{
    DeviceFingerprint, InstanceKey, InstanceModel, MachineModels, TransferModel, TuningFile,
    UnitId,
    store::{Folder, Soft, Stale, StoreError, layout, stale},
};
use skel_core::setting::TUNE_FILE;
use std::{collections::BTreeSet, ffi::OsString, fmt, path::PathBuf, sync::OnceLock};

/// Where models may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The file that `SKEL_TUNE_FILE` names.
    Named(PathBuf),
    /// In the program itself.
    Embedded,
    /// In the user's folder of models.
    Folder(PathBuf),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Named(path) => write!(f, "{} (SKEL_TUNE_FILE)", path.display()),
            Place::Embedded => f.write_str("the program itself"),
            Place::Folder(path) => write!(f, "{}", path.display()),
        }
    }
}

/// The machine that calls are made on, as far as it is known.
#[derive(Clone, Copy, Debug)]
pub struct Machine<'a> {
    /// The name of the processor.
    pub cpu: &'a str,
    /// The threads of the CPU unit.
    pub threads: usize,
    /// Its devices, if they were looked for.
    pub devices: Option<&'a [DeviceFingerprint]>,
}

/// A model that fits.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// What is known of the instance.
    pub model: InstanceModel,
    /// What is known of the devices.
    pub transfers: Vec<(UnitId, TransferModel)>,
    /// The devices that were there when it was measured.
    pub devices: Vec<DeviceFingerprint>,
    /// Where it was.
    pub place: Place,
    /// What has changed since, and does not matter much.
    pub soft: Vec<Soft>,
    /// Whether there are models of other machines that fit as well: their processor is the same.
    pub is_one_of_several: bool,
}

/// What is known of an instance.
#[derive(Clone, Debug, PartialEq)]
pub enum Lookup {
    /// This.
    Found(Box<Found>),
    /// Something that is not used: it was measured for another machine, or other code. An embedded model for
    /// other machines is no such thing: it need not fit all machines.
    Stale {
        /// Where it is.
        place: Place,
        /// Why it is not used.
        why: Stale,
    },
    /// A file that should say it cannot be read.
    Broken(StoreError),
    /// Nothing.
    Missing,
}

impl Lookup {
    /// The model, if there is one that fits.
    #[must_use]
    pub fn found(self) -> Option<Found> {
        match self {
            Lookup::Found(found) => Some(*found),
            _ => None,
        }
    }
}

/// All places where models may be, in the order in which they are looked into. Files that hold models of
/// many instances are read once, and when they are needed.
#[derive(Debug)]
pub struct Store {
    named: Option<(PathBuf, Opened)>,
    embedded: Option<(&'static str, Opened)>,
    folder: Result<Folder, StoreError>,
}

type Opened = OnceLock<Result<TuningFile, StoreError>>;

impl Store {
    /// By variables of the environment, and with the text of a file that the program has in itself.
    pub fn new(
        variable: impl Fn(&str) -> Option<OsString>,
        embedded: Option<&'static str>,
    ) -> Store {
        let named = TUNE_FILE.read(&variable).ok().flatten();
        Store {
            named: named.map(|path| (path, OnceLock::new())),
            embedded: embedded.map(|text| (text, OnceLock::new())),
            folder: Folder::of_user(variable),
        }
    }

    /// The user's folder of models.
    ///
    /// # Errors
    /// [`StoreError::NoFolder`] if it is switched off, or its place is unknown.
    pub fn folder(&self) -> Result<&Folder, StoreError> {
        self.folder.as_ref().map_err(Clone::clone)
    }

    /// Where models may be, in order.
    #[must_use]
    pub fn places(&self) -> Vec<Place> {
        let named = self.named.as_ref();
        let named = named.map(|(path, _)| Place::Named(path.clone()));
        let embedded = self.embedded.as_ref().map(|_| Place::Embedded);
        let folder = self.folder.as_ref().ok();
        let folder = folder.map(|folder| Place::Folder(folder.path().into()));
        named.into_iter().chain(embedded).chain(folder).collect()
    }

    /// What is wrong with the file that a user has named, or else with the text that the program has in
    /// itself: models elsewhere may hide that, and the user relies on it. Reads both, if nothing has yet.
    #[must_use]
    pub fn problem(&self) -> Option<&StoreError> {
        self.named_file()
            .and_then(Result::err)
            .or_else(|| self.embedded_file().and_then(Result::err))
    }

    fn named_file(&self) -> Option<Result<&TuningFile, &StoreError>> {
        let (path, opened) = self.named.as_ref()?;
        Some(opened.get_or_init(|| layout::read(path)).as_ref())
    }

    fn embedded_file(&self) -> Option<Result<&TuningFile, &StoreError>> {
        let (text, opened) = self.embedded.as_ref()?;
        Some(opened.get_or_init(|| embedded_file(text)).as_ref())
    }

    /// What is known of an instance: the first model that fits, or the first reason why there is none.
    #[must_use]
    pub fn find(&self, key: &InstanceKey, machine: Machine<'_>) -> Lookup {
        let mut result = Lookup::Missing;
        let mut look = |place: Place, file: Result<&TuningFile, &StoreError>| {
            let looked = match file {
                Ok(file) => match in_file(file, place, key, machine) {
                    Lookup::Stale {
                        place: Place::Embedded,
                        why: Stale::Cpu { .. } | Stale::Threads { .. },
                    } => Lookup::Missing,
                    looked => looked,
                },
                Err(error) => Lookup::Broken(error.clone()),
            };
            let found = matches!(looked, Lookup::Found(_));
            if found || result == Lookup::Missing {
                result = looked;
            }
            found
        };
        if let (Some((path, _)), Some(file)) = (&self.named, self.named_file())
            && look(Place::Named(path.clone()), file)
        {
            return result;
        }
        if let Some(file) = self.embedded_file()
            && look(Place::Embedded, file)
        {
            return result;
        }
        if let Ok(folder) = &self.folder {
            let path = folder.file(key, machine.cpu, machine.threads);
            match layout::read(&path) {
                // Most instances were never tuned.
                Err(error) if error.is_missing() => {}
                file => drop(look(Place::Folder(path), file.as_ref())),
            }
        }
        result
    }
}

fn embedded_file(text: &str) -> Result<TuningFile, StoreError> {
    let file = TuningFile::from_text(text.as_bytes());
    file.map_err(|problem| StoreError::Malformed {
        file: "the text in the program itself".into(),
        problem,
    })
}

/// The model of the file that fits: of several, that which was measured with just the devices that are there, or else the
/// first, which was measured last. Otherwise why the one that comes nearest does not.
fn in_file(file: &TuningFile, place: Place, key: &InstanceKey, machine: Machine<'_>) -> Lookup {
    let (mut nearest, mut fitting): (Option<Stale>, Vec<_>) = (None, Vec::new());
    for (measured, model) in models_of(file, key) {
        match fits(measured, model, key, machine) {
            Ok(()) => fitting.push((measured, model)),
            Err(why) => {
                let nearer = nearest.as_ref().is_none_or(|n| rank(&why) > rank(n));
                nearest = if nearer { Some(why) } else { nearest };
            }
        }
    }
    let ids = |devices: &[DeviceFingerprint]| {
        let ids = devices.iter().map(|device| device.id.clone());
        ids.collect::<BTreeSet<UnitId>>()
    };
    let there = machine.devices.map(ids);
    let is_here = |(measured, _): &&(&MachineModels, &InstanceModel)| {
        there == Some(ids(&measured.fingerprint.devices))
    };
    if let Some((measured, model)) = fitting.iter().find(is_here).or(fitting.first()) {
        return Lookup::Found(Box::new(Found {
            model: (*model).clone(),
            transfers: measured.transfers.clone(),
            devices: measured.fingerprint.devices.clone(),
            place,
            soft: stale::soft(&measured.fingerprint, &file.tool, machine.devices),
            is_one_of_several: fitting.len() > 1,
        }));
    }
    match nearest {
        Some(why) => Lookup::Stale { place, why },
        None => Lookup::Missing,
    }
}

/// What a file says of an instance by that name, whatever its code was.
fn models_of<'a>(
    file: &'a TuningFile,
    key: &'a InstanceKey,
) -> impl Iterator<Item = (&'a MachineModels, &'a InstanceModel)> {
    let same = |of: &InstanceKey| {
        (&of.name, &of.pattern, &of.elements) == (&key.name, &key.pattern, &key.elements)
    };
    file.machines.iter().flat_map(move |machine| {
        let instances = machine.instances.iter();
        let ours = instances.filter(move |instance| same(&instance.key));
        ours.map(move |instance| (machine, instance))
    })
}

fn fits(
    measured: &MachineModels,
    model: &InstanceModel,
    key: &InstanceKey,
    machine: Machine<'_>,
) -> Result<(), Stale> {
    stale::hard(
        &model.key,
        &measured.fingerprint,
        key,
        machine.cpu,
        machine.threads,
    )?;
    match machine.devices {
        Some(there) => stale::devices(model, there),
        None => Ok(()),
    }
}

/// How near a model was to being used.
fn rank(why: &Stale) -> u8 {
    match why {
        Stale::Cpu { .. } => 0,
        Stale::Threads { .. } => 1,
        Stale::Code => 2,
        Stale::Device { .. } => 3,
    }
}
