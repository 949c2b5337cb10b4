//! Neighbours of about the same size together.

use super::{
    Allotment, ComputeUnits, Distribution, Scheme, Sizes, StepTimes, Variant, cut, guided, variant,
};
use crate::{BadOption, settings::settings};
use std::ops::Range;

settings! {
    /// Each unit gets neighbouring items, whose sizes add up to about the same: for items of unlike sizes on units that
    /// are alike. It measures nothing. The paper begins with [`Static`](super::Static), and moves the ends of chunks
    /// once before each further step; here, the cuts are where the sum of sizes comes nearest to `total · i / P`, from
    /// the first step on.
    ///
    /// ```
    /// use skel_tasks::distribution::{GuidedSizes, Scheme};
    ///
    /// assert_eq!(GuidedSizes::default().text(), "guided-sizes,variant=recommended");
    /// ```
    GuidedSizes, "guided-sizes";
    /// How cuts are found.
    variant: Variant = Variant::Recommended, variant::EXPECTED;
}

impl Scheme for GuidedSizes {
    fn text(&self) -> String {
        self.shown()
    }

    fn build(
        &self,
        units: ComputeUnits,
        sizes: &Sizes,
    ) -> Result<Box<dyn Distribution>, BadOption> {
        let items = 0..sizes.len();
        let chunks = match self.variant {
            Variant::Paper => cut::equal(items, units.len()),
            Variant::Recommended => cut::cumulative(items, units.len(), sizes.as_slice()),
        };
        Ok(Box::new(BySize {
            chunks,
            sizes: sizes.clone(),
            is_steady: self.variant == Variant::Recommended,
        }))
    }
}

#[derive(Debug)]
struct BySize {
    chunks: Vec<Range<usize>>,
    sizes: Sizes,
    is_steady: bool,
}

impl Distribution for BySize {
    fn next(&mut self) -> Allotment {
        Allotment::of_ranges(&self.chunks)
    }

    fn observe(&mut self, _: &StepTimes<'_>) {
        if self.is_steady {
            return;
        }
        let swept = guided::sweep(&self.chunks, &(0..self.sizes.len()), self.sizes.as_slice());
        self.is_steady = swept == self.chunks;
        self.chunks = swept;
    }

    fn is_steady(&self) -> bool {
        self.is_steady
    }
}
