//! A cut between cores and devices that is searched by halving, and balance within each of the two.

use super::{
    Allotment, ComputeUnits, Distribution, Scheme, Sizes, StepTimes, Variant, cut, guided,
    search::Tried, variant,
};
use crate::{BadOption, settings::settings};
use std::{cmp::Ordering, ops::Range};

settings! {
    /// Items below a *pivot* are for units of cores, the others for devices. The pivot begins at N, the number of units
    /// of cores; whichever of the two takes longer gives items away, half of all at first, then a quarter, and so on.
    /// Before each such move, and after it, the steps show what items really take where they are; between moves, the
    /// ends of chunks are shifted within each of the two until the work is balanced. It is for items of unlike sizes
    /// on unlike units: neighbours stay together, and no time is ever guessed.
    ///
    /// A move takes four steps: *move* (with equal numbers), *probe*, *balance*, *probe*; two more come first. The
    /// paper's search ends where the direction changes and the *next* move would be one item; it can so end before any
    /// move of one item, at a pivot that is not the best. Recommended is to halve upwards, to end only when a move *of*
    /// one item was taken back, or after `⌈log₂ items⌉ + 2` moves, and to keep the best that was measured: at most
    /// `4 · ⌈log₂ items⌉ + 10` steps.
    ///
    /// ```
    /// use skel_tasks::distribution::{ClusteredGuided, Scheme, Variant};
    ///
    /// let paper = ClusteredGuided { variant: Variant::Paper };
    /// assert_eq!(paper.text(), "clustered-guided,variant=paper");
    /// ```
    ClusteredGuided, "clustered-guided";
    /// How the search goes on and ends, and how chunks are balanced.
    variant: Variant = Variant::Recommended, variant::EXPECTED;
}

impl Scheme for ClusteredGuided {
    fn text(&self) -> String {
        self.shown()
    }

    fn build(
        &self,
        units: ComputeUnits,
        sizes: &Sizes,
    ) -> Result<Box<dyn Distribution>, BadOption> {
        Ok(Box::new(Pivoted::new(self.variant, units, sizes.len())))
    }
}

/// What the step to come is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The first step.
    Init,
    /// The first step after a move.
    Moved,
    /// The first step after chunks were balanced.
    Balanced,
    /// A step of which the times count: to balance by them,
    ProbeMoved,
    /// or to move by them.
    ProbeBalanced,
    Steady,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Towards {
    /// Fewer items for cores.
    Cores,
    /// Fewer items for devices.
    Devices,
}

#[derive(Debug)]
pub(super) struct Pivoted {
    variant: Variant,
    units: ComputeUnits,
    items: usize,
    pub(super) pivot: usize,
    /// How far the next move goes.
    step: usize,
    /// The last move: where to, and how far.
    last: Option<(Towards, usize)>,
    pub(super) moves: usize,
    chunks: Vec<Range<usize>>,
    phase: Phase,
    tried: Tried,
}

impl Pivoted {
    pub(super) fn new(variant: Variant, units: ComputeUnits, items: usize) -> Pivoted {
        let pivot = match (units.cpus(), units.devices()) {
            (0, _) => 0,
            (_, 0) => items,
            (cpus, _) => cpus.min(items),
        };
        let mut it = Pivoted {
            variant,
            units,
            items,
            pivot,
            step: match variant {
                Variant::Paper => items / 2,
                Variant::Recommended => items.div_ceil(2),
            },
            last: None,
            moves: 0,
            chunks: Vec::new(),
            phase: match items {
                0 => Phase::Steady,
                _ => Phase::Init,
            },
            tried: Tried::default(),
        };
        it.spread();
        it
    }

    /// The items of cores and of devices.
    fn parts(&self) -> [Range<usize>; 2] {
        [0..self.pivot, self.pivot..self.items]
    }

    fn has_one_cluster(&self) -> bool {
        self.units.cpus() == 0 || self.units.devices() == 0
    }

    /// Equal numbers of items within each cluster.
    fn spread(&mut self) {
        self.chunks.clear();
        for (part, cluster) in self.parts().into_iter().zip(self.units.clusters()) {
            self.chunks.extend(cut::equal(part, cluster.len()));
        }
    }

    /// About equal times within each cluster.
    fn balance(&mut self, weights: &[f64]) {
        let mut all = Vec::with_capacity(self.chunks.len());
        for (part, cluster) in self.parts().into_iter().zip(self.units.clusters()) {
            all.extend(match self.variant {
                Variant::Paper => guided::sweep(&self.chunks[cluster], &part, weights),
                Variant::Recommended => cut::cumulative(part, cluster.len(), weights),
            });
        }
        self.chunks = all;
    }

    /// Moves the pivot towards the slower cluster, or ends the search.
    fn advance(&mut self, step: &StepTimes<'_>) {
        let unit_ns = step.unit_ns();
        let longest = |cluster: Range<usize>| unit_ns[cluster].iter().max().copied().unwrap_or(0);
        let [cores_ns, devices_ns] = self.units.clusters().map(longest);
        let towards = match cores_ns.cmp(&devices_ns) {
            Ordering::Greater => Towards::Cores,
            Ordering::Less => Towards::Devices,
            Ordering::Equal => return self.end(),
        };
        let has_turned = |(last, _): (Towards, usize)| last != towards;
        let is_over = match self.variant {
            Variant::Paper => self.step == 1 && self.last.is_some_and(has_turned),
            Variant::Recommended => {
                let is_crossed = |last: (Towards, usize)| has_turned(last) && last.1 == 1;
                self.last.is_some_and(is_crossed) || self.moves >= self.most_moves()
            }
        };
        if is_over {
            return self.end();
        }
        let from = self.pivot;
        self.pivot = match towards {
            Towards::Cores => from.saturating_sub(self.step),
            Towards::Devices => (from + self.step).min(self.items),
        };
        self.last = Some((towards, from.abs_diff(self.pivot)));
        self.moves += 1;
        self.step = match self.variant {
            Variant::Paper => self.step / 2,
            Variant::Recommended => self.step.div_ceil(2),
        };
        self.step = self.step.max(1);
        self.spread();
        self.phase = Phase::Moved;
    }

    fn most_moves(&self) -> usize {
        self.items.next_power_of_two().trailing_zeros() as usize + 2
    }

    fn end(&mut self) {
        self.phase = Phase::Steady;
        let best = self
            .tried
            .best()
            .filter(|_| self.variant == Variant::Recommended);
        if let Some(best) = best {
            self.chunks = best.to_vec();
            self.pivot = self.chunks[..self.units.cpus()]
                .last()
                .map_or(0, |chunk| chunk.end);
        }
    }
}

impl Distribution for Pivoted {
    fn next(&mut self) -> Allotment {
        Allotment::of_ranges(&self.chunks)
    }

    fn observe(&mut self, step: &StepTimes<'_>) {
        match self.phase {
            Phase::Steady => {}
            Phase::Init if self.has_one_cluster() => self.phase = Phase::ProbeMoved,
            Phase::Init | Phase::Balanced => self.phase = Phase::ProbeBalanced,
            Phase::Moved => self.phase = Phase::ProbeMoved,
            Phase::ProbeMoved => {
                self.tried.add(&self.chunks, step.makespan_ns());
                self.balance(&step.weights());
                self.phase = Phase::Balanced;
            }
            Phase::ProbeBalanced => {
                self.tried.add(&self.chunks, step.makespan_ns());
                match self.has_one_cluster() {
                    true => self.end(),
                    false => self.advance(step),
                }
            }
        }
    }

    fn is_steady(&self) -> bool {
        self.phase == Phase::Steady
    }

    fn phase(&self) -> &'static str {
        match self.phase {
            Phase::Init => "init",
            Phase::Moved => "move",
            Phase::Balanced => "balance",
            Phase::ProbeMoved | Phase::ProbeBalanced => "probe",
            Phase::Steady => "steady",
        }
    }
}
