//! MapOverlap, MapOverlapReduce and MapPool.

mod beside;
mod errors;
mod fields;
mod oracle;
mod pools;
mod reduced;
mod steps;
mod types;
mod windows;

use super::{Case, Outcome, Sizes, data::Sample};

/// A check of everything at once: its sizes are its own.
type Whole = fn(&crate::Context, &crate::Target, Sizes) -> Outcome;

pub(super) fn cases(sizes: Sizes) -> Vec<Case> {
    let checks: Vec<(&str, Whole)> = [
        windows::CHECKS,
        types::CHECKS,
        beside::CHECKS,
        steps::CHECKS,
        fields::CHECKS,
        pools::CHECKS,
        reduced::CHECKS,
        errors::CHECKS,
    ]
    .concat();
    checks
        .into_iter()
        .map(|(name, check)| {
            Case::new(format!("overlap::{name}"), move |context, target| {
                check(context, target, sizes)
            })
        })
        .collect()
}

/// `n` samples.
fn input<T: Sample>(n: usize) -> Vec<T> {
    super::data::input(n, 3)
}

/// Compares shape and elements.
fn compare<T: Sample>(
    what: &str,
    found: Result<(crate::Shape, Vec<T>), crate::Error>,
    (extents, expected): ([usize; 4], Vec<T>),
) -> Outcome {
    let (shape, found) = found?;
    if shape.extents() != extents {
        return Err(super::Failure::Wrong(format!(
            "{what}: a result of {shape}, not of {extents:?}"
        )));
    }
    super::data::same(what, &found, &expected)
}
