//! The NAS multi-zone benchmarks SP-MZ, BT-MZ and LU-MZ: compressible flow through zones that exchange their borders in
//! each step, verified against the published norms. Cores and devices share the zones.
//!
//! `cargo run --release --example npb_mz -- --benchmark bt-mz --class W --scheduler clustered-guided`

mod machine;
mod solver;
#[path = "../support/mod.rs"]
mod support;
mod verify;

use clap::Parser;
use skel::{
    DefaultContext, Traffic,
    tasks::{
        Steps,
        distribution::History,
        npb_mz::{Benchmark, Class, Mesh, map_svg},
    },
};
use solver::{field::Field, zone};
use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};
use support::{Failure, Result, progress::Progress};

/// Solves a multi-zone benchmark of NAS, and verifies the norms
#[derive(Parser)]
struct Options {
    /// sp-mz and lu-mz, of zones that are alike, or bt-mz, of unlike ones
    #[arg(long, default_value = "bt-mz", value_name = "NAME")]
    benchmark: Benchmark,
    /// S, W, A, B, C or D, from the smallest to the largest
    #[arg(long, default_value = "S", value_name = "CLASS")]
    class: Class,
    /// N×M+G: N units of M cores each, and G devices; as many as there are, by itself
    #[arg(long, value_name = "UNITS")]
    units: Option<String>,
    /// What shares the zones: static, dynamic, static-pcf, guided-sizes, guided-runtime, clustered-guided
    #[arg(long, default_value = "guided-sizes", value_name = "NAME")]
    scheduler: String,
    /// The number of steps, if not the benchmark's: then nothing is verified
    #[arg(long, value_name = "N")]
    steps: Option<usize>,
    /// A picture of the last step: what computed which zone
    #[arg(long, value_name = "FILE.svg")]
    map: Option<PathBuf>,
    /// A picture of all steps: what computed which zone in each
    #[arg(long, value_name = "FILE.svg")]
    history: Option<PathBuf>,
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(options: Options) -> Result {
    let mesh = Mesh::new(options.benchmark, options.class);
    room(&mesh)?;
    let context = DefaultContext.get();
    let units = match options.units {
        Some(units) => units,
        None => Steps::all_units(context)?.to_string(),
    };
    let mut steps = Steps::parse(context, &units, &options.scheduler)?
        .sizes((0..mesh.len()).map(|zone| mesh.points(zone) as f64))?;
    let count = options.steps.unwrap_or(mesh.steps());
    let mut field = Field::new(mesh)?;

    // One step that does not count, as the benchmark has it.
    field.step(&mut steps)?;
    field.restart()?;
    let mut history = History::default();
    let mut progress = Progress::new(count);
    let (begin, before) = (Instant::now(), context.traffic());
    for _ in 0..count {
        field.step(&mut steps)?;
        if let Some(last) = steps.last() {
            history.record(last);
        }
        progress.advance(1);
    }
    skel::sync()?;
    let (seconds, moved) = (begin.elapsed().as_secs_f64(), context.traffic() - before);
    drop(progress);

    let mesh = &field.mesh;
    println!(
        "{} class {}: {} zones, {} points, {count} steps on {units} under {}",
        mesh.benchmark(),
        mesh.class(),
        mesh.len(),
        mesh.all_points(),
        options.scheduler
    );
    println!(
        "{seconds:.2} s, {:.0} Mop/s",
        1e-6 * count as f64 * operations(mesh) / seconds
    );
    shares(&steps, &history, moved);
    let picture =
        |path: &Path, svg: String| fs::write(path, svg).map_err(|error| Failure::file(path, error));
    if let (Some(path), Some(last)) = (&options.map, steps.last()) {
        picture(path, map_svg(mesh, last, 800))?;
    }
    if let Some(path) = &options.history {
        picture(path, history.svg(900))?;
    }
    verify::verify(&mut field, count)
}

/// What computed which zones, and what was copied between memories for it.
fn shares(steps: &Steps, history: &History, moved: Traffic) {
    if let Some(last) = steps.last() {
        let zones = |unit| {
            format!(
                "{} zones on {}",
                last.items(unit).count(),
                last.units.name(unit)
            )
        };
        let parts: Vec<String> = (0..last.units.len()).map(zones).collect();
        println!("the last step ran on {}: {}", last.units, parts.join(", "));
    }
    let moves = history.moves();
    println!("{moves} times, a zone went to another unit than in the step before");
    if steps.units().devices() > 0 {
        println!(
            "{} bytes were copied to devices, {} bytes from devices",
            moved.uploaded_bytes, moved.downloaded_bytes
        );
    }
}

/// Floating-point operations of a step, as the benchmarks count them.
fn operations(mesh: &Mesh) -> f64 {
    let of_zone = |zone: usize| {
        let at = mesh.zone(zone);
        let [x, y, z] = [at.nx, at.ny, at.nz].map(|n| n as f64);
        let (volume, surface, width) =
            (x * y * z, (x * y + x * z + y * z) / 3.0, (x + y + z) / 3.0);
        match mesh.benchmark() {
            Benchmark::Bt => 3478.8 * volume - 17655.7 * surface + 28023.7 * width,
            Benchmark::Sp => 881.174 * volume - 4683.91 * surface + 11484.5 * width - 19272.4,
            Benchmark::Lu => 1984.77 * volume - 10923.3 * surface + 27770.9 * width - 144_010.0,
        }
    };
    (0..mesh.len()).map(of_zone).sum()
}

/// Whether there is memory for the zones, where the system says how much it has.
fn room(mesh: &Mesh) -> Result {
    let bytes = zone::bytes(mesh);
    match machine::available_bytes() {
        Some(available) if available < bytes => Err(Failure::new(format!(
            "{} class {} needs {bytes} bytes, and {available} are available",
            mesh.benchmark(),
            mesh.class()
        ))),
        _ => Ok(()),
    }
}
