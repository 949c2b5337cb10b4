//! Predictions for calls of sizes that were not measured.
//!
//! Two rules can say what k elements of a call of n take. Where costs depend on the *place* (rows of a
//! picture), a call of twice the elements has its k-th one where the measured call had its (k / 2)-th: its
//! curve is stretched. Where costs depend on the *size* (caches that end, devices that few elements do not
//! fill), k elements take what k elements take, of however many they are a part. On a line both say the
//! same; elsewhere, what was measured of two size classes tells which one holds: each class says by either
//! rule what the other one's samples should have been. Where sizes decide, all samples of such classes
//! belong to one curve, which so has more points than that of any class.

use crate::{
    ClassModel, Curve, InstanceModel, Quality, Sample, UnitId, UnitModel, fit::close, size_class,
};

/// By which curve a unit computes a part of a call, and how far that is stretched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SizedCurve<'a> {
    /// Of the class that is nearest, or of several.
    pub curve: &'a Curve,
    /// With the latency b, the time of k elements is b + factor · (curve(k / factor) − b).
    pub factor: f64,
}

impl<'a> SizedCurve<'a> {
    /// That of a unit for calls of just the size that was measured.
    #[must_use]
    pub fn own(unit: &'a UnitModel) -> SizedCurve<'a> {
        SizedCurve {
            curve: &unit.fit.curve,
            factor: 1.0,
        }
    }

    /// The time of so many elements, in nanoseconds.
    ///
    /// ```
    /// use skel_model::{Curve, SizedCurve};
    ///
    /// let curve = Curve::through(&[(100.0, 150.0), (1000.0, 1050.0), (2000.0, 4050.0)]);
    /// let stretched = SizedCurve { curve: &curve, factor: 2.0 };
    /// assert_eq!(stretched.ns(4000.0), 50.0 + 2.0 * 4000.0);
    /// ```
    #[must_use]
    pub fn ns(&self, elems: f64) -> f64 {
        let latency = self.curve.latency_ns();
        latency + self.factor * (self.curve.at(elems / self.factor) - latency)
    }
}

/// The curves of an instance that hold for more than one size class. Made once of a model; asking is
/// quick.
///
/// ```
/// use skel_model::{Sizes, TuningFile};
///
/// fn ns(file: &TuningFile, elems: usize) -> Option<f64> {
///     let instance = file.machines.first()?.instances.first()?;
///     let sizes = Sizes::of(instance);
///     let (class, _) = instance.class(elems, 0)?;
///     let curve = sizes.curve(class, class.units.first()?, elems);
///     // The first unit does half of the call.
///     Some(curve.ns(elems as f64 / 2.0))
/// }
/// let nothing = TuningFile { tool: "none".into(), machines: Vec::new() };
/// assert_eq!(ns(&nothing, 1_000_000), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sizes {
    spans: Vec<Span>,
}

/// Sizes for which a unit's curve is that of several classes.
#[derive(Clone, Debug, PartialEq)]
struct Span {
    unit: UnitId,
    /// The class of the elements beside.
    beside: u32,
    /// Calls of so many elements, both included.
    from: usize,
    to: usize,
    curve: Curve,
}

/// Samples within this part of the smaller class are compared: below, latencies are all that one sees.
const COMPARED: f64 = 1.0 / 8.0;
/// Classes whose samples are missed by no more than this, root mean square, are of one curve; and that is a
/// line if it misses none of them by more.
const ALIKE: f64 = 0.03;
/// Classes whose samples are missed by more are so only if the other rule misses them by twice as much: where
/// caches end between two points, a curve is wrong as well, but not as wrong.
const UNLIKE: f64 = 0.1;
/// Samples whose elements differ by at most this part are one point: between them noise would be larger
/// than what the time grows by.
const NEAR: f64 = 0.05;

impl Sizes {
    /// What the samples of a model say.
    #[must_use]
    pub fn of(model: &InstanceModel) -> Sizes {
        let mut classes: Vec<&ClassModel> = model.classes.iter().collect();
        classes.sort_by_key(|class| (size_class(class.beside_elems), class.elems));
        let beside = |class: &ClassModel| size_class(class.beside_elems);
        let groups = classes.chunk_by(|a, b| beside(a) == beside(b));
        let spans = groups.filter(|group| group.len() > 1).flat_map(|group| {
            let mut units: Vec<&UnitId> = group
                .iter()
                .flat_map(|class| &class.units)
                .map(|unit| &unit.unit)
                .collect();
            units.sort();
            units.dedup();
            units.into_iter().flat_map(|unit| spans(group, unit))
        });
        Sizes {
            spans: spans.collect(),
        }
    }

    /// The curve of `unit`, one of those of `class`, for calls of `elems` elements to which that class is
    /// [nearest](InstanceModel::class): its own if that was measured for calls of just this size.
    #[must_use]
    pub fn curve<'a>(
        &'a self,
        class: &ClassModel,
        unit: &'a UnitModel,
        elems: usize,
    ) -> SizedCurve<'a> {
        let beside = size_class(class.beside_elems);
        let holds = |span: &&Span| {
            (span.from..=span.to).contains(&elems)
                && span.beside == beside
                && span.unit == unit.unit
        };
        let common = self.spans.iter().find(holds);
        match common.filter(|_| elems != class.elems) {
            Some(span) => SizedCurve {
                curve: &span.curve,
                factor: 1.0,
            },
            None => SizedCurve {
                curve: &unit.fit.curve,
                factor: elems.max(1) as f64 / class.elems.max(1) as f64,
            },
        }
    }
}

/// Where, among classes of increasing size, neighbours are of one curve.
fn spans(group: &[&ClassModel], unit: &UnitId) -> Vec<Span> {
    let models: Vec<Option<(usize, &UnitModel)>> =
        group.iter().map(|class| trusted(class, unit)).collect();
    let alike = |a: &Option<_>, b: &Option<_>| match (a, b) {
        (Some(a), Some(b)) => by_size(*a, *b),
        _ => false,
    };
    let mut first = 0;
    let mut spans = Vec::new();
    for run in models.chunk_by(alike) {
        let end = first + run.len();
        // Beyond the classes at the ends goes what is true between the last two.
        let from = if first == 0 { 0 } else { group[first].elems };
        let to = if end == group.len() {
            usize::MAX
        } else {
            group[end - 1].elems
        };
        first = end;
        if run.len() < 2 {
            continue;
        }
        let samples = run.iter().flatten().flat_map(|(_, model)| &model.samples);
        if let Some(curve) = close(&merged(samples.copied().collect()), ALIKE) {
            spans.push(Span {
                unit: unit.clone(),
                beside: size_class(group[0].beside_elems),
                from,
                to,
                curve,
            });
        }
    }
    spans
}

/// What was measured of a unit, if one may rely on it.
fn trusted<'m>(class: &'m ClassModel, unit: &UnitId) -> Option<(usize, &'m UnitModel)> {
    let model = class.units.iter().find(|model| model.unit == *unit)?;
    let quality = class.quality.and(model.fit.quality);
    (quality == Quality::Good).then_some((class.elems, model))
}

/// Whether the samples of two classes are of one curve rather than of one that is stretched.
fn by_size(smaller: (usize, &UnitModel), larger: (usize, &UnitModel)) -> bool {
    let (mut common, mut stretched, mut count) = (0.0, 0.0, 0);
    for (this, other) in [(smaller, larger), (larger, smaller)] {
        let least = other.1.samples.iter().map(|s| s.elems).min();
        let least = least.unwrap_or(usize::MAX) as f64;
        let compared = least.max(COMPARED * smaller.0 as f64)..=smaller.0 as f64;
        let curve = &other.1.fit.curve;
        let [by_size, by_place] = [1.0, this.0.max(1) as f64 / other.0.max(1) as f64]
            .map(|factor| SizedCurve { curve, factor });
        for sample in &this.1.samples {
            let (elems, ns) = (sample.elems as f64, sample.median_ns);
            if compared.contains(&elems) && ns > 0.0 {
                common += (by_size.ns(elems) / ns - 1.0).powi(2);
                stretched += (by_place.ns(elems) / ns - 1.0).powi(2);
                count += 1;
            }
        }
    }
    let [common, stretched] = [common, stretched].map(|sum: f64| (sum / f64::from(count)).sqrt());
    // Neither is a number if there is nothing to compare.
    common <= ALIKE || common <= stretched.min(UNLIKE) || common <= stretched / 2.0
}

/// One sample of those that are near each other.
fn merged(mut samples: Vec<Sample>) -> Vec<Sample> {
    samples.sort_by_key(|sample| sample.elems);
    let mut merged = Vec::new();
    let mut first = 0;
    while first < samples.len() {
        let until = (1.0 + NEAR) * samples[first].elems as f64;
        let near = samples[first..].partition_point(|sample| sample.elems as f64 <= until);
        merged.push(mean(&samples[first..first + near.max(1)]));
        first += near.max(1);
    }
    merged
}

/// Of a few that are near each other the time grows about evenly.
fn mean(samples: &[Sample]) -> Sample {
    let mean =
        |of: &dyn Fn(&Sample) -> f64| samples.iter().map(of).sum::<f64>() / samples.len() as f64;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between the least and the largest of them"
    )]
    Sample {
        elems: mean(&|sample| sample.elems as f64).round() as usize,
        median_ns: mean(&|sample| sample.median_ns),
        mad_ns: mean(&|sample| sample.mad_ns),
        runs: samples.iter().fold(0, |sum, s| sum.saturating_add(s.runs)),
    }
}

#[cfg(test)]
mod test;
