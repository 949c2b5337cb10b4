//! `cargo tune show`: what is known, with coefficients and ratios.

mod text;

use super::{
    MessageFormat,
    environment::{CommandEnvironment, CommandOutput, Source, is_meant},
};
use crate::{
    exit::{Exit, Failure, Result},
    term::{Style, printable},
};
use clap::Args;
use skel::model::{InstanceModel, MachineModels, json::Json};
use std::{fmt::Write, path::PathBuf};

/// Show what is known of instances: coefficients, how well they fit, and ratios
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ShowOptions {
    /// Only instances whose names contain one of these
    #[arg(value_name = "FILTER")]
    filter: Vec<String>,
    /// Look into this tuning file, and not where programs look
    #[arg(long = "file", value_name = "PATH")]
    files: Vec<PathBuf>,
    /// With every measured point
    #[arg(long)]
    raw: bool,
    /// How to print it
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    message_format: MessageFormat,
}

/// Says what is known.
pub(super) fn run(
    options: &ShowOptions,
    here: &CommandEnvironment<'_>,
    style: Style,
) -> Result<CommandOutput> {
    let sources = here.sources(&options.files)?;
    let mut text = String::new();
    let mut found = false;
    let mut broken = false;
    let mut before: Option<&MachineModels> = None;
    for source in &sources {
        let file = match &source.file {
            Ok(file) => file,
            Err(error) => {
                broken = true;
                if options.message_format == MessageFormat::Human {
                    let error = printable(&error.to_string());
                    // Writing to a string does not fail.
                    let _ = writeln!(text, "{}: {error}", style.warn("warning"));
                    if let Some(fix) = source.remedy() {
                        let _ = writeln!(text, "{}: {fix}", style.bold("help"));
                    }
                }
                continue;
            }
        };
        for machine in &file.machines {
            let instances = machine.instances.iter();
            let meant: Vec<&InstanceModel> =
                instances.filter(|i| is_meant(&options.filter, i)).collect();
            if meant.is_empty() {
                continue;
            }
            found = true;
            match options.message_format {
                MessageFormat::Json => json_lines(&mut text, source, machine, &meant),
                MessageFormat::Human => {
                    text.push_str(&text::machine(source, machine, before, style));
                    before = Some(machine);
                    for instance in meant {
                        text.push_str(&text::instance(instance, options.raw, style));
                    }
                }
            }
        }
    }
    if found {
        let exit = Exit::Ok;
        return Ok(CommandOutput { text, exit });
    }
    if broken {
        let exit = Exit::CheckFailed;
        return Ok(CommandOutput { text, exit });
    }
    let nothing = match options.filter.is_empty() {
        true => "nothing was tuned so far",
        false => "nothing by that name was tuned so far",
    };
    Err(Failure::new(Exit::NothingTunable, nothing)
        .fix("`cargo tune run` tunes; `cargo tune doctor` says where models are looked for"))
}

fn json_lines(
    text: &mut String,
    source: &Source,
    machine: &MachineModels,
    instances: &[&InstanceModel],
) {
    let transfers = machine.transfers.iter();
    let transfers =
        transfers.map(|(unit, model)| Json::List(vec![unit.to_string().into(), model.to_json()]));
    let transfers = Json::list(transfers);
    for instance in instances {
        let line = Json::object([
            ("reason", "instance-model".into()),
            ("file", source.path.display().to_string().into()),
            ("fingerprint", machine.fingerprint.to_json()),
            ("transfers", transfers.clone()),
            ("model", instance.to_json()),
        ]);
        let _ = writeln!(text, "{line}");
    }
}

#[cfg(test)]
mod test;
