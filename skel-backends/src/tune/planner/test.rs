//! Plans against machines of two units whose times are laws, with noise: what is lost against the best share.

use super::*;
use crate::tune::measure::took;
use skel_model::{SizedCurve, UnitModel};
use skel_tasks::SplitMix;

const ELEMS: usize = 1 << 20;

/// What an element costs on a unit, by its place from 0 to 1, and what a run costs beside.
#[derive(Debug)]
struct Law {
    per_elem_ns: f64,
    latency_ns: f64,
    /// From so many elements of a part on, each costs so many times as much.
    knee: (f64, f64),
}

/// A machine, and a run of numbers that its noise is drawn from.
struct Machine {
    laws: [(UnitId, Law); 2],
    /// Places in this part of the call cost so many times as much.
    dense: (f64, f64, f64),
    noise: f64,
    dice: SplitMix,
    /// This run takes 100 times as long.
    outlier: u64,
    runs: u64,
}

impl Machine {
    fn drawn(seed: u64) -> Machine {
        let mut dice = SplitMix::new(seed);
        let mut between = |least: f64, most: f64| least + (most - least) * dice.unit();
        let mut law = |unit: UnitId, latency_ns: f64| {
            let law = Law {
                per_elem_ns: 10_f64.powf(between(0.0, 1.5)),
                latency_ns: latency_ns * between(0.0, 1.0),
                knee: (ELEMS as f64 * between(0.02, 2.0), between(1.0, 3.0)),
            };
            (unit, law)
        };
        let laws = [
            law(UnitId::Cpu, 20_000.0),
            law(UnitId::device("mock", "a", 0), 500_000.0),
        ];
        let from = between(0.0, 0.9);
        let factor = if seed.is_multiple_of(2) {
            1.0
        } else {
            between(0.1, 20.0)
        };
        Machine {
            laws,
            dense: (from, from + between(0.05, 0.5), factor),
            noise: [0.0, 0.02, 0.05, 0.2][(seed % 4) as usize],
            outlier: (between(0.0, 60.0)) as u64,
            dice: SplitMix::new(seed ^ 0xabcd),
            runs: 0,
        }
    }

    /// How many usual elements those of a range cost.
    fn weight(&self, from: f64, to: f64) -> f64 {
        let n = ELEMS as f64;
        let (dense_from, dense_to, factor) = self.dense;
        let inside = (to.min(dense_to * n) - from.max(dense_from * n)).max(0.0);
        to - from + (factor - 1.0) * inside
    }

    fn part_ns(&self, unit: &UnitId, elems: usize) -> f64 {
        let (_, law) = self.laws.iter().find(|(known, _)| known == unit).unwrap();
        let (n, k) = (ELEMS as f64, elems as f64);
        let (from, to) = if *unit == UnitId::Cpu {
            (0.0, k)
        } else {
            (n - k, n)
        };
        let (knee, steeper) = law.knee;
        // What lies beyond the knee, counted from where the unit begins.
        let beyond = (k - knee).max(0.0);
        let (near, far) = match *unit == UnitId::Cpu {
            true => (self.weight(from, to - beyond), self.weight(to - beyond, to)),
            false => (
                self.weight(from + beyond, to),
                self.weight(from, from + beyond),
            ),
        };
        law.latency_ns + law.per_elem_ns * (near + steeper * far)
    }

    fn true_ns(&self, what: &Measurement) -> f64 {
        match what {
            Measurement::Part(unit, elems) => self.part_ns(unit, *elems),
            Measurement::Split(sizes) => {
                let parts = sizes.iter().map(|(unit, n)| self.part_ns(unit, *n));
                2_000.0 + parts.fold(0.0, f64::max)
            }
        }
    }

    fn measure(&mut self, what: &Measurement) -> f64 {
        self.runs += 1;
        let outlier = if self.runs == self.outlier {
            100.0
        } else {
            1.0
        };
        // What disturbs makes runs slower.
        self.true_ns(what) * (1.0 + self.noise * self.dice.unit()) * outlier
    }

    fn best_ns(&self) -> f64 {
        let cpu = |k: usize| k * ELEMS / 200;
        let times = (0..=200).map(|k| {
            let sizes = vec![
                (self.laws[0].0.clone(), cpu(k)),
                (self.laws[1].0.clone(), ELEMS - cpu(k)),
            ];
            self.given_ns(&sizes)
        });
        times.fold(f64::INFINITY, f64::min)
    }

    fn given_ns(&self, sizes: &Sizes) -> f64 {
        let taking: Sizes = sizes.iter().filter(|(_, n)| *n > 0).cloned().collect();
        match &taking[..] {
            [(unit, n)] => self.part_ns(unit, *n),
            _ => self.true_ns(&Measurement::Split(taking)),
        }
    }

    /// What calls are given by a model, and by how much that is slower than at best.
    fn regret(&self, model: &ClassModel) -> f64 {
        let sizes = match model.verified() {
            Some(shares) => {
                let size = |share: f64| (share * ELEMS as f64).round() as usize;
                shares
                    .into_iter()
                    .map(|(unit, share)| (unit, size(share)))
                    .collect()
            }
            None => predicted(model)[0].clone(),
        };
        self.given_ns(&sizes) / self.best_ns() - 1.0
    }
}

fn predicted(model: &ClassModel) -> Vec<Sizes> {
    let units: Vec<&UnitModel> = model.units.iter().collect();
    let decided = model.decide_by_curves(model.elems, &units, SizedCurve::own);
    let sizes = decided.map(|decided| {
        let sizes = units.iter().zip(decided.sizes);
        let taking = sizes.filter(|(_, n)| *n > 0);
        taking.map(|(unit, n)| (unit.unit.clone(), n)).collect()
    });
    sizes.into_iter().collect()
}

fn begun(machine: &Machine) -> Evidence {
    let mut evidence = Evidence::new(ELEMS, 0);
    evidence.units = machine.laws.iter().map(|(unit, _)| unit.clone()).collect();
    evidence
}

/// Measures as a session does, until nothing is planned or `stop` runs are made.
fn measured(machine: &mut Machine, evidence: &mut Evidence, options: &Options, stop: usize) {
    let planner = Planner {
        options,
        predicted: &predicted,
        can_divide: true,
    };
    loop {
        let mut round = planner.next(evidence);
        if round.is_empty() {
            return;
        }
        SplitMix::new(evidence.runs() as u64).shuffle(&mut round);
        for what in round {
            if evidence.runs() >= stop {
                return;
            }
            let ns = machine.measure(&what);
            evidence.add(what, ns);
        }
    }
}

#[test]
fn the_best_share_is_found_whatever_the_laws() {
    let options = Options::default();
    // The longest of this crate's tests: on two threads.
    let regrets = |seeds: std::ops::Range<u64>| {
        let regret = |seed| {
            let mut machine = Machine::drawn(seed);
            let mut evidence = begun(&machine);
            measured(&mut machine, &mut evidence, &options, usize::MAX);
            let regret = machine.regret(&evidence.model().unwrap());
            (regret, machine.noise, seed)
        };
        seeds.map(regret).collect::<Vec<(f64, f64, u64)>>()
    };
    let regrets = std::thread::scope(|scope| {
        let first = scope.spawn(|| regrets(0..40));
        [regrets(40..80), first.join().unwrap()].concat()
    });
    // Where runs differ by a fifth, fifty of them leave some hundredths open.
    let (loud, quiet): (Vec<_>, Vec<_>) = regrets.iter().partition(|(_, noise, _)| *noise > 0.1);
    let lost =
        |most: f64, of: &[(f64, f64, u64)]| of.iter().filter(|(lost, ..)| *lost > most).count();
    assert_eq!(lost(0.03, &quiet), 0, "{regrets:.3?}");
    assert!(
        lost(0.03, &loud) <= 1 && lost(0.06, &loud) == 0,
        "{regrets:.3?}"
    );
}

/// The mean regret over all machines, stopped after so many runs.
fn mean_regret(stop: usize) -> f64 {
    let options = Options::default();
    let regrets = (0..60).map(|seed| {
        let mut machine = Machine::drawn(seed);
        let mut evidence = begun(&machine);
        measured(&mut machine, &mut evidence, &options, stop);
        machine.regret(&evidence.model().expect("whole calls come first"))
    });
    regrets.sum::<f64>() / 60.0
}

#[test]
fn there_is_a_model_from_the_first_runs_on_and_more_time_makes_it_better() {
    let stops = [2, 7, 15, 40, 100, 400];
    let regrets = stops.map(mean_regret);
    for (pair, stop) in regrets.windows(2).zip(stops) {
        assert!(pair[1] <= pair[0] + 0.003, "{stop}: {regrets:?}");
    }
    // Without a split, a call loses what the other unit could have done.
    assert!(
        regrets[0] > 0.3 && regrets[4] < 0.02 && regrets[5] < 0.01,
        "{regrets:?}"
    );
}

/// What is expected after the first whole calls, by what measuring takes then.
#[test]
fn what_is_expected_is_about_what_it_takes() {
    let options = Options::default();
    let total_ns = |evidence: &Evidence| -> f64 {
        let runs = evidence.points().iter().flat_map(|point| &point.runs_ns);
        runs.map(|ns| took(*ns, false).as_nanos() as f64).sum()
    };
    let mut ratios: Vec<f64> = (0..60)
        .map(|seed| {
            let mut machine = Machine::drawn(seed);
            let mut evidence = begun(&machine);
            measured(&mut machine, &mut evidence, &options, 2);
            let planner = Planner {
                options: &options,
                predicted: &predicted,
                can_divide: true,
            };
            let expected = planner.expected(&evidence, false).expect("a model");
            let before_ns = total_ns(&evidence);
            measured(&mut machine, &mut evidence, &options, usize::MAX);
            expected.as_nanos() as f64 / (total_ns(&evidence) - before_ns)
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    assert!(
        ratios[6] > 0.25 && ratios[53] < 4.0 && (0.5..2.0).contains(&ratios[30]),
        "{ratios:.2?}"
    );
}

#[test]
fn a_model_follows_from_the_runs_alone_wherever_they_end() {
    let options = Options::quick();
    for seed in 0..20 {
        let mut whole = Machine::drawn(seed);
        let mut all = begun(&whole);
        measured(&mut whole, &mut all, &options, 60);
        for stop in [1, 2, 3, 5, 11, 29] {
            let mut machine = Machine::drawn(seed);
            let mut evidence = begun(&machine);
            measured(&mut machine, &mut evidence, &options, stop);
            // Another process has read what this one wrote, and no more.
            let mut read = begun(&machine);
            for point in evidence.points() {
                for ns in &point.runs_ns {
                    read.add(point.what.clone(), *ns);
                }
            }
            assert_eq!(read.model(), evidence.model());
        }
        assert!(all.runs() <= 60);
    }
}

/// A sweep is never divided: what parts would take is not worth knowing, and parts cannot be run.
#[test]
fn what_cannot_be_divided_is_measured_as_a_whole() {
    let options = Options::default();
    let planner = Planner {
        options: &options,
        predicted: &predicted,
        can_divide: false,
    };
    let mut machine = Machine::drawn(3);
    let mut evidence = begun(&machine);
    loop {
        let round = planner.next(&evidence);
        if round.is_empty() {
            break;
        }
        for what in round {
            assert!(
                matches!(what, Measurement::Part(_, ELEMS)),
                "{what:?} of a whole"
            );
            let ns = machine.measure(&what);
            evidence.add(what, ns);
        }
    }
    let model = evidence.model().expect("a model");
    let fastest = |unit: &UnitId| machine.part_ns(unit, ELEMS);
    let best_ns = machine.laws.iter().map(|(unit, _)| fastest(unit));
    let best_ns = best_ns.fold(f64::INFINITY, f64::min);
    let shares = model.verified().expect("a whole call");
    assert_eq!(shares.len(), 1);
    assert!(fastest(&shares[0].0) <= 1.01 * best_ns, "{shares:?}");
    assert!(model.measured.iter().all(|m| m.sample.runs >= 3));
    // Of calls of other sizes, too, one unit takes all.
    let units: Vec<&UnitModel> = model.units.iter().collect();
    let decided = model.decide_by_curves(ELEMS / 3, &units, SizedCurve::own);
    let taking = decided.expect("a decision").sizes;
    assert_eq!(taking.iter().filter(|n| **n > 0).count(), 1);
}

/// One thread is measured where all of them are done soon. A run that another program held up does not say that they
/// are not.
#[test]
fn short_calls_are_measured_on_one_thread() {
    let options = Options::default();
    let planner = Planner {
        options: &options,
        predicted: &predicted,
        can_divide: true,
    };
    let asked = |runs_ns: &[f64]| {
        let mut evidence = Evidence::new(ELEMS, 0);
        evidence.units = vec![UnitId::Sequential, UnitId::Cpu];
        let (whole, one_thread) = (
            evidence.whole(&UnitId::Cpu),
            evidence.whole(&UnitId::Sequential),
        );
        for ns in runs_ns {
            evidence.add(whole.clone(), *ns);
        }
        planner.next(&evidence).contains(&one_thread)
    };
    assert!(asked(&[10_000.0]));
    assert!(asked(&[4_000_000.0, 3_000_000.0, 10_000.0]));
    assert!(!asked(&[4_000_000.0, 3_000_000.0, 2_000_000.0]));
}

/// A run on some units goes on with the evidence of all.
#[test]
fn only_units_that_are_there_are_planned() {
    for (seed, stop) in [(0, usize::MAX), (1, 40), (2, 7)] {
        let mut machine = Machine::drawn(seed);
        let mut evidence = begun(&machine);
        measured(&mut machine, &mut evidence, &Options::quick(), stop);
        let earlier = evidence.points().to_vec();
        evidence.units = vec![UnitId::Cpu];
        // More runs are asked for than there are.
        let options = Options::default();
        let planner = Planner {
            options: &options,
            predicted: &predicted,
            can_divide: true,
        };
        let mut planned = 0;
        loop {
            let round = planner.next(&evidence);
            if round.is_empty() {
                break;
            }
            for what in round {
                assert!(
                    matches!(what, Measurement::Part(UnitId::Cpu, _)),
                    "{what:?} without a device"
                );
                planned += 1;
                let ns = machine.measure(&what);
                evidence.add(what, ns);
            }
        }
        assert!(planned > 0, "seed {seed}");
        let device = &machine.laws[1].0;
        let of_device = |what: &Measurement| match what {
            Measurement::Part(unit, _) => unit == device,
            Measurement::Split(sizes) => sizes.iter().any(|(unit, _)| unit == device),
        };
        for point in earlier.iter().filter(|point| of_device(&point.what)) {
            assert_eq!(evidence.runs_ns(&point.what), point.runs_ns);
        }
        // Nor does its model name a unit of which it has no curve.
        let model = evidence.model().expect("a whole call");
        assert_eq!(model.best, Some(vec![(UnitId::Cpu, 1.0)]));
    }
}
