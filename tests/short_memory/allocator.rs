//! An allocator that can be made to fail.
#![allow(unsafe_code, reason = "an allocator passes on what it is asked")]

use super::LARGE_BYTES;
use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicIsize, AtomicUsize, Ordering::SeqCst},
};

/// Which allocations fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// The one of this number.
    Once,
    /// It, and all behind it.
    FromThere,
}

/// The number of the first large allocation that fails; 0: none does.
static FIRST: AtomicUsize = AtomicUsize::new(0);
/// The number of the last one.
static LAST: AtomicUsize = AtomicUsize::new(0);
/// How many there were.
static MADE: AtomicUsize = AtomicUsize::new(0);
/// How many failed, and the size of the largest.
static FAILED: AtomicUsize = AtomicUsize::new(0);
static LARGEST: AtomicUsize = AtomicUsize::new(0);
/// Bytes of large allocations that live.
static LIVE: AtomicIsize = AtomicIsize::new(0);

struct Failing;

#[global_allocator]
static ALLOCATOR: Failing = Failing;

fn is_refused(size: usize) -> bool {
    if size < LARGE_BYTES || FIRST.load(SeqCst) == 0 {
        return false;
    }
    let number = MADE.fetch_add(1, SeqCst) + 1;
    let refused = FIRST.load(SeqCst) <= number && number <= LAST.load(SeqCst);
    if refused {
        FAILED.fetch_add(1, SeqCst);
        LARGEST.fetch_max(size, SeqCst);
    }
    refused
}

fn count(size: usize, sign: isize) {
    if size >= LARGE_BYTES {
        LIVE.fetch_add(sign * size as isize, SeqCst);
    }
}

// SAFETY: it gives what the system's allocator gives, or nothing. (`realloc` is made of these two.)
unsafe impl GlobalAlloc for Failing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_refused(layout.size()) {
            return std::ptr::null_mut();
        }
        count(layout.size(), 1);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        count(layout.size(), -1);
        // SAFETY: the caller's promise; the system's allocator gave it.
        unsafe { System.dealloc(ptr, layout) }
    }
}

/// Runs `body` while the `k`-th large allocation of it fails; whether one did.
pub(crate) fn failing<R>(mode: Mode, k: usize, body: impl FnOnce() -> R) -> (R, bool) {
    for counter in [&MADE, &FAILED, &LARGEST] {
        counter.store(0, SeqCst);
    }
    let last = if mode == Mode::Once { k } else { usize::MAX };
    LAST.store(last, SeqCst);
    FIRST.store(k, SeqCst);
    let result = body();
    FIRST.store(0, SeqCst);
    (result, FAILED.load(SeqCst) > 0)
}

/// Whether a body runs of which allocations may fail.
pub(crate) fn is_failing() -> bool {
    FIRST.load(SeqCst) > 0
}

/// The size of the largest that failed in the last run.
pub(crate) fn largest_failed() -> usize {
    LARGEST.load(SeqCst)
}

/// What lives of large allocations.
pub(crate) fn large_bytes() -> isize {
    LIVE.load(SeqCst)
}
