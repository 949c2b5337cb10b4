//! What passes, and what does not.

use super::{
    super::environment::test::{Site, file, machine},
    *,
};
use skel::model::UnitId;

fn said(site: &Site, files: &[PathBuf]) -> CommandOutput {
    let options = CheckOptions {
        files: files.to_vec(),
        ..CheckOptions::default()
    };
    run(&options, &site.here(), Style::PLAIN).unwrap()
}

#[test]
fn what_fits_passes() {
    let site = Site::with(&["app::dot"]);
    let CommandOutput { text, exit } = said(&site, &[]);
    assert_eq!(
        (text.as_str(), exit),
        ("ok: app::dot: good\n1 ok\n", Exit::Ok)
    );
}

#[test]
fn another_driver_passes_and_a_missing_device_does_not() {
    let mut site = Site::with(&["app::dot"]);
    site.machine.devices[0].driver = "2.0".into();
    let CommandOutput { text, exit } = said(&site, &[]);
    assert_eq!(
        text,
        "changed: app::dot: mock:a#0 had driver `1.0`, and has `2.0`\n1 changed\n"
    );
    assert_eq!(exit, Exit::Ok);
    site.machine.devices.clear();
    let CommandOutput { text, exit } = said(&site, &[]);
    assert_eq!(
        text,
        "stale: app::dot: measured with mock:a#0, which is not there\n1 stale\n"
    );
    assert_eq!(exit, Exit::CheckFailed);
}

#[test]
fn a_file_should_serve_the_machine_and_a_folder_serves_several() {
    let mut site = Site::with(&["app::dot"]);
    let mine = site.file("mine.json", &file(vec![machine(&["app::dot"])]).to_text());
    site.machine.threads = 8;
    let CommandOutput { text, exit } = said(&site, &[]);
    assert_eq!(
        text,
        "elsewhere: app::dot: measured on Chip, 4 threads\n1 elsewhere\n"
    );
    assert_eq!(exit, Exit::Ok);
    let CommandOutput { text, exit } = said(&site, std::slice::from_ref(&mine));
    assert!(
        text.contains("it says nothing of this machine: Chip, 8 threads"),
        "{text}"
    );
    assert_eq!(exit, Exit::CheckFailed);
    // One that speaks of both does.
    let mut other = machine(&["app::dot"]);
    other.fingerprint.threads = 8;
    let both = file(vec![machine(&["app::dot"]), other]);
    let both = site.file("both.json", &both.to_text());
    assert_eq!(said(&site, &[both]).exit, Exit::Ok);
}

/// Tuned with a device, and again without it.
#[test]
fn a_model_for_a_device_that_is_gone_passes_where_another_one_is_used() {
    let mut site = Site::with(&["app::dot"]);
    site.machine.devices.clear();
    assert_eq!(said(&site, &[]).exit, Exit::CheckFailed);
    let mut again = machine(&["app::dot"]);
    again.fingerprint.devices.clear();
    let instance = &mut again.instances[0];
    instance.chain.clear();
    instance.classes[0].best = Some(vec![(UnitId::Cpu, 1.0)]);
    let both = |again: &MachineModels| file(vec![machine(&["app::dot"]), again.clone()]).to_text();
    let path = site.file("both.json", &both(&again));
    let CommandOutput { text, exit } = said(&site, &[path]);
    assert_eq!(
        text,
        "elsewhere: app::dot: measured with mock:a#0, which is not there\nok: app::dot: good\n\
         1 ok, 1 elsewhere\n"
    );
    assert_eq!(exit, Exit::Ok);
    // One of other code, or of other threads, does not serve.
    let mut other = again.clone();
    other.instances[0].key.hash = 2;
    let path = site.file("code.json", &both(&other));
    assert_eq!(said(&site, &[path]).exit, Exit::CheckFailed);
    again.fingerprint.threads = 8;
    let path = site.file("threads.json", &both(&again));
    assert_eq!(said(&site, &[path]).exit, Exit::CheckFailed);
}

#[test]
fn hostile_files_fail_with_a_place() {
    let site = Site::with(&[]);
    let good = file(vec![machine(&["app::dot"])]).to_text();
    let texts = [
        (
            good.replacen("0.25", "7", 1),
            "best[0][1]: expected a number from 0.0 to 1.0, found 7",
        ),
        (
            good.replacen("\"seed\": 7", "\"seed\": 7, \"seed\": 8", 1),
            "this name stands twice",
        ),
        (
            good.replacen("skel.tune/1", "skel.tune/2", 1),
            "schema `skel.tune/2`",
        ),
        (
            good.replacen("\"seed\": 7", "\"seed\": null", 1),
            "seed: expected a whole number",
        ),
        ("[".repeat(1000), "more than 32 lists"),
    ];
    for (text, problem) in texts {
        let path = site.file("hostile.json", &text);
        let CommandOutput { text, exit } = said(&site, &[path]);
        assert!(text.contains(problem), "{problem} is not in {text}");
        assert_eq!(exit, Exit::CheckFailed);
    }
}

#[test]
fn programs_get_a_line_each() {
    let site = Site::with(&["app::dot", "app::blur"]);
    let options = CheckOptions {
        message_format: MessageFormat::Json,
        ..CheckOptions::default()
    };
    let text = run(&options, &site.here(), Style::PLAIN).unwrap().text;
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let lines: Vec<serde_json::Value> = lines.collect();
    assert_eq!(lines.len(), 2);
    assert!(
        lines
            .iter()
            .all(|l| l["reason"] == "checked" && l["state"] == "ok")
    );
    assert_eq!(lines[0]["id"].as_str().unwrap().len(), 32);
}

#[test]
fn without_files_there_is_nothing_to_check() {
    let site = Site::with(&[]);
    let failure = run(&CheckOptions::default(), &site.here(), Style::PLAIN).unwrap_err();
    assert_eq!(failure.exit, Exit::NothingTunable);
}
