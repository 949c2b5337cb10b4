//! Schemes as text: `name,option=value,…`.

use super::{ClusteredGuided, Dynamic, GuidedRuntime, GuidedSizes, Scheme, Static, StaticPcf};
use crate::{
    BadOption,
    options::{Make, parse_one_of},
};

/// All schemes, by name.
const SCHEMES: &[(&str, Make<dyn Scheme>)] = &[
    ("static", |_| Ok(Box::new(Static))),
    ("dynamic", |options| Ok(Box::new(Dynamic::take(options)?))),
    ("static-pcf", |options| {
        Ok(Box::new(StaticPcf::take(options)?))
    }),
    ("guided-sizes", |options| {
        Ok(Box::new(GuidedSizes::take(options)?))
    }),
    ("guided-runtime", |options| {
        Ok(Box::new(GuidedRuntime::take(options)?))
    }),
    ("clustered-guided", |options| {
        Ok(Box::new(ClusteredGuided::take(options)?))
    }),
];

/// The names of all schemes.
pub fn names() -> impl Iterator<Item = &'static str> {
    SCHEMES.iter().map(|(name, _)| *name)
}

/// The scheme that a text names, with its settings: `NAME` or `NAME,option=value,…`.
///
/// ```
/// use skel_tasks::distribution;
///
/// let scheme = distribution::parse("clustered-guided,variant=paper")?;
/// assert_eq!(scheme.text(), "clustered-guided,variant=paper");
/// let error = distribution::parse("guided").unwrap_err().to_string();
/// assert!(error.contains("guided-sizes, guided-runtime"), "{error}");
/// # Ok::<(), skel_tasks::BadOption>(())
/// ```
///
/// # Errors
/// The name or the setting that is unknown or cannot be, and what it can be.
pub fn parse(text: &str) -> Result<Box<dyn Scheme>, BadOption> {
    parse_one_of("work distribution", SCHEMES, text, |_| Ok(())).map(|(scheme, ())| scheme)
}
