//! `cargo tune run`: exit codes, what is printed, and where a run goes on.

use super::fake::{HELLO, INSTANCE, PROBLEM, Place, SAMPLE, STARTED, stderr, stdout};
use std::{fs, process::Output};

fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

fn run(place: &Place, words: &[&str]) -> Output {
    let mut all = vec!["run"];
    all.extend(words);
    place.tune(&all).output().expect("it starts")
}

#[test]
fn a_program_that_calls_nothing_is_told_so() {
    let output = run(&Place::silent("exit 0"), &[]);
    assert_eq!(code(&output), 104, "{}", stderr(&output));
    assert!(stderr(&output).contains("called nothing of skel"));
    assert!(stderr(&output).contains("help: name a program that uses skel"));
}

#[test]
fn a_program_that_fails_first_is_told_so() {
    let output = run(&Place::silent("exit 3"), &[]);
    assert_eq!(code(&output), 104);
    assert!(stderr(&output).contains("before it called skel"));
}

#[test]
fn a_program_without_calls_has_nothing_to_tune() {
    let output = run(&Place::new(&[HELLO], ""), &[]);
    assert_eq!(code(&output), 4, "{}", stderr(&output));
    let output = run(&Place::new(&[HELLO, INSTANCE], ""), &[]);
    assert_eq!(code(&output), 4, "{}", stderr(&output));
}

#[test]
fn a_wrong_result_has_a_code_of_its_own() {
    let wrong = r#"{"reason":"problem","id":"00ff","what":"mock:a#0 computes 7, cpu 8","kind":"wrong-result"}"#;
    let output = run(&Place::new(&[HELLO, INSTANCE, wrong], ""), &[]);
    assert_eq!(code(&output), 105);
    assert!(stderr(&output).contains("computes 7"));
}

#[test]
fn a_device_that_was_asked_for_must_be_there() {
    let gone = r#"{"reason":"problem","what":"there is no mock:b#0","kind":"missing"}"#;
    let place = Place::new(&[HELLO, gone], "");
    assert_eq!(code(&run(&place, &["--device", "mock:b#0"])), 103);
    // A call that no unit can run says nothing of the one that was asked for.
    let impure = r#"{"reason":"problem","id":"00ff","what":"app::dot is not declared `pure`","kind":"unit"}"#;
    let whole = SAMPLE.replace("\"part_elems\":1024", "\"part_elems\":4096");
    let started = STARTED.replace(",\"mock:a#0\"", "");
    let place = Place::new(&[HELLO, INSTANCE, impure, &started, &whole], "");
    let output = run(&place, &["--device", "cpu"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
}

/// The program starts itself, or another one that calls `skel`.
#[test]
fn a_child_does_not_end_what_its_parent_has_called() {
    let call =
        r#"{"reason":"call","pid":7,"id":"00ff","elems":4096,"beside_elems":0,"operands":[]}"#;
    let whole = SAMPLE.replace("\"part_elems\":1024", "\"part_elems\":4096");
    let started = STARTED.replace(",\"mock:a#0\"", "");
    let earlier = started.replace("4096", "100000");
    let child = HELLO.replace("\"pid\":7", "\"pid\":8");
    let place = Place::new(
        &[HELLO, INSTANCE, &earlier, &started, &whole, call, &child],
        "",
    );
    let output = run(&place, &[]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
}

/// An earlier run has measured for a minute. This one takes more than half of the budget for itself.
#[test]
fn a_program_is_not_run_again_where_it_would_take_longer_than_what_is_left() {
    let finished = |took_ms: u32| {
        let mut model = super::fixture::class(4096, 0.2, 0.1, 9000.0);
        // Without whole calls, it may be as far from the best as can be.
        model.measured.clear();
        let model = model.to_json();
        format!(
            r#"{{"reason":"class-finished","id":"00ff","settled":false,"took_ms":{took_ms},"model":{model}}}"#
        )
    };
    let place = Place::new(
        &[HELLO, INSTANCE, &finished(0)],
        "echo once >> runs; sleep 2.6",
    );
    fs::create_dir_all(place.path("target/tune")).expect("made");
    let earlier = format!("{HELLO}\n{INSTANCE}\n{}\n", finished(60_000));
    fs::write(place.journal(), earlier).expect("written");
    run(&place, &["--budget", "5s"]);
    let runs = fs::read_to_string(place.path("runs")).expect("it ran");
    assert_eq!(runs, "once\n");
}

#[test]
fn what_was_left_for_want_of_time_or_memory_is_said() {
    let over =
        r#"{"reason":"problem","id":"00ff","what":"the time for tuning is over","kind":"budget"}"#;
    let output = run(&Place::new(&[HELLO, INSTANCE, over], ""), &[]);
    assert_eq!(code(&output), 5, "{}", stderr(&output));
    assert!(stderr(&output).contains("time for tuning is over"));
    let large = r#"{"reason":"problem","id":"00ff","what":"dot: copies would take 9 bytes, and 8 may be used","kind":"memory"}"#;
    let output = run(&Place::new(&[HELLO, INSTANCE, large], ""), &[]);
    assert_eq!(code(&output), 4, "{}", stderr(&output));
    assert!(stderr(&output).contains("copies would take 9 bytes"));
    assert!(!stderr(&output).contains("large enough"));
}

/// A size that an earlier run has begun, and that this one does not call.
#[test]
fn what_is_not_called_any_more_is_not_waited_for() {
    let call = r#"{"reason":"call","id":"00ff","elems":100000,"beside_elems":0,"operands":[]}"#;
    let done = r#"{"reason":"class-started","id":"00ff","elems":100000,"beside_elems":0,"units":["cpu"],"points":[100000]}"#;
    let whole = r#"{"reason":"sample","id":"00ff","elems":100000,"beside_elems":0,"unit":"cpu","part_elems":100000,"ns":[1020,1024,1028]}"#;
    let lines = [HELLO, INSTANCE, STARTED, SAMPLE, done, whole];
    assert_eq!(code(&run(&Place::new(&lines, ""), &[])), 5);
    let lines = [&lines[..], &[call]].concat();
    let output = run(&Place::new(&lines, ""), &[]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
}

#[test]
fn oracle_and_list_fail_with_a_program_that_does() {
    let place = Place::new(&[HELLO, INSTANCE, STARTED, SAMPLE], "exit 3");
    for verb in ["oracle", "list"] {
        let output = place.tune(&[verb]).output().expect("it starts");
        assert_ne!(code(&output), 0, "{verb}: {}", stderr(&output));
    }
}

/// A folder whose name is no text: the last line of messages is there all the same.
#[test]
fn paths_that_are_no_text_end_no_message() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new(&[HELLO, INSTANCE], "");
    let name = std::ffi::OsStr::from_bytes(b"a\xffpp");
    let program = place.dir.path().join(name);
    fs::copy(place.path("app"), &program).expect("copied");
    let mut command = super::fake::command(place.dir.path());
    let command = command.args(["run", "--message-format", "json", "--exe"]);
    let output = command.arg(&program).output().expect("it starts");
    let last = stdout(&output);
    let last = last.lines().last().expect("a line");
    assert!(last.contains("tune-finished"), "{}", stderr(&output));
    assert_ne!(code(&output), 101);
}

#[test]
fn a_size_that_was_not_finished_can_be_resumed() {
    let output = run(
        &Place::new(&[HELLO, INSTANCE, STARTED, SAMPLE], ""),
        &["--quick", "--", "9"],
    );
    assert_eq!(code(&output), 5);
    assert!(stderr(&output).contains("0 of 1 sizes"));
    let resume = stderr(&output);
    let resume = resume
        .lines()
        .find(|l| l.contains("resume: "))
        .expect("a way on");
    assert!(
        resume.contains("cargo tune run --exe") && resume.ends_with("--quick -- 9"),
        "{resume}"
    );
}

#[test]
fn a_budget_that_is_too_short_is_told_which_one_would_do() {
    let over = r#"{"reason":"problem","id":"00ff","elems":4096,"beside_elems":0,"kind":"budget","what":"app::dot: the time for it was over; a budget of 95 s would do","would_do_s":95}"#;
    let place = Place::new(&[HELLO, INSTANCE, STARTED, over], "");
    let output = run(&place, &["--budget", "12s", "--", "9"]);
    assert_eq!(code(&output), 5);
    let said = stderr(&output);
    assert!(
        said.contains("warning: app::dot: the time for it was over; a budget of 95 s would do"),
        "{said}"
    );
    let resume = said.lines().find(|l| l.contains("resume: "));
    assert!(
        resume.is_some_and(|l| l.ends_with("--budget 95s -- 9")),
        "{said}"
    );
}

#[test]
fn the_program_is_told_where_and_how() {
    let script = r#"printf '%s\n' "$SKEL_TUNE" "$SKEL_TUNE_OPTIONS" "$@" > told"#;
    let place = Place::new(&[HELLO], script);
    run(
        &place,
        &[
            "--points", "8", "--budget", "1s", "--", "a b", "--size", "3",
        ],
    );
    let told = fs::read_to_string(place.path("told")).expect("it ran");
    assert_eq!(
        told,
        "run\npoints=8,budget_ms=1000,seed=1\na b\n--size\n3\n"
    );
}

#[test]
fn a_pipe_sees_no_escapes_and_names_cannot_bring_them() {
    let evil = INSTANCE.replace("app::dot", "\\u001b[31mevil\\u001b[2J");
    let place = Place::new(&[HELLO, &evil, STARTED, SAMPLE, PROBLEM], "");
    let output = run(&place, &["--show-progress", "counter"]);
    let said = stderr(&output) + &stdout(&output);
    assert!(!said.contains('\u{1b}'), "{said:?}");
    assert!(stderr(&output).contains("warning: load is 9"));
}

#[test]
fn hostile_lines_give_one_warning() {
    let place = Place::new(&[HELLO, "rm -rf", "{}", INSTANCE, "[[[", STARTED], "");
    let said = stderr(&run(&place, &[]));
    let warnings: Vec<&str> = said.lines().filter(|l| l.starts_with("warning")).collect();
    assert_eq!(warnings.len(), 1, "{said}");
    assert!(
        warnings[0].contains("3 lines could not be understood; line 2"),
        "{said}"
    );
}

#[test]
fn a_truncated_journal_is_gone_on_with() {
    let place = Place::new(&[HELLO, INSTANCE, PROBLEM], "");
    let journal = place.journal();
    fs::create_dir_all(journal.parent().expect("a folder")).expect("made");
    let before = [HELLO, INSTANCE, STARTED, SAMPLE].join("\n");
    fs::write(&journal, format!("{before}\n{}", &SAMPLE[..30])).expect("written");
    let output = run(&place, &[]);
    assert_eq!(code(&output), 5, "{}", stderr(&output));
    let after = fs::read_to_string(&journal).expect("there");
    assert_eq!(after, format!("{before}\n{HELLO}\n{INSTANCE}\n{PROBLEM}\n"));
    assert!(!stderr(&output).contains("could not be understood"));
}

#[test]
fn what_another_machine_has_measured_is_measured_anew() {
    let place = Place::new(&[HELLO, INSTANCE, STARTED], "echo once >> runs");
    let journal = place.journal();
    fs::create_dir_all(journal.parent().expect("a folder")).expect("made");
    let other = HELLO.replace("\"threads\":8", "\"threads\":2");
    fs::write(&journal, format!("{other}\n{INSTANCE}\n")).expect("written");
    let output = run(&place, &[]);
    assert!(
        stderr(&output).contains("measuring anew"),
        "{}",
        stderr(&output)
    );
    let runs = fs::read_to_string(place.path("runs")).expect("it ran");
    assert_eq!(runs, "once\n", "the program passes over what is void");
    // Next time, it is the earlier run that counts.
    let output = run(&place, &[]);
    assert!(!stderr(&output).contains("measuring anew"));
}

#[test]
fn force_begins_anew() {
    let place = Place::new(&[HELLO], "");
    let journal = place.journal();
    fs::create_dir_all(journal.parent().expect("a folder")).expect("made");
    fs::write(&journal, format!("{HELLO}\n{INSTANCE}\n{STARTED}\n")).expect("written");
    assert_eq!(
        code(&run(&place, &[])),
        5,
        "the class of the earlier run is still open"
    );
    assert_eq!(code(&run(&place, &["--force"])), 4);
    assert_eq!(
        fs::read_to_string(&journal).expect("there"),
        format!("{HELLO}\n")
    );
}

#[test]
fn force_keeps_what_was_measured_if_the_program_fails_at_once() {
    let place = Place::silent("exit 3");
    let journal = place.journal();
    fs::create_dir_all(journal.parent().expect("a folder")).expect("made");
    let before = format!("{HELLO}\n{INSTANCE}\n{STARTED}\n");
    fs::write(&journal, &before).expect("written");
    let output = run(&place, &["--force"]);
    assert_eq!(code(&output), 104, "{}", stderr(&output));
    assert_eq!(fs::read_to_string(&journal).expect("there"), before);
    let folder = fs::read_dir(journal.parent().expect("a folder")).expect("a folder");
    let names = folder.map(|entry| entry.expect("an entry").file_name());
    let names: Vec<String> = names.map(|n| n.to_string_lossy().into_owned()).collect();
    assert!(
        !names.iter().any(|n| n.ends_with("unfinished")),
        "{names:?}"
    );
}

#[test]
fn a_unit_that_does_not_exist_is_refused_with_the_names() {
    let place = Place::new(&[HELLO], "touch ran");
    fs::create_dir_all(place.path("target/tune")).expect("made");
    // The program has said before which devices it had: others may be there now.
    fs::write(place.journal(), format!("{HELLO}\n")).expect("written");
    let output = run(&place, &["--device", "b"]);
    assert_eq!(code(&output), 103, "{}", stderr(&output));
    let said = stderr(&output);
    assert!(
        said.contains("`b`") && said.contains("cpu, seq") && !said.contains("mock:a#0"),
        "{said}"
    );
    assert!(!place.path("ran").exists());
    let told = Place::new(&[HELLO], r#"printf '%s\n' "$SKEL_TUNE_OPTIONS" > told"#);
    run(&told, &["--device", "mock:a#0", "--device", "cpu"]);
    let options = fs::read_to_string(told.path("told")).expect("it ran");
    assert_eq!(options, "seed=1,units=mock:a#0;cpu\n");
}

#[test]
fn errors_end_with_a_message_too() {
    let output = run(&Place::silent("exit 3"), &["--message-format", "json"]);
    let last = stdout(&output).lines().last().map(str::to_owned);
    let last: serde_json::Value = serde_json::from_str(&last.expect("lines")).expect("JSON");
    assert_eq!(
        (&last["reason"], &last["exit"]),
        (&"tune-finished".into(), &104.into())
    );
    assert!(
        last["error"].as_str().is_some_and(|e| e.contains("skel")),
        "{last}"
    );
}

#[test]
fn messages_are_lines_of_json_and_the_program_s_words_are_not_among_them() {
    let place = Place::new(&[HELLO, INSTANCE, STARTED, SAMPLE], "echo 42");
    let output = run(&place, &["--message-format", "json"]);
    let reasons: Vec<String> = stdout(&output)
        .lines()
        .map(|line| {
            let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
            value["reason"].as_str().expect("a reason").to_string()
        })
        .collect();
    assert_eq!(
        reasons[..4],
        ["tune-started", "build-finished", "instance", "sample"]
    );
    assert!(stderr(&output).contains("42"));
    let human = run(&place, &[]);
    assert!(stdout(&human).contains("42"));
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let place = Place::new(&[HELLO], "");
    fs::write(place.path("target"), "a file").expect("written");
    let output = run(&place, &[]);
    assert_eq!(code(&output), 110);
    assert!(
        stderr(&output).contains("target/tune"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn what_cannot_be_understood_is_a_usage_error() {
    let place = Place::silent("");
    assert_eq!(code(&run(&place, &["--sizes", "7"])), 2);
    assert_eq!(code(&run(&place, &["--no-such-flag"])), 2);
    let mut none = super::fake::command(place.dir.path());
    let output = none
        .args(["run", "--exe", "nothing"])
        .output()
        .expect("it starts");
    assert_eq!(code(&output), 2, "{}", stderr(&output));
}
