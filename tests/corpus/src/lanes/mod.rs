//! Functions with loops, of angles, with random numbers, and such that call functions with loops, of all the shapes that the
//! lane-wise face of a function takes apart, and of those that it leaves as they are. `tests/lanes.rs` compares both faces; the other tests run these as any others.

mod angles;
mod calls;
mod data;
mod draws;
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
        draws::cases(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
