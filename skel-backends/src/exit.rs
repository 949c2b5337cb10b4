//! The end of the process, while threads give devices back.
//!
//! Dropping a context does not wait, so that a program may end in that moment. Its libraries are taken down then, and a
//! driver that is in the middle of something is left without its memory: NVIDIA's for Vulkan (580.159) crashes. So the
//! end waits for the threads that are at it, for a while.
#![allow(unsafe_code, reason = "a handler of the end of the process")]

use crate::fork::OwnerProcess;
use std::{
    ffi::c_int,
    sync::{
        Condvar, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

/// For so long the end of the process waits, at most: a device may hang, or have much to do.
const MOST: Duration = Duration::from_secs(5);

/// The C standard promises room for as many. The libraries of drivers are loaded for the first devices.
const MOST_HANDLERS: u32 = 32;

/// How many threads give a device back, and of which process they are: its children do not have them.
struct Threads {
    count: usize,
    process: Option<OwnerProcess>,
}

static THREADS: Mutex<Threads> = Mutex::new(Threads {
    count: 0,
    process: None,
});
static LESS: Condvar = Condvar::new();

/// The process that opened the first device.
static LISTENER: OnceLock<OwnerProcess> = OnceLock::new();

fn threads() -> MutexGuard<'static, Threads> {
    THREADS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A device is given back as long as it lives.
#[derive(Debug)]
pub(crate) struct GivingBack(OwnerProcess);

impl GivingBack {
    /// In the process that the device's thread belongs to.
    pub(crate) fn begin() -> GivingBack {
        let here = OwnerProcess::here();
        let mut threads = threads();
        if threads.process != Some(here) {
            *threads = Threads {
                count: 0,
                process: Some(here),
            };
        }
        threads.count += 1;
        GivingBack(here)
    }
}

impl Drop for GivingBack {
    fn drop(&mut self) {
        if self.0.is_ancestor() {
            return;
        }
        threads().count -= 1;
        LESS.notify_all();
    }
}

/// From now on the end of the process waits, also before libraries are taken down that were loaded by now: what is
/// registered later runs earlier. So this is called for each device that was opened; but no handler is added for ever.
pub(crate) fn listen() {
    static TIMES: AtomicU32 = AtomicU32::new(0);
    // Miri knows no `atexit`, and has no drivers to wait for.
    if cfg!(miri) || TIMES.load(Ordering::Relaxed) >= MOST_HANDLERS {
        return;
    }
    TIMES.fetch_add(1, Ordering::Relaxed);
    unsafe extern "C" {
        // As the C standard declares it.
        fn atexit(handler: extern "C" fn()) -> c_int;
    }
    extern "C" fn at_exit() {
        // Where a parent has opened devices, a thread of it may have held the lock when the child was made.
        if LISTENER.get().is_some_and(|process| !process.is_ancestor()) {
            wait(MOST);
        }
    }
    LISTENER.get_or_init(OwnerProcess::here);
    // SAFETY: the handler is there as long as the program, and does not unwind. If there is no room for it, nothing waits.
    let _no_room = unsafe { atexit(at_exit) };
}

/// Waits until all devices are given back; whether they are.
fn wait(most: Duration) -> bool {
    let are_left = |threads: &mut Threads| {
        let are_here = threads
            .process
            .is_some_and(|process| !process.is_ancestor());
        are_here && threads.count > 0
    };
    let waited = LESS.wait_timeout_while(threads(), most, are_left);
    let (mut threads, _) = waited.unwrap_or_else(PoisonError::into_inner);
    !are_left(&mut threads)
}

#[cfg(test)]
mod test {
    use super::*;
    use std::{
        env,
        io::{Write, stderr},
        process::Command,
        sync::atomic::AtomicBool,
        thread,
    };

    /// Set in the process whose end is looked at.
    const ENDS: &str = "SKEL_TEST_ENDS_WHILE_A_DEVICE_IS_GIVEN_BACK";

    #[test]
    fn a_process_ends_after_its_devices_are_given_back() {
        if env::var_os(ENDS).is_some() {
            listen();
            let given = GivingBack::begin();
            thread::spawn(move || {
                thread::sleep(Duration::from_millis(300));
                writeln!(stderr(), "given back").expect("stderr is open");
                drop(given);
            });
            return;
        }
        let child = Command::new(env::current_exe().expect("it has a name"))
            .args([
                "--exact",
                "exit::test::a_process_ends_after_its_devices_are_given_back",
            ])
            .env(ENDS, "1")
            .output()
            .expect("a test starts itself");
        let said = String::from_utf8_lossy(&child.stderr);
        assert!(
            child.status.success() && said.contains("given back"),
            "{child:?}"
        );
    }

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
