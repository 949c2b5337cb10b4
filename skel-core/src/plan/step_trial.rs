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

/// How steps are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepWay {
    /// One after the other.
    Single,
    /// Several together: see [`TemporalBlocks`](super::TemporalBlocks).
    Together,
}

/// Measures both ways of taking the steps of a kernel, and knows the faster. It decides how long a call takes, and never
/// a result.
#[derive(Default)]
pub struct StepTrial(Mutex<Option<Trial>>);

/// Of calls that are alike.
#[derive(Clone, Copy, Debug)]
struct Trial {
    calls: (Shape, usize),
    begun: bool,
    /// How often each way was measured, and what a step took.
    single: (u32, f64),
    together: (u32, f64),
    /// How often the faster way was taken since.
    since: u32,
}

impl StepTrial {
    /// The way to take for a call of this shape on so many threads, and whether to measure it.
    pub fn next(&self, shape: Shape, threads: usize) -> (StepWay, bool) {
        let calls = (shape, threads);
        let mut trial = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let trial = match &mut *trial {
            Some(trial) if trial.calls == calls => trial,
            other => other.insert(Trial {
                calls,
                begun: false,
                single: (0, f64::INFINITY),
                together: (0, f64::INFINITY),
                since: 0,
            }),
        };
        if !trial.begun {
            trial.begun = true;
            return (StepWay::Single, false);
        }
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
    pub fn took(&self, shape: Shape, threads: usize, way: StepWay, step: Duration) {
        let mut trial = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(trial) = trial
            .as_mut()
            .filter(|trial| trial.calls == (shape, threads))
        else {
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
}

impl Clone for StepTrial {
    fn clone(&self) -> Self {
        StepTrial(Mutex::new(
            *self.0.lock().unwrap_or_else(PoisonError::into_inner),
        ))
    }
}

impl fmt::Debug for StepTrial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let trial = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        f.debug_tuple("StepTrial").field(&trial).finish()
    }
}

#[cfg(test)]
mod test {
    use super::*;

    const SHAPE: Shape = Shape::D1(1 << 20);

    /// Takes the ways that come until one is chosen, of which a step takes so long.
    fn measure(trial: &StepTrial, single: u64, together: u64) -> Vec<StepWay> {
        let mut ways = Vec::new();
        for _ in 0..5 {
            let (way, is_measured) = trial.next(SHAPE, 2);
            ways.push(way);
            if is_measured {
                let step = match way {
                    StepWay::Single => single,
                    StepWay::Together => together,
                };
                trial.took(SHAPE, 2, way, Duration::from_micros(step));
            }
        }
        ways
    }

    #[test]
    fn both_ways_are_measured_and_the_faster_is_taken() {
        use StepWay::{Single, Together};
        let trial = StepTrial::default();
        let ways = measure(&trial, 100, 60);
        assert_eq!(ways, [Single, Single, Single, Together, Together]);
        for _ in 0..AGAIN {
            assert_eq!(trial.next(SHAPE, 2), (Together, true));
            trial.took(SHAPE, 2, Together, Duration::from_micros(60));
        }
        // The other one, once, which has become faster.
        assert_eq!(trial.next(SHAPE, 2), (Single, true));
        trial.took(SHAPE, 2, Single, Duration::from_micros(30));
        assert_eq!(trial.next(SHAPE, 2), (Single, false));
    }

    #[test]
    fn other_calls_are_measured_anew() {
        let trial = StepTrial::default();
        measure(&trial, 30, 60);
        assert_eq!(trial.next(SHAPE, 2), (StepWay::Single, false));
        assert_eq!(trial.next(SHAPE, 1), (StepWay::Single, false));
        assert_eq!(trial.next(SHAPE, 1), (StepWay::Single, true));
        // Too late: these are calls of two threads.
        trial.took(SHAPE, 2, StepWay::Single, Duration::from_micros(1));
        assert_eq!(trial.next(SHAPE, 1), (StepWay::Single, true));
    }
}
