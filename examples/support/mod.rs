//! What the examples share: options, errors, pictures, tables, and the closing report.
#![allow(dead_code, reason = "no example needs all of it")]

pub(crate) mod gravity;
pub(crate) mod image;
pub(crate) mod parse;
pub(crate) mod progress;
pub(crate) mod report;
pub(crate) mod table;

use clap::Parser;
use skel::prelude::Target;
use std::{path::Path, process::ExitCode};

/// Why an example ends early: one sentence that names what is wrong.
#[derive(Debug)]
pub(crate) struct Failure(String);

/// The result of an example.
pub(crate) type Result<T = ()> = std::result::Result<T, Failure>;

impl Failure {
    /// Something is wrong with a file.
    pub(crate) fn file(path: &Path, what: impl ToString) -> Self {
        Failure(format!("{}: {}", path.display(), what.to_string()))
    }

    /// Anything else.
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Failure(what.into())
    }
}

/// An answer is compared with what it must be.
pub(crate) fn check(right: bool, otherwise: impl FnOnce() -> String) -> Result {
    if right {
        Ok(())
    } else {
        Err(Failure(format!("the result is wrong: {}", otherwise())))
    }
}

/// The largest of some differences, none of which is negative; NaN if any of them is, which no bound lets through.
pub(crate) fn largest(differences: impl IntoIterator<Item = f64>) -> f64 {
    let larger = |a: f64, b: f64| if b > a || b.is_nan() { b } else { a };
    differences.into_iter().fold(0.0, larger)
}

impl From<skel::Error> for Failure {
    fn from(error: skel::Error) -> Self {
        Failure(format!("{error:?}"))
    }
}

// The option that all examples have. (No doc comment: clap would show it as the example's own.)
#[derive(clap::Args)]
pub(crate) struct Backend {
    /// Where to run: auto, seq, cpu, cuda, wgpu, device:N, hybrid:R with R the CPU's share from 0 to 1, or tasks:SCHEDULER
    #[arg(long, value_name = "WHERE")]
    backend: Option<String>,
}

impl Backend {
    /// The target it names; without the option, whatever runs best.
    pub(crate) fn target(&self) -> Result<Target> {
        match &self.backend {
            Some(name) => Ok(name.parse()?),
            None => Ok(Target::Auto),
        }
    }
}

/// Memory for `n` elements; where there is not so much, an error that says so.
pub(crate) fn room<T>(n: usize) -> Result<Vec<T>> {
    let mut room = Vec::new();
    room.try_reserve_exact(n).map_err(|error| {
        Failure(format!(
            "no memory for {n} elements of {} bytes: {error}",
            size_of::<T>()
        ))
    })?;
    Ok(room)
}

/// Reads the options and runs the example. Whatever is wrong: one line, and exit code 1.
pub(crate) fn main<O: Parser>(example: impl FnOnce(O) -> Result) -> ExitCode {
    let options = match O::try_parse() {
        Ok(options) => options,
        Err(error) if !error.use_stderr() => error.exit(),
        Err(error) => return failed(&first_sentence(&error.to_string())),
    };
    match example(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure(what)) => failed(&what),
    }
}

fn failed(what: &str) -> ExitCode {
    eprintln!(
        "error: {}",
        what.lines().map(str::trim).collect::<Vec<_>>().join(" ")
    );
    ExitCode::FAILURE
}

/// What the argument parser says, without usage and advice.
fn first_sentence(text: &str) -> String {
    let end = text.find("\n\n").unwrap_or(text.len());
    text[..end].trim_start_matches("error: ").to_string()
}
