//! How fast the simulation is, and how that depends on the number of workers.

use skel_tasks::{
    Link, Machine, Rates, TaskError, scheduler,
    sim::{Program, Simulation},
};
use std::{fs, time::Instant};

/// Of so many runs the fastest counts: a machine that is used by others as well only makes them slower.
const ROUNDS: usize = 3;

/// So many cores; or the same number of workers, of which a sixteenth each are streams of four GPUs.
fn machine(workers: u32, has_gpus: bool) -> Result<Machine, TaskError> {
    let bus = Link {
        latency_ns: 1_000,
        bytes_per_ns: 10.0,
    };
    let streams = (workers / 16).max(1);
    match has_gpus {
        false => Machine::cores(workers),
        true => (0..4)
            .fold(
                Machine::builder().arch("cpu", workers.saturating_sub(4 * streams).max(1)),
                |builder, _| builder.device("gpu", streams, None, bus),
            )
            .build(),
    }
}

/// Tasks that do not depend on each other.
fn independent(tasks: usize) -> Program {
    let mut program = Program::new("independent");
    let kind = program.kind("task");
    for k in 0..tasks as u64 {
        program.task(kind).work(1_000 + k % 1_000).add();
    }
    program
}

/// Two chains for each worker, each task of which reads what the chain beside it has.
fn chains(tasks: usize, workers: u32) -> Program {
    let mut program = Program::new("chains");
    let kind = program.kind("task");
    let data: Vec<_> = (0..2 * workers).map(|_| program.data(64)).collect();
    for k in 0..tasks {
        let (own, next) = (data[k % data.len()], data[(k + 1) % data.len()]);
        let task = match k < data.len() {
            true => program.task(kind).writes(own),
            false => program.task(kind).updates(own).reads(next),
        };
        task.work(1_000 + (k as u64 * 7_919) % 1_000).add();
    }
    program
}

/// The fastest of some runs, in nanoseconds per event.
fn ns_per_event(machine: &Machine, program: &Program, scheduler: &str) -> Result<f64, TaskError> {
    // GPUs are four times as fast.
    let rates = (0..machine.archs().len()).map(|arch| Some([1.0, 0.25][arch.min(1)]));
    let simulation = Simulation::new(machine.clone(), Rates::new(vec![rates.collect()]))
        .most_submitted(100_000)
        .without_records();
    let scheduler = scheduler::parse(scheduler)?;
    let mut least = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let report = simulation.run(&*scheduler, program)?;
        least = least.min(start.elapsed().as_nanos() as f64 / report.events as f64);
    }
    Ok(least)
}

/// Prints a table: nanoseconds per event, by scheduler and number of workers.
pub(crate) fn scale(
    tasks: usize,
    only: Option<&str>,
    workers: Option<u32>,
) -> Result<(), TaskError> {
    let counts = workers.map_or_else(|| vec![64, 512, 4_096], |workers| vec![workers]);
    let schedulers = match only {
        Some(only) => vec![only],
        None => vec!["eager", "lws", "dmda", "heteroprio", "laheteroprio"],
    };
    println!("{tasks} tasks, nanoseconds per event, the fastest of {ROUNDS} runs.\n");
    let heads: Vec<String> = counts
        .iter()
        .map(|count| format!("{count} workers"))
        .collect();
    println!("| | tasks | machine | {} |", heads.join(" | "));
    println!("|---|---|---|{}", "---:|".repeat(counts.len()));
    for scheduler in schedulers {
        for (is_chain, has_gpus) in [(false, false), (true, false), (true, true)] {
            let mut cells = Vec::new();
            for count in &counts {
                let program = match is_chain {
                    true => chains(tasks, *count),
                    false => independent(tasks),
                };
                let ns = ns_per_event(&machine(*count, has_gpus)?, &program, scheduler)?;
                cells.push(format!("{ns:.0}"));
            }
            let pattern = if is_chain { "chains" } else { "independent" };
            let machine = if has_gpus {
                "cores and 4 GPUs"
            } else {
                "cores"
            };
            println!(
                "| {scheduler} | {pattern} | {machine} | {} |",
                cells.join(" | ")
            );
        }
    }
    if let Some(peak) = peak_memory() {
        println!("\nThe process has had at most {peak}, the programs included.");
    }
    Ok(())
}

/// What the kernel says, on Linux.
fn peak_memory() -> Option<String> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(format!("{:.0} MB", kib as f64 * 1_024.0 / 1e6))
}
