//! `cargo bench -p tuner --bench lanes`: functions with loops, in lanes and without, beside the same by hand: as people
//! write it with rayon, and in masked lanes for the machine's vectors.
#![allow(
    unsafe_code,
    reason = "calls of functions with target features, behind their detection"
)]

mod by_hand;
mod functions;

/// Where a function calls another, by hand it is one.
mod alone {
    pub(crate) use super::by_hand::{collatz, hash, mandelbrot, mandelbrot as of_a_call, newton};
}

use clap::Parser;
use functions::{collatz, hash, mandelbrot, newton, of_a_call, off};
use rayon::prelude::*;
use skel::prelude::*;
use std::{cell::RefCell, error::Error, time::Duration};
use tuner::{Budget, Machine, Race, RaceResult, Table, table};

/// Measures functions with loops
#[derive(Parser)]
struct Options {
    /// Seconds for each function
    #[arg(long, default_value_t = 5.0)]
    seconds: f64,
    /// Print the table as Markdown
    #[arg(long)]
    markdown: bool,
    /// What `cargo bench` passes
    #[arg(long, hide = true)]
    bench: bool,
}

const RAYON: &str = "par_iter";
const HAND: &str = "lanes by hand";
const OFF: &str = "skel, lanes = off";
const SKEL: &str = "skel";

/// A race of one function, over these arguments and a uniform one.
macro_rules! race {
    ($name:ident, $out:ty, ($($x:ident),+), $limit:expr, $budget:expr) => {{
        let (n, limit) = ([$($x.len()),+][0], $limit);
        let (with, without) = (map!($name).on(Cpu), map!(off::$name).on(Cpu));
        let by_hand = alone::$name { $($x: &$x,)+ limit };
        let expected: Vec<$out> = (0..n).map(|i| $name($($x[i],)+ limit)).collect();
        let mut out = vec![<$out>::default(); n];
        by_hand::run(&by_hand, &mut out);
        assert!(out == expected, "by hand");
        for _ in 0..3 {
            with.run_into(($(&$x,)+ limit), &mut out[..])?;
            assert!(out == expected, "in lanes");
        }
        let out = RefCell::new(out);
        let race = Race::new(stringify!($name), n, n * size_of::<$out>())
            .contender(RAYON, || {
                let mut out = out.borrow_mut();
                out.par_iter_mut().enumerate().for_each(|(i, out)| *out = $name($($x[i],)+ limit));
            })
            .contender(HAND, || by_hand::run(&by_hand, &mut out.borrow_mut()))
            .contender(OFF, || without.run_into(($(&$x,)+ limit), &mut out.borrow_mut()[..]))
            .contender(SKEL, || with.run_into(($(&$x,)+ limit), &mut out.borrow_mut()[..]));
        race.run($budget)
    }};
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let budget = Budget {
        total: Duration::try_from_secs_f64(options.seconds)?,
        ..Budget::default()
    };
    println!("{}\n", Machine::this());
    let (width, height) = (1024, 768);
    let cx: Vec<f32> = (0..width * height)
        .map(|i| -2.2 + 3.0 * (i % width) as f32 / width as f32)
        .collect();
    let cy: Vec<f32> = (0..width * height)
        .map(|i| -1.2 + 2.4 * (i / width) as f32 / height as f32)
        .collect();
    let a: Vec<f64> = (0..1 << 20)
        .map(|i| 0.5 + (i * 7919 % 100_003) as f64)
        .collect();
    let x: Vec<u32> = (0..1 << 20).map(|i| 1 + i % 100_000).collect();
    let results = [
        race!(mandelbrot, u32, (cx, cy), 1000_u32, &budget),
        race!(of_a_call, u32, (cx, cy), 1000_u32, &budget),
        race!(newton, f64, (a), 60_u32, &budget),
        race!(collatz, u32, (x), 1000_u32, &budget),
        race!(hash, u32, (x), 16_u32, &budget),
    ];
    let mut shown = Table::new([
        "function",
        RAYON,
        HAND,
        OFF,
        SKEL,
        "skel : par_iter",
        "skel : by hand",
        "skel : off",
    ]);
    for result in &results {
        shown.row(row(result));
    }
    let text = match options.markdown {
        true => shown.markdown(),
        false => shown.text(),
    };
    println!("{text}");
    Ok(())
}

fn row(result: &RaceResult) -> [String; 8] {
    let seconds = |name: &str| table::time(result.of(name).median_s());
    let speed = |name: &str| format!("{:.2}", result.speed(SKEL, name));
    [
        result.name.clone(),
        seconds(RAYON),
        seconds(HAND),
        seconds(OFF),
        seconds(SKEL),
        speed(RAYON),
        speed(HAND),
        speed(OFF),
    ]
}
