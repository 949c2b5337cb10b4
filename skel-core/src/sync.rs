//! What threads share: std's, or loom's, which tries all orders in which threads may run.

#[cfg(loom)]
pub(crate) use loom::sync::{Mutex, MutexGuard, atomic::AtomicBool};
#[cfg(not(loom))]
pub(crate) use std::sync::{Mutex, MutexGuard, atomic::AtomicBool};
