//! The same number of items for each unit.

use super::{Allotment, ComputeUnits, Distribution, Scheme, Sizes, StepTimes, cut};
use crate::BadOption;
use std::ops::Range;

/// T items over P units: the first `T mod P` units get `⌊T/P⌋ + 1` items, the others `⌊T/P⌋`, all of them neighbours
/// (OpenMP's `static`). For items and units that are alike, and as the base line for all else.
///
/// ```
/// use skel_tasks::distribution::{Allotment, Scheme, Sizes, Static};
///
/// let mut it = Static.build("4x1".parse()?, &Sizes::equal(10))?;
/// let Allotment::Own(items) = it.next() else { unreachable!() };
/// assert_eq!(items, [vec![0, 1, 2], vec![3, 4, 5], vec![6, 7], vec![8, 9]]);
/// # Ok::<(), skel_tasks::BadOption>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Static;

impl Scheme for Static {
    fn text(&self) -> String {
        "static".into()
    }

    fn build(
        &self,
        units: ComputeUnits,
        sizes: &Sizes,
    ) -> Result<Box<dyn Distribution>, BadOption> {
        Ok(Box::new(Fixed(cut::equal(0..sizes.len(), units.len()))))
    }
}

/// What never changes.
#[derive(Debug)]
struct Fixed(Vec<Range<usize>>);

impl Distribution for Fixed {
    fn next(&mut self) -> Allotment {
        Allotment::of_ranges(&self.0)
    }

    fn observe(&mut self, _: &StepTimes<'_>) {}

    fn is_steady(&self) -> bool {
        true
    }
}
