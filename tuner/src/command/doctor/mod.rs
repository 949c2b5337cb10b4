//! `cargo tune doctor`: what there is, where models are looked for, and what may disturb measurements.

mod machine;
mod output;
mod places;

use super::{
    MessageFormat,
    environment::{CommandEnvironment, CommandOutput, shown},
};
use crate::{
    Machine, cargo,
    exit::{Exit, Result},
    term::{Style, printable},
};
use clap::Args;
use skel::{
    DeviceReport,
    model::Fingerprint,
    setting::{OnInvalid, Setting},
};
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
    settings: Vec<Set>,
    /// What may make measurements worse, or models useless.
    warnings: Vec<String>,
}

/// Says it.
pub(super) fn run(
    options: &DoctorOptions,
    here: &CommandEnvironment<'_>,
    style: Style,
) -> Result<CommandOutput> {
    let machine = Machine::this();
    let mut warnings =
        machine::disturbances(&|path| std::fs::read_to_string(path).ok(), machine.threads);
    let devices = skel::open_devices();
    let findings = Findings {
        compiler: compiler(),
        places: places::places(here, &mut warnings),
        journals: journals(),
        settings: settings(here.variable, &skel::setting::unknown(), &mut warnings),
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
    Ok(CommandOutput { text, exit })
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

/// A variable of others that changes what runs where.
const OF_RAYON: &str = "RAYON_NUM_THREADS";

/// A variable that is set.
struct Set {
    name: String,
    value: String,
    /// How it was understood.
    understood: String,
}

/// What is set, and how it was understood.
fn settings(
    variable: &dyn Fn(&str) -> Option<OsString>,
    unknown: &[String],
    warnings: &mut Vec<String>,
) -> Vec<Set> {
    let mut all = Vec::new();
    for Setting {
        info,
        found,
        problem,
        ..
    } in skel::setting::settings(variable)
    {
        let (name, value) = (info.name.to_string(), found);
        let understood = match (problem, info.on_invalid) {
            (None, _) => format!("understood: {}", info.effect),
            (Some(problem), OnInvalid::Refuse) => {
                let problem = printable(&problem.to_string());
                warnings.push(format!(
                    "{problem}: every call of a program's default context is this error"
                ));
                format!("refused: it takes {}", info.expected)
            }
            (Some(problem), _) => {
                let problem = printable(&problem.to_string());
                warnings.push(format!("{problem}: what it is about is off"));
                format!("off: it takes {}", info.expected)
            }
        };
        match name.as_str() {
            "SKEL_BACKEND" if value != "auto" => warnings.push(format!(
                "SKEL_BACKEND={value} overrides what models and programs say"
            )),
            "SKEL_TUNE" => warnings.push(format!(
                "SKEL_TUNE={value} makes every program that uses skel measure its calls"
            )),
            _ => {}
        }
        all.push(Set {
            name,
            value,
            understood,
        });
    }
    if let Some(threads) = variable(OF_RAYON).filter(|value| !value.is_empty()) {
        all.push(Set {
            name: OF_RAYON.into(),
            value: printable(&threads.to_string_lossy()),
            understood: "threads of the CPU, as rayon understands it".into(),
        });
    }
    for name in unknown {
        warnings.push(format!(
            "{name} is set, and no variable of skel: nothing reads it"
        ));
    }
    all
}

#[cfg(test)]
mod test;
