//! Size plans: targets by size, chosen by the program.

use super::Target;
use std::ops::{Bound, RangeBounds};

/// Where calls run, by their numbers of elements. What no range holds runs where the instance would run
/// otherwise.
///
/// ```
/// use skel::{SizePlan, prelude::*};
///
/// let small_alone = SizePlan::new()
///     .add(..10_000, Sequential)
///     .add(10_000..1_000_000, Cpu);
/// let double = map!(|x: f32| 2.0 * x).on(Auto).plan(small_alone);
/// assert_eq!(double.run((&[1.0, 2.0],))?.host()?[..], [2.0, 4.0]);
/// # skel::Result::Ok(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SizePlan {
    /// First and last number of elements, and where calls of so many run.
    ranges: Vec<(usize, usize, Target)>,
}

impl SizePlan {
    /// No range at all.
    #[must_use]
    pub const fn new() -> SizePlan {
        SizePlan { ranges: Vec::new() }
    }

    /// Calls of so many elements run on `target`. Where ranges overlap, the one added first holds.
    #[must_use]
    pub fn add(mut self, elems: impl RangeBounds<usize>, target: impl Into<Target>) -> SizePlan {
        let first = match elems.start_bound() {
            Bound::Included(first) => Some(*first),
            Bound::Excluded(before) => before.checked_add(1),
            Bound::Unbounded => Some(0),
        };
        let last = match elems.end_bound() {
            Bound::Included(last) => Some(*last),
            Bound::Excluded(end) => end.checked_sub(1),
            Bound::Unbounded => Some(usize::MAX),
        };
        // A range without numbers says nothing.
        if let (Some(first), Some(last)) = (first, last) {
            self.ranges.push((first, last, target.into()));
        }
        self
    }

    /// Where calls of so many elements run, if it says so.
    #[must_use]
    pub fn target(&self, elems: usize) -> Option<&Target> {
        let holds = |(first, last, _): &&(usize, usize, Target)| (*first..=*last).contains(&elems);
        self.ranges.iter().find(holds).map(|(.., target)| target)
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::schedule::{Cpu, Device, Sequential};

    #[test]
    fn the_first_range_that_holds_counts() {
        let plan = SizePlan::new()
            .add(..10, Sequential)
            .add(5..=20, Cpu)
            .add(100.., Device(1))
            .add(30..30, Device(2));
        let at = |elems| plan.target(elems).map(Target::to_string);
        assert_eq!(at(0).as_deref(), Some("seq"));
        assert_eq!(at(9).as_deref(), Some("seq"));
        assert_eq!(at(10).as_deref(), Some("cpu"));
        assert_eq!(at(20).as_deref(), Some("cpu"));
        assert_eq!((at(21), at(30), at(99)), (None, None, None));
        assert_eq!(at(usize::MAX).as_deref(), Some("device:1"));
        assert_eq!(SizePlan::new().target(1), None);
    }
}
