//! What a model says of calls, of the size that was measured and of others, and what the library does then.

use skel::{
    model::{ClassModel, InstanceModel, Measured, Quality, SizedCurve, Sizes, UnitId, UnitModel},
    schedule::{self, UnitCost},
};

/// What is predicted for a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// The fastest way: who takes how much.
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
    // The calling thread is one of the CPU's: it works alone or not at all. And so do units of which too
    // little is known to share by it.
    let may_share = |unit: &&UnitModel| {
        unit.unit != UnitId::Sequential
            && class.quality == Quality::Good
            && unit.fit.quality == Quality::Good
    };
    let (sharing, alone): (Vec<&UnitModel>, Vec<&UnitModel>) =
        class.units.iter().partition(may_share);
    let cost = |unit: &&'m UnitModel| {
        let sized = sized(unit);
        UnitCost::new(sized.curve, sized.factor)
    };
    let costs = |units: &[&'m UnitModel]| units.iter().map(cost).collect::<Vec<_>>();
    let (sharing_costs, alone_costs) = (costs(&sharing), costs(&alone));
    let overhead_ns = class.split_overhead_ns;
    let found = schedule::predict(elems, &sharing_costs, overhead_ns, &alone_costs)?;
    let units: Vec<&UnitModel> = sharing.into_iter().chain(alone).collect();
    let share = |size: usize| size as f64 / elems.max(1) as f64;
    let sizes = units.iter().zip(&found.sizes).filter(|(_, n)| **n > 0);
    Some(Prediction {
        shares: sizes.map(|(u, n)| (u.unit.clone(), share(*n))).collect(),
        ns: found.ns,
        single: units.get(found.best_single)?.unit.clone(),
        single_ns: found.best_single_ns,
    })
}

/// What is known of the calls of a class, by measurements where there are any, else by the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The fastest unit alone.
    pub single: UnitId,
    /// Its time.
    pub single_ns: f64,
    /// Who takes how much.
    pub shares: Vec<(UnitId, f64)>,
    /// The time then.
    pub ns: f64,
}

impl Outcome {
    /// How many times as fast as the fastest unit alone.
    #[must_use]
    pub fn gain(&self) -> f64 {
        match self.ns > 0.0 {
            true => self.single_ns / self.ns,
            false => 1.0,
        }
    }
}

/// What calls of a class are given, and what it brings. `None` without any model.
#[must_use]
pub fn outcome(instance: &InstanceModel, class: &ClassModel) -> Option<Outcome> {
    let shares = chosen(instance, class)?;
    let ns = time_of(class, &shares);
    let single = |unit: &UnitModel| {
        let ns = time_of(class, &[(unit.unit.clone(), 1.0)]);
        (unit.unit.clone(), ns)
    };
    let singles = class.units.iter().map(single);
    let (single, single_ns) = singles.min_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(Outcome {
        single,
        single_ns,
        shares,
        ns,
    })
}

/// The time of a call of the class's size: as it was measured with just these shares, or else by the
/// model.
fn time_of(class: &ClassModel, shares: &[(UnitId, f64)]) -> f64 {
    let same = |m: &&Measured| {
        let units = class.units.iter().map(|u| &u.unit);
        units
            .into_iter()
            .all(|u| (share_of(&m.shares, u) - share_of(shares, u)).abs() < 1e-6)
    };
    let measured = class.measured.iter().find(same);
    measured.map_or_else(|| shared_ns(class, shares), |m| m.sample.median_ns)
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
    let verified = class
        .best
        .clone()
        .filter(|_| class.quality == Quality::Good);
    verified.or_else(|| Some(predict(class)?.shares))
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
    let distance = |m: &Measured| {
        let units = class.units.iter();
        units
            .map(|u| (share_of(&m.shares, &u.unit) - share_of(shares, &u.unit)).abs())
            .fold(0.0, f64::max)
    };
    let near = class.measured.iter().filter(|m| distance(m) <= 0.03);
    let near = near.min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
    let best = fastest(class)?.sample.median_ns;
    (best > 0.0).then(|| near.sample.median_ns / best - 1.0)
}

/// The whole call that was measured to be the fastest. `None` unless there were a few to choose from.
#[must_use]
pub fn fastest(class: &ClassModel) -> Option<&Measured> {
    let by_time = |a: &&Measured, b: &&Measured| a.sample.median_ns.total_cmp(&b.sample.median_ns);
    (class.measured.len() > 1).then(|| class.measured.iter().min_by(by_time))?
}

/// What a unit takes of these shares.
#[must_use]
pub fn share_of(shares: &[(UnitId, f64)], unit: &UnitId) -> f64 {
    shares
        .iter()
        .filter(|(u, _)| u == unit)
        .map(|(_, share)| share)
        .sum()
}

#[cfg(test)]
pub(crate) mod test {
    use super::*;
    use skel::model::{ChainChoice, Curve, Fit, InstanceKey, Reason};

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
    fn outcome(class: &ClassModel) -> Option<Outcome> {
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
        assert!(outcome.gain() > 1.2, "{outcome:?}");
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
        assert_eq!((outcome.single, outcome.single_ns), (UnitId::Cpu, 900.0));
        assert_eq!(outcome.ns, 600.0);
    }

    #[test]
    fn a_latency_that_does_not_pay_leaves_one_unit() {
        let gpu = UnitId::device("mock", "a", 0);
        let class = class(1000, &[(UnitId::Cpu, 1.0, 10.0), (gpu, 0.1, 1e6)]);
        let prediction = predict(&class).expect("a model");
        assert_eq!(prediction.shares, [(UnitId::Cpu, 1.0)]);
        assert_eq!(outcome(&class).map(|o| o.gain()), Some(1.0));
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
        // In closed form: 3 n and n, who end together.
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
        assert_eq!(outcome(&class).map(|o| o.gain()), Some(1.0));
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
        assert_eq!(outcome.single_ns, 6000.0);
        // Not for calls of another size, nor if it is for units that were not measured.
        let mut other = class.clone();
        other.elems = 50_000;
        assert_eq!(chosen(&instance, &other), class.best);
        instance.chain[0].shares = vec![(UnitId::device("mock", "b", 0), 1.0)];
        assert_eq!(chosen(&instance, &class), class.best);
    }
}
