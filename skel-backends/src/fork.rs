//! Processes that are forked.
//!
//! A child has the memory of its parent, and one thread: that which forked. The threads of devices and of rayon's
//! pool are not there, what they had locked stays locked, and drivers do not support it. So whatever belongs to
//! such a thread notes the process that it was made in, and in a child it is neither waited for nor touched:
//! devices are lost there, and the calling thread does the CPU's work by itself.
//!
//! The child is told by a handler of `pthread_atfork`, which counts: looking costs one load. A process that is
//! made past the C library (a bare `clone`) is not noticed.
#![allow(
    unsafe_code,
    reason = "a handler of fork; drops what is dropped nowhere else"
)]

#[cfg(unix)]
use std::ffi::c_int;
use std::{
    mem::ManuallyDrop,
    ops::Deref,
    sync::{
        Once,
        atomic::{AtomicU32, Ordering},
    },
};

/// Why devices are lost in a child.
pub(crate) const REASON: &str = "this process was forked after the device had been opened";

/// How often this process, its parent and so on were forked, since the handler was installed.
static FORKS: AtomicU32 = AtomicU32::new(0);

/// The process that something was made in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OwnerProcess(u32);

impl OwnerProcess {
    /// This process. From now on, forks are noticed.
    pub(crate) fn here() -> OwnerProcess {
        static LISTENS: Once = Once::new();
        LISTENS.call_once(listen);
        OwnerProcess(FORKS.load(Ordering::Relaxed))
    }

    /// Whether this process is a child of that one, made by a fork.
    #[inline]
    pub(crate) fn is_ancestor(self) -> bool {
        FORKS.load(Ordering::Relaxed) != self.0
    }
}

#[cfg(unix)]
fn listen() {
    type Handler = Option<extern "C" fn()>;
    unsafe extern "C" {
        // As POSIX declares it.
        fn pthread_atfork(prepare: Handler, parent: Handler, child: Handler) -> c_int;
    }
    extern "C" fn in_child() {
        FORKS.fetch_add(1, Ordering::Relaxed);
    }
    // SAFETY: the handler is there as long as the program, and may be called after a fork: it does nothing but to
    // count. If there is no memory for it, forks are not noticed.
    let _unnoticed = unsafe { pthread_atfork(None, None, Some(in_child)) };
}

#[cfg(not(unix))]
fn listen() {}

/// Something that other threads have a hand in: dropped where it was made, and left alone in a child, where
/// those may have been in the middle of it.
pub(crate) struct ProcessLocal<T> {
    value: ManuallyDrop<T>,
    owner: OwnerProcess,
}

impl<T> ProcessLocal<T> {
    pub(crate) fn new(value: T) -> Self {
        ProcessLocal {
            value: ManuallyDrop::new(value),
            owner: OwnerProcess::here(),
        }
    }
}

impl<T: Clone> Clone for ProcessLocal<T> {
    fn clone(&self) -> Self {
        ProcessLocal {
            value: self.value.clone(),
            owner: self.owner,
        }
    }
}

impl<T> Deref for ProcessLocal<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> Drop for ProcessLocal<T> {
    fn drop(&mut self) {
        if !self.owner.is_ancestor() {
            // SAFETY: it is dropped once, here, and not used afterwards.
            unsafe { ManuallyDrop::drop(&mut self.value) }
        }
    }
}
