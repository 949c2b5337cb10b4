//! How much slower calls are that are split by what was fitted, against the best split, when time is a line
//! and measuring is noisy.

use crate::{Sample, fit};

/// SplitMix64.
struct Noise(u64);

impl Noise {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// About 1, with a standard deviation of 3 %; one of twenty is an outlier, up to four times as long.
    fn factor(&mut self) -> f64 {
        let normal = (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0;
        let outlier = if self.uniform() < 0.05 {
            1.0 + 3.0 * self.uniform()
        } else {
            1.0
        };
        (1.0 + 0.03 * normal) * outlier
    }
}

/// Slope and latency.
type Law = (f64, f64);
const CPU: Law = (1.0, 5_000.0);
const DEVICE: Law = (0.8, 12_000.0);
const ELEMS: usize = 32 << 10;

fn time((slope, latency): Law, elems: f64) -> f64 {
    if elems > 0.0 {
        slope * elems + latency
    } else {
        0.0
    }
}

/// The CPU's elements at which the two end together, as equation 4 of the paper says, or all or nothing.
fn split(cpu: Law, device: Law) -> f64 {
    let n = ELEMS as f64;
    let balanced = (device.0 * n + device.1 - cpu.1) / (cpu.0 + device.0);
    let balanced = if balanced.is_finite() {
        balanced.clamp(0.0, n)
    } else {
        n
    };
    let ns = |k: &f64| time(cpu, *k).max(time(device, n - k));
    let candidates = [0.0, balanced.round(), n];
    candidates
        .into_iter()
        .min_by(|a, b| ns(a).total_cmp(&ns(b)))
        .unwrap()
}

/// The slowdowns of 400 tuned programs, sorted.
fn slowdowns(sizes: &[usize], fitted: impl Fn(&[(usize, Vec<f64>)]) -> Law) -> Vec<f64> {
    let n = ELEMS as f64;
    let taken = |k: f64| time(CPU, k).max(time(DEVICE, n - k));
    let least = (0..=ELEMS)
        .map(|k| taken(k as f64))
        .fold(f64::INFINITY, f64::min);
    let mut slowdowns: Vec<f64> = (0..400)
        .map(|seed| {
            let mut noise = Noise(seed);
            let mut tuned = |law: Law| {
                let mut runs = |n: &usize| {
                    let run = |_| time(law, *n as f64) * noise.factor();
                    (*n, (0..5).map(run).collect())
                };
                let measured: Vec<(usize, Vec<f64>)> = sizes.iter().map(&mut runs).collect();
                fitted(&measured)
            };
            taken(split(tuned(CPU), tuned(DEVICE))) / least
        })
        .collect();
    slowdowns.sort_by(f64::total_cmp);
    slowdowns
}

fn ours(measured: &[(usize, Vec<f64>)]) -> Law {
    let sample = |(n, runs): &(usize, Vec<f64>)| Sample::of(*n, runs);
    let samples: Vec<Sample> = measured.iter().filter_map(sample).collect();
    let found = fit(&samples).expect("there are samples");
    (found.slope_ns, found.latency_ns)
}

/// Ordinary least squares on means.
fn ordinary(measured: &[(usize, Vec<f64>)]) -> Law {
    let count = measured.len() as f64;
    let mean = |runs: &[f64]| runs.iter().sum::<f64>() / runs.len() as f64;
    let points: Vec<(f64, f64)> = measured.iter().map(|(n, r)| (*n as f64, mean(r))).collect();
    let (x, y) = points
        .iter()
        .fold((0.0, 0.0), |s, p| (s.0 + p.0 / count, s.1 + p.1 / count));
    let covariance: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    let slope = covariance / points.iter().map(|p| (p.0 - x).powi(2)).sum::<f64>();
    (slope.max(0.0), y - slope * x)
}

/// Ten sizes from 1 Ki to 1 Mi.
fn geometric() -> Vec<usize> {
    (0..10)
        .map(|k| (1024.0 * 1024.0_f64.powf(f64::from(k) / 9.0)).round() as usize)
        .collect()
}

fn linear() -> Vec<usize> {
    (0..10).map(|k| 1024 + k * ((1 << 20) - 1024) / 9).collect()
}

#[test]
fn relative_weights_come_close_to_the_oracle() {
    let ours = slowdowns(&geometric(), ours);
    let (median, late) = (ours[200], ours[380]);
    assert!(
        median < 1.01 && late <= 1.02,
        "median {median}, 95th percentile {late}"
    );
}

#[test]
fn ordinary_least_squares_on_linear_sizes_and_means_do_not() {
    let (ours, ordinary) = (
        slowdowns(&geometric(), ours),
        slowdowns(&linear(), ordinary),
    );
    assert!(ordinary[380] > 1.1, "95th percentile {}", ordinary[380]);
    assert!(ordinary[200] > ours[200] && ordinary[380] > ours[380]);
}
