//! The end of the process, while threads give devices back.
//!
//! Dropping a context does not wait, so that a program may end in that moment. Its libraries are taken down then, and a
//! driver that is in the middle of something is left without its memory: NVIDIA's for Vulkan (580.159) crashes. So the
//! end waits for the threads that are at it, for a while.
#![allow(unsafe_code, reason = "a handler of the end of the process")]

use crate::fork::OwnerProcess;
use std::{
    ffi::c_int,
    sync::{Condvar, Mutex, OnceLock, PoisonError},
    time::Duration,
};

/// For so long the end of the process waits, at most: a device may hang, or have much to do.
const MOST: Duration = Duration::from_secs(5);

/// How many threads give a device back.
static COUNT: Mutex<usize> = Mutex::new(0);
static LESS: Condvar = Condvar::new();

/// A device is given back as long as it lives.
#[derive(Debug)]
pub(crate) struct GivingBack(());

impl GivingBack {
    pub(crate) fn begin() -> GivingBack {
        // What is registered later runs earlier: the drivers' libraries are loaded by now.
        PROCESS.get_or_init(|| {
            listen();
            OwnerProcess::here()
        });
        *COUNT.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        GivingBack(())
    }
}

impl Drop for GivingBack {
    fn drop(&mut self) {
        *COUNT.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        LESS.notify_all();
    }
}

/// In which threads give devices back: in its children there are none.
static PROCESS: OnceLock<OwnerProcess> = OnceLock::new();

fn listen() {
    unsafe extern "C" {
        // As the C standard declares it.
        fn atexit(handler: extern "C" fn()) -> c_int;
    }
    extern "C" fn at_exit() {
        if PROCESS.get().is_some_and(|process| !process.is_ancestor()) {
            wait(MOST);
        }
    }
    // SAFETY: the handler is there as long as the program, and does not unwind. If there is no room for it, nothing waits.
    let _no_room = unsafe { atexit(at_exit) };
}

/// Waits until all devices are given back; whether they are.
fn wait(most: Duration) -> bool {
    let count = COUNT.lock().unwrap_or_else(PoisonError::into_inner);
    let waited = LESS.wait_timeout_while(count, most, |count| *count > 0);
    let (count, _) = waited.unwrap_or_else(PoisonError::into_inner);
    *count == 0
}

#[cfg(test)]
mod test {
    use super::*;
    use std::{
        sync::atomic::{AtomicBool, Ordering},
        thread,
    };

    #[test]
    fn the_end_waits_for_devices_that_are_given_back_but_not_forever() {
        let given = GivingBack::begin();
        assert!(!wait(Duration::from_millis(1)));
        let is_back = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(20));
                is_back.store(true, Ordering::Release);
                drop(given);
            });
            // Other tests give devices back, too.
            assert!(wait(Duration::from_secs(60)));
            assert!(is_back.load(Ordering::Acquire));
        });
    }
}
