//! The command line: `cargo tune …`.

mod check;
mod clear;
mod doctor;
mod environment;
mod export;
mod import;
mod list;
pub(crate) mod messages;
mod oracle;
mod report;
mod run;
mod show;
mod software;
pub(crate) mod words;

use crate::{
    exit::{Exit, Result},
    term::{Style, tell},
};
use clap::{Parser, Subcommand, ValueEnum};
use environment::{CommandEnvironment, CommandOutput};
use std::ffi::OsString;

/// Measures a program that uses skel, and finds how much of each of its calls each unit should get
#[derive(Parser, Debug)]
#[command(name = "cargo tune", bin_name = "cargo tune", version, after_help = FIRST_STEPS)]
struct TuneOptions {
    #[command(subcommand)]
    command: Command,
}

const FIRST_STEPS: &str = "\
First steps, in the folder of a package that uses skel:
  cargo tune run -- ARGS      builds the program, runs it with ARGS, measures its calls, saves what was found
  cargo tune report --open    shows that in pictures
  cargo run --release         goes by it: nothing has to be changed

What is saved lies in the user's cache folder (`cargo tune doctor` says where); journals and reports lie in
`tune` in cargo's target folder.";

#[derive(Subcommand, Debug)]
enum Command {
    /// Run a program, measure its calls, and save what was found
    Run(run::RunOptions),
    /// Run a program, and say which of its calls are tuned
    List(list::ListOptions),
    /// Measure a program's calls with all shares from 0 to 1, and compare with what is predicted
    Oracle(oracle::OracleOptions),
    /// Write one HTML file of what was measured, with pictures
    Report(report::ReportOptions),
    Show(show::ShowOptions),
    Check(check::CheckOptions),
    Export(export::ExportOptions),
    Import(import::ImportOptions),
    Clear(clear::ClearOptions),
    Doctor(doctor::DoctorOptions),
}

/// In which form results are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// For people. May change with any version.
    #[default]
    Human,
    /// For programs: one JSON object per line, with a `reason`. Fields and reasons are only added.
    Json,
}

/// Runs the command with these arguments, the program's name first.
#[must_use]
pub fn main(args: impl IntoIterator<Item = OsString>) -> Exit {
    let options = match TuneOptions::try_parse_from(without_subcommand(args)) {
        Ok(options) => options,
        Err(error) => {
            // A closed pipe cannot be written to.
            let _ = error.print();
            return if error.use_stderr() {
                Exit::Usage
            } else {
                Exit::Ok
            };
        }
    };
    let done = match options.command {
        Command::Run(options) => run::run(&options),
        Command::List(options) => list::run(&options),
        Command::Oracle(options) => oracle::run(&options),
        Command::Report(options) => report::run(&options),
        Command::Show(options) => {
            show::run(&options, &CommandEnvironment::REAL, Style::of_stdout())
                .and_then(CommandOutput::print)
        }
        Command::Check(options) => {
            check::run(&options, &CommandEnvironment::REAL, Style::of_stdout())
                .and_then(CommandOutput::print)
        }
        Command::Export(options) => {
            export::run(&options, &CommandEnvironment::REAL).and_then(CommandOutput::print)
        }
        Command::Import(options) => {
            import::run(&options, &CommandEnvironment::REAL).and_then(CommandOutput::print)
        }
        Command::Clear(options) => {
            clear::run(&options, &CommandEnvironment::REAL).and_then(CommandOutput::print)
        }
        Command::Doctor(options) => {
            doctor::run(&options, &CommandEnvironment::REAL, Style::of_stdout())
                .and_then(CommandOutput::print)
        }
    };
    end(done)
}

/// Cargo starts `cargo-tune tune …` for `cargo tune …`.
fn without_subcommand(args: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut args: Vec<OsString> = args.into_iter().collect();
    if args.get(1).is_some_and(|arg| arg == "tune") {
        args.remove(1);
    }
    args
}

fn end(done: Result) -> Exit {
    match done {
        Ok(exit) => exit,
        Err(failure) => {
            let style = Style::of_stderr();
            tell!("{}: {}", style.bad("error"), failure.what);
            if let Some(fix) = failure.fix {
                tell!("{}: {fix}", style.bold("help"));
            }
            failure.exit
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        TuneOptions::command().debug_assert();
    }

    #[test]
    fn cargo_s_own_word_is_dropped_once() {
        let args = |words: &[&str]| without_subcommand(words.iter().map(OsString::from));
        assert_eq!(args(&["cargo-tune", "tune", "run"]), ["cargo-tune", "run"]);
        assert_eq!(args(&["cargo-tune", "run"]), ["cargo-tune", "run"]);
    }
}
