//! `cargo tune check`: whether files are whole and fit this machine, without measuring.

use super::{
    MessageFormat,
    environment::{CommandEnvironment, CommandOutput, Source},
};
use crate::{
    exit::{Exit, Failure, Result},
    term::{Style, printable},
};
use clap::Args;
use skel::model::{
    Fingerprint, InstanceModel, MachineModels, TuningFile, Verdict,
    json::Json,
    store::{Soft, stale},
};
use std::{fmt::Write, path::PathBuf};

/// Check tuning files: whether they can be read, and fit this machine
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct CheckOptions {
    /// Tuning files; those that programs look into, if none is named
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How to print what was found
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    message_format: MessageFormat,
}

/// What can be said of a file or of an instance in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Used as it is.
    Ok,
    /// Used, though something has changed.
    Changed,
    /// For another machine, or for this one with other devices.
    Elsewhere,
    /// Not used.
    Stale,
    /// Cannot be read.
    Broken,
}

impl State {
    fn name(self) -> &'static str {
        match self {
            State::Ok => "ok",
            State::Changed => "changed",
            State::Elsewhere => "elsewhere",
            State::Stale => "stale",
            State::Broken => "broken",
        }
    }

    fn fails(self) -> bool {
        matches!(self, State::Stale | State::Broken)
    }
}

struct Finding<'a> {
    source: &'a Source,
    instance: Option<&'a InstanceModel>,
    state: State,
    why: String,
}

impl Finding<'_> {
    /// What to do about it.
    fn help(&self) -> Option<&'static str> {
        match (self.state, self.instance) {
            (State::Broken, None) => self.source.remedy(),
            _ => None,
        }
    }
}

/// Says what is wrong with each file, and with each model in it.
pub(super) fn run(
    options: &CheckOptions,
    here: &CommandEnvironment<'_>,
    style: Style,
) -> Result<CommandOutput> {
    let sources = here.sources(&options.files)?;
    if sources.is_empty() {
        return Err(
            Failure::new(Exit::NothingTunable, "there is no tuning file to check").fix(
                "`cargo tune run` writes some; `cargo tune doctor` says where they are looked for",
            ),
        );
    }
    let machine = (here.machine)();
    let findings: Vec<Finding<'_>> = sources
        .iter()
        .flat_map(|source| match &source.file {
            Ok(file) => of_file(source, file, &machine),
            Err(error) => vec![Finding {
                source,
                instance: None,
                state: State::Broken,
                why: error.to_string(),
            }],
        })
        .collect();
    let text = match options.message_format {
        MessageFormat::Json => findings.iter().map(json_line).collect(),
        MessageFormat::Human => human(&findings, style),
    };
    let exit = match findings.iter().any(|finding| finding.state.fails()) {
        true => Exit::CheckFailed,
        false => Exit::Ok,
    };
    Ok(CommandOutput { text, exit })
}

fn of_file<'a>(source: &'a Source, file: &'a TuningFile, now: &Fingerprint) -> Vec<Finding<'a>> {
    let mut findings = Vec::new();
    let mut here = false;
    let is_here =
        |measured: &Fingerprint| (&measured.cpu, measured.threads) == (&now.cpu, now.threads);
    // A program takes the entry that fits, as `store::find` does; those beside it are for when other devices are there.
    let serves = |of: &InstanceModel, by: &InstanceModel| {
        of.key == by.key && stale::devices(by, &now.devices).is_ok()
    };
    let is_served = |of: &InstanceModel| {
        let machines = file.machines.iter().filter(|m| is_here(&m.fingerprint));
        let mut instances = machines.flat_map(|machine| &machine.instances);
        instances.any(|by| serves(of, by))
    };
    for machine in &file.machines {
        let measured = &machine.fingerprint;
        let fits = is_here(measured);
        here |= fits;
        let soft = stale::soft(measured, &file.tool, Some(&now.devices));
        for instance in &machine.instances {
            let (state, why) = match fits {
                true => of_instance(instance, now, &soft),
                false => (State::Elsewhere, of_machine(machine)),
            };
            let state = match state {
                State::Stale if is_served(instance) => State::Elsewhere,
                state => state,
            };
            findings.push(Finding {
                source,
                instance: Some(instance),
                state,
                why,
            });
        }
    }
    // What lies in the folder is not looked at by other machines. A file that is named should serve.
    if source.is_named && !here {
        let (cpu, threads) = (&now.cpu, now.threads);
        findings.push(Finding {
            source,
            instance: None,
            state: State::Stale,
            why: format!("it says nothing of this machine: {cpu}, {threads} threads"),
        });
    }
    findings
}

fn of_machine(machine: &MachineModels) -> String {
    let Fingerprint { cpu, threads, .. } = &machine.fingerprint;
    format!("measured on {cpu}, {threads} threads")
}

fn of_instance(instance: &InstanceModel, now: &Fingerprint, soft: &[Soft]) -> (State, String) {
    if let Err(why) = stale::devices(instance, &now.devices) {
        return (State::Stale, why.to_string());
    }
    if soft.is_empty() {
        let verdict = Verdict::of(&instance.classes);
        return (State::Ok, verdict.to_string());
    }
    let changes: Vec<String> = soft.iter().map(ToString::to_string).collect();
    (State::Changed, changes.join("; "))
}

fn json_line(finding: &Finding<'_>) -> String {
    let key = finding.instance.map(|instance| &instance.key);
    let line = Json::object([
        ("reason", "checked".into()),
        ("file", finding.source.path.display().to_string().into()),
        ("id", key.map_or(Json::Null, |key| key.id().into())),
        (
            "name",
            key.map_or(Json::Null, |key| key.name.as_str().into()),
        ),
        ("state", finding.state.name().into()),
        ("why", finding.why.as_str().into()),
        ("help", finding.help().map_or(Json::Null, Json::from)),
    ]);
    format!("{line}\n")
}

fn human(findings: &[Finding<'_>], style: Style) -> String {
    let mut text = String::new();
    for finding in findings {
        let name = match finding.state {
            State::Ok => style.good("ok"),
            State::Changed | State::Elsewhere => style.warn(finding.state.name()),
            State::Stale | State::Broken => style.bad(finding.state.name()),
        };
        let what = match (finding.instance, finding.state) {
            (Some(instance), _) => printable(&instance.key.name),
            // The reason names it.
            (None, State::Broken) => String::new(),
            (None, _) => finding.source.shown(),
        };
        let parts = [name, what, printable(&finding.why)];
        let parts: Vec<&str> = parts
            .iter()
            .map(String::as_str)
            .filter(|p| !p.is_empty())
            .collect();
        // Writing to a string does not fail.
        let _ = writeln!(text, "{}", parts.join(": "));
        if let Some(help) = finding.help() {
            let _ = writeln!(text, "  {}: {help}", style.bold("help"));
        }
    }
    let count = |state| findings.iter().filter(|f| f.state == state).count();
    let states = [
        State::Ok,
        State::Changed,
        State::Elsewhere,
        State::Stale,
        State::Broken,
    ];
    let counts = states.map(|state| (count(state), state.name()));
    let some = counts.iter().filter(|(count, _)| *count > 0);
    let some: Vec<String> = some
        .map(|(count, name)| format!("{count} {name}"))
        .collect();
    let all = if some.is_empty() {
        "no models".into()
    } else {
        some.join(", ")
    };
    let _ = writeln!(text, "{all}");
    text
}

#[cfg(test)]
mod test;
