//! Errors of asynchronous launches, on their way to the command or call that reads the results.
//!
//! A launch that may have trapped, or that failed, taints what it wrote, and so does a failed upload; a
//! launch that reads tainted elements passes the taint on. Reading tainted elements asks the device, once per
//! launch, and gives the error, until they are overwritten. Each launch records whether its error was
//! reported; `sync()` reports the rest.

use super::{Driver, TrapWords};
use crate::ItemId;
use skel_core::{Error, Result};
use std::{
    ops::Range,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// What is known of a launch.
#[derive(Debug)]
enum LaunchOutcome {
    /// Not checked yet.
    Unknown(TrapWords),
    /// It went well.
    Clean,
    /// It failed, and whether that was reported.
    Failed(Error, bool),
}

impl LaunchOutcome {
    /// Asks the device, if that was not done yet.
    ///
    /// # Errors
    /// That there is no memory to ask, which says nothing of the launch: the next check finds out.
    fn find_out<D: Driver>(&mut self, driver: &mut D) -> Result<()> {
        if let LaunchOutcome::Unknown(words) = *self {
            *self = match driver.read_traps(words) {
                Ok(None) => LaunchOutcome::Clean,
                Ok(Some(trapped)) => LaunchOutcome::Failed(trapped.into_error(), false),
                Err(error @ Error::OutOfMemory { .. }) => return Err(error),
                Err(error) => LaunchOutcome::Failed(error, false),
            };
        }
        Ok(())
    }

    fn tell(&mut self) -> Option<Error> {
        match self {
            LaunchOutcome::Failed(error, told) => {
                *told = true;
                Some(error.clone())
            }
            LaunchOutcome::Clean | LaunchOutcome::Unknown(_) => None,
        }
    }
}

/// The cause of taints: one launch.
#[derive(Clone, Debug)]
pub(super) struct TaintSource {
    shared: Arc<Mutex<LaunchOutcome>>,
    /// The item whose call it is.
    item: Option<ItemId>,
}

impl TaintSource {
    /// A launch that may have trapped.
    pub(super) fn unknown(words: TrapWords, item: Option<ItemId>) -> Self {
        TaintSource::new(LaunchOutcome::Unknown(words), item)
    }

    fn new(outcome: LaunchOutcome, item: Option<ItemId>) -> Self {
        TaintSource {
            shared: Arc::new(Mutex::new(outcome)),
            item,
        }
    }

    /// A launch that failed; the caller that queued it is told.
    pub(super) fn failed(error: Error) -> Self {
        TaintSource::new(LaunchOutcome::Failed(error, true), None)
    }

    /// The words that say what it trapped at, if they have not been read.
    pub(super) fn words(&self) -> Option<TrapWords> {
        match *self.outcome() {
            LaunchOutcome::Unknown(words) => Some(words),
            LaunchOutcome::Clean | LaunchOutcome::Failed(..) => None,
        }
    }

    fn outcome(&self) -> MutexGuard<'_, LaunchOutcome> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The error, to be reported, if it is known that the launch failed. Does not wait.
    pub(super) fn failure(&self) -> Option<Error> {
        self.outcome().tell()
    }

    /// Checks, waiting for the launch; the error, to be reported, if it failed.
    pub(super) fn resolve<D: Driver>(&self, driver: &mut D) -> Option<Error> {
        let mut outcome = self.outcome();
        let found_out = outcome.find_out(driver);
        found_out.err().or_else(|| outcome.tell())
    }

    /// The same, of errors that were not reported.
    pub(super) fn look<D: Driver>(&self, driver: &mut D) -> Option<Error> {
        let mut outcome = self.outcome();
        if let Err(error) = outcome.find_out(driver) {
            return Some(error);
        }
        match *outcome {
            LaunchOutcome::Failed(_, false) => outcome.tell(),
            LaunchOutcome::Failed(_, true) | LaunchOutcome::Clean | LaunchOutcome::Unknown(_) => {
                None
            }
        }
    }

    /// Checks whether it failed, or may have, without a report.
    fn has_failed<D: Driver>(&self, driver: &mut D) -> bool {
        let mut outcome = self.outcome();
        outcome.find_out(driver).is_err() || matches!(*outcome, LaunchOutcome::Failed(..))
    }

    /// Whether it could not be checked yet.
    fn is_unknown(&self) -> bool {
        matches!(*self.outcome(), LaunchOutcome::Unknown(_))
    }

    /// If no array depends on it any more: lets the driver reuse its words, and returns true.
    fn release<D: Driver>(&mut self, driver: &mut D) -> bool {
        let Some(outcome) = Arc::get_mut(&mut self.shared) else {
            return false;
        };
        if let LaunchOutcome::Unknown(words) =
            outcome.get_mut().unwrap_or_else(PoisonError::into_inner)
        {
            driver.forget_traps(*words);
        }
        true
    }

    fn is(&self, other: &TaintSource) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }
}

/// The launches of a device that may have trapped, as long as an array depends on them. `sync()` reports the
/// first error of them that was not reported before.
#[derive(Debug, Default)]
pub(super) struct Outstanding {
    causes: Vec<TaintSource>,
    /// How many there may be before those are dropped that no array depends on.
    look_at: usize,
}

/// Fewer are never checked.
const FEW_OUTSTANDING: usize = 32;

/// There are no more, so that a program with any number of containers has no more launches whose status words
/// are unread. Beyond that, the older half is read.
const MOST_OUTSTANDING: usize = 4096;

impl Outstanding {
    /// Those of an item's calls.
    pub(super) fn of(&self, item: ItemId) -> Vec<TaintSource> {
        let causes = self.causes.iter();
        let of_item = causes.filter(|cause| cause.item == Some(item));
        of_item.cloned().collect()
    }

    /// Drops launches that no array depends on any more.
    pub(super) fn release<D: Driver>(&mut self, driver: &mut D) {
        self.causes.retain_mut(|cause| !cause.release(driver));
    }

    /// One more. The others are not checked each time, but when their number has doubled.
    pub(super) fn push<D: Driver>(&mut self, cause: TaintSource, driver: &mut D) {
        if self.causes.len() >= self.look_at {
            self.release(driver);
            if self.causes.len() >= MOST_OUTSTANDING {
                let (older, newer) = self.causes.split_at(MOST_OUTSTANDING / 2);
                let failed = older.iter().filter(|cause| cause.has_failed(driver));
                let mut left: Vec<TaintSource> = failed.chain(newer).cloned().collect();
                // Of those that failed, the first is told: if so many did, the last ones need not be. But the
                // driver keeps words for each until they are read.
                let cut = left.split_off(left.len().min(3 * MOST_OUTSTANDING / 4));
                left.extend(cut.into_iter().filter(|cause| {
                    let _known = cause.has_failed(driver);
                    cause.is_unknown()
                }));
                self.causes = left;
            }
            let twice = 2 * self.causes.len();
            self.look_at = twice.clamp(FEW_OUTSTANDING, MOST_OUTSTANDING);
        }
        self.causes.push(cause);
    }

    /// Checks all of them; the first error that was not reported. From now on, all are known, except where
    /// there was no memory to check.
    pub(super) fn look_at_all<D: Driver>(&mut self, driver: &mut D) -> Option<Error> {
        let mut first = None;
        for cause in std::mem::take(self).causes {
            let error = cause.look(driver);
            first = first.or(error);
            if cause.is_unknown() {
                self.causes.push(cause);
            }
        }
        first
    }
}

/// The tainted elements of one array.
#[derive(Debug, Default)]
pub(super) struct Taints(Vec<(Range<usize>, TaintSource)>);

/// So many unknown launches may depend on one array before they are checked.
const MOST: usize = 32;

impl Taints {
    /// `r` is about to be overwritten.
    pub(super) fn clear(&mut self, r: &Range<usize>) {
        let old = std::mem::take(&mut self.0);
        for (part, cause) in old {
            let (left, right) = (
                part.start..part.end.min(r.start),
                part.start.max(r.end)..part.end,
            );
            for rest in [left, right] {
                if !rest.is_empty() {
                    self.0.push((rest, cause.clone()));
                }
            }
        }
    }

    /// `r` depends on these launches.
    pub(super) fn add(&mut self, r: &Range<usize>, causes: &[TaintSource]) {
        self.0
            .extend(causes.iter().map(|cause| (r.clone(), cause.clone())));
    }

    /// The launches that `r` depends on, each once.
    pub(super) fn of(&self, r: &Range<usize>, to: &mut Vec<TaintSource>) {
        for (part, cause) in &self.0 {
            let overlaps = part.start < r.end && r.start < part.end;
            if overlaps && !to.iter().any(|known| known.is(cause)) {
                to.push(cause.clone());
            }
        }
    }

    /// Checks all launches that `r` depends on; the first error, in the order of elements.
    pub(super) fn resolve<D: Driver>(&mut self, driver: &mut D, r: &Range<usize>) -> Option<Error> {
        self.0.sort_by_key(|(part, _)| part.start);
        let mut first = None;
        self.0.retain(|(part, cause)| {
            if part.end <= r.start || r.end <= part.start {
                return true;
            }
            let error = cause.resolve(driver);
            let failed = error.is_some();
            first = first.take().or(error);
            failed
        });
        first
    }

    /// Keeps the list short: looks at everything if it is long.
    pub(super) fn trim<D: Driver>(&mut self, driver: &mut D) {
        if self.0.len() > MOST {
            self.0.retain(|(_, cause)| cause.has_failed(driver));
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn launches_that_are_not_waited_for_have_a_bound() {
        let mut driver = crate::mock::Mock::named("test").driver();
        let (mut outstanding, mut arrays) = (Outstanding::default(), Vec::new());
        for words in 0..5 * MOST_OUTSTANDING as u64 {
            let cause = TaintSource::unknown(TrapWords(words), None);
            // An array depends on it, so it is not dropped by itself.
            arrays.push(cause.clone());
            outstanding.push(cause, &mut driver);
            assert!(outstanding.causes.len() <= MOST_OUTSTANDING);
        }
        assert!(outstanding.look_at_all(&mut driver).is_none());
        // No array depends on these.
        for words in 0..1000 {
            outstanding.push(TaintSource::unknown(TrapWords(words), None), &mut driver);
            assert!(outstanding.causes.len() <= FEW_OUTSTANDING + 1);
        }
        drop(arrays);
    }

    #[test]
    fn the_first_of_many_that_failed_is_told() {
        let mut driver = crate::mock::Mock::named("test").driver();
        let (mut outstanding, mut arrays) = (Outstanding::default(), Vec::new());
        for k in 0..3 * MOST_OUTSTANDING {
            let instance = format!("failed {k}");
            let outcome = LaunchOutcome::Failed(Error::EmptyReduce { instance }, false);
            let cause = TaintSource::new(outcome, None);
            arrays.push(cause.clone());
            outstanding.push(cause, &mut driver);
        }
        assert!(outstanding.causes.len() <= MOST_OUTSTANDING);
        match outstanding.look_at_all(&mut driver) {
            Some(Error::EmptyReduce { instance }) => assert_eq!(instance, "failed 0"),
            other => panic!("{other:?}"),
        }
        assert!(outstanding.look_at_all(&mut driver).is_none());
        drop(arrays);
    }

    #[test]
    fn the_words_of_those_that_are_not_told_are_read() {
        let mut driver = crate::mock::Mock::named("test").driver();
        let (mut outstanding, mut unknown) = (Outstanding::default(), Vec::new());
        let mut failed = Vec::new();
        for words in 0..3 * MOST_OUTSTANDING as u64 {
            let error = Error::EmptyReduce {
                instance: "test".into(),
            };
            // Every other one, so that what is cut has both.
            failed.push(TaintSource::new(LaunchOutcome::Failed(error, false), None));
            unknown.push(TaintSource::unknown(TrapWords(words), None));
            for all in [&failed, &unknown] {
                let cause = all.last().unwrap().clone();
                outstanding.push(cause, &mut driver);
            }
        }
        for cause in unknown.iter().filter(|cause| cause.is_unknown()) {
            assert!(outstanding.causes.iter().any(|kept| kept.is(cause)));
        }
    }

    #[test]
    fn without_room_to_ask_a_launch_has_not_failed() {
        let mut driver = crate::mock::Mock::named("test").driver();
        let full = |error: Option<Error>| matches!(error, Some(Error::OutOfMemory { .. }));
        driver.reads_without_room = 2;
        let cause = TaintSource::unknown(TrapWords(0), None);
        assert!(full(cause.resolve(&mut driver)));
        let mut outstanding = Outstanding::default();
        outstanding.push(cause.clone(), &mut driver);
        assert!(full(outstanding.look_at_all(&mut driver)));
        // Asked again, it went well.
        assert!(outstanding.look_at_all(&mut driver).is_none());
        assert!(cause.resolve(&mut driver).is_none() && outstanding.causes.is_empty());
    }

    #[test]
    fn overwriting_clears_just_what_is_overwritten() {
        let cause = || {
            TaintSource::failed(Error::EmptyReduce {
                instance: "test".into(),
            })
        };
        let mut taints = Taints::default();
        taints.add(&(0..10), &[cause()]);
        taints.add(&(20..30), &[cause()]);
        taints.clear(&(4..25));
        let found = |r: Range<usize>| {
            let mut causes = Vec::new();
            taints.of(&r, &mut causes);
            causes.len()
        };
        assert_eq!(
            [found(0..4), found(4..25), found(25..30), found(0..30)],
            [1, 0, 1, 2]
        );
    }
}
