//! Models that do not fit any more.

use crate::{
    ClassModel, DeviceFingerprint, Fingerprint, InstanceKey, InstanceModel, Quality, UnitId,
};

/// Why a model is not used, though it is of this instance.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Stale {
    /// The instance computes something else now.
    #[error("the code of the instance has changed since")]
    Code,
    /// It was measured on another processor.
    #[error("measured on `{measured}`, and this is `{now}`")]
    Cpu {
        /// Then.
        measured: String,
        /// Now.
        now: String,
    },
    /// It was measured with another number of threads.
    #[error("measured with {measured} threads, and there are {now}")]
    Threads {
        /// Then.
        measured: usize,
        /// Now.
        now: usize,
    },
    /// What was fastest needs a device that is not there.
    #[error("measured with {device}, which is not there")]
    Device {
        /// The device.
        device: UnitId,
    },
}

/// What has changed without making a model useless: measuring again may make calls faster.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Soft {
    /// A device has another driver.
    #[error("{device} had driver `{measured}`, and has `{now}`")]
    Driver {
        /// The device.
        device: UnitId,
        /// Then.
        measured: String,
        /// Now.
        now: String,
    },
    /// A device has come that was not measured.
    #[error("{device} was not there")]
    NewDevice {
        /// The device.
        device: UnitId,
    },
    /// It was measured by another version.
    #[error("measured by {measured}, and this is skel {now}")]
    Version {
        /// What wrote the file.
        measured: String,
        /// This library.
        now: &'static str,
    },
}

/// Whether a model of `measured` may be used for calls of the instance `key` on this processor.
pub(super) fn hard(
    model: &InstanceKey,
    measured: &Fingerprint,
    key: &InstanceKey,
    cpu: &str,
    threads: usize,
) -> Result<(), Stale> {
    if measured.cpu != cpu {
        return Err(Stale::Cpu {
            measured: measured.cpu.clone(),
            now: cpu.into(),
        });
    }
    if measured.threads != threads {
        return Err(Stale::Threads {
            measured: measured.threads,
            now: threads,
        });
    }
    if model.hash != key.hash {
        return Err(Stale::Code);
    }
    Ok(())
}

/// Whether what was fastest can be had with these devices.
///
/// # Errors
/// [`Stale::Device`], for the first that is missing.
pub fn devices(model: &InstanceModel, there: &[DeviceFingerprint]) -> Result<(), Stale> {
    let missing = |unit: &&UnitId| unit.is_device() && there.iter().all(|d| d.id != **unit);
    let mut needed = needed(model);
    match needed.find(missing) {
        Some(device) => Err(Stale::Device {
            device: device.clone(),
        }),
        None => Ok(()),
    }
}

/// The units that chosen or verified shares give something to. Where nothing was verified, whatever units
/// are there are compared.
pub fn needed(model: &InstanceModel) -> impl Iterator<Item = &UnitId> {
    let good = |class: &&ClassModel| class.quality == Quality::Good;
    let verified = model.classes.iter().filter(good);
    let verified = verified.filter_map(|class| class.best.as_deref());
    let chosen = model.chain.iter().map(|choice| choice.shares.as_slice());
    let shares = verified.chain(chosen).flatten();
    shares
        .filter(|(_, share)| *share > 0.0)
        .map(|(unit, _)| unit)
}

/// What has changed in devices and versions.
pub fn soft(measured: &Fingerprint, tool: &str, there: Option<&[DeviceFingerprint]>) -> Vec<Soft> {
    let mut changes = Vec::new();
    for device in there.unwrap_or_default() {
        match measured.devices.iter().find(|d| d.id == device.id) {
            Some(then) if then.driver == device.driver => {}
            Some(then) => changes.push(Soft::Driver {
                device: device.id.clone(),
                measured: then.driver.clone(),
                now: device.driver.clone(),
            }),
            None => changes.push(Soft::NewDevice {
                device: device.id.clone(),
            }),
        }
    }
    let now = env!("CARGO_PKG_VERSION");
    let version = tool.rsplit(' ').next().unwrap_or_default();
    if minor(version) != minor(now) {
        changes.push(Soft::Version {
            measured: tool.into(),
            now,
        });
    }
    changes
}

/// The first two numbers of a version.
fn minor(version: &str) -> [&str; 2] {
    let mut numbers = version.split('.');
    [(); 2].map(|()| numbers.next().unwrap_or_default())
}
