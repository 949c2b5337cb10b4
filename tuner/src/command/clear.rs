//! `cargo tune clear`: removes saved models.

use super::{
    MessageFormat,
    here::{Here, Said, is_meant, not_written, shown},
};
use crate::{
    exit::{Exit, Failure, Result},
    show,
};
use clap::Args;
use skel::model::{
    Fingerprint, TuningFile,
    json::Json,
    store::{layout::Entry, stale},
};
use std::fmt::Write;

/// Remove saved models
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ClearOptions {
    /// Only instances whose names contain one of these
    #[arg(value_name = "FILTER")]
    filter: Vec<String>,
    /// Only what cannot be read, or needs a device that this machine has no more
    #[arg(long)]
    stale: bool,
    /// Say what would be removed, and leave it
    #[arg(long)]
    dry_run: bool,
    /// How to print what was done
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    message_format: MessageFormat,
}

/// Removes them.
pub(super) fn run(options: &ClearOptions, here: &Here<'_>) -> Result<Said> {
    let folder = here.folder()?;
    let entries = folder.files();
    let entries = entries.map_err(|e| Failure::new(Exit::Incomplete, e.to_string()))?;
    // Devices are looked for only if it matters.
    let now = options.stale.then(|| (here.machine)());
    let mut text = String::new();
    let mut removed = 0;
    let chosen = |entry: &&Entry| is_chosen(entry, options, now.as_ref());
    for entry in entries.iter().filter(chosen) {
        if !options.dry_run {
            let done = folder.remove(&entry.path);
            done.map_err(|error| not_written(&error))?;
        }
        removed += 1;
        let path = shown(&entry.path);
        // Writing to a string does not fail.
        let _ = match options.message_format {
            MessageFormat::Json => {
                let line = Json::object([
                    ("reason", "removed".into()),
                    ("file", entry.path.display().to_string().into()),
                    ("dry_run", options.dry_run.into()),
                ]);
                writeln!(text, "{line}")
            }
            MessageFormat::Human if options.dry_run => writeln!(text, "would remove {path}"),
            MessageFormat::Human => writeln!(text, "removed {path}"),
        };
    }
    if options.message_format == MessageFormat::Human {
        let would = if options.dry_run {
            "would be removed"
        } else {
            "removed"
        };
        let left = entries.len() - removed;
        if removed > 0 && !options.dry_run {
            text.push_str(
                "journals of programs still say what was measured: their next `cargo tune run` saves it \
                 again, and with --force measures anew\n",
            );
        }
        let _ = writeln!(text, "{} {would}, {left} stay", show::files(removed));
    }
    let exit = Exit::Ok;
    Ok(Said { text, exit })
}

fn is_chosen(entry: &Entry, options: &ClearOptions, now: Option<&Fingerprint>) -> bool {
    let Ok(file) = &entry.file else {
        // Whose it is cannot be said.
        return options.filter.is_empty();
    };
    let mut instances = file.machines.iter().flat_map(|m| &m.instances);
    let meant = options.filter.is_empty() || instances.any(|i| is_meant(&options.filter, i));
    meant && now.is_none_or(|now| is_stale(file, now))
}

/// Whether no model in it is used on this machine, and on no other that shares the folder.
fn is_stale(file: &TuningFile, now: &Fingerprint) -> bool {
    let useless = |machine: &skel::model::MachineModels| {
        let Fingerprint { cpu, threads, .. } = &machine.fingerprint;
        let here = (cpu, *threads) == (&now.cpu, now.threads);
        let mut instances = machine.instances.iter();
        here && instances.all(|i| stale::devices(i, &now.devices).is_err())
    };
    file.machines.iter().all(useless)
}

#[cfg(test)]
mod test {
    use super::{super::here::test::Site, *};

    fn options() -> ClearOptions {
        ClearOptions::default()
    }

    #[test]
    fn all_goes_and_a_dry_run_only_says_so() {
        let site = Site::with(&["app::dot", "app::blur"]);
        let dry = ClearOptions {
            dry_run: true,
            ..options()
        };
        let text = run(&dry, &site.here()).unwrap().text;
        assert!(
            text.ends_with("2 files would be removed, 0 stay\n"),
            "{text}"
        );
        assert_eq!(text.matches("would remove ").count(), 2);
        assert_eq!(site.saved().len(), 2);
        let text = run(&options(), &site.here()).unwrap().text;
        assert!(text.ends_with("2 files removed, 0 stay\n"), "{text}");
        assert!(text.contains("--force"), "{text}");
        assert!(site.saved().is_empty());
        // Once more, there is nothing, which is no error.
        assert_eq!(
            run(&options(), &site.here()).unwrap().text,
            "0 files removed, 0 stay\n"
        );
    }

    #[test]
    fn names_choose() {
        let site = Site::with(&["app::dot", "app::blur"]);
        let dot = ClearOptions {
            filter: vec!["dot".into()],
            message_format: MessageFormat::Json,
            ..options()
        };
        let text = run(&dot, &site.here()).unwrap().text;
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            (&json["reason"], &json["dry_run"]),
            (&"removed".into(), &false.into())
        );
        assert_eq!(site.saved().len(), 1);
    }

    #[test]
    fn stale_is_what_cannot_be_read_or_needs_what_is_gone() {
        let mut site = Site::with(&["app::dot"]);
        let stale = ClearOptions {
            stale: true,
            ..options()
        };
        let saved = site.saved().remove(0);
        let broken = saved.with_file_name(format!("{:032x}.json", 1));
        std::fs::write(&broken, "{").unwrap();
        run(&stale, &site.here()).unwrap();
        assert_eq!(site.saved(), std::slice::from_ref(&saved));
        // Another machine that shares the folder is left alone.
        site.machine.devices.clear();
        site.machine.threads = 8;
        run(&stale, &site.here()).unwrap();
        assert_eq!(site.saved(), [saved]);
        site.machine.threads = 4;
        run(&stale, &site.here()).unwrap();
        assert!(site.saved().is_empty());
    }
}
