//! Files that are damaged, foreign, or no files; folders that cannot be used.

use super::*;
use proptest::prelude::*;

#[test]
fn an_entry_of_another_key_is_not_taken() {
    let folder = Temporary::new();
    let cache = folder.cache();
    cache.put(&key("a"), b"a");
    // As if both had the same hash.
    fs::rename(&folder.files()[0], folder.path(&key("b"))).unwrap();
    assert_eq!(get_or_compile(&cache, &key("b"), b"b"), (b"b".into(), true));
}

#[test]
fn an_entry_of_another_version_is_not_taken() {
    let folder = Temporary::new();
    let cache = folder.cache();
    cache.put(&key("a"), b"old");
    let file = &folder.files()[0];
    let mut bytes = fs::read(file).unwrap();
    bytes[7] += 1;
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Any text and any bytes come back as they were.
    #[test]
    fn anything_can_be_kept(
        texts in proptest::collection::vec(".{0,40}", 4..7),
        image in proptest::collection::vec(any::<u8>(), 0..300),
    ) {
        let folder = Temporary::new();
        let key = KernelKey {
            compiler: &texts[0],
            architecture: &texts[1],
            options: &texts[4..],
            source: &texts[2],
            driver: &texts[3],
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
        let key = KernelKey {
            compiler: name,
            driver: name,
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
        assert!(
            name == "secret" || name.len() == 64 + ".kernel".len(),
            "{name}"
        );
    }
}

#[test]
fn what_is_no_file_is_passed_over() {
    let folder = Temporary::new();
    let cache = folder.cache();
    let path = folder.path(&key("a"));
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
    let path = |source| folder.path(&key(source));
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
