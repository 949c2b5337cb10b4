//! Back-pressure: how much may wait in front of a device before callers wait.
//!
//! A call whose data is on the device returns before the device has done it. A program that makes such calls
//! faster than the device takes them would queue them without end: each keeps memory, and a read waits for
//! all of them. So a piece that returns early takes a [`Permit`] first, and its command gives it back when
//! the device has consumed it. Where there is none left, the caller waits.
//!
//! # Why this cannot deadlock
//! - A permit belongs to a command in the queue, or to a caller that is about to queue it and waits for
//!   nothing but devices meanwhile. No caller waits for one permit while it has another.
//! - A caller that waits for a permit holds no lock: it asks before a piece touches its containers.
//! - The device's thread takes no permit, and it needs no lock of a container. Commands that free arrays, or that
//!   follow a command which has a permit, need none; so dropping a container never waits.
//! - A device that hangs ends the wait as it ends any other (`watch`), with its error.

use super::{
    Driver,
    unit::DeviceUnit,
    watch::{Patience, Watch},
};
use skel_core::{
    Result,
    call::{Access, Call, Operand},
};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Commands of calls that have returned, at most, in front of one device. Enough that the device does not run
/// out of work while the caller wakes up (handing one over takes some 2 µs, waking some 50), and few enough that
/// what is read waits for little.
pub(super) const MOST_COMMANDS: usize = 64;

/// Bytes of arguments that these commands keep on the host, at most. A single command may have more, if it is
/// alone.
pub(super) const MOST_BYTES: u64 = 16 << 20;

/// A caller that waits goes on when only this part of the room is taken. Waking it for each command would
/// cost the device's thread a wake-up each.
const RESUME: u64 = 2;

/// What is taken of a device's queue.
#[derive(Debug, Default)]
pub(super) struct BackPressure {
    taken: Mutex<Occupancy>,
    freed: Condvar,
}

#[derive(Debug, Default)]
struct Occupancy {
    commands: usize,
    bytes: u64,
    waiting: usize,
}

impl Occupancy {
    /// Whether a command of so many bytes fits into this part (one half, one third, …) of the room.
    fn fits(&self, bytes: u64, part: u64) -> bool {
        let commands = (self.commands as u64) < MOST_COMMANDS as u64 / part;
        commands && (self.bytes == 0 || self.bytes.saturating_add(bytes) <= MOST_BYTES / part)
    }
}

/// The right of one command to be in the queue.
#[derive(Debug)]
pub(super) struct Permit {
    room: Arc<BackPressure>,
    bytes: u64,
}

impl BackPressure {
    fn taken(&self) -> MutexGuard<'_, Occupancy> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a command that keeps so many bytes has room.
    ///
    /// # Errors
    /// That of a device which is given up meanwhile.
    pub(super) fn admit(self: &Arc<Self>, watch: &Watch, bytes: u64) -> Result<Permit> {
        if watch.is_hung() {
            return Err(watch.lost());
        }
        let mut taken = self.taken();
        // Others may have waited for longer.
        let part = if taken.waiting == 0 { 1 } else { RESUME };
        if !taken.fits(bytes, part) {
            taken.waiting += 1;
            let (back, given_up) = self.wait(taken, watch, bytes);
            taken = back;
            taken.waiting -= 1;
            if given_up {
                drop(taken);
                return Err(watch.lost());
            }
        }
        taken.commands += 1;
        taken.bytes = taken.bytes.saturating_add(bytes);
        Ok(Permit {
            room: Arc::clone(self),
            bytes,
        })
    }

    /// Waits until there is room; says whether to give up instead.
    fn wait<'r>(
        &'r self,
        mut taken: MutexGuard<'r, Occupancy>,
        watch: &Watch,
        bytes: u64,
    ) -> (MutexGuard<'r, Occupancy>, bool) {
        loop {
            // Without the lock, which the device's thread needs as well: that a device is given up is said on standard
            // error, and that may take long.
            drop(taken);
            let patience = watch.patience();
            taken = self.taken();
            if taken.fits(bytes, RESUME) {
                return (taken, false);
            }
            taken = match patience {
                Patience::Over => return (taken, true),
                Patience::Unlimited => {
                    let waited = self.freed.wait(taken);
                    waited.unwrap_or_else(PoisonError::into_inner)
                }
                Patience::For(time) => {
                    let waited = self.freed.wait_timeout(taken, time);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
            if taken.fits(bytes, RESUME) {
                return (taken, false);
            }
        }
    }
}

impl<D: Driver> DeviceUnit<D> {
    /// Waits until there is room for a piece of the call in front of the device.
    ///
    /// # Errors
    /// That of a device which is given up meanwhile.
    pub(super) fn admit(&self, call: &Call<'_>) -> Result<Permit> {
        // What its command copies; it borrows all else, and then the caller waits for it.
        let copied = call.operands.iter().map(|operand| match operand {
            Operand::Input(input) => match &input.access {
                Access::Uniform => input.source.element_layout().size_bytes(),
                Access::Window(window) => window.pad.map_or(0, |pad| pad.len_bytes()),
                Access::Each | Access::Strided(_) | Access::Whole(_) | Access::Lines(_) => 0,
            },
            Operand::Output(_) => 0,
        });
        self.queue.admit(copied.sum::<usize>() as u64)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut taken = self.room.taken();
        taken.commands -= 1;
        taken.bytes = taken.bytes.saturating_sub(self.bytes);
        if taken.waiting > 0 && taken.fits(0, RESUME) {
            self.room.freed.notify_all();
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use std::sync::mpsc;

    fn room() -> (Arc<BackPressure>, Watch) {
        (Arc::default(), Watch::new("test"))
    }

    #[test]
    fn one_command_may_be_larger_than_all_may_be_together() {
        let (room, watch) = room();
        let large = room.admit(&watch, 3 * MOST_BYTES).unwrap();
        assert!(!room.taken().fits(1, 1), "nothing beside it");
        drop(large);
        let _half = room.admit(&watch, MOST_BYTES / 2).unwrap();
        assert!(room.taken().fits(MOST_BYTES / 2, 1));
        assert!(!room.taken().fits(MOST_BYTES / 2 + 1, 1));
    }

    #[test]
    fn what_waits_goes_on_when_half_of_it_is_free() {
        let (room, watch) = room();
        let permits = (0..MOST_COMMANDS).map(|_| room.admit(&watch, 0).unwrap());
        let mut permits: Vec<Permit> = permits.collect();
        let (admitted, told) = mpsc::channel();
        std::thread::scope(|s| {
            s.spawn(|| {
                let permit = room.admit(&watch, 0).unwrap();
                admitted.send(()).unwrap();
                drop(permit);
            });
            while room.taken().waiting == 0 {
                std::thread::yield_now();
            }
            permits.truncate(MOST_COMMANDS / 2);
            assert!(told.try_recv().is_err(), "not before");
            permits.pop();
            told.recv().unwrap();
        });
        drop(permits);
        assert_eq!(room.taken().commands, 0);
    }

    #[test]
    fn a_device_that_hangs_ends_the_wait() {
        let (room, watch) = room();
        let permits = (0..MOST_COMMANDS).map(|_| room.admit(&watch, 0).unwrap());
        let permits: Vec<Permit> = permits.collect();
        watch.set(std::time::Duration::from_millis(1).into());
        watch.begin(super::super::deadline::CommandKind::Other);
        let refused = room.admit(&watch, 0).map(|_| ());
        assert!(
            matches!(refused, Err(skel_core::Error::DeviceLost { .. })),
            "{refused:?}"
        );
        assert_eq!(room.taken().commands, MOST_COMMANDS);
        drop(permits);
        assert!(room.admit(&watch, 0).is_err(), "it is not used any more");
    }
}
