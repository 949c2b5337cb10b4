//! `cargo bench -p tuner --bench cpu`: the CPU unit beside a plain loop, rayon as people write it, and what an expert
//! writes by hand for the machine: chunks on rayon, independent accumulators, AVX2; and ndarray, where it has the operation. `RAYON_NUM_THREADS=1` is one thread.
#![allow(
    unsafe_code,
    reason = "calls of functions with target features, behind their detection"
)]

mod by_hand;
mod folds;
mod goal;
mod iterated;
mod limits;
mod mandelbrot;
mod maps;
mod norms;
mod random;
mod small;
mod sparse;
mod stencils;
mod stencils_3d;

use clap::Parser;
use goal::Goal;
use std::{error::Error, time::Duration};
use tuner::{Budget, Machine, RaceResult, Table, table};

/// Measures the CPU unit beside what an expert writes
#[derive(Parser)]
struct Options {
    /// Seconds for each row
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
    /// Only rows whose name has this in it
    #[arg(long)]
    only: Option<String>,
    /// Elements of the largest arrays, as a power of two
    #[arg(long, default_value_t = 25)]
    largest: u32,
    /// Print the table as Markdown
    #[arg(long)]
    markdown: bool,
    /// What `cargo bench` passes
    #[arg(long, hide = true)]
    bench: bool,
}

const PLAIN: &str = "plain loop";
const RAYON: &str = "par_iter";
const HAND: &str = "by hand";
/// Where it has the operation; on one thread.
const NDARRAY: &str = "ndarray";
const SKEL: &str = "skel";

type Done = Result<RaceResult, Box<dyn Error>>;

/// Measures a row of this name.
type Measure = dyn Fn(&str, &Budget) -> Done;

/// A row of the table.
struct Row {
    name: String,
    goal: Goal,
    run: Box<Measure>,
}

impl Row {
    fn new(
        name: impl Into<String>,
        goal: Goal,
        run: impl Fn(&str, &Budget) -> Done + 'static,
    ) -> Row {
        Row {
            name: name.into(),
            goal,
            run: Box::new(run),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let budget = Budget {
        total: Duration::try_from_secs_f64(options.seconds)?,
        ..Budget::default()
    };
    println!("{}\n", Machine::this());
    let largest = 1 << options.largest;
    let rows = [
        folds::rows(largest),
        maps::rows(largest),
        mandelbrot::rows(),
        random::rows(),
        stencils::rows(),
        stencils_3d::rows(),
        norms::rows(),
        iterated::rows(),
        sparse::rows(),
        small::rows(),
    ];
    let is_wanted = |row: &Row| {
        options
            .only
            .as_ref()
            .is_none_or(|part| row.name.contains(part.as_str()))
    };
    let mut shown = Table::new([
        "case",
        PLAIN,
        RAYON,
        NDARRAY,
        HAND,
        SKEL,
        "GB/s",
        "skel : par_iter",
        "skel : by hand",
        "goal",
    ]);
    let (mut reached, mut all) = (0, 0);
    for row in rows.into_iter().flatten().filter(is_wanted) {
        let result = (row.run)(&row.name, &budget)?;
        all += 1;
        reached += usize::from(row.goal.is_reached(row.goal.found(&result)));
        shown.row(cells(&row, &result));
    }
    let text = match options.markdown {
        true => shown.markdown(),
        false => shown.text(),
    };
    println!("{text}\n{reached} of {all} goals are reached.");
    if options.only.is_none() {
        println!("{}", limits::measured(largest, &budget)?);
    }
    Ok(())
}

fn cells(row: &Row, result: &RaceResult) -> [String; 10] {
    let seconds = |name: &str| table::time(result.of(name).median_s());
    let speed = |name: &str| format!("{:.2}", result.speed(SKEL, name));
    let rate = result.bytes as f64 / result.of(SKEL).median_s() / 1e9;
    [
        row.name.clone(),
        seconds(PLAIN),
        seconds(RAYON),
        match result.timings.iter().any(|timing| timing.name == NDARRAY) {
            true => seconds(NDARRAY),
            false => String::new(),
        },
        seconds(HAND),
        seconds(SKEL),
        format!("{rate:.1}"),
        speed(RAYON),
        speed(HAND),
        row.goal.judge(row.goal.found(result)),
    ]
}

/// The same elements in every run.
fn floats(n: usize) -> Vec<f32> {
    (0..n)
        .map(|i| 0.5 + (i * 7919 % 1009) as f32 / 1009.0)
        .collect()
}

fn integers(n: usize) -> Vec<i32> {
    (0..n).map(|i| 1 + (i * 7919 % 1009) as i32).collect()
}

fn doubles(n: usize) -> Vec<f64> {
    (0..n)
        .map(|i| 0.5 + (i * 7919 % 1009) as f64 / 1009.0)
        .collect()
}
