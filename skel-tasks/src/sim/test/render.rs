//! Pictures and traces: that what reads them can.

use super::*;
use crate::sim::report::comparison_svg;
use std::collections::HashMap;

fn run() -> (Program, Report) {
    let program = patterns::cholesky(5, 960);
    let machine = machine(Some(25_000_000));
    let simulation = Simulation::new(machine.clone(), patterns::rates(&program, &machine));
    let report = simulation.run(&InTurn, &program).unwrap();
    assert!(report.evictions > 0);
    (program, report)
}

/// Whether each tag is closed by its own, and quotes within tags are pairs.
fn is_balanced(svg: &str) -> bool {
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1) {
        let Some((tag, text)) = tag.split_once('>') else {
            return false;
        };
        if tag.matches('"').count() % 2 == 1 || text.contains('>') {
            return false;
        }
        let name = tag
            .trim_start_matches('/')
            .split([' ', '/'])
            .next()
            .unwrap();
        if tag.starts_with('/') {
            if open.pop() != Some(name) {
                return false;
            }
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    open.is_empty()
}

#[test]
fn the_chart_is_well_formed_and_shows_each_lane() {
    let (_, report) = run();
    let svg = report.svg(1_200);
    assert!(is_balanced(&svg), "{svg}");
    for name in [
        "cpu0",
        "gpu1",
        "host to gpu0",
        "potrf",
        "gemm",
        "lower bound",
        "written back",
    ] {
        assert!(svg.contains(name), "{name}");
    }
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    assert!(
        !svg.contains("http") || svg.matches("http").count() == 1,
        "only its own name space"
    );
}

#[test]
fn a_chart_of_many_tasks_stays_small_and_one_of_none_is_one() {
    let mut program = Program::new("<many> & \"short\"");
    let kind = program.kind("a<b");
    (0..50_000).for_each(|_| _ = program.task(kind).work(10).add());
    let simulation = Simulation::new(
        Machine::cores(2).unwrap(),
        Rates::new(vec![vec![Some(1.0)]]),
    );
    let eager = scheduler::parse("eager").unwrap();
    let svg = simulation.run(&*eager, &program).unwrap().svg(1_000);
    assert!(is_balanced(&svg));
    assert!(svg.contains("&lt;many&gt; &amp; &quot;short&quot;"));
    assert!(svg.len() < 500_000, "{}", svg.len());
    let none = simulation.run(&*eager, &Program::new("none")).unwrap();
    assert!(is_balanced(&none.svg(0)));
}

/// The numbers of an attribute, in order.
fn numbers(svg: &str, before: &str, after: &str) -> Vec<f64> {
    let found = svg.lines().filter(|line| line.contains(after));
    let number = |line: &str| {
        let end = line.find(after)?;
        let begin = line[..end].rfind(before)? + before.len();
        line[begin..].split('"').next()?.parse().ok()
    };
    found.filter_map(number).collect()
}

#[test]
fn the_comparison_s_bars_are_as_long_as_makespans_and_bytes() {
    let (_, report) = run();
    let mut slow = report.clone();
    slow.makespan_ns = slow.makespan_ns * 5 / 2;
    slow.scheduler =
        "with,settings=<that>,are=\"much\",longer=than,a=picture,is=wide,and=more".into();
    slow.links.iter_mut().for_each(|link| link.bytes /= 2);
    let svg = comparison_svg(&[slow, report.clone()], 900);
    assert!(is_balanced(&svg) && !svg.contains("NaN"), "{svg}");
    let times = numbers(&svg, "width=\"", "class=\"rest\"");
    assert!((times[0] / times[1] - 2.5).abs() < 0.01, "{times:?}");
    let copies = numbers(&svg, "width=\"", "class=\"copies\"");
    assert!((copies[1] / copies[0] - 2.0).abs() < 0.01, "{copies:?}");
    // The line of the bound, from where bars begin.
    let begin = numbers(&svg, "x=\"", "class=\"rest\"")[0];
    let bound = numbers(&svg, "x1=\"", "class=\"bound\"")[0];
    let part = (bound - begin) / times[1];
    assert!((part - report.efficiency()).abs() < 0.01, "{part}");
    assert!(is_balanced(&comparison_svg(&[], 0)));
    // Where one is far worse, the others can still be told apart, and it has a point.
    let mut worst = report.clone();
    worst.makespan_ns *= 100;
    let svg = comparison_svg(&[report, worst], 900);
    let times = numbers(&svg, "width=\"", "class=\"rest\"");
    assert!((times[1] / times[0] - 3.0).abs() < 0.01, "{times:?}");
    assert_eq!(svg.matches("<path").count(), 1);
}

#[test]
fn the_graph_has_each_task_and_each_edge_once() {
    let (program, _) = run();
    let dot = program.dot();
    assert_eq!(dot.matches("label=").count(), program.len());
    let mut edges = HashMap::new();
    program.edges(|before, task| *edges.entry((before, task)).or_insert(0) += 1);
    assert_eq!(dot.matches("->").count(), edges.len());
    assert!(
        edges
            .keys()
            .all(|(a, b)| dot.contains(&format!("t{a} -> t{b};")))
    );
    assert_eq!(dot.matches('{').count(), dot.matches('}').count());
    let mut odd = Program::new("a \"b\" \\");
    odd.kind("k");
    assert!(odd.dot().starts_with("digraph \"a \\\"b\\\" \\\\\" {"));
}

#[test]
fn the_paje_trace_has_defined_events_in_order_of_time() {
    let (_, report) = run();
    let trace = report.paje();
    let defined = trace.matches("%EventDef Paje").count();
    assert_eq!(trace.matches("%EndEventDef").count(), defined);
    let (mut last_ns, mut named) = (0, vec!["0", "p"]);
    for line in trace.lines().filter(|line| !line.starts_with('%')) {
        let words: Vec<&str> = line.split(' ').collect();
        assert!(words[0].parse::<usize>().unwrap() < defined, "{line}");
        if let 0..=2 = words[0].parse().unwrap() {
            named.push(words[1]);
            continue;
        }
        let ns: u64 = words[1].replace('.', "").parse().unwrap();
        assert!(ns >= last_ns, "{line}");
        last_ns = ns;
        match words[0] {
            "3" => {
                assert!(
                    named.contains(&words[3]) && named.contains(&words[4]),
                    "{line}"
                );
                named.push(words[2]);
            }
            "4" => assert!(words[2..].iter().all(|word| named.contains(word)), "{line}"),
            _ => assert!(named.contains(&words[2]), "{line}"),
        }
    }
}

/// JSON, as far as these traces use it: nesting, text, and commas between objects.
#[test]
fn the_trace_for_perfetto_is_json_with_two_ends_for_each_arrow() {
    let (program, report) = run();
    let json = report.chrome(&program);
    let (mut nesting, mut is_text, mut is_escaped) = (Vec::new(), false, false);
    for letter in json.chars() {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' if is_text => is_escaped = true,
            '"' => is_text = !is_text,
            _ if is_text => {}
            '{' | '[' => nesting.push(letter),
            '}' => assert_eq!(nesting.pop(), Some('{')),
            ']' => assert_eq!(nesting.pop(), Some('[')),
            _ => {}
        }
    }
    assert!(nesting.is_empty() && !is_text);
    assert!(!json.contains(",]") && !json.contains(",}") && !json.contains("}{"));
    let bars = report.executions.len() + report.copies.len();
    assert_eq!(json.matches(r#""ph":"X""#).count(), bars);
    let arrows = json.matches(r#""ph":"s""#).count();
    assert!(arrows > 0);
    assert_eq!(json.matches(r#""ph":"f""#).count(), arrows);
}

#[test]
fn the_table_marks_the_shortest() {
    let (program, report) = run();
    let mut other = report.clone();
    (other.makespan_ns, other.scheduler) = (report.makespan_ns * 2, "slow".into());
    let table = crate::sim::report::table(&[other, report]);
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(!lines[1].contains('*') && lines[2].contains('*'), "{table}");
    let width = |line: &&str| line.chars().count();
    assert!(
        lines.iter().all(|line| width(line) == width(&lines[0])),
        "{table}"
    );
    assert!(!program.is_empty());
}
