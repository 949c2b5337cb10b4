//! Discovery: which devices this machine has, and how they are numbered.
//!
//! A physical GPU is one device, however many APIs see it: CUDA has the first choice, wgpu gets the others, and those
//! that CUDA finds but cannot open. A driver may hang while it lists its devices: then there are none of its API.
#![cfg_attr(
    not(all(feature = "wgpu", feature = "cuda")),
    allow(dead_code, reason = "with one API there is none to share with")
)]

use super::{
    bounded::{self, Unanswered},
    devices::{DeviceReport, Found, TimeLimits},
    lazy::Lazy,
};
#[cfg(any(feature = "wgpu", feature = "cuda"))]
use crate::device::DeviceUnit;
use skel_core::unit::{UnitInfo, UnitKind};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// All devices, in the order of their numbers.
pub(super) fn discover(limits: TimeLimits) -> Found {
    let mut found = Found::default();
    let taken = cuda(&mut found, limits);
    wgpu(&mut found, limits, &taken);
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

/// The devices of an API, as `list` gives them; none, and the reason among what was rejected, where that does not end
/// in time. Then the API is not asked again by other contexts of this process as long as the thread is at it: each of
/// them would wait in turn.
pub(super) fn listed<D: Send + 'static>(
    found: &mut Found,
    limits: TimeLimits,
    api: &'static str,
    list: impl FnOnce() -> Vec<D> + Send + 'static,
) -> Vec<D> {
    /// The threads that are at it beyond their time; each holds what is pointed to.
    static OVERDUE: Mutex<Vec<(&str, Weak<()>)>> = Mutex::new(Vec::new());
    let overdue = || OVERDUE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut reject = |reason: String| {
        let info = UnitInfo {
            name: format!("all devices of {api}"),
            kind: UnitKind::OtherDevice,
            api: api.to_owned(),
            driver: "unknown".to_owned(),
            memory_bytes: None,
            limits: Vec::new(),
        };
        let reason = format!("its driver was asked which devices there are, and {reason}");
        found.rejected.push(rejected(info, reason));
        Vec::new()
    };
    let is_at_it = |(other, thread): &(&str, Weak<()>)| *other == api && thread.strong_count() > 0;
    if overdue().iter().any(is_at_it) {
        return reject("has not answered yet".to_owned());
    }
    let at_it = Arc::new(());
    let thread = Arc::downgrade(&at_it);
    let listing = move || {
        let _at_it = at_it;
        list()
    };
    bounded::within(limits.opening(), format!("skel lists {api}"), listing).unwrap_or_else(
        |unanswered| {
            if let Unanswered::Overdue(_) = unanswered {
                overdue().push((api, thread));
            }
            reject(unanswered.to_string())
        },
    )
}

#[cfg(feature = "cuda")]
fn cuda(found: &mut Found, limits: TimeLimits) -> Vec<DrivenByCuda> {
    let mut taken = Vec::new();
    // Calls report what is wrong with the options.
    if let Ok(None) = crate::cuda::Options::from_env() {
        return taken;
    }
    for device in listed(found, limits, "CUDA", crate::cuda::enumerate) {
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
fn cuda(_: &mut Found, _: TimeLimits) -> Vec<DrivenByCuda> {
    Vec::new()
}

#[cfg(feature = "wgpu")]
fn wgpu(found: &mut Found, limits: TimeLimits, taken: &[DrivenByCuda]) {
    for device in listed(found, limits, "wgpu", crate::webgpu::enumerate) {
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
fn wgpu(_: &mut Found, _: TimeLimits, _: &[DrivenByCuda]) {}

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
