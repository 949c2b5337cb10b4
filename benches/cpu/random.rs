//! π by random points, beside generators that are made for one thread each: by hand, sixteen of them in step.

use crate::{Done, Goal, HAND, PLAIN, RAYON, Row, SKEL, by_hand::total, vectorised};
use rayon::prelude::*;
use skel::prelude::*;
use std::f64::consts::PI;
use tuner::{Budget, Race};

/// Points of an element, and how many elements there are.
const POINTS: u32 = 64;
const ELEMS: usize = 1 << 18;

pub(crate) fn rows() -> Vec<Row> {
    let name = format!("π from {} random points", ELEMS * POINTS as usize);
    vec![Row::new(name, Goal::OfRayon(1.0), race)]
}

#[user_function]
fn hits(rng: &mut Random, #[uniform] points: u32) -> u32 {
    let mut hits = 0;
    for _ in 0..points {
        let (x, y) = (rng.uniform_f32(), rng.uniform_f32());
        if x * x + y * y < 1.0 {
            hits += 1;
        }
    }
    hits
}

/// xoshiro128+ of D. Blackman and S. Vigna: less work than Philox, but its numbers follow from those before them,
/// so they depend on how a range is divided.
struct Xoshiro<const N: usize>([[u32; N]; 4]);

impl<const N: usize> Xoshiro<N> {
    fn new(seed: u64) -> Self {
        let mut mixed = seed;
        Xoshiro(std::array::from_fn(|_| {
            std::array::from_fn(|_| {
                // SplitMix64.
                mixed = mixed.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let z = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                (z >> 32) as u32
            })
        }))
    }

    #[inline(always)]
    fn uniform(&mut self) -> [f32; N] {
        let ([a, b, c, d], mut uniform) = (&mut self.0, [0.0; N]);
        // A loop, since a closure is compiled for the instructions of this function only where it is inlined.
        for l in 0..N {
            let drawn = a[l].wrapping_add(d[l]);
            let shifted = b[l] << 9;
            c[l] ^= a[l];
            d[l] ^= b[l];
            b[l] ^= c[l];
            a[l] ^= d[l];
            c[l] ^= shifted;
            d[l] = d[l].rotate_left(11);
            uniform[l] = (drawn >> 8) as f32 * (1.0 / 16_777_216.0);
        }
        uniform
    }

    /// How many of `rounds` times `N` points are inside.
    #[inline(always)]
    fn hits(&mut self, rounds: usize) -> u32 {
        let mut hits = [0; N];
        for _ in 0..rounds {
            let (x, y) = (self.uniform(), self.uniform());
            for l in 0..N {
                hits[l] += u32::from(x[l] * x[l] + y[l] * y[l] < 1.0);
            }
        }
        hits.iter().sum()
    }
}

vectorised! {
    fn in_step(seed: u64, points: usize) -> u32 {
        Xoshiro::<16>::new(seed).hits(points / 16)
    }
}

fn race(name: &str, budget: &Budget) -> Done {
    let points = ELEMS * POINTS as usize;
    let skel = map_reduce!(hits, |a: u32, b: u32| a + b).seed(1).on(Cpu);
    let plain = || Xoshiro::<1>::new(1).hits(points);
    let rayon = || {
        let elements = (0..ELEMS as u64).into_par_iter();
        elements
            .map(|i| Xoshiro::<1>::new(i).hits(POINTS as usize))
            .sum::<u32>()
    };
    let hand = || total(points, 4, |part| in_step(part.start as u64, part.len()));
    let run = || skel.run_shaped(ELEMS, (POINTS,));
    for found in [plain(), rayon(), hand(), run()?] {
        let estimate = 4.0 * f64::from(found) / points as f64;
        assert!((estimate - PI).abs() < 5.0 * (PI * (4.0 - PI) / points as f64).sqrt());
    }
    let race = Race::new(name, points, 8 * points)
        .contender(PLAIN, plain)
        .contender(RAYON, rayon)
        .contender(HAND, hand)
        .contender(SKEL, run);
    Ok(race.run(budget))
}
