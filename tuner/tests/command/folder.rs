//! Where journals and reports are: one rule for all commands.

use super::{
    fake::{HELLO, Place, command, stderr, stdout},
    fixture,
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Output,
};

/// A program that was measured to the end, in a package with a folder that has none of its own.
fn package() -> Place {
    let lines = fixture::lines();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let place = Place::new(&lines, "");
    let write = |name: &str, text: &str| {
        let path = place.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    };
    write(
        "Cargo.toml",
        "[package]\nname = \"app\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n",
    );
    write("src/main.rs", "fn main() {}");
    place
}

/// A command in a folder, to which no variable says where cargo builds.
fn run(place: &Place, dir: &Path, words: &[&str]) -> Output {
    let mut command = command(dir);
    command
        .env_remove("CARGO_TARGET_DIR")
        .env("SKEL_CACHE_DIR", place.path("cache"));
    command.args(words).output().expect("it starts")
}

/// All journals and reports below a folder.
fn kept(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(kept(&path));
        } else if name.ends_with(".jsonl") || name.ends_with(".html") {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn in_a_package_all_commands_use_its_target_folder_wherever_they_are_started() {
    let place = package();
    let src = place.path("src");
    // As a user would say it there.
    let output = run(&place, &src, &["run", "--exe", "../app"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let tune = place.path("target/tune");
    let journal = tune.join("app.journal.jsonl");
    assert_eq!(kept(place.dir.path()), std::slice::from_ref(&journal));
    for dir in [&src, &place.path("")] {
        for words in [
            &["report"][..],
            &["report", "--bin", "app"],
            &["report", "--exe", "app"],
        ] {
            let output = run(&place, dir, words);
            assert_eq!(
                output.status.code(),
                Some(0),
                "{words:?}: {}",
                stderr(&output)
            );
            assert_eq!(
                kept(place.dir.path()),
                [journal.clone(), tune.join("report.html")]
            );
            fs::remove_file(tune.join("report.html")).expect("removed");
        }
        let output = run(&place, dir, &["clear", "--journals", "--dry-run"]);
        assert!(
            stdout(&output).contains("app.journal.jsonl"),
            "{}",
            stdout(&output)
        );
    }
    let output = run(&place, &src, &["list", "--exe", "../app"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(tune.join("app.list.jsonl").exists());
    let output = run(&place, &src, &["oracle", "--exe", "../app"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(tune.join("app.oracle.jsonl").exists());
    let output = run(&place, &src, &["clear", "--journals"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(kept(place.dir.path()), Vec::<PathBuf>::new());
}

#[test]
fn without_a_package_it_is_the_current_folder() {
    let place = package();
    fs::remove_file(place.path("Cargo.toml")).expect("removed");
    let src = place.path("src");
    let output = run(&place, &src, &["run", "--exe", "../app"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let tune = src.join("target/tune");
    assert_eq!(kept(place.dir.path()), [tune.join("app.journal.jsonl")]);
    let output = run(&place, &src, &["report"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(tune.join("report.html").exists());
    // Elsewhere, it says where it has looked.
    let output = run(&place, &place.path(""), &["report"]);
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    let looked = place.path("target/tune").display().to_string();
    assert!(stderr(&output).contains(&looked), "{}", stderr(&output));
}

#[test]
fn a_folder_that_is_named_is_the_one() {
    let place = package();
    let src = place.path("src");
    let words = ["--exe", "../app", "--target-dir", "there"];
    for command in ["run", "list", "report"] {
        let output = run(&place, &src, &[&[command], &words[..]].concat());
        assert_eq!(
            output.status.code(),
            Some(0),
            "{command}: {}",
            stderr(&output)
        );
    }
    assert_eq!(kept(place.dir.path()).len(), 3);
    assert_eq!(kept(&src.join("there/tune")).len(), 3);
}

#[test]
fn a_program_that_goes_elsewhere_before_it_computes_writes_to_the_same_journal() {
    let place = Place::silent("");
    let script = format!("#!/bin/sh\ncd /\necho '{HELLO}' >> \"$SKEL_TUNE_JOURNAL\"\n");
    fs::write(place.path("app"), script).expect("written");
    let output = run(&place, &place.path(""), &["run", "--exe", "app"]);
    // It made no call.
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    assert!(place.journal().exists());
}
