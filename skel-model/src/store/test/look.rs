//! The look-up: where, in what order, and what is not taken.

use crate::store::test::*;

fn seed(lookup: Lookup) -> u64 {
    match lookup {
        Lookup::Found(found) => found.model.seed,
        other => panic!("{other:?}"),
    }
}

fn why(lookup: Lookup) -> Stale {
    match lookup {
        Lookup::Stale { why, .. } => why,
        other => panic!("{other:?}"),
    }
}

/// A text that lives as long as one in a program.
fn embedded(file: &TuningFile) -> Option<&'static str> {
    Some(Box::leak(file.to_text().into_boxed_str()))
}

#[test]
fn the_places_are_looked_into_in_order() {
    let folder = Temporary::new();
    let named = folder.join("named.json");
    fs::write(&named, numbered(1).to_text()).unwrap();
    save(&folder.folder(), &numbered(3)).unwrap();
    let variables = |name: &str| match name {
        "SKEL_TUNE_FILE" => Some(named.clone().into()),
        "SKEL_CACHE_DIR" => Some(folder.0.clone().into()),
        _ => None,
    };
    let all = Store::new(variables, embedded(&numbered(2)));
    assert_eq!(
        all.places(),
        [
            Place::Named(named.clone()),
            Place::Embedded,
            Place::Folder(folder.join("tune/v1"))
        ]
    );
    assert_eq!(seed(all.find(&key(), machine())), 1);
    let no_file = |name: &str| variables(name).filter(|_| name != "SKEL_TUNE_FILE");
    let in_program = Store::new(no_file, embedded(&numbered(2)));
    assert_eq!(seed(in_program.find(&key(), machine())), 2);
    let found = Store::new(no_file, None).find(&key(), machine());
    let found = found.found().unwrap();
    let file = folder.folder().file(&key(), machine().cpu, 16);
    assert_eq!((found.model.seed, found.place), (3, Place::Folder(file)));
    assert_eq!(found.transfers, sample_file().machines[0].transfers);
    assert_eq!(found.devices, sample_file().machines[0].fingerprint.devices);
    assert!(found.soft.is_empty());
    let nowhere = Store::new(|name| (name == "SKEL_CACHE").then(|| "off".into()), None);
    assert_eq!(nowhere.find(&key(), machine()), Lookup::Missing);
    assert_eq!(nowhere.folder(), Err(StoreError::NoFolder));
}

#[test]
fn what_does_not_fit_gives_way_to_what_does() {
    let folder = Temporary::new();
    let named = folder.join("named.json");
    save(&folder.folder(), &numbered(3)).unwrap();
    let variables = |name: &str| match name {
        "SKEL_TUNE_FILE" => Some(named.clone().into()),
        "SKEL_CACHE_DIR" => Some(folder.0.clone().into()),
        _ => None,
    };
    let mut other = numbered(1);
    other.machines[0].fingerprint.threads = 8;
    for text in [
        other.to_text(),
        String::new(),
        "{}".into(),
        "\u{0}\u{1}".into(),
    ] {
        fs::write(&named, text).unwrap();
        let store = Store::new(variables, None);
        assert_eq!(seed(store.find(&key(), machine())), 3);
    }
    // A file that is not there, though the user says so.
    fs::remove_file(&named).unwrap();
    let store = Store::new(variables, None);
    assert_eq!(seed(store.find(&key(), machine())), 3);
    let unknown = InstanceKey {
        name: "other".into(),
        ..key()
    };
    let lookup = store.find(&unknown, machine());
    let Lookup::Broken(error) = lookup else {
        panic!("{lookup:?}");
    };
    assert!(error.is_missing());
    assert!(error.to_string().starts_with("cannot read "), "{error}");
}

#[test]
fn what_was_measured_elsewhere_is_stale() {
    let folder = Temporary::new();
    let path = folder.join("named.json");
    let with = |change: &dyn Fn(&mut MachineModels)| {
        let mut file = sample_file();
        change(&mut file.machines[0]);
        fs::write(&path, file.to_text()).unwrap();
        Store::new(only("SKEL_TUNE_FILE", &path), None).find(&key(), machine())
    };
    assert!(with(&|_| {}).found().is_some());
    assert_eq!(
        why(with(&|m| m.fingerprint.cpu = "other".into())),
        Stale::Cpu {
            measured: "other".into(),
            now: machine().cpu.into()
        }
    );
    let threads = why(with(&|m| m.fingerprint.threads = 8));
    assert_eq!(
        threads.to_string(),
        "measured with 8 threads, and there are 16"
    );
    assert_eq!(why(with(&|m| m.instances[0].key.hash = 1)), Stale::Code);
    // Of another name, nothing is known.
    for change in [
        (|k| k.name.push('x')) as fn(&mut InstanceKey),
        |k| k.pattern.push('x'),
        |k| k.elements.push('x'),
    ] {
        let lookup = with(&|m| change(&mut m.instances[0].key));
        assert_eq!(lookup, Lookup::Missing);
    }
}

#[test]
fn what_a_program_carries_for_other_machines_is_not_missed() {
    let with = |change: &dyn Fn(&mut MachineModels)| {
        let mut file = sample_file();
        change(&mut file.machines[0]);
        Store::new(|_| None, embedded(&file)).find(&key(), machine())
    };
    assert_eq!(
        with(&|m| m.fingerprint.cpu = "other".into()),
        Lookup::Missing
    );
    assert_eq!(with(&|m| m.fingerprint.threads = 8), Lookup::Missing);
    // Of this machine, it should fit.
    assert_eq!(why(with(&|m| m.instances[0].key.hash = 1)), Stale::Code);
}

#[test]
fn what_is_wrong_with_a_named_file_is_not_hidden_by_models_elsewhere() {
    let folder = Temporary::new();
    let named = folder.join("named.json");
    save(&folder.folder(), &numbered(3)).unwrap();
    let variables = |name: &str| match name {
        "SKEL_TUNE_FILE" => Some(named.clone().into()),
        "SKEL_CACHE_DIR" => Some(folder.0.clone().into()),
        _ => None,
    };
    let missing = Store::new(variables, None);
    assert_eq!(seed(missing.find(&key(), machine())), 3);
    assert!(missing.problem().is_some_and(StoreError::is_missing));
    fs::write(&named, "{\"broken").unwrap();
    let broken = Store::new(variables, embedded(&numbered(2)));
    assert_eq!(seed(broken.find(&key(), machine())), 2);
    let problem = broken.problem().unwrap().to_string();
    assert!(problem.contains("named.json"), "{problem}");
    fs::write(&named, "{}").unwrap();
    let store = Store::new(variables, Some("nonsense"));
    assert!(store.problem().unwrap().to_string().contains("program"));
    let whole = Store::new(variables, Some(""));
    assert_eq!(
        (whole.problem(), seed(whole.find(&key(), machine()))),
        (None, 3)
    );
}

#[test]
fn the_reason_is_that_of_what_comes_nearest() {
    let folder = Temporary::new();
    let path = folder.join("named.json");
    let mut file = sample_file();
    let mut other = file.machines[0].clone();
    file.machines[0].fingerprint.threads = 8;
    other.fingerprint.cpu = "other".into();
    file.machines.push(other);
    let find = |file: &TuningFile| {
        fs::write(&path, file.to_text()).unwrap();
        Store::new(only("SKEL_TUNE_FILE", &path), None).find(&key(), machine())
    };
    assert!(matches!(why(find(&file)), Stale::Threads { .. }));
    // And of several machines, the one that fits is taken.
    file.machines.push(numbered(9).machines.remove(0));
    assert_eq!(seed(find(&file)), 9);
}

/// Machines with the same processor, whose users share a folder or a file.
#[test]
fn of_machines_that_are_alike_but_for_their_devices_this_one_is_taken() {
    let mut file = numbered(1);
    let devices = file.machines[0].fingerprint.devices.clone();
    let mut without = numbered(2).machines.remove(0);
    without.fingerprint.devices.clear();
    without.instances[0].chain.clear();
    file.machines[0].instances[0].chain.clear();
    file.machines.push(without);
    let find = |file: &TuningFile, devices| {
        let machine = Machine {
            devices,
            ..machine()
        };
        let lookup = Store::new(|_| None, embedded(file)).find(&key(), machine);
        let found = lookup.found().unwrap();
        (found.model.seed, found.is_one_of_several)
    };
    for swapped in [false, true] {
        if swapped {
            file.machines.swap(0, 1);
        }
        assert_eq!(find(&file, Some(&devices)), (1, true));
        assert_eq!(find(&file, Some(&[])), (2, true));
        // Nothing tells them apart, so the first; and there is another.
        assert_eq!(find(&file, None), (if swapped { 2 } else { 1 }, true));
    }
    file.machines.truncate(1);
    assert_eq!(find(&file, None), (2, false));
}

#[test]
fn a_device_that_is_gone_makes_stale_what_needs_it() {
    let mut file = sample_file();
    let instance = &mut file.machines[0].instances[0];
    let gpu = instance.chain[0].shares[1].0.clone();
    let find = |file: &TuningFile, devices: &[DeviceFingerprint]| {
        let machine = Machine {
            devices: Some(devices),
            ..machine()
        };
        Store::new(|_| None, embedded(file)).find(&key(), machine)
    };
    assert_eq!(why(find(&file, &[])), Stale::Device { device: gpu });
    let there = file.machines[0].fingerprint.devices.clone();
    assert!(find(&file, &there).found().is_some());
    // What was verified counts where the class is good; where nothing needs the device, it may go.
    let instance = &mut file.machines[0].instances[0];
    instance.chain.clear();
    assert!(find(&file, &[]).found().is_some());
    file.machines[0].instances[0].classes[0].quality = Quality::Good;
    assert!(matches!(why(find(&file, &[])), Stale::Device { .. }));
    let instance = &mut file.machines[0].instances[0];
    let best = instance.classes[0].best.as_mut().unwrap();
    best[0].1 = 1.0;
    best[1].1 = 0.0;
    assert!(find(&file, &[]).found().is_some());
}

#[test]
fn another_driver_or_version_is_said_and_used() {
    let mut file = sample_file();
    file.tool = "cargo-tune 99.1.0".into();
    let mut there = file.machines[0].fingerprint.devices.clone();
    there[0].driver = "581.0".into();
    there.push(DeviceFingerprint {
        id: UnitId::device("wgpu", "new", 0),
        name: "new".into(),
        driver: String::new(),
    });
    let machine = Machine {
        devices: Some(&there),
        ..machine()
    };
    let found = Store::new(|_| None, embedded(&file)).find(&key(), machine);
    let soft = found.found().unwrap().soft;
    assert!(
        matches!(&soft[0], Soft::Driver { measured, now, .. } if measured == "580.1" && now == "581.0")
    );
    assert!(matches!(&soft[1], Soft::NewDevice { .. }));
    assert!(matches!(&soft[2], Soft::Version { .. }));
    assert_eq!(soft.len(), 3);
    // A patch is no change.
    let version = env!("CARGO_PKG_VERSION");
    let patch = format!("cargo-tune {}.99", &version[..version.rfind('.').unwrap()]);
    let measured = &sample_file().machines[0].fingerprint;
    assert_eq!(stale::soft(measured, &patch, None), []);
}

#[test]
fn a_file_under_another_name_is_not_believed() {
    let folder = Temporary::new();
    let files = folder.folder();
    let other = InstanceKey { hash: 1, ..key() };
    let written = save(&files, &sample_file()).unwrap();
    let path = files.file(&other, machine().cpu, 16);
    fs::rename(&written[0], path).unwrap();
    assert_eq!(why(folder.store().find(&other, machine())), Stale::Code);
}

#[test]
fn names_of_files_are_hashes_of_fixed_value() {
    let folder = Folder::at(Path::new("/c"));
    let hostile = InstanceKey {
        name: "../../etc/passwd".into(),
        ..key()
    };
    for key in [key(), hostile] {
        let path = folder.file(&key, "../cpu", 3);
        assert!(path.starts_with("/c/tune/v1"));
        assert_eq!(path.components().count(), 6);
        assert!(!path.to_str().unwrap().contains(".."));
    }
    // FNV-1a of 1, 0 × 7, "x", 2, 0 × 7, by a loop of its own.
    let bytes = [1, 0, 0, 0, 0, 0, 0, 0, b'x', 2, 0, 0, 0, 0, 0, 0, 0];
    let mut hash: u128 = 144_066_263_297_769_815_596_495_629_667_062_367_629;
    for byte in bytes {
        hash ^= u128::from(byte);
        hash = hash.wrapping_mul((1 << 88) + 0x13b);
    }
    assert_eq!(layout::machine_hash("x", 2), format!("{hash:032x}"));
}
