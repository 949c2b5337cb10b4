//! A program that really computes: this one, started again by the command.

use super::fake::{command, stderr, stdout};
use serde_json::Value;
use skel::{prelude::*, unit::UnitKind};
use std::{
    collections::BTreeMap,
    env, fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output},
};

#[user_function]
fn shifted_square(x: f32) -> f32 {
    x * x + 1.0
}

/// What is tuned. Its results are right, whether it is measured meanwhile or not.
#[test]
fn program() -> skel::Result<()> {
    if let Some(path) = env::var_os("TEST_EMBEDDED") {
        let text: &'static str = fs::read_to_string(path).expect("a file").leak();
        assert!(skel::tuning::embed(text), "it is the first");
    }
    let x = Vector::from_fn(1 << 14, |i| (i % 100) as f32);
    let y = map!(shifted_square).run((&x,))?;
    let sum = reduce!(|a: f32, b: f32| a.max(b)).run((&y,))?;
    assert_eq!(sum, 99.0 * 99.0 + 1.0);
    assert_eq!(y.host()?[..3], [1.0, 2.0, 5.0]);
    Ok(())
}

fn tune_command(dir: &Path, words: &[&str]) -> Command {
    let (first, rest) = words.split_first().expect("a command");
    let mut command = command(dir);
    command
        .arg(first)
        .arg("--exe")
        .arg(env::current_exe().expect("a path"))
        .args(rest)
        .args(["--", "--exact", "real::program"]);
    command
}

fn tune(dir: &Path, words: &[&str]) -> Output {
    tune_command(dir, words).output().expect("it starts")
}

#[test]
fn a_program_is_tuned_without_changing_it() {
    let dir = tempfile::tempdir().expect("a folder");
    let quick = ["run", "--points", "3", "--samples", "1..2", "--no-verify"];
    let output = tune(dir.path(), &quick);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let said = stdout(&output);
    assert!(
        said.contains("shifted_square") && said.contains("16 Ki"),
        "{said}"
    );
    assert!(said.contains("test result: ok. 1 passed"), "{said}");

    let output = tune(dir.path(), &["list", "--message-format", "json"]);
    let listed = stdout(&output);
    let tuned = listed.lines().filter(|l| l.contains("\"state\":\"tuned\""));
    assert_eq!(tuned.count(), 2, "{listed}{}", stderr(&output));

    let output = tune(dir.path(), &quick);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("measured by an earlier run: 2 sizes"));
    let journals = fs::read_dir(dir.path().join("target/tune")).expect("a folder");
    let names = journals.map(|j| j.expect("an entry").file_name().into_string());
    let journals = names.filter(|n| n.as_ref().is_ok_and(|n| n.ends_with(".journal.jsonl")));
    assert_eq!(journals.count(), 1);
}

/// A run that is ended while kernels are compiled has its calls in the journal.
#[test]
fn a_class_is_in_the_journal_before_its_units_are_known() {
    let dir = tempfile::tempdir().expect("a folder");
    let quick = ["run", "--points", "3", "--samples", "1..2", "--no-verify"];
    let output = tune(dir.path(), &quick);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = fs::read_to_string(journal_in(dir.path())).expect("text");
    let begun = |line: &&str| line.contains("\"class-started\"") && line.contains("\"units\":[]");
    assert_eq!(text.lines().filter(begun).count(), 2, "{text}");
}

/// The journal in a folder in which the command has run.
fn journal_in(dir: &Path) -> PathBuf {
    let files = fs::read_dir(dir.join("target/tune")).expect("a folder");
    let mut files = files.map(|file| file.expect("an entry").path());
    let journal = files.find(|path| path.to_string_lossy().ends_with(".journal.jsonl"));
    journal.expect("a journal")
}

/// How often each part and each split of a journal was run.
fn runs(journal: &str) -> BTreeMap<String, usize> {
    let mut runs = BTreeMap::new();
    for line in journal.lines() {
        let line: Value = serde_json::from_str(line).expect("JSON");
        if let Some(ns) = line["ns"].as_array() {
            let what = format!(
                "{} {} {} {} {}",
                line["id"], line["elems"], line["unit"], line["part_elems"], line["shares"]
            );
            *runs.entry(what).or_default() += ns.len();
        }
    }
    runs
}

/// A process that is killed leaves the first lines of its journal, and perhaps a part of one. The next one goes on from
/// there: it runs nothing more often than one process does that is let alone.
#[test]
fn what_a_killed_program_has_measured_counts() {
    let dir = tempfile::tempdir().expect("a folder");
    let words = ["run", "--points", "3", "--samples", "2..3", "--once"];
    let output = tune(dir.path(), &words);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let journal = journal_in(dir.path());
    let whole = fs::read_to_string(&journal).expect("text");
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    assert!(runs(&whole).len() >= 6, "{whole}");
    for cut in [2, lines.len() / 3, lines.len() / 2, lines.len() - 2] {
        let left = lines[..cut].concat();
        let half = &lines[cut][..lines[cut].len() / 2];
        fs::write(&journal, format!("{left}{half}")).expect("written");
        fs::remove_dir_all(dir.path().join("cache")).expect("removed");
        let output = tune(dir.path(), &words);
        assert_eq!(output.status.code(), Some(0), "{cut}: {}", stderr(&output));
        let resumed = fs::read_to_string(&journal).expect("text");
        assert!(resumed.starts_with(&left), "{cut}");
        let runs = runs(&resumed);
        assert!(
            runs.values().all(|n| (1..=3).contains(n)),
            "{cut}: {runs:?}"
        );
        let listed = stdout(&tune(dir.path(), &["list", "--message-format", "json"]));
        assert_eq!(
            listed.matches("\"state\":\"tuned\"").count(),
            2,
            "{cut}: {listed}"
        );
    }
}

/// Each call's state and place, of programs that carry a file or none.
fn listed(dir: &Path, embedded: Option<&Path>) -> (Vec<(String, Value)>, String) {
    let list = |words: &[&str]| {
        let mut command = tune_command(dir, words);
        command.envs(embedded.map(|path| ("TEST_EMBEDDED", path)));
        let output = command.output().expect("it starts");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    let json = list(&["list", "--message-format", "json"]);
    let lines = json.lines().map(serde_json::from_str);
    let lines = lines.map(|line: Result<Value, _>| line.expect("JSON"));
    let calls = lines.filter(|line| line["reason"] == "listed");
    let known = calls.map(|line| {
        let state = line["state"].as_str().expect("a state");
        (state.to_string(), line["place"].clone())
    });
    (known.collect(), list(&["list"]))
}

#[test]
fn list_knows_what_a_program_carries() {
    let dir = tempfile::tempdir().expect("a folder");
    let quick = ["run", "--points", "3", "--samples", "1..2", "--no-verify"];
    let save = [&quick[..], &["--save=models.json"]].concat();
    let output = tune(dir.path(), &save);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let models = dir.path().join("models.json");
    let (known, _) = listed(dir.path(), None);
    assert_eq!(known, vec![("tuned".into(), "folder".into()); 2]);
    fs::remove_dir_all(dir.path().join("cache")).expect("removed");
    // What is left is what the program carries; without that, what the journal says.
    let (known, text) = listed(dir.path(), Some(&models));
    assert_eq!(known, vec![("tuned".into(), "embedded".into()); 2]);
    assert_eq!(text.matches("tuned (in the program)").count(), 2, "{text}");
    assert!(
        text.contains("measured by: cargo tune run --exe "),
        "{text}"
    );
    assert!(text.contains("-- --exact real::program\n"), "{text}");
    let (known, _) = listed(dir.path(), None);
    assert_eq!(known, vec![("partial".into(), Value::Null); 2]);
    // Of one of them, the code has changed since; and then of another machine, whose models are no matter.
    let text = fs::read_to_string(&models).expect("a file");
    let at = text.find("\"hash\": \"").expect("a hash") + "\"hash\": \"".len();
    let digit = if &text[at..=at] == "0" { "1" } else { "0" };
    let changed = format!("{}{digit}{}", &text[..at], &text[at + 1..]);
    fs::write(&models, changed).expect("written");
    let (mut known, text) = listed(dir.path(), Some(&models));
    known.sort_by(|a, b| a.0.cmp(&b.0));
    let places = [
        ("stale".into(), "embedded".into()),
        ("tuned".into(), "embedded".into()),
    ];
    assert_eq!(known, places, "{text}");
    assert!(text.contains("stale (in the program): "), "{text}");
    fs::write(&models, "{\"schema\": ").expect("written");
    let (known, text) = listed(dir.path(), Some(&models));
    assert_eq!(known, vec![("missing".into(), "embedded".into()); 2]);
    assert!(
        text.contains("line 1, column 12: it ends here, too early"),
        "{text}"
    );
}

/// Of each size that was measured on a device, the shares of the CPU that whole calls had.
fn tried(journal: &Path) -> BTreeMap<String, Vec<f64>> {
    let text = fs::read_to_string(journal).expect("a journal");
    let mut tried = BTreeMap::new();
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).expect("JSON");
        let class = format!("{} {}", line["id"], line["elems"]);
        let units = line["units"].as_array().into_iter().flatten();
        let mut names = units.filter_map(Value::as_str);
        if line["reason"] == "class-started" && names.any(|name| name.contains(':')) {
            tried.insert(class, Vec::new());
        } else if line["reason"] == "split" {
            let shares = line["shares"].as_array().expect("shares");
            assert!(shares.len() > 1, "{line}");
            assert_eq!(shares[0][0], "cpu", "{line}");
            let cpu = shares[0][1].as_f64().expect("a share");
            tried.entry(class).or_default().push(cpu);
        }
    }
    tried
}

/// The devices that are left out where the variable does not say that they count.
fn software_devices() -> Vec<String> {
    let devices = skel::DefaultContext.get().devices().into_iter();
    let software = devices.filter(|d| d.rejected.is_none());
    let software = software.filter(|d| d.info.kind == UnitKind::SoftwareDevice);
    software.map(|device| device.info.name).collect()
}

#[test]
fn run_and_oracle_say_which_software_devices_were_left_out() {
    let name = "real::run_and_oracle_say_which_software_devices_were_left_out";
    let software = software_devices();
    if software.is_empty() {
        // Past the capture of the test harness.
        let told = writeln!(
            std::io::stderr(),
            "skipped: {name}: no device of software (Debian: mesa-vulkan-drivers)"
        );
        return told.expect("standard error is open");
    }
    for verb in ["run", "oracle"] {
        for (value, is_said) in [("off", true), ("on", false)] {
            let dir = tempfile::tempdir().expect("a folder");
            let mut command =
                tune_command(dir.path(), &[verb, "--points", "2", "--samples", "1..1"]);
            let output = command.env("SKEL_SOFTWARE_DEVICES", value).output();
            let said = stderr(&output.expect("it starts"));
            let note = said.lines().find(|line| line.contains(" was left out"));
            assert_eq!(note.is_some(), is_said, "{verb}, {value}: {said}");
            for name in software.iter().filter(|_| is_said) {
                let note = note.expect("it is said");
                assert!(note.starts_with("note: ") && note.contains(name), "{note}");
            }
        }
    }
}

#[test]
fn the_oracle_measures_whole_calls() {
    let dir = tempfile::tempdir().expect("a folder");
    let oracle = [
        "oracle",
        "--points",
        "2",
        "--samples",
        "1..1",
        "--budget",
        "600s",
    ];
    let mut command = tune_command(dir.path(), &oracle);
    let output = command.env("SKEL_SOFTWARE_DEVICES", "1").output();
    let output = output.expect("it starts");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let files = fs::read_dir(dir.path().join("target/tune")).expect("a folder");
    let mut files = files.map(|file| file.expect("an entry").path());
    let journal = files.find(|path| path.to_string_lossy().ends_with(".oracle.jsonl"));
    let tried = tried(&journal.expect("a journal"));
    // Without a device there is nothing to share with, and with one, each size is tried at all shares of a grid.
    let devices = skel::DefaultContext.get().fingerprint().devices.len();
    assert_eq!(tried.len(), if devices > 0 { 2 } else { 0 }, "{tried:?}");
    for shares in tried.values() {
        for eighth in 1..8 {
            let at = f64::from(eighth) / 8.0;
            assert!(
                shares.iter().any(|cpu| (cpu - at).abs() < 0.01),
                "{at}: {shares:?}"
            );
        }
    }
    assert_eq!(stdout(&output).contains("regret: "), devices > 0);
}

/// The units of which the saved models know something, by instance.
fn modelled(dir: &Path) -> BTreeMap<String, Vec<String>> {
    let mut command = command(dir);
    let output = command.args(["export", "-o", "all.json"]).output();
    let output = output.expect("it starts");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = fs::read_to_string(dir.join("all.json")).expect("a file");
    let file: Value = serde_json::from_str(&text).expect("JSON");
    let list = |value: &Value, name: &str| value[name].as_array().cloned().unwrap_or_default();
    let machines = list(&file, "machines");
    let instances = machines
        .iter()
        .flat_map(|machine| list(machine, "instances"));
    let units = instances.map(|instance| {
        let classes = list(&instance, "classes");
        let units = classes.iter().flat_map(|class| list(class, "units"));
        let names = units.map(|unit| unit["unit"].as_str().unwrap_or_default().to_owned());
        (instance["key"]["name"].to_string(), names.collect())
    });
    units.collect()
}

/// A run of one unit leaves what the next one of all goes on with: the other units are measured then.
#[test]
fn what_was_measured_of_one_unit_is_gone_on_with_on_all() {
    // One thread is measured where a run on all of them is short, which other tests may keep one of them from being.
    let quick = ["--points", "2", "--samples", "3..3", "--no-verify"];
    for (only, rest) in [("cpu", "seq"), ("seq", "cpu")] {
        let dir = tempfile::tempdir().expect("a folder");
        let run = |words: &[&str]| {
            let output = tune(dir.path(), &[&["run"], words, &quick[..]].concat());
            assert_eq!(
                output.status.code(),
                Some(0),
                "{words:?}: {}",
                stderr(&output)
            );
        };
        run(&["--device", only]);
        let known = modelled(dir.path());
        assert_eq!(known.len(), 2, "{known:?}");
        assert!(known.values().all(|units| units == &[only]), "{known:?}");
        run(&[]);
        let known = modelled(dir.path());
        let has = |units: &Vec<String>| {
            [only, rest]
                .iter()
                .all(|unit| units.iter().any(|u| u == unit))
        };
        assert!(known.values().all(has), "{known:?}");
    }
}

#[test]
fn a_device_that_is_not_there_is_no_matter_of_time() {
    let dir = tempfile::tempdir().expect("a folder");
    for all in [
        &["--device", "cuda:Nonexistent#0"][..],
        &["--device", "cpu", "--device", "cuda:Nonexistent#0"],
    ] {
        let words = [&["run", "--points", "2", "--samples", "1..1"], all].concat();
        let output = tune(dir.path(), &words);
        assert_eq!(
            output.status.code(),
            Some(103),
            "{all:?}: {}",
            stderr(&output)
        );
        assert!(
            stderr(&output).contains("cuda:Nonexistent#0"),
            "{}",
            stderr(&output)
        );
    }
}
