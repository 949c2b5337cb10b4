//! This machine: its CPU with the GPU that is there, and with the software device.

use crate::machine::Machine;

/// All of them.
pub(crate) fn machines() -> Vec<Machine> {
    #[allow(unused_mut, reason = "without devices there are none")]
    let mut machines = Vec::new();
    #[cfg(feature = "cuda")]
    machines.extend(gpu());
    #[cfg(feature = "wgpu")]
    {
        if machines.is_empty() {
            machines.extend(through_wgpu(false));
        }
        machines.extend(through_wgpu(true));
    }
    machines
}

/// A context of one device.
#[cfg(any(feature = "cuda", feature = "wgpu"))]
fn context<D: skel::unit::Driver>(driver: skel::Result<D>) -> Result<skel::Context, String> {
    use skel::{Context, unit::DeviceUnit};
    let context = || Context::builder().unit(DeviceUnit::new(driver?)?).build();
    context().map_err(|error| error.to_string())
}

#[cfg(feature = "cuda")]
fn gpu() -> Option<Machine> {
    use crate::machine::Kind;
    let found = skel::cuda::enumerate();
    let found = found.into_iter().find(|found| found.rejected.is_none())?;
    let device = found.info.name.clone();
    let open = move |_: &str| context(skel::cuda::open(&found));
    Some(Machine::with_device(
        Kind::Gpu,
        "gpu",
        &device,
        Box::new(open),
    ))
}

/// The first device that wgpu reaches and that is software, or is not.
#[cfg(feature = "wgpu")]
fn through_wgpu(software: bool) -> Option<Machine> {
    use crate::machine::Kind;
    use skel::{unit::UnitKind, webgpu};
    let found = webgpu::enumerate().into_iter().find(|found| {
        let is_software = found.info.kind == UnitKind::SoftwareDevice;
        found.rejected.is_none() && is_software == software
    })?;
    let device = found.info.name.clone();
    let open = Box::new(move |_: &str| context(webgpu::open(&found)));
    let (kind, name) = match software {
        true => (Kind::Software, "software"),
        false => (Kind::Gpu, "gpu"),
    };
    Some(Machine::with_device(kind, name, &device, open))
}
