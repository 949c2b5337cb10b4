//! What a cache must survive.

use super::*;
use proptest::prelude::*;
use std::{
    cell::Cell,
    convert::Infallible,
    fs::{self, File},
    process,
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, SystemTime},
};

/// A folder that goes with the test.
struct Temporary(PathBuf);

impl Temporary {
    fn new() -> Temporary {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("skel-kernel-cache-{}-{count}", process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Temporary(path)
    }

    fn cache(&self) -> KernelCache {
        KernelCache::at(&self.0, 1 << 20)
    }

    fn files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut files: Vec<PathBuf> = entries.map(|e| e.unwrap().path()).collect();
        files.sort();
        files
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

fn key<'a>(source: &'a str) -> Key<'a> {
    Key {
        compiler: "NVRTC 13.5",
        architecture: "compute_75",
        options: &[],
        source,
    }
}

/// What comes back, and whether it was compiled for it.
fn get_or_compile(cache: &KernelCache, key: &Key<'_>, image: &[u8]) -> (Vec<u8>, bool) {
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
    let first = Key {
        options: &one,
        ..key("x")
    };
    let keys = [
        first,
        Key {
            compiler: "NVRTC 12.9",
            ..first
        },
        Key {
            architecture: "compute_90",
            ..first
        },
        Key {
            options: &two,
            ..first
        },
        Key {
            options: &joined,
            ..first
        },
        Key {
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
fn an_entry_of_another_key_is_not_taken() {
    let folder = Temporary::new();
    let cache = folder.cache();
    cache.put(&key("a"), b"a");
    // As if both had the same hash.
    fs::rename(
        &folder.files()[0],
        folder.0.join(entry::file_name(&key("b"))),
    )
    .unwrap();
    assert_eq!(get_or_compile(&cache, &key("b"), b"b"), (b"b".into(), true));
}

#[test]
fn an_entry_of_another_version_is_not_taken() {
    let folder = Temporary::new();
    let cache = folder.cache();
    cache.put(&key("a"), b"old");
    let file = &folder.files()[0];
    let mut bytes = fs::read(file).unwrap();
    // What a later version would write, with a check sum that fits.
    let body = bytes.len() - 16;
    bytes[7] += 1;
    let sum = fnv(&bytes[..body]);
    bytes[body..].copy_from_slice(&sum.to_le_bytes());
    fs::write(file, &bytes).unwrap();
    assert_eq!(
        get_or_compile(&cache, &key("a"), b"new"),
        (b"new".into(), true)
    );
    assert_eq!(
        get_or_compile(&cache, &key("a"), b"?"),
        (b"new".into(), false)
    );
}

/// FNV-1a once more, by its definition.
fn fnv(bytes: &[u8]) -> u128 {
    let prime = (1_u128 << 88) + (1 << 8) + 0x3b;
    let basis = 144_066_263_297_769_815_596_495_629_667_062_367_629;
    bytes
        .iter()
        .fold(basis, |h: u128, b| (h ^ u128::from(*b)).wrapping_mul(prime))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Any text and any bytes come back as they were.
    #[test]
    fn anything_can_be_kept(
        texts in proptest::collection::vec(".{0,40}", 3..6),
        image in proptest::collection::vec(any::<u8>(), 0..300),
    ) {
        let folder = Temporary::new();
        let key = Key {
            compiler: &texts[0],
            architecture: &texts[1],
            options: &texts[3..],
            source: &texts[2],
        };
        folder.cache().put(&key, &image);
        prop_assert_eq!(folder.cache().get(&key), Some(image));
    }

    /// Whatever becomes of a file, what comes back is what was compiled.
    #[test]
    fn damage_is_seen(
        image in proptest::collection::vec(any::<u8>(), 0..60),
        at in any::<proptest::sample::Index>(),
        bit in 0_u32..8,
        how in 0..4,
    ) {
        let folder = Temporary::new();
        let cache = folder.cache();
        cache.put(&key("source"), &image);
        let file = folder.files()[0].clone();
        let mut bytes = fs::read(&file).unwrap();
        let at = at.index(bytes.len());
        match how {
            0 => bytes[at] ^= 1 << bit,
            1 => bytes.truncate(at),
            2 => bytes.push(0),
            _ => bytes.rotate_left(at.max(1)),
        }
        fs::write(&file, &bytes).unwrap();
        let again = b"compiled again".as_slice();
        prop_assert_eq!(get_or_compile(&cache, &key("source"), again), (again.into(), true));
        prop_assert_eq!(cache.get(&key("source")), Some(again.to_vec()));
    }
}

#[test]
fn hostile_names_stay_in_the_folder() {
    let folder = Temporary::new();
    let inner = KernelCache::at(folder.0.join("inner"), 1 << 20);
    for name in [
        "../escaped",
        "/tmp/escaped",
        "a\0b",
        "",
        "con",
        &"x".repeat(5000),
        "\u{202e}gnp",
    ] {
        let key = Key {
            compiler: name,
            architecture: name,
            options: &[name.to_owned()],
            source: name,
        };
        assert_eq!(get_or_compile(&inner, &key, b"1"), (b"1".into(), true));
        assert_eq!(get_or_compile(&inner, &key, b"2"), (b"1".into(), false));
    }
    assert_eq!(folder.files(), [folder.0.join("inner")]);
    for file in fs::read_dir(folder.0.join("inner")).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        assert_eq!(name.len(), 32 + ".kernel".len());
    }
}

#[test]
fn what_is_no_file_is_passed_over() {
    let folder = Temporary::new();
    let cache = folder.cache();
    let path = folder.0.join(entry::file_name(&key("a")));
    fs::create_dir_all(path.join("full")).unwrap();
    assert_eq!(get_or_compile(&cache, &key("a"), b"1"), (b"1".into(), true));
    assert_eq!(get_or_compile(&cache, &key("a"), b"2"), (b"2".into(), true));
    assert!(path.is_dir());
    // Nor does the attempt leave anything behind.
    assert_eq!(folder.files(), [path]);
}

#[cfg(unix)]
#[test]
fn links_and_pipes_are_replaced_and_not_followed() {
    let folder = Temporary::new();
    let cache = folder.cache();
    let elsewhere = folder.0.join("elsewhere");
    fs::write(&elsewhere, "not ours").unwrap();
    let path = |source| folder.0.join(entry::file_name(&key(source)));
    std::os::unix::fs::symlink(&elsewhere, path("link")).unwrap();
    let made = process::Command::new("mkfifo")
        .arg(path("pipe"))
        .status()
        .unwrap();
    assert!(made.success());
    for source in ["link", "pipe"] {
        assert_eq!(
            get_or_compile(&cache, &key(source), b"1"),
            (b"1".into(), true)
        );
        assert_eq!(
            get_or_compile(&cache, &key(source), b"2"),
            (b"1".into(), false)
        );
    }
    assert_eq!(fs::read(&elsewhere).unwrap(), b"not ours");
}

#[test]
fn a_folder_that_cannot_be_written_to_is_no_error() {
    let folder = Temporary::new();
    let file = folder.0.join("file");
    fs::write(&file, "").unwrap();
    for at in [
        file.clone(),
        file.join("below"),
        "/proc/no/such/folder".into(),
    ] {
        let cache = KernelCache::at(&at, 1 << 20);
        assert_eq!(get_or_compile(&cache, &key("a"), b"1"), (b"1".into(), true));
        assert_eq!(
            get_or_compile(&cache, &key("a"), b"2"),
            (b"2".into(), true),
            "{at:?}"
        );
    }
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

/// Makes an entry look as if it was last used so long ago.
fn age(folder: &Temporary, source: &str, ago_s: u64) {
    let path = folder.0.join(entry::file_name(&key(source)));
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

#[test]
fn threads_share_a_folder() {
    let folder = Temporary::new();
    // So small that entries are evicted all the time, too.
    let cache = KernelCache::at(&folder.0, 6000);
    std::thread::scope(|scope| {
        for t in 0..8_usize {
            let cache = &cache;
            scope.spawn(move || {
                for k in 0..60_usize {
                    let which = (k * 7 + t) % 12;
                    let image = vec![which as u8; 500 + which];
                    let source = format!("source {which}");
                    assert_eq!(get_or_compile(cache, &key(&source), &image).0, image);
                }
            });
        }
    });
    let left = folder.files();
    let unfinished = left
        .iter()
        .any(|f| f.to_string_lossy().contains("unfinished"));
    assert!(!unfinished, "{left:?}");
}

/// Which part of the test below this process is, if it is one.
const PART: &str = "SKEL_TEST_KERNEL_CACHE";

#[test]
fn processes_share_a_folder_and_may_die() {
    let whole = |k: usize| vec![k as u8; 20_000 + k];
    if let Some(folder) = std::env::var_os(PART) {
        let cache = KernelCache::at(folder, 1 << 20);
        // It is killed long before, unless the test that started it has failed.
        let start = std::time::Instant::now();
        for k in (0..5).cycle() {
            if start.elapsed() > Duration::from_secs(90) {
                return;
            }
            cache.put(&key(&format!("source {k}")), &whole(k));
            let got = cache.get(&key(&format!("source {k}")));
            assert!(got.is_none_or(|image| image == whole(k)));
        }
    }
    let folder = Temporary::new();
    let this = std::env::current_exe().unwrap();
    let start = || {
        process::Command::new(&this)
            .args([
                "--exact",
                "kernel_cache::test::processes_share_a_folder_and_may_die",
            ])
            .env(PART, &folder.0)
            .stdout(process::Stdio::null())
            .spawn()
            .unwrap()
    };
    let mut children = [start(), start(), start()];
    let cache = folder.cache();
    let mut seen = 0;
    let start = std::time::Instant::now();
    while seen < 1000 && start.elapsed() < Duration::from_secs(60) {
        for k in 0..5 {
            if let Some(image) = cache.get(&key(&format!("source {k}"))) {
                assert_eq!(image, whole(k));
                seen += 1;
            }
        }
    }
    assert_eq!(seen, 1000, "they write nothing");
    for child in &mut children {
        assert!(child.try_wait().unwrap().is_none(), "one has failed");
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // Killed in the middle of writing: what is there is whole.
    for k in 0..5 {
        assert_eq!(cache.get(&key(&format!("source {k}"))), Some(whole(k)));
    }
}
