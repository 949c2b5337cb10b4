//! What `run` leaves behind for programs, and what `list` and `oracle` say of it.

use super::{
    fake::{Place, stderr, stdout},
    fixture,
};
use std::{fs, process::Output};

fn tune(place: &Place, words: &[&str]) -> Output {
    place.tune(words).output().expect("it starts")
}

fn place() -> Place {
    let lines = fixture::lines();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    Place::new(&lines, "")
}

fn files(place: &Place) -> usize {
    let root = place.path("cache/tune/v1");
    let Ok(machines) = fs::read_dir(root) else {
        return 0;
    };
    let machines = machines.map(|m| m.expect("an entry").path());
    let files = machines.flat_map(|m| fs::read_dir(m).expect("a folder"));
    let names = files.map(|f| f.expect("an entry").file_name());
    names
        .filter(|n| n.to_string_lossy().ends_with(".json"))
        .count()
}

#[test]
fn each_instance_has_a_file_and_a_table() {
    let place = place();
    let output = tune(&place, &["run", "--save"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(files(&place), 2);
    assert!(place.path("skel.tune.json").exists());
    let said = stdout(&output);
    assert!(
        said.contains("psnr::squared_error_sum") && said.contains("4 Mi"),
        "{said}"
    );
    assert!(
        said.contains("new") && !said.contains("as before"),
        "{said}"
    );
    // The journal is complete: the same again changes nothing.
    let again = stdout(&tune(&place, &["run"]));
    assert!(
        again.contains("as before") && !again.contains("new"),
        "{again}"
    );
}

#[test]
fn a_cache_that_cannot_be_written_leaves_the_journal() {
    let place = place();
    fs::write(place.path("cache"), "a file").expect("written");
    let output = tune(&place, &["run", "--save"]);
    assert_eq!(output.status.code(), Some(110), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("stands in the journal"),
        "{}",
        stderr(&output)
    );
    assert!(place.journal().exists());
    // What can be written, is.
    assert!(place.path("skel.tune.json").exists());
}

#[test]
fn without_a_folder_for_models_nothing_is_measured() {
    for value in ["off", "/a/folder"] {
        let place = place();
        let run = |words: &[&str]| {
            let mut command = place.tune(words);
            command
                .env("SKEL_CACHE", value)
                .output()
                .expect("it starts")
        };
        let output = run(&["run"]);
        assert_eq!(output.status.code(), Some(110), "{}", stderr(&output));
        let said = stderr(&output);
        assert!(
            said.contains("no folder for models") && said.contains("SKEL_CACHE"),
            "{said}"
        );
        assert!(!place.journal().exists());
        // A file is enough.
        let output = run(&["run", "--save"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(place.path("skel.tune.json").exists());
    }
}

#[test]
fn an_instance_that_cannot_be_saved_stops_no_other() {
    for in_the_way in 0..2 {
        let place = place();
        assert_eq!(tune(&place, &["run"]).status.code(), Some(0));
        let machines = fs::read_dir(place.path("cache/tune/v1")).expect("a folder");
        let machine = machines.map(|m| m.expect("an entry").path()).next();
        let models = fs::read_dir(machine.expect("a machine")).expect("a folder");
        let mut models: Vec<_> = models.map(|m| m.expect("an entry").path()).collect();
        models.sort();
        for path in &models {
            fs::remove_file(path).expect("removed");
        }
        fs::create_dir(&models[in_the_way]).expect("made");
        let output = tune(&place, &["run"]);
        assert_eq!(output.status.code(), Some(110), "{}", stderr(&output));
        assert!(models[1 - in_the_way].is_file());
    }
}

#[test]
fn list_says_what_is_tuned() {
    let place = place();
    let output = tune(&place, &["list"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(
        stdout(&output).matches("missing").count(),
        2,
        "{}",
        stdout(&output)
    );
    assert_eq!(tune(&place, &["run"]).status.code(), Some(0));
    let output = tune(&place, &["list", "--message-format", "json"]);
    let listed: Vec<serde_json::Value> = stdout(&output)
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .filter(|value: &serde_json::Value| value["reason"] == "listed")
        .collect();
    assert_eq!(listed.len(), 2);
    assert!(
        listed.iter().all(|value| value["state"] == "tuned"),
        "{listed:?}"
    );
}

#[test]
fn the_oracle_says_what_predictions_cost() {
    let place = place();
    let output = tune(&place, &["oracle"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let said = stdout(&output);
    assert!(said.contains("regret: "), "{said}");
    assert_eq!(files(&place), 0, "it only compares");
}

/// What a command says of a file, and how it ends.
fn of_file(place: &Place, words: &[&str]) -> (Option<i32>, String) {
    let mut command = super::fake::command(place.dir.path());
    let output = command.args(words).output().expect("it starts");
    (output.status.code(), stdout(&output) + &stderr(&output))
}

#[test]
fn a_file_that_was_cut_off_is_said_to_be_with_the_place_and_what_helps() {
    let place = place();
    assert_eq!(tune(&place, &["run", "--save"]).status.code(), Some(0));
    let file = place.path("skel.tune.json");
    let text = fs::read_to_string(&file).expect("a file");
    let kept = &text[..text.len() / 2];
    fs::write(&file, kept).expect("written");
    let (line, last) = (kept.lines().count(), kept.lines().last().expect("a line"));
    let at = format!(
        "line {line}, column {}: it ends here, too early",
        last.len() + 1
    );
    let name = "skel.tune.json";
    for (words, code) in [
        (&["check", name][..], 100),
        (&["show", "--file", name], 100),
        (&["import", name], 100),
        (&["report", name], 100),
        (&["export", "--all-machines"], 110),
        (&["run", "--save"], 110),
    ] {
        let (exit, said) = match words {
            ["run", ..] => {
                let output = tune(&place, words);
                (output.status.code(), stderr(&output))
            }
            words => of_file(&place, words),
        };
        assert_eq!(exit, Some(code), "{words:?}: {said}");
        assert!(said.contains(&at), "{words:?}: {said}");
        assert!(
            said.contains("help: its end is missing"),
            "{words:?}: {said}"
        );
        assert_eq!(fs::read_to_string(&file).expect("a file"), kept);
    }
}

#[test]
fn a_saved_model_that_was_cut_off_is_replaced_as_the_help_says() {
    let place = place();
    assert_eq!(tune(&place, &["run"]).status.code(), Some(0));
    let machines = fs::read_dir(place.path("cache/tune/v1")).expect("a folder");
    let machine = machines.map(|m| m.expect("an entry").path()).next();
    let mut models = fs::read_dir(machine.expect("a machine")).expect("a folder");
    let is_model = |path: &std::path::PathBuf| path.extension().is_some_and(|e| e == "json");
    let model = models.find_map(|m| Some(m.expect("an entry").path()).filter(is_model));
    let model = model.expect("a model");
    let text = fs::read(&model).expect("a file");
    fs::write(&model, &text[..text.len() - 9]).expect("written");
    let (exit, said) = of_file(&place, &["check"]);
    assert_eq!(exit, Some(100), "{said}");
    assert!(
        said.contains("help: `cargo tune clear --stale` removes it"),
        "{said}"
    );
    assert_eq!(of_file(&place, &["clear", "--stale"]).0, Some(0));
    assert!(!model.exists());
    assert_eq!(tune(&place, &["run"]).status.code(), Some(0));
    let again = fs::read(&model).expect("a file");
    // All but the time at which it was saved.
    let lines = |text: &[u8]| {
        let text = String::from_utf8(text.to_vec()).expect("text");
        let lines = text.lines().filter(|line| !line.contains("when_unix_s"));
        lines.collect::<Vec<_>>().join("\n")
    };
    assert!(lines(&again) == lines(&text), "{}", lines(&again));
    assert_eq!(of_file(&place, &["check"]).0, Some(0));
}

#[test]
fn without_a_device_the_oracle_says_that_there_is_nothing_to_compare() {
    let alone = super::fake::HELLO.replace(r#"[{"id":"mock:a#0","name":"a","driver":"1"}]"#, "[]");
    let class = fixture::class(4096, 1.0, 1.0, 1.0);
    let alone_on_cpu = skel::model::ClassModel {
        units: class.units.into_iter().take(1).collect(),
        measured: Vec::new(),
        ..class
    };
    let model = alone_on_cpu.to_json();
    let finished = format!(r#"{{"reason":"class-finished","id":"00ff","model":{model}}}"#);
    let place = Place::new(&[&alone, super::fake::INSTANCE, &finished], "");
    let output = tune(&place, &["oracle"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let said = stdout(&output);
    assert!(
        said.starts_with("nothing to compare: without a device"),
        "{said}"
    );
    let output = tune(&place, &["run"]);
    assert!(
        stderr(&output).contains("note: there is no device"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let place = place();
    let mut command = place.tune(&["run"]);
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let other = writer.try_clone().expect("a pipe");
    let status = command.stdout(writer).stderr(other).status();
    assert_eq!(status.expect("it starts").code(), Some(0));
    assert_eq!(files(&place), 2);
}
