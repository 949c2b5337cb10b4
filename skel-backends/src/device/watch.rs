//! What is known of a device's health, by all who have to do with it.

use crate::Health;
use skel_core::Error;
use std::{
    collections::HashMap,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

const WELL: u8 = 0;
/// Not used any more; what it has can be downloaded.
const FAILED: u8 = 1;
/// Its driver says so of everything, or its thread has ended.
const LOST: u8 = 2;
/// Its thread does not answer.
const HUNG: u8 = 3;

/// How long to wait for a device.
pub(super) enum Patience {
    /// Until it answers.
    Unlimited,
    /// So long, and then ask again.
    For(Duration),
    /// Not any more.
    Over,
}

/// A device's health. Every state is worse than the one before, and none is left for a better one.
pub(super) struct Watch {
    device: String,
    state: AtomicU8,
    reason: Mutex<String>,
    /// Nanoseconds that a launch may take; 0 if nobody looks at the clock.
    limit: AtomicU64,
    /// Since when the device's thread has been at its command.
    since: Mutex<Option<Instant>>,
    /// Launches that nobody has waited for: whoever waits next waits for all of them.
    launches: AtomicU64,
    /// Kernels, by their hashes, that it cannot run, as was found out when they were compiled.
    unable: Mutex<HashMap<u64, String>>,
    any_unable: AtomicBool,
    /// Commands on their way that nobody waits for.
    flights: AtomicU64,
    /// The first error since anyone asked that had nobody to tell it to.
    late: Mutex<Option<Error>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watch {
    pub(super) fn new(device: impl Into<String>) -> Self {
        Watch {
            device: device.into(),
            state: AtomicU8::new(WELL),
            reason: Mutex::default(),
            limit: AtomicU64::new(0),
            since: Mutex::new(None),
            launches: AtomicU64::new(0),
            unable: Mutex::default(),
            any_unable: AtomicBool::new(false),
            flights: AtomicU64::new(0),
            late: Mutex::new(None),
        }
    }

    /// From now on, a launch may take so long; of no time at all, nobody looks at the clock.
    pub(super) fn set_limit(&self, limit: Duration) {
        let nanos = u64::try_from(limit.as_nanos()).unwrap_or(u64::MAX);
        self.limit.store(nanos, Ordering::Relaxed);
    }

    /// Whether anyone looks at the clock.
    pub(super) fn is_timed(&self) -> bool {
        self.limit.load(Ordering::Relaxed) > 0
    }

    /// The thread has a command.
    pub(super) fn begin(&self) {
        if self.is_timed() {
            *lock(&self.since) = Some(Instant::now());
        }
    }

    /// The thread is done with it.
    pub(super) fn end(&self) {
        if self.is_timed() {
            *lock(&self.since) = None;
        }
    }

    /// A launch was queued on the device.
    pub(super) fn launched(&self) {
        self.launches.fetch_add(1, Ordering::Relaxed);
    }

    /// All launches are done.
    pub(super) fn settled(&self) {
        self.launches.store(0, Ordering::Relaxed);
    }

    /// How long someone who waits for the thread should go on. Finds out that the device hangs.
    pub(super) fn patience(&self) -> Patience {
        let limit = match self.limit.load(Ordering::Relaxed) {
            0 => return Patience::Unlimited,
            nanos => Duration::from_nanos(nanos),
        };
        if self.state.load(Ordering::Acquire) == HUNG {
            return Patience::Over;
        }
        let Some(since) = *lock(&self.since) else {
            return Patience::For(limit);
        };
        let launches = self.launches.load(Ordering::Relaxed);
        let all = limit.saturating_mul(u32::try_from(launches).unwrap_or(u32::MAX).max(1));
        match all.checked_sub(since.elapsed()) {
            Some(rest) if !rest.is_zero() => Patience::For(rest),
            _ => {
                let reason = format!("it has not answered for {all:?}");
                self.fall(HUNG, &reason);
                Patience::Over
            }
        }
    }

    fn fall(&self, to: u8, reason: &str) {
        let mut kept = lock(&self.reason);
        let before = self.state.load(Ordering::Relaxed);
        if to > before {
            if before == WELL {
                eprintln!("skel: {} is not used any more: {reason}", self.device);
            }
            *kept = reason.to_owned();
            self.state.store(to, Ordering::Release);
        }
    }

    /// A launch failed: nobody knows what state the device is in.
    pub(super) fn fail(&self, reason: &str) {
        self.fall(FAILED, reason);
    }

    /// The device is gone.
    pub(super) fn lose(&self, reason: &str) {
        self.fall(LOST, reason);
    }

    /// Whether it hangs.
    pub(super) fn is_hung(&self) -> bool {
        self.state.load(Ordering::Acquire) == HUNG
    }

    /// Whether there is nothing behind the driver any more.
    pub(super) fn is_gone(&self) -> bool {
        self.state.load(Ordering::Acquire) >= LOST
    }

    /// Why it is not used any more.
    pub(super) fn health(&self) -> Health {
        match self.state.load(Ordering::Acquire) {
            WELL => Health::Well,
            _ => Health::Quarantined {
                reason: lock(&self.reason).clone(),
            },
        }
    }

    /// The error of a device that is not used any more.
    pub(super) fn lost(&self) -> Error {
        Error::DeviceLost {
            device: self.device.clone(),
            reason: lock(&self.reason).clone(),
        }
    }

    /// The kernel cannot be run here.
    pub(super) fn cannot(&self, kernel: u64, reason: &str) {
        lock(&self.unable).insert(kernel, reason.to_owned());
        self.any_unable.store(true, Ordering::Release);
    }

    /// Why the kernel cannot be run here, if that was found out.
    pub(super) fn unable(&self, kernel: u64) -> Option<String> {
        if !self.any_unable.load(Ordering::Acquire) {
            return None;
        }
        lock(&self.unable).get(&kernel).cloned()
    }

    /// A command is on its way that nobody waits for.
    pub(super) fn flies(&self) {
        self.flights.fetch_add(1, Ordering::Relaxed);
    }

    /// It is gone.
    pub(super) fn lands(&self) {
        let less = |flights: u64| Some(flights.saturating_sub(1));
        let _before = self
            .flights
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    }

    /// Whether commands were on their way to a device that hangs; told once.
    pub(super) fn take_stranded(&self) -> bool {
        self.is_hung() && self.flights.swap(0, Ordering::Relaxed) > 0
    }

    /// An error that the caller does not wait for.
    pub(super) fn note_late(&self, error: Error) {
        lock(&self.late).get_or_insert(error);
    }

    /// The first error since this was asked.
    pub(super) fn take_late(&self) -> Option<Error> {
        lock(&self.late).take()
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn it_gets_worse_and_never_better() {
        let watch = Watch::new("test");
        assert_eq!(watch.health(), Health::Well);
        watch.fail("first");
        watch.fail("second");
        let because = |reason: &str| Health::Quarantined {
            reason: reason.into(),
        };
        assert_eq!(watch.health(), because("first"));
        assert!(!watch.is_gone());
        watch.lose("third");
        watch.fail("fourth");
        assert_eq!(watch.health(), because("third"));
        assert!(watch.is_gone() && !watch.is_hung());
    }

    #[test]
    fn patience_ends_only_with_a_limit_and_grows_with_what_is_waited_for() {
        let watch = Watch::new("test");
        watch.begin();
        assert!(matches!(watch.patience(), Patience::Unlimited));
        watch.set_limit(Duration::from_secs(1000));
        assert!(matches!(watch.patience(), Patience::For(_)), "idle");
        watch.begin();
        for _ in 0..3 {
            watch.launched();
        }
        match watch.patience() {
            Patience::For(left) => assert!(left > Duration::from_secs(2000)),
            _ => panic!("it hangs, or has all the time of the world"),
        }
        watch.settled();
        watch.set_limit(Duration::from_nanos(1));
        std::thread::sleep(Duration::from_nanos(2));
        assert!(matches!(watch.patience(), Patience::Over));
        assert!(watch.is_hung());
        watch.end();
        assert!(matches!(watch.patience(), Patience::Over));
    }

    #[test]
    fn a_kernel_that_does_not_compile_is_known() {
        let watch = Watch::new("test");
        assert_eq!(watch.unable(1), None);
        watch.cannot(1, "no such type");
        assert_eq!(watch.unable(1).as_deref(), Some("no such type"));
        assert_eq!(watch.unable(2), None);
    }
}
