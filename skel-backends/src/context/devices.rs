//! The devices of a context: found, rejected, opened.

use super::{
    discovery::discover,
    lazy::{Lazy, Opened},
};
use crate::{
    Health, Watchdog,
    device::COMPILE_BUDGET,
    fork::{self, OwnerProcess},
    unit::Unit,
};
use skel_core::{
    Error, Result,
    unit::{UnitInfo, UnitKind},
};
use std::{
    fmt,
    sync::{Arc, OnceLock},
    time::Duration,
};

/// How long devices, and the compilers of their kernels, may take.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TimeLimits {
    /// A call's part; without limit, by default.
    pub(super) watchdog: Option<Watchdog>,
    /// The compilation of a kernel; the usual budget, by default.
    pub(super) compile_budget: Option<Duration>,
}

/// How long a driver may take to open a device, besides its compiler, if there is no watchdog to say it.
const OPENING: Duration = Duration::from_secs(60);

impl TimeLimits {
    /// How long opening a device may take, with the kernels by which its arithmetic is asked for, and listing all of
    /// an API; nothing is as long as it takes.
    pub(super) fn opening(self) -> Option<Duration> {
        let budget = self.compile_budget.unwrap_or(COMPILE_BUDGET);
        let watchdog = self.watchdog.map_or(OPENING, Watchdog::limit);
        let limited = !budget.is_zero() && !watchdog.is_zero();
        limited.then(|| watchdog.saturating_add(budget))
    }

    /// From now on, they hold for the unit.
    pub(super) fn impose(self, unit: &dyn Unit) {
        if let Some(watchdog) = self.watchdog {
            unit.watchdog(watchdog);
        }
        if let Some(budget) = self.compile_budget {
            unit.compile_budget(budget);
        }
    }
}

/// One device, accepted or rejected.
#[derive(Clone, Debug)]
pub struct DeviceReport {
    /// The number for `Device(i)`; none for rejected ones.
    pub index: Option<usize>,
    /// What it says of itself.
    pub info: UnitInfo,
    /// Why it is not used, or not any more: see [`Health`].
    pub rejected: Option<String>,
    /// The user functions in whose calls it takes no part, for their kernels are being compiled for longer than
    /// they may: see [`ContextBuilder::compile_budget`](crate::ContextBuilder::compile_budget).
    pub overdue: Vec<&'static str>,
}

impl fmt::Display for DeviceReport {
    /// One line: number, name, kind, driver, memory, limits, the reason if it was rejected, and what is being
    /// compiled for too long.
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
        if let Some(reason) = &self.rejected {
            write!(f, ": {reason}")?;
        }
        match self.overdue.as_slice() {
            [] => Ok(()),
            names => write!(f, ": still compiling `{}`", names.join("`, `")),
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
    found: OnceLock<(OwnerProcess, Found)>,
    /// Whether they were given, whatever the machine has.
    is_given: bool,
    /// Whether software devices count like any other.
    software_counts: bool,
    limits: TimeLimits,
}

impl Devices {
    /// These, and no others.
    pub(super) fn given(units: Vec<Arc<dyn Unit>>, limits: TimeLimits) -> Self {
        units.iter().for_each(|unit| limits.impose(&**unit));
        let accepted = units.into_iter().map(Lazy::opened).collect();
        let found = Found {
            accepted,
            rejected: Vec::new(),
        };
        let found = OnceLock::from((OwnerProcess::here(), found));
        Devices {
            found,
            is_given: true,
            software_counts: true,
            limits,
        }
    }

    /// Those of the machine, which are discovered when they are first asked for.
    pub(super) fn of_this_machine(limits: TimeLimits, software_counts: bool) -> Self {
        Devices {
            found: OnceLock::new(),
            is_given: false,
            software_counts,
            limits,
        }
    }

    /// What gives up devices that do not answer.
    pub(super) fn watchdog(&self) -> Option<Watchdog> {
        self.limits.watchdog
    }

    /// Whether it is known which there are.
    pub(super) fn are_known(&self) -> bool {
        self.found.get().is_some()
    }

    fn found(&self) -> &Found {
        &self
            .found
            .get_or_init(|| (OwnerProcess::here(), discover(self.limits)))
            .1
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

    /// Those that may be chosen without being named.
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
            .filter(|(_, d)| d.info().kind != UnitKind::SoftwareDevice)
            .map(|(k, _)| k)
            .collect()
    }

    /// The first that this API drives; where there are two ways to a device, it is opened to know.
    pub(super) fn driven_by(&self, api: &str) -> Option<usize> {
        let mut accepted = self.accepted().iter().enumerate();
        accepted.position(|(index, device)| {
            if device.has_two_ways() && device.is_driven_by(api) {
                // Calls that use the device report an error.
                let _opened = self.open(index).is_ok();
            }
            device.is_driven_by(api)
        })
    }

    /// Device `index`, opened.
    pub(super) fn open(&self, index: usize) -> Result<&dyn Unit> {
        let Some(device) = self.accepted().get(index) else {
            return Err(self.none(&format!("device:{index}")));
        };
        // Drivers that were asked which devices there are cannot be used in a child.
        let left = self
            .found
            .get()
            .is_some_and(|(owner, _)| owner.is_ancestor());
        if left && device.known().is_none() {
            return Err(Error::DeviceLost {
                device: device.info().name.clone(),
                reason: fork::REASON.into(),
            });
        }
        match device.opened_now(self.limits) {
            Ok(Opened { unit, .. }) => Ok(&**unit),
            Err(error) => Err(error.clone()),
        }
    }

    /// Device `index`, if it has been opened.
    pub(super) fn opened_at(&self, index: usize) -> Option<&dyn Unit> {
        let opened = self.accepted().get(index)?.known()?.as_ref().ok()?;
        Some(&*opened.unit)
    }

    /// Those that have been opened.
    pub(super) fn opened(&self) -> impl Iterator<Item = &dyn Unit> {
        let found = self
            .found
            .get()
            .into_iter()
            .flat_map(|(_, found)| &found.accepted);
        found
            .filter_map(|device| device.known()?.as_ref().ok())
            .map(|opened| &*opened.unit)
    }

    /// The error for a device that is not there.
    pub(super) fn none(&self, wanted: &str) -> Error {
        let found = self.found();
        let names: Vec<String> = found
            .accepted
            .iter()
            .enumerate()
            .map(|(k, d)| format!("device:{k} is {}", d.info().name))
            .collect();
        let rejected = self
            .rejected()
            .map(|d| format!("{}: {}", d.info.name, d.rejected.unwrap_or_default()));
        let mut reasons: Vec<String> = names.into_iter().chain(rejected).collect();
        #[cfg(feature = "cuda")]
        {
            // A driver that hangs while it lists its devices is there, and would hang again.
            let is_there = self.rejected().any(|report| report.info.api == "CUDA");
            if !self.is_given && wanted == "cuda" && !is_there && crate::cuda::is_absent() {
                reasons.push("NVIDIA's driver (libcuda) is not installed".into());
            }
        }
        if reasons.is_empty() {
            let reason = if self.is_given {
                NOTHING_GIVEN
            } else {
                NOTHING_FOUND
            };
            reasons.push(reason.into());
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
                info: UnitInfo {
                    limits: match device.known() {
                        // It was asked what it can.
                        Some(Ok(opened)) => opened.unit.info().limits.clone(),
                        _ => device.info().limits.clone(),
                    },
                    ..device.info().clone()
                },
                rejected: match device.known() {
                    Some(Err(error)) => Some(error.without_device()),
                    Some(Ok(opened)) => match opened.unit.health() {
                        Health::Well => None,
                        Health::Quarantined { reason } => Some(format!("quarantined: {reason}")),
                    },
                    None => None,
                },
                overdue: match device.known() {
                    Some(Ok(opened)) => opened.unit.overdue(),
                    _ => Vec::new(),
                },
            });
        accepted.chain(self.rejected()).collect()
    }

    /// What is not used, and the ways that are not taken.
    fn rejected(&self) -> impl Iterator<Item = DeviceReport> {
        let found = self.found();
        let others = found.accepted.iter().filter_map(Lazy::other_way);
        others.chain(found.rejected.iter().cloned())
    }
}

const NOTHING_GIVEN: &str = "this context was built without a device: `ContextBuilder::unit` gives it one, and the \
     default context has those of the machine";
#[cfg(feature = "wgpu")]
const NOTHING_FOUND: &str = "no driver for a GPU was found (on Linux wgpu needs a Vulkan driver; \
     Debian's package mesa-vulkan-drivers has one that needs no GPU)";
#[cfg(not(feature = "wgpu"))]
const NOTHING_FOUND: &str = "this program was built without the feature `wgpu`";

#[cfg(test)]
mod test;
