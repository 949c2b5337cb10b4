//! The predicted time of a unit: a line through its last measurements.

use crate::stats;

/// Sizes are distinguished if they differ by this part of the larger one.
const APART: f64 = 0.25;

/// And are the same if they differ by less than this.
const ALIKE: f64 = 0.1;

/// Points that are remembered.
const POINTS: usize = 8;

/// Relative deviations of what was seen since the last change, at most.
const ERRORS: usize = 15;

/// By so much, as a logarithm, nothing is off by chance twice in a row.
const ODD: f64 = 0.2;

/// By so much, not even once.
const IMPOSSIBLE: f64 = 0.35;

/// A line is at most so many times as steep as one through the origin: what is steeper was disturbed.
const STEEPEST: f64 = 4.0;

/// A unit's time over its number of elements, near what it had last. Where elements cost more and more, the
/// latency is negative.
#[derive(Clone, Debug)]
pub(super) struct Line {
    latency_ns: f64,
    slope_ns: f64,
    /// What was seen, the last one last.
    points: Vec<(f64, f64)>,
    /// Logarithms of what was seen over what was expected.
    errors: Vec<f64>,
    /// Whether there was only one call, which may have compiled a kernel.
    pub(super) cold: bool,
}

impl Line {
    /// Through the origin: nothing else is known after one call.
    pub(super) fn first(elems: f64, ns: f64) -> Line {
        Line {
            latency_ns: 0.0,
            slope_ns: ns / elems,
            points: vec![(elems, ns)],
            errors: Vec::new(),
            cold: true,
        }
    }

    pub(super) fn at(&self, elems: f64) -> f64 {
        // Where elements cost more and more, lines that are true here are too low elsewhere.
        (self.latency_ns + self.slope_ns * elems).max(0.1 * self.slope_ns * elems)
    }

    /// What was seen may be chance: it is only noted. Says whether it cannot be chance, or not twice in a
    /// row: then the unit has changed, and what was noted before does not count any more.
    pub(super) fn note(&mut self, elems: f64, ns: f64) -> bool {
        let (usual, noise) = (self.error(), self.noise());
        let off = |error: &f64, least: f64, deviations: f64| {
            let far = (error - usual).abs() > f64::max(least, deviations * noise);
            if far { (error - usual).signum() } else { 0.0 }
        };
        let error = (ns / self.at(elems)).ln();
        let before = self
            .errors
            .last()
            .map_or(0.0, |before| off(before, ODD, 4.0));
        // What is usual is not known by few.
        let twice = self.errors.len() > 3 && off(&error, ODD, 4.0) * before > 0.0;
        let changed = twice || off(&error, IMPOSSIBLE, 6.0) != 0.0;
        if changed {
            let recent = self.errors.len() - usize::from(twice);
            self.errors.drain(..recent);
        } else if self.errors.len() == ERRORS {
            self.errors.remove(0);
        }
        self.errors.push(error);
        changed
    }

    /// What was measured counts fully: the line goes through it. If it was seen of as many elements before,
    /// it is one of several.
    pub(super) fn learn(&mut self, elems: f64, ns: f64) {
        let before = self.points.last().map_or(0.0, |(n, _)| *n);
        if !self.cold && (elems - before).abs() < ALIKE * elems && !self.note(elems, ns) {
            return;
        }
        self.go_through(elems, ns);
    }

    /// A unit that had nothing for a while was tried: if it is far off the line, what was seen of it before is not true
    /// any more.
    pub(super) fn learn_after_pause(&mut self, elems: f64, ns: f64) {
        if (ns / self.at(elems)).ln().abs() > IMPOSSIBLE {
            self.forget();
            self.go_through(elems, ns);
        } else {
            self.learn(elems, ns);
        }
    }

    /// From now on, the line goes through this.
    pub(super) fn go_through(&mut self, elems: f64, ns: f64) {
        let each = ns / elems;
        if self.cold {
            self.points.retain(|(n, t)| t / n <= STEEPEST * each);
        }
        // What noise does to a slope is the less the farther two points are apart.
        let far = |(n, _): &(f64, f64)| (elems - n).abs() / elems.max(*n);
        let points = self.points.iter().filter(|point| far(point) >= APART);
        let before = points.max_by(|a, b| far(a).total_cmp(&far(b)));
        let secant = before.map(|(n, t)| (ns - t) / (elems - n));
        let scaled = self.slope_ns * ns / self.at(elems);
        // More elements that take less: one of both was disturbed.
        let slope = secant.filter(|slope| *slope > 0.0).unwrap_or(scaled);
        self.slope_ns = slope.min(STEEPEST * each);
        self.latency_ns = ns - self.slope_ns * elems;
        if self.points.len() == POINTS {
            self.points.remove(0);
        }
        self.points.push((elems, ns));
        self.errors.clear();
        self.cold = false;
    }

    /// Everything takes as many times as much as the errors say.
    pub(super) fn corrected(&self) -> Line {
        let factor = self.error().exp();
        Line {
            latency_ns: self.latency_ns * factor,
            slope_ns: self.slope_ns * factor,
            ..self.clone()
        }
    }

    /// What was seen before is not true any more.
    pub(super) fn forget(&mut self) {
        self.points.clear();
        self.errors.clear();
    }

    /// How often something was noted since the line was changed.
    pub(super) fn noted(&self) -> usize {
        self.errors.len()
    }

    /// The median of the errors.
    pub(super) fn error(&self) -> f64 {
        median(&self.errors)
    }

    /// How noisy the unit is: a robust estimate of the errors' deviation.
    pub(super) fn noise(&self) -> f64 {
        let middle = self.error();
        let off: Vec<f64> = (self.errors.iter().map(|error| (error - middle).abs())).collect();
        1.4826 * median(&off)
    }
}

/// 0 of nothing.
pub(super) fn median(values: &[f64]) -> f64 {
    stats::median(values).unwrap_or(0.0)
}

/// How `elems` elements are best divided among units, and how long that takes: each works until the same
/// moment, those whose latency is longer not at all.
pub(super) fn fill(elems: f64, lines: &[&Line]) -> (Vec<f64>, f64) {
    let mut order: Vec<&Line> = lines.to_vec();
    order.sort_by(|a, b| a.latency_ns.total_cmp(&b.latency_ns));
    // Up to which moment the units of least latency need for all elements, one unit more each time.
    let (mut rate, mut offset, mut end) = (0.0, 0.0, f64::INFINITY);
    for line in order {
        if line.latency_ns >= end {
            break;
        }
        let slope = line.slope_ns.max(f64::MIN_POSITIVE);
        rate += 1.0 / slope;
        offset += line.latency_ns / slope;
        end = (elems + offset) / rate;
    }
    let size =
        |line: &&Line| (end - line.latency_ns).max(0.0) / line.slope_ns.max(f64::MIN_POSITIVE);
    (lines.iter().map(size).collect(), end)
}

#[cfg(test)]
mod test {
    use super::*;

    fn line(latency_ns: f64, slope_ns: f64) -> Line {
        Line {
            latency_ns,
            slope_ns,
            ..Line::first(1.0, 1.0)
        }
    }

    #[test]
    fn two_lines_are_filled_as_equation_four_says() {
        let (c, g) = (line(10.0, 4.0), line(500.0, 1.0));
        let (sizes, end) = fill(1000.0, &[&c, &g]);
        let optimum = (4.0 * 1.0 * 1000.0 + 4.0 * 500.0 + 1.0 * 10.0) / 5.0;
        assert!((end - optimum).abs() < 1e-9, "{end} {optimum}");
        assert!((sizes.iter().sum::<f64>() - 1000.0).abs() < 1e-9);
        assert!((c.at(sizes[0]) - g.at(sizes[1])).abs() < 1e-9);
    }

    #[test]
    fn a_unit_that_begins_too_late_has_nothing() {
        let (sizes, end) = fill(100.0, &[&line(200.0, 0.1), &line(0.0, 1.0)]);
        assert_eq!((sizes, end), (vec![0.0, 100.0], 100.0));
    }

    #[test]
    fn two_sizes_give_the_line() {
        let mut seen = Line::first(100.0, 350.0);
        seen.learn(1000.0, 1250.0);
        assert!((seen.slope_ns - 1.0).abs() < 1e-9 && (seen.latency_ns - 250.0).abs() < 1e-9);
        // One size that takes longer than it did: so does everything.
        seen.forget();
        seen.learn(1000.0, 2500.0);
        assert!((seen.slope_ns - 2.0).abs() < 1e-9 && (seen.latency_ns - 500.0).abs() < 1e-9);
    }

    #[test]
    fn a_call_that_compiled_gives_no_line_that_falls() {
        let mut seen = Line::first(100.0, 1e9);
        seen.learn(1000.0, 2000.0);
        assert!((seen.slope_ns - 2.0).abs() < 1e-9 && seen.latency_ns.abs() < 1e-9);
        assert!((seen.at(1000.0) - 2000.0).abs() < 1e-6);
    }
}
