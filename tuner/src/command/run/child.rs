//! The program that is measured, watched while it runs.

use super::interrupt;
use crate::{
    cargo::Program,
    exit::{Exit, Failure, Result},
    journal::{Follower, Journal, Line},
};
use std::{
    ffi::OsString,
    io,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

/// How long the program may take to end by itself after Ctrl-C. A terminal sends the signal to it, too.
const GRACE: Duration = Duration::from_millis(500);
/// How long it may take when it was sent the signal by us.
const MORE_GRACE: Duration = Duration::from_secs(3);

/// What the program is run for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Run,
    List,
    Oracle,
}

impl Mode {
    pub(super) fn name(self) -> &'static str {
        match self {
            Mode::Run => "run",
            Mode::List => "list",
            Mode::Oracle => "oracle",
        }
    }
}

/// A run to come.
pub(crate) struct Start<'a> {
    pub(crate) program: &'a Program,
    pub(crate) args: &'a [OsString],
    pub(crate) mode: Mode,
    pub(crate) options: &'a str,
    /// What the user has said, to be kept in the journal.
    pub(crate) command: &'a str,
    pub(crate) journal: &'a Path,
    /// Standard output is ours: what the program prints goes to standard error.
    pub(crate) stdout_is_ours: bool,
    /// What the program prints was printed before.
    pub(crate) is_again: bool,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    Exited(ExitStatus),
    /// After Ctrl-C.
    Stopped,
}

/// Runs it, and calls `seen` with each line that it writes into the journal, and regularly without.
///
/// # Errors
/// If it does not start, or its journal cannot be read. [`Exit::Interrupted`] after two Ctrl-C.
pub(crate) fn watch(
    start: &Start,
    mut follower: Follower,
    journal: &mut Journal,
    mut seen: impl FnMut(&Journal, Option<&Line>),
) -> Result<Ended> {
    let program = start.program;
    let at_fault = |exit, what: &str, e: io::Error| {
        Failure::new(exit, format!("{what} {}: {e}", program.path.display()))
    };
    interrupt::catch().map_err(|e| Failure::new(Exit::Usage, format!("Ctrl-C: {e}")))?;
    let mut command = program.command();
    command.args(start.args);
    tell(&mut command, start);
    let mut child = command
        .spawn()
        .map_err(|e| at_fault(Exit::Usage, "cannot start", e))?;
    let mut stopping: Option<Instant> = None;
    let mut signalled = false;
    let ended = loop {
        // Asked before the journal is read, so that nothing is written after it was read last.
        let status = child
            .try_wait()
            .map_err(|e| at_fault(Exit::Incomplete, "cannot wait for", e))?;
        let read = follower.poll(|number, bytes| {
            let line = journal.take(number, bytes);
            seen(journal, line.as_ref());
        });
        if let Err(error) = read {
            end(&mut child);
            let what = format!("cannot read {}: {error}", start.journal.display());
            return Err(Failure::new(Exit::Write, what));
        }
        seen(journal, None);
        if let Some(status) = status {
            break Ended::Exited(status);
        }
        match interrupt::times() {
            0 => {}
            1 => {
                let since = stopping.get_or_insert_with(Instant::now).elapsed();
                if since > MORE_GRACE {
                    end(&mut child);
                } else if since > GRACE && !signalled {
                    signalled = true;
                    signal(&child);
                }
            }
            _ => {
                end(&mut child);
                return Err(Failure::new(Exit::Interrupted, "stopped"));
            }
        }
        thread::sleep(Duration::from_millis(20));
    };
    Ok(match interrupt::times() {
        0 => ended,
        _ => Ended::Stopped,
    })
}

fn tell(command: &mut Command, start: &Start) {
    command
        .env("SKEL_TUNE", start.mode.name())
        .env("SKEL_TUNE_JOURNAL", start.journal)
        .env("SKEL_TUNE_OPTIONS", start.options)
        .env("SKEL_TUNE_COMMAND", start.command);
    if start.is_again {
        command.stdout(Stdio::null());
    } else if start.stdout_is_ours {
        command.stdout(Stdio::from(io::stderr()));
    }
}

/// Ends it at once. What it has written stays.
fn end(child: &mut Child) {
    // It may have ended by itself in the meantime, which is as well.
    let _ = child.kill();
    let _ = child.wait();
}

/// Asks it to end, as Ctrl-C does.
fn signal(child: &Child) {
    if cfg!(unix) {
        let mut kill = Command::new("kill");
        kill.args(["-INT", &child.id().to_string()])
            .stderr(Stdio::null());
        // Without that command it is ended a little later.
        let _ = kill.status();
    }
}
