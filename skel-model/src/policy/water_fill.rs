//! Water filling: the best partition among unlike units. All end together, at the least possible time.
//!
//! Think of a vessel per unit. Time is the level to which all are filled; a vessel's bottom is the unit's
//! latency, its width the elements that it computes per time. Where the vessels together hold all elements,
//! no unit ends later than need be.
//!
//! Units take ranges, not numbers: what has to be moved depends on where a range lies. So each unit in its
//! order takes as far as it gets in a given time, from where the one before it ended. A range costs at least
//! what ranges in it cost, so a unit that begins later does not end earlier, and taking as much as possible
//! is best for the units behind. What is left is to find the least time at which the last one gets to the
//! end.

mod cost;

pub use cost::{Moved, UnitCost};

use crate::curve::tame;
use arrayvec::ArrayVec;

/// Calls are split if that takes at most this part of what the best single unit takes: predictions are not
/// better than that, and one unit is simpler.
pub const LEAST_GAIN: f64 = 0.98;

/// Which unit takes how much, and how long it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// Elements of each unit, in the order of the units and then of those that only work alone. They add up
    /// to all; [`Assignment::of_sizes`](super::Assignment::of_sizes) makes ranges of them.
    pub sizes: Vec<usize>,
    /// The time.
    pub ns: f64,
    /// The best single unit, counted as in `sizes`.
    pub best_single: usize,
    /// What the best single unit takes.
    pub best_single_ns: f64,
    /// What the best split takes, with what a call takes longer for being shared, chosen or not. `None`
    /// where a single unit is better even without that.
    pub split_ns: Option<f64>,
}

/// Divides `elems` elements among `units`, of which each takes consecutive ones, in this order. Those in
/// `singles_only` take all or nothing. `None` if there is no unit at all.
///
/// The split has the least time that any has, to the element; it is chosen if it is at least 2 % better than
/// the best single unit ([`LEAST_GAIN`]).
///
/// ```
/// use skel_model::{Curve, policy::{UnitCost, predict}};
///
/// // 1 ns per element here; there 0.25, and 3000 ns until it begins.
/// let (cpu, gpu) = (Curve::line(1.0, 0.0), Curve::line(0.25, 3000.0));
/// let units = [UnitCost::new(&cpu, 1.0), UnitCost::new(&gpu, 1.0)];
/// let large = predict(10_000, &units, 100.0, &[]).unwrap();
/// assert_eq!((large.sizes, large.ns), (vec![4400, 5600], 4500.0));
/// let small = predict(1000, &units, 100.0, &[]).unwrap();
/// assert_eq!((small.sizes, small.ns), (vec![1000, 0], 1000.0));
/// ```
#[must_use]
pub fn predict(
    elems: usize,
    units: &[UnitCost<'_>],
    split_overhead_ns: f64,
    singles_only: &[UnitCost<'_>],
) -> Option<Prediction> {
    let alone = |unit: &UnitCost<'_>| unit.ns(0..elems) + unit.back_ns(elems);
    let least = |units: &[UnitCost<'_>]| {
        let times = units.iter().map(alone).enumerate();
        times.min_by(|a, b| a.1.total_cmp(&b.1))
    };
    let (best_sharing, others) = (least(units), least(singles_only));
    let others = others.map(|(k, ns)| (units.len() + k, ns));
    let singles = best_sharing.into_iter().chain(others);
    let (best_single, best_single_ns) = singles.min_by(|a, b| a.1.total_cmp(&b.1))?;
    let mut sizes = vec![0; units.len() + singles_only.len()];

    let mut split_ns: Option<f64> = None;
    if best_sharing.is_some() && units.len() > 1 && elems > 1 {
        // What goes back does so after the call. It is best if all end together, unless an element costs
        // less on the host than to get it back: then the host should have more of them.
        let returning = units.iter().any(UnitCost::returns);
        let weights: &[f64] = if returning { &BACK_WEIGHTS } else { &[0.0] };
        for weight in weights {
            let mut found = vec![0; sizes.len()];
            let ns = shared_ns(elems, units, *weight, &mut found);
            if let Some(ns) = ns.filter(|ns| split_ns.is_none_or(|least| *ns < least)) {
                split_ns = Some(ns);
                sizes = found;
            }
        }
        split_ns = split_ns.map(|ns| ns + tame(split_overhead_ns));
    }
    let ns = match split_ns {
        Some(ns) if ns <= LEAST_GAIN * best_single_ns => ns,
        _ => {
            sizes.fill(0);
            sizes[best_single] = elems;
            best_single_ns
        }
    };
    Some(Prediction {
        sizes,
        ns,
        best_single,
        best_single_ns,
        split_ns,
    })
}

/// How much of what goes back is tried to count as a part of the work.
const BACK_WEIGHTS: [f64; 4] = [0.0, 0.5, 1.0, 2.0];

/// What a split takes, if it is one: that of units that end together, where so many times what goes back is
/// a part of the work.
fn shared_ns(
    elems: usize,
    units: &[UnitCost<'_>],
    weight: f64,
    sizes: &mut [usize],
) -> Option<f64> {
    let weighing: Vec<UnitCost<'_>> = units.iter().map(|unit| unit.weighing(weight)).collect();
    let alone = weighing.iter().map(|unit| unit.ns(0..elems));
    let level_ns = least_level(elems, &weighing, alone.fold(f64::INFINITY, f64::min), sizes);
    if sizes.iter().filter(|size| **size > 0).count() < 2 {
        return None;
    }
    if units.iter().all(|unit| !unit.returns()) {
        return Some(level_ns);
    }
    let (mut start, mut ns, mut back_ns) = (0, 0.0_f64, 0.0);
    for (unit, size) in units.iter().zip(sizes.iter()) {
        ns = ns.max(unit.ns(start..start + size));
        back_ns += unit.back_ns(*size);
        start += size;
    }
    Some(ns + back_ns)
}

/// What the units do in a given time.
struct Level {
    /// How far they get.
    end: usize,
    /// When the last one is ready.
    ns: f64,
    /// Which one that is; the first of several.
    last: usize,
    /// The least time at which one of them gets further.
    next_ns: f64,
    /// How far each of the first units gets.
    ends: ArrayVec<usize, 8>,
}

fn level(elems: usize, units: &[UnitCost<'_>], ns: f64) -> Level {
    let mut level = Level {
        end: 0,
        ns: 0.0,
        last: 0,
        next_ns: f64::INFINITY,
        ends: ArrayVec::new(),
    };
    for (k, unit) in units.iter().enumerate() {
        let taken = unit.reach(level.end, elems, ns);
        level.end = taken.end;
        if taken.ns > level.ns {
            (level.ns, level.last) = (taken.ns, k);
        }
        level.next_ns = level.next_ns.min(taken.next_ns);
        if k < level.ends.capacity() {
            level.ends.push(taken.end);
        }
    }
    level
}

/// The least time at which the units together take all elements, and what each takes then; `enough_ns` is a
/// time at which they do.
fn least_level(elems: usize, units: &[UnitCost<'_>], enough_ns: f64, sizes: &mut [usize]) -> f64 {
    // Nothing below `low` will do. `high` does, and is the time of some range.
    let (mut low, mut high) = (0.0_f64, enough_ns);
    let mut ends = None;
    let mut probe = newton(elems, units, enough_ns);
    // The first probe is mostly the answer, the second one shows it. Without luck, halves.
    for step in 0..300 {
        let found = level(elems, units, probe);
        let enough = found.end == elems;
        if enough {
            high = found.ns;
            ends = Some(found.ends);
            if found.last + 1 == units.len() {
                // In less time those before it get as far, and it does not get to the end.
                break;
            }
        } else {
            low = found.next_ns;
        }
        if low >= high {
            break;
        }
        let probes = if enough { high.next_down() } else { low };
        let middle = low + (high - low) / 2.0;
        // Not above what is known to do, even where there is no number between.
        probe = if step < 6 { probes } else { middle }
            .min(high.next_down())
            .max(low);
    }
    let mut start = 0;
    let ends = ends.unwrap_or_default();
    for (k, (unit, size)) in units.iter().zip(sizes).enumerate() {
        let known = ends.get(k).copied();
        let end = known.unwrap_or_else(|| unit.reach(start, elems, high).end);
        *size = end - start;
        start = end;
    }
    high
}

/// Nearly the least time at which the units together take all elements, as if those could be divided.
/// Where units are lines this ends after as many steps as there are units, as a rule after two.
fn newton(elems: usize, units: &[UnitCost<'_>], enough_ns: f64) -> f64 {
    // Times, and how far beyond the last element one gets until then.
    let (mut low, mut high) = ((0.0_f64, -(elems as f64)), (enough_ns, f64::INFINITY));
    let mut ns = enough_ns;
    for step in 0..24 {
        let (mut end, mut per_ns) = (0.0_f64, 0.0_f64);
        for unit in units {
            let taken = unit.advance(end, elems, ns);
            end = taken.end;
            if taken.end_rate < f64::INFINITY {
                // A unit that begins later leaves its first elements to others.
                per_ns = (per_ns * taken.begin_rate + 1.0) / taken.end_rate;
            }
        }
        let beyond = end - elems as f64;
        if beyond >= 0.0 {
            high = (ns, beyond);
        } else {
            low = (ns, beyond);
        }
        if beyond.abs() < 0.25 || high.0 - low.0 <= 1e-12 * high.0 {
            break;
        }
        ns -= beyond / per_ns;
        // Outside, or no number: there is a knee, a step or a level piece between the two.
        let inside = |ns: f64| low.0 < ns && ns < high.0;
        if !inside(ns) {
            let chord = low.0 - low.1 * (high.0 - low.0) / (high.1 - low.1);
            let straight = step % 2 == 0 && inside(chord);
            ns = if straight {
                chord
            } else {
                low.0 + (high.0 - low.0) / 2.0
            };
        }
    }
    ns
}

#[cfg(test)]
mod returning;
#[cfg(test)]
mod test;
