//! One run of a program under the tuner: its journal, its lock, its progress.

use super::{
    child::{self, Ended, Mode, Start},
    devices,
    options::{Measure, Show},
    progress::Progress,
};
use crate::{
    cargo::{Program, Selection},
    command::{messages::Messages, words},
    exit::{Exit, Failure, Result},
    journal::{self, Follower, Journal},
    show,
    term::{Style, tell},
};
use skel::model::DeviceFingerprint;
use std::{
    ffi::OsString,
    fs::{self, File, TryLockError},
    io,
    path::Path,
    time::{Duration, Instant},
};

/// A run to come.
pub(crate) struct Session<'a> {
    pub(crate) selection: &'a Selection,
    pub(crate) program: &'a Program,
    pub(crate) args: &'a [OsString],
    pub(crate) mode: Mode,
    pub(crate) measure: &'a Measure,
    pub(crate) show: &'a Show,
    pub(crate) messages: Messages,
}

/// The budget if none is named, as the library has it.
const BUDGET: Duration = Duration::from_mins(1);
const QUICK_BUDGET: Duration = Duration::from_secs(10);
/// The program runs again if calls may be slower than at best by so much, relatively.
const WORTH_AGAIN: f64 = 0.01;
/// And as long as so much of the budget is left.
const LEAST_LEFT: Duration = Duration::from_secs(2);
/// So often at most.
const MOST_RUNS: usize = 4;

impl Session<'_> {
    /// Runs the program, and again while there is time and that would make models surer. Gives all that its journal
    /// says, earlier runs included.
    ///
    /// # Errors
    /// If files cannot be written, or the program does not start.
    pub(crate) fn run(&self) -> Result<(Journal, Ended)> {
        let started = Instant::now();
        if self.mode != Mode::List {
            tell!(
                "measuring for up to {:.0} s, and no longer than that makes the choice surer",
                self.budget().as_secs_f64()
            );
        }
        let mut begun = started;
        let (mut journal, mut ended) = self.run_once(None)?;
        for _ in 1..MOST_RUNS {
            let left = self.budget().saturating_sub(started.elapsed());
            // What it takes without being measured, it takes again.
            let program = begun.elapsed().saturating_sub(journal.measuring());
            let is_worth_it = self.mode != Mode::List
                && !self.measure.once
                && matches!(ended, Ended::Exited(status) if status.success())
                && left > LEAST_LEFT.max(program)
                && unsure(&journal) > 0;
            if !is_worth_it {
                break;
            }
            let runs = journal.runs();
            tell!(
                "{}: {} may be more than {:.0} % from the best: running the program again, for {} s at most",
                Style::of_stderr().bold("note"),
                show::sizes(unsure(&journal)),
                100.0 * WORTH_AGAIN,
                left.as_secs()
            );
            begun = Instant::now();
            (journal, ended) = self.run_once(Some(left))?;
            if journal.runs() == runs {
                break;
            }
        }
        Ok((journal, ended))
    }

    fn budget(&self) -> Duration {
        let usual = if self.measure.quick {
            QUICK_BUDGET
        } else {
            BUDGET
        };
        self.measure.budget.unwrap_or(usual)
    }

    /// Runs it once. `again` says that it was run before, and how much time is left.
    fn run_once(&self, again: Option<Duration>) -> Result<(Journal, Ended)> {
        let is_again = again.is_some();
        let fresh = !is_again && self.measure.force || self.mode == Mode::List;
        let there = || skel::DefaultContext.get().fingerprint().devices;
        let options = self.options(again, there)?;
        let folder = &self.program.folder;
        fs::create_dir_all(folder).map_err(|e| unwritable(folder, &e))?;
        let path = match self.mode {
            Mode::List => folder.join(format!("{}.list.jsonl", self.program.name)),
            Mode::Run => self.program.journal(),
            // What is finished in the other journal would not be measured again.
            Mode::Oracle => folder.join(format!("{}.oracle.jsonl", self.program.name)),
        };
        let _lock = lock(&path.with_extension("lock"))?;
        // What was measured before is given up only when the program has begun to measure again.
        let kept = path;
        let path = match fresh {
            true => kept.with_extension("unfinished"),
            false => kept.clone(),
        };
        if fresh {
            remove(&path)?;
        }
        let (bytes, lines) = journal::repair(&path).map_err(|e| unwritable(&path, &e))?;
        let mut journal = Journal::load(&path).map_err(|e| unwritable(&path, &e))?;
        // Whatever runs before it were made with: the program is going to say what this one is.
        journal.voided = false;
        let resumed = journal.finished().0;
        journal.follow();
        let style = Style::of_stderr();
        let budget = again.unwrap_or(self.budget());
        let mut progress = Progress::new(self.show.show_progress, style, Some(budget));
        progress.resumed(resumed);
        if resumed > 0 && !is_again {
            tell!(
                "{}: measured by an earlier run: {}; --force measures again",
                style.bold("note"),
                show::sizes(resumed)
            );
        }
        let start = Start {
            program: self.program,
            args: self.args,
            mode: self.mode,
            options: &options,
            command: &words::to_keep(&self.command(), self.args),
            journal: &path,
            stdout_is_ours: self.messages.on(),
            is_again,
        };
        let (mut greeted, mut void) = (false, false);
        let follower = Follower::behind(&path, bytes, lines);
        let ended = child::watch(&start, follower, &mut journal, |journal, line| {
            if journal.voided && !void {
                void = true;
                progress.resumed(0);
                tell!(
                    "{}: the earlier run was made with another processor, threads, devices or drivers: measuring anew",
                    style.bold("note")
                );
            }
            if let Some(line) = line {
                greeted |= matches!(line, journal::Line::Hello(_));
                self.messages.line(journal, line);
            }
            progress.seen(journal, line);
        });
        progress.end();
        if fresh && greeted {
            fs::rename(&path, &kept).map_err(|e| unwritable(&kept, &e))?;
        } else if fresh {
            remove(&path)?;
        }
        let ended = ended?;
        if !greeted {
            return Err(super::no_handshake(&self.program.name, ended));
        }
        if let Some(skipped) = &journal.skipped {
            tell!(
                "{}: {}: {} lines could not be understood; line {}: {}",
                style.warn("warning"),
                kept.display(),
                skipped.lines,
                skipped.first,
                crate::term::printable(&skipped.why)
            );
        }
        Ok((journal, ended))
    }

    /// The command, but for the program's arguments.
    pub(crate) fn command(&self) -> String {
        let selection = self.selection.shown();
        let options = self.measure.shown();
        let words = ["cargo tune", self.mode.name(), &selection, options.trim()];
        let words = words.into_iter().filter(|words| !words.is_empty());
        words.collect::<Vec<_>>().join(" ")
    }

    /// What the program is told, with the ids of units: of those that are there now, as `doctor` shows them.
    fn options(
        &self,
        left: Option<Duration>,
        there: impl FnOnce() -> Vec<DeviceFingerprint>,
    ) -> Result<String> {
        let device = devices::resolve(&self.measure.device, there)?;
        let measure = Measure {
            device,
            budget: left.or(self.measure.budget),
            ..self.measure.clone()
        };
        Ok(measure.environment())
    }
}

/// How many of the sizes that the program calls are worth more time.
pub(crate) fn unsure(journal: &Journal) -> usize {
    let classes = journal.instances.iter().flat_map(|(id, instance)| {
        let classes = instance.classes.iter();
        classes.filter(|(class, _)| journal.is_called(id, **class))
    });
    let open = classes
        .filter(|(_, class)| class.is_open())
        .filter_map(|(_, class)| class.model());
    open.filter(|model| model.unsure() > WORTH_AGAIN).count()
}

/// No other process measures this program meanwhile.
fn lock(path: &Path) -> Result<File> {
    // What is there is not emptied: it may be a link to something else.
    let file = File::options()
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(|e| unwritable(path, &e))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            tell!("waiting for another `cargo tune` ({})", path.display());
            file.lock().map_err(|e| unwritable(path, &e))?;
        }
        Err(TryLockError::Error(e)) => return Err(unwritable(path, &e)),
    }
    Ok(file)
}

fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(unwritable(path, &e)),
        _ => Ok(()),
    }
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::new(
        Exit::Write,
        format!("cannot write {}: {error}", path.display()),
    )
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::predict::test::class;
    use skel::model::UnitId;

    #[test]
    fn only_sizes_that_the_program_calls_are_worth_running_it_again() {
        let mut journal = Journal::default();
        let mut take = |line: &str| assert!(journal.take(1, line.as_bytes()).is_some(), "{line}");
        take(
            r#"{"reason":"journal","proto":1,"skel":"0.1.0","pid":7,"fingerprint":{"cpu":"Chip 9","threads":8,"devices":[]}}"#,
        );
        take(
            r#"{"reason":"instance","id":"00ff","key":{"name":"app::dot","pattern":"Map","elements":"f32","hash":"0123456789abcdef0123456789abcdef"}}"#,
        );
        for elems in [4096, 100_000] {
            // No whole call was measured: it may be as far from the best as can be.
            let model = class(elems, &[(UnitId::Cpu, 1.0, 0.0)]).to_json();
            take(&format!(
                r#"{{"reason":"class-finished","id":"00ff","settled":false,"model":{model}}}"#
            ));
        }
        assert_eq!(unsure(&journal), 2, "what it calls is not known");
        let call = |elems: usize| {
            format!(
                r#"{{"reason":"call","id":"00ff","elems":{elems},"beside_elems":0,"operands":[]}}"#
            )
        };
        journal.take(1, call(4000).as_bytes());
        assert_eq!(unsure(&journal), 0, "another size of the class");
        journal.take(1, call(4096).as_bytes());
        assert_eq!(unsure(&journal), 1);
    }
}
