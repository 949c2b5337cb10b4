use crate::{Curve, Fit, Quality, RecordedRole, UnitModel, journal::*};

const HELLO: &str = r#"{"reason":"journal","proto":1,"skel":"0.1.0","pid":7,"fingerprint":{"cpu":"Chip 9","threads":8,"devices":[{"id":"mock:a#0","name":"a","driver":"1"}]}}"#;
const INSTANCE: &str = r#"{"reason":"instance","id":"00ff","key":{"name":"app::dot","pattern":"MapReduce","elements":"f32","hash":"0123456789abcdef0123456789abcdef"}}"#;
const STARTED: &str = r#"{"reason":"class-started","id":"00ff","elems":4096,"beside_elems":0,"units":["cpu","mock:a#0"],"points":[64,4096]}"#;
const SAMPLE: &str = r#"{"reason":"sample","id":"00ff","elems":4096,"beside_elems":0,"unit":"cpu","part_elems":64,"ns":[10.5,11,12]}"#;
const SPLIT: &str = r#"{"reason":"split","id":"00ff","elems":4096,"beside_elems":0,"shares":[["cpu",0.25],["mock:a#0",0.75]],"ns":[100]}"#;
const CALL: &str = r#"{"reason":"call","id":"00ff","elems":4096,"beside_elems":0,"operands":[{"buffer":7,"role":"write","elems":4096,"bytes_per_elem":4}]}"#;
const READ: &str = r#"{"reason":"read","buffer":7,"from":0,"to":100}"#;

fn journal(lines: &[&str]) -> Journal {
    let mut text = lines.join("\n");
    text.push('\n');
    Journal::read(text.as_bytes()).expect("memory reads")
}

#[test]
fn what_block_configurations_took_is_kept_by_device() {
    let line = r#"{"reason":"blocks","id":"00ff","elems":4096,"beside_elems":0,"unit":"mock:a#0","blocks":[{"block":{"lanes":256,"elems_per_lane":1},"median_ns":90.5},{"block":{"lanes":128,"elems_per_lane":4},"median_ns":70}]}"#;
    let whole = journal(&[HELLO, INSTANCE, STARTED, line]);
    assert_eq!(whole.skipped, None);
    let class = &whole.instances["00ff"].classes[&(4096, 0)];
    let gpu = UnitId::device("mock", "a", 0);
    let block = |lanes, elems_per_lane| BlockConfig {
        lanes,
        elems_per_lane,
    };
    assert_eq!(
        class.blocks[&gpu],
        [(block(256, 1), 90.5), (block(128, 4), 70.0)]
    );
    // Of a later measurement, all counts.
    let again = line.replace("90.5", "91");
    let again = journal(&[HELLO, INSTANCE, line, &again]);
    let class = &again.instances["00ff"].classes[&(4096, 0)];
    assert_eq!(class.blocks[&gpu][0].1, 91.0);
    for (part, by) in [
        ("90.5", "-1"),
        ("256", "-256"),
        ("\"lanes\"", "\"planes\""),
        ("mock:a#0", ""),
    ] {
        let hostile = journal(&[HELLO, INSTANCE, &line.replace(part, by)]);
        assert_eq!(hostile.skipped.expect("one").first, 3, "{part}");
    }
}

#[test]
fn every_kind_of_line_is_understood() {
    let transfer = r#"{"reason":"transfer","unit":"mock:a#0","model":{"up_latency_ns":1,"up_ns_per_byte":0.1,"down_latency_ns":2,"down_ns_per_byte":0.2}}"#;
    let problem = r#"{"reason":"problem","id":"00ff","what":"load 9","kind":"busy"}"#;
    let expected =
        r#"{"reason":"expected","id":"00ff","elems":4096,"beside_elems":0,"needs_ms":1500}"#;
    let journal = journal(&[
        HELLO, INSTANCE, STARTED, SAMPLE, expected, SPLIT, CALL, READ, transfer, problem,
    ]);
    assert_eq!(journal.skipped, None);
    assert_eq!(journal.fingerprint().expect("a machine").threads, 8);
    let instance = &journal.instances["00ff"];
    assert_eq!(instance.key.hash, 0x0123_4567_89ab_cdef_0123_4567_89ab_cdef);
    let class = &instance.classes[&(4096, 0)];
    assert_eq!(class.evidence.points()[0].runs_ns, [10.5, 11.0, 12.0]);
    let sizes = vec![(UnitId::Cpu, 1024), (UnitId::device("mock", "a", 0), 3072)];
    assert_eq!(class.evidence.runs_ns(&Measurement::Split(sizes)), [100.0]);
    assert_eq!(journal.problems[0].kind, ProblemKind::Busy);
    assert_eq!(journal.transfers.len(), 1);
    let Event::Call(call) = &journal.events()[0] else {
        panic!("{:?}", journal.events());
    };
    assert_eq!(call.operands[0].role, RecordedRole::Write);
    assert_eq!(journal.finished(), (0, 1));
}

#[test]
fn a_line_that_is_cut_off_is_no_error_at_any_byte() {
    let whole = [HELLO, INSTANCE, STARTED].join("\n") + "\n";
    for end in 0..SAMPLE.len() {
        let text = format!("{whole}{}", &SAMPLE[..end]);
        let journal = Journal::read(text.as_bytes()).expect("memory reads");
        assert_eq!(journal.skipped, None, "{end} bytes");
        assert!(
            journal.instances["00ff"].classes[&(4096, 0)]
                .evidence
                .points()
                .is_empty()
        );
    }
}

#[test]
fn hostile_lines_are_skipped_and_counted() {
    let deep = format!("{}{}", "[".repeat(1000), "]".repeat(1000));
    let hostile = [
        "not JSON",
        "null",
        "[]",
        "{}",
        r#"{"reason":7}"#,
        r#"{"reason":"launch-missiles"}"#,
        &SAMPLE.replace("10.5", "1e400"),
        &SAMPLE.replace("10.5", "-1"),
        &SAMPLE.replace("[10.5,11,12]", "[]"),
        &SAMPLE.replace("\"cpu\"", "\"abacus\""),
        &SAMPLE.replace("64", "-64"),
        &SAMPLE.replace("00ff", "0bad"),
        &SPLIT.replace("0.25", "7"),
        &SPLIT.replace("0.25", "null"),
        &SPLIT.replace("0.25", "1"),
        &SPLIT.replace("0.25", "0.01"),
        &SPLIT.replace("cpu", "mock:a#0"),
        &SAMPLE.replace("\"part_elems\":64", "\"part_elems\":4097"),
        &CALL.replace("write", "steal"),
        &deep,
        "\u{0}\u{1b}[31m",
        // The last one: what follows it is another process's.
        r#"{"reason":"journal","proto":2}"#,
    ];
    let mut lines = vec![HELLO, INSTANCE, STARTED];
    lines.extend(hostile);
    lines.extend([HELLO, SAMPLE]);
    let journal = journal(&lines);
    let skipped = journal.skipped.expect("skipped");
    assert_eq!((skipped.lines, skipped.first), (hostile.len(), 4));
    assert_eq!(
        journal.instances["00ff"].classes[&(4096, 0)]
            .evidence
            .runs(),
        3
    );
}

/// The pieces of a call that are run again have to be all of it.
#[test]
fn shares_that_were_rounded_are_of_all_elements() {
    for (cpu, device) in [(0.2, 0.75), (0.3, 0.75), (1.0, 0.1), (0.0, 0.9)] {
        let line = SPLIT
            .replace("0.25", &f64::to_string(&cpu))
            .replace("0.75", &f64::to_string(&device));
        let Ok(Line::Split { split, .. }) = Line::parse(line.as_bytes()) else {
            panic!("{line}");
        };
        for elems in [0, 1, 2, 4095, 4096, usize::MAX] {
            let sizes = split.sizes(elems);
            let all = sizes.iter().map(|(_, n)| *n as u128).sum::<u128>();
            assert_eq!(all, elems as u128, "{cpu} and {device}: {sizes:?}");
        }
    }
}

#[test]
fn a_line_without_end_is_not_kept() {
    let mut text = [HELLO, INSTANCE].join("\n") + "\n";
    text.push_str(&"x".repeat(LINE_CAP_BYTES as usize + 10));
    text.push('\n');
    text.push_str(STARTED);
    text.push('\n');
    let journal = Journal::read(text.as_bytes()).expect("memory reads");
    assert_eq!(journal.finished(), (0, 1));
    assert_eq!(journal.skipped.expect("one").lines, 1);
}

#[test]
fn a_second_process_goes_on_and_begins_its_calls_anew() {
    let journal = journal(&[
        HELLO, INSTANCE, STARTED, SAMPLE, CALL, HELLO, INSTANCE, READ,
    ]);
    assert_eq!(
        journal.instances["00ff"].classes[&(4096, 0)]
            .evidence
            .runs(),
        3
    );
    assert_eq!(journal.events().len(), 1);
}

#[test]
fn commands_are_remembered_once_and_only_of_this_machine() {
    let by =
        |command: &str| HELLO.replace("\"pid\":7", &format!("\"pid\":7,\"command\":\"{command}\""));
    let [a, b] = ["run a", "run b"].map(by);
    assert_eq!(journal(&[HELLO]).commands, [""; 0]);
    assert_eq!(journal(&[&a, &b, &a, HELLO]).commands, ["run b", "run a"]);
    let other = b.replace("\"threads\":8", "\"threads\":4");
    assert_eq!(journal(&[&a, &other]).commands, ["run b"]);
    let many: Vec<String> = (0..9).map(|k| by(&k.to_string())).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(journal(&many).commands, ["5", "6", "7", "8"]);
    let skipped = journal(&[&HELLO.replace("\"pid\":7", "\"command\":7")]).skipped;
    assert!(skipped.expect("one").why.contains("`command`"));
}

#[test]
fn what_a_program_carries_is_what_it_says_last() {
    let says =
        |embedded: &str| INSTANCE.replace("\"key\"", &format!("\"embedded\":{embedded},\"key\""));
    let tuned = says(r#"{"state":"tuned","why":""}"#);
    let later = says(r#"{"state":"of later versions","why":"so"}"#);
    let embedded = |lines: &[&str]| journal(lines).instances["00ff"].embedded.clone();
    assert_eq!(embedded(&[HELLO, INSTANCE]), None);
    let state = |lines: &[&str]| embedded(lines).map(|embedded| embedded.state);
    assert_eq!(
        state(&[HELLO, INSTANCE, &tuned]),
        Some(EmbeddedState::Tuned)
    );
    assert_eq!(
        state(&[HELLO, &tuned, HELLO, &later]),
        Some(EmbeddedState::Broken)
    );
    assert_eq!(state(&[HELLO, &tuned, HELLO, INSTANCE]), None);
    assert!(journal(&[HELLO, &says("7")]).skipped.is_some());
}

#[test]
fn what_another_machine_measured_is_void() {
    let other = HELLO.replace("\"threads\":8", "\"threads\":4");
    let journal = journal(&[HELLO, INSTANCE, STARTED, SAMPLE, &other, INSTANCE]);
    assert!(journal.voided);
    assert!(journal.instances["00ff"].classes.is_empty());
}

fn finished(fields: &str) -> String {
    let fit = Fit {
        curve: Curve::line(1.0, 0.0),
        slope_ns: 1.0,
        latency_ns: 0.0,
        slope_ci: (0.9, 1.1),
        relative_rms: 0.0,
        r2: 1.0,
        quality: Quality::Good,
    };
    let unit = UnitModel {
        unit: UnitId::Cpu,
        fit,
        samples: Vec::new(),
        block: None,
    };
    let model = ClassModel {
        elems: 4096,
        beside_elems: 0,
        units: vec![unit],
        split_overhead_ns: 0.0,
        measured: Vec::new(),
        best: None,
        quality: Quality::Good,
    };
    let model = model.to_json();
    format!(r#"{{"reason":"class-finished","id":"00ff","model":{model}{fields}}}"#)
}

#[test]
fn a_long_program_can_be_gone_on_with_time_and_again() {
    let mut journal = Journal::default();
    let call = Line::parse(CALL.as_bytes()).expect("a call");
    for _ in 0..3 {
        assert!(journal.take(1, HELLO.as_bytes()).is_some());
        assert_eq!(journal.processes.speaks(None), Ok(()));
        for _ in 0..100_000 {
            assert_eq!(journal.add(call.clone()), Ok(()));
        }
    }
    assert_eq!(journal.events().len(), 100_000);
    // Nor is the end lost of one that does not end.
    while journal.add(call.clone()).is_ok() {
        assert!(journal.processes.kept <= ENTRY_CAP);
    }
    assert!(journal.take(1, INSTANCE.as_bytes()).is_some());
    assert!(journal.take(1, finished("").as_bytes()).is_some());
    assert!(journal.take(1, HELLO.as_bytes()).is_some());
    assert_eq!(journal.finished(), (1, 1));
    assert_eq!(journal.events(), []);
}

#[test]
fn more_measurements_than_anyone_makes_are_not_kept() {
    let mut journal = journal(&[HELLO, INSTANCE]);
    let sample = Line::parse(SAMPLE.as_bytes()).expect("a sample");
    for _ in 0..ENTRY_CAP {
        assert_eq!(journal.add(sample.clone()), Ok(()));
    }
    let error = journal.add(sample).expect_err("too many");
    assert!(error.contains("200000"), "{error}");
    assert!(journal.take(1, finished("").as_bytes()).is_some());
}

#[test]
fn drift_is_what_the_program_says() {
    let drift = |fields: &str| {
        let journal = journal(&[HELLO, INSTANCE, &finished(fields)]);
        let class = journal.instances["00ff"].classes.get(&(4096, 0));
        class.map(ClassJournal::drift)
    };
    assert_eq!(drift(r#","drift":0.013"#), Some(0.013));
    assert_eq!(drift(""), Some(0.0));
    assert_eq!(drift(r#","drift":-1"#), None);
    assert_eq!(drift(r#","drift":"much""#), None);
}

#[test]
fn a_class_is_open_if_the_last_process_said_so() {
    let open = |fields: &[&str]| {
        let lines = fields.iter().map(|fields| finished(fields));
        let lines: Vec<String> = [HELLO, INSTANCE]
            .map(String::from)
            .into_iter()
            .chain(lines)
            .collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let journal = journal(&lines);
        let class = &journal.instances["00ff"].classes[&(4096, 0)];
        (class.is_open(), journal.measuring().as_millis())
    };
    // Journals of earlier versions say nothing of it.
    assert_eq!(open(&[""]), (false, 0));
    assert_eq!(open(&[r#","settled":false,"took_ms":7"#]), (true, 7));
    let twice = [
        r#","settled":false,"took_ms":7"#,
        r#","settled":true,"took_ms":5"#,
    ];
    assert_eq!(open(&twice), (false, 12));
    assert_eq!(
        journal(&[HELLO, INSTANCE, &finished(r#","settled":3"#)])
            .skipped
            .map(|s| s.lines),
        Some(1)
    );
}

/// A line of the process of this number.
fn by(pid: u64, line: &str) -> String {
    line.replacen("\"pid\":7,", "", 1)
        .replacen('{', &format!("{{\"pid\":{pid},"), 1)
}

fn lines(lines: &[String]) -> Journal {
    journal(&lines.iter().map(String::as_str).collect::<Vec<_>>())
}

fn runs(journal: &Journal) -> usize {
    journal.instances["00ff"].classes[&(4096, 0)]
        .evidence
        .runs()
}

/// It may run on any machine.
#[test]
fn nothing_counts_of_a_process_whose_greeting_is_not_understood() {
    let later = HELLO.replace("\"proto\":1", "\"proto\":2");
    let unnamed = HELLO.replace("mock:a#0", ":a#0");
    for other in [&later, &unnamed] {
        let between = journal(&[HELLO, INSTANCE, STARTED, SAMPLE, other, INSTANCE, SAMPLE]);
        assert_eq!(runs(&between), 3, "{other}");
        assert_eq!(between.skipped.expect("some").lines, 3);
        // The next one is known again.
        let after = journal(&[
            HELLO, INSTANCE, STARTED, SAMPLE, other, SAMPLE, HELLO, SAMPLE,
        ]);
        assert_eq!(runs(&after), 6, "{other}");
        // What another process says meanwhile counts.
        let beside = [HELLO, INSTANCE, STARTED, SAMPLE].map(|line| by(7, line));
        let stranger = [&**other, SAMPLE].map(|line| by(8, line));
        let beside = [&beside[..], &stranger, &[by(7, SAMPLE)]].concat();
        assert_eq!(runs(&lines(&beside)), 6, "{other}");
    }
}

#[test]
fn what_a_process_of_another_machine_goes_on_to_say_does_not_count() {
    let other = HELLO.replace("\"threads\":8", "\"threads\":4");
    let here = [HELLO, INSTANCE, STARTED, SAMPLE].map(|line| by(7, line));
    let there = [&*other, INSTANCE, SAMPLE].map(|line| by(8, line));
    let both = lines(&[&here[..], &there, &[by(7, SAMPLE)]].concat());
    assert_eq!(runs(&both), 3);
    assert_eq!(both.skipped.expect("one").lines, 1);
}

/// A program that is followed calls, and so does a child of it.
#[test]
fn a_child_adds_to_what_its_parent_does() {
    let other = CALL.replace("4096", "100");
    let problem = r#"{"reason":"problem","id":"00ff","what":"load 9","kind":"busy"}"#;
    let mut journal = journal(&[HELLO, INSTANCE, CALL, problem]);
    journal.follow();
    assert_eq!((journal.events().len(), journal.problems.len()), (0, 0));
    let said = [
        by(7, HELLO),
        by(7, INSTANCE),
        by(7, CALL),
        by(7, problem),
        by(8, HELLO),
        by(8, &other),
        by(7, READ),
        by(8, READ),
    ];
    for line in &said {
        assert!(journal.take(1, line.as_bytes()).is_some(), "{line}");
    }
    assert_eq!(journal.problems.len(), 1);
    assert!(journal.is_called("00ff", (4096, 0)) && journal.is_called("00ff", (100, 0)));
    assert!(!journal.is_called("00ff", (4000, 0)));
    // First all of the parent, and then all of the child, each with a buffer of its own.
    let buffers = journal.events().into_iter().map(|event| match event {
        Event::Call(call) => (call.elems, call.operands[0].buffer),
        Event::Read { buffer, .. } => (0, buffer),
    });
    assert_eq!(
        buffers.collect::<Vec<_>>(),
        [(4096, 1), (0, 1), (100, 2), (0, 2)]
    );
    // One that was started with other threads takes nothing away.
    let fewer = by(9, &HELLO.replace("\"threads\":8", "\"threads\":4"));
    assert!(journal.take(9, fewer.as_bytes()).is_none());
    assert!(journal.take(10, by(9, READ).as_bytes()).is_none());
    assert!(journal.take(11, by(7, READ).as_bytes()).is_some());
    assert!(!journal.voided && journal.instances.len() == 1);
    journal.follow();
    assert!(journal.events().is_empty());
}

#[test]
fn measuring_and_its_time_are_those_of_the_last_run() {
    let greeting = |s: u64| HELLO.replace("\"pid\":7", &format!("\"pid\":7,\"unix_s\":{s}"));
    let took = finished(r#","took_ms":7"#);
    let larger = SAMPLE.replace("4096", "9000");
    let said = [
        &*greeting(100),
        INSTANCE,
        SAMPLE,
        &took,
        &greeting(200),
        &larger,
        &took,
    ];
    let journal = journal(&said);
    assert_eq!(journal.measuring().as_millis(), 7);
    let when = |elems| journal.instances["00ff"].classes[&(elems, 0)].when_unix_s;
    assert_eq!((when(4096), when(9000)), (Some(100), Some(200)));
}
