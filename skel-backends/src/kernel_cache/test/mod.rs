//! What a cache does; how the tests of its faults begin.

mod damage;
mod eviction;
#[cfg(unix)]
mod forged;
mod sharing;

use super::*;
use std::{
    cell::Cell,
    convert::Infallible,
    fs, process,
    sync::atomic::{AtomicUsize, Ordering},
};

/// A folder that goes with the test.
struct Temporary(PathBuf);

impl Temporary {
    fn new() -> Temporary {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("skel-kernel-cache-{}-{count}", process::id());
        let path = std::env::temp_dir().join(name);
        skel_model::disk::folder::make(&path).unwrap();
        Temporary(path)
    }

    fn cache(&self) -> KernelCache {
        KernelCache::at(&self.0, 1 << 20)
    }

    /// The file of a key's entry; there is a secret then.
    fn path(&self, key: &KernelKey<'_>) -> PathBuf {
        let folder = Folder::open(&self.0).unwrap();
        let secret = secret::known_or_made(&folder).unwrap();
        self.0.join(Sealer::new(&secret).file_name(key))
    }

    /// What there is besides the secret.
    fn files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut files: Vec<PathBuf> = entries.map(|e| e.unwrap().path()).collect();
        files.retain(|path| !path.ends_with(secret::NAME));
        files.sort();
        files
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let removed = fs::remove_dir_all(&self.0);
        // A second panic would hide the first.
        assert!(removed.is_ok() || std::thread::panicking(), "{removed:?}");
    }
}

fn key<'a>(source: &'a str) -> KernelKey<'a> {
    KernelKey {
        compiler: "NVRTC 13.5",
        driver: "driver 580.1",
        architecture: "compute_75",
        options: &[],
        source,
    }
}

/// What comes back, and whether it was compiled for it.
fn get_or_compile(cache: &KernelCache, key: &KernelKey<'_>, image: &[u8]) -> (Vec<u8>, bool) {
    let compiled = Cell::new(false);
    let got = cache.get_or_compile(key, || {
        compiled.set(true);
        Ok::<_, Infallible>(image.to_vec())
    });
    let Ok(got) = got;
    (got, compiled.get())
}

#[test]
fn a_kernel_is_compiled_once() {
    let folder = Temporary::new();
    let image = b"machine code".as_slice();
    assert_eq!(
        get_or_compile(&folder.cache(), &key("a"), image),
        (image.into(), true)
    );
    assert_eq!(
        get_or_compile(&folder.cache(), &key("a"), b"?"),
        (image.into(), false)
    );
}

#[test]
fn what_does_not_compile_is_not_kept() {
    let folder = Temporary::new();
    let failed = folder.cache().get_or_compile(&key("a"), || Err("wrong"));
    assert_eq!(failed, Err("wrong"));
    assert!(folder.files().is_empty());
}

#[test]
fn every_part_of_the_key_counts() {
    let folder = Temporary::new();
    let (one, two) = (["-a".to_owned()], ["-a".to_owned(), "-b".to_owned()]);
    let joined = ["-a-b".to_owned()];
    let first = KernelKey {
        options: &one,
        ..key("x")
    };
    let keys = [
        first,
        KernelKey {
            compiler: "NVRTC 12.9",
            ..first
        },
        KernelKey {
            driver: "driver 580.2",
            ..first
        },
        KernelKey {
            architecture: "compute_90",
            ..first
        },
        KernelKey {
            options: &two,
            ..first
        },
        KernelKey {
            options: &joined,
            ..first
        },
        KernelKey {
            source: "x-a",
            options: &[],
            ..first
        },
    ];
    for (k, key) in keys.iter().enumerate() {
        let image = [k as u8];
        assert_eq!(
            get_or_compile(&folder.cache(), key, &image),
            (image.into(), true),
            "{key:?}"
        );
    }
    for (k, key) in keys.iter().enumerate() {
        assert_eq!(folder.cache().get(key), Some(vec![k as u8]), "{key:?}");
    }
}

#[test]
fn switched_off_it_keeps_nothing() {
    let off = KernelCache::off();
    assert_eq!(get_or_compile(&off, &key("a"), b"1"), (b"1".into(), true));
    assert_eq!(get_or_compile(&off, &key("a"), b"2"), (b"2".into(), true));
}

#[test]
fn the_folder_is_the_users_alone() {
    let folder = Temporary::new();
    let cache = KernelCache::at(folder.0.join("new/kernels"), 1 << 20);
    cache.put(&key("a"), b"1");
    assert!(cache.get(&key("a")).is_some());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(folder.0.join("new/kernels"))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o700);
    }
}
