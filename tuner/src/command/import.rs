//! `cargo tune import`: models from a file of others. What was measured here stays.

use super::{
    MessageFormat,
    environment::{CommandEnvironment, CommandOutput, not_read, not_written, shown},
};
use crate::{
    exit::{Exit, Result},
    term::tell,
};
use clap::Args;
use skel::model::{
    json::Json,
    store::{layout, merge::Prefer},
};
use std::{fmt::Write, path::PathBuf};

/// Take over models from tuning files; what was measured here is not replaced
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ImportOptions {
    /// Tuning files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// How to print what was done
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    message_format: MessageFormat,
}

/// Takes them over.
pub(super) fn run(options: &ImportOptions, here: &CommandEnvironment<'_>) -> Result<CommandOutput> {
    let folder = here.folder()?;
    // All are read before the first is written.
    let mut files = Vec::new();
    for path in &options.files {
        let file = layout::read(path).map_err(|error| not_read(&error))?;
        files.push((path, file));
    }
    let mut text = String::new();
    let mut failed = None;
    for (path, file) in files {
        let mut instances = 0;
        let mut written = 0;
        for machine in &file.machines {
            let waits = |path: &std::path::Path| {
                tell!("waiting for another process that writes {}", shown(path));
            };
            let saved = folder.save(&file.tool, machine, Prefer::Old, waits);
            match saved {
                Ok(files) => written += files.len(),
                Err(error) => failed = failed.or(Some(error)),
            }
            instances += machine.instances.len();
        }
        // Writing to a string does not fail.
        let _ = match options.message_format {
            MessageFormat::Json => {
                let line = Json::object([
                    ("reason", "imported".into()),
                    ("file", path.display().to_string().into()),
                    ("instances", instances.into()),
                    ("written", written.into()),
                ]);
                writeln!(text, "{line}")
            }
            MessageFormat::Human => {
                let known = instances - written;
                let path = shown(path);
                writeln!(
                    text,
                    "{path}: {written} instances are new or say more, {known} were known"
                )
            }
        };
    }
    let exit = Exit::Ok;
    failed.map_or(Ok(CommandOutput { text, exit }), |error| {
        Err(not_written(&error))
    })
}

#[cfg(test)]
mod test {
    use super::{
        super::environment::test::{Site, file, machine},
        *,
    };

    fn import(site: &Site, files: &[PathBuf]) -> Result<CommandOutput> {
        let options = ImportOptions {
            files: files.to_vec(),
            ..ImportOptions::default()
        };
        run(&options, &site.here())
    }

    #[test]
    fn what_is_new_is_taken_and_what_was_measured_here_stays() {
        let site = Site::with(&["app::dot"]);
        let mut theirs = machine(&["app::dot", "app::blur"]);
        theirs.instances[0].seed = 99;
        let path = site.file("theirs.json", &file(vec![theirs]).to_text());
        let text = import(&site, std::slice::from_ref(&path)).unwrap().text;
        assert!(
            text.ends_with(": 1 instances are new or say more, 1 were known\n"),
            "{text}"
        );
        let saved = site.saved();
        assert_eq!(saved.len(), 2);
        let seeds = saved.iter().map(|path| layout::read(path).unwrap());
        let seeds: Vec<u64> = seeds.map(|f| f.machines[0].instances[0].seed).collect();
        assert_eq!(seeds, [7, 7]);
        let text = import(&site, &[path]).unwrap().text;
        assert!(text.contains(": 0 instances are new"), "{text}");
    }

    #[test]
    fn nothing_is_taken_of_files_of_which_one_is_broken() {
        let site = Site::with(&[]);
        let good = site.file("good.json", &file(vec![machine(&["app::dot"])]).to_text());
        let broken = site.file("broken.json", "{\"machines\": []}");
        let failure = import(&site, &[good, broken]).unwrap_err();
        assert_eq!(failure.exit, Exit::CheckFailed);
        assert!(
            failure.what.contains("expected a field `schema`"),
            "{failure}"
        );
        assert!(site.saved().is_empty());
    }

    #[test]
    fn without_a_folder_nothing_can_be_taken() {
        let mut site = Site::with(&[]);
        let good = site.file("good.json", &file(vec![machine(&["app::dot"])]).to_text());
        site.set("SKEL_CACHE", "off");
        let failure = import(&site, std::slice::from_ref(&good)).unwrap_err();
        assert_eq!(failure.exit, Exit::Write);
        // Nor into one that is a file.
        site.set("SKEL_CACHE", "");
        site.set("SKEL_CACHE_DIR", good.to_str().unwrap());
        assert_eq!(import(&site, &[good]).unwrap_err().exit, Exit::Write);
    }
}
