//! One unit does all.

use crate::policy::{Assignment, Policy};
use skel_core::schedule::UnitIndex;

/// The first unit takes everything.
#[derive(Clone, Copy, Debug)]
pub struct Single;

impl Policy for Single {
    fn assign(&self, elems: usize, units: &[UnitIndex]) -> Assignment {
        Assignment::of_sizes([(units[0], elems)])
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn the_first_takes_all() {
        assert_eq!(Single.assign(7, &[2, 0]).pieces, [(2, 0..7)]);
        assert_eq!(Single.assign(0, &[2, 0]).pieces, []);
    }
}
