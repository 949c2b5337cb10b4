//! Neighbours that took about the same time together.

use super::{
    Allotment, ComputeUnits, Distribution, Scheme, Sizes, StepTimes, Variant, cut, guided,
    search::Tried, variant,
};
use crate::{BadOption, settings::settings};
use std::ops::Range;

settings! {
    /// As [`GuidedSizes`](super::GuidedSizes), with the times that items took in the step before instead of their sizes:
    /// for items whose time their size does not tell, on units that are alike. An item that moves from a core to a
    /// device, or back, takes another time there, which this only sees afterwards; so on unlike units the search goes
    /// by detours, or in circles: 16 equal items, a core that takes 6 for each and two devices that take 1 end in an
    /// alternation of two distributions for ever. The paper has no rule against that. Here the search ends at the
    /// first distribution that repeats, or after `most`, and keeps the best one that was measured.
    ///
    /// ```
    /// use skel_tasks::distribution::{GuidedRuntime, Scheme};
    ///
    /// let it = GuidedRuntime::default();
    /// assert_eq!(it.text(), "guided-runtime,variant=recommended,most=50");
    /// ```
    GuidedRuntime, "guided-runtime";
    /// How cuts are found, and whether the search ends.
    variant: Variant = Variant::Recommended, variant::EXPECTED;
    /// How many distributions are tried at most, in the recommended variant.
    most: usize = 50, "1 or more distributions";
}

impl Scheme for GuidedRuntime {
    fn text(&self) -> String {
        self.shown()
    }

    fn build(
        &self,
        units: ComputeUnits,
        sizes: &Sizes,
    ) -> Result<Box<dyn Distribution>, BadOption> {
        if self.most == 0 {
            return Err(BadOption::new("most", 0, "1 or more distributions"));
        }
        Ok(Box::new(ByTime {
            scheme: *self,
            items: sizes.len(),
            chunks: cut::equal(0..sizes.len(), units.len()),
            tried: Tried::default(),
            is_steady: false,
        }))
    }
}

#[derive(Debug)]
struct ByTime {
    scheme: GuidedRuntime,
    items: usize,
    chunks: Vec<Range<usize>>,
    tried: Tried,
    is_steady: bool,
}

impl Distribution for ByTime {
    fn next(&mut self) -> Allotment {
        Allotment::of_ranges(&self.chunks)
    }

    fn observe(&mut self, step: &StepTimes<'_>) {
        let (items, weights) = (0..self.items, step.weights());
        if self.scheme.variant == Variant::Paper {
            let swept = guided::sweep(&self.chunks, &items, &weights);
            self.is_steady = swept == self.chunks;
            self.chunks = swept;
            return;
        }
        if self.is_steady {
            return;
        }
        self.tried.add(&self.chunks, step.makespan_ns());
        self.chunks = cut::cumulative(items, self.chunks.len(), &weights);
        if self.tried.has(&self.chunks) || self.tried.len() >= self.scheme.most {
            self.is_steady = true;
            if let Some(best) = self.tried.best() {
                self.chunks = best.to_vec();
            }
        }
    }

    /// In the paper's variant: whether the last step changed nothing. Other times may.
    fn is_steady(&self) -> bool {
        self.is_steady
    }
}
