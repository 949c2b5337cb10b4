//! Calls each on one unit: the one that was the fastest of late.

use crate::{
    policy::{Assignment, Policy, Question, Took},
    stats::median,
};

/// Calls by which a unit is judged: the first one may have compiled the kernel, and one of three may have been disturbed.
const JUDGED: usize = 3;

/// Calls that a unit gets when it is first tried.
const TRIED: usize = 2;

/// A unit that would have to be so much faster than the one in use to be taken instead, as a share of its time.
const LEAST_GAIN: f64 = 0.1;

/// After so many calls a unit that is not in use is tried again; then after twice as many; and so on. After more, if it
/// takes long: trying costs no more than a call in `FIRST_PAUSE`.
const FIRST_PAUSE: u32 = 32;
const LAST_PAUSE: u32 = 1024;

/// Each call is computed by one unit alone. Every unit is tried twice at first; from then on calls go to the fastest,
/// and each of the others is tried again from time to time, ever more seldom, and the more seldom the slower it is.
///
/// `Auto` goes by it where a call may run on a GPU, and
/// [`Hybrid::adaptive()`](skel_core::schedule::Hybrid::adaptive) where a call cannot be cut, as a sweep cannot.
///
/// ```
/// use skel_model::policy::{Candidate, Fastest, Policy, Question, Took};
///
/// let units = [0, 1].map(Candidate::unknown);
/// let question = Question { elems: 1000, units: &units };
/// let mut fastest = Fastest::new(2);
/// for _ in 0..10 {
///     let (unit, range) = fastest.assign(&question).pieces.remove(0);
///     let busy_ns = [5000.0, 1000.0][unit];
///     fastest.observe(&[Took { unit, elems: range.len(), busy_ns }]);
/// }
/// assert_eq!(fastest.assign(&question).pieces, [(1, 0..1000)]);
/// ```
#[derive(Clone, Debug)]
pub struct Fastest {
    units: Vec<Member>,
    /// The position of the unit in use.
    used: usize,
}

#[derive(Clone, Debug)]
struct Member {
    /// What an element took it in its last calls, without the first.
    each_ns: Vec<f64>,
    /// Calls of which it is known what they took.
    calls: usize,
    /// Calls that have begun, as far as [`Fastest::begin`] was told.
    begun: usize,
    /// Calls until it is tried again, and the least next pause.
    pause: (u32, u32),
}

impl Fastest {
    /// Of so many units, of which nothing is known yet.
    #[must_use]
    pub fn new(units: usize) -> Self {
        let member = Member {
            each_ns: Vec::new(),
            calls: 0,
            begun: 0,
            pause: (FIRST_PAUSE, 2 * FIRST_PAUSE),
        };
        Fastest {
            units: vec![member; units],
            used: 0,
        }
    }

    /// The position of the unit that has the next call.
    #[must_use]
    pub fn next_unit(&self) -> usize {
        let is_new = |unit: &Member| unit.calls.max(unit.begun) < TRIED;
        let is_due = |(k, unit): &(usize, &Member)| *k != self.used && unit.pause.0 == 0;
        let new = self.units.iter().position(is_new);
        let due = || self.units.iter().enumerate().find(is_due);
        new.or_else(|| Some(due()?.0)).unwrap_or(self.used)
    }

    /// The same, of a call that begins now. Others may begin before it is known what it takes: they are not sent to try the
    /// same unit, too. If that is never known, the unit is tried again when a pause is over.
    ///
    /// ```
    /// use skel_model::policy::Fastest;
    ///
    /// let mut fastest = Fastest::new(2);
    /// let begun: Vec<usize> = (0..6).map(|_| fastest.begin()).collect();
    /// assert_eq!(begun, [0, 0, 1, 1, 0, 0]);
    /// ```
    pub fn begin(&mut self) -> usize {
        let (next, used) = (self.next_unit(), self.used);
        if let Some(unit) = self.units.get_mut(next) {
            unit.begun = unit.begun.saturating_add(1);
            if next != used && unit.begun > TRIED {
                unit.pause.0 = unit.pause.1;
            }
        }
        next
    }

    /// Whether units are compared in the next call, or soon. Of other calls it may be left out what they took: they are
    /// observed as `&[]`.
    #[must_use]
    pub fn is_comparing(&self) -> bool {
        let is_known = |unit: &Member| unit.each_ns.len() >= JUDGED;
        let is_soon = |(k, unit): (usize, &Member)| k != self.used && unit.pause.0 <= JUDGED as u32;
        self.next_unit() != self.used
            || !self.units.get(self.used).is_some_and(is_known)
            || self.units.iter().enumerate().any(is_soon)
    }
}

impl Fastest {
    /// From now on, the unit is used that was the fastest of late, if it is so by far.
    fn choose(&mut self) {
        let known = self.units.iter().enumerate();
        let known = known.filter_map(|(k, unit)| Some((k, unit.usual_ns()?)));
        let Some((best, best_ns)) = known.min_by(|a, b| a.1.total_cmp(&b.1)) else {
            return;
        };
        let usual_ns = self.units[self.used].usual_ns();
        if usual_ns.is_none_or(|usual_ns| best_ns < (1.0 - LEAST_GAIN) * usual_ns) {
            self.used = best;
        }
    }

    /// A unit that is not in use is not tried for so many calls at `least`, and for more if its last call took long.
    fn pause(&mut self, k: usize, least: u32) {
        let (own_ns, used_ns) = (
            self.units[k].each_ns.last(),
            self.units[self.used].usual_ns(),
        );
        let slower = own_ns.zip(used_ns).map_or(1.0, |(own, used)| own / used);
        let pays = (slower * f64::from(FIRST_PAUSE)) as u32;
        self.units[k].pause = (least.max(pays), (2 * least).min(LAST_PAUSE));
    }
}

impl Member {
    fn ran(&mut self, each_ns: f64) {
        self.calls += 1;
        if self.calls < TRIED {
            return;
        }
        if self.each_ns.len() == JUDGED {
            self.each_ns.remove(0);
        }
        self.each_ns.push(each_ns);
    }

    fn usual_ns(&self) -> Option<f64> {
        median(&self.each_ns)
    }
}

impl Policy for Fastest {
    fn assign(&self, question: &Question<'_>) -> Assignment {
        let next = self.next_unit();
        let sizes = (0..question.units.len()).map(|k| if k == next { question.elems } else { 0 });
        question.by_sizes(sizes)
    }

    fn uses_models(&self) -> bool {
        false
    }

    fn observe(&mut self, took: &[Took]) {
        for (other, unit) in self.units.iter_mut().enumerate() {
            if other != self.used {
                unit.pause.0 = unit.pause.0.saturating_sub(1);
            }
        }
        let ran = took.iter().enumerate().find(|(_, part)| part.elems > 0);
        let Some((k, part)) = ran.filter(|(_, part)| part.busy_ns.is_finite()) else {
            return;
        };
        let Some(unit) = self.units.get_mut(k) else {
            return;
        };
        let was_tried = k != self.used && unit.calls >= TRIED;
        unit.ran(part.busy_ns / part.elems as f64);
        let (is_tried, before) = (unit.calls >= TRIED, self.used);
        self.choose();
        if self.used != before {
            self.pause(before, FIRST_PAUSE);
        }
        if k != self.used && is_tried {
            let least = if was_tried {
                self.units[k].pause.1
            } else {
                FIRST_PAUSE
            };
            self.pause(k, least);
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::policy::Candidate;

    /// The units that calls go to, where unit `k` takes `ns(k, call)`.
    fn calls(count: usize, ns: impl Fn(usize, usize) -> f64) -> Vec<usize> {
        let units = [0, 1, 2].map(Candidate::unknown);
        let question = Question {
            elems: 7,
            units: &units,
        };
        let mut fastest = Fastest::new(3);
        let call = |n: usize| {
            let assigned = fastest.assign(&question).pieces;
            assert_eq!(assigned.len(), 1);
            assert_eq!(assigned[0].1, 0..7);
            let k = assigned[0].0;
            let took = [0, 1, 2].map(|unit| Took {
                unit,
                elems: if unit == k { 7 } else { 0 },
                busy_ns: if unit == k { ns(k, n) } else { 0.0 },
            });
            fastest.observe(&took);
            k
        };
        (0..count).map(call).collect()
    }

    #[test]
    fn all_are_tried_and_the_fastest_stays() {
        let went = calls(1000, |k, _| [5.0, 1.0, 9.0][k]);
        assert_eq!(went[..6], [0, 0, 1, 1, 2, 2]);
        let others = went[6..].iter().filter(|k| **k != 1).count();
        assert!((2..20).contains(&others), "{others}");
    }

    #[test]
    fn trying_what_is_slow_takes_a_small_part_of_the_time() {
        let ns = |k: usize, _| [1000.0, 1.0, 1.0][k];
        let went = calls(100_000, ns);
        let slow = went.iter().filter(|k| **k == 0).count();
        // The first two, and one for each thirty-two thousand calls of the others.
        assert_eq!(slow, 2 + 100_000 / 32_000, "{slow}");
    }

    #[test]
    fn calls_that_were_not_timed_count_until_others_are_tried() {
        let mut fastest = Fastest::new(2);
        let took = |k: usize, busy_ns| {
            [0, 1].map(|unit| Took {
                unit,
                elems: usize::from(unit == k),
                busy_ns,
            })
        };
        let mut timed = 0;
        let mut tried = Vec::new();
        for call in 0..100 {
            let k = fastest.next_unit();
            if k == 1 {
                tried.push(call);
            }
            if fastest.is_comparing() {
                timed += 1;
                fastest.observe(&took(k, [1.0, 2.0][k]));
            } else {
                assert_eq!(k, 0, "what is tried is timed");
                fastest.observe(&[]);
            }
        }
        // After 2 · 32 calls, since it takes twice as long.
        assert_eq!(tried, [2, 3, 68]);
        assert!(timed < 12, "{timed} calls are timed");
    }

    #[test]
    fn of_calls_that_overlap_one_tries_what_is_slow() {
        let took = |k: usize| {
            [0, 1].map(|unit| Took {
                unit,
                elems: usize::from(unit == k),
                busy_ns: [1.0, 2.0][k],
            })
        };
        let mut fastest = Fastest::new(2);
        let mut tried = 0;
        for _ in 0..1000 {
            // Eight threads, of which all have begun before the first ends.
            let begun: Vec<usize> = (0..8).map(|_| fastest.begin()).collect();
            tried += begun.iter().filter(|k| **k == 1).count();
            begun.iter().for_each(|k| fastest.observe(&took(*k)));
        }
        // As often as in as many calls that follow each other: after 64 of them, and then ever more seldom.
        assert!((4..=14).contains(&tried), "{tried}");
    }

    #[test]
    fn a_unit_whose_calls_are_never_known_is_tried_after_a_pause() {
        let mut fastest = Fastest::new(2);
        let mut tried = Vec::new();
        for call in 0..200 {
            match fastest.begin() {
                // It fails: nothing is observed.
                1 => tried.push(call),
                _ => fastest.observe(&[Took {
                    unit: 0,
                    elems: 1,
                    busy_ns: 1.0,
                }]),
            }
        }
        assert_eq!(tried[..2], [2, 3]);
        assert!((3..6).contains(&tried.len()), "{tried:?}");
    }

    /// As where devices are looked for after a while.
    #[test]
    fn what_was_never_tried_is_timed_however_much_is_known_of_another() {
        let mut fastest = Fastest::new(2);
        let took = |k: usize| {
            [0, 1].map(|unit| Took {
                unit,
                elems: usize::from(unit == k),
                busy_ns: [1.0, 100.0][k],
            })
        };
        for _ in 0..50 {
            fastest.observe(&took(0));
        }
        for call in 0..40 {
            let k = fastest.next_unit();
            assert_eq!(k, usize::from(call < 2), "call {call}");
            assert!(k == 0 || fastest.is_comparing(), "call {call}");
            fastest.observe(&took(k));
        }
        assert!(!fastest.is_comparing());
        // Of no units.
        let mut none = Fastest::new(0);
        none.observe(&[]);
        assert!(none.is_comparing());
    }

    #[test]
    fn a_first_call_that_compiles_is_no_measure() {
        let went = calls(20, |k, n| {
            if k == 1 && n == 2 {
                1e9
            } else {
                [5.0, 1.0, 9.0][k]
            }
        });
        assert_eq!(went[6..], [1; 14]);
    }

    #[test]
    fn a_unit_that_becomes_slow_is_left_in_a_few_calls() {
        let went = calls(40, |k, n| {
            if k == 1 && n >= 20 {
                50.0
            } else {
                [5.0, 1.0, 9.0][k]
            }
        });
        assert_eq!(went[6..20], [1; 14]);
        assert_eq!(went[23..30], [0; 7]);
    }

    #[test]
    fn noise_changes_nothing() {
        let went = calls(30, |k, n| {
            [1.0, 1.05, 1.02][k] + if n % 7 == 6 { 3.0 } else { 0.0 }
        });
        assert_eq!(
            went[8..30].iter().filter(|k| **k != went[8]).count(),
            0,
            "{went:?}"
        );
    }
}
