//! Map (a·x + y) and the dot product, at every power of ten.
//!
//! All contenders work on the same arrays: with arrays of its own, one of them would find its data in
//! the last-level cache, left there by the one before it, and the other would not.

use crate::lines;
use rayon::prelude::*;
use skel::prelude::*;
use std::{cell::RefCell, error::Error, path::PathBuf, time::Duration};
use tuner::{Budget, Machine, Race, RaceResult, Table, limits, table};

#[derive(clap::Args)]
pub(crate) struct MapDotOptions {
    /// The largest number of elements
    #[arg(long, default_value_t = 10_000_000)]
    max_n: usize,
    /// The smallest
    #[arg(long, default_value_t = 1000)]
    min_n: usize,
    /// Where skel runs
    #[arg(long, default_value = "cpu")]
    backend: String,
    /// Seconds for each race
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
    /// Print the tables as Markdown
    #[arg(long)]
    markdown: bool,
    /// Append every contender's times to this file, as lines of JSON
    #[arg(long)]
    json: Option<PathBuf>,
}

const PLAIN: &str = "plain loop";
const RAYON: &str = "par_iter";
const SKEL: &str = "skel";

#[user_function]
fn axpy(x: f32, y: f32, #[uniform] a: f32) -> f32 {
    a * x + y
}

#[user_function]
fn mult(a: f32, b: f32) -> f32 {
    a * b
}

#[user_function]
fn add(a: f32, b: f32) -> f32 {
    a + b
}

/// Runs a race over so many elements.
type RaceOf = fn(usize, &Target, &Budget) -> skel::Result<RaceResult>;

pub(crate) fn run(options: &MapDotOptions) -> Result<(), Box<dyn Error>> {
    let target: Target = options.backend.parse()?;
    let budget = Budget {
        total: Duration::try_from_secs_f64(options.seconds)?,
        ..Budget::default()
    };
    println!("{}", Machine::this());
    println!(
        "copy: {:.1} GB/s read and written by all cores",
        limits::copy_gigabytes_per_s(1 << 28, 7)
    );
    println!("skel on: {target}\n");

    let sizes: Vec<usize> =
        std::iter::successors(Some(options.min_n.max(1)), |n| n.checked_mul(10))
            .take_while(|n| *n <= options.max_n)
            .collect();
    let races: [(&str, RaceOf); 3] = [
        ("map into a new container", map_new),
        ("map into a given container", map_into),
        ("dot product", dot),
    ];
    for (title, race) in races {
        let mut table = Table::new([
            "n",
            PLAIN,
            RAYON,
            SKEL,
            "skel − plain loop",
            "skel : plain loop",
            "skel : par_iter",
            "skel, GB/s",
        ]);
        for n in &sizes {
            let outcome = race(*n, &target, &budget)?;
            table.row(row(&outcome));
            lines::append(options.json.as_ref(), &outcome.json_lines())?;
        }
        let shown = if options.markdown {
            table.markdown()
        } else {
            table.text()
        };
        println!("{title} (speeds: above 1 skel is faster)\n\n{shown}");
    }
    Ok(())
}

fn row(outcome: &RaceResult) -> [String; 8] {
    let seconds = |name: &str| outcome.of(name).median_s();
    let more = seconds(SKEL) - seconds(PLAIN);
    [
        table::count(outcome.elems),
        table::time(seconds(PLAIN)),
        table::time(seconds(RAYON)),
        table::time(seconds(SKEL)),
        format!(
            "{}{}",
            if more < 0.0 { "−" } else { "" },
            table::time(more.abs())
        ),
        format!("{:.2}", outcome.speed(SKEL, PLAIN)),
        format!("{:.2}", outcome.speed(SKEL, RAYON)),
        format!("{:.1}", outcome.gigabytes_per_s(SKEL)),
    ]
}

fn inputs(n: usize) -> (Vec<f32>, Vec<f32>) {
    (
        (0..n).map(|i| (i % 1000) as f32).collect(),
        (0..n).map(|i| (i % 77) as f32).collect(),
    )
}

fn map_new(n: usize, target: &Target, budget: &Budget) -> skel::Result<RaceResult> {
    let (x, y) = inputs(n);
    let a = std::hint::black_box(3.0);
    let map = map!(axpy).on(target.clone());
    let mut failed = None;
    let race = Race::new("map new", n, 12 * n)
        .contender(PLAIN, || {
            x.iter()
                .zip(&y)
                .map(|(x, y)| a * x + y)
                .collect::<Vec<f32>>()
        })
        .contender(RAYON, || {
            x.par_iter()
                .zip(&y)
                .map(|(x, y)| a * x + y)
                .collect::<Vec<f32>>()
        })
        .contender(SKEL, || map.run((&x, &y, a)).map_err(|e| failed = Some(e)));
    let outcome = race.run(budget);
    failed.map_or(Ok(outcome), Err)
}

fn map_into(n: usize, target: &Target, budget: &Budget) -> skel::Result<RaceResult> {
    let (x, y) = inputs(n);
    let a = std::hint::black_box(3.0);
    let map = map!(axpy).on(target.clone());
    let out = RefCell::new(vec![0.0_f32; n]);
    let mut failed = None;
    let race = Race::new("map into", n, 12 * n)
        .contender(PLAIN, || {
            let mut out = out.borrow_mut();
            for ((out, x), y) in out.iter_mut().zip(&x).zip(&y) {
                *out = a * x + y;
            }
        })
        .contender(RAYON, || {
            let mut out = out.borrow_mut();
            out.par_iter_mut()
                .zip(&x)
                .zip(&y)
                .for_each(|((out, x), y)| *out = a * x + y);
        })
        .contender(SKEL, || {
            map.run_into((&x, &y, a), &mut out.borrow_mut()[..])
                .map_err(|e| failed = Some(e))
        });
    let outcome = race.run(budget);
    failed.map_or(Ok(outcome), Err)
}

fn dot(n: usize, target: &Target, budget: &Budget) -> skel::Result<RaceResult> {
    let (x, y) = inputs(n);
    let dot = map_reduce!(mult, add).on(target.clone());
    let mut failed = None;
    let race = Race::new("dot", n, 8 * n)
        .contender(PLAIN, || x.iter().zip(&y).map(|(x, y)| x * y).sum::<f32>())
        .contender(RAYON, || {
            x.par_iter().zip(&y).map(|(x, y)| x * y).sum::<f32>()
        })
        .contender(SKEL, || dot.run((&x, &y)).map_err(|e| failed = Some(e)));
    let outcome = race.run(budget);
    failed.map_or(Ok(outcome), Err)
}
