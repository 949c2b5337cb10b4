//! A thousand million random floats of 64 bits: the largest error of each function, against the C library's functions of
//! `long double`. `cargo xtask mathematics` compiles these and runs it, once for each change of a function; some half an
//! hour on two cores.

use super::{
    double::{ONE, TWO, same, unit, words},
    told,
};
use crate::ir::Builtin;
use std::{
    env,
    ffi::OsString,
    io::{Read, Write},
    process::{Command, Stdio},
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

/// Arguments are taken by blocks of so many.
const BLOCK: usize = 4096;
const BLOCKS: u64 = 1_000_000_000_u64.div_ceil(BLOCK as u64);

/// A float of any magnitude, one between ±512, or one near to ±1.
fn float(word: &mut impl FnMut() -> u64) -> f64 {
    let kind = word();
    let wide = (word() as f64 / 1.8e16 - 512.0) / (1_u64 << (kind >> 60)) as f64;
    match kind & 3 {
        0 => f64::from_bits(word()),
        1 | 2 => wide,
        _ => 1.0_f64.copysign(wide) + wide / (1_u64 << (word() >> 58).min(60)) as f64,
    }
}

/// The second argument of a function of two: any, such that powers are finite, or one of about the same magnitude.
fn beside(x: f64, word: &mut impl FnMut() -> u64) -> f64 {
    let y = word() as f64 / 1.8e16;
    match word() % 3 {
        0 => f64::from_bits(word()),
        1 => (y - 512.0) * 2.0 / x.abs().log2(),
        _ => x * (0.5 + y / 300.0),
    }
}

/// Where a function has its largest error.
#[derive(Clone, Copy, Default)]
struct Worst {
    /// In units in the last place.
    error: f64,
    at: (f64, f64),
}

/// Those of each thread; each has an oracle of its own.
fn worst(
    exact: &OsString,
    builtin: Builtin,
    ours: &(impl Fn(f64, f64) -> f64 + Sync),
    arity: usize,
) -> Worst {
    let next = AtomicU64::new(0);
    let work = || {
        let mut oracle = Command::new(exact)
            .arg(builtin.name())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (mut asked, mut told) = (oracle.stdin.take().unwrap(), oracle.stdout.take().unwrap());
        let mut found = Worst::default();
        let mut answers = vec![0; BLOCK * 16];
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= BLOCKS {
                break;
            }
            let mut word = words(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let args: Vec<(f64, f64)> = (0..BLOCK)
                .map(|_| {
                    let x = float(&mut word);
                    (
                        x,
                        if arity == 2 {
                            beside(x, &mut word)
                        } else {
                            0.0
                        },
                    )
                })
                .collect();
            let bytes: Vec<u8> = args
                .iter()
                .flat_map(|(x, y)| [x.to_ne_bytes(), y.to_ne_bytes()].into_iter().take(arity))
                .flatten()
                .collect();
            asked.write_all(&bytes).unwrap();
            told.read_exact(&mut answers).unwrap();
            let float = |bytes: &[u8]| f64::from_ne_bytes(bytes.try_into().unwrap());
            for ((x, y), answer) in args.into_iter().zip(answers.chunks_exact(16)) {
                let (nearest, more) = (float(&answer[..8]), float(&answer[8..]));
                let got = ours(x, y);
                let error = match same(got, nearest) {
                    true => more.abs(),
                    // Where one is a number and the other is none, they differ by infinitely many or by NaN.
                    false => match ((got - nearest) / unit(nearest) - more).abs() {
                        error if error.is_nan() => f64::INFINITY,
                        error => error,
                    },
                };
                if error > found.error {
                    found = Worst { error, at: (x, y) };
                }
            }
        }
        drop(asked);
        assert!(oracle.wait().unwrap().success());
        found
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let found = threads.into_iter().map(|thread| thread.join().unwrap());
        found.max_by(|a, b| a.error.total_cmp(&b.error)).unwrap()
    })
}

#[test]
#[ignore = "takes half an hour: cargo xtask mathematics"]
fn errors_of_a_thousand_million_floats() {
    let exact =
        env::var_os("SKEL_EXACT").expect("the program that cargo xtask mathematics compiles");
    let of_one = ONE.map(|(builtin, ours, ..)| {
        let worst = worst(&exact, builtin, &|x, _| ours(x), 1);
        say(builtin, worst)
    });
    let of_two = TWO.map(|(builtin, ours, ..)| {
        let worst = worst(&exact, builtin, &|x, y| ours(x, y), 2);
        say(builtin, worst)
    });
    let wrong: Vec<String> = of_one.into_iter().chain(of_two).flatten().collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Prints a row of the page; says what is wrong with it there.
fn say(builtin: Builtin, Worst { error, at }: Worst) -> Option<String> {
    let (name, told) = (builtin.name(), told(builtin, "f64"));
    println!("| `{name}` | {error:.4} | 10⁹ random | at {at:?}");
    // Not the other way: some worst cases are known from elsewhere (`hard_cases.txt`).
    (error > told).then(|| format!("`{name}` is {error} off, and {told} is told"))
}
