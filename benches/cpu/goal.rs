//! What rows aim at, and whether they reach it.

use crate::{HAND, PLAIN, RAYON, SKEL};
use std::fmt;
use tuner::RaceResult;

/// What a row aims at.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    /// So many times the speed by hand.
    OfHand(f64),
    /// So many times the speed of rayon as people write it.
    OfRayon(f64),
    /// A call takes no more than so many nanoseconds longer than a plain loop.
    OverPlainNs(f64),
}

impl Goal {
    /// What the goal is compared with.
    pub(crate) fn found(self, result: &RaceResult) -> f64 {
        match self {
            Goal::OfHand(_) => result.speed(SKEL, HAND),
            Goal::OfRayon(_) => result.speed(SKEL, RAYON),
            Goal::OverPlainNs(_) => {
                (result.of(SKEL).median_s() - result.of(PLAIN).median_s()) * 1e9
            }
        }
    }

    /// Whether what was found, as it is shown, is the goal or better.
    pub(crate) fn is_reached(self, found: f64) -> bool {
        match self {
            Goal::OfHand(goal) | Goal::OfRayon(goal) => (found * 100.0).round() >= goal * 100.0,
            Goal::OverPlainNs(goal) => found.round() <= goal,
        }
    }

    /// What was found, beside the goal.
    pub(crate) fn judge(self, found: f64) -> String {
        let found_text = match self {
            Goal::OfHand(_) | Goal::OfRayon(_) => format!("{found:.2}"),
            Goal::OverPlainNs(_) => format!("{found:.0} ns"),
        };
        match self.is_reached(found) {
            true => format!("{self}: reached, {found_text}"),
            false => format!("{self}: **missed**, {found_text}"),
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Goal::OfHand(goal) => write!(f, "{goal:.2} of by hand"),
            Goal::OfRayon(goal) => write!(f, "{goal:.2} of par_iter"),
            Goal::OverPlainNs(goal) => write!(f, "{goal:.0} ns over the loop"),
        }
    }
}
