//! Ctrl-C.

use super::fake::{HELLO, INSTANCE, Place, STARTED, stderr, stdout};
use std::{
    fs::File,
    io::Read,
    path::Path,
    process::{Child, Command, Stdio},
    thread::sleep,
    time::Duration,
};

/// Waits for a file that the program writes when it runs.
fn wait_for(path: &Path) {
    for _ in 0..3000 {
        if path.exists() {
            return;
        }
        sleep(Duration::from_millis(10));
    }
    panic!("{} never came", path.display());
}

fn interrupt(child: &Child) {
    let id = child.id().to_string();
    let status = Command::new("kill").args(["-INT", &id]).status();
    assert!(status.expect("there is kill").success());
}

fn start(place: &Place) -> Child {
    let mut command = place.tune(&["run"]);
    // To a file: no other process that has it open keeps us from reading its end.
    let said = File::create(place.path("said")).expect("a file");
    let child = command.stderr(said).stdout(Stdio::null()).spawn();
    let child = child.expect("it starts");
    wait_for(&place.path("running"));
    child
}

fn said(place: &Place) -> String {
    let mut text = String::new();
    let mut file = File::open(place.path("said")).expect("a file");
    file.read_to_string(&mut text).expect("text");
    text
}

#[test]
fn once_it_stops_and_says_how_to_go_on() {
    let script = "touch running\nexec sleep 600";
    let place = Place::new(&[HELLO, INSTANCE, STARTED], script);
    let mut child = start(&place);
    interrupt(&child);
    let status = child.wait().expect("it ends");
    assert_eq!(status.code(), Some(5), "{}", said(&place));
    assert!(said(&place).contains("resume: cargo tune run --exe"));
}

#[test]
fn a_program_that_hears_nothing_is_ended() {
    let script = "trap '' INT\ntouch running\nwhile :; do sleep 0.1; done";
    let place = Place::new(&[HELLO, INSTANCE, STARTED], script);
    let mut child = start(&place);
    interrupt(&child);
    assert_eq!(child.wait().expect("it ends").code(), Some(5));
}

#[test]
fn twice_all_ends() {
    let script = "trap '' INT\ntouch running\nwhile :; do sleep 0.1; done";
    let place = Place::new(&[HELLO, INSTANCE, STARTED], script);
    let mut child = start(&place);
    interrupt(&child);
    sleep(Duration::from_millis(200));
    interrupt(&child);
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
}

/// What a program writes before it compiles kernels: neither units nor sizes are known.
const BEGUN: &str = r#"{"reason":"class-started","id":"00ff","elems":4096,"beside_elems":0,"units":[],"points":[]}"#;

#[test]
fn what_was_begun_is_partial_however_early_it_was_stopped() {
    let script = "[ \"$SKEL_TUNE\" = list ] && exit 0\ntouch running\nexec sleep 600";
    let place = Place::new(&[HELLO, INSTANCE, BEGUN], script);
    let mut child = start(&place);
    interrupt(&child);
    assert_eq!(child.wait().expect("it ends").code(), Some(5));
    let output = place.tune(&["list"]).output().expect("it starts");
    let listed = stdout(&output);
    assert!(listed.contains("partial"), "{listed}{}", stderr(&output));
    assert!(!listed.contains("missing"), "{listed}");
}
