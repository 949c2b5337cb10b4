//! Retirement: a device whose context was dropped.
//!
//! No call will use it any more. What the host has as well is freed at once, and containers let go of it when they
//! are next looked at (`Remote::is_released`). What only the device has stays there, and with it the device's
//! thread and its driver, until it has been downloaded or overwritten, or its container is dropped: dropping a
//! context moves nothing, and loses nothing.

use super::{Driver, memory::Memory, unit::DeviceUnit, work::ArrayId};
use crate::exit::GivingBack;

impl<D: Driver> Drop for DeviceUnit<D> {
    /// Behind all that is queued; does not wait.
    fn drop(&mut self) {
        self.watch.retire();
        let giving_back = self.watch.gives_back();
        self.queue.post(|memory| {
            memory.retire();
            memory.ends_with(giving_back);
        });
    }
}

impl<D: Driver> Memory<D> {
    /// No call will use the device any more.
    fn retire(&mut self) {
        self.retired = true;
        self.let_go(None);
        self.driver_mut().trim();
    }

    /// If that was the thread's last command, the device is given back from now on.
    pub(super) fn ends_with(&mut self, giving_back: Option<GivingBack>) {
        if self.watch().is_dismissed() && self.giving_back.is_none() {
            self.giving_back = giving_back;
        }
    }

    /// If no call will use the device any more: frees what the host has as well, and ends the thread if nothing is
    /// left. A device that is gone has nothing. Where one array has changed, the others are looked at only after as many
    /// changes as there are arrays.
    pub(super) fn let_go(&mut self, changed: Option<ArrayId>) {
        if !self.retired {
            return;
        }
        self.watch().frees();
        self.let_go_since += 1;
        match changed {
            Some(id) if self.let_go_since < self.arrays.len() => self.arrays.release_if_clean(id),
            _ => {
                self.let_go_since = 0;
                self.arrays.release_clean();
            }
        }
        if self.watch().is_gone() || self.arrays.len() == 0 {
            self.watch().dismiss();
        }
    }
}
