//! Curves from measured points.

use super::Curve;

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

/// A curve, and how far one may trust it.
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
    /// Root mean square of (time − curve) / curve over the samples.
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

/// Why a model is weak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reason {
    /// There are too few measured sizes.
    FewSamples,
    /// The curve misses what was measured by too much.
    Residuals,
    /// The time may not depend on the size at all.
    Slope,
    /// The same call took another time in the end.
    Drift,
    /// Other programs used the machine.
    Busy,
    /// The time for tuning was over.
    Budget,
    /// A unit's result differed.
    WrongResult,
}
