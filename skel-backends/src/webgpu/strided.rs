//! The numbers of strided arguments, and of kernels that fold rows or columns.

use super::memory::Array;
use crate::{
    codegen::wgsl::Member,
    device::{Launch, LaunchArg},
};
use skel_core::{
    call::{Along, Axis},
    container::MAX_RANK,
};

/// How far neighbours along dimension `d` of argument `k` lie apart, modulo 2^32; in folds, values for
/// `d` = 0, elements of a value for 1.
pub(super) fn pitch(launch: &Launch<'_, Array>, k: usize, d: usize) -> u32 {
    let Some(LaunchArg::Strided(_, layout)) = launch.args.get(k) else {
        return 0;
    };
    let stride = match launch.along {
        Some(Along { axis, .. }) => {
            let [down, right] = [MAX_RANK - 2, MAX_RANK - 1].map(|d| layout.strides[d]);
            match (axis, d) {
                (Axis::Rows, 0) | (Axis::Cols, 1) => down,
                _ => right,
            }
        }
        None => layout
            .over(launch.space())
            .dims
            .get(d)
            .map_or(0, |dim| dim.1),
    };
    stride as u32
}

/// How many elements argument `k` has along dimension `d`.
pub(super) fn span(launch: &Launch<'_, Array>, k: usize, d: usize) -> u32 {
    match launch.args.get(k) {
        Some(LaunchArg::Strided(_, layout)) => {
            let dims = layout.over(launch.space()).dims;
            // `check` saw that it fits.
            dims.get(d).map_or(1, |dim| dim.0 as u32)
        }
        _ => 1,
    }
}

/// A number of a fold of rows or columns.
pub(super) fn fold(launch: &Launch<'_, Array>, member: Member) -> u32 {
    let Some(along) = launch.along else {
        return 0;
    };
    // `check` saw that all elements can be counted.
    (match member {
        Member::PlacesPerValue => along.element(1, 0),
        Member::PlacesPerStep => along.element(0, 1),
        _ => along.depth(),
    }) as u32
}
