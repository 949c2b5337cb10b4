//! `cargo tune clear`: removes saved models, and journals if that is asked for.

mod journals;

use super::{
    MessageFormat,
    environment::{CommandEnvironment, CommandOutput, is_meant, not_written, shown},
};
use crate::{
    cargo::{self, Selection},
    exit::{Exit, Failure, Result},
    show,
};
use clap::Args;
use skel::model::{
    Fingerprint, TuningFile,
    json::Json,
    store::{layout::Entry, stale},
};
use std::{
    fmt::Write,
    path::{Path, PathBuf},
};

/// Remove saved models, which programs of this user go by
///
/// Journals, which say what was measured of a program, stay in its target folder unless --journals is said:
/// the next `cargo tune run` saves again what they say, and measures nothing.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ClearOptions {
    /// Only instances whose names contain one of these
    #[arg(value_name = "FILTER")]
    filter: Vec<String>,
    /// Only what cannot be read, or needs a device that this machine has no more
    #[arg(long)]
    stale: bool,
    /// Remove all journals in cargo's target folder as well (those of other packages that share it, too), so that the next run measures everything anew
    #[arg(long, conflicts_with_all = ["filter", "stale"])]
    journals: bool,
    /// Cargo's target folder, whose journals are meant; without it, as for `cargo tune run`
    #[arg(long, value_name = "PATH", requires = "journals")]
    target_dir: Option<PathBuf>,
    /// The Cargo.toml of the package whose journals are meant
    #[arg(long, value_name = "PATH", requires = "journals")]
    manifest_path: Option<PathBuf>,
    /// Say what would be removed, and leave it
    #[arg(long)]
    dry_run: bool,
    /// How to print what was done
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    message_format: MessageFormat,
}

/// Removes them.
pub(super) fn run(options: &ClearOptions, here: &CommandEnvironment<'_>) -> Result<CommandOutput> {
    let folder = here.folder()?;
    let entries = folder.files();
    let entries = entries.map_err(|e| Failure::new(Exit::Incomplete, e.to_string()))?;
    let journals = match options.journals {
        true => Some(cargo::tune_folder(&options.selection())?),
        false => None,
    };
    // Devices are looked for only if it matters.
    let now = options.stale.then(|| (here.machine)());
    let mut text = String::new();
    let mut journals_removed = 0;
    // These first: one may be in use, and models are worth more.
    if let Some(folder) = &journals {
        for path in journals::in_folder(folder)? {
            if !options.dry_run {
                journals::remove(&path)?;
            }
            journals_removed += 1;
            options.tell_of(&path, &mut text);
        }
    }
    let mut removed = 0;
    let chosen = |entry: &&Entry| is_chosen(entry, options, now.as_ref());
    for entry in entries.iter().filter(chosen) {
        if !options.dry_run {
            let done = folder.remove(&entry.path);
            done.map_err(|error| not_written(&error))?;
        }
        removed += 1;
        options.tell_of(&entry.path, &mut text);
    }
    if options.message_format == MessageFormat::Human {
        let would = if options.dry_run {
            "would be removed"
        } else {
            "removed"
        };
        let left = entries.len() - removed;
        if removed > 0 && journals.is_none() {
            text.push_str(
                "journals of programs still say what was measured: their next `cargo tune run` saves it \
                 again; `cargo tune clear --journals`, in the program's folder, removes them as well\n",
            );
        }
        if let Some(folder) = &journals {
            let (files, folder) = (show::files(journals_removed), shown(folder));
            let _ = writeln!(text, "journals in {folder}: {files} {would}");
        }
        let _ = writeln!(
            text,
            "models: {} {would}, {left} stay",
            show::files(removed)
        );
    }
    let exit = Exit::Ok;
    Ok(CommandOutput { text, exit })
}

impl ClearOptions {
    /// Whose journals are meant.
    fn selection(&self) -> Selection {
        Selection {
            target_dir: self.target_dir.clone(),
            manifest_path: self.manifest_path.clone(),
            ..Selection::default()
        }
    }

    /// Says that a file is removed, or would be.
    fn tell_of(&self, path: &Path, text: &mut String) {
        // Writing to a string does not fail.
        let _ = match self.message_format {
            MessageFormat::Json => {
                let line = Json::object([
                    ("reason", "removed".into()),
                    ("file", path.display().to_string().into()),
                    ("dry_run", self.dry_run.into()),
                ]);
                writeln!(text, "{line}")
            }
            MessageFormat::Human if self.dry_run => writeln!(text, "would remove {}", shown(path)),
            MessageFormat::Human => writeln!(text, "removed {}", shown(path)),
        };
    }
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
    use super::{super::environment::test::Site, *};

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
            text.ends_with("models: 2 files would be removed, 0 stay\n"),
            "{text}"
        );
        assert_eq!(text.matches("would remove ").count(), 2);
        assert_eq!(site.saved().len(), 2);
        let text = run(&options(), &site.here()).unwrap().text;
        assert!(
            text.ends_with("models: 2 files removed, 0 stay\n"),
            "{text}"
        );
        assert!(text.contains("--journals"), "{text}");
        assert!(site.saved().is_empty());
        // Once more, there is nothing, which is no error.
        assert_eq!(
            run(&options(), &site.here()).unwrap().text,
            "models: 0 files removed, 0 stay\n"
        );
    }

    #[test]
    fn journals_go_if_that_is_asked_for_and_nothing_else_of_their_folder() {
        let site = Site::with(&["app::dot"]);
        let target = site.folder.path().join("target");
        let folder = target.join("tune");
        std::fs::create_dir_all(&folder).unwrap();
        let journals = [
            "app.journal.jsonl",
            "app.oracle.jsonl",
            "b.list.jsonl",
            "b.journal.unfinished",
        ];
        let others = [
            "report.html",
            "app.trace.json",
            "notes.jsonl",
            "app.journal.lock",
        ];
        for name in journals.iter().chain(&others) {
            std::fs::write(folder.join(name), "").unwrap();
        }
        let there = |names: &[&str]| {
            names
                .iter()
                .filter(|name| folder.join(name).exists())
                .count()
        };
        run(&options(), &site.here()).unwrap();
        assert_eq!((there(&journals), there(&others)), (4, 4));
        let all = ClearOptions {
            journals: true,
            target_dir: Some(target),
            ..options()
        };
        let dry = ClearOptions {
            dry_run: true,
            ..all.clone()
        };
        let text = run(&dry, &site.here()).unwrap().text;
        assert_eq!(text.matches("would remove ").count(), 4, "{text}");
        assert_eq!(there(&journals), 4);
        let text = run(&all, &site.here()).unwrap().text;
        assert!(text.contains("tune: 4 files removed\n"), "{text}");
        assert_eq!((there(&journals), there(&others)), (0, 4));
        // Without a folder there are none, which is no error.
        std::fs::remove_dir_all(&folder).unwrap();
        let text = run(&all, &site.here()).unwrap().text;
        assert!(text.contains("tune: 0 files removed\n"), "{text}");
    }

    #[test]
    fn a_journal_that_is_being_written_stays() {
        let site = Site::with(&[]);
        let folder = site.folder.path().join("tune");
        std::fs::create_dir_all(&folder).unwrap();
        let journal = folder.join("app.journal.jsonl");
        std::fs::write(&journal, "").unwrap();
        let lock = std::fs::File::create(folder.join("app.journal.lock")).unwrap();
        lock.lock().unwrap();
        let all = ClearOptions {
            journals: true,
            target_dir: Some(site.folder.path().into()),
            ..options()
        };
        let failure = run(&all, &site.here()).unwrap_err();
        assert_eq!(failure.exit, Exit::Write);
        assert!(journal.exists());
        drop(lock);
        run(&all, &site.here()).unwrap();
        assert!(!journal.exists());
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
