//! The memory that this process may take.

use std::{fs, path::Path};

/// The bytes that are left for this process by the machine, its control group and its own limit; nothing where the
/// system does not say.
pub(crate) fn available_bytes() -> Option<usize> {
    let all = [machine(), control_group(), address_space()];
    all.into_iter().flatten().min()
}

fn machine() -> Option<usize> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: usize = line.trim().trim_end_matches(" kB").parse().ok()?;
    Some(kibibytes * 1024)
}

fn control_group() -> Option<usize> {
    let number = |name: &str| {
        let path = Path::new("/sys/fs/cgroup").join(name);
        // `max` is no number, and no limit.
        fs::read_to_string(path).ok()?.trim().parse::<usize>().ok()
    };
    let most = number("memory.max")?;
    Some(most.saturating_sub(number("memory.current")?))
}

/// What `ulimit -v` has set.
fn address_space() -> Option<usize> {
    let text = fs::read_to_string("/proc/self/limits").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}
