//! Curves from measured points.
//!
//! One line if it does: its errors are counted relative to the times, since a ratio of shares is wrong by as
//! much as a time is wrong relatively, at every size. Where caches make a knee, the curve goes through the
//! points themselves, after isotonic regression.

mod isotonic;
mod line;

use crate::{Curve, stats};
use line::{Line, Point};
use std::fmt;

/// One measured point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// How many elements were computed.
    pub elems: usize,
    /// The median of the runs.
    pub median_ns: f64,
    /// The median distance of the runs from their median.
    pub mad_ns: f64,
    /// How many runs there were.
    pub runs: u32,
}

impl Sample {
    /// Of these runs; `None` of none.
    #[must_use]
    pub fn of(elems: usize, runs_ns: &[f64]) -> Option<Sample> {
        Some(Sample {
            elems,
            median_ns: stats::median(runs_ns)?,
            mad_ns: stats::mad(runs_ns)?,
            runs: u32::try_from(runs_ns.len()).unwrap_or(u32::MAX),
        })
    }

    /// The standard error of the median, if the runs are distributed normally.
    fn error_ns(&self) -> f64 {
        // Of the distance to the standard deviation, and of a mean to a median.
        1.4826 * 1.2533 * self.mad_ns / f64::from(self.runs.max(1)).sqrt()
    }
}

/// A curve, and its quality.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// What is predicted with.
    pub curve: Curve,
    /// Nanoseconds per element, of the one line that fits best.
    pub slope_ns: f64,
    /// What that line takes at the limit of no elements.
    pub latency_ns: f64,
    /// Between these the slope is with a probability of 95 %.
    pub slope_ci: (f64, f64),
    /// Root mean square of (curve − time) / time over the samples.
    pub relative_rms: f64,
    /// The coefficient of determination of the curve. To show; large sizes dominate it.
    pub r2: f64,
    /// Whether calls are split by it.
    pub quality: Quality,
}

/// Whether one may rely on what was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quality {
    /// Calls are split by it.
    Good,
    /// It decides between single units at most.
    Weak(Reason),
}

impl Quality {
    /// Good if both are; otherwise the first reason.
    #[must_use]
    pub fn and(self, other: Quality) -> Quality {
        if self == Quality::Good { other } else { self }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::FewSamples => "too few sizes",
            Reason::Residuals => "no curve fits",
            Reason::Slope => "time does not grow with size",
            Reason::Drift => "times drifted",
            Reason::Busy => "the machine was busy",
            Reason::Budget => "too few runs",
            Reason::WrongResult => "a unit's result differed",
        })
    }
}

/// Why a model is weak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reason {
    /// There are fewer than three measured sizes.
    FewSamples,
    /// The curve misses what was measured by more than 10 %, or the runs differ by as much.
    Residuals,
    /// The time may not depend on the size at all.
    Slope,
    /// The same call took another time in the end.
    Drift,
    /// Other programs used the machine.
    Busy,
    /// The time for tuning was over after too few runs.
    Budget,
    /// A unit's result differed.
    WrongResult,
}

/// One line does if it misses what was measured by no more than twice what that is unsure by; between
/// these.
const LINE_RMS: std::ops::RangeInclusive<f64> = 0.01..=0.05;
/// From here on a curve is weak.
const WEAK_RMS: f64 = 0.10;

/// The curve that fits the samples, of sizes in any order. Samples of no elements count if there are no
/// others; those whose time is negative or no number do not. `None` if none is left.
///
/// ```
/// use skel_model::{Quality, Sample, fit};
///
/// let sample = |elems: usize, ns| Sample::of(elems, &[ns; 5]).unwrap();
/// let line = fit(&[sample(100, 1200.0), sample(1000, 3000.0), sample(10_000, 21_000.0)]).unwrap();
/// assert!((line.slope_ns - 2.0).abs() < 1e-9 && (line.latency_ns - 1000.0).abs() < 1e-6);
/// assert_eq!(line.quality, Quality::Good);
/// assert_eq!(fit(&[]), None);
/// ```
#[must_use]
pub fn fit(samples: &[Sample]) -> Option<Fit> {
    let used = used(samples);
    let points: Vec<Point> = used.iter().map(Point::of).collect();
    let line = Line::through(&points)?;
    let straight = Curve::line(line.slope_ns, line.latency_ns);
    let sizes = 1 + points
        .windows(2)
        .filter(|p| p[0].elems < p[1].elems)
        .count();
    let curve = match relative_rms(&straight, &points) {
        rms if rms <= line_rms(&used) || sizes < 3 => straight,
        _ => isotonic::curve(&points),
    };
    let relative_rms = relative_rms(&curve, &points);
    let slope_ci = line.slope_interval(&used, &points);
    Some(Fit {
        quality: judge(&used, &curve, sizes, relative_rms, slope_ci),
        slope_ns: line.slope_ns,
        latency_ns: line.latency_ns,
        slope_ci,
        relative_rms,
        r2: r2(&curve, &points),
        curve,
    })
}

/// The curve through these samples, of which none may be missed by more than `most`, relatively: one line if
/// that does it. `None` if there is no sample to go by.
pub(super) fn close(samples: &[Sample], most: f64) -> Option<Curve> {
    let curve = fit(samples)?.curve;
    let points: Vec<Point> = used(samples).iter().map(Point::of).collect();
    let misses = |p: &Point| (curve.at(p.elems) / p.ns - 1.0).abs() > most;
    if points.iter().any(misses) {
        return Some(isotonic::curve(&points));
    }
    Some(curve)
}

/// The samples that count, the smallest first.
fn used(samples: &[Sample]) -> Vec<Sample> {
    let sound = |s: &&Sample| s.median_ns.is_finite() && s.median_ns >= 0.0;
    let mut used: Vec<Sample> = samples.iter().filter(sound).copied().collect();
    if used.iter().any(|s| s.elems > 0) {
        // An empty call returns at once: it says nothing of the others.
        used.retain(|s| s.elems > 0);
    }
    used.sort_by_key(|s| s.elems);
    used
}

/// By how much a line may miss these samples, if they lie on one: what is missed by more has another shape,
/// which matters where calls are split.
fn line_rms(samples: &[Sample]) -> f64 {
    (2.0 * noise(samples)).clamp(*LINE_RMS.start(), *LINE_RMS.end())
}

/// By how much the medians are unsure, relatively: root mean square.
fn noise(samples: &[Sample]) -> f64 {
    let error = |s: &Sample| (s.error_ns() / s.median_ns.max(Point::LEAST_NS)).powi(2);
    let squares = samples.iter().map(error).sum::<f64>();
    (squares / samples.len().max(1) as f64).sqrt()
}

fn judge(
    samples: &[Sample],
    curve: &Curve,
    sizes: usize,
    rms: f64,
    slope_ci: (f64, f64),
) -> Quality {
    if sizes < 3 {
        return Quality::Weak(Reason::FewSamples);
    }
    // A curve through all points misses none; then the runs must say how sure the points are.
    if !(rms <= WEAK_RMS && noise(samples) <= WEAK_RMS) {
        return Quality::Weak(Reason::Residuals);
    }
    // A line must rise for sure; any other curve from its first point to its last by more than they are
    // unsure.
    let rises = match samples {
        [first, .., last] if curve.points().len() > 1 => {
            let rise = curve.at(last.elems as f64) - curve.at(first.elems as f64);
            rise > 1.96 * first.error_ns().hypot(last.error_ns())
        }
        _ => slope_ci.0 > 0.0,
    };
    if rises {
        Quality::Good
    } else {
        Quality::Weak(Reason::Slope)
    }
}

fn relative_rms(curve: &Curve, points: &[Point]) -> f64 {
    let square = |p: &Point| ((curve.at(p.elems) - p.ns) / p.ns).powi(2);
    (points.iter().map(square).sum::<f64>() / points.len() as f64).sqrt()
}

fn r2(curve: &Curve, points: &[Point]) -> f64 {
    let mean = points.iter().map(|p| p.ns).sum::<f64>() / points.len() as f64;
    let total: f64 = points.iter().map(|p| (p.ns - mean).powi(2)).sum();
    let left: f64 = points
        .iter()
        .map(|p| (p.ns - curve.at(p.elems)).powi(2))
        .sum();
    if total > 0.0 {
        (1.0 - left / total).max(0.0)
    } else {
        0.0
    }
}

#[cfg(test)]
mod test;
