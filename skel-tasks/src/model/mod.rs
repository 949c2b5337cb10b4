//! Models of execution times that are learned from samples. (Times of copies come from the tuner, which measures them.)
//!
//! [`Learned`] is what an engine is given. For a kind of tasks on an architecture it answers with the mean of the
//! same work size ([`History`]), or else with a law through other sizes ([`Regression`]: [`PowerLaw`] or
//! [`Affine`]), or else with a prior. All of them are
//! plain numbers: no clock, no disk. What is learned is kept as [text](Learned::to_text), which another crate
//! stores.
//!
//! The rules of validity are those of *StarPU: a unified platform for task scheduling on heterogeneous multicore
//! architectures* (Augonnet et al.), but for outliers, see [`History`].

mod affine;
mod error;
mod fields;
mod history;
mod learned;
mod line;
mod moments;
mod power;
mod regression;
mod text;

pub use affine::Affine;
pub use error::BadModel;
pub use history::{History, HistoryRules, Verdict};
pub use learned::Learned;
pub use moments::Moments;
pub use power::PowerLaw;
pub use regression::Regression;

#[cfg(test)]
mod test;

/// Whether a measured time can be used: not NaN, not infinite, more than nothing.
fn is_time(ns: f64) -> bool {
    ns.is_finite() && ns > 0.0
}

/// Nanoseconds as an engine counts them: at least one; nothing where they are not a time.
fn whole_ns(ns: f64) -> Option<crate::Ns> {
    is_time(ns).then(|| (ns.round() as crate::Ns).max(1))
}
