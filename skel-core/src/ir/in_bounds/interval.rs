//! Intervals of `usize` values whose ends may depend on the length of lines.

/// `fixed + lens · n`, where `n` is the length of the lines of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    fixed: i64,
    lens: i64,
}

/// Ends are not beyond this, so that no sum of two of them wraps on any host.
const MOST: i64 = 1 << 30;

impl Bound {
    pub(super) const ZERO: Bound = Bound::fixed(0);
    pub(super) const LEN: Bound = Bound { fixed: 0, lens: 1 };

    pub(super) const fn fixed(fixed: i64) -> Bound {
        Bound { fixed, lens: 0 }
    }

    /// The sum, where it is small enough to be believed.
    pub(super) fn plus(self, other: Bound) -> Option<Bound> {
        let sum = Bound {
            fixed: self.fixed + other.fixed,
            lens: self.lens + other.lens,
        };
        (sum.fixed.abs() <= MOST && (0..=1).contains(&sum.lens)).then_some(sum)
    }

    fn minus(self, other: Bound) -> Option<Bound> {
        self.plus(Bound {
            fixed: -other.fixed,
            lens: -other.lens,
        })
    }

    /// Whether it is at most `other` for all lengths from `least` on.
    pub(super) fn is_at_most(self, other: Bound, least: i64) -> bool {
        let (fixed, lens) = (other.fixed - self.fixed, other.lens - self.lens);
        lens >= 0 && fixed + lens * least >= 0
    }

    /// Something that is at most both, and something that is at least both.
    fn below(self, other: Bound) -> Bound {
        Bound {
            fixed: self.fixed.min(other.fixed),
            lens: self.lens.min(other.lens),
        }
    }

    fn above(self, other: Bound) -> Bound {
        Bound {
            fixed: self.fixed.max(other.fixed),
            lens: self.lens.max(other.lens),
        }
    }
}

/// What is known of a value: it is at least `low`, and at most `high`, if that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) low: Bound,
    pub(super) high: Option<Bound>,
}

impl Interval {
    /// Nothing is known.
    pub(super) const ANY: Interval = Interval {
        low: Bound::ZERO,
        high: None,
    };

    /// One value.
    pub(super) const fn exactly(bound: Bound) -> Interval {
        Interval {
            low: bound,
            high: Some(bound),
        }
    }

    /// From 0 to this.
    pub(super) fn up_to(high: Option<Bound>) -> Interval {
        Interval {
            low: Bound::ZERO,
            high,
        }
    }

    /// Whether all values are below `bound`, for all lengths from `least` on.
    pub(super) fn is_below(self, bound: Bound, least: i64) -> bool {
        let high = self.high.and_then(|high| high.plus(Bound::fixed(1)));
        high.is_some_and(|high| high.is_at_most(bound, least))
    }

    /// What is known of a value that is in one of both.
    pub(super) fn or(self, other: Interval) -> Interval {
        Interval {
            low: self.low.below(other.low),
            high: self.high.zip(other.high).map(|(a, b)| a.above(b)),
        }
    }

    /// The same, where the value is at least `low`.
    pub(super) fn from(self, low: Bound, least: i64) -> Interval {
        match self.low.is_at_most(low, least) {
            true => Interval { low, ..self },
            false => self,
        }
    }

    /// The same, where the value is at most `high`.
    pub(super) fn to(self, high: Option<Bound>, least: i64) -> Interval {
        let is_less = |high: Bound| self.high.is_none_or(|known| high.is_at_most(known, least));
        match high {
            Some(high) if is_less(high) => Interval {
                high: Some(high),
                ..self
            },
            _ => self,
        }
    }

    /// Whether there is no such value, for any length from `least` on.
    pub(super) fn is_empty(self, least: i64) -> bool {
        let below = self.high.and_then(|high| high.plus(Bound::fixed(1)));
        below.is_some_and(|below| below.is_at_most(self.low, least))
    }

    /// What grew since `self` is given up, so that loops come to an end.
    pub(super) fn widened(self, next: Interval, least: i64) -> Interval {
        let high = match (self.high, next.high) {
            (Some(before), Some(after)) if after.is_at_most(before, least) => self.high,
            _ => None,
        };
        let low = match self.low.is_at_most(next.low, least) {
            true => self.low,
            false => Bound::ZERO,
        };
        Interval { low, high }
    }

    /// `self + other`, as `usize` adds.
    pub(super) fn plus(self, other: Interval) -> Interval {
        let high = self.high.zip(other.high).and_then(|(a, b)| a.plus(b));
        // Without an end, the sum may wrap.
        match (high, self.low.plus(other.low)) {
            (Some(_), Some(low)) => Interval { low, high },
            _ => Interval::ANY,
        }
    }

    /// `self - other`, likewise.
    pub(super) fn minus(self, other: Interval, least: i64) -> Interval {
        let taken = other.high.filter(|high| high.is_at_most(self.low, least));
        let Some(low) = taken.and_then(|taken| self.low.minus(taken)) else {
            return Interval::ANY;
        };
        // What is left is no more than there was.
        let high = self.high.map(|high| high.minus(other.low).unwrap_or(high));
        Interval { low, high }
    }

    /// `self * other`, likewise; of what does not depend on lengths.
    pub(super) fn times(self, other: Interval) -> Interval {
        let product = |a: Bound, b: Bound| {
            let fixed = a.fixed.checked_mul(b.fixed)?;
            (a.lens == 0 && b.lens == 0 && fixed <= MOST).then_some(Bound::fixed(fixed))
        };
        let high = self.high.zip(other.high).and_then(|(a, b)| product(a, b));
        let lows = self.low.fixed >= 0 && other.low.fixed >= 0;
        match (high, product(self.low, other.low).filter(|_| lows)) {
            (Some(_), Some(low)) => Interval { low, high },
            (Some(_), None) => Interval::up_to(high),
            _ => Interval::ANY,
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;

    /// The least length, and those that are tried.
    const LEAST: i64 = 2;
    const LENGTHS: std::ops::Range<i64> = LEAST..LEAST + 4;

    /// Intervals whose ends are small, or near to the length.
    fn intervals() -> Vec<Interval> {
        let near = |lens: i64| (-1..=2).map(move |fixed| Bound { fixed, lens });
        let ends: Vec<Bound> = near(0).chain(near(1)).collect();
        let highs = || ends.iter().copied().map(Some).chain([None]);
        let pairs = ends
            .iter()
            .flat_map(|low| highs().map(move |high| (*low, high)));
        pairs.map(|(low, high)| Interval { low, high }).collect()
    }

    fn has(of: Interval, value: usize, len: i64) -> bool {
        let at = |bound: Bound| i128::from(bound.fixed + bound.lens * len);
        let value = value as i128;
        at(of.low) <= value && of.high.is_none_or(|high| value <= at(high))
    }

    /// Values that the interval has, and the largest that there is.
    fn values(of: Interval, len: i64) -> Vec<usize> {
        let all = (0..12).chain([usize::MAX]);
        all.filter(|value| has(of, *value, len)).collect()
    }

    /// What one operation says of an interval, and what is true of each value.
    fn holds(
        what: &str,
        found: impl Fn(Interval, Interval) -> Interval,
        truth: impl Fn(usize, usize) -> Option<usize>,
    ) {
        let all = intervals();
        for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (*a, *b))) {
            let found = found(a, b);
            for len in LENGTHS {
                for (x, y) in values(a, len)
                    .into_iter()
                    .flat_map(|x| values(b, len).into_iter().map(move |y| (x, y)))
                {
                    let Some(result) = truth(x, y) else { continue };
                    assert!(
                        has(found, result, len),
                        "{what}: {x} of {a:?} and {y} of {b:?}, {len}: {result} in {found:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn results_have_all_that_values_give() {
        holds("+", Interval::plus, |x, y| Some(x.wrapping_add(y)));
        holds(
            "-",
            |a, b| a.minus(b, LEAST),
            |x, y| Some(x.wrapping_sub(y)),
        );
        holds("*", Interval::times, |x, y| Some(x.wrapping_mul(y)));
        holds("one or the other", Interval::or, |x, _| Some(x));
        holds("the other or one", Interval::or, |_, y| Some(y));
        holds("wider", |a, b| a.widened(b, LEAST), |x, _| Some(x));
        holds(
            "wider by the next",
            |a, b| a.widened(b, LEAST),
            |_, y| Some(y),
        );
        let at_least = |a: Interval, b: Interval| a.from(b.low, LEAST);
        holds("at least", at_least, |x, y| (x >= y).then_some(x));
        let at_most = |a: Interval, b: Interval| a.to(b.high, LEAST);
        holds("at most", at_most, |x, y| (x <= y).then_some(x));
    }

    #[test]
    fn what_is_said_of_all_values_is_true() {
        for of in intervals() {
            for len in LENGTHS {
                let values = values(of, len);
                assert!(!of.is_empty(LEAST) || values.is_empty(), "{of:?}");
                if of.is_below(Bound::LEN, LEAST) {
                    assert!(
                        values
                            .iter()
                            .all(|value| (*value as i128) < i128::from(len)),
                        "{of:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn ends_come_from_ends() {
        let inner = Interval {
            low: Bound::fixed(1),
            high: Bound::LEN.plus(Bound::fixed(-2)),
        };
        let next = inner.plus(Interval::exactly(Bound::fixed(1)));
        assert!(
            next.is_below(Bound::LEN, 2)
                && !next.is_below(Bound::LEN.plus(Bound::fixed(-1)).unwrap(), 2)
        );
        let last = Interval::exactly(Bound::LEN).minus(Interval::exactly(Bound::fixed(1)), 1);
        assert_eq!(last.minus(inner, 2), inner);
        // Where lines may be empty, one less wraps.
        assert_eq!(
            Interval::exactly(Bound::LEN).minus(Interval::exactly(Bound::fixed(1)), 0),
            Interval::ANY
        );
    }
}
