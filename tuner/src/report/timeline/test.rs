use super::*;

const TRACE: &str = r#"[
{"ph":"M","name":"thread_name","pid":1,"tid":7,"args":{"name":"main"}},
{"ph":"X","name":"dot","cat":"call","pid":1,"tid":7,"ts":10,"dur":100},
{"ph":"X","name":"dot 0..9","cat":"piece","pid":1,"tid":7,"ts":20,"dur":50},
{"ph":"B","name":"copy","cat":"upload","pid":1,"tid":8,"ts":15},
{"ph":"E","pid":1,"tid":8,"ts":30},
{"ph":"X","name":"odd","pid":1,"tid":8,"ts":"now"}"#;

#[test]
fn lanes_have_names_and_spans_lie_in_each_other() {
    let timeline = Timeline::parse(&format!("{TRACE}]")).expect("a trace");
    let [(main, spans), (other, uploads)] = &timeline.lanes[..] else {
        panic!("{timeline:?}");
    };
    assert_eq!((main.as_str(), other.as_str()), ("main", "thread 8"));
    assert_eq!(spans.iter().map(|s| s.depth).collect::<Vec<_>>(), [0, 1]);
    assert_eq!((spans[1].from_ns, spans[1].to_ns), (10e3, 60e3));
    assert_eq!((uploads[0].from_ns, uploads[0].to_ns), (5e3, 20e3));
    assert_eq!(timeline.kinds(), ["call", "piece", "upload"]);
}

#[test]
fn lanes_stand_in_the_order_that_the_trace_says() {
    let order = |tid, index| {
        format!(
            r#"{{"ph":"M","name":"thread_sort_index","pid":1,"tid":{tid},"args":{{"sort_index":{index}}}}}"#
        )
    };
    let trace = format!("{TRACE},\n{},\n{}]", order(7, 9), order(8, 3));
    let timeline = Timeline::parse(&trace).expect("a trace");
    let names: Vec<&str> = timeline.lanes.iter().map(|l| l.0.as_str()).collect();
    assert_eq!(names, ["thread 8", "main"]);
    let long = "wgpu:llvmpipe (LLVM 15.0.6, 256 bits)#0: uploads";
    let drawn = Timeline::parse(&trace.replace("main", long)).expect("a trace");
    let drawn = drawn.svg().expect("spans");
    // Beside its lane without its middle, above it as a whole.
    assert!(
        drawn.contains(">wgpu:llvm") && drawn.contains("…"),
        "{drawn}"
    );
    assert_eq!(drawn.matches(&format!(">{long}<")).count(), 1, "{drawn}");
}

#[test]
fn the_call_that_keeps_most_lanes_busy_is_shown_closer() {
    let span = |tid, kind, ts, dur| {
        format!(
            r#"{{"ph":"X","pid":1,"tid":{tid},"name":"x","cat":"{kind}","ts":{ts},"dur":{dur}}}"#
        )
    };
    let spans = [
        // The longest, but something is compiled for it.
        span(1, "call", 0, 900),
        span(1, "compile", 10, 500),
        span(2, "launch", 600, 100),
        span(1, "call", 1000, 100),
        span(1, "piece", 1000, 90),
        span(2, "launch", 1010, 95),
        // Longer, on one lane.
        span(1, "call", 2000, 500),
        span(1, "piece", 2000, 500),
    ];
    let timeline = Timeline::parse(&format!("[{}]", spans.join(","))).expect("a trace");
    let close = timeline.around_a_call().expect("a call");
    let [(_, first), (_, second)] = &close.lanes[..] else {
        panic!("{close:?}");
    };
    assert_eq!((first.len(), second.len()), (2, 1));
    assert_eq!(first[0].from_ns.round(), 3000.0);
    assert_eq!(second[0].to_ns.round(), 108_000.0);
    let alone = Timeline::parse(&format!("[{}]", spans[6..].join(","))).expect("a trace");
    assert_eq!(alone.around_a_call(), None);
}

#[test]
fn a_trace_without_end_is_understood() {
    let whole = Timeline::parse(&format!("{TRACE}]")).expect("a trace");
    assert_eq!(Timeline::parse(&format!("{TRACE},\n")), Ok(whole.clone()));
    assert_eq!(
        Timeline::parse(&format!("{TRACE},\n{{\"ph\":\"X\",\"na")),
        Ok(whole.clone())
    );
    let cut = format!("{TRACE},\n{{\"ph\":\"X\",\"args\":{{\"a\":1}},\"name\":\"x");
    assert_eq!(Timeline::parse(&cut), Ok(whole));
    assert!(Timeline::parse("no trace").is_err());
    assert_eq!(Timeline::parse("[]").map(|t| t.svg()), Ok(None));
}
