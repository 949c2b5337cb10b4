use super::*;
use crate::{
    Watchdog,
    device::lent::{Readable, Writable},
};
use skel_core::frame::{View, ViewMut, ViewOut};
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
fn commands_run_in_order_and_may_be_lent_memory() {
    let queue = queue(Vec::new());
    let words = [[1_u32], [2]];
    let mut lengths = [0_u32, 0];
    scope(|s| {
        for (word, length) in words.iter().zip(lengths.chunks_mut(1)) {
            let lender = s.lender(&queue);
            let word = lender.lend(View::of(word));
            let length = lender.lend(ViewMut::of(length));
            lender.post(move |seen: &mut Vec<String>| {
                let push = |word: View<'_>| {
                    seen.push(word.slice::<u32>(0..1)[0].to_string());
                    Ok(())
                };
                word.read(push).unwrap();
                let set = |mut length: ViewOut<'_>| {
                    length.slice::<u32>(0..1).put(0, seen.len() as u32);
                    Ok(())
                };
                length.into_out().fill(set).unwrap();
            });
        }
    });
    assert_eq!(lengths, [1, 2]);
    assert_eq!(queue.ask(|seen| Ok(seen.concat())).unwrap(), "12");
}

#[test]
fn a_driver_that_panics_leaves_no_caller_waiting() {
    let queue = queue(());
    let asked = queue.ask(|()| -> Result<()> { panic!("expected by the test") });
    assert!(matches!(asked, Err(Error::DeviceLost { .. })), "{asked:?}");
    let asked = queue.ask(|()| Ok(()));
    assert!(matches!(asked, Err(Error::DeviceLost { .. })), "{asked:?}");
}

#[test]
fn the_end_of_a_driver_that_has_panicked_is_not_waited_for() {
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

/// What a command does with memory that it was lent; whether it could.
fn set(lent: Lent<ViewMut<'static>>, to: u32) -> bool {
    let set = |mut out: ViewOut<'_>| {
        out.slice::<u32>(0..1).put(0, to);
        Ok(())
    };
    lent.into_out().fill(set).is_ok()
}

#[test]
fn a_device_that_hangs_loses_what_it_was_lent() {
    let queue = queue(Vec::new());
    queue.watch.set(Duration::from_millis(20).into());
    let (release, released) = mpsc::channel::<()>();
    let mut memory = vec![1_u32, 2];
    let (first, second) = memory.split_at_mut(1);
    scope(|s| {
        let lender = s.lender(&queue);
        let first = lender.lend(ViewMut::of(first));
        lender.post(move |seen: &mut Vec<bool>| {
            released.recv().unwrap();
            seen.push(set(first, 3));
        });
        let lender = s.lender(&queue);
        let second = lender.lend(ViewMut::of(second));
        lender.post(move |seen| seen.push(set(second, 4)));
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
fn a_scope_waits_for_what_it_lent_wherever_that_went() {
    let queue = queue(());
    let mut memory = [0_u32];
    scope(|s| {
        let lender = s.lender(&queue);
        let lent = lender.lend(ViewMut::of(&mut memory));
        // The command ends long before.
        lender.post(move |(): &mut ()| {
            thread::spawn(move || {
                thread::sleep(Duration::from_millis(50));
                assert!(set(lent, 7));
            });
        });
    });
    assert_eq!(memory, [7]);
}

#[test]
fn giving_up_waits_for_a_copy() {
    let queue = queue(());
    queue.watch.set(Duration::from_millis(20).into());
    let (begun, beginning) = mpsc::channel::<()>();
    let mut memory = [0_u32; 1000];
    scope(|s| {
        let lender = s.lender(&queue);
        let lent = lender.lend(ViewMut::of(&mut memory));
        lender.post(move |(): &mut ()| {
            let copy = |mut out: ViewOut<'_>| {
                begun.send(()).unwrap();
                for k in 0..1000 {
                    std::thread::sleep(Duration::from_micros(50));
                    out.slice::<u32>(k..k + 1).put(0, 7);
                }
            };
            lent.into_out().put(copy).unwrap();
        });
        beginning.recv().unwrap();
    });
    // All of it, though the limit was over long before.
    assert_eq!(memory, [7; 1000]);
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
