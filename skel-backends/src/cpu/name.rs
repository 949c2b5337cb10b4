//! The processor's name.

use std::sync::OnceLock;

/// As the system tells it, or what it was compiled for.
pub(super) fn processor() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| from_linux().unwrap_or_else(|| format!("{} CPU", std::env::consts::ARCH)))
}

fn from_linux() -> Option<String> {
    let info = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    let (_, name) = line.split_once(':')?;
    Some(name.trim().to_owned())
}
