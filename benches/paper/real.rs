//! This machine: its CPU with the GPU that is there, with the software device, and halved between the two.

use crate::machine::{Kind, Machine};
use skel::{
    Context,
    unit::{DeviceUnit, UnitKind},
    webgpu,
};
use std::{env, ffi::OsString, process::Command, thread};

/// All of them.
pub(crate) fn machines() -> Vec<Machine> {
    let mut machines: Vec<Machine> = gpu().into_iter().collect();
    if machines.is_empty() {
        machines.extend(through_wgpu(false));
    }
    machines.extend(through_wgpu(true));
    machines
}

/// What halves a machine: the CPU unit has one core, and the software device another one.
const HALVING: [(&str, &str); 2] = [("RAYON_NUM_THREADS", "1"), ("LP_NUM_THREADS", "1")];

/// Whether this process has been given half a machine for each unit.
fn is_half() -> bool {
    HALVING
        .iter()
        .all(|(name, value)| env::var_os(name).is_some_and(|is| is == *value))
}

/// Measures the machine of two halves in a process of its own: rayon and Mesa count their threads when they start.
/// Says whether that was done; in the process itself, and on one core, it is not.
pub(crate) fn halve() -> Result<bool, String> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    if is_half() || cores < 2 {
        return Ok(false);
    }
    let mut args: Vec<OsString> = env::args_os().skip(1).collect();
    if let Some(at) = args.iter().position(|arg| arg == "--machine") {
        args.drain(at..(at + 2).min(args.len()));
    }
    let ourselves = env::current_exe().map_err(|error| error.to_string())?;
    let status = Command::new(ourselves)
        .args(args)
        .args(["--machine", "halves"])
        .envs(HALVING)
        .status()
        .map_err(|error| error.to_string())?;
    match status.success() {
        true => Ok(true),
        false => Err(format!("the machine of two halves: {status}")),
    }
}

/// A context of one device.
fn context<D: skel::unit::Driver>(driver: skel::Result<D>) -> Result<Context, String> {
    let context = || Context::builder().unit(DeviceUnit::new(driver?)?).build();
    context().map_err(|error| error.to_string())
}

fn gpu() -> Option<Machine> {
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
fn through_wgpu(software: bool) -> Option<Machine> {
    let found = webgpu::enumerate().into_iter().find(|found| {
        let is_software = found.info.kind == UnitKind::SoftwareDevice;
        found.rejected.is_none() && is_software == software
    })?;
    let device = found.info.name.clone();
    let open = Box::new(move |_: &str| context(webgpu::open(&found)));
    let (kind, name) = match (software, is_half()) {
        (true, true) => (Kind::Halves, "halves"),
        (true, false) => (Kind::Software, "software"),
        (false, _) => (Kind::Gpu, "gpu"),
    };
    Some(Machine::with_device(kind, name, &device, open))
}
