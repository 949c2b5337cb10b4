//! Time that is counted instead of passing.

use std::{
    ops::Sub,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

/// What a device would have taken so far, if its operations took time: see
/// [`Driver::virtual_time`](super::Driver::virtual_time).
#[derive(Debug, Default)]
pub struct VirtualTime {
    upload_ns: AtomicU64,
    launch_ns: AtomicU64,
    finish_ns: AtomicU64,
    download_ns: AtomicU64,
}

/// What a device took, by what it did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Uploads.
    pub upload: Duration,
    /// Local phases.
    pub launch: Duration,
    /// Last phases of scans.
    pub finish: Duration,
    /// Downloads.
    pub download: Duration,
}

impl VirtualTime {
    /// An upload, which would have taken so long.
    pub fn uploaded(&self, time: Duration) {
        add(&self.upload_ns, time);
    }

    /// A local phase, which would have taken so long.
    pub fn launched(&self, time: Duration) {
        add(&self.launch_ns, time);
    }

    /// The last phase of a scan, which would have taken so long.
    pub fn finished(&self, time: Duration) {
        add(&self.finish_ns, time);
    }

    /// A download, which would have taken so long.
    pub fn downloaded(&self, time: Duration) {
        add(&self.download_ns, time);
    }

    /// All of it so far.
    #[must_use]
    pub fn spent(&self) -> Spent {
        let time = |ns: &AtomicU64| Duration::from_nanos(ns.load(Ordering::Acquire));
        Spent {
            upload: time(&self.upload_ns),
            launch: time(&self.launch_ns),
            finish: time(&self.finish_ns),
            download: time(&self.download_ns),
        }
    }
}

fn add(counter: &AtomicU64, time: Duration) {
    let ns = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    counter.fetch_add(ns, Ordering::Release);
}

impl Spent {
    /// All of it together.
    #[must_use]
    pub fn total(self) -> Duration {
        self.upload + self.launch + self.finish + self.download
    }
}

impl Sub for Spent {
    type Output = Spent;

    fn sub(self, earlier: Spent) -> Spent {
        Spent {
            upload: self.upload.saturating_sub(earlier.upload),
            launch: self.launch.saturating_sub(earlier.launch),
            finish: self.finish.saturating_sub(earlier.finish),
            download: self.download.saturating_sub(earlier.download),
        }
    }
}
