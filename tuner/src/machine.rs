//! Where a number was measured.

use std::{fmt, fs, thread};

/// A machine, as far as it matters to a benchmark.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The processor's name; the architecture where the system does not tell.
    pub cpu: String,
    /// Threads that run at the same time.
    pub threads: usize,
    /// Main memory, where known.
    pub memory_bytes: Option<u64>,
}

impl Machine {
    /// This one.
    #[must_use]
    pub fn this() -> Self {
        let cpu_info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let memory_info = fs::read_to_string("/proc/meminfo").unwrap_or_default();
        Machine {
            cpu: field(&cpu_info, "model name")
                .unwrap_or(std::env::consts::ARCH)
                .to_string(),
            threads: thread::available_parallelism().map_or(1, usize::from),
            memory_bytes: memory_bytes(&memory_info),
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} threads", self.cpu, self.threads)?;
        match self.memory_bytes {
            Some(bytes) => write!(f, ", {:.0} GiB", bytes as f64 / f64::from(1 << 30)),
            None => Ok(()),
        }
    }
}

/// The value of the first line `name : value`.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut pairs = text.lines().filter_map(|line| line.split_once(':'));
    pairs
        .find(|(key, _)| key.trim() == name)
        .map(|(_, value)| value.trim())
}

fn memory_bytes(text: &str) -> Option<u64> {
    let kib = field(text, "MemTotal")?
        .strip_suffix("kB")?
        .trim()
        .parse::<u64>()
        .ok()?;
    kib.checked_mul(1024)
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn the_system_s_files_are_understood() {
        let cpu =
            "processor\t: 0\nmodel name\t: Chip 9 @ 2.1\nprocessor\t: 1\nmodel name\t: other\n";
        assert_eq!(field(cpu, "model name"), Some("Chip 9 @ 2.1"));
        assert_eq!(
            memory_bytes("MemTotal:       16777216 kB\nMemFree: 1 kB\n"),
            Some(16 << 30)
        );
        assert_eq!(memory_bytes(""), None);
    }

    #[test]
    fn it_prints_on_one_line() {
        let machine = Machine {
            cpu: "Chip".into(),
            threads: 4,
            memory_bytes: Some(24 << 30),
        };
        assert_eq!(machine.to_string(), "Chip, 4 threads, 24 GiB");
    }
}
