//! Kernels of a device against the same ones written by hand in WGSL, on arrays that are there.

mod hand;

use hand::Hand;
use skel::prelude::*;
use std::{error::Error, time::Duration};
use tuner::{Budget, Machine, Race, Table, table};

const HAND: &str = "wgpu by hand";
const SKEL: &str = "skel";
const COPY: &str = "copy";

#[derive(clap::Args)]
pub(crate) struct Options {
    /// The number of elements; those of the stencil are the largest square that is not more
    #[arg(long, default_value_t = 1 << 22)]
    n: usize,
    /// The number of the device, as `skel::devices()` counts them
    #[arg(long, default_value_t = 0)]
    device: usize,
    /// Seconds for each race
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
}

/// Two ways to do the same on the device, and a copy of as many bytes.
struct Contest<'a> {
    name: &'static str,
    elems: usize,
    bytes: usize,
    hand: Box<dyn FnMut() + 'a>,
    skel: Box<dyn FnMut() -> skel::Result<()> + 'a>,
}

pub(crate) fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    let devices = skel::devices();
    let device = devices
        .iter()
        .find(|device| device.index == Some(options.device))
        .ok_or_else(|| format!("there is no device {}", options.device))?;
    if !device.info.api.starts_with("wgpu") {
        return Err(format!(
            "{} is driven by {}, not by wgpu",
            device.info.name, device.info.api
        )
        .into());
    }
    println!("{}", Machine::this());
    println!("{device}\n");
    let hand = Hand::open(&device.info.name)?;
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
    let mut race = |contest: Contest<'_>| -> Result<(), Box<dyn Error>> {
        let Contest {
            name,
            elems,
            bytes,
            hand: mut by_hand,
            skel: mut by_skel,
        } = contest;
        let halves = [
            hand.buffer(&vec![1; bytes / 2]),
            hand.buffer(&vec![2; bytes / 2]),
        ];
        let mut failed = None;
        let outcome = Race::new(name, elems, bytes)
            .contender(HAND, &mut by_hand)
            .contender(SKEL, || by_skel().map_err(|error| failed = Some(error)))
            .contender(COPY, || hand.run(&[], Some((&halves[0], &halves[1]))))
            .run(&budget);
        if let Some(error) = failed {
            return Err(error.into());
        }
        table.row([
            name.to_owned(),
            table::time(outcome.of(HAND).median_s()),
            table::time(outcome.of(SKEL).median_s()),
            format!("{:.2}", outcome.speed(SKEL, HAND)),
            format!("{:.2}", outcome.speed(SKEL, COPY)),
            format!("{:.1}", outcome.gigabytes_per_s(SKEL)),
        ]);
        Ok(())
    };
    saxpy(&hand, options.n, on, &mut race)?;
    dot(&hand, options.n, on, &mut race)?;
    stencil(&hand, side, on, &mut race)?;
    scan(&hand, options.n, on, &mut race)?;
    println!("{}", table.markdown());
    Ok(())
}

/// Runs a contest.
type Racing<'r> = &'r mut dyn FnMut(Contest<'_>) -> Result<(), Box<dyn Error>>;

fn bytes_of<T: Copy, const N: usize>(values: &[T], bytes: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    values.iter().flat_map(|value| bytes(*value)).collect()
}

fn saxpy(hand: &Hand, n: usize, on: Device, race: Racing<'_>) -> Result<(), Box<dyn Error>> {
    let x: Vec<f32> = (0..n).map(|i| (i % 1000) as f32).collect();
    let bytes = bytes_of(&x, f32::to_le_bytes);
    let [a, b, c] = [(); 3].map(|()| hand.buffer(&bytes));
    let groups = Hand::grid(n.div_ceil(256));
    let buffers = [(0, &a), (1, &b), (2, &c)];
    let steps = [hand.step(
        include_str!("device_kernels/saxpy.wgsl"),
        "main",
        &[],
        &buffers,
        groups,
    )];
    let f = map!(|x: f32, y: f32| 3.0 * x + y).on(on);
    let x = Vector::from(x);
    let mut z = Vector::filled(n, 0.0_f32);
    hand.run(&steps, None);
    f.run_into((&x, &x), &mut z)?;
    let to = hand.readable(4 * n as u64);
    hand.run(&[], Some((&c, &to)));
    agree(
        "saxpy",
        &hand.read(&to),
        &bytes_of(&z.host()?, f32::to_le_bytes),
    )?;
    race(Contest {
        name: "map: z = k · x + y",
        elems: n,
        bytes: 12 * n,
        hand: Box::new(|| hand.run(&steps, None)),
        skel: Box::new(|| skel::observe(|| f.run_into((&x, &x), &mut z)).0),
    })
}

fn dot(hand: &Hand, n: usize, on: Device, race: Racing<'_>) -> Result<(), Box<dyn Error>> {
    // Small whole numbers: sums are exact, in any order.
    let x: Vec<f32> = (0..n).map(|i| f32::from(u8::from(i % 3 == 0))).collect();
    let bytes = bytes_of(&x, f32::to_le_bytes);
    let (a, b) = (hand.buffer(&bytes), hand.buffer(&bytes));
    let (sums, to) = (hand.buffer(&[0; 4 * 257]), hand.readable(4));
    let source = include_str!("device_kernels/dot.wgsl");
    let steps = [
        hand.step(
            source,
            "groups",
            &[],
            &[(0, &a), (1, &b), (2, &sums)],
            [256, 1],
        ),
        hand.step(source, "all", &[], &[(2, &sums)], [1, 1]),
    ];
    let by_hand = || {
        hand.run(&steps, Some((&sums, &to)));
        hand.read(&to)
    };
    let f = map_reduce!(|x: f32, y: f32| x * y, |a: f32, b: f32| a + b).on(on);
    let x = Vector::from(x);
    agree("dot", &by_hand(), &f.run((&x, &x))?.to_le_bytes())?;
    race(Contest {
        name: "map and reduce: Σ x · y",
        elems: n,
        bytes: 8 * n,
        hand: Box::new(|| {
            std::hint::black_box(by_hand());
        }),
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

fn stencil(hand: &Hand, side: usize, on: Device, race: Racing<'_>) -> Result<(), Box<dyn Error>> {
    let n = side * side;
    let x: Vec<f32> = (0..n).map(|i| (i % 97) as f32).collect();
    let bytes = bytes_of(&x, f32::to_le_bytes);
    let (a, b) = (hand.buffer(&bytes), hand.buffer(&bytes));
    let groups = [side.div_ceil(32) as u32, side.div_ceil(8) as u32];
    let source = include_str!("device_kernels/stencil.wgsl");
    let constants = [("SIDE", side as f64)];
    let steps = [hand.step(source, "main", &constants, &[(0, &a), (1, &b)], groups)];
    let f = map_overlap!(five_points).edge(Edge::Duplicate).on(on);
    let x = Matrix::from_vec(side, side, x)?;
    let mut y = Matrix::filled(side, side, 0.0_f32);
    f.run_into((&x,), &mut y)?;
    hand.run(&steps, None);
    let to = hand.readable(4 * n as u64);
    hand.run(&[], Some((&b, &to)));
    agree(
        "stencil",
        &hand.read(&to),
        &bytes_of(&y.host()?, f32::to_le_bytes),
    )?;
    race(Contest {
        name: "stencil: five points",
        elems: n,
        bytes: 8 * n,
        hand: Box::new(|| hand.run(&steps, None)),
        skel: Box::new(|| skel::observe(|| f.run_into((&x,), &mut y)).0),
    })
}

fn scan(hand: &Hand, n: usize, on: Device, race: Racing<'_>) -> Result<(), Box<dyn Error>> {
    let x: Vec<u32> = (0..n as u32).map(|i| i % 5).collect();
    let bytes = bytes_of(&x, u32::to_le_bytes);
    let (a, b) = (hand.buffer(&bytes), hand.buffer(&bytes));
    let blocks = n.div_ceil(2048);
    let sums = hand.buffer(&vec![0; 4 * blocks]);
    let (source, groups) = (include_str!("device_kernels/scan.wgsl"), Hand::grid(blocks));
    let steps = [
        hand.step(source, "reduce", &[], &[(0, &a), (2, &sums)], groups),
        hand.step(source, "carries", &[], &[(2, &sums)], [1, 1]),
        hand.step(source, "scan", &[], &[(0, &a), (1, &b), (2, &sums)], groups),
    ];
    let f = scan!(|a: u32, b: u32| a + b).on(on);
    let x = Vector::from(x);
    let mut y = Vector::filled(n, 0_u32);
    f.run_into((&x,), &mut y)?;
    hand.run(&steps, None);
    let to = hand.readable(4 * n as u64);
    hand.run(&[], Some((&b, &to)));
    agree(
        "scan",
        &hand.read(&to),
        &bytes_of(&y.host()?, u32::to_le_bytes),
    )?;
    race(Contest {
        name: "scan: y[i] = Σ x[..=i]",
        elems: n,
        bytes: 8 * n,
        hand: Box::new(|| hand.run(&steps, None)),
        skel: Box::new(|| skel::observe(|| f.run_into((&x,), &mut y)).0),
    })
}

/// Both must give the same before they are compared.
fn agree(name: &str, hand: &[u8], skel: &[u8]) -> Result<(), Box<dyn Error>> {
    if hand == skel {
        Ok(())
    } else {
        Err(format!("{name}: the kernel by hand and skel differ").into())
    }
}
