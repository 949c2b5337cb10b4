//! `cargo tune run --example psnr -- A.png B.png`: see `docs/tuning.md`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    tuner::command::main(std::env::args_os()).into()
}
