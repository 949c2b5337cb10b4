//! Writing, alone and with others.

use crate::store::test::*;
use merge::Prefer;
use std::{
    sync::{
        Barrier,
        atomic::{AtomicBool, AtomicU64},
        mpsc,
    },
    thread,
};

#[test]
fn what_is_saved_is_found_and_nothing_else_is_left() {
    let folder = Temporary::new();
    let written = save(&folder.folder(), &sample_file()).unwrap();
    let found = folder.store().find(&key(), machine()).found().unwrap();
    assert_eq!(found.model, sample_file().machines[0].instances[0]);
    let [path] = &written[..] else {
        panic!("{written:?}");
    };
    assert_eq!(names(path.parent().unwrap()).len(), 1);
    // Once more, there is nothing to do.
    assert_eq!(save(&folder.folder(), &sample_file()), Ok(Vec::new()));
    let files = folder.folder().files().unwrap();
    assert_eq!(files.len(), 1);
    assert_eq!(files[0].file, Ok(sample_file()));

    folder.folder().remove(path).unwrap();
    assert_eq!(folder.store().find(&key(), machine()), Lookup::Missing);
    assert_eq!(names(folder.folder().path()), Vec::<String>::new());
    assert_eq!(folder.folder().files(), Ok(Vec::new()));
}

#[test]
fn only_files_of_ours_are_listed_and_removed() {
    let folder = Temporary::new();
    save(&folder.folder(), &sample_file()).unwrap();
    let machine = folder.folder().files().unwrap()[0].path.clone();
    let machine = machine.parent().unwrap();
    fs::write(machine.join("notes.json"), "mine").unwrap();
    fs::create_dir(folder.folder().path().join("other")).unwrap();
    let damaged = machine.join(format!("{:032x}.json", 7));
    fs::write(&damaged, "[").unwrap();
    let files = folder.folder().files().unwrap();
    assert_eq!(files.len(), 2);
    assert_eq!(files[0].path, damaged);
    assert!(matches!(files[0].file, Err(StoreError::Malformed { .. })));
    let elsewhere = folder.join("x.json");
    fs::write(&elsewhere, "mine").unwrap();
    let refused = folder.folder().remove(&elsewhere);
    assert!(matches!(refused, Err(StoreError::Refused { .. })));
    assert!(elsewhere.exists());
}

#[test]
fn imports_replace_nothing_and_measurements_do() {
    let folder = Temporary::new();
    save(&folder.folder(), &numbered(1)).unwrap();
    let seed = || {
        let found = folder.store().find(&key(), machine()).found();
        found.unwrap().model.seed
    };
    let import = numbered(2);
    let imported = folder
        .folder()
        .save(&import.tool, &import.machines[0], Prefer::Old, |_| {});
    assert_eq!((imported, seed()), (Ok(Vec::new()), 1));
    save(&folder.folder(), &numbered(3)).unwrap();
    assert_eq!(seed(), 3);
}

#[test]
fn a_damaged_file_of_ours_is_replaced_and_one_of_the_user_is_not() {
    let folder = Temporary::new();
    let path = folder.join("file.json");
    fs::write(&path, "my thesis").unwrap();
    let update = |existing| update(&path, existing, |_| sample_file(), || {});
    let kept = update(Existing::Keep);
    assert!(
        matches!(kept, Err(StoreError::Malformed { .. })),
        "{kept:?}"
    );
    assert_eq!(fs::read(&path).unwrap(), b"my thesis");
    assert_eq!(update(Existing::Replace), Ok(Saved::Written));
    assert_eq!(layout::read(&path), Ok(sample_file()));
    assert_eq!(folder.names(), ["file.json"]);
}

#[test]
fn an_instance_that_cannot_be_saved_stops_no_other() {
    let folder = Temporary::new();
    let mut file = sample_file();
    let instances = &mut file.machines[0].instances;
    let mut second = instances[0].clone();
    second.key.name = "second".into();
    let mut third = second.clone();
    third.key.name = "third".into();
    instances.extend([second.clone(), third.clone()]);
    let Machine { cpu, threads, .. } = machine();
    let place = |key: &InstanceKey| folder.folder().file(key, cpu, threads);
    // Two of them cannot be written, in another way each.
    fs::create_dir_all(place(&key())).unwrap();
    instances[1].drift = f64::NAN;
    let error = save(&folder.folder(), &file).unwrap_err();
    assert!(error.to_string().contains(&key().id()), "{error}");
    let found = folder.store().find(&third.key, machine()).found();
    assert_eq!(found.unwrap().model, third);
    assert!(!place(&second.key).exists());
}

#[test]
fn what_could_not_be_read_again_is_not_written() {
    let folder = Temporary::new();
    let path = folder.join("file.json");
    let mut wrong = sample_file();
    wrong.machines[0].transfers[0].1.up_ns_per_byte = f64::NAN;
    let written = update(&path, Existing::Keep, |_| wrong, || {});
    let error = written.unwrap_err().to_string();
    assert!(
        error.contains("machines[0].transfers[0][1].up_ns_per_byte"),
        "{error}"
    );
    assert_eq!(folder.names(), Vec::<String>::new());
}

#[test]
fn many_writers_lose_nothing() {
    let folder = Temporary::new();
    let path = folder.join("deep/er/file.json");
    let start = Barrier::new(6);
    thread::scope(|scope| {
        for writer in 0..6_u64 {
            let (path, start) = (&path, &start);
            scope.spawn(move || {
                start.wait();
                for k in 0..10 {
                    let add = |old: Option<TuningFile>| {
                        let mut file = old.unwrap_or_else(|| TuningFile {
                            machines: Vec::new(),
                            ..sample_file()
                        });
                        let mut machine = sample_file().machines.remove(0);
                        machine.fingerprint.cpu = format!("{writer}-{k}");
                        machine.instances.clear();
                        file.machines.push(machine);
                        file
                    };
                    update(path, Existing::Keep, add, || {}).unwrap();
                }
            });
        }
    });
    assert_eq!(layout::read(&path).unwrap().machines.len(), 60);
    assert_eq!(names(path.parent().unwrap()), ["file.json"]);
}

#[test]
fn the_second_to_come_says_that_it_waits() {
    let folder = Temporary::new();
    let path = folder.join("file.json");
    let (inside, second_may_start) = mpsc::channel();
    let (waiting, first_may_end) = mpsc::channel();
    let order = AtomicU64::new(0);
    let (path, order) = (&path, &order);
    thread::scope(|scope| {
        scope.spawn(move || {
            let change = |_| {
                inside.send(()).unwrap();
                first_may_end.recv().unwrap();
                assert_eq!(order.fetch_add(1, Ordering::SeqCst), 0);
                numbered(1)
            };
            update(path, Existing::Keep, change, || {
                panic!("no other writer is there")
            })
            .unwrap();
        });
        second_may_start.recv().unwrap();
        let change = |old: Option<TuningFile>| {
            assert_eq!(order.fetch_add(1, Ordering::SeqCst), 1);
            assert_eq!(old, Some(numbered(1)));
            numbered(2)
        };
        let said = AtomicBool::new(false);
        let waits = || {
            said.store(true, Ordering::SeqCst);
            waiting.send(()).unwrap();
        };
        update(path, Existing::Keep, change, waits).unwrap();
        assert!(said.load(Ordering::SeqCst));
    });
    assert_eq!(layout::read(path), Ok(numbered(2)));
}

#[test]
fn writers_and_removers_get_along() {
    let folder = Temporary::new();
    let files = folder.folder();
    let path = files.file(&key(), machine().cpu, machine().threads);
    thread::scope(|scope| {
        scope.spawn(|| {
            for seed in 0..50 {
                save(&files, &numbered(seed)).unwrap();
            }
        });
        scope.spawn(|| {
            for _ in 0..50 {
                match files.remove(&path) {
                    Ok(()) => {}
                    // Before the first write, or after another removal.
                    Err(StoreError::Io {
                        kind: io::ErrorKind::NotFound,
                        ..
                    }) => {}
                    Err(other) => panic!("{other}"),
                }
            }
        });
        // A concurrent reader finds all of it or nothing.
        for _ in 0..200 {
            match folder.store().find(&key(), machine()) {
                Lookup::Found(_) | Lookup::Missing => {}
                other => panic!("{other:?}"),
            }
        }
    });
}
