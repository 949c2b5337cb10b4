//! What a call on a device costs beside what the device does: calls of few elements, which are there.

use crate::lines;
use skel::{Context, mock::Mock, prelude::*};
use std::{
    error::Error,
    hint::black_box,
    path::PathBuf,
    time::{Duration, Instant},
};
use tuner::{Machine, Table, stats::median, table};

#[derive(clap::Args)]
pub(crate) struct LaunchOptions {
    /// The elements of a call
    #[arg(long, default_value_t = 64)]
    elems: usize,
    /// The number of the device, as `skel::devices()` counts them; none: one that computes at once, so
    /// that only skel's own part of a call is left
    #[arg(long)]
    device: Option<usize>,
    /// How often each way is measured
    #[arg(long, default_value_t = 51)]
    rounds: usize,
    /// Append the times to this file, as lines of JSON
    #[arg(long)]
    json: Option<PathBuf>,
}

/// Calls between two looks at the clock.
const CALLS: u32 = 500;

/// What was measured, and the seconds of a call in every round.
type Measured = (&'static str, Vec<f64>);

/// Doubles each element of the one into the other.
type Twice<'a> = &'a dyn Fn(&Vector<f32>, &mut Vector<f32>) -> skel::Result<()>;

/// The calls, wherever they are run.
struct Variants<'a> {
    twice: Twice<'a>,
    sum: &'a dyn Fn(&Vector<f32>) -> skel::Result<f32>,
    sync: &'a dyn Fn() -> skel::Result<()>,
}

pub(crate) fn run(options: &LaunchOptions) -> Result<(), Box<dyn Error>> {
    let (twice, sum) = (map!(|x: f32| 2.0 * x), reduce!(|a: f32, b: f32| a + b));
    let all = if let Some(index) = options.device {
        let (twice, sum) = (twice.on(Device(index)), sum.on(Device(index)));
        measure(
            options,
            &Variants {
                twice: &|x, y| twice.run_into((x,), y),
                sum: &|x| sum.run((x,)),
                sync: &skel::sync,
            },
        )?
    } else {
        let context = Context::builder()
            .unit(Mock::named("at once").unit()?)
            .build()?;
        let twice = twice.within(context.clone()).on(Device(0));
        let sum = sum.within(context.clone()).on(Device(0));
        measure(
            options,
            &Variants {
                twice: &|x, y| twice.run_into((x,), y),
                sum: &|x| sum.run((x,)),
                sync: &|| context.sync(),
            },
        )?
    };
    show(options, &all)
}

fn measure(options: &LaunchOptions, ways: &Variants<'_>) -> skel::Result<[Measured; 3]> {
    let n = options.elems.max(1);
    let mut x = Vector::from(vec![1.5_f32; n]);
    let mut y = Vector::from(vec![0.0_f32; n]);
    (ways.twice)(&x, &mut y)?;
    (ways.sum)(&y)?;
    let [mut given, mut done, mut told]: [Measured; 3] = [
        ("map, handed over", Vec::new()),
        ("map, many at once", Vec::new()),
        ("reduce, one by one", Vec::new()),
    ];
    for _ in 0..options.rounds.max(1) {
        let start = Instant::now();
        for _ in 0..CALLS {
            (ways.twice)(&x, &mut y)?;
            // Each call needs what the last one wrote.
            std::mem::swap(&mut x, &mut y);
        }
        given.1.push(per_call(start.elapsed()));
        (ways.sync)()?;
        done.1.push(per_call(start.elapsed()));
        let start = Instant::now();
        for _ in 0..CALLS {
            black_box((ways.sum)(&x)?);
        }
        told.1.push(per_call(start.elapsed()));
    }
    Ok([given, done, told])
}

fn per_call(all: Duration) -> f64 {
    all.as_secs_f64() / f64::from(CALLS)
}

fn show(options: &LaunchOptions, all: &[Measured]) -> Result<(), Box<dyn Error>> {
    let device = match options.device {
        Some(index) => skel::devices()
            .iter()
            .find(|device| device.index == Some(index))
            .map_or_else(|| format!("device {index}"), ToString::to_string),
        None => "a device that computes at once".to_owned(),
    };
    let n = options.elems.max(1);
    println!("{}\n{device}; {n} elements\n", Machine::this());
    let mut shown = Table::new(["calls", "time of one"]);
    let mut lines = String::new();
    for (name, times) in all {
        shown.row([(*name).to_owned(), table::time(median(times))]);
        let line = serde_json::json!({
            "race": name, "contender": "skel", "elems": n, "rounds": times.len(),
            "median_s": median(times),
        });
        lines.push_str(&format!("{line}\n"));
    }
    println!("{}", shown.markdown());
    lines::append(options.json.as_ref(), &lines)?;
    Ok(())
}
