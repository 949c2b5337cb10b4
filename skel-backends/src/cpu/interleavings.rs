//! A crew's gate, and the carries of a scan, in every order in which threads may run: `cargo xtask loom`.

use super::{carries::Carries, gate::Gate};
use loom::{
    cell::UnsafeCell,
    model::Builder,
    sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed},
    thread,
};
use std::{convert::Infallible, sync::Arc};

/// What a caller lends. loom reports a use of it by a helper that does not surely come before the caller's own.
struct Lent {
    gate: Gate,
    value: UnsafeCell<()>,
    /// What helpers have written without any order of its own.
    seen: [AtomicU32; 2],
}

#[test]
fn what_is_lent_is_used_before_the_gate_is_closed_and_never_after() {
    loom::model(|| {
        let lent = Arc::new(Lent {
            gate: Gate::new(),
            value: UnsafeCell::new(()),
            seen: [AtomicU32::new(0), AtomicU32::new(0)],
        });
        let helpers = [0, 1].map(|k| {
            let lent = Arc::clone(&lent);
            thread::spawn(move || {
                let inside = lent.gate.enter();
                if inside.is_some() {
                    lent.value.with(|_| lent.seen[k].store(7, Relaxed));
                }
                inside.is_some()
            })
        });
        lent.gate.close();
        // It is the caller's again: what is lent ends here.
        lent.value.with_mut(|_| ());
        let seen = [0, 1].map(|k| lent.seen[k].load(Relaxed));
        for (helper, seen) in helpers.into_iter().zip(seen) {
            // What those have done that came is there, and no other has done anything.
            assert_eq!(seen, if helper.join().unwrap() { 7 } else { 0 });
        }
    });
}

/// A scan of three pieces, of which piece `k` is `1 << k`.
struct Scan {
    carries: Carries<u32, ()>,
    next: AtomicUsize,
    /// What preceded each piece when it was written; 0 until then.
    written: [AtomicU32; 3],
}

impl Scan {
    fn write(&self, number: usize, carry: u32) {
        let before = self.written[number].swap(carry, Relaxed);
        assert_eq!(before, 0, "{number} is written once");
    }

    /// As a thread of a scan does it; it may write a piece at once where its carry is known.
    fn work(&self, writes_at_once: bool) {
        let join = |carry, total| Ok::<_, Infallible>(carry + total);
        loop {
            let number = self.next.fetch_add(1, Relaxed);
            let Some(total) = [1, 2, 4].get(number).copied() else {
                return;
            };
            let carry = writes_at_once.then(|| self.carries.of(number)).flatten();
            if let Some(carry) = carry {
                self.write(number, carry);
                let Ok(()) = self.carries.advance(number, carry + total, join);
            } else {
                if let Some((carry, total, ())) = self.carries.leave(number, total, ()) {
                    let Ok(()) = self.carries.advance(number, carry + total, join);
                    self.write(number, carry);
                }
            }
            while let Some(released) = self.carries.take_released() {
                self.write(released.number, released.carry);
            }
        }
    }
}

#[test]
fn each_piece_of_a_scan_is_written_once_with_what_precedes_it() {
    for at_once in [[true, false], [false, false]] {
        let mut model = Builder::new();
        // With more interruptions it would take a minute.
        model.preemption_bound = Some(3);
        model.check(move || {
            let scan = Arc::new(Scan {
                carries: Carries::new(100),
                next: AtomicUsize::new(0),
                written: std::array::from_fn(|_| AtomicU32::new(0)),
            });
            let threads = at_once.map(|at_once| {
                let scan = Arc::clone(&scan);
                thread::spawn(move || scan.work(at_once))
            });
            for thread in threads {
                thread.join().unwrap();
            }
            let Some(scan) = Arc::into_inner(scan) else {
                unreachable!("the threads have ended");
            };
            let written = scan.written.each_ref().map(|carry| carry.load(Relaxed));
            assert_eq!(written, [100, 101, 103]);
            assert_eq!(scan.carries.into_last(), 107);
        });
    }
}
