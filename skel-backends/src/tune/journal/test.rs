use super::*;
use skel_model::DeviceFingerprint;
use std::{
    fs,
    sync::atomic::{AtomicUsize, Ordering},
};

fn machine(threads: usize, devices: &[&str]) -> Fingerprint {
    let device = |name: &&str| DeviceFingerprint {
        id: UnitId::device("mock", name, 0),
        name: (*name).into(),
        driver: "1".into(),
    };
    Fingerprint {
        cpu: "Chip 9".into(),
        threads,
        devices: devices.iter().map(device).collect(),
    }
}

fn key() -> InstanceKey {
    InstanceKey {
        name: "app::dot".into(),
        pattern: "Map".into(),
        elements: "f32".into(),
        hash: 7,
    }
}

fn class(elems: usize) -> ClassModel {
    ClassModel {
        elems,
        beside_elems: 7,
        units: Vec::new(),
        split_overhead_ns: 0.0,
        measured: Vec::new(),
        best: None,
        quality: skel_model::Quality::Good,
    }
}

/// A journal in which processes on these machines have finished a class each, of 1, 2, … elements.
fn journal(machines: &[Fingerprint]) -> std::path::PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("skel-journal-{}-{count}", std::process::id());
    let path = std::env::temp_dir().join(name);
    for (k, machine) in machines.iter().enumerate() {
        let journal = Journal::open(&path, machine, None).unwrap();
        journal.instance("00ff", &key(), &Lookup::Missing);
        let about = Subject {
            id: "00ff",
            elems: k + 1,
            beside_elems: 7,
        };
        let mut evidence = Evidence::new(k + 1, 7);
        evidence.units = vec![UnitId::Cpu];
        journal.class_started(about, &[k + 1], &evidence);
        journal.run(
            about,
            &evidence,
            &Measurement::Part(UnitId::Cpu, k + 1),
            5.0,
        );
        journal.class_finished("00ff", &class(k + 1), true, 0.0, Duration::ZERO);
    }
    path
}

/// The sizes that are finished for a process on `here`.
fn sizes(machines: &[Fingerprint], here: &Fingerprint) -> Vec<usize> {
    let path = journal(machines);
    let found = measured(&path, here);
    fs::remove_file(path).unwrap();
    for (id, evidence, is_settled) in &found {
        assert_eq!(
            (id.as_str(), evidence.beside_elems, *is_settled),
            ("00ff", 7, true)
        );
        assert_eq!(evidence.runs_ns(&evidence.whole(&UnitId::Cpu)), [5.0]);
    }
    let mut sizes: Vec<usize> = found
        .into_iter()
        .map(|(_, evidence, _)| evidence.elems)
        .collect();
    sizes.sort_unstable();
    sizes
}

#[test]
fn only_what_this_machine_has_finished_is_finished() {
    let here = machine(8, &["a"]);
    assert_eq!(sizes(&[here.clone(), here.clone()], &here), [1, 2]);
    let fewer_threads = machine(4, &["a"]);
    let without_device = machine(8, &[]);
    let mut other_chip = here.clone();
    other_chip.cpu = "Chip 10".into();
    for other in [fewer_threads, without_device, other_chip] {
        assert_eq!(
            sizes(std::slice::from_ref(&other), &here),
            [0; 0],
            "{other:?}"
        );
        // What came before it is void for the journal's reader, too.
        let all = [here.clone(), other.clone(), here.clone()];
        assert_eq!(sizes(&all, &here), [3]);
        assert_eq!(sizes(&all, &other), [0; 0]);
    }
}

#[test]
fn the_greeting_has_the_command_if_there_is_one_and_not_more_than_a_line_of_it() {
    let greeting = |command: Option<&str>| {
        let path = journal(&[]);
        drop(Journal::open(&path, &machine(8, &[]), command).unwrap());
        let text = fs::read_to_string(&path).unwrap();
        fs::remove_file(path).unwrap();
        assert_eq!(text.lines().count(), 1, "{text}");
        Json::parse(text.trim_end().as_bytes()).unwrap()
    };
    let said = |command: &str| {
        let line = greeting(Some(command));
        line.get("command")
            .and_then(Json::as_text)
            .unwrap()
            .to_owned()
    };
    assert_eq!(
        said("run app -- 'a\nb' \u{1b}[31m"),
        "run app -- 'a\nb' \u{1b}[31m"
    );
    assert_eq!(said(&"ß".repeat(5000)), "ß".repeat(MAX_COMMAND_CHARS));
    assert_eq!(greeting(None).get("command"), None);
}

#[test]
fn each_line_says_which_process_wrote_it() {
    let path = journal(&[machine(8, &[])]);
    let text = fs::read_to_string(&path).unwrap();
    fs::remove_file(path).unwrap();
    assert!(text.lines().count() > 3, "{text}");
    for line in text.lines() {
        let json = Json::parse(line.as_bytes()).unwrap();
        let pid = Json::Integer(u64::from(std::process::id()));
        assert_eq!(json.get("pid"), Some(&pid), "{line}");
    }
}
