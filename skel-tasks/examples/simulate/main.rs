//! Simulates a program of tasks on a machine that need not be there, and compares schedulers.
//!
//! ```sh
//! cargo run --release -p skel-tasks --example simulate
//! cargo run --release -p skel-tasks --example simulate -- --pattern qr --size 20 --gpus 4 --svg out.svg
//! cargo run --release -p skel-tasks --example simulate -- --compare-svg schedulers.svg
//! ```

mod scale;

use skel_tasks::{
    Link, Machine, TaskError, scheduler,
    sim::{Program, Report, Simulation, patterns, report},
};
use std::{error::Error, fmt::Display, process::ExitCode, str::FromStr};

const HELP: &str = "\
Simulates a program of tasks under a scheduler.

  --pattern NAME      what to execute (cholesky); one of those below
  --size N            tiles or blocks per dimension, or points (16); --tiles is the same
  --cores N           cores (4)
  --gpus N            GPUs with a memory of their own each (2)
  --memory-mb N       how much a GPU's memory holds (16000)
  --bus-gbs X         gigabytes per second of each GPU's bus, in each direction (12)
  --latency-us X      a copy's latency (10)
  --scheduler TEXT    NAME or NAME,option=value,...; without it, all are compared
  --compare           all schedulers, and files of the one that --scheduler names
  --noise X           execution times differ by up to this part (0)
  --seed N            of noise and of random programs (0)
  --batch             submit all tasks at once, for schedulers that plan
  --most N            unfinished tasks before submission waits (4096)
  --svg FILE          write a Gantt chart
  --compare-svg FILE  write a picture of all schedulers beside each other
  --chrome FILE       write a trace for Perfetto
  --paje FILE         write a trace for ViTE
  --trace FILE        write a trace as text
  --dot FILE          write the graph of tasks
  --scale             how fast the simulation is: 1,000,000 tasks on 64, 512 and 4,096 workers, or --cores,
                      under five schedulers, or --scheduler
  --tasks N           the number of tasks for --scale (1000000)
";

/// What was asked for.
struct Settings {
    pattern: String,
    size: usize,
    cores: Option<u32>,
    gpus: u32,
    memory_mb: u64,
    bus_gbs: f64,
    latency_us: f64,
    scheduler: Option<String>,
    is_comparison: bool,
    noise: f64,
    seed: u64,
    is_batch: bool,
    most: usize,
    is_scale: bool,
    tasks: usize,
    is_help: bool,
    /// Where the picture of all schedulers goes.
    comparison_file: Option<String>,
    /// Options that name files, with the files.
    files: Vec<(String, String)>,
}

fn parsed<T: FromStr>(option: &str, value: &str) -> Result<T, String>
where
    T::Err: Display,
{
    let parsed = value.parse();
    parsed.map_err(|error| format!("{option} is `{value}`: {error}"))
}

/// A number that a machine can have.
fn positive(option: &str, value: &str) -> Result<f64, String> {
    let number: f64 = parsed(option, value)?;
    match number.is_finite() && number > 0.0 {
        true => Ok(number),
        false => Err(format!("{option} is `{value}`: expected more than 0")),
    }
}

fn read(mut words: impl Iterator<Item = String>) -> Result<Settings, String> {
    let mut it = Settings {
        pattern: "cholesky".into(),
        size: 16,
        cores: None,
        gpus: 2,
        memory_mb: 16_000,
        bus_gbs: 12.0,
        latency_us: 10.0,
        scheduler: None,
        is_comparison: false,
        noise: 0.0,
        seed: 0,
        is_batch: false,
        most: 4_096,
        is_scale: false,
        tasks: 1_000_000,
        is_help: false,
        comparison_file: None,
        files: Vec::new(),
    };
    while let Some(option) = words.next() {
        let mut value = || {
            let value = words.next();
            value.ok_or_else(|| format!("{option} needs a value"))
        };
        match option.as_str() {
            "--pattern" => it.pattern = value()?,
            "--size" | "--tiles" => it.size = parsed(&option, &value()?)?,
            "--cores" => it.cores = Some(parsed(&option, &value()?)?),
            "--gpus" => it.gpus = parsed(&option, &value()?)?,
            "--memory-mb" => it.memory_mb = parsed(&option, &value()?)?,
            "--bus-gbs" => it.bus_gbs = positive(&option, &value()?)?,
            "--latency-us" => it.latency_us = positive(&option, &value()?)?,
            "--scheduler" => it.scheduler = Some(value()?),
            "--compare" => it.is_comparison = true,
            "--noise" => it.noise = parsed(&option, &value()?)?,
            "--seed" => it.seed = parsed(&option, &value()?)?,
            "--batch" => it.is_batch = true,
            "--most" => it.most = parsed(&option, &value()?)?,
            "--scale" => it.is_scale = true,
            "--tasks" => it.tasks = parsed(&option, &value()?)?,
            "--help" | "-h" => it.is_help = true,
            "--compare-svg" => it.comparison_file = Some(value()?),
            "--svg" | "--chrome" | "--paje" | "--trace" | "--dot" => {
                let file = value()?;
                it.files.push((option, file));
            }
            _ => return Err(format!("{option} is unknown; --help says what there is")),
        }
    }
    Ok(it)
}

impl Settings {
    fn cores(&self) -> u32 {
        self.cores.unwrap_or(4)
    }

    fn machine(&self) -> Result<Machine, TaskError> {
        let mut builder = Machine::builder();
        if self.cores() > 0 {
            builder = builder.arch("cpu", self.cores());
        }
        let bus = Link {
            latency_ns: (self.latency_us * 1e3).round() as u64,
            bytes_per_ns: self.bus_gbs,
        };
        let capacity_bytes = Some(self.memory_mb.saturating_mul(1_000_000));
        // More than 64 are refused where the machine is built.
        for _ in 0..self.gpus.min(100) {
            builder = builder.device("gpu", 1, capacity_bytes, bus);
        }
        builder.build()
    }

    fn write(&self, program: &Program, report: &Report) -> Result<(), Box<dyn Error>> {
        for (option, file) in &self.files {
            let text = match option.as_str() {
                "--svg" => report.svg(1_400),
                "--chrome" => report.chrome(program),
                "--paje" => report.paje(),
                "--trace" => report.trace(),
                _ => program.dot(),
            };
            std::fs::write(file, text).map_err(|error| format!("{file}: {error}"))?;
            println!("{file} is written ({})", report.scheduler);
        }
        Ok(())
    }
}

fn run(settings: &Settings) -> Result<(), Box<dyn Error>> {
    let program = patterns::parse(&settings.pattern, settings.size, settings.seed)?;
    let machine = settings.machine()?;
    let rates = patterns::rates(&program, &machine);
    let mut simulation = Simulation::new(machine.clone(), rates)
        .noise(settings.noise, settings.seed)
        .most_submitted(settings.most);
    if settings.is_batch {
        simulation = simulation.in_one_batch();
    }
    println!(
        "{}: {} tasks on {} cores and {} GPUs\n",
        program.name(),
        program.len(),
        settings.cores(),
        settings.gpus
    );
    let run = |text: &str| simulation.run(&*scheduler::parse(text)?, &program);
    let mut reports = match &settings.scheduler {
        Some(text) => vec![run(text)?],
        None => Vec::new(),
    };
    let is_drawn = settings.comparison_file.is_some();
    if settings.is_comparison || is_drawn || reports.is_empty() {
        for name in scheduler::names_for(&machine) {
            // The one that was asked for may have settings; its defaults are another one.
            if settings.scheduler.as_deref() != Some(name) {
                reports.push(run(name)?);
            }
        }
    }
    print!("{}", report::table(&reports));
    if let Some(file) = &settings.comparison_file {
        let svg = report::comparison_svg(&reports, 900);
        std::fs::write(file, svg).map_err(|error| format!("{file}: {error}"))?;
        println!("{file} is written ({} schedulers)", reports.len());
    }
    if let Some(report) = reports.iter().find(|report| {
        settings.scheduler.is_some() || Some(report.makespan_ns) == shortest_ns(&reports)
    }) {
        println!(
            "\nlower bounds: area {} ns, critical path {} ns",
            report.bounds.area_ns, report.bounds.critical_path_ns
        );
        settings.write(&program, report)?;
    }
    Ok(())
}

fn shortest_ns(reports: &[Report]) -> Option<u64> {
    reports.iter().map(|report| report.makespan_ns).min()
}

fn main() -> ExitCode {
    let done = match read(std::env::args().skip(1)) {
        Ok(settings) if settings.is_help => {
            let names: Vec<&str> = patterns::names().collect();
            print!("{HELP}\nPatterns: {}\n", names.join(", "));
            let names: Vec<&str> = scheduler::names().collect();
            println!("Schedulers: {}", names.join(", "));
            Ok(())
        }
        Ok(settings) if settings.is_scale => {
            let only = settings.scheduler.as_deref();
            scale::scale(settings.tasks, only, settings.cores).map_err(Into::into)
        }
        Ok(settings) => run(&settings),
        Err(error) => Err(error.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("simulate: {error}");
            ExitCode::FAILURE
        }
    }
}
