//! `SKEL_TRACE`: a program of its own writes the file, which is then read as any viewer would.

use serde_json::Value;
use skel::{Context, mock::Mock, observe, prelude::*};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::{Command, Output},
};

const N: usize = 100_000;

#[user_function]
fn triple(x: u32) -> u32 {
    3 * x
}

/// The program that is traced. By itself, it only checks its results.
#[test]
fn child() {
    let mut builder = Context::builder();
    for name in ["mock \"a\"", "mock\\b\n"] {
        builder = builder.unit(Mock::named(name).unit().unwrap());
    }
    let context = builder.build().unwrap();
    let map = map!(triple).within(context.clone()).named("the \"map\"");
    let sum = reduce!(|a: u32, b: u32| a + b).within(context.clone());
    let sums = scan!(|a: u32, b: u32| a + b).within(context.clone());
    let x = Vector::from(vec![1_u32; N]);
    let (_, calls) = observe(|| {
        let y = map.on(Hybrid::ratio(0.4)).run((&x,)).unwrap();
        assert_eq!(sum.on(Hybrid::ratio(0.2)).run((&y,)).unwrap(), 300_000);
        let sums = sums.on(Hybrid::shares([1.0, 1.0, 1.0])).run((&y,)).unwrap();
        assert_eq!(sums.host().unwrap()[N - 1], 300_000);
    });
    let cpu: usize = calls
        .iter()
        .flat_map(|call| &call.parts)
        .filter(|part| part.unit_index == 1)
        .map(|part| part.range.len())
        .sum();
    let traffic = context.traffic();
    let nanos: u128 = calls.iter().map(|call| call.elapsed.as_nanos()).sum();
    println!(
        "\nobserved {cpu} {} {} {nanos}",
        traffic.uploaded_bytes, traffic.downloaded_bytes
    );
    if std::env::var_os("SKEL_TEST_ABORT").is_some() {
        std::process::abort();
    }
}

fn run(file: &Path, abort: bool) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["trace::child", "--exact", "--nocapture", "--test-threads=1"])
        .env("SKEL_TRACE", file);
    if abort {
        command.env("SKEL_TEST_ABORT", "1");
    }
    command.output().unwrap()
}

fn path(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("trace");
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(format!("{name}-{}.json", std::process::id()))
}

fn read(file: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(file).unwrap();
    std::fs::remove_file(file).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// An event that took time, in nanoseconds.
#[derive(Clone, Debug)]
struct Event {
    category: String,
    name: String,
    from: u64,
    to: u64,
    args: Value,
}

/// The events of each lane, by its name.
fn lanes(events: &[Value]) -> BTreeMap<String, Vec<Event>> {
    let mut names = BTreeMap::new();
    for event in events.iter().filter(|event| event["name"] == "thread_name") {
        let name = event["args"]["name"].as_str().unwrap().to_owned();
        assert!(names.insert(event["tid"].as_u64().unwrap(), name).is_none());
    }
    let mut lanes = BTreeMap::<String, Vec<Event>>::new();
    for event in events.iter().filter(|event| event["ph"] == "X") {
        let nanos = |key: &str| (event[key].as_f64().unwrap() * 1000.0).round() as u64;
        let lane = &names[&event["tid"].as_u64().unwrap()];
        lanes.entry(lane.clone()).or_default().push(Event {
            category: event["cat"].as_str().unwrap().into(),
            name: event["name"].as_str().unwrap().into(),
            from: nanos("ts"),
            to: nanos("ts") + nanos("dur"),
            args: event["args"].clone(),
        });
    }
    lanes
}

fn number(event: &Event, key: &str) -> u64 {
    event.args[key].as_u64().unwrap()
}

/// Events of one lane contain each other, or follow each other.
fn assert_nested(lane: &str, events: &[Event]) {
    for (k, a) in events.iter().enumerate() {
        for b in &events[..k] {
            let apart = a.to <= b.from || b.to <= a.from;
            let within = |a: &Event, b: &Event| b.from <= a.from && a.to <= b.to;
            assert!(
                apart || within(a, b) || within(b, a),
                "{lane}: {a:?} and {b:?}"
            );
        }
    }
}

#[test]
fn a_trace_shows_what_ran_where() {
    let file = path("whole");
    let output = run(&file, false);
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    let observed = said.lines().find_map(|line| line.strip_prefix("observed "));
    let observed: Vec<u64> = observed
        .unwrap()
        .split(' ')
        .map(|number| number.parse().unwrap())
        .collect();
    let events = read(&file);
    let lanes = lanes(&events);
    for (lane, events) in &lanes {
        assert_nested(lane, events);
    }
    let all: Vec<&Event> = lanes.values().flatten().collect();
    let of = |category: &str| {
        let events = all.iter().filter(|event| event.category == category);
        events.copied().collect::<Vec<&Event>>()
    };

    let mut calls = of("call");
    calls.sort_by_key(|call| call.from);
    let names: Vec<&str> = calls.iter().map(|call| &*call.name).collect();
    assert_eq!(names.len(), 3);
    assert_eq!(names[0], "the \"map\"");
    assert_eq!(calls[0].args["target"], "hybrid:0.4");
    assert!(calls.iter().all(|call| number(call, "elems") == N as u64));

    // Each piece is within one call; together they are what the CPU had, and what devices did is the rest.
    let elems = |event: &&&Event| number(event, "to") - number(event, "from");
    let pieces = of("piece");
    for piece in &pieces {
        let within = |call: &&&Event| call.from <= piece.from && piece.to <= call.to;
        assert_eq!(calls.iter().filter(within).count(), 1, "{piece:?}");
    }
    let written = pieces.iter().filter(|piece| piece.name == "elements");
    assert_eq!(written.map(|piece| elems(&piece)).sum::<u64>(), observed[0]);
    let launches = of("launch");
    let local = launches
        .iter()
        .filter(|launch| launch.args["phase"] == "local");
    assert_eq!(
        local.map(|launch| elems(&launch)).sum::<u64>(),
        3 * N as u64 - observed[0]
    );
    let bytes = |name: &str| {
        let events = of("transfer")
            .into_iter()
            .filter(|event| event.name == name);
        events.map(|event| number(event, "bytes")).sum::<u64>()
    };
    assert_eq!(
        (bytes("upload"), bytes("download")),
        (observed[1], observed[2])
    );
    // The observer looks at the clock just inside of the trace.
    let traced: u64 = calls.iter().map(|call| call.to - call.from).sum();
    assert!(traced >= observed[3], "{traced} {observed:?}");

    for device in ["mock \"a\"", "mock\\b\n"] {
        for (what, category) in [
            ("uploads", "transfer"),
            ("kernels", "launch"),
            ("downloads", "transfer"),
        ] {
            let events = &lanes[&format!("{device}: {what}")];
            assert!(events.iter().any(|event| event.category == category));
        }
    }
    let callers = lanes.keys().filter(|lane| lane.starts_with("thread "));
    assert_eq!(callers.count(), 1);
}

#[test]
fn a_program_that_is_killed_leaves_a_whole_array() {
    let file = path("killed");
    assert!(!run(&file, true).status.success());
    let events = read(&file);
    let calls = events.iter().filter(|event| event["cat"] == "call");
    assert_eq!(calls.count(), 3);
}

#[test]
fn a_file_that_cannot_be_written_is_said_once() {
    let file = PathBuf::from("/nonexistent folder/t.json");
    let output = run(&file, false);
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said.matches("SKEL_TRACE").count(), 1, "{said}");
    assert!(said.contains("/nonexistent folder/t.json"), "{said}");
}

#[test]
fn a_percent_p_is_the_process() {
    let file = path("%p");
    assert!(run(&file, false).status.success());
    assert!(!file.exists());
    let folder = file.parent().unwrap();
    let ours = format!("-{}.json", std::process::id());
    let found: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy();
            name.strip_suffix(&ours)
                .is_some_and(|pid| pid.bytes().all(|b| b.is_ascii_digit()))
        })
        .collect();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(read(&found[0]).len() > 3);
}
