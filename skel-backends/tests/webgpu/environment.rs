//! What the environment changes; each in a process of its own, which is this program again.

use crate::Test;
use std::{
    path::Path,
    process::{Command, Output},
};

/// Needs a device.
pub(crate) const DUMP: &[Test] = &[
    (
        "skel_dump_writes_ir_and_sources",
        skel_dump_writes_ir_and_sources,
    ),
    (
        "a_folder_that_cannot_be_written_to_is_said_once_and_fails_no_call",
        a_folder_that_cannot_be_written_to_is_said_once_and_fails_no_call,
    ),
    #[cfg(unix)]
    (
        "skel_dump_replaces_links_and_does_not_follow_them",
        skel_dump_replaces_links_and_does_not_follow_them,
    ),
];

/// Needs none.
pub(crate) const NO_DRIVER: &[Test] = &[
    #[cfg(target_os = "linux")]
    (
        "without_a_driver_there_is_no_device_and_no_panic",
        without_a_driver_there_is_no_device_and_no_panic,
    ),
];

/// One test.
fn again(test: &str, environment: &[(&str, &Path)]) -> Output {
    with(&["--exact", test], environment)
}

fn with(arguments: &[&str], environment: &[(&str, &Path)]) -> Output {
    let this = std::env::current_exe().expect("this program has a path");
    Command::new(this)
        .args(arguments)
        .envs(environment.iter().copied())
        .output()
        .expect("this program starts")
}

fn skel_dump_writes_ir_and_sources() {
    let folder = std::env::temp_dir().join(format!("skel-dump-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for test in [
        "elementwise::indices_are_absolute",
        "fold::bools_are_folded",
    ] {
        let output = again(test, &[("SKEL_DUMP", &folder)]);
        assert!(output.status.success(), "{output:?}");
    }
    let mut written = Vec::new();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        written.push((name, text));
    }
    std::fs::remove_dir_all(&folder).unwrap();
    let find = |start: &str, end: &str| {
        let found = written
            .iter()
            .find(|(name, _)| name.starts_with(start) && name.ends_with(end));
        &found
            .unwrap_or_else(|| panic!("{start}…{end} is not among {written:?}"))
            .1
    };
    assert!(find("place-", ".wgsl").contains("fn main("));
    assert!(find("place-", ".ir").contains("place"));
    assert!(find("same-", "-1.wgsl").contains("workgroupBarrier"));
    assert!(find("same-", "-2.wgsl").contains("first_leaf"));
}

fn a_folder_that_cannot_be_written_to_is_said_once_and_fails_no_call() {
    for folder in ["/no/such/folder", "/dev/null", "/proc"] {
        // Of several kernels.
        let output = with(&["elementwise::i"], &[("SKEL_DUMP", Path::new(folder))]);
        assert!(output.status.success(), "{output:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        let lines: Vec<&str> = said
            .lines()
            .filter(|l| l.contains("skel: SKEL_DUMP"))
            .collect();
        assert_eq!(lines.len(), 1, "{said}");
        assert!(lines[0].contains(folder), "{said}");
    }
}

/// Names are known beforehand, so in a folder that others may write to there may be another user's links.
#[cfg(unix)]
fn skel_dump_replaces_links_and_does_not_follow_them() {
    let folder = std::env::temp_dir().join(format!("skel-dump-links-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let test = "elementwise::indices_are_absolute";
    let written = || -> Vec<_> {
        let entries = std::fs::read_dir(&folder).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    };
    assert!(again(test, &[("SKEL_DUMP", &folder)]).status.success());
    let (files, precious) = (written(), folder.with_extension("precious"));
    std::fs::write(&precious, "precious").unwrap();
    assert!(files.len() >= 2, "{files:?}");
    for file in &files {
        std::fs::remove_file(file).unwrap();
        std::os::unix::fs::symlink(&precious, file).unwrap();
    }
    let output = again(test, &[("SKEL_DUMP", &folder)]);
    let kept = std::fs::read(&precious).unwrap();
    let links = files.iter().filter(|file| file.is_symlink()).count();
    std::fs::remove_dir_all(&folder).unwrap();
    std::fs::remove_file(&precious).unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(kept, b"precious");
    assert_eq!(links, 0);
}

#[cfg(target_os = "linux")]
fn without_a_driver_there_is_no_device_and_no_panic() {
    let nothing = Path::new("/no/such/driver.json");
    let output = again(
        "elementwise::indices_are_absolute",
        &[("VK_DRIVER_FILES", nothing), ("VK_ICD_FILENAMES", nothing)],
    );
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && told.contains("1 ignored"),
        "{output:?}"
    );
}
