//! Whether the fastest unit alone is faster than all together.
//!
//! Lines are drawn through what units take beside each other. What a unit takes that is alone they do not say:
//! threads that want the same cores, a memory that all read, a device that has to be woken make shared calls slower
//! than any line promises. So where sharing gains little, the other way is tried from time to time, and the one whose
//! calls were shorter is kept.

use super::line::median;

/// The fastest unit is tried alone only where its call is expected to take at most so many times as long as one that is
/// shared.
const CLOSE: f64 = 1.3;

/// The faster way must be so much faster to be taken up; one unit alone, which disturbs nothing else, is also taken
/// where it is slower by less than this.
const LEAST_GAIN: f64 = 0.02;

/// Calls of a trial that are judged.
const JUDGED: usize = 3;

/// Calls of a trial of sharing in which shares are found again, before those that are judged.
const FOUND_AGAIN: usize = 4;

/// A trial whose first two calls take so many times as long is ended.
const HOPELESS: f64 = 1.25;

/// Calls that are remembered of each way.
const CALLS: usize = 7;

/// Calls before the first trial, between the first and the second one, and between any two at most.
const FIRST_TRIAL: u32 = 16;
const FIRST_PAUSE: u32 = 32;
const LAST_PAUSE: u32 = 256;

/// A change of the machine is followed by a trial after so many calls, when shares have been found again.
const AFTER_A_CHANGE: u32 = 16;

/// What is known of both ways: nanoseconds per element of the last calls.
#[derive(Clone, Debug)]
pub(super) struct Alone {
    shared: Vec<f64>,
    alone: Vec<f64>,
    /// The unit that is, or was last, alone.
    unit: usize,
    /// The way of calls that are no trial.
    is_better: bool,
    /// Calls left of a trial of the other way.
    trial: usize,
    /// Calls until the next trial, and the pause after it.
    wait: u32,
    pause: u32,
}

impl Alone {
    pub(super) fn new() -> Self {
        Alone {
            shared: Vec::new(),
            alone: Vec::new(),
            unit: 0,
            is_better: false,
            trial: 0,
            wait: FIRST_TRIAL,
            pause: FIRST_PAUSE,
        }
    }

    /// The unit that has all elements of the next call, if it is not shared.
    pub(super) fn unit(&self) -> Option<usize> {
        (self.is_better != (self.trial > 0)).then_some(self.unit)
    }

    /// Whether the next call's end may be the beginning of a trial.
    pub(super) fn is_due(&self) -> bool {
        self.trial == 0 && self.wait <= 1
    }

    /// Calls that are shared take something else from now on.
    pub(super) fn shares_changed(&mut self) {
        self.shared.clear();
    }

    /// The machine has changed: what was found of the two ways may not be true any more.
    pub(super) fn machine_changed(&mut self) {
        self.wait = self.wait.min(AFTER_A_CHANGE);
    }

    /// A call was made on all units, or on the one alone. Says whether a trial of sharing begins, for which shares
    /// have to be found again.
    ///
    /// `fastest` is the unit that would be alone, and what an element would take it by its line, where a trial
    /// [is due](Alone::is_due), and lines are known and give several units a share.
    pub(super) fn took(
        &mut self,
        is_alone: bool,
        each_ns: f64,
        fastest: Option<(usize, f64)>,
    ) -> bool {
        let times = if is_alone {
            &mut self.alone
        } else {
            &mut self.shared
        };
        // No line is drawn for calls of one unit alone, so that it is found here if that one is slower than it was.
        let slower = is_alone && times.len() >= JUDGED && each_ns > HOPELESS * median(times);
        if times.len() == CALLS {
            times.remove(0);
        }
        times.push(each_ns);
        if self.trial > 0 {
            if is_alone != self.is_better {
                self.trial -= 1;
                self.judge();
            }
            return false;
        }
        if slower {
            self.machine_changed();
        }
        self.wait = self.wait.saturating_sub(1);
        if self.wait > 0 {
            return false;
        }
        self.begin(fastest)
    }

    fn begin(&mut self, fastest: Option<(usize, f64)>) -> bool {
        if self.is_better {
            self.shared.clear();
            self.trial = FOUND_AGAIN + JUDGED;
            return true;
        }
        let close = |(_, each_ns): &(usize, f64)| *each_ns < CLOSE * median(&self.shared);
        match fastest.filter(close) {
            // What is judged has to be known of both.
            Some(_) if self.shared.len() < JUDGED => self.wait = 1,
            Some((unit, _)) => {
                self.unit = unit;
                self.alone.clear();
                self.trial = JUDGED;
            }
            None => self.wait = self.pause,
        }
        false
    }

    /// Ends the trial, if it is time to: the better way is gone on with.
    fn judge(&mut self) {
        let (tried, other) = match self.is_better {
            true => (&self.shared, &self.alone),
            false => (&self.alone, &self.shared),
        };
        let usual = median(other);
        let hopeless = tried.len() >= 2 && tried.iter().all(|each| *each > HOPELESS * usual);
        if self.trial > 0 && !hopeless {
            return;
        }
        let judged = median(&tried[tried.len().saturating_sub(JUDGED)..]);
        let least = if self.is_better {
            1.0 - LEAST_GAIN
        } else {
            1.0 + LEAST_GAIN
        };
        self.trial = 0;
        self.wait = self.pause;
        if !hopeless && judged < least * usual {
            self.is_better = !self.is_better;
            self.pause = FIRST_PAUSE;
        } else {
            self.pause = (2 * self.pause).min(LAST_PAUSE);
        }
    }
}
