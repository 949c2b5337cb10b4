//! Schemes as text: `name,knob=value,…`.

use super::{ClusteredGuided, Dynamic, GuidedRuntime, GuidedSizes, Scheme, Static, StaticPcf};
use crate::{
    BadKnob,
    knobs::{Make, parse_one_of},
};

/// All schemes, by name.
const SCHEMES: &[(&str, Make<dyn Scheme>)] = &[
    ("static", |_| Ok(Box::new(Static))),
    ("dynamic", |knobs| Ok(Box::new(Dynamic::take(knobs)?))),
    ("static-pcf", |knobs| Ok(Box::new(StaticPcf::take(knobs)?))),
    ("guided-sizes", |knobs| {
        Ok(Box::new(GuidedSizes::take(knobs)?))
    }),
    ("guided-runtime", |knobs| {
        Ok(Box::new(GuidedRuntime::take(knobs)?))
    }),
    ("clustered-guided", |knobs| {
        Ok(Box::new(ClusteredGuided::take(knobs)?))
    }),
];

/// The names of all schemes.
pub fn names() -> impl Iterator<Item = &'static str> {
    SCHEMES.iter().map(|(name, _)| *name)
}

/// The scheme that a text names, with its settings: `NAME` or `NAME,knob=value,…`.
///
/// ```
/// use skel_tasks::distribution;
///
/// let scheme = distribution::parse("clustered-guided,variant=paper")?;
/// assert_eq!(scheme.text(), "clustered-guided,variant=paper");
/// let error = distribution::parse("guided").unwrap_err().to_string();
/// assert!(error.contains("guided-sizes, guided-runtime"), "{error}");
/// # Ok::<(), skel_tasks::BadKnob>(())
/// ```
///
/// # Errors
/// The name or the setting that is unknown or cannot be, and what it can be.
pub fn parse(text: &str) -> Result<Box<dyn Scheme>, BadKnob> {
    parse_one_of("work distribution", SCHEMES, text)
}
