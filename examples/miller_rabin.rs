//! Counts the primes below a power of ten by the test of Miller and Rabin, against the known numbers.
//!
//! `cargo run --release --example miller_rabin -- --power 8`

mod support;

use clap::Parser;
use skel::prelude::*;
use std::process::ExitCode;
use support::{Backend, Result, check, report};

/// Counts primes
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    backend: Backend,
    /// Counts the primes below 10^K
    #[arg(long, default_value_t = 7, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=9))]
    power: u32,
}

/// Each composite number below 4,759,123,141 is found out by one of these (Jaeschke, 1993).
const WITNESSES: [u64; 3] = [2, 7, 61];

#[user_function]
fn power_mod(base: u64, exponent: u64, modulus: u64) -> u64 {
    let mut result = 1;
    let mut square = base % modulus;
    let mut rest = exponent;
    while rest > 0 {
        if rest % 2 == 1 {
            result = result * square % modulus;
        }
        square = square * square % modulus;
        rest /= 2;
    }
    result
}

/// Whether `n` = `odd` · 2^`twos` + 1 looks like a prime to the witness.
#[user_function]
fn passes(n: u64, odd: u64, twos: u32, witness: u64) -> bool {
    let mut x = power_mod(witness, odd, n);
    if x <= 1 || x == n - 1 {
        return true;
    }
    for _square in 1..twos {
        x = x * x % n;
        if x == n - 1 {
            return true;
        }
    }
    false
}

/// 1 for a prime.
#[user_function]
fn prime(at: Index1) -> u32 {
    let n = at.i as u64;
    if n < 3 || n.is_multiple_of(2) {
        return (n == 2) as u32;
    }
    let twos = (n - 1).trailing_zeros();
    let odd = (n - 1) >> twos;
    for witness in WITNESSES {
        if !passes(n, odd, twos, witness) {
            return 0;
        }
    }
    1
}

#[user_function]
fn add<T: Number>(a: T, b: T) -> T {
    a + b
}

/// π(10), π(10²), … (OEIS A006880).
const KNOWN: [u32; 9] = [
    4, 25, 168, 1_229, 9_592, 78_498, 664_579, 5_761_455, 50_847_534,
];

fn main() -> ExitCode {
    support::main(run)
}

fn run(options: Options) -> Result {
    let count = map_reduce!(prime, add).on(options.backend.target()?);

    let (primes, report) = report::of(|| count.run_shaped(10_usize.pow(options.power), ()))?;
    println!("{primes} primes below 10^{}", options.power);
    report.print();
    let known = KNOWN[options.power as usize - 1];
    check(primes == known, || format!("{primes} instead of {known}"))
}
