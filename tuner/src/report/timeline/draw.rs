//! Lanes as a picture.

use super::{Span, Timeline};
use crate::{
    report::{
        scale::{Axis, Quantity, Spread},
        svg::Svg,
    },
    show,
};

const WIDTH: f64 = 1140.0;
const LEFT: f64 = 190.0;
const ROW: f64 = 15.0;

impl Timeline {
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
}

/// The class of a kind's colour.
#[must_use]
pub fn kind_class(kind: &str) -> &'static str {
    match kind {
        "call" => "k-call",
        "piece" | "cpu" => "k-piece",
        "launch" | "kernel" => "k-launch",
        "upload" | "transfer" => "k-upload",
        "download" => "k-download",
        "compile" => "k-compile",
        "wait" => "k-wait",
        _ => "k-other",
    }
}

/// Without its middle: the end says what the lane is of its device.
pub(super) fn shortened(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    if chars.len() <= 27 {
        return name.into();
    }
    let (first, last) = (&chars[..13], &chars[chars.len() - 13..]);
    first.iter().chain(&['…']).chain(last).collect()
}
