//! Taking time.

use std::time::{Duration, Instant};

/// What a sleep may be late by. The rest of the time is waited for awake.
const LATE: Duration = Duration::from_micros(80);

/// Returns when so much time has passed since `started`.
pub(super) fn until(started: Instant, time: Duration) {
    let left = |time: Duration| time.checked_sub(started.elapsed());
    if let Some(left) = left(time).and_then(|left| left.checked_sub(LATE)) {
        std::thread::sleep(left);
    }
    while left(time).is_some() {
        std::thread::yield_now();
    }
}
