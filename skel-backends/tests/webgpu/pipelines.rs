//! Pipelines on disk: what one process has kept, the next one finds. Each process is this program again, with a cache
//! folder of its own.

use crate::{
    Test, fold,
    harness::{Device, found},
};
use skel_backends::webgpu::{Options, PipelinesOnDisk};
use skel_core::ir::{BinaryOp, Ty};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Needs a device whose driver has pipeline caches.
pub(crate) const TESTS: &[Test] = &[
    ("child", child),
    (
        "the_second_start_finds_what_the_first_has_kept",
        the_second_start_finds_what_the_first_has_kept,
    ),
    (
        "what_is_damaged_or_of_something_else_is_not_taken_and_replaced",
        what_is_damaged_or_of_something_else_is_not_taken_and_replaced,
    ),
    (
        "what_another_secret_has_sealed_is_not_taken",
        what_another_secret_has_sealed_is_not_taken,
    ),
    (
        "switched_off_nothing_is_written",
        switched_off_nothing_is_written,
    ),
    (
        "a_folder_that_cannot_be_used_fails_no_call",
        a_folder_that_cannot_be_used_fails_no_call,
    ),
    (
        "processes_at_once_lose_nothing",
        processes_at_once_lose_nothing,
    ),
    (
        "a_driver_that_adds_nothing_has_no_files",
        a_driver_that_adds_nothing_has_no_files,
    ),
];

/// Set in a process that calls and says what it found: whether all is kept.
const CHILD: &str = "SKEL_TEST_PIPELINES";

/// Why there is none, if so.
pub(crate) fn lacking() -> Option<&'static str> {
    let Some(found) = found() else {
        return Some("no device that wgpu reaches (Debian: mesa-vulkan-drivers)");
    };
    let has = found
        .info
        .limits
        .contains(&("pipeline cache", "yes".into()));
    (!has).then_some("the driver has no pipeline caches")
}

fn child() {
    let Some(all) = std::env::var_os(CHILD) else {
        return;
    };
    // Its arithmetic is known from now on: what is asked twice would be found.
    drop(Device::open());
    let mut device = Device::with(Options {
        keeps_all_pipelines: all == "all",
        ..Options::default()
    });
    let x: Vec<i32> = (0..1000).collect();
    let array = device.array(&x);
    let kernel = fold::reduce(&Ty::I32, BinaryOp::Add, true);
    let sum: i32 = device.fold(&kernel, &[&array], 0..1000, 1000).unwrap();
    let PipelinesOnDisk { found, written } = device.0.pipelines_on_disk();
    println!("\nsum {sum} found {found} written {written}");
}

/// A cache folder that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("skel-pipelines-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// The entries, with what tells one file from another that took its place.
    fn entries(&self) -> BTreeMap<PathBuf, (Vec<u8>, u64)> {
        let Ok(entries) = fs::read_dir(self.0.join("kernels")) else {
            return BTreeMap::new();
        };
        let paths = entries.map(|entry| entry.unwrap().path());
        let entries = paths.filter(|path| path.extension().is_some_and(|end| end == "kernel"));
        let with_content = entries.map(|path| {
            let about = (fs::read(&path).unwrap(), inode(&path));
            (path, about)
        });
        with_content.collect()
    }
}

#[cfg(unix)]
fn inode(path: &Path) -> u64 {
    std::os::unix::fs::MetadataExt::ino(&fs::metadata(path).unwrap())
}

#[cfg(not(unix))]
fn inode(_: &Path) -> u64 {
    0
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

fn command(folder: &Path, cache: &str, all: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "pipelines::child", "--nocapture"])
        .env(CHILD, all)
        .env("SKEL_CACHE", cache)
        .env("SKEL_CACHE_DIR", folder);
    command
}

/// What a process that has ended says it has found and written; its call went well.
fn said(output: &std::process::Output) -> PipelinesOnDisk {
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    let line = out
        .lines()
        .find_map(|line| line.strip_prefix("sum 499500 "));
    let line = line.unwrap_or_else(|| panic!("{output:?}"));
    let words: Vec<&str> = line.split(' ').collect();
    let ["found", found, "written", written] = words[..] else {
        panic!("{line}");
    };
    PipelinesOnDisk {
        found: found.parse().unwrap(),
        written: written.parse().unwrap(),
    }
}

/// Starts a process that calls.
fn start(folder: &Path) -> PipelinesOnDisk {
    said(&command(folder, "on", "all").output().unwrap())
}

fn the_second_start_finds_what_the_first_has_kept() {
    let folder = Folder::new("second");
    let first = start(&folder.0);
    assert_eq!(first.found, 0);
    assert!(first.written > 0);
    let entries = folder.entries();
    assert!(
        entries.len() as u64 > first.written,
        "arithmetic has one, too"
    );
    // Now the arithmetic is known, and only the fold is compiled.
    let second = start(&folder.0);
    assert!(second.found > 0);
    assert_eq!(second.written, 0);
    assert_eq!(folder.entries(), entries, "nothing was written again");
    assert_eq!(start(&folder.0), second);
}

fn what_is_damaged_or_of_something_else_is_not_taken_and_replaced() {
    let folder = Folder::new("damage");
    start(&folder.0);
    let whole = folder.entries();
    type Damage = dyn Fn(&[u8]) -> Vec<u8>;
    let damages: [(&str, &Damage); 5] = [
        ("cut off", &|bytes| bytes[..bytes.len() - 1].to_vec()),
        ("empty", &|_| Vec::new()),
        ("a bit", &|bytes| {
            let mut bytes = bytes.to_vec();
            *bytes.last_mut().unwrap() ^= 1;
            bytes
        }),
        ("longer", &|bytes| [bytes, &[0]].concat()),
        ("too large", &|bytes| [bytes, &vec![0; 64 << 20]].concat()),
    ];
    for (what, damage) in damages {
        for (path, (bytes, _)) in &whole {
            fs::write(path, damage(bytes)).unwrap();
        }
        let again = start(&folder.0);
        assert_eq!(again.found, 0, "{what}");
        assert!(again.written > 0, "{what}");
        let replaced = folder.entries();
        assert!(replaced.keys().eq(whole.keys()), "{what}");
        assert!(start(&folder.0).found > 0, "{what}");
    }
    // Each has the content of its neighbour: whole, and of something else.
    let mut contents: Vec<&Vec<u8>> = whole.values().map(|(bytes, _)| bytes).collect();
    contents.rotate_left(1);
    for (path, bytes) in whole.keys().zip(contents) {
        fs::write(path, bytes).unwrap();
    }
    assert_eq!(start(&folder.0).found, 0);
}

fn what_another_secret_has_sealed_is_not_taken() {
    let (folder, theirs) = (Folder::new("ours"), Folder::new("theirs"));
    let _ours = (start(&folder.0), start(&theirs.0));
    let (ours, forged) = (folder.entries(), theirs.entries());
    assert!(ours.keys().all(|path| !forged.contains_key(path)));
    // Under the names that they have there, and under ours.
    for ((ours, _), (path, (bytes, _))) in ours.iter().zip(&forged) {
        fs::write(ours, bytes).unwrap();
        let name = path.file_name().unwrap();
        fs::write(folder.0.join("kernels").join(name), bytes).unwrap();
    }
    assert_eq!(start(&folder.0).found, 0);
}

fn switched_off_nothing_is_written() {
    let folder = Folder::new("off");
    for _ in 0..2 {
        let kept = said(&command(&folder.0, "off", "all").output().unwrap());
        assert_eq!(kept, PipelinesOnDisk::default());
    }
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 0);
}

fn a_folder_that_cannot_be_used_fails_no_call() {
    let folder = Folder::new("unusable");
    let file = folder.0.join("file");
    fs::write(&file, "").unwrap();
    for at in [
        &file,
        Path::new("/proc/no/such/folder"),
        Path::new("/dev/full"),
    ] {
        let output = command(at, "on", "all").output().unwrap();
        assert_eq!(said(&output).found, 0);
        let err = String::from_utf8_lossy(&output.stderr);
        let lines = err.lines().filter(|line| line.contains("are not kept"));
        assert_eq!(lines.count(), 1, "{err}");
    }
}

fn processes_at_once_lose_nothing() {
    let folder = Folder::new("at-once");
    let children = [(); 4].map(|()| {
        let mut command = command(&folder.0, "on", "all");
        command.stdout(std::process::Stdio::piped());
        command.spawn().unwrap()
    });
    for child in children {
        said(&child.wait_with_output().unwrap());
    }
    let last = start(&folder.0);
    assert!(last.found > 0);
    assert_eq!(last.written, 0);
}

/// As Mesa's software device. Where the driver adds something, that is found.
fn a_driver_that_adds_nothing_has_no_files() {
    let folder = Folder::new("nothing");
    let start = || said(&command(&folder.0, "on", "").output().unwrap());
    let (first, second) = (start(), start());
    assert_eq!((first.found, second.written), (0, 0));
    assert_eq!(second.found > 0, first.written > 0);
    if first.written == 0 {
        // What was found out about its arithmetic.
        assert_eq!(folder.entries().len(), 1);
    }
}
