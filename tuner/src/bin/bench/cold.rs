//! What a program's first call on a device costs: with its kernel to be compiled, and with that on disk.

use crate::lines;
use skel::prelude::*;
use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};
use tuner::{Machine, Table, stats::median, table};

#[derive(clap::Args)]
pub(crate) struct ColdOptions {
    /// The number of the device, as `skel::devices()` counts them
    #[arg(long, default_value_t = 0)]
    device: usize,
    /// How many programs are started with nothing on disk, and how many with all
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Append the times to this file, as lines of JSON
    #[arg(long)]
    json: Option<PathBuf>,
    /// Be such a program: print the seconds of its first calls
    #[arg(long, hide = true)]
    once: bool,
}

/// What a program is timed at.
const STEPS: [&str; 3] = ["devices are looked for", "first call", "second call"];

pub(crate) fn run(options: &ColdOptions) -> Result<(), Box<dyn Error>> {
    if options.once {
        return once(options.device);
    }
    let folder = std::env::temp_dir().join(format!("skel-bench-cold-{}", std::process::id()));
    let measured = measure(options, &folder);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    show(options, &measured?)
}

/// The first calls of this very program.
fn once(device: usize) -> Result<(), Box<dyn Error>> {
    let mut times = Vec::new();
    let start = Instant::now();
    let found = skel::devices();
    times.push(start.elapsed().as_secs_f64());
    if !found.iter().any(|report| report.index == Some(device)) {
        return Err(format!("there is no device {device}").into());
    }
    let twice = map!(|x: f32| 2.0 * x + 1.0).on(Device(device));
    for _ in 0..2 {
        let x = Vector::from(vec![1.5_f32; 1 << 10]);
        let start = Instant::now();
        let y = twice.run((&x,))?;
        if y.host()?[..] != [4.0; 1 << 10] {
            return Err("the device is wrong".into());
        }
        times.push(start.elapsed().as_secs_f64());
    }
    println!("{}", serde_json::to_string(&times)?);
    Ok(())
}

/// The seconds of the steps, in every round, with nothing on disk and with all.
type Measured = [[Vec<f64>; STEPS.len()]; 2];

fn measure(options: &ColdOptions, folder: &Path) -> Result<Measured, Box<dyn Error>> {
    let mut measured = Measured::default();
    for _ in 0..options.rounds.max(1) {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        for (steps, caches) in measured.iter_mut().zip([false, true]) {
            let times = child(options.device, folder, caches)?;
            for (all, time_s) in steps.iter_mut().zip(times) {
                all.push(time_s);
            }
        }
    }
    Ok(measured)
}

/// What drivers keep on disk by themselves: how that is switched off.
const DRIVERS: [(&str, &str); 3] = [
    ("CUDA_CACHE_DISABLE", "1"),
    ("MESA_SHADER_CACHE_DISABLE", "true"),
    ("__GL_SHADER_DISK_CACHE", "0"),
];

/// Runs such a program, whose compiled kernels are kept in `folder`; with what drivers keep, or without.
fn child(device: usize, folder: &Path, caches: bool) -> Result<Vec<f64>, Box<dyn Error>> {
    let mut program = Command::new(std::env::current_exe()?);
    program
        .args(["cold", "--once", "--device", &device.to_string()])
        .env("SKEL_CACHE_DIR", folder);
    if !caches {
        program.envs(DRIVERS);
    }
    let said = program.output()?;
    if !said.status.success() {
        return Err(String::from_utf8_lossy(&said.stderr).trim().into());
    }
    Ok(serde_json::from_slice(&said.stdout)?)
}

fn show(options: &ColdOptions, measured: &Measured) -> Result<(), Box<dyn Error>> {
    println!("{}\ndevice {}\n", Machine::this(), options.device);
    let mut shown = Table::new(["step", "nothing on disk", "compiled before"]);
    let mut lines = String::new();
    let [fresh, kept] = measured;
    for (step, (fresh, kept)) in STEPS.iter().zip(fresh.iter().zip(kept)) {
        let (fresh_s, kept_s) = (median(fresh), median(kept));
        shown.row([
            (*step).to_owned(),
            table::time(fresh_s),
            table::time(kept_s),
        ]);
        let line = serde_json::json!({
            "race": "cold", "contender": step, "rounds": fresh.len(),
            "nothing_on_disk_s": fresh_s, "compiled_before_s": kept_s,
        });
        lines.push_str(&format!("{line}\n"));
    }
    println!("{}", shown.markdown());
    lines::append(options.json.as_ref(), &lines)?;
    Ok(())
}
