//! `cargo bench -p tuner --bench paper`: figures 6 and 7 of Öhberg, Ernstsson and Kessler, "Hybrid CPU–GPU execution
//! support in the skeleton programming framework SkePU", and of stencil2d and md of Robson, Buch and Kalé.
//!
//! On machines that are laws, in virtual time, and on this one: with a software device, and with a GPU where
//! there is one. What is measured where, and what came of it: `docs/evaluation.md`.
#![forbid(unsafe_code)]

mod adaptive;
mod app;
mod apps;
mod figure8;
mod laws;
mod machine;
mod measure;
mod oracle;
mod pictures;
mod real;
mod report;
mod singles;
mod svg;

use apps::{APPS, Size};
use clap::Parser;
use machine::{Kind, Machine};
use measure::{Effort, Measured, measure, tune};
use report::Report;
use singles::SINGLES;
use skel::{Context, tuning};
use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};
use tuner::{machine as host, race, stats, table};

/// Measures the paper's skeletons and applications in all the ways that the paper compares
#[derive(Parser)]
struct Options {
    /// Only machines whose names contain this: laws-k20x, laws-knees, software, halves, gpu
    #[arg(long, value_name = "NAME")]
    machine: Option<String>,
    /// Only skeletons and applications whose names contain this
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Six sizes instead of forty, and by the clock fewer combinations of ratios
    #[arg(long)]
    quick: bool,
    /// By the clock, `Hybrid::adaptive()` as well, alone and beside a loop that takes a core
    #[arg(long)]
    adaptive: bool,
    /// Figure 8 alone: thirty calls in a row beside tasks, in virtual time
    #[arg(long)]
    figure8: bool,
    /// The folder for results
    #[arg(long, default_value = "benches/results/paper", value_name = "DIR")]
    results: PathBuf,
    /// The folder for pictures
    #[arg(long, default_value = "docs/pictures", value_name = "DIR")]
    pictures: PathBuf,
    /// What Cargo says; without it, everything runs once, small, and nothing is kept
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let done = if options.bench {
        run(&options)
    } else {
        smoke()
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

impl Options {
    fn wants(&self, name: &str) -> bool {
        self.only.as_ref().is_none_or(|only| name.contains(only))
    }

    fn sizes(&self) -> Vec<usize> {
        const STEP: usize = 100_000;
        if self.quick {
            return [1, 2, 5, 10, 20, 40].map(|k| k * STEP).to_vec();
        }
        (1..=40).map(|k| k * STEP).collect()
    }
}

fn run(options: &Options) -> Result<(), String> {
    if options.figure8 {
        return run_figure_8(options);
    }
    let wanted = options.machine.as_deref().unwrap_or("halves");
    let halved = "halves".contains(wanted) && real::halve()?;
    let mut machines = Machine::of_laws();
    machines.extend(real::machines());
    if let Some(name) = &options.machine {
        machines.retain(|machine| machine.name.contains(name.as_str()));
    }
    if machines.is_empty() && halved {
        return Ok(());
    }
    if machines.is_empty() {
        return Err("no machine of that name".into());
    }
    for machine in &machines {
        eprintln!("{}: {}", machine.name, machine.description);
        let effort = Effort::of(machine.kind, options.quick);
        let report = Report {
            machine,
            singles: singles(options, machine, effort)?,
            apps: applications(options, machine, effort)?,
        };
        println!("{}", report.markdown());
        if options.adaptive && machine.kind != Kind::Virtual {
            println!("{}", adaptive::markdown(machine)?);
        }
        if options.only.is_none() {
            keep(options, &report)?;
        }
    }
    Ok(())
}

/// One for each size class that is measured.
const TUNED_SIZES: [usize; 6] = [100_000, 200_000, 400_000, 800_000, 1_600_000, 3_200_000];

/// What the tuner left out.
fn tell(problems: &[String]) {
    problems
        .iter()
        .for_each(|what| eprintln!("  not relied on: {what}"));
}

fn singles(
    options: &Options,
    machine: &Machine,
    effort: Effort,
) -> Result<Vec<Vec<Measured>>, String> {
    let mut all = Vec::new();
    for (name, make) in SINGLES.iter().filter(|(name, _)| options.wants(name)) {
        let context = machine.open(name)?;
        // As the paper does: once, for all sizes.
        let programs = TUNED_SIZES.map(|elems| make(&context, elems));
        tell(&tune(&context, &tuning::Options::default(), &programs)?);
        let mut sizes = Vec::new();
        for elems in options.sizes() {
            let app = make(&context, elems);
            sizes.push(measure(machine, &context, &app, effort)?);
        }
        eprintln!("  {name}");
        all.push(sizes);
    }
    Ok(all)
}

fn applications(
    options: &Options,
    machine: &Machine,
    effort: Effort,
) -> Result<Vec<Measured>, String> {
    let mut all = Vec::new();
    for (name, make) in APPS.iter().filter(|(name, _)| options.wants(name)) {
        let context = machine.open(name)?;
        let app = [make(&context, Size::Full)];
        tell(&tune(&context, &tuning::Options::default(), &app)?);
        all.push(measure(machine, &context, &app[0], effort)?);
        eprintln!("  {name}");
    }
    Ok(all)
}

/// Writes results and pictures.
fn keep(options: &Options, report: &Report<'_>) -> Result<(), String> {
    let name = &report.machine.name;
    let title = format!("{name} ({})", report.machine.kind.name());
    let json = format!("{:#}\n", report.json());
    let files = [
        (options.results.join(format!("{name}.json")), json),
        (
            options.pictures.join(format!("skeletons-{name}.svg")),
            pictures::figure_6(&title, &report.singles),
        ),
        (
            options.pictures.join(format!("applications-{name}.svg")),
            pictures::figure_7(&title, &report.apps),
        ),
    ];
    for (path, text) in files {
        write(&path, &text)?;
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    fs::write(path, text).map_err(failed)?;
    eprintln!("  wrote {}", path.display());
    Ok(())
}

/// Measures figure 8, and writes results and picture.
fn run_figure_8(options: &Options) -> Result<(), String> {
    let skeletons = figure8::measure()?;
    let json = format!("{:#}\n", figure8::json(&skeletons));
    let machine = "laws-k20x (virtual time)";
    write(&options.results.join("figure8-laws-k20x.json"), &json)?;
    let picture = figure8::picture(machine, &skeletons);
    write(&options.pictures.join("figure8-laws-k20x.svg"), &picture)
}

type Make = Box<dyn Fn(&Context) -> app::App>;

/// What `cargo test --benches` runs: every program in every way, on the machines that are laws.
fn smoke() -> Result<(), String> {
    let effort = Effort {
        rounds: 1,
        combinations: 30,
    };
    for machine in Machine::of_laws() {
        assert_eq!(machine.kind, Kind::Virtual);
        let singles =
            SINGLES.map(|(name, make)| (name, Box::new(move |c: &_| make(c, 5000)) as Make));
        let apps =
            APPS.map(|(name, make)| (name, Box::new(move |c: &_| make(c, Size::Tiny)) as Make));
        for (name, make) in singles.into_iter().chain(apps) {
            let context = machine.open(name)?;
            let app = [make(&context)];
            tell(&tune(&context, &tuning::Options::quick(), &app)?);
            measure(&machine, &context, &app[0], effort)?;
        }
        println!("ok: {}", machine.name);
    }
    figure8::smoke()?;
    println!("ok: figure 8");
    Ok(())
}
