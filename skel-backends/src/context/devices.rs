//! The devices of a context: found, rejected, opened.

use super::look::look;
use crate::{Health, Watchdog, unit::Unit};
use skel_core::{
    Error, Result,
    unit::{UnitInfo, UnitKind},
};
use std::{
    fmt,
    sync::{Arc, OnceLock},
};

/// One device, or something that might have been one.
#[derive(Clone, Debug)]
pub struct DeviceReport {
    /// The number for `Device(i)`; none for rejected ones.
    pub index: Option<usize>,
    /// What it says of itself.
    pub info: UnitInfo,
    /// Why it is not used, or not any more: see [`Health`].
    pub rejected: Option<String>,
}

impl fmt::Display for DeviceReport {
    /// One line: number, name, kind, driver, memory, limits, and the reason if it was rejected.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            Some(index) => write!(f, "device:{index}  ")?,
            None => f.write_str("rejected  ")?,
        }
        let UnitInfo {
            name,
            kind,
            api,
            driver,
            memory_bytes,
            limits,
        } = &self.info;
        write!(f, "{name} ({kind}, {api}, {driver})")?;
        if let Some(bytes) = memory_bytes {
            write!(f, ", memory {} MiB", bytes >> 20)?;
        }
        for (what, value) in limits {
            write!(f, ", {what} {value}")?;
        }
        match &self.rejected {
            Some(reason) => write!(f, ": {reason}"),
            None => Ok(()),
        }
    }
}

/// A device that is opened when it is first used. What failed once is not tried again.
pub(super) struct Lazy {
    pub(super) info: UnitInfo,
    open: Box<Open>,
    unit: OnceLock<Result<Arc<dyn Unit>>>,
}

/// Opens a device.
type Open = dyn Fn() -> Result<Arc<dyn Unit>> + Send + Sync;

impl Lazy {
    /// One that is not opened yet.
    #[cfg(any(feature = "wgpu", feature = "cuda"))]
    pub(super) fn new(info: UnitInfo, open: Box<Open>) -> Self {
        Lazy {
            info,
            open,
            unit: OnceLock::new(),
        }
    }

    /// Whether this API drives it.
    pub(super) fn is_driven_by(&self, api: &str) -> bool {
        self.info.api.starts_with(api)
    }

    fn opened(unit: Arc<dyn Unit>) -> Self {
        let info = unit.info().clone();
        let cell = OnceLock::from(Ok(Arc::clone(&unit)));
        Lazy {
            info,
            open: Box::new(move || Ok(Arc::clone(&unit))),
            unit: cell,
        }
    }
}

/// What was found.
#[derive(Default)]
pub(super) struct Found {
    pub(super) accepted: Vec<Lazy>,
    pub(super) rejected: Vec<DeviceReport>,
}

/// The devices of a context.
pub(super) struct Devices {
    found: OnceLock<Found>,
    /// Whether software devices count like any other.
    software_counts: bool,
    /// How long a call's part may take; as long as it likes, if nobody says.
    watchdog: Option<Watchdog>,
}

impl Devices {
    /// These, and no others.
    pub(super) fn given(units: Vec<Arc<dyn Unit>>, watchdog: Option<Watchdog>) -> Self {
        if let Some(watchdog) = watchdog {
            units.iter().for_each(|unit| unit.watchdog(watchdog));
        }
        let accepted = units.into_iter().map(Lazy::opened).collect();
        let found = OnceLock::from(Found {
            accepted,
            rejected: Vec::new(),
        });
        Devices {
            found,
            software_counts: true,
            watchdog,
        }
    }

    /// Those of the machine, which are looked for when someone asks.
    pub(super) fn of_this_machine(watchdog: Option<Watchdog>) -> Self {
        let software_counts = std::env::var("SKEL_SOFTWARE_DEVICES").is_ok_and(|v| v == "1");
        Devices {
            found: OnceLock::new(),
            software_counts,
            watchdog,
        }
    }

    /// Who gives up devices that do not answer.
    pub(super) fn watchdog(&self) -> Option<Watchdog> {
        self.watchdog
    }

    fn found(&self) -> &Found {
        self.found.get_or_init(look)
    }

    /// The accepted ones, in the order of their numbers.
    pub(super) fn accepted(&self) -> &[Lazy] {
        &self.found().accepted
    }

    /// Those that a split uses: real ones; without any, or if they count, the software ones, too.
    pub(super) fn for_hybrid(&self) -> Vec<usize> {
        let real = self.real();
        let all = || (0..self.accepted().len()).collect();
        if self.software_counts || real.is_empty() {
            all()
        } else {
            real
        }
    }

    /// Those that may be chosen unasked.
    pub(super) fn for_auto(&self) -> Vec<usize> {
        if self.software_counts {
            (0..self.accepted().len()).collect()
        } else {
            self.real()
        }
    }

    fn real(&self) -> Vec<usize> {
        let accepted = self.accepted().iter().enumerate();
        accepted
            .filter(|(_, d)| d.info.kind != UnitKind::SoftwareDevice)
            .map(|(k, _)| k)
            .collect()
    }

    /// Device `index`, opened.
    pub(super) fn open(&self, index: usize) -> Result<&dyn Unit> {
        let Some(device) = self.accepted().get(index) else {
            return Err(self.none(&format!("device:{index}")));
        };
        let open = || {
            let unit = (device.open)()?;
            if let Some(watchdog) = self.watchdog {
                unit.watchdog(watchdog);
            }
            Ok(unit)
        };
        match device.unit.get_or_init(open) {
            Ok(unit) => Ok(&**unit),
            Err(error) => Err(error.clone()),
        }
    }

    /// Those that have been opened.
    pub(super) fn opened(&self) -> impl Iterator<Item = &dyn Unit> {
        let found = self
            .found
            .get()
            .into_iter()
            .flat_map(|found| &found.accepted);
        found
            .filter_map(|device| device.unit.get()?.as_ref().ok())
            .map(|unit| &**unit)
    }

    /// The error for a device that is not there.
    pub(super) fn none(&self, wanted: &str) -> Error {
        let found = self.found();
        let names: Vec<String> = found
            .accepted
            .iter()
            .enumerate()
            .map(|(k, d)| format!("device:{k} is {}", d.info.name))
            .collect();
        let rejected = found
            .rejected
            .iter()
            .map(|d| format!("{}: {}", d.info.name, d.rejected.as_deref().unwrap_or("")));
        let mut reasons: Vec<String> = names.into_iter().chain(rejected).collect();
        #[cfg(feature = "cuda")]
        if wanted == "cuda" && crate::cuda::is_absent() {
            reasons.push("NVIDIA's driver (libcuda) is not installed".into());
        }
        if reasons.is_empty() {
            reasons.push(NOTHING_FOUND.into());
        }
        Error::NoDevice {
            wanted: wanted.into(),
            reason: reasons.join("; "),
        }
    }

    pub(super) fn reports(&self) -> Vec<DeviceReport> {
        let found = self.found();
        let accepted = found
            .accepted
            .iter()
            .enumerate()
            .map(|(k, device)| DeviceReport {
                index: Some(k),
                info: device.info.clone(),
                rejected: match device.unit.get() {
                    Some(Err(error)) => Some(error.without_device()),
                    Some(Ok(unit)) => match unit.health() {
                        Health::Well => None,
                        Health::Quarantined { reason } => Some(format!("quarantined: {reason}")),
                    },
                    None => None,
                },
            });
        accepted.chain(found.rejected.iter().cloned()).collect()
    }
}

#[cfg(feature = "wgpu")]
const NOTHING_FOUND: &str = "no driver for a GPU was found (on Linux wgpu needs a Vulkan driver; \
     Debian's package mesa-vulkan-drivers has one that needs no GPU)";
#[cfg(not(feature = "wgpu"))]
const NOTHING_FOUND: &str = "this program was built without the feature `wgpu`";
