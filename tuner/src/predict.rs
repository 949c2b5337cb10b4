//! What a model says of calls, of the size that was measured and of others, and what the library does then.

use skel::{
    model::{
        ClassModel, InstanceModel, Measured, SizedCurve, Sizes, UnitId, UnitModel, decide::distance,
    },
    schedule::UnitCost,
};

/// What is predicted for a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// The fastest way: which unit takes how much.
    pub shares: Vec<(UnitId, f64)>,
    /// Its time.
    pub ns: f64,
    /// The fastest unit alone.
    pub single: UnitId,
    /// Its time.
    pub single_ns: f64,
}

/// Predicts a call of just the size that was measured, all of whose elements lie where they are needed.
/// `None` without any model.
#[must_use]
pub fn predict(class: &ClassModel) -> Option<Prediction> {
    by_curves(class, class.elems, SizedCurve::own)
}

/// The same of a call of `elems` elements to which this class is nearest. `sizes` is of the class's instance.
#[must_use]
pub fn predict_at(class: &ClassModel, sizes: &Sizes, elems: usize) -> Option<Prediction> {
    by_curves(class, elems, |unit| sizes.curve(class, unit, elems))
}

fn by_curves<'m>(
    class: &'m ClassModel,
    elems: usize,
    sized: impl Fn(&'m UnitModel) -> SizedCurve<'m>,
) -> Option<Prediction> {
    let units: Vec<&UnitModel> = class.units.iter().collect();
    let found = class.decide_by_curves(elems, &units, sized)?;
    let share = |size: usize| size as f64 / elems.max(1) as f64;
    let sizes = units.iter().zip(&found.sizes).filter(|(_, n)| **n > 0);
    Some(Prediction {
        shares: sizes.map(|(u, n)| (u.unit.clone(), share(*n))).collect(),
        ns: found.ns,
        single: units[found.single].unit.clone(),
        single_ns: found.single_ns,
    })
}

/// What is known of the calls of a class. Times of whole calls are measured ones, wherever there are any.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassSummary {
    /// The unit that was measured to be the fastest alone. None if no whole call on one unit was measured.
    pub single: Option<(UnitId, f64)>,
    /// Which unit takes how much.
    pub shares: Vec<(UnitId, f64)>,
    /// The time then.
    pub ns: f64,
    /// Whether a call with just these shares was measured; else its time is predicted.
    pub is_measured: bool,
}

impl ClassSummary {
    /// How many times as fast as the fastest unit alone, if both were measured.
    #[must_use]
    pub fn gain(&self) -> Option<f64> {
        let (_, single_ns) = self.single.as_ref()?;
        (self.is_measured && self.ns > 0.0).then(|| single_ns / self.ns)
    }
}

/// What calls of a class are given, and what it brings. `None` without any model.
#[must_use]
pub fn outcome(instance: &InstanceModel, class: &ClassModel) -> Option<ClassSummary> {
    let shares = chosen(instance, class)?;
    let measured = measured_ns(class, &shares);
    let single = class.measured_single();
    let single = single.and_then(|m| Some((m.single()?.clone(), m.sample.median_ns)));
    Some(ClassSummary {
        single,
        ns: measured.unwrap_or_else(|| shared_ns(class, &shares)),
        is_measured: measured.is_some(),
        shares,
    })
}

/// The time of a call of the class's size with just these shares, if that was measured.
fn measured_ns(class: &ClassModel, shares: &[(UnitId, f64)]) -> Option<f64> {
    let same = class
        .measured
        .iter()
        .find(|m| distance(&m.shares, shares) < 1e-6);
    same.map(|m| m.sample.median_ns)
}

/// The shares that calls of a class are given, by the rules of the library: what was chosen together with
/// other calls, or else what was verified, or else what is predicted.
#[must_use]
pub fn chosen(instance: &InstanceModel, class: &ClassModel) -> Option<Vec<(UnitId, f64)>> {
    let choice = instance.chain_choice(class.elems, class.beside_elems);
    // A choice for units that the class does not know says nothing of it.
    let known =
        |(unit, share): &(UnitId, f64)| *share > 0.0 && class.units.iter().any(|u| u.unit == *unit);
    let choice = choice.filter(|choice| choice.shares.iter().any(known));
    choice
        .map(|choice| choice.shares.clone())
        .or_else(|| alone(class))
}

/// The shares that calls of a class are given that are made alone, of data that lie where they are needed.
#[must_use]
pub fn alone(class: &ClassModel) -> Option<Vec<(UnitId, f64)>> {
    class.verified().or_else(|| Some(predict(class)?.shares))
}

/// The time of a call of just the size that was measured, shared in this way.
#[must_use]
pub fn shared_ns(class: &ClassModel, shares: &[(UnitId, f64)]) -> f64 {
    let taking = shares.iter().filter(|(_, share)| *share > 0.0);
    let time = |(unit, share): &(UnitId, f64)| {
        let model = class.units.iter().find(|u| u.unit == *unit)?;
        let part = (share * class.elems as f64).round() as usize;
        Some(UnitCost::new(&model.fit.curve, 1.0).ns(0..part))
    };
    let several = taking.clone().count() > 1;
    let longest = taking.filter_map(time).fold(0.0, f64::max);
    longest
        + if several {
            class.split_overhead_ns
        } else {
            0.0
        }
}

/// How much slower, relatively, the measured call that is nearest to these shares is than the fastest
/// one. `None` if none was measured close to it.
#[must_use]
pub fn regret(class: &ClassModel, shares: &[(UnitId, f64)]) -> Option<f64> {
    let apart = |m: &Measured| distance(&m.shares, shares);
    let near = class.measured.iter().filter(|m| apart(m) <= 0.03);
    let near = near.min_by(|a, b| apart(a).total_cmp(&apart(b)))?;
    let best = fastest(class)?.sample.median_ns;
    // Of few runs, it may have been faster by luck.
    (best > 0.0).then(|| (near.sample.median_ns / best - 1.0).max(0.0))
}

/// The whole call that was measured to be the fastest, by as many runs as the library asks for before it goes by one. `None`
/// unless there were a few to choose from.
#[must_use]
pub fn fastest(class: &ClassModel) -> Option<&Measured> {
    let most = class.measured.iter().map(|m| m.sample.runs).max()?;
    let sure = |m: &&Measured| m.sample.runs >= most.min(ENOUGH_RUNS);
    let by_time = |a: &&Measured, b: &&Measured| a.sample.median_ns.total_cmp(&b.sample.median_ns);
    let sure = class.measured.iter().filter(sure);
    (class.measured.len() > 1).then(|| sure.min_by(by_time))?
}

/// Where some calls were run so often, one that was run less does not count as the fastest: among many splits, some single
/// run is lucky.
const ENOUGH_RUNS: u32 = 3;

#[cfg(test)]
pub(crate) mod test {
    use super::*;
    use skel::model::{ChainChoice, Curve, Fit, InstanceKey, Quality, Reason};

    pub(crate) fn line(slope_ns: f64, latency_ns: f64) -> Fit {
        Fit {
            curve: Curve::line(slope_ns, latency_ns),
            slope_ns,
            latency_ns,
            slope_ci: (0.98 * slope_ns, 1.02 * slope_ns),
            relative_rms: 0.01,
            r2: 0.999,
            quality: Quality::Good,
        }
    }

    pub(crate) fn class(elems: usize, lines: &[(UnitId, f64, f64)]) -> ClassModel {
        let unit = |(unit, a, b): &(UnitId, f64, f64)| UnitModel {
            unit: unit.clone(),
            fit: line(*a, *b),
            samples: Vec::new(),
            block: None,
        };
        ClassModel {
            elems,
            beside_elems: 0,
            units: lines.iter().map(unit).collect(),
            split_overhead_ns: 0.0,
            measured: Vec::new(),
            best: None,
            quality: Quality::Good,
        }
    }

    pub(crate) fn instance(classes: Vec<ClassModel>) -> InstanceModel {
        InstanceModel {
            key: InstanceKey {
                name: "app::dot".into(),
                pattern: "MapReduce".into(),
                elements: "f32".into(),
                hash: 1,
            },
            classes,
            chain: Vec::new(),
            read_back: 0.0,
            seed: 1,
            when_unix_s: 0,
            drift: 0.0,
        }
    }

    /// The outcome of an instance of one class.
    fn outcome(class: &ClassModel) -> Option<ClassSummary> {
        super::outcome(&instance(vec![class.clone()]), class)
    }

    /// Equation 4 of "Hybrid CPU-GPU execution support in SkePU 2": where two lines meet.
    #[test]
    fn two_lines_are_split_where_they_meet() {
        let gpu = UnitId::device("mock", "a", 0);
        let (ac, bc, ag, bg, n) = (2.0, 500.0, 0.5, 4000.0, 1e5);
        let class = class(100_000, &[(UnitId::Cpu, ac, bc), (gpu, ag, bg)]);
        let prediction = predict(&class).expect("a model");
        let cpu = (ag * n + bg - bc) / (ac + ag);
        let ns = (ac * ag * n + ac * bg + ag * bc) / (ac + ag);
        assert!(
            (prediction.shares[0].1 - cpu / n).abs() < 1e-4,
            "{prediction:?}"
        );
        assert!((prediction.ns / ns - 1.0).abs() < 1e-4, "{prediction:?}");
        let outcome = outcome(&class).expect("a model");
        assert_eq!(outcome.shares, prediction.shares);
        // Nothing was measured: there is no gain to be said.
        assert_eq!((outcome.gain(), outcome.is_measured), (None, false));
    }

    #[test]
    fn what_was_measured_goes_before_what_is_predicted() {
        let gpu = UnitId::device("mock", "a", 0);
        let mut class = class(1000, &[(UnitId::Cpu, 1.0, 0.0), (gpu.clone(), 1.0, 0.0)]);
        let whole = |cpu: f64, median_ns: f64| Measured {
            shares: vec![(UnitId::Cpu, cpu), (gpu.clone(), 1.0 - cpu)],
            sample: skel::model::Sample {
                elems: 1000,
                median_ns,
                mad_ns: 0.0,
                runs: 5,
            },
        };
        class.measured = vec![whole(1.0, 900.0), whole(0.0, 1200.0), whole(0.5, 600.0)];
        class.best = Some(vec![(UnitId::Cpu, 0.5), (gpu.clone(), 0.5)]);
        let outcome = outcome(&class).expect("a model");
        assert_eq!(outcome.gain(), Some(1.5));
        assert_eq!((outcome.ns, outcome.is_measured), (600.0, true));
        assert_eq!(outcome.single, Some((UnitId::Cpu, 900.0)));
    }

    #[test]
    fn a_lucky_run_is_no_oracle() {
        let gpu = UnitId::device("mock", "a", 0);
        let mut class = class(1000, &[(UnitId::Cpu, 1.0, 0.0), (gpu.clone(), 1.0, 0.0)]);
        let whole = |cpu: f64, median_ns: f64, runs: u32| Measured {
            shares: vec![(UnitId::Cpu, cpu), (gpu.clone(), 1.0 - cpu)],
            sample: skel::model::Sample {
                elems: 1000,
                median_ns,
                mad_ns: 0.0,
                runs,
            },
        };
        class.measured = vec![
            whole(1.0, 900.0, 5),
            whole(0.5, 600.0, 3),
            whole(0.4, 400.0, 2),
        ];
        let best = |class: &ClassModel| fastest(class).expect("some").sample.median_ns;
        assert_eq!(best(&class), 600.0);
        assert_eq!(regret(&class, &class.measured[0].shares), Some(0.5));
        assert_eq!(regret(&class, &class.measured[2].shares), Some(0.0));
        // Where none has more, it is all that is known.
        for measured in &mut class.measured {
            measured.sample.runs = 1;
        }
        assert_eq!(best(&class), 400.0);
    }

    #[test]
    fn a_latency_that_does_not_pay_leaves_one_unit() {
        let gpu = UnitId::device("mock", "a", 0);
        let class = class(1000, &[(UnitId::Cpu, 1.0, 10.0), (gpu, 0.1, 1e6)]);
        let prediction = predict(&class).expect("a model");
        assert_eq!(prediction.shares, [(UnitId::Cpu, 1.0)]);
        assert_eq!(alone(&class), Some(vec![(UnitId::Cpu, 1.0)]));
        assert_eq!(predict(&self::class(0, &[])), None);
    }

    /// A CPU and two devices that are worth sharing with, the second one more.
    fn three() -> ([UnitId; 3], ClassModel) {
        let gpu = |k| UnitId::device("mock", "a", k);
        let units = [UnitId::Cpu, gpu(0), gpu(1)];
        let times = [3.0, 2.0, 1.0];
        let lines: Vec<_> = units.iter().cloned().zip(times).collect();
        let lines: Vec<_> = lines
            .into_iter()
            .map(|(unit, ns)| (unit, ns, 0.0))
            .collect();
        (units, class(6000, &lines))
    }

    #[test]
    fn a_unit_of_which_little_is_known_does_not_share() {
        let (units, mut class) = three();
        assert_eq!(alone(&class).map(|shares| shares.len()), Some(3));
        let weak = Quality::Weak(Reason::FewSamples);
        class.units[1].fit.quality = weak;
        // In closed form: 3 n and n, which end together.
        let found = predict(&class).expect("a model");
        assert_eq!(
            found.shares,
            [(units[0].clone(), 0.25), (units[2].clone(), 0.75)]
        );
        // It may still be the fastest alone.
        class.units[2].fit.quality = weak;
        assert_eq!(alone(&class), Some(vec![(units[2].clone(), 1.0)]));
    }

    #[test]
    fn a_class_of_which_little_is_known_is_not_shared() {
        let (units, mut class) = three();
        class.best = Some(vec![(units[0].clone(), 0.5), (units[1].clone(), 0.5)]);
        assert_eq!(alone(&class), class.best);
        class.quality = Quality::Weak(Reason::Busy);
        let fastest = Some(vec![(units[2].clone(), 1.0)]);
        assert_eq!(alone(&class), fastest);
    }

    #[test]
    fn what_suits_the_other_calls_goes_before_what_suits_one() {
        let (units, mut class) = three();
        class.best = Some(vec![(units[2].clone(), 1.0)]);
        let mut instance = instance(vec![class.clone()]);
        let together = vec![(units[0].clone(), 0.5), (units[1].clone(), 0.5)];
        instance.chain.push(ChainChoice {
            elems: 7000,
            beside_elems: 0,
            shares: together.clone(),
        });
        assert_eq!(chosen(&instance, &class), Some(together.clone()));
        let outcome = super::outcome(&instance, &class).expect("a model");
        // 3000 elements of 3 ns against 6000 of 1 ns.
        assert_eq!((outcome.shares, outcome.ns), (together, 9000.0));
        assert_eq!(outcome.single, None);
        // Not for calls of another size, nor if it is for units that were not measured.
        let mut other = class.clone();
        other.elems = 50_000;
        assert_eq!(chosen(&instance, &other), class.best);
        instance.chain[0].shares = vec![(UnitId::device("mock", "b", 0), 1.0)];
        assert_eq!(chosen(&instance, &class), class.best);
    }
}
