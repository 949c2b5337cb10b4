//! How fast one thread of the host computes a kernel.

use std::{
    cell::Cell,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    time::Duration,
};

/// Size classes: calls of up to 2¹⁴ and 2¹⁸ elements, whose data lies in caches, and more.
const CLASSES: usize = 3;

/// One in so many calls of a thread that are expected to be too short for the clock is measured all the same. A prime, since
/// programs repeat.
const DUE: u32 = 17;

/// The time that an element takes one thread of the host, as the last calls had it. It decides how work is shared, and
/// never a result.
#[derive(Debug, Default)]
pub struct Pace([AtomicU32; CLASSES]);

impl Pace {
    /// Nanoseconds for an element of a call of so many; nothing before one was measured.
    #[inline]
    #[must_use]
    pub fn ns(&self, call_elems: usize) -> Option<f32> {
        let ns = f32::from_bits(self.of(call_elems).load(Relaxed));
        (ns > 0.0).then_some(ns)
    }

    /// So many elements of a call of `call_elems` took one thread so long.
    pub fn note(&self, call_elems: usize, elems: usize, took: Duration) {
        let class = self.of(call_elems);
        let took_ns = took.as_secs_f32() * 1e9 / elems.max(1) as f32;
        let known_ns = f32::from_bits(class.load(Relaxed));
        let next_ns = if known_ns <= 0.0 {
            took_ns
        } else if took_ns < known_ns {
            known_ns - (known_ns - took_ns) / 4.0
        } else {
            // The thread may have been interrupted; or calls take turns, and the long ones are to be shared.
            f32::midpoint(known_ns, took_ns.min(4.0 * known_ns))
        };
        class.store(next_ns.max(f32::MIN_POSITIVE).to_bits(), Relaxed);
    }

    /// Counts this thread's calls that are not measured; whether this one is to be nevertheless: it may be a longer one.
    #[inline]
    #[must_use]
    pub fn is_due() -> bool {
        thread_local! {
            static CALLS: Cell<u32> = const { Cell::new(0) };
        }
        let calls = CALLS.get() + 1;
        CALLS.set(calls % DUE);
        calls == DUE
    }

    fn of(&self, call_elems: usize) -> &AtomicU32 {
        &self.0[match call_elems {
            0..=0x4000 => 0,
            0x4001..=0x4_0000 => 1,
            _ => 2,
        }]
    }
}

impl Clone for Pace {
    fn clone(&self) -> Pace {
        Pace(std::array::from_fn(|k| self.0[k].load(Relaxed).into()))
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn it_follows_what_is_measured_and_forgets_interruptions() {
        let (pace, small, large) = (Pace::default(), 1 << 10, 1 << 20);
        assert_eq!(pace.ns(small), None);
        let note = |ns: u64| pace.note(small, 100, Duration::from_nanos(100 * ns));
        note(40);
        assert_eq!(pace.ns(small), Some(40.0));
        assert_eq!((pace.ns(large), pace.clone().ns(small)), (None, Some(40.0)));
        (0..20).for_each(|_| note(10));
        assert!((pace.ns(small).unwrap() - 10.0).abs() < 0.1);
        note(1_000_000);
        assert!(pace.ns(small).unwrap() < 26.0);
        (0..40).for_each(|_| note(20));
        assert!((pace.ns(small).unwrap() - 20.0).abs() < 1.0);
        note(0);
        assert!(pace.ns(small).is_some());
        let due = (0..10 * DUE).filter(|_| Pace::is_due());
        assert_eq!(due.count(), 10);
    }

    /// Calls that take turns are expected to be long ones.
    #[test]
    fn short_calls_do_not_hide_long_ones() {
        let (pace, few) = (Pace::default(), 1 << 14);
        for ns in [1, 500].repeat(30) {
            pace.note(few, 100, Duration::from_nanos(100 * ns));
        }
        assert!(pace.ns(few).unwrap() > 100.0);
        pace.note(few, 100, Duration::from_nanos(100));
        assert!(pace.ns(few).unwrap() > 100.0);
    }
}
