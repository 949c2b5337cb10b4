//! What measuring code takes times from: the machine's clock, or a virtual one, which says what a call
//! would have taken by the laws of its units, whatever the machine does meanwhile.
//!
//! The virtual time of a call is that of the unit that is at work longest. The host's is what its pieces
//! take by its law, and what it fetches for them; a device's is that of all its operations in the call. In
//! a scan, pieces wait for their carries: the host computes in its turn, or tells its total and writes later, and what
//! comes after the carry on a device (`Driver::finish`) begins when the carry is there and all else that the device does
//! is done.
//!
//! What devices do outside of calls, downloads for the host above all, is waited for, and so added.

use crate::{
    device::{Spent, VirtualTime},
    mock::{Law, nanos},
    observe::Busy,
    positions::FIRST_DEVICE,
};
use skel_core::{
    plan::{Kernel, Pattern},
    space::IndexSpace,
};
use std::{
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// Where a context's times come from.
pub(crate) enum Clock {
    /// The machine's clock.
    Wall,
    /// The sum of what calls took.
    Virtual(VirtualClock),
}

/// A moment.
#[derive(Clone, Copy)]
pub(crate) enum Start {
    Wall(Instant),
    Virtual(Duration),
}

impl Clock {
    /// Now.
    pub(crate) fn start(&self) -> Start {
        match self {
            Clock::Wall => Start::Wall(Instant::now()),
            Clock::Virtual(clock) => Start::Virtual(clock.now()),
        }
    }

    /// The time since then.
    pub(crate) fn elapsed(&self, start: Start) -> Duration {
        match (self, start) {
            (Clock::Virtual(clock), Start::Virtual(then)) => clock.now().saturating_sub(then),
            (_, Start::Wall(then)) => then.elapsed(),
            (Clock::Wall, Start::Virtual(_)) => Duration::ZERO,
        }
    }
}

/// The virtual time of a context.
pub(crate) struct VirtualClock {
    devices: Arc<[Option<Arc<VirtualTime>>]>,
    /// What calls took.
    calls_ns: AtomicU64,
    /// What devices did in them.
    within_ns: AtomicU64,
}

impl VirtualClock {
    pub(crate) fn new(devices: Arc<[Option<Arc<VirtualTime>>]>) -> Self {
        VirtualClock {
            devices,
            calls_ns: AtomicU64::new(0),
            within_ns: AtomicU64::new(0),
        }
    }

    /// What has passed since the context was made.
    pub(crate) fn now(&self) -> Duration {
        let all: Duration = self.spent().iter().map(|spent| spent.total()).sum();
        let time = |ns: &AtomicU64| Duration::from_nanos(ns.load(Ordering::Relaxed));
        time(&self.calls_ns) + all.saturating_sub(time(&self.within_ns))
    }

    /// What each device did so far.
    pub(crate) fn spent(&self) -> Vec<Spent> {
        spent(&self.devices)
    }

    /// A call has ended, before which devices had done so much.
    pub(crate) fn passed(&self, pattern: Pattern, parts: &[Busy], before: &[Spent]) {
        let now = self.spent();
        let spent: Vec<Spent> = now.iter().zip(before).map(|(a, b)| *a - *b).collect();
        let within: Duration = spent.iter().map(|spent| spent.total()).sum();
        let add = |counter: &AtomicU64, time: Duration| {
            let ns = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
            counter.fetch_add(ns, Ordering::Relaxed);
        };
        add(&self.calls_ns, call(pattern, parts, &spent));
        add(&self.within_ns, within);
    }
}

fn spent(devices: &[Option<Arc<VirtualTime>>]) -> Vec<Spent> {
    let spent = |device: &Option<Arc<VirtualTime>>| {
        let device = device.as_ref();
        device.map_or_else(Spent::default, |device| device.spent())
    };
    devices.iter().map(spent).collect()
}

/// The virtual time of a call.
fn call(pattern: Pattern, parts: &[Busy], spent: &[Spent]) -> Duration {
    let host = |part: &&Busy| part.unit < FIRST_DEVICE;
    let devices = spent.iter().map(|spent| spent.total());
    let all = devices.max().unwrap_or_default();
    if pattern != Pattern::Scan {
        let host: Duration = parts.iter().filter(host).map(|part| part.busy).sum();
        return host.max(all);
    }
    // When the carry of the next part is known; when the host has done what all carries need, and what it has left to do.
    let (mut carry, mut handed, mut rest) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    let mut finished = vec![false; spent.len()];
    for part in parts {
        let Some(device) = part.unit.checked_sub(FIRST_DEVICE) else {
            let until_carry = part.until_carry.unwrap_or(part.busy);
            carry += until_carry;
            rest += part.busy - until_carry;
            handed = carry;
            continue;
        };
        handed = carry;
        if let (Some(spent), Some(done)) = (spent.get(device), finished.get_mut(device))
            && !std::mem::replace(done, true)
        {
            let before = spent.upload + spent.launch + spent.download;
            carry = carry.max(before) + spent.finish;
        }
    }
    carry.max(all).max(handed + rest)
}

/// How much of the time of a scan it takes to combine as many elements, by a law: of sums of `f32` on one core, a third.
pub(crate) const COMBINING: f64 = 1.0 / 3.0;

/// The law of a unit of the host.
pub(crate) struct HostLaw {
    law: Law,
    draws: AtomicU64,
    devices: Arc<[Option<Arc<VirtualTime>>]>,
}

impl HostLaw {
    pub(crate) fn new(law: Law, devices: &Arc<[Option<Arc<VirtualTime>>]>) -> Self {
        HostLaw {
            law,
            draws: AtomicU64::new(0),
            devices: Arc::clone(devices),
        }
    }

    fn fetched(&self) -> Duration {
        let downloads = spent(&self.devices).into_iter().map(|spent| spent.download);
        downloads.sum()
    }
}

/// Times what a unit of the host does.
pub(crate) enum Stopwatch {
    /// By the machine's clock.
    Wall,
    /// By a law.
    Law(HostLaw),
}

impl Stopwatch {
    /// How long it took to get what the host lacks.
    pub(crate) fn fetch<R>(&self, body: impl FnOnce() -> R) -> (R, Duration) {
        match self {
            Stopwatch::Wall => {
                let started = Instant::now();
                let result = body();
                (result, started.elapsed())
            }
            Stopwatch::Law(law) => {
                let before = law.fetched();
                let result = body();
                (result, law.fetched().saturating_sub(before))
            }
        }
    }

    /// How long it took to compute elements; `about` which, of which kernel. `share` says how much of their work this
    /// is, to a law.
    pub(crate) fn compute<'a, R>(
        &self,
        share: f64,
        about: impl FnOnce() -> (Option<&'a Kernel>, &'a Range<usize>, &'a IndexSpace),
        body: impl FnOnce() -> R,
    ) -> (R, Duration) {
        match self {
            Stopwatch::Wall => {
                let started = Instant::now();
                let result = body();
                (result, started.elapsed())
            }
            Stopwatch::Law(HostLaw { law, draws, .. }) => {
                let result = body();
                let draw = draws.fetch_add(1, Ordering::Relaxed);
                let (kernel, range, space) = about();
                let ns = law.phase_ns(kernel, range, space, None, draw);
                (result, nanos(share * ns))
            }
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use skel_core::schedule::UnitIndex;

    fn ns(ns: u64) -> Duration {
        Duration::from_nanos(ns)
    }

    fn busy(unit: UnitIndex, time: u64) -> Busy {
        Busy {
            unit,
            busy: ns(time),
            until_carry: None,
        }
    }

    fn spent(upload: u64, launch: u64, finish: u64, download: u64) -> Spent {
        Spent {
            upload: ns(upload),
            launch: ns(launch),
            finish: ns(finish),
            download: ns(download),
        }
    }

    #[test]
    fn the_longest_counts() {
        let devices = [spent(10, 20, 0, 5), spent(0, 40, 0, 0)];
        let parts = [busy(1, 30), busy(2, 0), busy(3, 0)];
        assert_eq!(call(Pattern::Elementwise, &parts, &devices), ns(40));
        assert_eq!(
            call(Pattern::Fold, &[busy(1, 30), busy(1, 30)], &devices),
            ns(60)
        );
        assert_eq!(call(Pattern::Fold, &[], &[]), ns(0));
    }

    #[test]
    fn a_scan_waits_for_its_carry() {
        let devices = [spent(10, 20, 7, 0), spent(0, 100, 9, 0)];
        let parts = |host| [busy(1, host), busy(2, 0), busy(3, 0)];
        // The second device has not done its first phase when its carry comes; or it has.
        assert_eq!(call(Pattern::Scan, &parts(50), &devices), ns(109));
        assert_eq!(call(Pattern::Scan, &parts(95), &devices), ns(95 + 7 + 9));
    }

    #[test]
    fn a_carry_that_is_told_ahead_is_not_waited_for() {
        let devices = [spent(10, 20, 70, 0)];
        let parts = |until_carry, host| {
            let until_carry = Some(ns(until_carry));
            [
                Busy {
                    until_carry,
                    ..busy(1, host)
                },
                busy(2, 0),
            ]
        };
        // The device is through last; its first phase is over after the carry is there, or before; the host is last.
        assert_eq!(call(Pattern::Scan, &parts(25, 80), &devices), ns(100));
        assert_eq!(call(Pattern::Scan, &parts(40, 80), &devices), ns(110));
        assert_eq!(call(Pattern::Scan, &parts(40, 130), &devices), ns(130));
    }
}
