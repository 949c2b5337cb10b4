//! Rounds over points: in an order that is drawn anew each time, so that what disturbs the machine disturbs
//! all of them.

use super::{options::Options, replay::Bench, stats};
use skel_core::{Result, model::Sample, plan::BlockConfig};
use std::{ops::Range, time::Instant};

/// A run is repeated until it takes so long: some thousand steps of the clock.
const SHORTEST_NS: f64 = 30_000.0;
/// And at most so often.
const MOST_RUNS: f64 = 4096.0;

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
    fn shuffling_loses_nothing() {
        let (mut items, mut dice) = ((0..100).collect::<Vec<_>>(), Dice::new(5));
        dice.shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
