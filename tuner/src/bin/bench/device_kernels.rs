//! Kernels of a device against the same ones written by hand in WGSL, on arrays that are there.

mod by_hand;
mod hand;

use crate::lines;
use by_hand::ByHand;
use hand::Hand;
use skel::prelude::*;
use std::{error::Error, path::PathBuf, time::Duration};
use tuner::{Budget, Machine, Race, RaceResult, Table, table};

const HAND: &str = "wgpu by hand";
const SKEL: &str = "skel";
const COPY: &str = "copy";

#[derive(clap::Args)]
pub(crate) struct DeviceKernelsOptions {
    /// The number of elements; those of the stencil are the largest square that is not more
    #[arg(long, default_value_t = 1 << 22)]
    n: usize,
    /// The number of the device, as `skel::devices()` counts them
    #[arg(long, default_value_t = 0)]
    device: usize,
    /// Seconds for each race
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
    /// Append every contender's times to this file, as lines of JSON
    #[arg(long)]
    json: Option<PathBuf>,
}

type Done = Result<(), Box<dyn Error>>;

/// Runs a kernel by hand, and waits.
type Run<'a> = Box<dyn FnMut() + 'a>;

/// Two ways to do the same on the device.
struct Contest<'a> {
    name: &'static str,
    elems: usize,
    bytes: usize,
    hand: Option<Run<'a>>,
    skel: Box<dyn FnMut() -> skel::Result<()> + 'a>,
}

pub(crate) fn run(options: &DeviceKernelsOptions) -> Result<(), Box<dyn Error>> {
    let devices = skel::devices();
    let device = devices
        .iter()
        .find(|device| device.index == Some(options.device))
        .ok_or_else(|| format!("there is no device {}", options.device))?;
    println!("{}", Machine::this());
    println!("{device}\n");
    // What another API drives is timed alone.
    let hand = match device.info.api.starts_with("wgpu") {
        true => Some(Hand::open(&device.info.name)?),
        false => None,
    };
    let budget = Budget {
        total: Duration::try_from_secs_f64(options.seconds)?,
        ..Budget::default()
    };
    let mut table = Table::new([
        "kernel",
        HAND,
        SKEL,
        "skel : by hand",
        "skel : copy",
        "skel, GB/s",
    ]);
    let side = options.n.isqrt();
    let on = Device(options.device);
    let mut race = |contest: Contest<'_>| -> Done {
        let (outcome, failed) = contest.run(hand.as_ref(), &budget);
        if let Some(error) = failed {
            return Err(error.into());
        }
        let of_hand = |text: &dyn Fn() -> String| match hand {
            Some(_) => text(),
            None => "-".to_owned(),
        };
        table.row([
            outcome.name.clone(),
            of_hand(&|| table::time(outcome.of(HAND).median_s())),
            table::time(outcome.of(SKEL).median_s()),
            of_hand(&|| format!("{:.2}", outcome.speed(SKEL, HAND))),
            of_hand(&|| format!("{:.2}", outcome.speed(SKEL, COPY))),
            format!("{:.1}", outcome.gigabytes_per_s(SKEL)),
        ]);
        lines::append(options.json.as_ref(), &outcome.json_lines())?;
        Ok(())
    };
    saxpy(hand.as_ref(), options.n, on, &mut race)?;
    dot(hand.as_ref(), options.n, on, &mut race)?;
    stencil(hand.as_ref(), side, on, &mut race)?;
    scan(hand.as_ref(), options.n, on, &mut race)?;
    println!("{}", table.markdown());
    Ok(())
}

impl Contest<'_> {
    /// The race, beside a copy of as many bytes; and what went wrong in skel's calls.
    fn run(self, hand: Option<&Hand>, budget: &Budget) -> (RaceResult, Option<skel::Error>) {
        let Contest {
            name,
            elems,
            bytes,
            hand: by_hand,
            skel: mut by_skel,
        } = self;
        let mut failed = None;
        let mut race = Race::new(name, elems, bytes);
        if let (Some(hand), Some(by_hand)) = (hand, by_hand) {
            let halves = [1, 2].map(|byte| hand.buffer(&vec![byte; bytes / 2]));
            race = race
                .contender(HAND, by_hand)
                .contender(COPY, move || hand.run(&[], Some((&halves[0], &halves[1]))));
        }
        let outcome = race
            .contender(SKEL, || by_skel().map_err(|error| failed = Some(error)))
            .run(budget);
        (outcome, failed)
    }
}

/// Runs a contest.
type Racing<'r> = &'r mut dyn FnMut(Contest<'_>) -> Done;

fn bytes_of<T: Copy, const N: usize>(values: &[T], bytes: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    values.iter().flat_map(|value| bytes(*value)).collect()
}

fn saxpy(hand: Option<&Hand>, n: usize, on: Device, race: Racing<'_>) -> Done {
    let x: Vec<f32> = (0..n).map(|i| (i % 1000) as f32).collect();
    let bytes = bytes_of(&x, f32::to_le_bytes);
    let f = map!(|x: f32, y: f32| 3.0 * x + y).on(on);
    let x = Vector::from(x);
    let mut z = Vector::filled(n, 0.0_f32);
    f.run_into((&x, &x), &mut z)?;
    let hand = hand.map(|hand| by_hand::saxpy(hand, &bytes));
    race(Contest {
        name: "map: z = k · x + y",
        elems: n,
        bytes: 12 * n,
        hand: agree(hand, &bytes_of(&z.host()?, f32::to_le_bytes))?,
        skel: Box::new(|| skel::observe(|| f.run_into((&x, &x), &mut z)).0),
    })
}

fn dot(hand: Option<&Hand>, n: usize, on: Device, race: Racing<'_>) -> Done {
    // Small whole numbers: sums are exact, in any order.
    let x: Vec<f32> = (0..n).map(|i| f32::from(u8::from(i % 3 == 0))).collect();
    let bytes = bytes_of(&x, f32::to_le_bytes);
    let f = map_reduce!(|x: f32, y: f32| x * y, |a: f32, b: f32| a + b).on(on);
    let x = Vector::from(x);
    let hand = hand.map(|hand| by_hand::dot(hand, &bytes));
    race(Contest {
        name: "map and reduce: Σ x · y",
        elems: n,
        bytes: 8 * n,
        hand: agree(hand, &f.run((&x, &x))?.to_le_bytes())?,
        skel: Box::new(|| {
            f.run((&x, &x)).map(|sum| {
                std::hint::black_box(sum);
            })
        }),
    })
}

#[user_function]
fn five_points(w: Window2<f32, 1, 1>) -> f32 {
    0.5 * w[(0, 0)] + 0.125 * (w[(-1, 0)] + w[(1, 0)] + w[(0, -1)] + w[(0, 1)])
}

fn stencil(hand: Option<&Hand>, side: usize, on: Device, race: Racing<'_>) -> Done {
    let n = side * side;
    let x: Vec<f32> = (0..n).map(|i| (i % 97) as f32).collect();
    let bytes = bytes_of(&x, f32::to_le_bytes);
    let f = map_overlap!(five_points).edge(Edge::Duplicate).on(on);
    let x = Matrix::from_vec(side, side, x)?;
    let mut y = Matrix::filled(side, side, 0.0_f32);
    f.run_into((&x,), &mut y)?;
    let hand = hand.map(|hand| by_hand::stencil(hand, &bytes, side));
    race(Contest {
        name: "stencil: five points",
        elems: n,
        bytes: 8 * n,
        hand: agree(hand, &bytes_of(&y.host()?, f32::to_le_bytes))?,
        skel: Box::new(|| skel::observe(|| f.run_into((&x,), &mut y)).0),
    })
}

fn scan(hand: Option<&Hand>, n: usize, on: Device, race: Racing<'_>) -> Done {
    let x: Vec<u32> = (0..n as u32).map(|i| i % 5).collect();
    let bytes = bytes_of(&x, u32::to_le_bytes);
    let f = scan!(|a: u32, b: u32| a + b).on(on);
    let x = Vector::from(x);
    let mut y = Vector::filled(n, 0_u32);
    f.run_into((&x,), &mut y)?;
    let hand = hand.map(|hand| by_hand::scan(hand, &bytes));
    race(Contest {
        name: "scan: y[i] = Σ x[..=i]",
        elems: n,
        bytes: 8 * n,
        hand: agree(hand, &bytes_of(&y.host()?, u32::to_le_bytes))?,
        skel: Box::new(|| skel::observe(|| f.run_into((&x,), &mut y)).0),
    })
}

/// Both must give the same before they are compared.
fn agree<'a>(hand: Option<ByHand<'a>>, skel: &[u8]) -> Result<Option<Run<'a>>, Box<dyn Error>> {
    match hand {
        Some(hand) if hand.gave != skel => Err("the kernel by hand and skel differ".into()),
        hand => Ok(hand.map(|hand| hand.run)),
    }
}
