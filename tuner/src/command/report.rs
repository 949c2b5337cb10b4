//! `cargo tune report`: one HTML file of what was measured.

use crate::{
    cargo::{self, Selection},
    command::{
        MessageFormat,
        environment::{not_read, shown},
        messages::Messages,
        run::{self, now_unix_s},
        words,
    },
    exit::{Exit, Failure, Result},
    journal::Journal,
    merge,
    report::{Page, blocks::Blocks, timeline::Timeline},
    show,
    term::{Style, say},
};
use clap::Args;
use serde_json::json;
use skel::model::{
    MachineModels, TuningFile,
    store::{self, layout, merge::Prefer},
};
use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Write one HTML file of what was measured, with pictures.
#[derive(Args, Clone, Debug)]
pub(crate) struct ReportOptions {
    /// Journals (*.jsonl) and tuning files (*.json); all journals of the workspace if none is named
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    selection: Selection,
    /// Where to write it; report.html beside the journals if nothing else is said
    #[arg(short, long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// Show a timeline from this trace, which `SKEL_TRACE=PATH` writes
    #[arg(long, value_name = "PATH", conflicts_with = "record")]
    trace: Option<PathBuf>,
    /// Run the program once more, and show a timeline of that run
    #[arg(long)]
    record: bool,
    /// Leave out the programs' arguments, if the report is to be shown to others
    #[arg(long)]
    no_args: bool,
    /// Open it in a browser
    #[arg(long)]
    open: bool,
    /// How to print what was done
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    message_format: MessageFormat,
    /// Arguments of the program, for --record
    #[arg(last = true, value_name = "ARGS", requires = "record")]
    args: Vec<OsString>,
}

/// Writes it.
pub(super) fn run(options: &ReportOptions) -> Result {
    let messages = Messages::new(options.message_format);
    let folder = cargo::tune_folder(&options.selection)?;
    let mut page = Page {
        when: show::utc(now_unix_s()),
        ..Page::default()
    };
    let files = match options.files.is_empty() {
        true => journals(&folder, options.selection.named().as_deref())?,
        false => options.files.clone(),
    };
    let mut names = Vec::new();
    for file in &files {
        let name = add(&mut page, file)?;
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if page.machines.iter().all(|m| m.instances.is_empty()) {
        let what = match options.files.is_empty() {
            true => format!(
                "no journal in {} says of anything measured to the end",
                shown(&folder)
            ),
            false => "nothing was measured to the end so far".into(),
        };
        return Err(Failure::new(Exit::NothingTunable, what).fix(
            "cargo tune run measures; a journal is looked for as `cargo tune report --help` says of --target-dir",
        ));
    }
    page.program = names.join(", ");
    if options.no_args {
        page.commands.iter_mut().for_each(words::strip_args);
        page.commands.dedup();
    }
    page.timeline = timeline(options, &folder)?;
    let out = options
        .out
        .clone()
        .unwrap_or_else(|| folder.join("report.html"));
    write(&out, &page.html())?;
    messages.send(|| json!({"reason": "report", "path": out.display().to_string(), "commands": page.commands}));
    if !messages.on() {
        say!("{} {}", Style::of_stdout().good("report:"), out.display());
    }
    if options.open {
        open(&out)?;
    }
    Ok(Exit::Ok)
}

/// What journals' names end in. Where both have measured a size, the sweep has more of it: it comes last.
const ENDINGS: [&str; 2] = [".journal.jsonl", ".oracle.jsonl"];

/// The journals there, of one program or of all.
fn journals(folder: &Path, program: Option<&str>) -> Result<Vec<PathBuf>> {
    if let Some(program) = program {
        let files = ENDINGS.map(|ending| folder.join(format!("{program}{ending}")));
        let [run, oracle] = &files;
        return Ok(match (run.exists(), oracle.exists()) {
            (true, true) => files.to_vec(),
            (false, true) => vec![oracle.clone()],
            _ => vec![run.clone()],
        });
    }
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(unreadable(folder, &e)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(|e| unreadable(folder, &e))?.path();
        let name = path.to_string_lossy();
        if ENDINGS.iter().any(|ending| name.ends_with(ending)) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Adds what a file says, and gives its name.
fn add(page: &mut Page, path: &Path) -> Result<String> {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    if !fs::exists(path).map_err(|e| unreadable(path, &e))? {
        let what = format!("there is no {}", shown(path));
        return Err(Failure::new(Exit::NothingTunable, what).fix("cargo tune run writes it"));
    }
    if path.extension().is_some_and(|e| e == "jsonl") {
        let journal = Journal::load(path).map_err(|e| unreadable(path, &e))?;
        if let Some(skipped) = &journal.skipped {
            page.notes.push(format!(
                "{name}: {} lines could not be understood.",
                skipped.lines
            ));
        }
        for problem in &journal.problems {
            page.notes.push(format!("{name}: {}", problem.what));
        }
        for (id, instance) in &journal.instances {
            let Some(machine) = journal.fingerprint() else {
                break;
            };
            for (class, measured) in &instance.classes {
                page.blocks
                    .extend(measured.blocks.iter().map(|(unit, medians_ns)| Blocks {
                        machine: machine.clone(),
                        id: id.clone(),
                        class: *class,
                        unit: unit.clone(),
                        medians_ns: medians_ns.clone(),
                    }));
            }
        }
        for command in journal.commands.iter().map(|command| words::kept(command)) {
            if !page.commands.contains(&command) {
                page.commands.push(command);
            }
        }
        let mut models = merge::models(&journal, 0, 0);
        if let Some(models) = &mut models {
            merge::together(models, &journal);
        }
        add_machines(page, models);
        let program = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending));
        return Ok(program.unwrap_or(&name).into());
    }
    let file = layout::read(path).map_err(|error| not_read(&error))?;
    add_machines(page, file.machines);
    Ok(name)
}

/// What is measured of one machine stands together.
fn add_machines(page: &mut Page, machines: impl IntoIterator<Item = MachineModels>) {
    let of = |machines| TuningFile {
        tool: String::new(),
        machines,
    };
    let (old, new) = (
        of(std::mem::take(&mut page.machines)),
        of(machines.into_iter().collect()),
    );
    page.machines = store::merge::files(old, new, Prefer::New).machines;
}

fn timeline(options: &ReportOptions, folder: &Path) -> Result<Option<Timeline>> {
    let path = match (&options.trace, options.record) {
        (Some(path), _) => path.clone(),
        (None, false) => return Ok(None),
        (None, true) => {
            let program = cargo::build(&options.selection)?;
            let path = folder.join(format!("{}.trace.json", program.name));
            run::record(&program, &options.args, &path)?;
            path
        }
    };
    let text = fs::read(&path).map_err(|e| unreadable(&path, &e))?;
    let timeline = Timeline::parse(&String::from_utf8_lossy(&text));
    let timeline = timeline.map_err(|e| {
        let what = format!("{} is no trace: {e}", path.display());
        Failure::new(Exit::Usage, what).fix("SKEL_TRACE=PATH makes a program write one")
    })?;
    Ok(Some(timeline))
}

/// Writes beside the file first, so that a report that was there stays whole.
fn write(path: &Path, text: &str) -> Result<()> {
    let unwritable =
        |e: io::Error| Failure::new(Exit::Write, format!("cannot write {}: {e}", path.display()));
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(unwritable)?;
    }
    let mut beside = path.as_os_str().to_os_string();
    beside.push(".new");
    fs::write(&beside, text).map_err(unwritable)?;
    fs::rename(&beside, path).map_err(unwritable)
}

fn open(path: &Path) -> Result<()> {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        Command::new("explorer")
    } else {
        Command::new("xdg-open")
    };
    command.arg(path).stdin(Stdio::null()).stdout(Stdio::null());
    let started = command.stderr(Stdio::null()).spawn();
    started.map(drop).map_err(|e| {
        let what = format!("no browser opens: {e}");
        Failure::new(Exit::Usage, what).fix(format!("open {} by hand", path.display()))
    })
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::new(
        Exit::Usage,
        format!("cannot read {}: {error}", path.display()),
    )
}
