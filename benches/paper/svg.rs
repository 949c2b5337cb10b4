//! Pictures: a little SVG, for light pages and dark ones.

use std::fmt::Write;

/// A picture that grows.
pub(crate) struct Svg {
    width: f64,
    height: f64,
    body: String,
}

/// Colours by role: what the style below says of each class.
const STYLE: &str = "\
text{font:12px system-ui,sans-serif;fill:#24292f}\
.small{font-size:10.5px;fill:#57606a}.title{font-size:14px;font-weight:600}\
.ground{fill:#fff}.axis{stroke:#8c959f;fill:none}.grid{stroke:#d8dee4;fill:none}\
.line{fill:none;stroke-width:2;stroke-linejoin:round}\
.sequential{stroke:#8c959f}.cpu{stroke:#0969da}.device{stroke:#bc4c00}.tuned{stroke:#1a7f37}\
.oracle{stroke:#24292f}.bound{stroke:#8250df;stroke-dasharray:5 3}\
.bar{stroke:none}.bar.sequential{fill:#8c959f}.bar.cpu{fill:#0969da}.bar.device{fill:#bc4c00}\
.bar.tuned{fill:#1a7f37}.bar.oracle{fill:#24292f}.bar.bound{fill:#8250df}\
.bar.eager{fill:#57606a}.bar.lws{fill:#0550ae}.bar.dmda{fill:#8250df}.bar.heteroprio{fill:#bf3989}\
.bar.laheteroprio{fill:#9a6700}\
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.small{fill:#9198a1}.ground{fill:#0d1117}\
.axis{stroke:#6e7681}.grid{stroke:#262c36}.cpu{stroke:#58a6ff}.device{stroke:#f0883e}\
.tuned{stroke:#3fb950}.oracle{stroke:#e6edf3}.bound{stroke:#bc8cff}.bar.cpu{fill:#58a6ff}\
.bar.device{fill:#f0883e}.bar.tuned{fill:#3fb950}.bar.oracle{fill:#e6edf3}.bar.bound{fill:#bc8cff}\
.bar.eager{fill:#9198a1}.bar.lws{fill:#79c0ff}.bar.dmda{fill:#bc8cff}.bar.heteroprio{fill:#f778ba}\
.bar.laheteroprio{fill:#d29922}}";

impl Svg {
    /// An empty one.
    pub(crate) fn new(width: f64, height: f64) -> Svg {
        Svg {
            width,
            height,
            body: String::new(),
        }
    }

    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        // Strings take all that is written.
        let _ = self.body.write_fmt(element);
        self.body.push('\n');
    }

    /// A line of text; `anchor` is `start`, `middle` or `end`.
    pub(crate) fn text(&mut self, (x, y): (f64, f64), anchor: &str, class: &str, text: &str) {
        let text = escaped(text);
        self.push(format_args!(
            r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}" class="{class}">{text}</text>"#
        ));
    }

    /// A straight line.
    pub(crate) fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), class: &str) {
        self.push(format_args!(
            r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" class="{class}"/>"#
        ));
    }

    /// A line through points.
    pub(crate) fn path(&mut self, points: &[(f64, f64)], class: &str, title: &str) {
        let points: Vec<String> = points
            .iter()
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        let (points, title) = (points.join(" "), escaped(title));
        self.push(format_args!(
            r#"<polyline points="{points}" class="line {class}"><title>{title}</title></polyline>"#
        ));
    }

    /// A dot.
    pub(crate) fn dot(&mut self, (x, y): (f64, f64), class: &str, title: &str) {
        let title = escaped(title);
        self.push(format_args!(
            r#"<circle cx="{x:.1}" cy="{y:.1}" r="2" class="bar {class}"><title>{title}</title></circle>"#
        ));
    }

    /// A bar from one height to another.
    pub(crate) fn bar(&mut self, x: (f64, f64), y: (f64, f64), class: &str, title: &str) {
        let (left, width) = (x.0, x.1 - x.0);
        let (top, height) = (y.0.min(y.1), (y.0 - y.1).abs().max(0.5));
        let title = escaped(title);
        self.push(format_args!(
            r#"<rect x="{left:.1}" y="{top:.1}" width="{width:.1}" height="{height:.1}" class="bar {class}"><title>{title}</title></rect>"#
        ));
    }

    /// The file.
    pub(crate) fn finish(self) -> String {
        let Svg {
            width,
            height,
            body,
        } = self;
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">
<style>{STYLE}</style>
<rect width="{width}" height="{height}" class="ground"/>
{body}</svg>
"#
        )
    }
}

/// Text that is no markup.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// An axis whose steps are factors.
#[derive(Clone, Copy)]
pub(crate) struct LogAxis {
    from: f64,
    to: f64,
    start: f64,
    end: f64,
}

impl LogAxis {
    /// Values from `from` to `to` lie between the places `start` and `end`.
    pub(crate) fn new((from, to): (f64, f64), (start, end): (f64, f64)) -> LogAxis {
        LogAxis {
            from,
            to,
            start,
            end,
        }
    }

    /// Where a value lies.
    pub(crate) fn at(&self, value: f64) -> f64 {
        let part = (value / self.from).ln() / (self.to / self.from).ln();
        self.start + part * (self.end - self.start)
    }

    /// Powers of ten, and where those are few, 2 and 5 times them.
    pub(crate) fn ticks(&self) -> Vec<f64> {
        let decades = (self.to / self.from).log10();
        let steps: &[f64] = if decades > 3.0 {
            &[1.0]
        } else if decades > 1.6 {
            &[1.0, 3.0]
        } else {
            &[1.0, 2.0, 5.0]
        };
        let first = self.from.log10().floor() as i32;
        let last = self.to.log10().ceil() as i32;
        let all = (first..=last).flat_map(|k| steps.iter().map(move |s| s * 10_f64.powi(k)));
        let slack = 1.0 + 1e-9;
        all.filter(|v| *v >= self.from / slack && *v <= self.to * slack)
            .collect()
    }
}
