//! Splits of folds that were never run: if they take longer than predicted, they are compared with the best unit of the
//! host.
//!
//! Calls whose arguments a device lacks are not measured before: what copies take is known of the device alone, while no core
//! worked. Where that makes a split look good that is none, calls would be slower than without the device, for as long as
//! the program runs. So if the first calls that are given such a split are slower than they should be, the next ones go to
//! the host, and the rest where they were shorter.

use arrayvec::ArrayVec;
use skel_model::stats::median;
use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicU8, Ordering::Relaxed},
};

/// So many calls are given each.
const RUNS: usize = 3;
/// A split that is predicted to take at most this part of what the host takes is not compared: so far off no model of copies
/// is.
const CERTAIN: f64 = 0.25;
/// A split that takes at most so many times as long as predicted is not compared, either: the model is right.
const AS_PREDICTED: f64 = 1.1;

/// What a call is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arm {
    Split,
    Host,
}

/// A call of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    pub(crate) arm: Arm,
    /// Whether its time counts: a split has ended before, so kernels are compiled and threads awake.
    counts: bool,
}

/// A comparison of a split with a unit of the host.
#[derive(Debug, Default)]
pub(crate) struct Trial {
    predicted_ns: f64,
    /// What was found: nothing yet, that the split is shorter, that the host is.
    found: AtomicU8,
    runs: Mutex<Runs>,
}

#[derive(Debug, Default)]
struct Runs {
    has_run: bool,
    split_ns: ArrayVec<f64, RUNS>,
    host_ns: ArrayVec<f64, RUNS>,
}

const SPLIT: u8 = 1;
const HOST: u8 = 2;

impl Trial {
    /// Of what is predicted to take `split_ns`, and on the host `host_ns`; nothing where that is certain enough.
    pub(crate) fn of(split_ns: f64, host_ns: f64) -> Option<Trial> {
        (split_ns > CERTAIN * host_ns).then(|| Trial {
            predicted_ns: split_ns,
            ..Trial::default()
        })
    }

    fn runs(&self) -> MutexGuard<'_, Runs> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the next call is given.
    pub(crate) fn next(&self) -> Turn {
        let (arm, counts) = match self.found.load(Relaxed) {
            SPLIT => (Arm::Split, false),
            HOST => (Arm::Host, false),
            _ => {
                let runs = self.runs();
                match runs.split_ns.is_full() {
                    true => (Arm::Host, true),
                    false => (Arm::Split, runs.has_run),
                }
            }
        };
        Turn { arm, counts }
    }

    /// A call took so long.
    pub(crate) fn took(&self, turn: Turn, ns: f64) {
        if self.found.load(Relaxed) != 0 {
            return;
        }
        let mut runs = self.runs();
        runs.has_run = true;
        if !turn.counts {
            return;
        }
        let of_arm = match turn.arm {
            Arm::Split => &mut runs.split_ns,
            Arm::Host => &mut runs.host_ns,
        };
        // Several threads may call at the same time.
        let _enough = of_arm.try_push(ns);
        let found = match (full(&runs.split_ns), full(&runs.host_ns)) {
            (Some(split_ns), _) if split_ns <= AS_PREDICTED * self.predicted_ns => SPLIT,
            (Some(split_ns), Some(host_ns)) if split_ns <= host_ns => SPLIT,
            (Some(_), Some(_)) => HOST,
            _ => return,
        };
        self.found.store(found, Relaxed);
    }
}

/// The median, if there are enough.
fn full(runs_ns: &ArrayVec<f64, RUNS>) -> Option<f64> {
    median(runs_ns).filter(|_| runs_ns.is_full())
}

#[cfg(test)]
mod test {
    use super::*;

    /// What so many calls are given that take so long.
    fn given(split_ns: f64, host_ns: f64, calls: usize) -> Vec<Arm> {
        let trial = Trial::of(50.0, 100.0).unwrap();
        let call = |_| {
            let turn = trial.next();
            let ns = match turn.arm {
                Arm::Split => split_ns,
                Arm::Host => host_ns,
            };
            trial.took(turn, ns);
            turn.arm
        };
        (0..calls).map(call).collect()
    }

    #[test]
    fn the_host_is_tried_if_the_split_is_slow_and_the_shorter_one_is_kept() {
        let tried = [vec![Arm::Split; 1 + RUNS], vec![Arm::Host; RUNS]].concat();
        for (split_ns, host_ns, kept) in [
            (260.0, 100.0, Arm::Host),
            (60.0, 100.0, Arm::Split),
            (100.0, 100.0, Arm::Split),
        ] {
            let given = given(split_ns, host_ns, 100);
            assert_eq!(given[..tried.len()], tried);
            assert!(given[tried.len()..].iter().all(|arm| *arm == kept));
        }
    }

    #[test]
    fn what_is_as_predicted_is_not_compared() {
        assert_eq!(given(54.0, 10.0, 20), [Arm::Split; 20]);
    }

    /// A call that is interrupted does not decide.
    #[test]
    fn one_long_call_is_no_reason() {
        let trial = Trial::of(50.0, 100.0).unwrap();
        for ns in [9000.0, 50.0, 9000.0, 50.0] {
            assert_eq!(trial.next().arm, Arm::Split);
            trial.took(trial.next(), ns);
        }
        assert_eq!(trial.next().arm, Arm::Split);
    }

    /// Calls that begin at the same time wait for the same kernel.
    #[test]
    fn calls_before_the_first_has_ended_do_not_count() {
        let trial = Trial::of(50.0, 100.0).unwrap();
        let first: Vec<Turn> = (0..2 * RUNS).map(|_| trial.next()).collect();
        first.into_iter().for_each(|turn| trial.took(turn, 9000.0));
        for _ in 0..RUNS {
            trial.took(trial.next(), 50.0);
        }
        assert_eq!(trial.next().arm, Arm::Split);
    }

    #[test]
    fn what_is_far_shorter_is_not_tried() {
        assert!(Trial::of(20.0, 100.0).is_none());
        assert!(Trial::of(30.0, 100.0).is_some());
    }
}
