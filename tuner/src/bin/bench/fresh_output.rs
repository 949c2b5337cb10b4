//! What a new output costs: pages of a fresh array, huge pages, recycled memory.

use skel::{memory, prelude::*};
use std::{error::Error, hint::black_box, time::Instant};
use tuner::{Machine, Table, stats::median, table};

#[derive(clap::Args)]
pub(crate) struct FreshOutputOptions {
    /// The size of the output
    #[arg(long, default_value_t = 40)]
    megabytes: usize,
    /// How often each way is measured
    #[arg(long, default_value_t = 21)]
    rounds: usize,
}

/// Runs the call once; the output is dropped by the time it returns.
type Variant<'a> = (&'static str, usize, Box<dyn Fn() -> skel::Result<()> + 'a>);

pub(crate) fn run(options: &FreshOutputOptions) -> Result<(), Box<dyn Error>> {
    let n = options.megabytes * 1_000_000 / size_of::<f32>();
    let (x, given) = (
        Vector::filled(n, 1.5_f32),
        std::cell::RefCell::new(vec![0.0; n]),
    );
    let double = map!(|x: f32| x + x).on(Cpu);
    // The system clears pages when they are touched first: that is in the call, not in `vec!`.
    let fresh = || double.run_into((&x,), &mut black_box(vec![0.0; n]));
    let new = || double.run((&x,)).map(|out| drop(black_box(out)));
    let keep = usize::MAX;
    let ways: [Variant<'_>; 4] = [
        ("fresh, as the allocator gives it", 0, Box::new(fresh)),
        ("fresh, huge pages advised", 0, Box::new(new)),
        ("recycled", keep, Box::new(new)),
        (
            "given by the caller",
            keep,
            Box::new(|| double.run_into((&x,), &mut given.borrow_mut()[..])),
        ),
    ];
    println!("{}\n", Machine::this());
    let mut times = vec![Vec::new(); ways.len()];
    for _ in 0..options.rounds.max(1) {
        for ((_, limit_bytes, call), times) in ways.iter().zip(&mut times) {
            memory::set_limit_bytes(*limit_bytes);
            call()?;
            let start = Instant::now();
            call()?;
            times.push(start.elapsed().as_secs_f64());
        }
    }
    let mut shown = Table::new(["output", "median", "times the given one"]);
    let medians: Vec<f64> = times.iter().map(|times| median(times)).collect();
    for ((name, ..), time_s) in ways.iter().zip(&medians) {
        let ratio = format!("{:.2}", time_s / medians[ways.len() - 1]);
        shown.row([(*name).to_owned(), table::time(*time_s), ratio]);
    }
    println!(
        "{} MB written by x + x:\n\n{}",
        options.megabytes,
        shown.text()
    );
    Ok(())
}
