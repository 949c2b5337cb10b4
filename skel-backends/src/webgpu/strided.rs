//! The numbers of strided arguments, and of kernels that fold rows or columns.

use super::memory::Array;
use crate::device::{Launch, LaunchArg};
use skel_core::space::Along;

/// How far neighbours along dimension `d` of argument `k` lie apart, modulo 2^32; in folds, values for
/// `d` = 0, elements of a value for 1.
pub(super) fn pitch(launch: &Launch<'_, Array>, k: usize, d: usize) -> u32 {
    launch.pitch(k, d).unwrap_or(0) as u32
}

/// How many elements argument `k` has along dimension `d`.
pub(super) fn span(launch: &Launch<'_, Array>, k: usize, d: usize) -> u32 {
    match launch.args.get(k) {
        Some(LaunchArg::Strided(_, layout)) => {
            let dims = layout.over(launch.space.arguments()).dims;
            // `check` saw that it fits.
            dims.get(d).map_or(1, |dim| dim.0 as u32)
        }
        _ => 1,
    }
}

/// How far the element that comes `step`th in the fold of value `value` is from the first of all, as the
/// arguments count them.
pub(super) fn places_apart(launch: &Launch<'_, Array>, value: usize, step: usize) -> u32 {
    // `check` saw that all elements can be counted.
    launch
        .space
        .along()
        .map_or(0, |along| along.element(value, step)) as u32
}

/// Steps of a fold that one dispatch takes at most. Mesa's software device ends all loops of an invocation
/// after 65,535 rounds, and others do not like to be busy for long.
const MOST_TURNS: usize = 1 << 15;

/// The steps of each dispatch, one after the other: none but in folds of rows and columns.
pub(super) fn turns(launch: &Launch<'_, Array>) -> Vec<(u32, u32)> {
    let depth = launch.space.along().map_or(1, Along::depth);
    let starts = (0..depth).step_by(MOST_TURNS);
    starts
        .map(|start| (start as u32, depth.min(start + MOST_TURNS) as u32))
        .collect()
}
