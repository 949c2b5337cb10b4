//! A crew's gate in every order in which its threads may run: `cargo xtask loom`.

use super::gate::Gate;
use loom::{
    cell::UnsafeCell,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    thread,
};
use std::sync::Arc;

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
