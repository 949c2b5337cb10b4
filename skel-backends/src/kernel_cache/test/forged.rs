//! Folders and entries that another user has made.

use super::*;
use std::os::unix::fs::{PermissionsExt, symlink};

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// The cache does without a folder: nothing is read from it, and nothing is written to it.
fn is_not_used(folder: &Path, why: &str) {
    let cache = KernelCache::at(folder, 1 << 20);
    let names = || fs::read_dir(folder).map_or(0, Iterator::count);
    let before = names();
    assert_eq!(get_or_compile(&cache, &key("a"), b"1"), (b"1".into(), true));
    assert_eq!(get_or_compile(&cache, &key("a"), b"2"), (b"2".into(), true));
    assert_eq!(names(), before);
    let Err(error) = Folder::open(folder) else {
        panic!("it can be opened");
    };
    assert!(error.to_string().contains(why), "{error}");
}

#[test]
fn a_folder_that_others_may_use_is_not_used() {
    let folder = Temporary::new();
    folder.cache().put(&key("a"), b"0");
    assert_eq!(folder.cache().get(&key("a")), Some(b"0".into()));
    for mode in [0o755, 0o750, 0o770, 0o777, 0o1777, 0o701, 0o720] {
        set_mode(&folder.0, mode);
        is_not_used(&folder.0, "others may use it");
    }
    set_mode(&folder.0, 0o700);
    assert_eq!(folder.cache().get(&key("a")), Some(b"0".into()));
}

#[test]
fn a_folder_of_another_user_is_not_used() {
    let folder = Temporary::new();
    if rustix::process::geteuid().is_root() {
        let other = rustix::fs::Uid::from_raw(12_345);
        rustix::fs::chown(&folder.0, Some(other), None).unwrap();
        is_not_used(&folder.0, "another user");
    } else {
        is_not_used(Path::new("/"), "another user");
    }
}

#[test]
fn a_link_to_a_folder_is_not_used() {
    let folder = Temporary::new();
    let elsewhere = Temporary::new();
    elsewhere.cache().put(&key("a"), b"0");
    let link = folder.0.join("link");
    symlink(&elsewhere.0, &link).unwrap();
    is_not_used(&link, "");
}

/// A process that may write to the folder, but has not read the secret, can make no entry that is taken.
#[test]
fn an_entry_that_was_written_with_another_secret_is_not_taken() {
    let (folder, theirs) = (Temporary::new(), Temporary::new());
    let source = key("a");
    folder.cache().put(&source, b"ours");
    theirs.cache().put(&source, b"forged");
    assert_ne!(
        folder.path(&source).file_name(),
        theirs.path(&source).file_name(),
        "names are keyed"
    );
    fs::copy(theirs.path(&source), folder.path(&source)).unwrap();
    assert_eq!(folder.cache().get(&source), None);
    assert_eq!(
        get_or_compile(&folder.cache(), &source, b"ours"),
        (b"ours".into(), true)
    );
    assert_eq!(folder.cache().get(&source), Some(b"ours".into()));
}

#[test]
fn the_secret_is_the_users_alone() {
    let folder = Temporary::new();
    folder.cache().put(&key("a"), b"1");
    let path = folder.0.join(secret::NAME);
    let about = fs::metadata(&path).unwrap();
    assert_eq!(
        (about.permissions().mode() & 0o777, about.len()),
        (0o600, 32)
    );
    let first = fs::read(&path).unwrap();
    folder.cache().put(&key("b"), b"1");
    assert_eq!(fs::read(&path).unwrap(), first, "it stays");
    let other = Temporary::new();
    other.cache().put(&key("a"), b"1");
    assert_ne!(fs::read(other.0.join(secret::NAME)).unwrap(), first);
}

/// What others may have read or written is drawn anew, and what was written with it is not taken any more.
#[test]
fn a_secret_that_is_none_is_replaced() {
    type Spoil = fn(&Path);
    let spoils: [(&str, Spoil); 4] = [
        ("open to others", |path| set_mode(path, 0o644)),
        ("cut off", |path| fs::write(path, "short").unwrap()),
        ("too long", |path| fs::write(path, [0; 33]).unwrap()),
        ("a link", |path| {
            let beside = path.with_file_name("known-to-others");
            fs::write(&beside, [7; 32]).unwrap();
            set_mode(&beside, 0o600);
            fs::remove_file(path).unwrap();
            symlink(beside, path).unwrap();
        }),
    ];
    for (what, spoil) in spoils {
        let folder = Temporary::new();
        let cache = folder.cache();
        cache.put(&key("a"), b"1");
        let path = folder.0.join(secret::NAME);
        let before = fs::read(&path).unwrap();
        spoil(&path);
        assert_eq!(cache.get(&key("a")), None, "{what}");
        assert_eq!(get_or_compile(&cache, &key("a"), b"2"), (b"2".into(), true));
        assert_eq!(cache.get(&key("a")), Some(b"2".into()), "{what}");
        let about = fs::symlink_metadata(&path).unwrap();
        assert!(
            about.is_file() && about.permissions().mode() & 0o777 == 0o600,
            "{what}"
        );
        assert_ne!(fs::read(&path).unwrap(), before, "{what}");
    }
}

#[test]
fn an_entry_that_is_too_large_is_not_read() {
    let folder = Temporary::new();
    folder.cache().put(&key("a"), &[1; 5000]);
    assert!(folder.cache().get(&key("a")).is_some());
    assert_eq!(KernelCache::at(&folder.0, 5000).get(&key("a")), None);
}

/// Set in the process below, which uses a folder that is open to others.
const FOLDER: &str = "SKEL_TEST_OPEN_FOLDER";

#[test]
fn that_a_folder_is_not_used_is_said_once() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        let cache = KernelCache::at(folder, 1 << 20);
        for source in ["a", "b", "c"] {
            assert!(get_or_compile(&cache, &key(source), b"1").1);
        }
        return;
    }
    let folder = Temporary::new();
    set_mode(&folder.0, 0o755);
    let said = process::Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "kernel_cache::test::forged::that_a_folder_is_not_used_is_said_once",
        ])
        .env(FOLDER, &folder.0)
        .output()
        .unwrap();
    assert!(said.status.success(), "{said:?}");
    let said = String::from_utf8(said.stderr).unwrap();
    let lines: Vec<&str> = said.lines().filter(|line| line.contains("skel:")).collect();
    assert_eq!(lines.len(), 1, "{said}");
    for part in ["compiled kernels are not kept", "mode 755", "chmod go="] {
        assert!(lines[0].contains(part), "{said}");
    }
}
