//! Maps: triad, a polynomial, a hash with a loop, `exp`, `sin`.

use crate::{
    Done, Goal, HAND, NDARRAY, PLAIN, RAYON, Row, SKEL, by_hand, doubles, floats, vectorised,
};
use ndarray::{ArrayView1, ArrayViewMut1, Zip};
use rayon::prelude::*;
use skel::prelude::*;
use std::cell::RefCell;
use tuner::{Budget, Race};

pub(crate) fn rows(largest: usize) -> Vec<Row> {
    type OfOne = fn(&str, usize, &Budget) -> Done;
    let n = 1 << 20;
    let all: [(&str, OfOne, usize, f64); 9] = [
        ("triad f64", triad_of, largest, 0.95),
        ("triad f64", triad_of, 1 << 16, 0.95),
        ("polynomial f32", polynomial_of, 1_000, 0.95),
        ("polynomial f32", polynomial_of, 10_000, 0.95),
        ("polynomial f32", polynomial_of, n, 0.95),
        ("polynomial f32", polynomial_of, largest, 0.95),
        ("hash u32", hash_of, n, 0.95),
        ("exp f32", exp_of, n, 2.0),
        ("sin f32", sin_of, n, 2.0),
    ];
    all.map(|(what, race, n, goal)| {
        let name = format!("{what}, {n}");
        Row::new(name, Goal::OfHand(goal), move |name, budget| {
            race(name, n, budget)
        })
    })
    .into()
}

#[user_function(lanes = off)]
fn triad(b: f64, c: f64, #[uniform] s: f64) -> f64 {
    b + s * c
}

#[user_function]
fn polynomial(x: f32) -> f32 {
    let high = 0.3 + x * (0.7 + x * (0.11 + x * (0.05 + x * 0.02)));
    let low = 1.1 + x * (0.9 + x * (0.4 + x * (0.21 + x * 0.07)));
    high * low - x * high
}

#[user_function]
fn hash(x: u32) -> u32 {
    let mut h = x ^ 0x9e37_79b9;
    for round in 0..16 {
        h = (h ^ (h >> 16))
            .wrapping_mul(0x85eb_ca6b)
            .wrapping_add(round);
        h = h.rotate_left(13);
    }
    h
}

#[user_function]
fn exponential(x: f32) -> f32 {
    x.exp()
}

/// std's, which calls the C library's.
fn std_exp(x: f32) -> f32 {
    f32::exp(x)
}

#[user_function]
fn sine(x: f32) -> f32 {
    x.sin()
}

fn std_sin(x: f32) -> f32 {
    f32::sin(x)
}

/// Streaming stores where the result does not stay in a cache.
pub(crate) fn triad_by_hand(b: &[f64], c: &[f64], s: f64, out: &mut [f64]) {
    #[cfg(target_arch = "x86_64")]
    if out.len() >= 1 << 22 && is_x86_feature_detected!("avx2") {
        return by_hand::fill(out, |at, out| {
            let r = at..at + out.len();
            // SAFETY: the machine has the features.
            unsafe { triad_streamed(&b[r.clone()], &c[r], s, out) }
        });
    }
    by_hand::fill(out, |at, out| {
        let r = at..at + out.len();
        triad_cached(&b[r.clone()], &c[r], s, out);
    });
}

vectorised! {
    fn triad_cached(b: &[f64], c: &[f64], s: f64, out: &mut [f64]) {
        for ((out, b), c) in out.iter_mut().zip(b).zip(c) {
            *out = b + s * c;
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn triad_streamed(b: &[f64], c: &[f64], s: f64, out: &mut [f64]) {
    use std::arch::x86_64::{
        _mm_sfence, _mm256_add_pd, _mm256_loadu_pd, _mm256_mul_pd, _mm256_set1_pd, _mm256_stream_pd,
    };
    assert!(b.len() == out.len() && c.len() == out.len());
    let before = out.as_ptr().align_offset(32).min(out.len());
    let scale = _mm256_set1_pd(s);
    for k in 0..before {
        out[k] = b[k] + s * c[k];
    }
    let whole = before + (out.len() - before) / 4 * 4;
    for k in (before..whole).step_by(4) {
        // SAFETY: four elements from k on are in all three, and there `out` is aligned.
        unsafe {
            let x = _mm256_loadu_pd(b.as_ptr().add(k));
            let y = _mm256_loadu_pd(c.as_ptr().add(k));
            let z = _mm256_add_pd(x, _mm256_mul_pd(scale, y));
            _mm256_stream_pd(out.as_mut_ptr().add(k), z);
        }
    }
    for k in whole..out.len() {
        out[k] = b[k] + s * c[k];
    }
    _mm_sfence();
}

fn triad_of(name: &str, n: usize, budget: &Budget) -> Done {
    let (b, c, s) = (doubles(n), doubles(n), 0.4);
    let skel = map!(triad).on(Cpu);
    let expected: Vec<f64> = b.iter().zip(&c).map(|(b, c)| b + s * c).collect();
    let out = RefCell::new(vec![0.0; n]);
    triad_by_hand(&b, &c, s, &mut out.borrow_mut());
    assert!(*out.borrow() == expected, "by hand");
    out.borrow_mut().fill(0.0);
    skel.run_into((&b, &c, s), &mut out.borrow_mut()[..])?;
    assert!(*out.borrow() == expected, "skel");
    let race = Race::new(name, n, 24 * n)
        .contender(PLAIN, || {
            for ((out, b), c) in out.borrow_mut().iter_mut().zip(&b).zip(&c) {
                *out = b + s * c;
            }
        })
        .contender(RAYON, || {
            let mut out = out.borrow_mut();
            out.par_iter_mut()
                .zip(&b)
                .zip(&c)
                .for_each(|((out, b), c)| *out = b + s * c);
        })
        .contender(NDARRAY, || {
            let mut out = out.borrow_mut();
            let (b, c) = (ArrayView1::from(&b), ArrayView1::from(&c));
            Zip::from(ArrayViewMut1::from(&mut out[..]))
                .and(b)
                .and(c)
                .for_each(|out, b, c| *out = b + s * c);
        })
        .contender(HAND, || triad_by_hand(&b, &c, s, &mut out.borrow_mut()))
        .contender(SKEL, || {
            skel.run_into((&b, &c, s), &mut out.borrow_mut()[..])
        });
    Ok(race.run(budget))
}

/// A race of a function of one element: its name, type, elements, the plain function, its loop by hand.
macro_rules! of_one {
    ($race:ident, $function:ident, $plain:ident, $t:ty, $data:expr, $is_same:expr) => {
        fn $race(name: &str, n: usize, budget: &Budget) -> Done {
            vectorised! {
                fn by_vectors(x: &[$t], out: &mut [$t]) {
                    for (x, out) in x.iter().zip(out) {
                        *out = $plain(*x);
                    }
                }
            }
            let x: Vec<$t> = $data(n);
            let skel = map!($function).on(Cpu);
            let expected: Vec<$t> = x.iter().map(|x| $plain(*x)).collect();
            let out = RefCell::new(vec![<$t>::default(); n]);
            // Lanes are measured in the first calls.
            for _ in 0..3 {
                skel.run_into((&x,), &mut out.borrow_mut()[..])?;
                let is_same: fn($t, $t) -> bool = $is_same;
                for (a, b) in out.borrow().iter().zip(&expected) {
                    assert!(is_same(*a, *b), "{a} and {b}");
                }
            }
            let hand = |out: &mut [$t]| {
                by_hand::fill(out, |at, out| by_vectors(&x[at..at + out.len()], out));
            };
            let race = Race::new(name, n, 2 * n * size_of::<$t>())
                .contender(PLAIN, || {
                    for (x, out) in x.iter().zip(out.borrow_mut().iter_mut()) {
                        *out = $plain(*x);
                    }
                })
                .contender(RAYON, || {
                    let mut out = out.borrow_mut();
                    out.par_iter_mut()
                        .zip(&x)
                        .for_each(|(out, x)| *out = $plain(*x));
                })
                .contender(HAND, || hand(&mut out.borrow_mut()))
                .contender(SKEL, || skel.run_into((&x,), &mut out.borrow_mut()[..]));
            Ok(race.run(budget))
        }
    };
}
fn words(n: usize) -> Vec<u32> {
    (0_u32..).take(n).collect()
}
of_one!(
    polynomial_of,
    polynomial,
    polynomial,
    f32,
    floats,
    |a, b| a == b
);
of_one!(hash_of, hash, hash, u32, words, |a, b| a == b);
of_one!(exp_of, exponential, std_exp, f32, floats, is_close);
of_one!(sin_of, sine, std_sin, f32, floats, is_close);

fn is_close(a: f32, b: f32) -> bool {
    (a / b - 1.0).abs() < 1e-6
}
