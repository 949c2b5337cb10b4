//! Time over a number of elements: monotone and piecewise linear.

/// How long so many elements take, in nanoseconds: piecewise linear, never falling, with a latency at the
/// limit of no elements, and going on with its last slope. No elements at all take no time; that is not
/// part of the curve.
///
/// ```
/// use skel_model::Curve;
///
/// let line = Curve::line(2.0, 100.0);
/// assert_eq!(line.at(50.0), 200.0);
/// assert_eq!(line.inverse(200.0), 50.0);
///
/// // Within the cache one nanosecond per element, beyond it three.
/// let knee = Curve::through(&[(100.0, 150.0), (1000.0, 1050.0), (2000.0, 4050.0)]);
/// assert_eq!((knee.latency_ns(), knee.at(500.0), knee.at(3000.0)), (50.0, 550.0, 7050.0));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// At least one; the first at no elements, the elements increasing, the times not decreasing.
    knots: Vec<Knot>,
}

/// Where a piece of a curve begins.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Knot {
    elems: f64,
    ns: f64,
    /// From here on, per element.
    slope_ns: f64,
}

impl Curve {
    /// `slope_ns` per element and `latency_ns`. What is negative or no number counts as zero, what is
    /// infinite as very much.
    #[must_use]
    pub fn line(slope_ns: f64, latency_ns: f64) -> Curve {
        Curve {
            knots: vec![Knot {
                elems: 0.0,
                ns: tame(latency_ns),
                slope_ns: tame(slope_ns),
            }],
        }
    }

    /// Through these points of elements and nanoseconds, sorted by elements here. Where they fall, the
    /// curve stays level. The first two say the latency, which is not negative, the last two how it
    /// goes on; a single one is a line without latency.
    #[must_use]
    pub fn through(points: &[(f64, f64)]) -> Curve {
        let mut sorted: Vec<(f64, f64)> =
            points.iter().map(|(n, t)| (tame(*n), tame(*t))).collect();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Of one size, the longest time.
        sorted.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = kept.1.max(next.1);
            }
            same
        });
        for k in 1..sorted.len() {
            sorted[k].1 = sorted[k].1.max(sorted[k - 1].1);
        }
        match sorted[..] {
            [] => Curve::line(0.0, 0.0),
            [(0.0, ns)] => Curve::line(0.0, ns),
            [(elems, ns)] => Curve::line(ns / elems, 0.0),
            [(n0, t0), (n1, t1), ..] => {
                let latency = (t0 - (t1 - t0) / (n1 - n0) * n0).max(0.0);
                let [.., (n2, t2), (n3, t3)] = sorted[..] else {
                    unreachable!("there are two");
                };
                let last_slope_ns = (t3 - t2) / (n3 - n2);
                if n0 > 0.0 {
                    sorted.insert(0, (0.0, tame(latency)));
                }
                Curve::build(sorted, tame(last_slope_ns))
            }
        }
    }

    /// What [`Curve::points`] and [`Curve::last_slope_ns`] said, from a file. `None` unless the points
    /// begin at no elements, their elements increase, their times do not decrease, and all numbers are
    /// finite and not negative.
    #[must_use]
    pub fn from_parts(points: Vec<(f64, f64)>, last_slope_ns: f64) -> Option<Curve> {
        let sound = |x: f64| (0.0..=LARGEST).contains(&x);
        let numbers = points.iter().all(|(n, t)| sound(*n) && sound(*t)) && sound(last_slope_ns);
        let order = points
            .windows(2)
            .all(|p| p[0].0 < p[1].0 && p[0].1 <= p[1].1);
        let begins = points.first().is_some_and(|p| p.0 == 0.0);
        (numbers && order && begins).then(|| Curve::build(points, last_slope_ns))
    }

    fn build(points: Vec<(f64, f64)>, last_slope_ns: f64) -> Curve {
        let slope = |k: usize| match (points[k], points.get(k + 1)) {
            ((n0, t0), Some((n1, t1))) => tame((t1 - t0) / (n1 - n0)),
            (_, None) => last_slope_ns,
        };
        let knot = |k: usize| Knot {
            elems: points[k].0,
            ns: points[k].1,
            slope_ns: slope(k),
        };
        Curve {
            knots: (0..points.len()).map(knot).collect(),
        }
    }

    /// Where its pieces begin: elements and nanoseconds. The first is at no elements.
    pub fn points(&self) -> impl ExactSizeIterator<Item = (f64, f64)> + '_ {
        self.knots.iter().map(|k| (k.elems, k.ns))
    }

    /// Nanoseconds per element beyond the last of [`Curve::points`].
    #[must_use]
    pub fn last_slope_ns(&self) -> f64 {
        self.knots[self.knots.len() - 1].slope_ns
    }

    /// The time at the limit of no elements.
    #[must_use]
    pub fn latency_ns(&self) -> f64 {
        self.knots[0].ns
    }

    /// The time of so many elements.
    #[must_use]
    pub fn at(&self, elems: f64) -> f64 {
        let after = self.knots.partition_point(|k| k.elems <= elems).max(1);
        let knot = &self.knots[after - 1];
        let ns = knot.ns + knot.slope_ns * (elems - knot.elems).max(0.0);
        // No rounding lifts it above the next knot.
        self.knots.get(after).map_or(ns, |next| ns.min(next.ns))
    }

    /// The most elements that take at most `ns`: none if less than the latency is left, infinitely many
    /// if it ends level.
    #[must_use]
    pub fn inverse(&self, ns: f64) -> f64 {
        self.inverse_with(0.0, ns).0
    }

    /// The most elements that take at most `ns` if each takes `more_ns` in addition, and what the next one
    /// would take.
    pub(crate) fn inverse_with(&self, more_ns: f64, ns: f64) -> (f64, f64) {
        let begins = |knot: &Knot| knot.ns + more_ns * knot.elems;
        let after = self.knots.partition_point(|knot| begins(knot) <= ns);
        let Some(knot) = after.checked_sub(1).map(|k| &self.knots[k]) else {
            return (0.0, f64::INFINITY);
        };
        let rate = knot.slope_ns + more_ns;
        let elems = if rate > 0.0 {
            knot.elems + (ns - begins(knot)) / rate
        } else {
            f64::INFINITY
        };
        let end = self
            .knots
            .get(after)
            .map_or(f64::INFINITY, |next| next.elems);
        (elems.min(end), rate)
    }
}

/// Far above all times and sizes, and far below where sums and products of some overflow.
const LARGEST: f64 = 1e60;

/// What is used of a number from outside.
pub(crate) fn tame(x: f64) -> f64 {
    if x.is_nan() {
        0.0
    } else {
        x.clamp(0.0, LARGEST)
    }
}

#[cfg(test)]
mod test;
