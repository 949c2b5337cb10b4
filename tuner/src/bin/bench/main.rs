//! `cargo run --release -p tuner --bin bench -- map-dot`: the numbers in the README.
#![forbid(unsafe_code)]

mod compile_time;
mod device_kernels;
mod fresh_output;
mod kernels;
mod map_dot;
mod prediction;
mod source;

use clap::{Parser, Subcommand};
use std::{error::Error, process::ExitCode};

/// The benchmarks of skel
#[derive(Parser)]
struct Options {
    #[command(subcommand)]
    bench: Bench,
}

#[derive(Subcommand)]
enum Bench {
    /// Map and dot product against a plain loop and against rayon as people write it
    MapDot(map_dot::Options),
    /// Kernels whose speed is that of the memory, against a plain loop and rayon by hand
    Kernels(kernels::Options),
    /// Kernels of a wgpu device, against the same by hand in WGSL
    DeviceKernels(device_kernels::Options),
    /// What a new output costs, fresh and recycled
    FreshOutput(fresh_output::Options),
    /// What it costs to ask a model at every call
    Prediction(prediction::Options),
    /// What `#[user_function]` adds to `cargo check`
    CompileTime(compile_time::Options),
}

fn main() -> ExitCode {
    let done: Result<(), Box<dyn Error>> = match Options::parse().bench {
        Bench::MapDot(options) => map_dot::run(&options),
        Bench::Kernels(options) => kernels::run(&options),
        Bench::DeviceKernels(options) => device_kernels::run(&options),
        Bench::FreshOutput(options) => fresh_output::run(&options),
        Bench::Prediction(options) => prediction::run(&options),
        Bench::CompileTime(options) => compile_time::run(&options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
