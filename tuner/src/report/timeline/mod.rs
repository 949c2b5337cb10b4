//! The timeline of a run: a lane for each unit, from a trace in Chrome's format.

mod close;
mod draw;

pub use draw::kind_class;

use serde_json::Value;
use std::collections::BTreeMap;

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

/// Process and thread.
type LaneId = (u64, u64);

#[derive(Debug, Default)]
struct LaneName {
    text: String,
    /// Where it stands among the others.
    order: u64,
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
        let mut names: BTreeMap<LaneId, LaneName> = BTreeMap::new();
        let mut spans: Vec<(LaneId, Span)> = Vec::new();
        let mut open: BTreeMap<LaneId, Vec<Span>> = BTreeMap::new();
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
                    names.entry(lane).or_default().text = label.to_string();
                }
                Some("M") if name == "thread_sort_index" => {
                    names.entry(lane).or_default().order = number(&event["args"]["sort_index"]);
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

    fn arranged(names: &BTreeMap<LaneId, LaneName>, mut spans: Vec<(LaneId, Span)>) -> Self {
        spans.retain(|(_, s)| s.from_ns.is_finite() && s.to_ns.is_finite() && s.to_ns >= s.from_ns);
        let longest_first = |s: &(_, Span)| s.1.from_ns - s.1.to_ns;
        spans.sort_by(|a, b| longest_first(a).total_cmp(&longest_first(b)));
        let left_out = spans.len().saturating_sub(SPANS);
        spans.truncate(SPANS);
        let begins = spans.iter().map(|(_, s)| s.from_ns);
        let begin = begins.fold(f64::INFINITY, f64::min);
        let mut lanes: BTreeMap<(u64, LaneId), Vec<Span>> = BTreeMap::new();
        for (lane, mut span) in spans {
            span.from_ns -= begin;
            span.to_ns -= begin;
            let order = names.get(&lane).map_or(0, |name| name.order);
            lanes.entry((order, lane)).or_default().push(span);
        }
        let named = |((_, lane), mut spans): ((u64, LaneId), Vec<Span>)| {
            nest(&mut spans);
            let name = names.get(&lane).map(|name| name.text.clone());
            let name = name.filter(|name| !name.is_empty());
            (name.unwrap_or_else(|| format!("thread {}", lane.1)), spans)
        };
        Timeline {
            lanes: lanes.into_iter().map(named).take(LANES).collect(),
            left_out,
        }
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

#[cfg(test)]
mod test;
