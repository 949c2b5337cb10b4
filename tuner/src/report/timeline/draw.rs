//! Lanes as a picture.

use super::{Span, Timeline};
use crate::{
    report::{
        scale::{Axis, Quantity, Spread},
        svg::{Svg, fitted, width_of},
    },
    show,
};

/// How wide a picture is, and what is where in it.
#[derive(Clone, Copy, Debug)]
struct Layout {
    width: f64,
    /// Where times begin. Names stand before it, or, without room, above their lanes.
    left: f64,
    ticks: usize,
}

/// For screens that show it as large as it is.
const BROAD: Layout = Layout {
    width: 1140.0,
    left: 190.0,
    ticks: 10,
};
/// For those of telephones, on which the other's text would be too small to be read.
const NARROW: Layout = Layout {
    width: 460.0,
    left: 0.0,
    ticks: 4,
};
const RIGHT: f64 = 8.0;
const ROW: f64 = 15.0;

impl Layout {
    /// How much a lane needs above its spans.
    fn above(self) -> f64 {
        if self.left > 0.0 { 0.0 } else { ROW }
    }
}

impl Timeline {
    /// The picture, for broad screens and for narrow ones: the page shows one of them. `None` without any span.
    #[must_use]
    pub fn svg(&self) -> Option<String> {
        let (broad, narrow) = (self.drawn(BROAD)?, self.drawn(NARROW)?);
        Some(format!(
            "<div class=\"broad\">{broad}</div><div class=\"narrow\">{narrow}</div>"
        ))
    }

    fn drawn(&self, layout: Layout) -> Option<String> {
        let Layout { width, left, ticks } = layout;
        let spans = || self.lanes.iter().flat_map(|(_, spans)| spans);
        let end = spans().map(|s| s.to_ns).reduce(f64::max)?;
        let x = Axis::over("", Quantity::Ns, Spread::Linear, [0.0, end.max(1.0)]).from_zero();
        let rows = |spans: &[Span]| spans.iter().map(|s| s.depth).max().unwrap_or(0) + 1;
        let height_of = |spans: &[Span]| layout.above() + rows(spans) as f64 * ROW + 9.0;
        let height: f64 = self.lanes.iter().map(|(_, s)| height_of(s)).sum();
        let mut svg = Svg::new(width, height + 34.0);
        let at = |ns: f64| left + x.place(ns) * (width - left - RIGHT);
        for tick in x.ticks(ticks) {
            svg.line((at(tick), 0.0), (at(tick), height), "grid");
            svg.text(at(tick), height + 18.0, "tick", "middle", &x.show(tick));
        }
        let mut y = 0.0;
        for (name, spans) in &self.lanes {
            let tall = height_of(spans);
            svg.line((0.0, y + tall), (width, y + tall), "grid");
            match layout.above() {
                0.0 => {
                    let name = fitted(name, "lane", left - 10.0);
                    svg.text(
                        left - 10.0,
                        y + f64::midpoint(tall, 9.0),
                        "lane",
                        "end",
                        &name,
                    );
                }
                above => svg.text(0.0, y + above, "lane", "start", name),
            }
            let top = y + layout.above() + 4.5;
            for span in spans {
                let from = (at(span.from_ns), top + span.depth as f64 * ROW);
                let size = ((at(span.to_ns) - from.0).max(0.8), ROW - 2.0);
                draw(&mut svg, span, from, size);
            }
            y += tall;
        }
        Some(svg.finish("Timeline of a run"))
    }
}

fn draw(svg: &mut Svg, span: &Span, from: (f64, f64), size: (f64, f64)) {
    let title = format!(
        "{}: {}, from {} on",
        span.name,
        show::ns(span.to_ns - span.from_ns),
        show::ns(span.from_ns)
    );
    svg.rect(
        from,
        size,
        &format!("span {}", kind_class(&span.kind)),
        Some(&title),
    );
    if size.0 > width_of(&span.name, "in-span") + 8.0 {
        svg.text(from.0 + 5.0, from.1 + 10.0, "in-span", "start", &span.name);
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
