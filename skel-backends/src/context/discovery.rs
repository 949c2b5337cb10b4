//! Discovery: which devices this machine has, and how they are numbered.
//!
//! A physical GPU is one device, however many APIs see it: CUDA has the first choice, wgpu gets the others, and those
//! that CUDA finds but cannot open.
#![cfg_attr(
    not(all(feature = "wgpu", feature = "cuda")),
    allow(dead_code, reason = "with one API there is none to share with")
)]

#[cfg(any(feature = "wgpu", feature = "cuda"))]
use super::devices::DeviceReport;
use super::{devices::Found, lazy::Lazy};
#[cfg(any(feature = "wgpu", feature = "cuda"))]
use crate::device::DeviceUnit;
use skel_core::unit::UnitKind;
#[cfg(any(feature = "wgpu", feature = "cuda"))]
use {skel_core::unit::UnitInfo, std::sync::Arc};

/// All devices, in the order of their numbers.
pub(super) fn discover() -> Found {
    let mut found = Found::default();
    let taken = cuda(&mut found);
    wgpu(&mut found, &taken);
    // Real GPUs first: `cuda`, `wgpu` and `device:0` mean the best there is.
    found
        .accepted
        .sort_by_key(|device: &Lazy| match device.info().kind {
            UnitKind::DiscreteGpu => 0,
            UnitKind::IntegratedGpu => 1,
            UnitKind::SoftwareDevice => 3,
            _ => 2,
        });
    found
}

/// A GPU that CUDA drives: which of the accepted ones, its name, and its place on the bus, if that is known.
struct DrivenByCuda {
    at: usize,
    name: String,
    bus: String,
}

impl DrivenByCuda {
    /// Whether a device that another API sees is this one.
    fn is(&self, vendor: u32, name: &str, bus: &str) -> bool {
        const NVIDIA: u32 = 0x10de;
        if vendor != NVIDIA {
            return false;
        }
        if self.bus.is_empty() || bus.is_empty() {
            return self.name == name;
        }
        place(&self.bus) == place(bus)
    }
}

/// The numbers of a place on a bus, `0000:3b:00.0`: APIs differ in leading zeros and in case.
fn place(bus: &str) -> Vec<Option<u32>> {
    let parts = bus.split([':', '.']);
    parts
        .map(|part| u32::from_str_radix(part, 16).ok())
        .collect()
}

#[cfg(feature = "cuda")]
fn cuda(found: &mut Found) -> Vec<DrivenByCuda> {
    let mut taken = Vec::new();
    // Calls report what is wrong with the options.
    if let Ok(None) = crate::cuda::Options::from_env() {
        return taken;
    }
    for device in crate::cuda::enumerate() {
        let info = device.info.clone();
        if let Some(reason) = device.rejected {
            found.rejected.push(rejected(info, reason));
            continue;
        }
        taken.push(DrivenByCuda {
            at: found.accepted.len(),
            name: info.name.clone(),
            bus: device.bus.clone(),
        });
        let open = move || -> skel_core::Result<Arc<dyn crate::Unit>> {
            let unit = DeviceUnit::new(crate::cuda::open(&device)?)?;
            Ok(Arc::new(unit.capped_by_environment()?))
        };
        found.accepted.push(Lazy::new(info, Box::new(open)));
    }
    taken
}

#[cfg(not(feature = "cuda"))]
fn cuda(_: &mut Found) -> Vec<DrivenByCuda> {
    Vec::new()
}

#[cfg(feature = "wgpu")]
fn wgpu(found: &mut Found, taken: &[DrivenByCuda]) {
    for device in crate::webgpu::enumerate() {
        let info = device.info.clone();
        let (vendor, bus) = device.hardware();
        if let Some(reason) = &device.rejected {
            found.rejected.push(rejected(info, reason.clone()));
            continue;
        }
        let open = move || -> skel_core::Result<Arc<dyn crate::Unit>> {
            let unit = DeviceUnit::new(crate::webgpu::open(&device)?)?;
            Ok(Arc::new(unit.capped_by_environment()?))
        };
        let twins = taken.iter().filter(|t| t.is(vendor, &info.name, &bus));
        let mut twins = twins.map(|taken| taken.at).peekable();
        let Some(first) = twins.peek().copied() else {
            found.accepted.push(Lazy::new(info, Box::new(open)));
            continue;
        };
        // GPUs that are alike, and whose places are unknown, are paired one to one.
        let single = twins.find(|at| !found.accepted[*at].has_two_ways());
        found.accepted[single.unwrap_or(first)].or_else(info, Box::new(open));
    }
}

#[cfg(not(feature = "wgpu"))]
fn wgpu(_: &mut Found, _: &[DrivenByCuda]) {}

#[cfg(any(feature = "wgpu", feature = "cuda"))]
fn rejected(info: UnitInfo, reason: String) -> DeviceReport {
    DeviceReport {
        index: None,
        info,
        rejected: Some(reason),
        overdue: Vec::new(),
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn a_gpu_is_known_by_its_place_or_else_by_its_name() {
        let taken = |bus: &str| DrivenByCuda {
            at: 0,
            name: "NVIDIA H200".into(),
            bus: bus.into(),
        };
        let here = taken("00000000:3b:00.0");
        assert!(here.is(0x10de, "another name", "0000:3B:00.0"));
        assert!(!here.is(0x10de, "NVIDIA H200", "0000:3c:00.0"));
        // Its place is unknown.
        assert!(taken("").is(0x10de, "NVIDIA H200", "0000:3c:00.0"));
        assert!(here.is(0x10de, "NVIDIA H200", ""));
        assert!(!here.is(0x10de, "NVIDIA L4", ""));
        assert!(!here.is(0x1002, "NVIDIA H200", "0000:3b:00.0"));
    }
}
