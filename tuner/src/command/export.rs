//! `cargo tune export`: models into one file, for a repository or for machines of the same make.

use super::{
    MessageFormat,
    environment::{CommandEnvironment, CommandOutput, not_written, only_meant, shown},
    run::save::TOOL,
};
use crate::exit::{Exit, Failure, Result};
use crate::term::tell;
use clap::Args;
use skel::model::{
    Fingerprint, TuningFile,
    json::Json,
    store::{
        Existing, Saved,
        merge::{self, Prefer},
        update,
    },
};
use std::path::{Path, PathBuf};

/// Write saved models to one file, to be checked in or copied to other machines
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ExportOptions {
    /// Only instances whose names contain one of these
    #[arg(value_name = "FILTER")]
    filter: Vec<String>,
    /// Where to write it, or `-`; what a tuning file says of other machines and instances stays
    #[arg(short, long, value_name = "PATH", default_value = "skel.tune.json")]
    out: PathBuf,
    /// Models of all machines that share this folder, and not only of this one
    #[arg(long)]
    all_machines: bool,
    /// How to print what was done
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    message_format: MessageFormat,
}

/// Writes it.
pub(super) fn run(options: &ExportOptions, here: &CommandEnvironment<'_>) -> Result<CommandOutput> {
    let all = collected(options, here)?;
    let instances = count(&all);
    if instances == 0 {
        return Err(
            Failure::new(Exit::NothingTunable, "there is nothing to export")
                .fix("`cargo tune run` measures; `cargo tune show` says what is known"),
        );
    }
    if options.out == Path::new("-") {
        let text = all.to_text();
        let exit = Exit::Ok;
        return Ok(CommandOutput { text, exit });
    }
    let change = |old: Option<TuningFile>| match old {
        Some(old) => merge::files(old, all, Prefer::New),
        None => all,
    };
    let waits = || {
        tell!(
            "waiting for another process that writes {}",
            shown(&options.out)
        )
    };
    let saved = update(&options.out, Existing::Keep, change, waits);
    let saved = saved.map_err(|error| not_written(&error))?;
    let text = match options.message_format {
        MessageFormat::Json => {
            let line = Json::object([
                ("reason", "exported".into()),
                ("file", options.out.display().to_string().into()),
                ("instances", instances.into()),
                ("written", (saved == Saved::Written).into()),
            ]);
            format!("{line}\n")
        }
        MessageFormat::Human => {
            let path = shown(&options.out);
            match saved {
                Saved::Written => format!("{instances} instances in {path}\n"),
                Saved::Unchanged => format!("{path} says it already\n"),
            }
        }
    };
    let exit = Exit::Ok;
    Ok(CommandOutput { text, exit })
}

fn count(file: &TuningFile) -> usize {
    file.machines.iter().map(|m| m.instances.len()).sum()
}

/// All that the folder says. Files that cannot be read are left out, which `check` tells.
fn collected(options: &ExportOptions, here: &CommandEnvironment<'_>) -> Result<TuningFile> {
    let folder = here.folder()?;
    let files = folder.files();
    let files = files.map_err(|e| Failure::new(Exit::Incomplete, e.to_string()))?;
    let mut all = TuningFile {
        tool: TOOL.into(),
        machines: Vec::new(),
    };
    let now = match options.all_machines {
        true => None,
        false => Some((here.machine)()),
    };
    let is_here = |f: &Fingerprint| {
        let now = now.as_ref();
        now.is_none_or(|now| (&f.cpu, f.threads) == (&now.cpu, now.threads))
    };
    for file in files.into_iter().filter_map(|entry| entry.file.ok()) {
        let mut file = only_meant(file, &options.filter);
        file.machines
            .retain(|machine| is_here(&machine.fingerprint));
        all = merge::files(all, file, Prefer::Old);
    }
    Ok(all)
}

#[cfg(test)]
mod test {
    use super::{
        super::environment::test::{Site, file, machine},
        *,
    };
    use skel::model::store::layout;

    fn options(site: &Site, filter: &[&str]) -> ExportOptions {
        ExportOptions {
            filter: filter.iter().map(|word| (*word).into()).collect(),
            out: site.folder.path().join("out.json"),
            ..ExportOptions::default()
        }
    }

    fn names(file: &TuningFile) -> Vec<&str> {
        let machines = file.machines.iter();
        let instances = machines.flat_map(|m| m.instances.iter().map(|i| i.key.name.as_str()));
        let mut names: Vec<&str> = instances.collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn what_is_exported_is_what_was_saved() {
        let site = Site::with(&["app::blur", "app::dot"]);
        let to = options(&site, &[]);
        let said = run(&to, &site.here()).unwrap().text;
        assert_eq!(said, format!("2 instances in {}\n", shown(&to.out)));
        let exported = layout::read(&to.out).unwrap();
        assert_eq!(names(&exported), ["app::blur", "app::dot"]);
        assert_eq!(exported.machines.len(), 1);
        let again = run(&to, &site.here()).unwrap().text;
        assert!(again.ends_with("says it already\n"), "{again}");
    }

    #[test]
    fn names_choose_and_nothing_is_an_error() {
        let site = Site::with(&["app::blur", "app::dot"]);
        run(&options(&site, &["dot"]), &site.here()).unwrap();
        let exported = layout::read(&options(&site, &[]).out).unwrap();
        assert_eq!(names(&exported), ["app::dot"]);
        let failure = run(&options(&site, &["scan"]), &site.here()).unwrap_err();
        assert_eq!(failure.exit, Exit::NothingTunable);
    }

    #[test]
    fn what_a_file_says_of_others_stays() {
        let site = Site::with(&["app::dot"]);
        let mut other = machine(&["app::scan"]);
        other.fingerprint.cpu = "Other".into();
        let to = options(&site, &[]);
        site.file("out.json", &file(vec![other]).to_text());
        run(&to, &site.here()).unwrap();
        assert_eq!(
            names(&layout::read(&to.out).unwrap()),
            ["app::dot", "app::scan"]
        );
        // What is no tuning file stays, too.
        let path = site.file("out.json", "precious");
        let failure = run(&to, &site.here()).unwrap_err();
        assert_eq!(failure.exit, Exit::Write);
        assert_eq!(std::fs::read(path).unwrap(), b"precious");
    }

    #[test]
    fn other_machines_are_exported_on_demand() {
        let mut site = Site::with(&["app::dot"]);
        site.machine.threads = 8;
        let mut to = options(&site, &[]);
        assert_eq!(
            run(&to, &site.here()).unwrap_err().exit,
            Exit::NothingTunable
        );
        to.all_machines = true;
        to.out = "-".into();
        let text = run(&to, &site.here()).unwrap().text;
        assert_eq!(
            names(&TuningFile::from_text(text.as_bytes()).unwrap()),
            ["app::dot"]
        );
    }
}
