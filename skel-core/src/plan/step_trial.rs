//! Which way steps of a stencil are faster: one after the other, or several together.

use crate::space::Shape;
use std::{
    fmt,
    sync::{Mutex, PoisonError},
    time::Duration,
};

/// Each way is measured so often in a row before one is chosen, and the first time of all does not count: memory may be
/// new.
const TRIALS: u32 = 2;

/// After so many times the faster way, the other is measured again: what was measured may have been disturbed.
const AGAIN: u32 = 512;

/// Calls that were measured last: so many are known.
const MOST_KNOWN: usize = 8;

/// How steps are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepWay {
    /// One after the other.
    Single,
    /// Several together: see [`TemporalBlocks`](super::TemporalBlocks).
    Together,
}

/// Calls of a kernel that take about as long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepCalls {
    /// Their shape.
    pub shape: Shape,
    /// How many threads there are.
    pub threads: usize,
    /// How many steps are taken together, if they are.
    pub steps: usize,
}

/// Measures both ways of taking the steps of a kernel, and knows the faster. It decides how long a call takes, and never
/// a result.
#[derive(Default)]
pub struct StepTrial(Mutex<Vec<Trial>>);

/// Of calls that are alike.
#[derive(Clone, Copy, Debug)]
struct Trial {
    calls: StepCalls,
    /// How often each way was measured, and what a step took.
    single: (u32, f64),
    together: (u32, f64),
    /// How often the faster way was taken since.
    since: u32,
}

impl StepTrial {
    /// The way to take for such a call, and whether to measure it.
    pub fn next(&self, calls: StepCalls) -> (StepWay, bool) {
        let mut trials = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = trials.iter().position(|trial| trial.calls == calls);
        let Some(known) = known else {
            if trials.len() == MOST_KNOWN {
                trials.remove(0);
            }
            trials.push(Trial {
                calls,
                single: (0, f64::INFINITY),
                together: (0, f64::INFINITY),
                since: 0,
            });
            return (StepWay::Single, false);
        };
        let trial = &mut trials[known];
        if trial.single.0 < TRIALS {
            return (StepWay::Single, true);
        }
        if trial.together.0 < TRIALS {
            return (StepWay::Together, true);
        }
        let (faster, other) = match trial.together.1 < trial.single.1 {
            true => (StepWay::Together, StepWay::Single),
            false => (StepWay::Single, StepWay::Together),
        };
        trial.since += 1;
        if trial.since > AGAIN {
            trial.since = 0;
            return (other, true);
        }
        (faster, faster == StepWay::Together)
    }

    /// A step of such a call took so long.
    pub fn took(&self, calls: StepCalls, way: StepWay, step: Duration) {
        let mut trials = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(trial) = trials.iter_mut().find(|trial| trial.calls == calls) else {
            return;
        };
        let (count, known_s) = match way {
            StepWay::Single => &mut trial.single,
            StepWay::Together => &mut trial.together,
        };
        let step_s = step.as_secs_f64();
        // The best of the first ones, and then what the last ones took.
        *known_s = match *count < TRIALS || step_s < *known_s {
            true => known_s.min(step_s),
            false => *known_s + (step_s - *known_s) / 8.0,
        };
        *count = count.saturating_add(1);
    }

    fn trials(&self) -> Vec<Trial> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl Clone for StepTrial {
    fn clone(&self) -> Self {
        StepTrial(Mutex::new(self.trials()))
    }
}

impl fmt::Debug for StepTrial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StepTrial").field(&self.trials()).finish()
    }
}

#[cfg(test)]
mod test {
    use super::{
        StepWay::{Single, Together},
        *,
    };

    const CALLS: StepCalls = StepCalls {
        shape: Shape::D1(1 << 20),
        threads: 2,
        steps: 8,
    };

    fn us(us: u64) -> Duration {
        Duration::from_micros(us)
    }

    /// Takes the ways that come until one is chosen, of which a step takes so long.
    fn measure(trial: &StepTrial, single: u64, together: u64) -> Vec<StepWay> {
        let mut ways = Vec::new();
        for _ in 0..5 {
            let (way, is_measured) = trial.next(CALLS);
            ways.push(way);
            if is_measured {
                let step = if way == Single { single } else { together };
                trial.took(CALLS, way, us(step));
            }
        }
        ways
    }

    #[test]
    fn both_ways_are_measured_and_the_faster_is_taken() {
        let trial = StepTrial::default();
        let ways = measure(&trial, 100, 60);
        assert_eq!(ways, [Single, Single, Single, Together, Together]);
        for _ in 0..AGAIN {
            assert_eq!(trial.next(CALLS), (Together, true));
            trial.took(CALLS, Together, us(60));
        }
        // The other one, once, which has become faster.
        assert_eq!(trial.next(CALLS), (Single, true));
        trial.took(CALLS, Single, us(30));
        assert_eq!(trial.next(CALLS), (Single, false));
    }

    #[test]
    fn other_calls_are_measured_by_themselves() {
        let trial = StepTrial::default();
        measure(&trial, 60, 30);
        let few = StepCalls { steps: 2, ..CALLS };
        assert_eq!(trial.next(few), (Single, false));
        for way in [Single, Single, Together, Together] {
            assert_eq!(trial.next(few), (way, true));
            trial.took(few, way, us(if way == Single { 60 } else { 90 }));
        }
        assert_eq!(trial.next(few), (Single, false));
        assert_eq!(trial.next(CALLS), (Together, true));
        // Those that were not seen for long are forgotten.
        for threads in 3..3 + MOST_KNOWN {
            trial.next(StepCalls { threads, ..CALLS });
        }
        assert_eq!(trial.next(CALLS), (Single, false));
    }
}
