//! What the environment changes; each in a process of its own, which is this program again.

use crate::Test;
use std::{
    path::Path,
    process::{Command, Output},
};

/// Needs a device.
pub(crate) const DUMP: &[Test] = &[(
    "skel_dump_writes_ir_and_sources",
    skel_dump_writes_ir_and_sources,
)];

/// Needs a device that has subgroups.
pub(crate) const SUBGROUPS: &[Test] =
    &[("skel_wgpu_subgroups_is_heard", skel_wgpu_subgroups_is_heard)];

/// Needs none.
pub(crate) const NO_DRIVER: &[Test] = &[
    #[cfg(target_os = "linux")]
    (
        "without_a_driver_there_is_no_device_and_no_panic",
        without_a_driver_there_is_no_device_and_no_panic,
    ),
];

fn again(filter: &str, environment: &[(&str, &Path)]) -> Output {
    let this = std::env::current_exe().expect("this program has a path");
    Command::new(this)
        .args(["--exact", filter])
        .envs(environment.iter().copied())
        .output()
        .expect("this program starts")
}

fn skel_wgpu_subgroups_is_heard() {
    for (value, passes) in [("on", true), ("off", false)] {
        let folder = std::env::temp_dir().join(format!("skel-{value}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let environment = [
            ("SKEL_DUMP", folder.as_path()),
            ("SKEL_WGPU_SUBGROUPS", Path::new(value)),
        ];
        let output = again("subgroups::a_sum", &environment);
        let files = std::fs::read_dir(&folder).unwrap();
        let sources = files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
        let sources: String = sources.collect();
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(output.status.success(), "{output:?}");
        assert!(sources.contains("workgroupBarrier"), "{sources}");
        assert_eq!(sources.contains("subgroupShuffle"), passes, "{sources}");
    }
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
    assert!(find("same-", "-2.wgsl").contains("gathered"));

    // A folder that cannot be written to is an error that names it.
    let output = again(
        "elementwise::indices_are_absolute",
        &[("SKEL_DUMP", Path::new("/no/such/folder"))],
    );
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("/no/such/folder"));
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
