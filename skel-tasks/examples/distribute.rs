//! Distributes the zones of a multi-zone benchmark over units of cores and devices that need not be there, step after
//! step, and compares work distributions.
//!
//! ```sh
//! cargo run --release -p skel-tasks --example distribute
//! cargo run --release -p skel-tasks --example distribute -- \
//!     --units 4x4+2 --scheduler clustered-guided --benchmark bt-mz --class B --svg step.svg --map zones.svg
//! ```

use skel_tasks::{
    BadOption,
    distribution::{self, ComputeUnits},
    npb_mz::{
        Benchmark, Class, Evaluation, Mesh, Model, beside_paper_svg, beside_paper_table, evaluate,
        map_svg, table,
    },
};
use std::{error::Error, process::ExitCode};

const HELP: &str = "\
Distributes the zones of a multi-zone benchmark over compute units, in virtual time.

  --units NxM+G       N units of M cores each, and G devices (16x1+1)
  --scheduler TEXT    NAME or NAME,option=value,...; without it, all are compared
  --benchmark NAME    sp-mz, bt-mz or lu-mz (bt-mz)
  --class LETTER      S, W, A, B, C or D (D)
  --core-speed X      how fast a unit of cores is, where 1 is a core alone (as the paper's)
  --device-speed X    how fast a device is (as the paper's)
  --svg FILE          write the last step as a chart
  --map FILE          write the zones as a map of what computed them in the last step
  --markdown          compare all on several kinds of units, as a table
  --beside-paper FILE write what was measured on the paper's machine beside the model as a picture, and the table of it
";

struct Settings {
    units: ComputeUnits,
    scheduler: Option<String>,
    benchmark: Benchmark,
    class: Class,
    core_speed: Option<f64>,
    device_speed: Option<f64>,
    svg: Option<String>,
    map: Option<String>,
    beside_paper: Option<String>,
    is_table: bool,
    is_help: bool,
}

fn speed(option: &str, text: &str) -> Result<f64, BadOption> {
    let parsed = text.parse().ok();
    let is_speed = |speed: &f64| speed.is_finite() && *speed > 0.0;
    let expected = "a number above 0";
    parsed
        .filter(is_speed)
        .ok_or_else(|| BadOption::new(option, text, expected))
}

fn read(mut words: impl Iterator<Item = String>) -> Result<Settings, Box<dyn Error>> {
    let mut it = Settings {
        units: ComputeUnits::new(16, 1, 1)?,
        scheduler: None,
        benchmark: Benchmark::Bt,
        class: Class::D,
        core_speed: None,
        device_speed: None,
        svg: None,
        map: None,
        beside_paper: None,
        is_table: false,
        is_help: false,
    };
    while let Some(option) = words.next() {
        let mut value = || {
            let value = words.next();
            value.ok_or_else(|| format!("{option} needs a value"))
        };
        match option.as_str() {
            "--units" => it.units = value()?.parse()?,
            "--scheduler" => it.scheduler = Some(value()?),
            "--benchmark" => it.benchmark = value()?.parse()?,
            "--class" => it.class = value()?.parse()?,
            "--core-speed" => it.core_speed = Some(speed(&option, &value()?)?),
            "--device-speed" => it.device_speed = Some(speed(&option, &value()?)?),
            "--svg" => it.svg = Some(value()?),
            "--map" => it.map = Some(value()?),
            "--beside-paper" => it.beside_paper = Some(value()?),
            "--markdown" => it.is_table = true,
            "--help" | "-h" => it.is_help = true,
            _ => return Err(format!("{option} is unknown; --help says what there is").into()),
        }
    }
    Ok(it)
}

impl Settings {
    fn model(&self, mesh: &Mesh, units: ComputeUnits) -> Model {
        let paper = Model::paper(mesh, units);
        let cores = self.core_speed.unwrap_or(paper.cores);
        Model::new(units, cores, self.device_speed.unwrap_or(paper.device))
    }

    fn write(&self, mesh: &Mesh, done: &Evaluation) -> Result<(), Box<dyn Error>> {
        for (file, text) in [
            (&self.svg, done.last.svg(1_000)),
            (&self.map, map_svg(mesh, &done.last, 500)),
        ] {
            if let Some(file) = file {
                std::fs::write(file, text).map_err(|error| format!("{file}: {error}"))?;
                println!("{file} is written ({})", done.scheme);
            }
        }
        Ok(())
    }
}

fn run(settings: &Settings) -> Result<(), Box<dyn Error>> {
    if let Some(file) = &settings.beside_paper {
        let svg = beside_paper_svg(settings.benchmark, 900)?;
        std::fs::write(file, svg).map_err(|error| format!("{file}: {error}"))?;
        print!("{}", beside_paper_table(settings.benchmark)?);
        return Ok(());
    }
    let mesh = Mesh::new(settings.benchmark, settings.class);
    if settings.is_table {
        let units = ["16x1+1", "32x1+1", "63x1+1", "16x1+2", "62x1+2"];
        let schemes: Vec<&str> = distribution::names().collect();
        let model = |units| settings.model(&mesh, units);
        print!("{}", table(&mesh, &units, &schemes, model)?);
        return Ok(());
    }
    let model = settings.model(&mesh, settings.units);
    println!(
        "{} {}: {} zones, {} points, on {}; ideal speedup over one core {:.1}\n",
        mesh.benchmark(),
        mesh.class(),
        mesh.len(),
        mesh.all_points(),
        settings.units,
        model.ideal()
    );
    let texts = match &settings.scheduler {
        Some(text) => vec![text.clone()],
        None => distribution::names().map(Into::into).collect(),
    };
    println!("computation  overall  cut faces  steady after  scheduler");
    let mut best: Option<Evaluation> = None;
    for text in texts {
        let done = evaluate(&mesh, &model, distribution::parse(&text)?)?;
        let steady = done
            .searched
            .map_or("never".into(), |steps| steps.to_string());
        println!(
            "{:>11.1}  {:>7.1}  {:>9}  {steady:>12}  {}",
            done.computation, done.overall, done.cut_faces, done.scheme
        );
        if best.as_ref().is_none_or(|best| done.overall > best.overall) {
            best = Some(done);
        }
    }
    if let Some(best) = best {
        let ms = best
            .trace_ns
            .iter()
            .map(|ns| format!("{:.1}", *ns as f64 / 1e6));
        println!(
            "\nsteps of {}, in ms: {}",
            best.scheme,
            ms.collect::<Vec<_>>().join(" ")
        );
        settings.write(&mesh, &best)?;
    }
    Ok(())
}

fn main() -> ExitCode {
    let done = match read(std::env::args().skip(1)) {
        Ok(settings) if settings.is_help => {
            let names: Vec<&str> = distribution::names().collect();
            print!("{HELP}\nSchedulers: {}\n", names.join(", "));
            Ok(())
        }
        Ok(settings) => run(&settings),
        Err(error) => Err(error),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("distribute: {error}");
            ExitCode::FAILURE
        }
    }
}
