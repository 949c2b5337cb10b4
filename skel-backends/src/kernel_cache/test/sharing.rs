//! One folder, many threads and processes.

use super::*;
use std::time::{Duration, Instant};

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

/// Some hundred times as long as a machine takes that has nothing else to do.
const PATIENCE: Duration = Duration::from_secs(600);

struct Children([process::Child; 3]);

impl Drop for Children {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // An error here means that it has ended already.
            drop(child.kill());
            drop(child.wait());
        }
    }
}

#[test]
fn processes_share_a_folder_and_may_die() {
    let whole = |k: usize| vec![k as u8; 20_000 + k];
    if let Some(folder) = std::env::var_os(PART) {
        let cache = KernelCache::at(folder, 1 << 20);
        // It is killed long before, unless the test that started it was killed.
        let start = Instant::now();
        for k in (0..5).cycle() {
            if start.elapsed() > 2 * PATIENCE {
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
                "kernel_cache::test::sharing::processes_share_a_folder_and_may_die",
            ])
            .env(PART, &folder.0)
            .stdout(process::Stdio::null())
            .spawn()
            .unwrap()
    };
    let mut children = Children([start(), start(), start()]);
    let cache = folder.cache();
    let mut seen = [0; 5];
    let start = Instant::now();
    while seen.iter().any(|n| *n < 200) {
        assert!(start.elapsed() < PATIENCE, "they write nothing: {seen:?}");
        for (k, seen) in seen.iter_mut().enumerate() {
            if let Some(image) = cache.get(&key(&format!("source {k}"))) {
                assert_eq!(image, whole(k));
                *seen += 1;
            }
        }
    }
    for child in &mut children.0 {
        assert!(child.try_wait().unwrap().is_none(), "one has failed");
    }
    drop(children);
    // Killed in the middle of writing: what is there is whole.
    for k in 0..5 {
        assert_eq!(cache.get(&key(&format!("source {k}"))), Some(whole(k)));
    }
}
