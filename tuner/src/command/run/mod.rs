//! `cargo tune run`: build, run under the tuner, make models, save, say what was found.

pub(crate) mod child;
mod devices;
mod interrupt;
mod keep;
pub(crate) mod options;
pub(crate) mod progress;
pub(crate) mod save;
pub(crate) mod session;
mod summary;

pub(crate) use options::RunOptions;

use crate::{
    cargo::{self, Program},
    command::{messages::Messages, software, words},
    exit::{Exit, Failure, Result},
    journal::{Journal, ProblemKind},
    merge, show,
    term::{Style, out, say, tell},
};
use child::{Ended, Mode};
use serde_json::json;
use session::Session;
use std::{
    ffi::OsString,
    fs, io,
    path::Path,
    time::{Duration, SystemTime},
};

/// Runs it.
pub(super) fn run(options: &RunOptions) -> Result {
    let messages = Messages::new(options.show.message_format);
    messages.end(measure(options, messages))
}

fn measure(options: &RunOptions, messages: Messages) -> Result {
    messages.send(|| json!({"reason": "tune-started", "mode": "run"}));
    save::somewhere(options.save.as_deref())?;
    let program = cargo::build(&options.selection)?;
    messages.send(
        || json!({"reason": "build-finished", "program": program.path.display().to_string()}),
    );
    let session = Session {
        selection: &options.selection,
        program: &program,
        args: &options.args,
        mode: Mode::Run,
        measure: &options.measure,
        show: &options.show,
        messages,
    };
    let (journal, ended) = session.run()?;
    let models = merge::models(&journal, options.measure.seed, now_unix_s());
    let mut models = models.ok_or_else(|| no_handshake(&program.name, ended))?;
    let known = save::known(&models);
    keep::surer(&mut models.instances, &known);
    keep::uses(&mut models.instances, &known);
    let mut together = merge::together(&mut models, &journal);
    if !options.measure.device.is_empty() {
        keep::others(&mut models.instances, &known);
        // Of some units only.
        together = None;
    }
    let written = save::save(&models, options.save.as_deref())?;
    messages.send(|| {
        let files: Vec<String> = written
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        json!({"reason": "saved", "files": files})
    });
    if !messages.on() {
        out(format_args!(
            "{}",
            summary::text(&models, &known, Style::of_stdout())
        ));
        match session::unsure(&journal) {
            0 => {}
            n => say!(
                "\n{} may be faster still: the same command goes on, with a longer --budget if that is wanted",
                show::sizes(n)
            ),
        }
        if let Some(gain) = together {
            say!("\nAll calls together: {gain:.2}× as fast with shares that suit each other.");
        }
        if !options.measure.device.is_empty() {
            say!(
                "\nOnly some units were measured: what was known of others is kept. Run without \
                 --device to have splits found."
            );
        }
        if !written.is_empty() {
            say!(
                "\nsaved: programs use it from now on ({})",
                show::files(written.len())
            );
        }
        let software = software::left_out(&models);
        let hints = summary::hints(&models).into_iter().map(String::from);
        for hint in hints.chain(software) {
            tell!("{}: {hint}", Style::of_stderr().bold("note"));
        }
    }
    let resume = resume(&session, &journal);
    verdict(&journal, ended, &resume)
}

/// The command that goes on, with a budget that is long enough if this one was not.
pub(crate) fn resume(session: &Session, journal: &Journal) -> String {
    let would_do_s = journal.problems.iter().filter_map(|p| p.would_do_s).max();
    let mut measure = session.measure.clone();
    if let Some(would_do_s) = would_do_s {
        measure.budget = Some(Duration::from_secs(would_do_s));
    }
    let session = Session {
        measure: &measure,
        ..*session
    };
    words::with_args(&session.command(), session.args)
}

/// Whether the program was let go on to its end, and ended well; if not, what was not.
pub(crate) fn ended_well(ended: Ended) -> Result<()> {
    let incomplete = |what: String| Err(Failure::new(Exit::Incomplete, what));
    match ended {
        Ended::Stopped => incomplete("stopped".into()),
        Ended::Exited(status) if !status.success() => {
            incomplete(format!("the program ended with {status}"))
        }
        Ended::Exited(_) => Ok(()),
    }
}

/// What the exit code is. `resume` is the command that goes on.
pub(crate) fn verdict(journal: &Journal, ended: Ended, resume: &str) -> Result {
    let kept =
        |failure: Failure| failure.fix(format!("what was measured is kept; resume: {resume}"));
    let incomplete = |what: String| Err(kept(Failure::new(Exit::Incomplete, what)));
    ended_well(ended).map_err(kept)?;
    if let Some(wrong) = of_kind(journal, ProblemKind::WrongResult) {
        return Err(Failure::new(Exit::WrongResult, wrong));
    }
    if let Some(unit) = of_kind(journal, ProblemKind::Missing) {
        return Err(Failure::new(Exit::Device, unit)
            .fix("`cargo tune doctor` says which devices there are, and why not others"));
    }
    if journal.instances.is_empty() {
        let failure = Failure::new(Exit::NothingTunable, "the program made no call to tune");
        return Err(failure.fix("pass arguments after `--` that make it compute something"));
    }
    let over = of_kind(journal, ProblemKind::Budget);
    match (journal.finished(), over) {
        ((0, 0), None) => Err(nothing_large_enough(journal)),
        ((done, begun), _) if done < begun => {
            incomplete(format!("{done} of {begun} sizes were measured to the end"))
        }
        (_, Some(over)) => incomplete(over),
        (_, None) => Ok(Exit::Ok),
    }
}

/// Why nothing was measured, though there was time.
fn nothing_large_enough(journal: &Journal) -> Failure {
    let kinds = [ProblemKind::Memory, ProblemKind::Unit];
    match kinds.iter().find_map(|kind| of_kind(journal, *kind)) {
        Some(why) => Failure::new(Exit::NothingTunable, format!("nothing was measured: {why}")),
        None => Failure::new(
            Exit::NothingTunable,
            "none of the program's calls was large enough to tune",
        )
        .fix("pass arguments that make it compute more, or say --sizes 1..1Gi"),
    }
}

fn of_kind(journal: &Journal, kind: ProblemKind) -> Option<String> {
    let problem = journal.problems.iter().find(|p| p.kind == kind)?;
    Some(crate::term::printable(&problem.what))
}

/// The program never spoke.
pub(crate) fn no_handshake(program: &str, ended: Ended) -> Failure {
    match ended {
        Ended::Stopped => Failure::new(Exit::Incomplete, "stopped before anything was measured"),
        Ended::Exited(status) => {
            let what = match status.success() {
                true => format!("{program} ran, but called nothing of skel"),
                false => format!("{program} ended with {status} before it called skel"),
            };
            Failure::new(Exit::Handshake, what).fix(
                "name a program that uses skel (--example, --bin, --bench), and pass it the \
                 arguments with which it computes after `--`",
            )
        }
    }
}

/// Runs a program as it is, and has it write a trace.
pub(crate) fn record(program: &Program, args: &[OsString], trace: &Path) -> Result<()> {
    let failed = |what: String| Failure::new(Exit::Usage, what);
    if let Some(folder) = trace.parent() {
        let unwritable =
            |e: io::Error| Failure::new(Exit::Write, format!("{}: {e}", folder.display()));
        fs::create_dir_all(folder).map_err(unwritable)?;
    }
    let mut command = program.command();
    command.args(args).env("SKEL_TRACE", trace);
    let status = command
        .status()
        .map_err(|e| failed(format!("cannot start {}: {e}", program.path.display())))?;
    match status.success() {
        true => Ok(()),
        false => Err(failed(format!("{} ended with {status}", program.name))),
    }
}

pub(crate) fn now_unix_s() -> u64 {
    // A clock before 1970 counts as 1970.
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}
