//! A device's health, as its thread, its driver and callers share it.

use super::{
    allowance::{Allowance, LaunchesSoFar},
    asynchronous::UnreportedErrors,
    compile::Compilations,
    deadline::CommandKind,
};
use crate::{
    Health, ItemId, Watchdog,
    exit::GivingBack,
    fork::{self, OwnerProcess},
};
use skel_core::{Error, notice, plan::BlockConfig};
use std::{
    collections::{HashMap, HashSet},
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
/// Its thread does not answer; or there is none, in a process that was forked.
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
    /// The process that has its thread.
    owner: OwnerProcess,
    state: AtomicU8,
    reason: Mutex<String>,
    /// No call will use it any more: see `retire`.
    retired: AtomicBool,
    /// Whether its thread was asked to look what may be freed then, and has not.
    asked_to_free: AtomicBool,
    /// Its thread is not needed any more.
    dismissed: AtomicBool,
    /// Nanoseconds that a command without a deadline of its own may take; 0 without a watchdog.
    limit: AtomicU64,
    /// Nanoseconds after which a waiting thread checks again.
    least: AtomicU64,
    allowance: Mutex<Allowance>,
    /// Whether deadlines come from models.
    by_model: AtomicBool,
    /// Kernels, as they were launched, that need no compilation any more; kept where models give deadlines.
    ran: Mutex<HashSet<LaunchKey>>,
    /// Kernels that are being compiled.
    pub(super) compilations: Compilations,
    /// Kernels, by their hashes, that it cannot run, as was found out when they were compiled.
    unable: Mutex<HashMap<u64, String>>,
    any_unable: AtomicBool,
    /// Asynchronous commands on their way.
    async_commands: AtomicU64,
    /// Errors that no caller was told of.
    unreported: Mutex<UnreportedErrors>,
}

/// A kernel by its hash, how it was divided, and, of a scan, whether its carry was wanted.
pub(super) type LaunchKey = (u64, Option<BlockConfig>, bool);

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watch {
    pub(super) fn new(device: impl Into<String>) -> Self {
        Watch {
            device: device.into(),
            owner: OwnerProcess::here(),
            state: AtomicU8::new(WELL),
            reason: Mutex::default(),
            retired: AtomicBool::new(false),
            asked_to_free: AtomicBool::new(false),
            dismissed: AtomicBool::new(false),
            limit: AtomicU64::new(0),
            least: AtomicU64::new(0),
            allowance: Mutex::default(),
            by_model: AtomicBool::new(false),
            ran: Mutex::default(),
            compilations: Compilations::default(),
            unable: Mutex::default(),
            any_unable: AtomicBool::new(false),
            async_commands: AtomicU64::new(0),
            unreported: Mutex::default(),
        }
    }

    /// What it is called.
    pub(super) fn device(&self) -> &str {
        &self.device
    }

    /// From now on, commands may take so long.
    pub(super) fn set(&self, watchdog: Watchdog) {
        let by_model = matches!(watchdog, Watchdog::ByModel { .. });
        self.by_model.store(by_model, Ordering::Relaxed);
        self.least.store(nanos(watchdog.least()), Ordering::Relaxed);
        self.limit.store(nanos(watchdog.limit()), Ordering::Relaxed);
    }

    fn limit(&self) -> Duration {
        Duration::from_nanos(self.limit.load(Ordering::Relaxed))
    }

    /// Whether there is a watchdog.
    pub(super) fn is_timed(&self) -> bool {
        self.limit.load(Ordering::Relaxed) > 0
    }

    /// The thread has a command.
    pub(super) fn begin(&self, kind: CommandKind) {
        if self.is_timed() {
            lock(&self.allowance).begin(kind, self.limit());
        }
    }

    /// The thread is done with it.
    pub(super) fn end(&self) {
        if self.is_timed() {
            lock(&self.allowance).since = None;
        }
    }

    /// The thread has no command, and waits since then for the device to end an earlier one.
    pub(super) fn waits(&self, kind: CommandKind, since: Instant) {
        if self.is_timed() {
            lock(&self.allowance).wait(kind, self.limit(), since);
        }
    }

    /// All launches so far.
    pub(super) fn launches(&self) -> LaunchesSoFar {
        lock(&self.allowance).launches()
    }

    /// These are done; later ones may not be.
    pub(super) fn passed(&self, launches: LaunchesSoFar) {
        lock(&self.allowance).passed(launches);
    }

    /// The thread waits for something that is not the device, and has a limit of its own.
    pub(super) fn aside<R>(&self, wait: impl FnOnce() -> R) -> R {
        if !self.is_timed() {
            return wait();
        }
        let (since, began) = (lock(&self.allowance).since.take(), Instant::now());
        let result = wait();
        lock(&self.allowance).since = since.map(|since| since + began.elapsed());
        result
    }

    /// A launch was queued on the device.
    pub(super) fn launched(&self, kernel: Option<LaunchKey>) {
        if !self.is_timed() {
            return;
        }
        lock(&self.allowance).launch();
        if let Some(kernel) = kernel.filter(|_| self.by_model.load(Ordering::Relaxed)) {
            lock(&self.ran).insert(kernel);
        }
    }

    /// All launches are done.
    pub(super) fn settled(&self) {
        if self.is_timed() {
            lock(&self.allowance).settle();
        }
    }

    /// What the thread does takes its time from now on: it was not the device that took it before.
    pub(super) fn restart(&self) {
        let mut allowance = lock(&self.allowance);
        allowance.since = allowance.since.map(|_| Instant::now());
    }

    /// Whether the kernel was launched so before.
    pub(super) fn has_run(&self, kernel: &LaunchKey) -> bool {
        !self.is_left() && lock(&self.ran).contains(kernel)
    }

    /// How long a caller that waits for the thread should go on. Finds out that the device hangs.
    pub(super) fn patience(&self) -> Patience {
        if self.is_hung() {
            return Patience::Over;
        }
        if !self.is_timed() {
            return Patience::Unlimited;
        }
        // The next command may have less time: the waiting thread checks again.
        let least = Duration::from_nanos(self.least.load(Ordering::Relaxed));
        // A queue that compiles has a limit of its own, and what is behind it waits.
        if self.compilations.is_exclusive() {
            return Patience::For(least);
        }
        let allowed = {
            let allowance = lock(&self.allowance);
            let Some(since) = allowance.since else {
                return Patience::For(least);
            };
            match allowance.allowed.checked_sub(since.elapsed()) {
                Some(rest) if !rest.is_zero() => return Patience::For(rest.min(least)),
                _ => allowance.allowed,
            }
        };
        self.fall(HUNG, &format!("it has not answered for {allowed:?}"));
        Patience::Over
    }

    fn fall(&self, to: u8, reason: &str) {
        if self.is_left() {
            return;
        }
        let before = {
            let mut kept = lock(&self.reason);
            let before = self.state.load(Ordering::Relaxed);
            if to > before {
                *kept = reason.to_owned();
                self.state.store(to, Ordering::Release);
            }
            before
        };
        // Printed after it is noted, so that it is found once, whatever printing does.
        if before == WELL {
            notice::say(format_args!(
                "{} is not used any more: {reason}",
                self.device
            ));
        }
    }

    /// A launch failed: the device's state is unknown.
    pub(super) fn fail(&self, reason: &str) {
        self.fall(FAILED, reason);
    }

    /// The device is gone.
    pub(super) fn lose(&self, reason: &str) {
        self.fall(LOST, reason);
    }

    /// Whether this process was forked from the one that has the thread. Nothing that the thread may have locked
    /// is touched then.
    pub(super) fn is_left(&self) -> bool {
        self.owner.is_ancestor()
    }

    fn state(&self) -> u8 {
        match self.is_left() {
            true => HUNG,
            false => self.state.load(Ordering::Acquire),
        }
    }

    fn reason(&self) -> String {
        match self.is_left() {
            true => fork::REASON.to_owned(),
            false => lock(&self.reason).clone(),
        }
    }

    /// Whether it hangs.
    pub(super) fn is_hung(&self) -> bool {
        self.state() == HUNG
    }

    /// Whether there is nothing behind the driver any more.
    pub(super) fn is_gone(&self) -> bool {
        self.state() >= LOST
    }

    /// No call will use it any more.
    pub(super) fn retire(&self) {
        self.retired.store(true, Ordering::Release);
    }

    /// What a command takes along that may be the thread's last one: the end of the process waits for it then.
    pub(super) fn gives_back(&self) -> Option<GivingBack> {
        let may_end = self.retired.load(Ordering::Acquire) && !self.is_left();
        may_end.then(GivingBack::begin)
    }

    /// Whether to ask the thread to look what may be freed: it is retired, and was not asked yet.
    pub(super) fn asks_to_free(&self) -> bool {
        self.retired.load(Ordering::Acquire) && !self.asked_to_free.swap(true, Ordering::AcqRel)
    }

    /// The thread looks.
    pub(super) fn frees(&self) {
        self.asked_to_free.store(false, Ordering::Release);
    }

    /// The thread is not needed any more.
    pub(super) fn dismiss(&self) {
        self.dismissed.store(true, Ordering::Relaxed);
    }

    /// Whether the thread is to end. Asked by itself.
    pub(super) fn is_dismissed(&self) -> bool {
        self.dismissed.load(Ordering::Relaxed)
    }

    /// Why it is not used any more.
    pub(super) fn health(&self) -> Health {
        match self.state() {
            WELL => Health::Well,
            _ => Health::Quarantined {
                reason: self.reason(),
            },
        }
    }

    /// The error of a device that is not used any more.
    pub(super) fn lost(&self) -> Error {
        Error::DeviceLost {
            device: self.device.clone(),
            reason: self.reason(),
        }
    }

    /// The kernel cannot be run here.
    pub(super) fn cannot(&self, kernel: u64, reason: &str) {
        lock(&self.unable).insert(kernel, reason.to_owned());
        self.any_unable.store(true, Ordering::Release);
    }

    /// Why the kernel cannot be run here, if that was found out, or cannot be run yet.
    pub(super) fn unable(&self, kernel: u64) -> Option<String> {
        if self.any_unable.load(Ordering::Acquire)
            && let Some(reason) = lock(&self.unable).get(&kernel)
        {
            return Some(reason.clone());
        }
        self.compilations.overdue(kernel)
    }

    /// An asynchronous command is on its way.
    pub(super) fn async_begins(&self) {
        self.async_commands.fetch_add(1, Ordering::Relaxed);
    }

    /// It is gone.
    pub(super) fn async_ends(&self) {
        let less = |async_commands: u64| Some(async_commands.saturating_sub(1));
        let _before = self
            .async_commands
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    }

    /// Whether commands were in flight on a device that hangs; reported once.
    pub(super) fn take_stranded(&self) -> bool {
        self.is_hung() && self.async_commands.swap(0, Ordering::Relaxed) > 0
    }

    /// Errors that were not reported.
    pub(super) fn unreported(&self) -> MutexGuard<'_, UnreportedErrors> {
        lock(&self.unreported)
    }

    /// The first of those of an item's calls; then all of these are known.
    pub(super) fn take_late_of(&self, item: ItemId) -> Option<Error> {
        self.unreported().take_of(item, || self.lost())
    }

    /// The first of them; then all are known.
    pub(super) fn take_late(&self) -> Option<Error> {
        self.unreported().take(|| self.lost())
    }
}

#[cfg(test)]
mod test;
