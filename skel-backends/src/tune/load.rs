//! The load of the machine by other processes.

use std::{fs, thread, time::Duration};

/// Samples, of which the quietest counts: a moment's work of another process is no load.
const LOOKS: u32 = 5;

/// Whether other threads keep so many cores busy that measurements are of them as well. Unknown, and so
/// false, where the system does not tell.
pub(super) fn is_busy() -> bool {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let looks = (0..LOOKS).map(|_| {
        thread::sleep(Duration::from_millis(2));
        fs::read_to_string("/proc/loadavg").map_or(0, |text| runnable(&text).unwrap_or(0))
    });
    // One of them looks.
    let others = looks.min().unwrap_or(0).saturating_sub(1);
    2 * others > cores
}

/// The number of threads that would run now.
fn runnable(loadavg: &str) -> Option<usize> {
    let counts = loadavg.split_whitespace().nth(3)?;
    counts.split_once('/')?.0.parse().ok()
}

#[cfg(test)]
mod test {
    use super::runnable;

    #[test]
    fn the_system_s_file_is_understood() {
        assert_eq!(runnable("3.33 3.84 5.09 5/118 31969\n"), Some(5));
        assert_eq!(runnable(""), None);
        assert_eq!(runnable("a b c d"), None);
    }
}
