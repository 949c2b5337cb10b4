//! The cost of a range on a unit.

use crate::{Curve, curve::tame};
use skel_core::space::IntervalSet;
use std::ops::Range;

/// Elements of an operand that have to be moved before or after a unit computes them.
#[derive(Clone, Copy, Debug)]
pub struct Moved<'a> {
    missing: &'a IntervalSet,
    ns_per_elem: f64,
    latency_ns: f64,
}

impl<'a> Moved<'a> {
    /// The elements in `missing`, numbered as those of the call, of `bytes_per_elem` bytes each, through
    /// something that moves a byte in `ns_per_byte`, and begins after `latency_ns`.
    #[must_use]
    pub fn new(
        missing: &'a IntervalSet,
        bytes_per_elem: f64,
        ns_per_byte: f64,
        latency_ns: f64,
    ) -> Moved<'a> {
        Moved {
            missing,
            ns_per_elem: tame(tame(bytes_per_elem) * tame(ns_per_byte)),
            latency_ns: tame(latency_ns),
        }
    }

    /// Of those in this range.
    fn ns(&self, range: &Range<usize>) -> f64 {
        let ranges = self.missing.ranges();
        let first = ranges.partition_point(|r| r.end <= range.start);
        let here = ranges[first..].iter().take_while(|r| r.start < range.end);
        let clipped = here.map(|r| r.end.min(range.end) - r.start.max(range.start));
        match clipped.sum::<usize>() {
            0 => 0.0,
            missing => self.latency_ns + self.ns_per_elem * missing as f64,
        }
    }

    /// At this element, for a unit that begins at `from`: nanoseconds per element, the latency if nothing
    /// was missing before, and where that ends.
    fn at(&self, from: usize, elem: usize) -> (f64, f64, usize) {
        let ranges = self.missing.ranges();
        let next = ranges.partition_point(|r| r.end <= elem);
        match ranges.get(next) {
            Some(range) if range.start <= elem => {
                let before =
                    range.start.max(from) < elem || next > 0 && ranges[next - 1].end > from;
                let latency_ns = if before { 0.0 } else { self.latency_ns };
                (self.ns_per_elem, latency_ns, range.end)
            }
            range => (0.0, 0.0, range.map_or(usize::MAX, |r| r.start)),
        }
    }
}

/// What ranges cost on one unit. A range never costs less than one within it.
#[derive(Clone, Copy, Debug)]
pub struct UnitCost<'a> {
    curve: &'a Curve,
    factor: f64,
    fixed_ns: f64,
    moved: &'a [Moved<'a>],
    /// Of what goes back: once, and per element.
    back_ns: (f64, f64),
    /// How much of that counts here.
    back_weight: f64,
}

/// What a unit takes in a given time.
pub(super) struct Taken {
    /// Up to here.
    pub(super) end: usize,
    /// What that takes.
    pub(super) ns: f64,
    /// What one more would take.
    pub(super) next_ns: f64,
}

/// What a unit about takes in a given time, as if elements could be divided.
pub(super) struct Advance {
    /// Up to here; it may be further than to the end of the call.
    pub(super) end: f64,
    /// What the first element takes of the time, without what is paid once.
    pub(super) begin_rate: f64,
    /// What the next element would take; infinite if nothing is taken.
    pub(super) end_rate: f64,
}

impl<'a> UnitCost<'a> {
    /// By a curve that is stretched `factor` times: see [`SizedCurve`](crate::SizedCurve).
    #[must_use]
    pub fn new(curve: &'a Curve, factor: f64) -> UnitCost<'a> {
        let sound = factor.is_finite() && factor > 0.0;
        UnitCost {
            curve,
            factor: if sound {
                factor.clamp(1e-20, 1e20)
            } else {
                1.0
            },
            fixed_ns: 0.0,
            moved: &[],
            back_ns: (0.0, 0.0),
            back_weight: 0.0,
        }
    }

    /// Whatever it takes, so much more: whole containers that it lacks.
    #[must_use]
    pub fn fixed(self, fixed_ns: f64) -> UnitCost<'a> {
        UnitCost {
            fixed_ns: tame(fixed_ns),
            ..self
        }
    }

    /// And what is moved for elements that are in its range.
    #[must_use]
    pub fn moving(self, moved: &'a [Moved<'a>]) -> UnitCost<'a> {
        UnitCost { moved, ..self }
    }

    /// And what it has computed goes back to the host after the call, while all other units are idle.
    #[must_use]
    pub fn returning(self, latency_ns: f64, ns_per_elem: f64) -> UnitCost<'a> {
        UnitCost {
            back_ns: (tame(latency_ns), tame(ns_per_elem)),
            ..self
        }
    }

    /// As if so many times what goes back was a part of the work.
    pub(super) fn weighing(self, back_weight: f64) -> UnitCost<'a> {
        UnitCost {
            back_weight,
            ..self
        }
    }

    pub(super) fn returns(&self) -> bool {
        self.back_ns != (0.0, 0.0)
    }

    /// What it takes until so many elements are back on the host.
    pub(super) fn back_ns(&self, elems: usize) -> f64 {
        match elems {
            0 => 0.0,
            elems => self.back_ns.0 + self.back_ns.1 * elems as f64,
        }
    }

    /// What this range costs during the call; nothing if it is empty.
    #[must_use]
    pub fn ns(&self, range: Range<usize>) -> f64 {
        if range.is_empty() {
            return 0.0;
        }
        let latency = self.curve.latency_ns();
        let grown = self.curve.at(range.len() as f64 / self.factor) - latency;
        let moved: f64 = self.moved.iter().map(|m| m.ns(&range)).sum();
        let back = self.back_weight * self.back_ns(range.len());
        latency + self.factor * grown + self.fixed_ns + moved + back
    }

    /// How far it gets from `from` in so much time, exactly: with [`UnitCost::ns`] as the judge.
    pub(super) fn reach(&self, from: usize, elems: usize, ns: f64) -> Taken {
        if from >= elems {
            let (ns, next_ns) = (0.0, f64::INFINITY);
            return Taken {
                end: elems,
                ns,
                next_ns,
            };
        }
        let mut end = floor(self.advance(from as f64, elems, ns).end).clamp(from, elems);
        let mut taken_ns = self.ns(from..end);
        // Roundings are at most a few elements, of very large numbers more.
        let mut step = 1;
        let mut too_far = None;
        while taken_ns > ns {
            too_far = Some((end, taken_ns));
            end = end.saturating_sub(step).max(from);
            taken_ns = self.ns(from..end);
            step = step.saturating_mul(2);
        }
        step = 1;
        loop {
            let upto = too_far.map_or(elems, |(far, _)| far - 1);
            if end >= upto {
                break;
            }
            // Upwards from what fits; once there is an end that does not, halves between.
            let probe = match too_far {
                None => end.saturating_add(step).min(upto),
                Some((far, _)) => end + (far - end) / 2,
            };
            step = step.saturating_mul(2);
            match self.ns(from..probe) {
                more if more > ns => too_far = Some((probe, more)),
                more => (end, taken_ns) = (probe, more),
            }
        }
        Taken {
            end,
            ns: taken_ns,
            next_ns: too_far.map_or(f64::INFINITY, |(_, more)| more),
        }
    }

    /// About how far it gets from `from` in so much time.
    pub(super) fn advance(&self, from: f64, elems: usize, ns: f64) -> Advance {
        let (latency, first) = (self.curve.latency_ns(), floor(from));
        let mut first_rate = None;
        let back = (
            self.back_weight * self.back_ns.0,
            self.back_weight * self.back_ns.1,
        );
        let (mut elem, mut moved_ns) = (first, self.fixed_ns + back.0);
        loop {
            let (mut rate, mut until) = (back.1, usize::MAX);
            for moved in self.moved {
                let (here, begins, end) = moved.at(first, elem);
                rate += here;
                moved_ns += begins;
                until = until.min(end);
            }
            // Of the curve, as if each element of the range cost `rate` more, also those before `elem`.
            let before = (elem as f64 - from).max(0.0);
            let left = ns - moved_ns + rate * before - latency;
            let (most, next_ns) = self.curve.inverse_with(rate, left / self.factor + latency);
            let end = from + most * self.factor;
            if end < until as f64 || until >= elems {
                return Advance {
                    end: end.max(from + before),
                    begin_rate: next_ns - rate + first_rate.unwrap_or(rate),
                    end_rate: next_ns,
                };
            }
            first_rate.get_or_insert(rate);
            moved_ns += rate * (until as f64 - from - before);
            elem = until;
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "never negative; the largest number if it is larger, which is meant"
)]
fn floor(elems: f64) -> usize {
    elems as usize
}
