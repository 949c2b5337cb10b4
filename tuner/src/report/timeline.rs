//! The timeline of a run: a lane for each unit, from a trace in Chrome's format.

use super::{
    scale::{Axis, Quantity, Spread},
    svg::Svg,
};
use crate::show;
use serde_json::Value;
use std::collections::BTreeMap;

const WIDTH: f64 = 1140.0;
const LEFT: f64 = 190.0;
const ROW: f64 = 15.0;
/// More are not drawn: those that took longest stay.
const SPANS: usize = 4000;
/// More lanes are not drawn.
const LANES: usize = 40;

/// Something that took time.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// What.
    pub name: String,
    /// Of which kind.
    pub kind: String,
    /// When it began.
    pub from_ns: f64,
    /// When it ended.
    pub to_ns: f64,
    /// How many spans of its lane it lies in.
    pub depth: usize,
}

/// What went on, one lane after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    /// Names and spans.
    pub lanes: Vec<(String, Vec<Span>)>,
    /// Spans that were left out.
    pub left_out: usize,
}

impl Timeline {
    /// Reads a trace. A list whose end was never written is understood; events that make no sense are
    /// left out.
    ///
    /// # Errors
    /// Where it is no JSON, in words.
    pub fn parse(text: &str) -> Result<Timeline, String> {
        let value = parse(text)?;
        let events = value.as_array().or_else(|| value["traceEvents"].as_array());
        let events = events.ok_or("expected a list of events")?;
        let mut names: BTreeMap<(u64, u64), String> = BTreeMap::new();
        let mut spans: Vec<((u64, u64), Span)> = Vec::new();
        let mut open: BTreeMap<(u64, u64), Vec<Span>> = BTreeMap::new();
        for event in events {
            let lane = (number(&event["pid"]), number(&event["tid"]));
            let name = event["name"].as_str().unwrap_or_default().to_string();
            let at_ns = event["ts"].as_f64().unwrap_or(f64::NAN) * 1e3;
            let span = |to_ns: f64| Span {
                name: name.clone(),
                kind: event["cat"].as_str().unwrap_or("call").to_string(),
                from_ns: at_ns,
                to_ns,
                depth: 0,
            };
            match event["ph"].as_str() {
                Some("M") if name == "thread_name" => {
                    let label = event["args"]["name"].as_str().unwrap_or_default();
                    names.insert(lane, label.to_string());
                }
                Some("X") => {
                    let took_ns = event["dur"].as_f64().unwrap_or(0.0) * 1e3;
                    spans.push((lane, span(at_ns + took_ns)));
                }
                Some("B") => open.entry(lane).or_default().push(span(at_ns)),
                Some("E") => {
                    if let Some(mut span) = open.get_mut(&lane).and_then(Vec::pop) {
                        span.to_ns = at_ns;
                        spans.push((lane, span));
                    }
                }
                _ => {}
            }
        }
        Ok(Self::arranged(&names, spans))
    }

    fn arranged(names: &BTreeMap<(u64, u64), String>, mut spans: Vec<((u64, u64), Span)>) -> Self {
        spans.retain(|(_, s)| s.from_ns.is_finite() && s.to_ns.is_finite() && s.to_ns >= s.from_ns);
        let longest_first = |s: &(_, Span)| s.1.from_ns - s.1.to_ns;
        spans.sort_by(|a, b| longest_first(a).total_cmp(&longest_first(b)));
        let left_out = spans.len().saturating_sub(SPANS);
        spans.truncate(SPANS);
        let begin = spans
            .iter()
            .map(|(_, s)| s.from_ns)
            .fold(f64::INFINITY, f64::min);
        let mut lanes: BTreeMap<(u64, u64), Vec<Span>> = BTreeMap::new();
        for (lane, mut span) in spans {
            span.from_ns -= begin;
            span.to_ns -= begin;
            lanes.entry(lane).or_default().push(span);
        }
        let named = |(lane, mut spans): ((u64, u64), Vec<Span>)| {
            nest(&mut spans);
            let name = names.get(&lane).filter(|name| !name.is_empty());
            (
                name.cloned()
                    .unwrap_or_else(|| format!("thread {}", lane.1)),
                spans,
            )
        };
        Timeline {
            lanes: lanes.into_iter().map(named).take(LANES).collect(),
            left_out,
        }
    }

    /// The picture. `None` without any span.
    #[must_use]
    pub fn svg(&self) -> Option<String> {
        let spans = || self.lanes.iter().flat_map(|(_, spans)| spans);
        let end = spans().map(|s| s.to_ns).reduce(f64::max)?;
        let x = Axis::over("", Quantity::Ns, Spread::Linear, [0.0, end.max(1.0)]).from_zero();
        let rows = |spans: &[Span]| spans.iter().map(|s| s.depth).max().unwrap_or(0) + 1;
        let height_of = |spans: &[Span]| rows(spans) as f64 * ROW + 9.0;
        let height: f64 = self.lanes.iter().map(|(_, s)| height_of(s)).sum();
        let mut svg = Svg::new(WIDTH, height + 34.0);
        let at = |ns: f64| LEFT + x.place(ns) * (WIDTH - LEFT - 8.0);
        for tick in x.ticks(10) {
            svg.line((at(tick), 0.0), (at(tick), height), "grid");
            svg.text(at(tick), height + 18.0, "tick", "middle", &x.show(tick));
        }
        let mut y = 0.0;
        for (name, spans) in &self.lanes {
            let tall = height_of(spans);
            svg.line((0.0, y + tall), (WIDTH, y + tall), "grid");
            svg.text(
                LEFT - 10.0,
                y + f64::midpoint(tall, 9.0),
                "lane",
                "end",
                &shortened(name),
            );
            for span in spans {
                let title = format!(
                    "{}: {}, from {} on",
                    span.name,
                    show::ns(span.to_ns - span.from_ns),
                    show::ns(span.from_ns)
                );
                let place = (at(span.from_ns), y + 4.5 + span.depth as f64 * ROW);
                let size = ((at(span.to_ns) - at(span.from_ns)).max(0.8), ROW - 2.0);
                let class = format!("span {}", kind_class(&span.kind));
                svg.rect(place, size, &class, Some(&title));
                if size.0 > 7.0 * span.name.chars().count() as f64 + 8.0 {
                    svg.text(
                        place.0 + 5.0,
                        place.1 + 10.0,
                        "in-span",
                        "start",
                        &span.name,
                    );
                }
            }
            y += tall;
        }
        Some(svg.finish("Timeline of a run"))
    }

    /// The kinds of spans that there are, for a legend.
    #[must_use]
    pub fn kinds(&self) -> Vec<String> {
        let spans = self.lanes.iter().flat_map(|(_, spans)| spans);
        let mut kinds: Vec<String> = spans.map(|s| s.kind.clone()).collect();
        kinds.sort();
        kinds.dedup();
        kinds.truncate(12);
        kinds
    }
}

/// The class of a kind's colour.
#[must_use]
pub fn kind_class(kind: &str) -> &'static str {
    match kind {
        "call" => "k-call",
        "piece" | "cpu" => "k-piece",
        "launch" | "kernel" => "k-launch",
        "upload" => "k-upload",
        "download" => "k-download",
        "compile" => "k-compile",
        _ => "k-other",
    }
}

fn parse(text: &str) -> Result<Value, String> {
    let text = text.trim().trim_end_matches(',');
    let whole = serde_json::from_str(text);
    whole.or_else(|error| {
        // The list may end wherever the program did: keep what stands before the last whole event.
        let mut rest = text;
        for _ in 0..2 {
            let end = rest.rfind('}').ok_or_else(|| error.to_string())?;
            if let Ok(value) = serde_json::from_str(&format!("{}]", &rest[..=end])) {
                return Ok(value);
            }
            rest = &rest[..end];
            // What was cut off may hold a brace itself: a line back.
            rest = rest.rsplit_once('\n').map_or(rest, |(before, _)| before);
        }
        Err(error.to_string())
    })
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or(0)
}

/// Sorts spans by their beginnings, and says how deep each lies in others.
fn nest(spans: &mut [Span]) {
    spans.sort_by(|a, b| {
        a.from_ns
            .total_cmp(&b.from_ns)
            .then(b.to_ns.total_cmp(&a.to_ns))
    });
    let mut ends: Vec<f64> = Vec::new();
    for span in spans {
        while ends.last().is_some_and(|end| *end <= span.from_ns) {
            ends.pop();
        }
        span.depth = ends.len().min(5);
        ends.push(span.to_ns);
    }
}

fn shortened(name: &str) -> String {
    let count = name.chars().count();
    match count > 26 {
        true => name.chars().take(25).chain(['…']).collect(),
        false => name.into(),
    }
}

#[cfg(test)]
mod test {
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
}
