//! Simulated machines: what units take is a function, noise included.

use crate::policy::adaptive::*;
use proptest::prelude::*;

/// A unit that takes so long for so many elements.
type Unit = Box<dyn Fn(f64) -> f64>;

fn linear(latency: f64, slope: f64) -> Unit {
    Box::new(move |n| latency + slope * n)
}

/// One call: what each unit took, and the whole.
fn call(units: &[Unit], sizes: &[usize], mut noise: impl FnMut() -> f64) -> (Vec<f64>, f64) {
    let busy: Vec<f64> = units
        .iter()
        .zip(sizes)
        .map(|(unit, n)| {
            if *n == 0 {
                0.0
            } else {
                unit(*n as f64) * noise()
            }
        })
        .collect();
    let whole = busy.iter().copied().fold(0.0, f64::max);
    (busy, whole)
}

/// What the call takes without noise.
fn takes(units: &[Unit], sizes: &[usize]) -> f64 {
    call(units, sizes, || 1.0).1
}

/// The best that can be had, by trying all splits in steps of half a percent.
fn oracle(units: &[Unit], elems: usize) -> f64 {
    fn split(units: &[Unit], elems: usize, step: usize, sizes: &mut Vec<usize>, best: &mut f64) {
        let left = elems - sizes.iter().sum::<usize>();
        if sizes.len() + 1 == units.len() {
            sizes.push(left);
            *best = best.min(takes(units, sizes));
            sizes.pop();
            return;
        }
        for size in (0..left).step_by(step).chain([left]) {
            sizes.push(size);
            split(units, elems, step, sizes, best);
            sizes.pop();
        }
    }
    let mut best = f64::INFINITY;
    split(units, elems, elems / 200, &mut Vec::new(), &mut best);
    best
}

/// SplitMix64, and of it numbers that are nearly normal.
struct Noise(u64, f64);

impl Noise {
    fn even(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn factor(&mut self) -> f64 {
        let sum: f64 = (0..4).map(|_| self.even()).sum();
        1.0 + self.1 * (sum - 2.0) * 3.0_f64.sqrt()
    }
}

fn run(shares: &mut Adaptive, units: &[Unit], elems: usize, calls: usize, noise: &mut Noise) {
    for _ in 0..calls {
        let sizes = shares.sizes(elems);
        assert_eq!(sizes.iter().sum::<usize>(), elems);
        let (busy, _) = call(units, &sizes, || noise.factor());
        shares.learn(&sizes, &busy);
    }
}

/// A trial of one unit alone takes three calls at most.
fn end_trial(shares: &mut Adaptive, units: &[Unit], noise: &mut Noise) {
    let is_trial = |shares: &Adaptive| shares.shares().contains(&1.0);
    for _ in 0..3 {
        if is_trial(shares) {
            run(shares, units, N, 1, noise);
        }
    }
}

const N: usize = 100_000;

proptest! {
    #[test]
    fn from_any_beginning_four_calls_are_enough(
        start in proptest::collection::vec(0.0..1.0_f64, 2..4),
        corner in 0_usize..6,
        slopes in proptest::collection::vec(-1.5..1.5_f64, 3),
        latencies in proptest::collection::vec(0.0..0.3_f64, 3),
    ) {
        let count = start.len();
        let slopes: Vec<f64> = slopes.iter().map(|s| 10_f64.powf(*s)).collect();
        // In parts of what all of it would take together.
        let together = N as f64 / slopes[..count].iter().map(|s| 1.0 / s).sum::<f64>();
        let units: Vec<Unit> = (0..count)
            .map(|k| linear(latencies[k] * together, slopes[k]))
            .collect();
        // Also all for one.
        let start: Vec<f64> = match corner {
            k if k < count => (0..count).map(|u| f64::from(u8::from(u == k))).collect(),
            _ => start,
        };
        let best = oracle(&units, N);
        let mut shares = Adaptive::starting(&start);
        run(&mut shares, &units, N, 4, &mut Noise(0, 0.0));
        let found = takes(&units, &shares.sizes(N));
        prop_assert!(found <= 1.1 * best, "{found} {best}");
        run(&mut shares, &units, N, 16, &mut Noise(0, 0.0));
        let found = takes(&units, &shares.sizes(N));
        prop_assert!(found <= 1.05 * best, "{found} {best}");
    }

    #[test]
    fn noise_does_not_make_it_wander(seed: u64, speed in 0.2..5.0_f64) {
        let units = [linear(0.0, speed), linear(0.0, 1.0)];
        let best = 1.0 / (1.0 + speed);
        let mut noise = Noise(seed, 0.05);
        let mut shares = Adaptive::new(2);
        run(&mut shares, &units, N, 20, &mut noise);
        let (mut changes, mut alone, mut far) = (0, 0, 0);
        for _ in 0..300 {
            let before = shares.shares();
            run(&mut shares, &units, N, 1, &mut noise);
            changes += usize::from(before != shares.shares());
            let share = shares.shares()[0];
            if share == 0.0 || share == 1.0 {
                // A trial of the faster unit alone, where that takes little longer.
                alone += 1;
                continue;
            }
            let (found, least) = (takes(&units, &shares.sizes(N)), speed * best * N as f64);
            far += usize::from((share - best).abs() >= 0.12 || found > 1.3 * least);
        }
        // One in some ten thousand noises lets one unit be alone until the next trial of sharing, or goes farther than
        // the others for a few calls.
        prop_assert!(changes <= 30 && alone <= 160 && far <= 8, "{changes} {alone} {far}");
    }

    #[test]
    fn it_follows_a_machine_whose_load_changes(seed: u64, factor in 2.0..8.0_f64, which in 0_usize..2) {
        let mut noise = Noise(seed, 0.03);
        let mut shares = Adaptive::new(2);
        let calm = [linear(5_000.0, 1.0), linear(8_000.0, 1.0)];
        run(&mut shares, &calm, N, 50, &mut noise);
        let of = |k| if k == which { factor } else { 1.0 };
        let loaded = [linear(5_000.0 * of(0), of(0)), linear(8_000.0 * of(1), of(1))];
        run(&mut shares, &loaded, N, 8, &mut noise);
        end_trial(&mut shares, &loaded, &mut noise);
        let (found, best) = (takes(&loaded, &shares.sizes(N)), oracle(&loaded, N));
        prop_assert!(found <= 1.2 * best, "{found} {best}");
        // And back. If the load has left one unit alone, that sharing pays again is found by the next trial.
        run(&mut shares, &calm, N, 8, &mut noise);
        end_trial(&mut shares, &calm, &mut noise);
        let is_alone = shares.shares().contains(&1.0);
        run(&mut shares, &calm, N, if is_alone { 48 } else { 0 }, &mut noise);
        end_trial(&mut shares, &calm, &mut noise);
        let (found, best) = (takes(&calm, &shares.sizes(N)), oracle(&calm, N));
        prop_assert!(found <= 1.2 * best, "{found} {best}");
    }

    #[test]
    fn nonsense_is_survived(
        sizes in proptest::collection::vec(0_usize..10, 0..5),
        busy in proptest::collection::vec(
            prop_oneof![Just(f64::NAN), Just(0.0), Just(f64::INFINITY), Just(-1.0), 0.0..1e18_f64],
            0..5,
        ),
        start in proptest::collection::vec(
            prop_oneof![Just(f64::NAN), Just(0.0), Just(f64::MAX), Just(-1.0), 0.0..1.0_f64],
            1..4,
        ),
    ) {
        let mut shares = Adaptive::starting(&start);
        for elems in [0, 1, 2, 3, 1000] {
            shares.learn(&sizes, &busy);
            let next = shares.shares();
            prop_assert!(next.iter().all(|share| (0.0..=1.0 + 1e-9).contains(share)), "{next:?}");
            prop_assert!((next.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{next:?}");
            let next = shares.sizes(elems);
            prop_assert_eq!(next.iter().sum::<usize>(), elems);
            shares.learn(&next, &busy);
        }
    }
}

#[test]
fn a_device_that_never_pays_is_given_up() {
    // Before it begins, the CPU is done.
    let units = [linear(0.0, 1.0), linear(3.0 * N as f64, 0.01)];
    let (mut shares, mut noise) = (Adaptive::new(2), Noise(7, 0.03));
    let mut tried = Vec::new();
    for k in 0..2_000 {
        tried.extend((shares.sizes(N)[1] > 0).then_some(k));
        run(&mut shares, &units, N, 1, &mut noise);
    }
    assert!(tried.len() < 16, "{tried:?}");
    // Ever more seldom.
    assert!(
        tried.iter().filter(|k| **k > 1_000).count() <= 2,
        "{tried:?}"
    );
    // Until it pays.
    let pays = [linear(0.0, 1.0), linear(0.0, 0.2)];
    run(&mut shares, &pays, N, 1_100, &mut noise);
    let share = shares.shares()[1];
    assert!((share - 5.0 / 6.0).abs() < 0.08, "{share}");
}

#[test]
fn the_first_call_of_a_device_may_compile_its_kernel() {
    let units = [linear(0.0, 1.0), linear(100.0, 0.25)];
    let mut shares = Adaptive::new(2);
    let sizes = shares.sizes(N);
    let (mut busy, _) = call(&units, &sizes, || 1.0);
    busy[1] += 1e9;
    shares.learn(&sizes, &busy);
    run(&mut shares, &units, N, 4, &mut Noise(0, 0.0));
    let found = takes(&units, &shares.sizes(N));
    assert!(found <= 1.05 * oracle(&units, N), "{found}");
}

#[test]
fn elements_that_are_not_alike_are_no_obstacle() {
    // The CPU has the first ones, the device the last ones, which cost most: the integral of 3x².
    let cost = |x: f64| N as f64 * x.powi(3);
    let cpu: Unit = Box::new(move |n| cost(n / N as f64));
    let device: Unit = Box::new(move |n| 0.5 * (cost(1.0) - cost(1.0 - n / N as f64)));
    let units = [cpu, device];
    for start in [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]] {
        let mut shares = Adaptive::starting(&start);
        run(&mut shares, &units, N, 16, &mut Noise(0, 0.0));
        let found = takes(&units, &shares.sizes(N));
        assert!(found <= 1.06 * oracle(&units, N), "{start:?} {found}");
    }
}

#[test]
fn shares_are_parts_of_one_whatever_the_magnitudes() {
    // Beside 10¹⁷ ns, the moment at which all end is rounded to a multiple of 16 ns.
    let line = || {
        let mut line = Line::first(100.0, 1e17);
        line.go_through(400.0, 1e17 + 304.0);
        line
    };
    let lines = vec![(0, line()), (1, line())];
    let (sizes, _) = best(500.0, &lines).unwrap();
    let off = (sizes.iter().sum::<f64>() - 500.0).abs();
    assert!(off > 1.0, "{sizes:?} are no case of this");
    let mut shares = Adaptive::new(2);
    shares.adopt(500.0, lines, &sizes);
    assert_eq!(shares.shares(), [0.5, 0.5]);
}

#[test]
fn nothing_and_one_element() {
    let mut shares = Adaptive::new(3);
    for elems in [0, 1, 0, 1, 1] {
        let sizes = shares.sizes(elems);
        assert_eq!(sizes.iter().sum::<usize>(), elems);
        let busy: Vec<f64> = sizes.iter().map(|n| 10.0 * *n as f64).collect();
        shares.learn(&sizes, &busy);
    }
    assert_eq!(Adaptive::new(1).sizes(17), [17]);
}

/// Units that are half as fast while another one is at work.
fn in_each_others_way(shares: &mut Adaptive, slower: f64, calls: usize, noise: &mut Noise) -> f64 {
    let mut sum = 0.0;
    for _ in 0..calls {
        let sizes = shares.sizes(N);
        let both = sizes.iter().all(|n| *n > 0);
        let units = [linear(0.0, 1.0), linear(0.0, 4.0)];
        let factor = if both { slower } else { 1.0 };
        let (busy, whole) = call(&units, &sizes, || factor * noise.factor());
        shares.learn(&sizes, &busy);
        sum += whole;
    }
    sum / calls as f64
}

#[test]
fn units_that_are_in_each_others_way_do_not_share() {
    let (mut shares, mut noise) = (Adaptive::new(2), Noise(5, 0.03));
    // By their lines they gain a fifth of what sharing makes half as long again.
    in_each_others_way(&mut shares, 1.5, 20, &mut noise);
    let mean = in_each_others_way(&mut shares, 1.5, 400, &mut noise);
    assert!(mean < 1.03 * N as f64, "{mean}");
    // Until they are not any more.
    in_each_others_way(&mut shares, 1.0, 300, &mut noise);
    let mean = in_each_others_way(&mut shares, 1.0, 400, &mut noise);
    assert!(mean < 0.83 * N as f64, "{mean}");
}

#[test]
fn a_load_on_the_unit_that_is_alone_is_noticed() {
    let (mut shares, mut noise) = (Adaptive::new(2), Noise(5, 0.03));
    in_each_others_way(&mut shares, 1.5, 400, &mut noise);
    // Now the first unit is the slow one.
    let loaded = [linear(0.0, 8.0), linear(0.0, 4.0)];
    run(&mut shares, &loaded, N, 40, &mut noise);
    let (found, best) = (takes(&loaded, &shares.sizes(N)), oracle(&loaded, N));
    assert!(found <= 1.1 * best, "{found} {best}");
}
