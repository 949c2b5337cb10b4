//! `cargo tune doctor`: what there is, where models are looked for, and what may disturb measurements.

mod machine;
mod places;
mod said;

use super::{
    MessageFormat,
    here::{Here, Said, shown},
};
use crate::{
    Machine, cargo,
    exit::{Exit, Result},
    term::{Style, printable},
};
use clap::Args;
use skel::{DeviceReport, model::Fingerprint};
use std::ffi::OsString;

/// Say what there is: devices, drivers, where models are looked for, what may disturb measurements
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct DoctorOptions {
    /// How to print it
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    message_format: MessageFormat,
}

/// What was found.
struct Findings {
    machine: Machine,
    /// What models are filed under.
    fingerprint: Fingerprint,
    devices: Vec<DeviceReport>,
    compiler: String,
    places: Vec<(String, String)>,
    /// Where journals and reports of programs are, for commands that are started here.
    journals: String,
    settings: Vec<(String, String)>,
    /// What may make measurements worse, or models useless.
    warnings: Vec<String>,
}

/// Says it.
pub(super) fn run(options: &DoctorOptions, here: &Here<'_>, style: Style) -> Result<Said> {
    let machine = Machine::this();
    let mut warnings =
        machine::disturbances(&|path| std::fs::read_to_string(path).ok(), machine.threads);
    let devices = skel::open_devices();
    let findings = Findings {
        compiler: compiler(),
        places: places::places(here, &mut warnings),
        journals: journals(),
        settings: settings(here.variable, &mut warnings),
        fingerprint: (here.machine)(),
        machine,
        devices,
        warnings,
    };
    let text = match options.message_format {
        MessageFormat::Json => findings.json(),
        MessageFormat::Human => findings.human(style),
    };
    let exit = Exit::Ok;
    Ok(Said { text, exit })
}

fn journals() -> String {
    match cargo::tune_folder(&cargo::Selection::default()) {
        Ok(folder) => shown(&folder),
        Err(failure) => printable(&failure.what),
    }
}

/// The compiler of CUDA kernels.
fn compiler() -> String {
    match skel::cuda::nvrtc::Nvrtc::find() {
        Ok(nvrtc) => {
            let ((major, minor), path) = (nvrtc.version(), shown(nvrtc.path()));
            format!("CUDA {major}.{minor}, {path}")
        }
        Err(error) => printable(&error.to_string()),
    }
}

/// Variables that change what runs where.
const SETTINGS: [&str; 14] = [
    "SKEL_BACKEND",
    "SKEL_SOFTWARE_DEVICES",
    "SKEL_CUDA",
    "SKEL_NVRTC",
    "SKEL_DEVICE_MEMORY_BYTES",
    "SKEL_WATCHDOG",
    "SKEL_WATCHDOG_MS",
    "SKEL_TUNE",
    "SKEL_TUNE_FILE",
    "SKEL_CACHE",
    "SKEL_CACHE_DIR",
    "SKEL_DUMP",
    "SKEL_TRACE",
    "RAYON_NUM_THREADS",
];

fn settings(
    variable: &dyn Fn(&str) -> Option<OsString>,
    warnings: &mut Vec<String>,
) -> Vec<(String, String)> {
    let set = |name: &&str| {
        let value = variable(name).filter(|value| !value.is_empty())?;
        Some(((*name).to_string(), printable(&value.to_string_lossy())))
    };
    let settings: Vec<(String, String)> = SETTINGS.iter().filter_map(set).collect();
    for (name, value) in &settings {
        match name.as_str() {
            "SKEL_BACKEND" if value != "auto" => warnings.push(format!(
                "SKEL_BACKEND={value} overrides what models and programs say"
            )),
            "SKEL_TUNE" => warnings.push(format!(
                "SKEL_TUNE={value} makes every program that uses skel measure its calls"
            )),
            _ => {}
        }
    }
    settings
}

#[cfg(test)]
mod test;
