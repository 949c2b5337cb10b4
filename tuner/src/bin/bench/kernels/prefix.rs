//! Sums of prefixes.

use super::contest::Contest;
use rayon::prelude::*;
use skel::prelude::*;

/// What is read and what is written. The numbers are whole, so that every order of additions gives the
/// same sums.
#[derive(Clone, PartialEq)]
pub(super) struct Arrays {
    x: Vec<f64>,
    y: Vec<f64>,
}

impl Arrays {
    pub(super) fn new(n: usize) -> Self {
        Arrays {
            x: (0..n).map(|i| (i % 3) as f64).collect(),
            y: vec![0.0; n],
        }
    }
}

/// The sums of what precedes each element, and itself.
fn prefixes(x: &[f64], y: &mut [f64], before: f64) {
    let mut sum = before;
    for (y, x) in y.iter_mut().zip(x) {
        sum += x;
        *y = sum;
    }
}

/// In two passes: the sums of parts, then the prefixes of each part.
fn by_hand(s: &mut Arrays) -> f64 {
    let part = s.x.len().div_ceil(4 * rayon::current_num_threads()).max(1);
    let parts = s.x.par_chunks(part);
    let sums: Vec<f64> = parts.clone().map(|part| part.iter().sum()).collect();
    let mut before = vec![0.0; sums.len() + 1];
    prefixes(&sums, &mut before[1..], 0.0);
    let outputs = s.y.par_chunks_mut(part);
    outputs
        .zip(parts)
        .zip(before)
        .for_each(|((y, x), before)| prefixes(x, y, before));
    0.0
}

/// The scan.
pub(super) fn contest(n: usize, target: &Target) -> Contest<Arrays> {
    let sums = scan!(|a: f64, b: f64| a + b).on(target.clone());
    Contest {
        name: "scan: y[i] = Σ x[..=i]".into(),
        elems: n,
        bytes: 16 * n,
        plain: |s| {
            prefixes(&s.x, &mut s.y, 0.0);
            0.0
        },
        rayon: by_hand,
        skel: Box::new(move |s| sums.run_into((&s.x,), &mut s.y).map(|()| 0.0)),
    }
}

#[cfg(test)]
mod test {
    use super::{super::contest::test::all_agree, *};

    #[test]
    fn all_contenders_compute_the_same() {
        for n in [1, 1000, 100_001] {
            let mut arrays = Arrays::new(n);
            arrays.x[0] = 5.0;
            all_agree(&[contest(n, &Cpu.into())], &arrays);
        }
    }
}
