//! The lines of the picture.

use super::{
    event::{self, Args},
    sink,
};
use std::{
    cell::Cell,
    sync::atomic::{AtomicU32, Ordering},
    thread,
};

/// A line of the picture, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lane(pub(super) u32);

/// The lanes of a device.
#[derive(Clone, Copy)]
pub(crate) struct DeviceLanes {
    pub(crate) uploads: Lane,
    pub(crate) kernels: Lane,
    pub(crate) downloads: Lane,
}

/// The order in which lanes are shown: calling threads, helping threads, devices.
#[derive(Clone, Copy)]
enum Order {
    Caller = 0,
    Helper = 1 << 10,
    Device = 1 << 20,
}

thread_local! {
    static OWN: Cell<Option<Lane>> = const { Cell::new(None) };
}

impl Lane {
    fn new(name: &str, order: Order) -> Lane {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let lane = Lane(NEXT.fetch_add(1, Ordering::Relaxed));
        if let Some(sink) = sink::get() {
            let index = u64::from(lane.0) + order as u64;
            let order = Args::new().number("sort_index", index);
            sink.push(&event::metadata("thread_sort_index", lane, &order), false);
            let name = Args::new().text("name", name);
            sink.push(&event::metadata("thread_name", lane, &name), false);
        }
        lane
    }

    /// That of this thread; or, on a device's thread, the one that was set last.
    pub(crate) fn here() -> Lane {
        if let Some(lane) = OWN.get() {
            return lane;
        }
        let thread = thread::current();
        let lane = match (rayon::current_thread_index(), thread.name()) {
            (Some(k), _) => Lane::new(&format!("CPU worker {k}"), Order::Helper),
            (None, Some(name)) => Lane::new(&format!("thread {name}"), Order::Caller),
            (None, None) => Lane::new("a thread", Order::Caller),
        };
        OWN.set(Some(lane));
        lane
    }

    /// One more of a device.
    #[cfg(feature = "cuda")]
    pub(crate) fn of_device(name: &str) -> Lane {
        Lane::new(name, Order::Device)
    }

    /// From now on, what this thread does by itself is shown here.
    pub(crate) fn adopt(self) {
        OWN.set(Some(self));
    }
}

impl DeviceLanes {
    pub(crate) fn new(device: &str) -> DeviceLanes {
        let lane = |what| Lane::new(&format!("{device}: {what}"), Order::Device);
        DeviceLanes {
            uploads: lane("uploads"),
            kernels: lane("kernels"),
            downloads: lane("downloads"),
        }
    }
}
