//! The numbers of neighbourhoods, as shaders get them.

use super::memory::Array;
use crate::{
    codegen::WindowMember,
    device::{Launch, LaunchArg},
};
use skel_core::{frame::View, space::Neighbourhood};

/// The neighbourhood that argument `k` of a launch is, and the value beyond its edges.
pub(super) fn of<'l>(
    launch: &'l Launch<'_, Array>,
    k: usize,
) -> Option<(&'l Neighbourhood, Option<View<'l>>)> {
    match launch.args.get(k) {
        Some(LaunchArg::Window(_, near, pad)) => Some((near, *pad)),
        _ => None,
    }
}

/// The first element of the container that is there.
pub(super) fn beginning(launch: &Launch<'_, Array>, k: usize) -> usize {
    match launch.args.get(k) {
        Some(LaunchArg::Window(array, ..)) => array.window.start,
        _ => 0,
    }
}

/// One of its numbers. They are less than 2^32, as the elements of a container are that is bound as a
/// whole; a stride beyond that is never taken.
pub(super) fn number(near: &Neighbourhood, member: WindowMember) -> u32 {
    u32::try_from(member.of(near)).unwrap_or(u32::MAX)
}
