//! Units that are free take the next items; what they took is kept.

use super::{Allotment, ComputeUnits, Distribution, Scheme, Sizes, StepTimes, Variant, variant};
use crate::{BadOption, Ns, settings::settings};

settings! {
    /// In the first `steps` steps, a unit that has nothing to do takes the next `chunk` items (OpenMP's `dynamic`);
    /// from then on, each unit computes what it took in one of these steps (after Bull 1998), so that no item moves
    /// any more. It balances well, whatever the sizes and speeds, but neighbours land on different units, and have to
    /// send each other their borders. In the paper, the step that is repeated is the last of these; here it is the
    /// shortest, since a first step often takes long for reasons of its own.
    ///
    /// ```
    /// use skel_tasks::distribution::{Dynamic, Scheme};
    ///
    /// let pairs = Dynamic { chunk: 2, ..Dynamic::default() };
    /// assert_eq!(pairs.text(), "dynamic,chunk=2,steps=3,variant=recommended");
    /// ```
    Dynamic, "dynamic";
    /// How many neighbouring items are taken at once.
    chunk: usize = 1, "1 or more items";
    /// How many steps are free.
    steps: usize = 3, "1 or more steps";
    /// Whether the last of them is repeated, or the shortest.
    variant: Variant = Variant::Recommended, variant::EXPECTED;
}

impl Scheme for Dynamic {
    fn text(&self) -> String {
        self.shown()
    }

    fn build(&self, units: ComputeUnits, _: &Sizes) -> Result<Box<dyn Distribution>, BadOption> {
        for (option, value) in [("chunk", self.chunk), ("steps", self.steps)] {
            if value == 0 {
                return Err(BadOption::new(option, value, "1 or more"));
            }
        }
        Ok(Box::new(Remembered {
            scheme: *self,
            units: units.len(),
            seen: 0,
            kept: None,
        }))
    }
}

#[derive(Debug)]
struct Remembered {
    scheme: Dynamic,
    units: usize,
    seen: usize,
    /// How long the step took that is repeated, and which unit took what.
    kept: Option<(Ns, Vec<Vec<usize>>)>,
}

impl Distribution for Remembered {
    fn next(&mut self) -> Allotment {
        match &self.kept {
            Some((_, own)) if self.is_steady() => Allotment::Own(own.clone()),
            _ => Allotment::Claims {
                chunk: self.scheme.chunk,
            },
        }
    }

    fn observe(&mut self, step: &StepTimes<'_>) {
        if self.is_steady() {
            return;
        }
        self.seen += 1;
        let took_ns = step.makespan_ns();
        let is_better = |kept: &(Ns, _)| took_ns < kept.0;
        if self.scheme.variant == Variant::Paper || self.kept.as_ref().is_none_or(is_better) {
            let mut own = vec![Vec::new(); self.units];
            for (item, unit) in step.owner().iter().enumerate() {
                own[*unit].push(item);
            }
            self.kept = Some((took_ns, own));
        }
    }

    fn is_steady(&self) -> bool {
        self.seen >= self.scheme.steps
    }

    fn phase(&self) -> &'static str {
        match self.is_steady() {
            true => "steady",
            false => "claims",
        }
    }
}
