//! Limits of time on machines that are busy with other things.

use std::time::Duration;

/// Time enough for whatever is to be in time.
const ENOUGH: Duration = Duration::from_secs(30);

/// For tests in which something has to be in time before something else, which never comes, takes too long. A test waits
/// for its limit, so it has to be short; and a machine may be too busy for a short one. So the attempt is given longer
/// ones until it comes to what it is about: it says `None` where the machine was too slow before.
#[track_caller]
pub(crate) fn with_longer_and_longer<R>(
    shortest: Duration,
    mut attempt: impl FnMut(Duration) -> Option<R>,
) -> R {
    let mut limit = shortest;
    loop {
        if let Some(found) = attempt(limit) {
            return found;
        }
        assert!(limit < ENOUGH, "{limit:?} are too short as well");
        limit *= 4;
    }
}
