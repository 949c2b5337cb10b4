//! What the threads of a graph, or of a crew, share: std's, or loom's, which tries all orders in which threads may run.

#[cfg(loom)]
pub(crate) use loom::{
    sync::{
        Condvar, Mutex, MutexGuard,
        atomic::{AtomicUsize, Ordering},
    },
    thread::yield_now,
};
#[cfg(not(loom))]
pub(crate) use std::{
    sync::{
        Condvar, Mutex, MutexGuard,
        atomic::{AtomicUsize, Ordering},
    },
    thread::yield_now,
};
