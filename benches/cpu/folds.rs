//! Sums, dot products and scans.

use crate::{
    Done, Goal, HAND, NDARRAY, PLAIN, RAYON, Row, SKEL, by_hand, doubles, floats, integers,
    vectorised,
};
use ndarray::ArrayView1;
use rayon::prelude::*;
use skel::prelude::*;
use std::cell::RefCell;
use tuner::{Budget, Race};

pub(crate) fn rows(largest: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    for n in [1_000, 10_000, 1_000_000, largest] {
        rows.push(Row::new(
            format!("sum f32, {n}"),
            Goal::OfHand(0.95),
            move |name, budget| sum_f32(name, n, budget),
        ));
    }
    rows.push(Row::new(
        format!("sum f64, {largest}"),
        Goal::OfHand(0.95),
        move |name, budget| sum_f64(name, largest, budget),
    ));
    for n in [10_000, 1_000_000] {
        rows.push(Row::new(
            format!("sum i32, {n}"),
            Goal::OfHand(0.95),
            move |name, budget| sum_i32(name, n, budget),
        ));
    }
    for n in [10_000, 1_000_000, largest] {
        rows.push(Row::new(
            format!("dot f32, {n}"),
            Goal::OfHand(0.95),
            move |name, budget| dot(name, n, budget),
        ));
    }
    for n in [10_000, 100_000, 10_000_000.min(largest)] {
        rows.push(Row::new(
            format!("scan f32, {n}"),
            Goal::OfHand(0.95),
            move |name, budget| scan(name, n, budget),
        ));
    }
    rows
}

macro_rules! lanes_sum {
    ($name:ident, $t:ty) => {
        vectorised! {
            /// In 64 accumulators.
            pub(crate) fn $name(x: &[$t]) -> $t {
                let (rows, rest) = x.as_chunks::<64>();
                let mut sums = [<$t>::default(); 64];
                for row in rows {
                    for (sum, x) in sums.iter_mut().zip(row) {
                        *sum += *x;
                    }
                }
                sums.iter().sum::<$t>() + rest.iter().sum::<$t>()
            }
        }
    };
}
lanes_sum!(sum_of_floats, f32);
lanes_sum!(sum_of_doubles, f64);
lanes_sum!(sum_of_integers, i32);

vectorised! {
    /// In 64 accumulators.
    fn dot_of(x: &[f32], y: &[f32]) -> f32 {
        let ((xs, x_rest), (ys, y_rest)) = (x.as_chunks::<64>(), y.as_chunks::<64>());
        let mut sums = [0.0; 64];
        for (x, y) in xs.iter().zip(ys) {
            for k in 0..64 {
                sums[k] += x[k] * y[k];
            }
        }
        let rest: f32 = x_rest.iter().zip(y_rest).map(|(x, y)| x * y).sum();
        sums.iter().sum::<f32>() + rest
    }
}

macro_rules! sum {
    ($name:ident, $t:ty, $data:ident, $lanes:ident) => {
        fn $name(name: &str, n: usize, budget: &Budget) -> Done {
            let x = $data(n);
            let sum = reduce!(|a: $t, b: $t| a + b).on(Cpu);
            let hand = || by_hand::total(n, size_of::<$t>(), |r| $lanes(&x[r]));
            let exact: f64 = x.iter().map(|x| f64::from(*x)).sum();
            for found in [sum.run((&x,))?, hand()] {
                assert!((f64::from(found) / exact - 1.0).abs() < 1e-4, "{found}");
            }
            let race = Race::new(name, n, n * size_of::<$t>())
                .contender(PLAIN, || x.iter().sum::<$t>())
                .contender(RAYON, || x.par_iter().sum::<$t>())
                .contender(NDARRAY, || ArrayView1::from(&x).sum())
                .contender(HAND, hand)
                .contender(SKEL, || sum.run((&x,)));
            Ok(race.run(budget))
        }
    };
}
sum!(sum_f32, f32, floats, sum_of_floats);
sum!(sum_f64, f64, doubles, sum_of_doubles);
sum!(sum_i32, i32, integers, sum_of_integers);

fn dot(name: &str, n: usize, budget: &Budget) -> Done {
    let (x, y) = (floats(n), floats(n));
    let dot = map_reduce!(|x: f32, y: f32| x * y, |a: f32, b: f32| a + b).on(Cpu);
    let hand = || by_hand::total(n, 8, |r| dot_of(&x[r.clone()], &y[r]));
    let exact: f64 = x.iter().zip(&y).map(|(x, y)| f64::from(x * y)).sum();
    for found in [dot.run((&x, &y))?, hand()] {
        assert!((f64::from(found) / exact - 1.0).abs() < 1e-4, "{found}");
    }
    let race = Race::new(name, n, 8 * n)
        .contender(PLAIN, || x.iter().zip(&y).map(|(x, y)| x * y).sum::<f32>())
        .contender(RAYON, || {
            x.par_iter().zip(&y).map(|(x, y)| x * y).sum::<f32>()
        })
        .contender(NDARRAY, || ArrayView1::from(&x).dot(&ArrayView1::from(&y)))
        .contender(HAND, hand)
        .contender(SKEL, || dot.run((&x, &y)));
    Ok(race.run(budget))
}

/// By doubling reaches in blocks of 8, whose totals are added up beside; returns what comes next.
fn scan_by_blocks(x: &[f32], y: &mut [f32], carry: f32) -> f32 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the machine has the feature.
        return unsafe { scan_wide(x, y, carry) };
    }
    scan_plainly(x, y, carry)
}

fn scan_plainly(x: &[f32], y: &mut [f32], mut carry: f32) -> f32 {
    for (x, y) in x.iter().zip(y) {
        carry += *x;
        *y = carry;
    }
    carry
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn scan_wide(x: &[f32], y: &mut [f32], carry: f32) -> f32 {
    use std::arch::x86_64::{
        __m256, _mm256_add_ps, _mm256_castps_si256, _mm256_castsi256_ps, _mm256_cvtss_f32,
        _mm256_loadu_ps, _mm256_permute_ps, _mm256_permute2f128_ps, _mm256_set1_ps,
        _mm256_slli_si256, _mm256_storeu_ps,
    };
    #[target_feature(enable = "avx2")]
    fn shifted<const BYTES: i32>(x: __m256) -> __m256 {
        _mm256_castsi256_ps(_mm256_slli_si256::<BYTES>(_mm256_castps_si256(x)))
    }
    let ((blocks, rest), (outs, out_rest)) = (x.as_chunks::<8>(), y.as_chunks_mut::<8>());
    let mut before = _mm256_set1_ps(carry);
    for (x, y) in blocks.iter().zip(outs) {
        // SAFETY: eight elements.
        let x = unsafe { _mm256_loadu_ps(x.as_ptr()) };
        let x = _mm256_add_ps(x, shifted::<4>(x));
        let x = _mm256_add_ps(x, shifted::<8>(x));
        // The total of the lower half is added to the upper half.
        let lower = _mm256_permute_ps::<0xff>(_mm256_permute2f128_ps::<0x08>(x, x));
        let x = _mm256_add_ps(x, lower);
        let total = _mm256_permute_ps::<0xff>(_mm256_permute2f128_ps::<0x11>(x, x));
        // SAFETY: eight elements.
        unsafe { _mm256_storeu_ps(y.as_mut_ptr(), _mm256_add_ps(x, before)) };
        before = _mm256_add_ps(before, total);
    }
    scan_plainly(rest, out_rest, _mm256_cvtss_f32(before))
}

/// Two passes: totals of chunks, then each from its carry.
fn scan_by_hand(x: &[f32], y: &mut [f32]) {
    let chunk = by_hand::chunk_elems(x.len(), 8);
    if chunk >= x.len() {
        scan_by_blocks(x, y, 0.0);
        return;
    }
    let totals: Vec<f32> = x.par_chunks(chunk).map(sum_of_floats).collect();
    let mut carry = 0.0;
    let carries: Vec<f32> = totals
        .iter()
        .map(|total| {
            let before = carry;
            carry += total;
            before
        })
        .collect();
    let parts = x.par_chunks(chunk).zip(y.par_chunks_mut(chunk));
    parts.zip(&carries).for_each(|((x, y), carry)| {
        scan_by_blocks(x, y, *carry);
    });
}

/// As people write it, there being no scan in rayon: totals, carries, and plain loops.
fn scan_in_chunks(x: &[f32], y: &mut [f32]) {
    let chunk = x.len().div_ceil(rayon::current_num_threads()).max(1);
    let totals: Vec<f32> = x.par_chunks(chunk).map(|x| x.iter().sum()).collect();
    let parts = x.par_chunks(chunk).zip(y.par_chunks_mut(chunk));
    parts.enumerate().for_each(|(k, (x, y))| {
        let mut sum: f32 = totals[..k].iter().sum();
        for (x, y) in x.iter().zip(y) {
            sum += *x;
            *y = sum;
        }
    });
}

fn scan(name: &str, n: usize, budget: &Budget) -> Done {
    let x = floats(n);
    let prefix = scan!(|a: f32, b: f32| a + b).on(Cpu);
    let out = RefCell::new(vec![0.0_f32; n]);
    let mut exact = 0.0_f64;
    let expected: Vec<f64> = x
        .iter()
        .map(|x| {
            exact += f64::from(*x);
            exact
        })
        .collect();
    let check = |what: &str| {
        for (found, expected) in out.borrow().iter().zip(&expected) {
            assert!((f64::from(*found) / expected - 1.0).abs() < 1e-4, "{what}");
        }
        out.borrow_mut().fill(0.0);
    };
    scan_by_hand(&x, &mut out.borrow_mut());
    check(HAND);
    scan_in_chunks(&x, &mut out.borrow_mut());
    // Long sums, one after the other, are off by more.
    out.borrow_mut().fill(0.0);
    prefix.run_into((&x,), &mut out.borrow_mut()[..])?;
    check(SKEL);
    let race = Race::new(name, n, 8 * n)
        .contender(PLAIN, || {
            let mut sum = 0.0;
            for (x, y) in x.iter().zip(out.borrow_mut().iter_mut()) {
                sum += *x;
                *y = sum;
            }
        })
        .contender(RAYON, || scan_in_chunks(&x, &mut out.borrow_mut()))
        .contender(HAND, || scan_by_hand(&x, &mut out.borrow_mut()))
        .contender(SKEL, || prefix.run_into((&x,), &mut out.borrow_mut()[..]));
    Ok(race.run(budget))
}
