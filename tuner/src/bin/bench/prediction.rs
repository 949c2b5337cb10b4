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
pub(crate) struct Options {
    /// The elements of a call
    #[arg(long, default_value_t = 64)]
    elems: usize,
    /// How often each way is measured
    #[arg(long, default_value_t = 51)]
    rounds: usize,
}

/// Calls between two looks at the clock.
const CALLS: u32 = 1000;

pub(crate) fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    let n = options.elems.max(1);
    let (x, y) = (vec![1.5_f32; n], vec![2.5_f32; n]);
    let (x, y) = (Vector::from(x), Vector::from(y));
    let mut out = Vector::from(vec![0.0_f32; n]);
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
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..options.rounds.max(1) {
        for (way, times) in times.iter_mut().enumerate() {
            let start = Instant::now();
            for _ in 0..CALLS {
                match way {
                    0 => alone.run_into((&x, &y), &mut out)?,
                    1 => auto.run_into((&x, &y), &mut out)?,
                    _ => by_model.run_into((&x, &y), &mut out)?,
                }
                black_box(&out);
            }
            times.push(start.elapsed().as_secs_f64() / f64::from(CALLS));
        }
    }
    println!("{}; {n} elements, {models} model\n", Machine::this());
    let mut shown = Table::new(["where", "a call", "more than on the CPU by name"]);
    let medians: Vec<f64> = times.iter().map(|times| median(times)).collect();
    for (name, time_s) in ["Cpu", "Auto, without a model", "Hybrid::tuned()"]
        .iter()
        .zip(&medians)
    {
        let more = format!("{:.0} ns", (time_s - medians[0]) * 1e9);
        shown.row([(*name).to_owned(), table::time(*time_s), more]);
    }
    println!("{}", shown.text());
    Ok(())
}
