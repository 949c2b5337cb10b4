//! Inputs and comparisons.

use super::{Failure, Outcome};
use crate::{Element, Error};
use std::{fmt::Debug, hint::black_box, panic::catch_unwind, sync::LazyLock};

/// A type with sample values and a notion of equal bits.
pub(super) trait Sample: Element + Debug {
    /// Some value, by number; many are different.
    fn sample(i: usize) -> Self;

    /// What counts in a comparison.
    fn bits(self) -> u64;
}

/// Whether this build checks for overflow: then what wraps on devices is a trap on the CPU, and in oracles.
pub(super) static CHECKS_OVERFLOW: LazyLock<bool> =
    LazyLock::new(|| catch_unwind(|| black_box(i32::MAX) + black_box(1)).is_err());

/// By how many bits integers are shifted to the right: where overflow is checked for, sums of squares have none.
fn shift() -> u32 {
    if *CHECKS_OVERFLOW { 25 } else { 0 }
}

/// Scrambles a number (the finaliser of MurmurHash3).
pub(super) fn scramble(i: usize) -> u32 {
    let mut x = (i as u64).wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    x = (x ^ (x >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    (x ^ (x >> 33)) as u32
}

macro_rules! samples {
    ($($t:ident |$i:ident| $sample:expr, |$x:ident| $bits:expr;)*) => { $(
        impl Sample for $t {
            fn sample($i: usize) -> Self {
                $sample
            }

            fn bits(self) -> u64 {
                let $x = self;
                $bits
            }
        }
    )* };
}
samples! {
    f32 |i| scramble(i) as i32 as f32 / 65536.0, |x| u64::from(x.to_bits());
    f64 |i| f64::from(scramble(i) as i32) / 65536.0, |x| x.to_bits();
    i32 |i| scramble(i) as i32 >> shift(), |x| u64::from(x as u32);
    u32 |i| scramble(i) >> shift(), |x| u64::from(x);
    bool |i| scramble(i).is_multiple_of(3), |x| u64::from(x);
}

/// `n` samples; `salt` tells one input from another.
pub(super) fn input<T: Sample>(n: usize, salt: usize) -> Vec<T> {
    (0..n).map(|i| T::sample(i + 1000 * salt)).collect()
}

/// Both must have the same bits.
pub(super) fn same<T: Sample>(what: &str, found: &[T], expected: &[T]) -> Outcome {
    if found.len() != expected.len() {
        let (found, expected) = (found.len(), expected.len());
        return Err(Failure::Wrong(format!(
            "{what}: {found} elements instead of {expected}"
        )));
    }
    match found
        .iter()
        .zip(expected)
        .position(|(a, b)| a.bits() != b.bits())
    {
        None => Ok(()),
        Some(i) => {
            let (a, b, n) = (found[i], expected[i], found.len());
            Err(Failure::Wrong(format!(
                "{what}: element {i} of {n} is {a:?} instead of {b:?}"
            )))
        }
    }
}

/// What came instead of the error that a call must give: a refusal is none.
pub(super) fn instead<T: Debug>(wanted: &str, found: crate::Result<T>) -> Failure {
    match found {
        Err(error @ Error::Unsupported { .. }) => Failure::Unsupported(error),
        found => Failure::Wrong(format!("{wanted}: {found:?}")),
    }
}

/// Both must have the same bits.
pub(super) fn same_value<T: Sample>(what: &str, found: T, expected: T) -> Outcome {
    same(what, &[found], &[expected])
}
