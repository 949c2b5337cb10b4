//! `cargo xtask asan`, `cargo xtask tsan`: the tests of the code that is `unsafe` or waits for other threads,
//! compiled by nightly Rust with a sanitizer inside.

use crate::cmd::{self, Result};
use std::{path::PathBuf, process::Command};

/// What a sanitizer is called, and what it needs.
pub(crate) struct Sanitizer {
    /// As `-Zsanitizer` has it.
    name: &'static str,
    /// The middle of its runtime library's name.
    runtime: &'static str,
    /// Whether std must have it inside as well, and so is built anew: else what std does to keep threads
    /// apart is not seen, and all that it protects looks like a race.
    with_std: bool,
    /// What is tested.
    tests: &'static [&'static [&'static str]],
}

/// Memory that is used after it was freed, or beyond its end.
pub(crate) const ADDRESS: Sanitizer = Sanitizer {
    name: "address",
    runtime: "rt.asan",
    with_std: false,
    tests: &[&["-p", "skel-core", "--lib"], DEVICES, WHOLE_CALLS],
};

/// Memory that two threads use without an order between them.
pub(crate) const THREAD: Sanitizer = Sanitizer {
    name: "thread",
    runtime: "rt.tsan",
    with_std: true,
    tests: &[
        &["-p", "skel-core", "--lib", "container"],
        DEVICES,
        WHOLE_CALLS,
    ],
};

/// The CPU's crew, the queues of devices, and mock devices. Without the back ends: drivers are not compiled
/// with the sanitizer.
const DEVICES: &[&str] = &[
    "-p",
    "skel-backends",
    "--lib",
    "--no-default-features",
    "--",
    "cpu::",
    "device::",
    "mock::",
];

/// Whole calls of every kind, over mock devices and as tasks.
const WHOLE_CALLS: &[&str] = &["-p", "skel-calls"];

/// Runs the tests, or says why not.
pub(crate) fn run(sanitizer: &Sanitizer) -> Result {
    let name = sanitizer.name;
    let (host, sysroot) = match toolchain() {
        Ok(found) => found,
        Err(reason) => {
            println!("skipped: {name} sanitizer: {reason}");
            return Ok(());
        }
    };
    if let Some(missing) = sanitizer.missing(&host, &sysroot) {
        println!("skipped: {name} sanitizer: {missing}");
        return Ok(());
    }
    for tests in sanitizer.tests {
        let mut command = nightly("cargo");
        command.arg("test");
        if sanitizer.with_std {
            command.arg("-Zbuild-std");
        }
        // With a target, build scripts and macros are built without the sanitizer.
        command
            .args(["--target", &host])
            .args(*tests)
            .current_dir(cmd::root())
            .env("RUSTFLAGS", format!("-Zsanitizer={name}"))
            .env("CARGO_TARGET_DIR", cmd::target().join(name))
            // Tests of the builder leak the texts that it is given, which live as long as the program elsewhere.
            .env(
                "LSAN_OPTIONS",
                format!(
                    "suppressions={}",
                    cmd::root().join("xtask/src/leaks.txt").display()
                ),
            )
            .env("PROPTEST_CASES", "16");
        cmd::run(&mut command)?;
    }
    Ok(())
}

impl Sanitizer {
    /// What this toolchain lacks, with what would help.
    fn missing(&self, host: &str, sysroot: &std::path::Path) -> Option<String> {
        let libraries = sysroot.join("lib/rustlib").join(host).join("lib");
        let has = |entry: std::io::Result<std::fs::DirEntry>| {
            entry.is_ok_and(|e| e.file_name().to_string_lossy().contains(self.runtime))
        };
        let found = std::fs::read_dir(&libraries).is_ok_and(|mut all| all.any(has));
        if !found {
            return Some(format!("nightly Rust has none for {host}"));
        }
        let source = sysroot.join("lib/rustlib/src/rust/library");
        (self.with_std && !source.is_dir()).then(|| {
            "the source of std is not there; `rustup component add rust-src --toolchain nightly` would do"
                .into()
        })
    }
}

/// The host that nightly Rust compiles for, and where it is.
fn toolchain() -> std::result::Result<(String, PathBuf), String> {
    let ask = |args: &[&str]| {
        let out = cmd::output(nightly("rustc").args(args)).map_err(|e| e.to_string())?;
        match out.status.success() {
            true => Ok(String::from_utf8_lossy(&out.stdout).into_owned()),
            false => Err("no nightly Rust; `rustup toolchain install nightly` would do".to_owned()),
        }
    };
    let version = ask(&["-vV"])?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.ok_or("nightly Rust does not name its host")?;
    let sysroot = ask(&["--print", "sysroot"])?;
    Ok((host.to_owned(), PathBuf::from(sysroot.trim())))
}

/// A program of the nightly toolchain: not the one that runs us, but rustup's.
fn nightly(program: &str) -> Command {
    let mut command = Command::new(program);
    command
        .arg("+nightly")
        .env_remove("RUSTUP_TOOLCHAIN")
        .env_remove("CARGO");
    command
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn a_toolchain_without_the_runtime_says_so() {
        let nowhere = std::path::Path::new("/no/such/folder");
        let said = ADDRESS.missing("some-host", nowhere);
        assert_eq!(said.as_deref(), Some("nightly Rust has none for some-host"));
    }
}
