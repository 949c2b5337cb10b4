//! Kernels of a device, as libraries for GPUs are timed: many calls in a row on arrays that are there, and
//! one wait for all of them. `benches/rivals` times the same with theirs: CUB by the device's events, so without
//! the wait, which for 2²⁰ elements is a part of what is shown here; JAX with a new array for each result.

use crate::lines;
use skel::prelude::*;
use std::{error::Error, path::PathBuf, time::Instant};
use tuner::{Machine, Table, stats, table};

#[derive(clap::Args)]
pub(crate) struct InARowOptions {
    /// The number of the device, as `skel::devices()` counts them
    #[arg(long, default_value_t = 0)]
    device: usize,
    /// The numbers of elements
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "1048576,16777216,67108864,268435456"
    )]
    sizes: Vec<usize>,
    /// Elements come from the host in each call, and results go back to it
    #[arg(long)]
    moved: bool,
    /// The name of this run in the results: what is switched off, say
    #[arg(long = "as", value_name = "NAME", default_value = "skel")]
    name: String,
    /// How often each kernel is timed; each time runs it for two milliseconds at least
    #[arg(long, default_value_t = 15)]
    rounds: usize,
    /// Append the times to this file, as lines of JSON
    #[arg(long)]
    json: Option<PathBuf>,
}

const TURN_S: f64 = 2e-3;

pub(crate) fn run(options: &InARowOptions) -> Result<(), Box<dyn Error>> {
    let devices = skel::devices();
    let found = devices.iter().find(|d| d.index == Some(options.device));
    let device = found.ok_or_else(|| format!("there is no device {}", options.device))?;
    println!("{}\n{device}\n", Machine::this());
    let mut shown = Table::new(["kernel", "elements", "a call", "GB/s"]);
    for n in &options.sizes {
        let on = Device(options.device);
        let kernels = match options.moved {
            true => vec![moved(*n, on)],
            false => kernels(*n, on).into(),
        };
        for mut kernel in kernels {
            let times = kernel.time(options.rounds.max(1))?;
            let median_s = stats::median(&times);
            let bytes = kernel.bytes_per_elem * n;
            shown.row([
                kernel.name.to_owned(),
                n.to_string(),
                table::time(median_s),
                format!("{:.1}", bytes as f64 / median_s / 1e9),
            ]);
            let line = serde_json::json!({
                "race": kernel.name, "elems": n, "bytes": bytes, "contender": options.name,
                "rounds": times.len(), "median_s": median_s, "best_s": stats::least(&times),
            });
            lines::append(options.json.as_ref(), &format!("{line}\n"))?;
        }
    }
    println!("{}", shown.markdown());
    Ok(())
}

/// A call that is not waited for.
struct Kernel {
    name: &'static str,
    bytes_per_elem: usize,
    call: Box<dyn FnMut() -> skel::Result<()>>,
}

fn kernels(n: usize, on: Device) -> [Kernel; 4] {
    let saxpy = map!(|x: f32, y: f32| 3.0 * x + y).on(on);
    let copy = map!(|x: f32| x).on(on);
    let sum = reduce!(|a: f32, b: f32| a + b).on(on);
    let sums = scan!(|a: f32, b: f32| a + b).on(on);
    let ones = || Vector::filled(n, 1.0_f32);
    let (x, y, mut z) = (ones(), ones(), ones());
    let (to_copy, mut copied) = (ones(), ones());
    let (to_sum, mut total) = (ones(), Scalar::from(0.0_f32));
    let (to_scan, mut scanned) = (ones(), ones());
    [
        Kernel {
            name: "map",
            bytes_per_elem: 12,
            call: Box::new(move || saxpy.run_into((&x, &y), &mut z)),
        },
        Kernel {
            name: "reduce",
            bytes_per_elem: 4,
            call: Box::new(move || sum.run_into((&to_sum,), &mut total)),
        },
        Kernel {
            name: "scan",
            bytes_per_elem: 8,
            call: Box::new(move || sums.run_into((&to_scan,), &mut scanned)),
        },
        Kernel {
            name: "copy",
            bytes_per_elem: 8,
            call: Box::new(move || copy.run_into((&to_copy,), &mut copied)),
        },
    ]
}

/// A call with all that it moves: two arrays there, one back.
fn moved(n: usize, on: Device) -> Kernel {
    let saxpy = map!(|x: f32, y: f32| 3.0 * x + y).on(on);
    let [mut x, mut y, mut z] = [(); 3].map(|()| Vector::filled(n, 1.0_f32));
    Kernel {
        name: "map, moved",
        bytes_per_elem: 12,
        call: Box::new(move || {
            for changed in [&mut x, &mut y] {
                changed.host_mut()?[0] += 1.0;
            }
            saxpy.run_into((&x, &y), &mut z)?;
            z.host().map(drop)
        }),
    }
}

impl Kernel {
    /// The seconds of a call, in every round.
    fn time(&mut self, rounds: usize) -> skel::Result<Vec<f64>> {
        // The first call brings the data, and compiles.
        self.in_a_row(1)?;
        let once_s = self.in_a_row(1)?;
        let calls = ((TURN_S / once_s) as usize).max(1);
        (0..rounds).map(|_| self.in_a_row(calls)).collect()
    }

    fn in_a_row(&mut self, calls: usize) -> skel::Result<f64> {
        let start = Instant::now();
        for _ in 0..calls {
            (self.call)()?;
        }
        skel::sync()?;
        Ok(start.elapsed().as_secs_f64() / calls as f64)
    }
}
