//! The project's own commands, as `cargo xtask COMMAND`.
#![forbid(unsafe_code)]

mod apt;
mod assembly;
mod bundle;
mod chromium;
mod ci;
mod cmd;
mod cuda;
mod examples;
mod figures;
mod fuzz;
mod lines;
mod loom;
mod mathematics;
mod miri;
mod package;
mod sanitize;
#[cfg(test)]
mod surface;
mod test;
#[cfg(test)]
mod unsafe_places;
mod vulkan;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(
    name = "cargo xtask",
    about = "The commands of the skel project",
    bin_name = "cargo xtask"
)]
struct Opts {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run all tests; install a software Vulkan device first where there is none
    Test(test::Options),
    /// What the CI runs, in the same order
    Ci,
    /// Write random user functions, and compare what they give on all units
    Fuzz(fuzz::Options),
    /// Build the examples and compare what they print with the known answers
    Examples,
    /// Write the measured figures of the documents from the files of results
    Figures(figures::Options),
    /// Look at the machine code of the commonest shapes of calls: whether it is vectorised
    Assembly,
    /// List Rust files that grew too long
    Lines,
    /// Try all orders in which threads may use one container
    Loom,
    /// Compare the functions of `f32` with exact ones over all floats
    Mathematics,
    /// Run the tests of the core, of the CPU unit and of mock devices under Miri, where it is installed
    Miri,
    /// Run the tests of unsafe code with AddressSanitizer, where nightly Rust is installed
    Asan,
    /// Run the tests of threads with ThreadSanitizer, where nightly Rust and the source of std are installed
    Tsan,
    /// Check what would be published
    Package,
    /// Pack tests and benchmarks for a machine with a GPU that has neither Rust nor a network
    Bundle(bundle::Options),
}

fn main() -> ExitCode {
    let done = match Opts::parse().command {
        Command::Test(options) => test::run(&options),
        Command::Ci => ci::run(),
        Command::Fuzz(options) => fuzz::run(&options),
        Command::Examples => examples::run(),
        Command::Figures(options) => figures::run(&options),
        Command::Assembly => assembly::run(),
        Command::Lines => lines::run(),
        Command::Loom => loom::run(),
        Command::Mathematics => mathematics::run(),
        Command::Miri => miri::run(),
        Command::Asan => sanitize::run(&sanitize::ADDRESS),
        Command::Tsan => sanitize::run(&sanitize::THREAD),
        Command::Package => package::run(),
        Command::Bundle(options) => bundle::run(&options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}
