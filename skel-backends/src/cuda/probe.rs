//! Which devices there are.

use super::{
    device::CudaGpu,
    examine::examine,
    module::{self, Compiler, dotted},
    nvrtc::{Nvrtc, Output},
    options::Options,
    raw::{
        Api, Gpu,
        api::{Status, Unusable},
    },
};
use cudarc::driver::sys::{CUcomputemode, CUdevice, CUdevice_attribute as Attribute};
use skel_core::{
    Error, Result,
    unit::{UnitInfo, UnitKind},
};
use std::sync::Arc;

/// The least version of CUDA that the driver is for.
const LEAST_VERSION: (u32, u32) = (12, 0);

/// A device that CUDA's driver reports.
#[derive(Clone, Debug)]
pub struct Found {
    /// What it says of itself.
    pub info: UnitInfo,
    /// Why it cannot be a unit, if so.
    pub rejected: Option<String>,
    /// Where it is plugged in, `0000:3b:00.0`; empty if that is not known.
    pub(crate) bus: String,
    device: CUdevice,
    multiprocessors: usize,
    target: Option<(u32, Output)>,
}

/// All devices, those that cannot be used with the reason. Empty where there is no driver. A driver that
/// cannot be used is reported as a device that was rejected.
#[must_use]
pub fn enumerate() -> Vec<Found> {
    let api = match Api::get() {
        Ok(api) => api,
        Err(Unusable::Absent) => return Vec::new(),
        Err(Unusable::Broken(reason)) => return vec![broken(reason)],
    };
    let described = |status: Status| api.describe(status);
    let version = match api.version().map_err(described) {
        Ok(version) => version,
        Err(why) => return vec![broken(format!("cuDriverGetVersion failed: {why}"))],
    };
    match api.devices().map_err(described) {
        Ok(devices) if devices.is_empty() => vec![broken("it reports no device".into())],
        Ok(devices) => {
            let found = |device| {
                look_at(api, version, device).unwrap_or_else(|status| {
                    broken(format!("looking at a device failed: {}", described(status)))
                })
            };
            devices.into_iter().map(found).collect()
        }
        Err(why) => vec![broken(format!("cuDeviceGetCount failed: {why}"))],
    }
}

/// Whether there is no driver of NVIDIA's at all.
pub(crate) fn is_absent() -> bool {
    matches!(Api::get(), Err(Unusable::Absent))
}

/// Opens a device, as the environment says, and sees whether it computes as Rust does. Each call gives an
/// independent one, also of the same device.
///
/// # Errors
/// [`Error::NoDevice`] if it was rejected, or is found to compute wrongly (see [`crate::arithmetic`]);
/// [`Error::Device`] if the driver refuses.
pub fn open(found: &Found) -> Result<CudaGpu> {
    let mut gpu = open_with(found, Options::from_env()?.unwrap_or_default())?;
    let version = module::compiler().map(Nvrtc::version);
    examine(&mut gpu, found, &format!("{version:?} {:?}", found.target))?;
    Ok(gpu)
}

/// Opens a device with these options; its arithmetic is not asked for.
///
/// # Errors
/// As [`open`].
pub fn open_with(found: &Found, options: Options) -> Result<CudaGpu> {
    let rejected = |reason: String| Error::NoDevice {
        wanted: found.info.name.clone(),
        reason,
    };
    if let Some(reason) = &found.rejected {
        return Err(rejected(reason.clone()));
    }
    let api = Api::get().map_err(|_| rejected("there is no driver any more".into()))?;
    let nvrtc = module::compiler().map_err(|error| rejected(error.to_string()))?;
    let Some(target) = found.target else {
        return Err(rejected("nothing compiles for it".into()));
    };
    let gpu = Gpu::open(api, found.device, found.info.name.clone())?;
    let compiler = Compiler::new(nvrtc, target, &found.info.driver);
    let opened = Arc::clone(&gpu);
    gpu.visit(|| {
        let (info, multiprocessors) = (found.info.clone(), found.multiprocessors);
        CudaGpu::new(opened, info, compiler, multiprocessors, &options)
    })
}

fn look_at(
    api: &'static Api,
    (major, minor): (u32, u32),
    device: CUdevice,
) -> std::result::Result<Found, Status> {
    let attribute = |attribute| api.attribute(device, attribute);
    let capability = 10 * attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?
        + attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
    let multiprocessors = attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
    let integrated = attribute(Attribute::CU_DEVICE_ATTRIBUTE_INTEGRATED)? != 0;
    let mode = attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_MODE)?;
    let prohibited = mode == CUcomputemode::CU_COMPUTEMODE_PROHIBITED as u32;
    // Not all systems have buses.
    let bus = api.bus(device).unwrap_or_default().to_lowercase();
    let mut limits = vec![
        ("compute capability", dotted(capability)),
        ("multiprocessors", multiprocessors.to_string()),
    ];
    if !bus.is_empty() {
        limits.push(("bus", bus.clone()));
    }
    let (target, rejected) = if (major, minor) < LEAST_VERSION {
        let (least, _) = LEAST_VERSION;
        let reason = format!(
            "its driver is for CUDA {major}.{minor}, and {least} is the oldest that is of use"
        );
        (None, Some(reason))
    } else if prohibited {
        (None, Some("its compute mode is `prohibited`".into()))
    } else {
        match target(capability) {
            Ok(target) => (Some(target), None),
            Err(reason) => (None, Some(reason)),
        }
    };
    Ok(Found {
        info: UnitInfo {
            name: api.name(device)?,
            kind: match integrated {
                true => UnitKind::IntegratedGpu,
                false => UnitKind::DiscreteGpu,
            },
            api: "CUDA".into(),
            driver: format!("driver for CUDA {major}.{minor}"),
            memory_bytes: Some(api.memory_bytes(device)?),
            limits,
        },
        rejected,
        bus,
        device,
        multiprocessors: multiprocessors as usize,
        target,
    })
}

/// What to compile for the device.
fn target(capability: u32) -> std::result::Result<(u32, Output), String> {
    let nvrtc = module::compiler().map_err(ToString::to_string)?;
    let known = nvrtc.capabilities().map_err(|error| error.to_string())?;
    module::output_for(&known, capability)
}

/// A driver that cannot be used, as a device.
fn broken(reason: String) -> Found {
    Found {
        info: UnitInfo {
            name: "NVIDIA's driver".into(),
            kind: UnitKind::OtherDevice,
            api: "CUDA".into(),
            driver: "unknown".into(),
            memory_bytes: None,
            limits: Vec::new(),
        },
        rejected: Some(reason),
        bus: String::new(),
        device: 0,
        multiprocessors: 0,
        target: None,
    }
}
