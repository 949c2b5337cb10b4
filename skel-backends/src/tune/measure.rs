//! Rounds over points: in an order that is drawn anew each time, so that what disturbs the machine disturbs
//! all of them.

use super::{options::Options, replay::Bench, stats};
use skel_core::{Result, model::Sample, plan::BlockConfig};
use std::{
    ops::Range,
    time::{Duration, Instant},
};

/// A run is repeated until it takes so long: some thousand steps of the clock.
const SHORTEST_NS: f64 = 30_000.0;
/// And at most so often.
const MOST_RUNS: f64 = 4096.0;

/// What is said to be long enough is longer by this factor: no two runs take the same time.
const MARGIN: f64 = 1.25;

/// What is measured at a point.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    /// These elements, on one unit: the position of a contender.
    Single(usize, Range<usize>),
    /// All elements, on one unit, in this block configuration.
    InBlock(usize, BlockConfig),
    /// The whole call, shared.
    Shared(Vec<crate::context::Part>),
}

/// One point, and what was measured there.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub(super) what: What,
    pub(super) ns: Vec<f64>,
    batch: usize,
}

impl Point {
    pub(super) fn new(what: What) -> Self {
        Point {
            what,
            ns: Vec::new(),
            batch: 1,
        }
    }

    /// The point as a sample, if it was measured.
    pub(super) fn sample(&self) -> Option<Sample> {
        let elems = match &self.what {
            What::Single(_, range) => range.len(),
            What::InBlock(..) => return None,
            What::Shared(parts) => parts.iter().map(|(_, range)| range.len()).sum(),
        };
        Some(Sample {
            elems,
            median_ns: stats::median(&self.ns)?,
            mad_ns: stats::mad(&self.ns)?,
            runs: u32::try_from(self.ns.len() * self.batch).unwrap_or(u32::MAX),
        })
    }

    fn is_done(&self, options: &Options) -> bool {
        let runs = self.ns.len();
        runs >= *options.samples.end()
            || runs >= *options.samples.start() && stats::settled(&self.ns)
    }
}

/// Measures points until all are settled, or the time is over: says whether all have their least number of
/// runs.
///
/// # Errors
/// Those of the calls.
pub(super) fn rounds(
    bench: &mut Bench<'_, '_>,
    indices: &[usize],
    points: &mut [Point],
    options: &Options,
    deadline: Instant,
    dice: &mut Dice,
) -> Result<bool> {
    loop {
        let mut open: Vec<usize> = (0..points.len())
            .filter(|k| !points[*k].is_done(options))
            .collect();
        if open.is_empty() {
            return Ok(true);
        }
        dice.shuffle(&mut open);
        for k in open {
            if Instant::now() >= deadline {
                let least = *options.samples.start();
                return Ok(points.iter().all(|point| point.ns.len() >= least));
            }
            let point = &mut points[k];
            let ns = one(bench, indices, point)?;
            if point.ns.is_empty() && point.batch == 1 && ns < SHORTEST_NS {
                // Too short for the clock: from now on several at a time.
                point.batch = (SHORTEST_NS / ns.max(1.0)).ceil().min(MOST_RUNS) as usize;
                continue;
            }
            point.ns.push(ns);
        }
    }
}

/// How long it would take to measure each point `runs` times, judged by what was measured of it in the time that it
/// `took`, or of the nearest point of the same contender, or else by the contender's first run, which was of all
/// elements.
pub(super) fn least(points: &[Point], runs: usize, took: Duration, first_ns: &[f64]) -> Duration {
    let single = |point: &Point| match &point.what {
        What::Single(contender, range) => Some((*contender, range.len())),
        What::InBlock(..) | What::Shared(_) => None,
    };
    let of_point = |point: &Point| -> f64 {
        let Some((contender, elems)) = single(point) else {
            return 0.0;
        };
        let measured = points.iter().filter_map(|other| {
            let (_, other_elems) = single(other).filter(|(of, _)| *of == contender)?;
            let ns = stats::median(&other.ns)? * other.batch as f64;
            Some((
                other_elems.abs_diff(elems),
                ns * elems as f64 / other_elems.max(1) as f64,
            ))
        });
        let nearest = measured.min_by_key(|(apart, _)| *apart);
        nearest.map_or(first_ns[contender], |(_, ns)| ns)
    };
    let all_ns: f64 = points.iter().map(of_point).sum();
    // Between two measurements, arguments are restored, and sent to devices again.
    let seen_ns: f64 = points
        .iter()
        .map(|p| p.ns.iter().sum::<f64>() * p.batch as f64)
        .sum();
    let pace = (took.as_secs_f64() * 1e9 / seen_ns.max(1.0)).max(1.0);
    let pace = if seen_ns > 0.0 { pace } else { 1.0 };
    Duration::try_from_secs_f64(MARGIN * pace * runs as f64 * all_ns * 1e-9)
        .unwrap_or(Duration::MAX)
}

fn one(bench: &mut Bench<'_, '_>, indices: &[usize], point: &Point) -> Result<f64> {
    match &point.what {
        What::Single(contender, range) => bench.single(indices[*contender], range, point.batch),
        What::InBlock(contender, block) => {
            let (unit, all) = (indices[*contender], 0..bench.elems);
            bench.launch_in(unit, Some(*block));
            let took = bench.single(unit, &all, point.batch);
            bench.launch_in(unit, None);
            took
        }
        What::Shared(parts) => bench.shared(parts, point.batch),
    }
}

/// Random numbers for orders: SplitMix64, by its author's constants.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Dice(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Every order is as likely as any other, but for what is left of 2⁶⁴.
    fn shuffle(&mut self, items: &mut [usize]) {
        for k in (1..items.len()).rev() {
            let other = self.next() % (k as u64 + 1);
            items.swap(k, other as usize);
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn the_dice_are_the_published_ones() {
        // The first outputs for seed 1234567, as published with the generator's reference code.
        let mut dice = Dice::new(1_234_567);
        let drawn: Vec<u64> = (0..3).map(|_| dice.next()).collect();
        assert_eq!(
            drawn,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn what_is_missing_takes_as_long_as_what_was_measured() {
        let point = |contender, elems, ns: &[f64], batch| Point {
            ns: ns.to_vec(),
            batch,
            ..Point::new(What::Single(contender, 0..elems))
        };
        let points = [
            point(0, 10, &[200.0, 100.0, 300.0], 5),
            // As that of 100, ten times as long.
            point(0, 1000, &[], 1),
            point(0, 100, &[3000.0], 1),
            // Of this contender, only the first run is known.
            point(1, 10, &[], 1),
        ];
        let once_ns = f64::from(5 * 200 + 10 * 3000 + 3000 + 70_000);
        // What was measured takes 6000 ns, and took twice as long with all that is between.
        let took = Duration::from_nanos(12_000);
        let all = least(&points, 7, took, &[1.0, 70_000.0]).as_secs_f64();
        assert!(
            (all / (MARGIN * 2.0 * 7.0 * once_ns * 1e-9) - 1.0).abs() < 1e-6,
            "{all}"
        );
        let first = least(&points[3..], 1, took, &[1.0, 8e9]).as_secs_f64();
        assert!((first - MARGIN * 8.0).abs() < 1e-9, "{first}");
        assert_eq!(
            least(&points, 7, took, &[1.0, f64::INFINITY]),
            Duration::MAX
        );
    }

    #[test]
    fn shuffling_loses_nothing() {
        let (mut items, mut dice) = ((0..100).collect::<Vec<_>>(), Dice::new(5));
        dice.shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
