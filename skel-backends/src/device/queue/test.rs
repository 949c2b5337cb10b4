use super::*;
use crate::{Watchdog, device::lease};
use std::{
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    time::Duration,
};

fn queue<S: Waits + Send + 'static>(state: S) -> Queue<S> {
    Queue::start("test", &Arc::new(Watch::new("test")), state).unwrap()
}

/// States that never wait for a device.
macro_rules! never_waits {
    ($($state:ty),*) => {
        $(impl Waits for $state {
            fn waits(&self) -> Option<Waiting> {
                None
            }

            fn look(&mut self) {}

            fn was_busy(&mut self, _: Duration) {}

            fn end(&mut self) {}
        })*
    };
}
never_waits!((), Vec<String>, Vec<bool>);
#[test]
fn commands_run_in_order_and_may_borrow() {
    let queue = queue(Vec::new());
    let words = [String::from("a"), String::from("b")];
    let mut lengths = [0, 0];
    scope(|s| {
        for (word, length) in words.iter().zip(&mut lengths) {
            let work = move |seen: &mut Vec<String>| {
                seen.push(word.clone());
                *length = seen.len();
            };
            // SAFETY: there is no watchdog, so leases are not revoked.
            unsafe { s.post(&queue, work) };
        }
    });
    assert_eq!(lengths, [1, 2]);
    assert_eq!(queue.ask(|seen| Ok(seen.concat())).unwrap(), "ab");
}

#[test]
fn a_driver_that_panics_leaves_nobody_waiting() {
    let queue = queue(());
    let asked = queue.ask(|()| -> Result<()> { panic!("expected by the test") });
    assert!(matches!(asked, Err(Error::DeviceLost { .. })), "{asked:?}");
    let asked = queue.ask(|()| Ok(()));
    assert!(matches!(asked, Err(Error::DeviceLost { .. })), "{asked:?}");
}

#[test]
fn nobody_waits_for_the_end_of_a_driver_that_has_panicked() {
    /// Its end takes until the test says so.
    struct Driver(mpsc::Receiver<()>);
    never_waits!(Driver);
    impl Drop for Driver {
        fn drop(&mut self) {
            let _released = self.0.recv();
        }
    }
    let (release, released) = mpsc::channel();
    let queue = queue(Driver(released));
    let asked = queue.ask(|_| -> Result<()> { panic!("expected by the test") });
    assert!(matches!(asked, Err(Error::DeviceLost { .. })), "{asked:?}");
    let (told, tells) = mpsc::channel();
    std::thread::spawn(move || told.send(queue.ask(|_| Ok(())).is_err()));
    assert_eq!(tells.recv_timeout(Duration::from_secs(60)), Ok(true));
    drop(release);
}

/// What a command does with memory that it was lent: as `Watched`, by pointer and under the lease.
struct Lent(*mut u32);

// SAFETY: it is used under the lease only.
unsafe impl Send for Lent {}

impl Lent {
    fn set(self, to: u32) -> bool {
        let lease = lease::current().unwrap();
        // SAFETY: not revoked, so the memory is still ours.
        lease.touch(|| unsafe { self.0.write(to) }).is_some()
    }
}

#[test]
fn a_device_that_hangs_loses_what_it_was_lent() {
    let queue = queue(Vec::new());
    queue.watch.set(Duration::from_millis(20).into());
    let (release, released) = mpsc::channel::<()>();
    let mut memory = vec![1_u32, 2];
    let base = memory.as_mut_ptr();
    scope(|s| {
        let first = Lent(base);
        let hangs = move |seen: &mut Vec<bool>| {
            released.recv().unwrap();
            seen.push(first.set(3));
        };
        // SAFETY: it uses what it was lent as `Watched` does.
        unsafe { s.post(&queue, hangs) };
        let second = Lent(base.wrapping_add(1));
        // SAFETY: it uses what it was lent only under its lease.
        unsafe { s.post(&queue, move |seen| seen.push(second.set(4))) };
    });
    // The scope is over although the command is not: the memory may go.
    assert_eq!(memory, [1, 2]);
    drop(memory);
    assert!(matches!(
        queue.ask(|_| Ok(())),
        Err(Error::DeviceLost { .. })
    ));
    release.send(()).unwrap();
    // The thread is alive again; what is left in its queue is dropped, without a report.
    let Queue { commands, .. } = queue;
    let (answer, answered) = mpsc::channel();
    let work = Box::new(move |seen: &mut Vec<bool>| answer.send(seen.clone()).unwrap());
    assert!(
        commands
            .send(Command {
                work,
                held: None,
                kind: CommandKind::Other
            })
            .is_ok()
    );
    assert_eq!(answered.recv().unwrap(), [false]);
}

#[test]
fn giving_up_waits_for_a_copy() {
    let queue = queue(());
    queue.watch.set(Duration::from_millis(20).into());
    let (begun, beginning) = mpsc::channel::<()>();
    let mut memory = [0_u32; 1000];
    let base = Lent(memory.as_mut_ptr());
    scope(|s| {
        let work = move |(): &mut ()| {
            let base = base;
            let lease = lease::current().unwrap();
            lease.touch(|| {
                begun.send(()).unwrap();
                for k in 0..1000 {
                    std::thread::sleep(Duration::from_micros(50));
                    // SAFETY: under the lease.
                    unsafe { base.0.wrapping_add(k).write(7) };
                }
            });
        };
        // SAFETY: it uses what it was lent as `Watched` does.
        unsafe { s.post(&queue, work) };
        beginning.recv().unwrap();
    });
    // All of it, though the limit was over long before.
    assert_eq!(memory, [7; 1000]);
}

#[test]
fn a_panic_while_waiting_leaves_no_lease_unsettled() {
    let watch = Arc::new(Watch::new("test"));
    let leases = [0, 1, 2].map(|_| Lease::new(&watch));
    let settled = std::sync::atomic::AtomicUsize::new(0);
    let settle = |lease: &Lease| {
        if settled.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 0 {
            panic!("expected by the test");
        }
        lease.revoke();
    };
    let all = || settle_all(leases.iter().map(|lease| &**lease), settle);
    let panicked = catch(all).unwrap_err();
    assert_eq!(panicked.message(), "expected by the test");
    for lease in &leases {
        assert!(lease.touch(|| ()).is_none(), "it can still be used");
    }
}

/// Waits for a device that hangs.
struct Stuck(Instant);

impl Waits for Stuck {
    fn waits(&self) -> Option<Waiting> {
        Some(Waiting {
            kind: CommandKind::Other,
            since: self.0,
            closely: false,
        })
    }

    fn look(&mut self) {}

    fn was_busy(&mut self, took: Duration) {
        self.0 += took;
    }

    fn end(&mut self) {}
}

#[test]
fn a_device_that_hangs_is_noticed_while_others_give_it_commands() {
    let watch = Arc::new(Watch::new("test"));
    watch.set(Watchdog::After(Duration::from_millis(50)));
    let queue = Queue::start("test", &watch, Stuck(Instant::now())).unwrap();
    let (_never, answered) = mpsc::channel::<Result<()>>();
    let noticed = AtomicBool::new(false);
    let gave_up = thread::scope(|scope| {
        let busy = scope.spawn(|| {
            // A minute is for ever.
            let all = (0..12_000).find(|_| {
                queue.post(|_| {});
                thread::sleep(Duration::from_millis(5));
                noticed.load(Ordering::Relaxed)
            });
            all.is_none()
        });
        assert!(queue.answer(&answered).is_err());
        noticed.store(true, Ordering::Relaxed);
        busy.join().unwrap()
    });
    assert!(!gave_up, "only when it had no more commands");
}
