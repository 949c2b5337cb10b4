//! What it costs to ask a model at every call.

use skel::{
    Context,
    mock::{Law, Mock},
    prelude::*,
    tuning::{self, Options as Tuning},
};
use std::{error::Error, hint::black_box, time::Instant};
use tuner::{Machine, Table, stats::median, table};

#[derive(clap::Args)]
pub(crate) struct PredictionOptions {
    /// The elements of a call
    #[arg(long, default_value_t = 64)]
    elems: usize,
    /// How often each way is measured
    #[arg(long, default_value_t = 51)]
    rounds: usize,
}

/// Calls between two looks at the clock.
const CALLS: u32 = 1000;

/// More sizes than answers are kept: asked in turn, none is an answer that was given before.
const SIZES: usize = 8;

/// What a call is given.
struct Arguments {
    x: Vector<f32>,
    y: Vector<f32>,
    out: Vector<f32>,
}

impl Arguments {
    fn new(elems: usize) -> Arguments {
        Arguments {
            x: Vector::from(vec![1.5; elems]),
            y: Vector::from(vec![2.5; elems]),
            out: Vector::from(vec![0.0; elems]),
        }
    }
}

pub(crate) fn run(options: &PredictionOptions) -> Result<(), Box<dyn Error>> {
    let n = options.elems.max(1);
    let mut calls: Vec<Arguments> = (n..n + SIZES).map(Arguments::new).collect();
    let Arguments { x, y, .. } = Arguments::new(n);
    // Three units, none of which is a line.
    let mut builder = Context::builder();
    for (name, ns) in [("a", 0.5), ("b", 0.25)] {
        let law = Law::per_elem_ns(ns)
            .latency_ns(20_000.0)
            .knee(1 << 14, 2.0 * ns);
        builder = builder.unit(Mock::named(name).law(law).unit()?);
    }
    let context = builder.build()?;
    let add = map!(|x: f32, y: f32| x + y).within(context.clone());
    let alone = add.clone().on(Cpu);
    let (tuned, known) = tuning::tune(&context, &Tuning::quick(), || alone.run((&x, &y)).map(drop));
    tuned?;
    let models = known.instances.len();
    let by_model = add.clone().on(Hybrid::tuned());
    let untold = Context::builder().build()?;
    let auto = add.clone().within(untold).on(Auto);
    let ways = [
        ("Cpu", &alone, 1),
        ("Auto, without a model", &auto, 1),
        ("Hybrid::tuned()", &by_model, 1),
        ("Cpu, eight sizes in turn", &alone, SIZES),
        ("Hybrid::tuned(), eight sizes in turn", &by_model, SIZES),
    ];
    let mut times = ways.map(|_| Vec::new());
    for _ in 0..options.rounds.max(1) {
        for ((_, add, sizes), times) in ways.iter().zip(&mut times) {
            let start = Instant::now();
            for k in 0..CALLS {
                let Arguments { x, y, out } = &mut calls[k as usize % sizes];
                add.run_into((&*x, &*y), &mut *out)?;
                black_box(&out);
            }
            times.push(start.elapsed().as_secs_f64() / f64::from(CALLS));
        }
    }
    println!("{}; {n} elements, {models} model\n", Machine::this());
    let mut shown = Table::new(["where", "a call", "more than on the CPU by name"]);
    let medians: Vec<f64> = times.iter().map(|times| median(times)).collect();
    for ((name, _, sizes), time_s) in ways.iter().zip(&medians) {
        // Beside the CPU by name with as many sizes.
        let beside = ways.iter().position(|(_, _, known)| known == sizes);
        let beside_s = beside.map_or(0.0, |k| medians[k]);
        let more = format!("{:.0} ns", (time_s - beside_s) * 1e9);
        shown.row([(*name).to_owned(), table::time(*time_s), more]);
    }
    println!("{}", shown.text());
    Ok(())
}
