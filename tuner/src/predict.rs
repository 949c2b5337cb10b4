//! What a model says of calls of the size that was measured.

use skel::model::{ClassModel, Curve, UnitId};

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

impl Prediction {
    /// How many times as fast as the fastest unit alone.
    #[must_use]
    pub fn gain(&self) -> f64 {
        if self.ns > 0.0 {
            self.single_ns / self.ns
        } else {
            1.0
        }
    }
}

/// Predicts a call of `elems` elements, of which all units have theirs. `None` without any model.
///
/// A split must be predicted 2 % faster than the fastest unit alone: below that it is not worth
/// what may go wrong with it.
#[must_use]
pub fn predict(class: &ClassModel, elems: f64) -> Option<Prediction> {
    let factor = elems / (class.elems.max(1) as f64);
    let alone = class
        .units
        .iter()
        .map(|unit| (&unit.unit, scaled(&unit.fit.curve, factor, elems)));
    let (single, single_ns) = alone.min_by(|a, b| a.1.total_cmp(&b.1))?;
    let mut best = Prediction {
        shares: vec![(single.clone(), 1.0)],
        ns: single_ns,
        single: single.clone(),
        single_ns,
    };
    if let Some((shares, ns)) = together(class, factor, elems)
        && ns < 0.98 * single_ns
    {
        best.shares = shares;
        best.ns = ns;
    }
    Some(best)
}

/// The time of a call of `elems` elements that is shared in this way.
#[must_use]
pub fn shared_ns(class: &ClassModel, elems: f64, shares: &[(UnitId, f64)]) -> f64 {
    let factor = elems / (class.elems.max(1) as f64);
    let taking = shares.iter().filter(|(_, share)| *share > 0.0);
    let time = |(unit, share): &(UnitId, f64)| {
        let model = class.units.iter().find(|u| u.unit == *unit)?;
        Some(scaled(&model.fit.curve, factor, share * elems))
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

/// Water-filling: the least time in which all units together take all elements.
fn together(class: &ClassModel, factor: f64, elems: f64) -> Option<(Vec<(UnitId, f64)>, f64)> {
    // The calling thread is one of the CPU's.
    let units = class.units.iter().filter(|u| u.unit != UnitId::Sequential);
    let units: Vec<_> = units.collect();
    if units.len() < 2 || elems < 1.0 {
        return None;
    }
    let fit = |ns: f64| -> Vec<f64> {
        let most = |unit: &&skel::model::UnitModel| {
            let curve = &unit.fit.curve;
            let latency = curve.latency_ns();
            let fits = match ns < latency {
                true => 0.0,
                false => factor * curve.inverse(latency + (ns - latency) / factor),
            };
            fits.min(elems)
        };
        units.iter().map(most).collect()
    };
    let (mut low, mut high) = (
        0.0,
        units
            .iter()
            .map(|u| scaled(&u.fit.curve, factor, elems))
            .fold(f64::INFINITY, f64::min),
    );
    for _ in 0..64 {
        let mid = f64::midpoint(low, high);
        match fit(mid).iter().sum::<f64>() < elems {
            true => low = mid,
            false => high = mid,
        }
    }
    let fits = fit(high);
    let sum: f64 = fits.iter().sum();
    if !(sum.is_finite() && sum > 0.0) {
        return None;
    }
    let shares = units.iter().zip(&fits);
    let shares: Vec<_> = shares.map(|(u, k)| (u.unit.clone(), k / sum)).collect();
    let ns = shared_ns(class, elems, &shares);
    Some((shares, ns))
}

/// What a curve of a call says of `k` elements of one that is `factor` times as large.
fn scaled(curve: &Curve, factor: f64, k: f64) -> f64 {
    if k <= 0.0 || factor <= 0.0 {
        return 0.0;
    }
    let latency = curve.latency_ns();
    latency + factor * (curve.at(k / factor) - latency)
}

#[cfg(test)]
pub(crate) mod test {
    use super::*;
    use skel::model::{Fit, Quality, UnitModel};

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

    /// Equation 4 of "Hybrid CPU-GPU execution support in SkePU 2": where two lines meet.
    #[test]
    fn two_lines_are_split_where_they_meet() {
        let gpu = UnitId::device("mock", "a", 0);
        let (ac, bc, ag, bg, n) = (2.0, 500.0, 0.5, 4000.0, 1e5);
        let class = class(100_000, &[(UnitId::Cpu, ac, bc), (gpu, ag, bg)]);
        let prediction = predict(&class, n).expect("a model");
        let cpu = (ag * n + bg - bc) / (ac + ag);
        let ns = (ac * ag * n + ac * bg + ag * bc) / (ac + ag);
        assert!(
            (prediction.shares[0].1 - cpu / n).abs() < 1e-9,
            "{prediction:?}"
        );
        assert!((prediction.ns / ns - 1.0).abs() < 1e-9, "{prediction:?}");
        assert!(prediction.gain() > 1.2);
    }

    #[test]
    fn a_latency_that_does_not_pay_leaves_one_unit() {
        let gpu = UnitId::device("mock", "a", 0);
        let class = class(1000, &[(UnitId::Cpu, 1.0, 10.0), (gpu, 0.1, 1e6)]);
        let prediction = predict(&class, 1000.0).expect("a model");
        assert_eq!(prediction.shares, [(UnitId::Cpu, 1.0)]);
        assert_eq!(prediction.gain(), 1.0);
        assert_eq!(predict(&self::class(0, &[]), 0.0), None);
    }
}
