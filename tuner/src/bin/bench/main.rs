//! `cargo run --release -p tuner --bin bench -- map-dot`: the numbers in the README.
#![forbid(unsafe_code)]

mod cold;
mod compile_time;
mod device_kernels;
mod fresh_output;
mod in_a_row;
mod kernels;
mod launch;
mod lines;
mod map_dot;
mod prediction;
mod rivals;
mod source;

use clap::{Parser, Subcommand};
use std::{error::Error, process::ExitCode};

/// The benchmarks of skel
#[derive(Parser)]
struct BenchOptions {
    #[command(subcommand)]
    bench: Bench,
}

#[derive(Subcommand)]
enum Bench {
    /// Map and dot product against a plain loop and against rayon as people write it
    MapDot(map_dot::MapDotOptions),
    /// Kernels whose speed is that of the memory, against a plain loop and rayon by hand
    Kernels(kernels::KernelsOptions),
    /// Kernels of a wgpu device, against the same by hand in WGSL
    DeviceKernels(device_kernels::DeviceKernelsOptions),
    /// Kernels of a device, many calls in a row, as the rivals are timed
    InARow(in_a_row::InARowOptions),
    /// What that and the rivals gave, side by side
    Rivals(rivals::RivalsOptions),
    /// What a call on a device costs beside what the device does
    Launch(launch::LaunchOptions),
    /// What a program's first call on a device costs
    Cold(cold::ColdOptions),
    /// What a new output costs, fresh and recycled
    FreshOutput(fresh_output::FreshOutputOptions),
    /// What it costs to ask a model at every call
    Prediction(prediction::PredictionOptions),
    /// What `#[user_function]` adds to `cargo check`
    CompileTime(compile_time::CompileTimeOptions),
}

fn main() -> ExitCode {
    let done: Result<(), Box<dyn Error>> = match BenchOptions::parse().bench {
        Bench::MapDot(options) => map_dot::run(&options),
        Bench::Kernels(options) => kernels::run(&options),
        Bench::DeviceKernels(options) => device_kernels::run(&options),
        Bench::InARow(options) => in_a_row::run(&options),
        Bench::Rivals(options) => rivals::run(&options),
        Bench::Launch(options) => launch::run(&options),
        Bench::Cold(options) => cold::run(&options),
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
