//! Ctrl-C: once, the program is asked to stop and what was measured is kept; twice, all ends.

use std::sync::{
    OnceLock,
    atomic::{AtomicUsize, Ordering},
};

static TIMES: AtomicUsize = AtomicUsize::new(0);

/// From now on Ctrl-C is counted.
///
/// # Errors
/// The system's, in words.
pub(super) fn catch() -> Result<(), String> {
    static DONE: OnceLock<Result<(), String>> = OnceLock::new();
    DONE.get_or_init(|| {
        let count = || {
            TIMES.fetch_add(1, Ordering::SeqCst);
        };
        ctrlc::set_handler(count).map_err(|e| e.to_string())
    })
    .clone()
}

/// How often it was pressed.
pub(super) fn times() -> usize {
    TIMES.load(Ordering::SeqCst)
}
