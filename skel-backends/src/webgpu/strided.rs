//! The numbers of strided arguments, and of kernels that fold rows or columns.

use super::memory::Array;
use crate::device::Launch;
use skel_core::space::Layout;

/// How far neighbours along dimension `d` of argument `k` lie apart, modulo 2^32; in folds, values for
/// `d` = 0, elements of a value for 1.
pub(super) fn pitch(launch: &Launch<'_, Array>, k: usize, d: usize) -> u32 {
    launch.pitch(k, d).unwrap_or(0) as u32
}

/// How many elements argument `k` has along dimension `d`.
pub(super) fn span(launch: &Launch<'_, Array>, k: usize, d: usize) -> u32 {
    let dims = |layout: &Layout| layout.over(launch.space.arguments()).dims;
    let dim = launch
        .layout(k)
        .and_then(|layout| dims(layout).get(d).copied());
    // `check` saw that it fits.
    dim.map_or(1, |dim| dim.0 as u32)
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
