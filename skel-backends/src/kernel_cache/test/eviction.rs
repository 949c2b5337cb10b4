//! What is removed, and what is not.

use super::*;
use std::{
    fs::File,
    time::{Duration, SystemTime},
};

/// Makes an entry look as if it was last used so long ago.
fn age(folder: &Temporary, source: &str, ago_s: u64) {
    let path = folder.path(&key(source));
    let then = SystemTime::now() - Duration::from_secs(ago_s);
    File::options()
        .append(true)
        .open(path)
        .unwrap()
        .set_modified(then)
        .unwrap();
}

#[test]
fn the_least_recently_used_goes_first() {
    let folder = Temporary::new();
    let cache = KernelCache::at(&folder.0, 10_000);
    let image = vec![7; 2800];
    for (source, ago_s) in [("a", 400), ("b", 300), ("c", 200)] {
        cache.put(&key(source), &image);
        age(&folder, source, ago_s);
    }
    // Reading counts as use.
    assert!(cache.get(&key("a")).is_some());
    cache.put(&key("d"), &image);
    let there = ["a", "b", "c", "d"].map(|source| cache.get(&key(source)).is_some());
    assert_eq!(there, [true, false, true, true]);
}

#[test]
fn it_does_not_grow_beyond_its_bound() {
    let folder = Temporary::new();
    let cache = KernelCache::at(&folder.0, 20_000);
    for k in 0..100 {
        cache.put(&key(&format!("source {k}")), &vec![1; 37 * (k % 23)]);
        let bytes: u64 = folder
            .files()
            .iter()
            .map(|f| f.metadata().unwrap().len())
            .sum();
        assert!(bytes <= 20_000, "{bytes} bytes after {k}");
    }
    assert!(folder.files().len() > 10);
    // What is larger than all that is not kept, and costs no other entry its place.
    let before = folder.files();
    cache.put(&key("huge"), &vec![1; 20_000]);
    assert_eq!(folder.files(), before);
}

#[test]
fn what_is_not_ours_is_left_alone() {
    let folder = Temporary::new();
    let others = [
        "notes.txt",
        "unfinished-business",
        "abc.kernel",
        "unfinished-7-1-1",
    ];
    for name in others {
        fs::write(folder.0.join(name), vec![0; 9000]).unwrap();
    }
    let abandoned = folder.0.join("unfinished-7-0-1");
    fs::write(&abandoned, "").unwrap();
    let then = SystemTime::now() - Duration::from_secs(7200);
    File::options()
        .append(true)
        .open(&abandoned)
        .unwrap()
        .set_modified(then)
        .unwrap();
    let cache = KernelCache::at(&folder.0, 5000);
    for k in 0..10 {
        cache.put(&key(&format!("source {k}")), &[0; 1000]);
    }
    for name in others {
        assert!(folder.0.join(name).exists(), "{name}");
    }
    // But what a dead process left unfinished goes.
    assert!(!abandoned.exists());
}
