//! Functions with loops, of angles, and such that call functions with loops, of all the shapes that the lane-wise face of a function takes apart, and of those that it
//! leaves as they are. `tests/lanes.rs` compares both faces; the other tests run these as any others.

mod angles;
mod calls;
mod data;
mod exits;
mod kept;
mod lent;
mod numbers;
mod ranges;

use super::Case;

pub(super) fn cases() -> Vec<Case> {
    [
        angles::cases(),
        numbers::cases(),
        exits::cases(),
        kept::cases(),
        lent::cases(),
        ranges::cases(),
        data::cases(),
        calls::cases(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
