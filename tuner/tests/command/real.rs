//! A program that really computes: this one, started again by the command.

use super::fake::{command, stderr, stdout};
use skel::prelude::*;
use std::{env, fs, path::Path, process::Output};

#[user_function]
fn shifted_square(x: f32) -> f32 {
    x * x + 1.0
}

/// What is tuned. Its results are right, whether it is measured meanwhile or not.
#[test]
fn program() -> skel::Result<()> {
    let x = Vector::from_fn(1 << 14, |i| (i % 100) as f32);
    let y = map!(shifted_square).run((&x,))?;
    let sum = reduce!(|a: f32, b: f32| a.max(b)).run((&y,))?;
    assert_eq!(sum, 99.0 * 99.0 + 1.0);
    assert_eq!(y.host()?[..3], [1.0, 2.0, 5.0]);
    Ok(())
}

fn tune(dir: &Path, words: &[&str]) -> Output {
    let (first, rest) = words.split_first().expect("a command");
    command(dir)
        .arg(first)
        .arg("--exe")
        .arg(env::current_exe().expect("a path"))
        .args(rest)
        .args(["--", "--exact", "real::program"])
        .output()
        .expect("it starts")
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
    assert!(stderr(&output).contains("2 sizes were measured by an earlier run"));
    let journals = fs::read_dir(dir.path().join("target/tune")).expect("a folder");
    let names = journals.map(|j| j.expect("an entry").file_name().into_string());
    let journals = names.filter(|n| n.as_ref().is_ok_and(|n| n.ends_with(".journal.jsonl")));
    assert_eq!(journals.count(), 1);
}

#[test]
fn the_oracle_measures_whole_calls() {
    let dir = tempfile::tempdir().expect("a folder");
    let output = tune(
        dir.path(),
        &["oracle", "--points", "2", "--samples", "1..1"],
    );
    // Without a device there are no shares to sweep; then there is nothing to compare, which is fine.
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}
