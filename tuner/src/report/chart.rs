//! A chart: axes, a grid, lines, dots, marks, and a legend.

use super::{
    scale::Axis,
    svg::{Svg, escaped, fitted, width_of},
};
use std::fmt::Write;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 330.0;
const LEFT: f64 = 68.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 22.0;
const BOTTOM: f64 = 46.0;

/// A chart.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Its heading.
    pub title: String,
    /// A sentence below it.
    pub caption: String,
    /// From left to right.
    pub x: Axis,
    /// From below to above.
    pub y: Axis,
    /// What it shows, those in front last.
    pub layers: Vec<Layer>,
    /// What the legend explains.
    pub legend: Vec<LegendEntry>,
}

/// Something that a chart shows.
#[derive(Clone, Debug)]
pub enum Layer {
    /// A line through points.
    Line {
        /// How it looks.
        class: String,
        /// Values of both axes.
        points: Vec<(f64, f64)>,
    },
    /// An area between two lines, given as from `x`, low and high.
    Band {
        /// How it looks.
        class: String,
        /// Value of x, lowest and highest of y.
        points: Vec<(f64, f64, f64)>,
    },
    /// Dots with tooltips and, where their spread is not zero, whiskers.
    Dots {
        /// How they look.
        class: String,
        /// The dots.
        dots: Vec<Dot>,
    },
    /// A vertical line with a label.
    Mark {
        /// How it looks.
        class: String,
        /// Where.
        x: f64,
        /// What it says.
        label: String,
    },
}

/// A dot.
#[derive(Clone, Debug)]
pub struct Dot {
    /// Values of both axes.
    pub at: (f64, f64),
    /// How far the whiskers reach up and down.
    pub spread: f64,
    /// Its tooltip.
    pub title: String,
    /// Whether it stands out.
    pub large: bool,
}

/// An entry of the legend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegendEntry {
    /// How it looks.
    pub class: String,
    /// `line`, `dot` or `area`.
    pub shape: &'static str,
    /// What it is.
    pub label: String,
}

impl Chart {
    /// An HTML figure.
    #[must_use]
    pub fn figure(&self) -> String {
        let mut legend = String::new();
        for key in &self.legend {
            // Writing to a string does not fail.
            let _ = write!(
                legend,
                "<span class=\"key\"><i class=\"{} {}\"></i>{}</span>",
                key.shape,
                escaped(&key.class),
                escaped(&key.label)
            );
        }
        format!(
            "<figure><figcaption><b>{}</b><span>{}</span></figcaption>\n<div class=\"legend\">{legend}</div>\n{}</figure>\n",
            escaped(&self.title),
            escaped(&self.caption),
            self.svg()
        )
    }

    /// The picture alone.
    #[must_use]
    pub fn svg(&self) -> String {
        let mut svg = Svg::new(WIDTH, HEIGHT);
        self.grid(&mut svg);
        // Labels of marks, so that none is written over another.
        let mut taken: Vec<(f64, f64)> = Vec::new();
        for layer in &self.layers {
            self.layer(&mut svg, layer, &mut taken);
        }
        svg.finish(&self.title)
    }

    fn at(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let place = |axis: &Axis, value| axis.place(value).clamp(-0.02, 1.02);
        (
            LEFT + place(&self.x, x) * (WIDTH - LEFT - RIGHT),
            HEIGHT - BOTTOM - place(&self.y, y) * (HEIGHT - TOP - BOTTOM),
        )
    }

    fn grid(&self, svg: &mut Svg) {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        for tick in self.y.ticks(6) {
            let y = self.at((self.x.value(0.0), tick)).1;
            svg.line((LEFT, y), (right, y), "grid");
            svg.text(LEFT - 8.0, y + 4.0, "tick", "end", &self.y.show(tick));
        }
        for tick in self.x.ticks(7) {
            let x = self.at((tick, self.y.value(0.0))).0;
            svg.line((x, TOP), (x, bottom), "grid");
            svg.text(x, bottom + 17.0, "tick", "middle", &self.x.show(tick));
        }
        svg.line((LEFT, bottom), (right, bottom), "axis");
        svg.text(
            f64::midpoint(LEFT, right),
            HEIGHT - 8.0,
            "label",
            "middle",
            &self.x.label,
        );
        svg.text_upwards(14.0, f64::midpoint(TOP, bottom), "label", &self.y.label);
    }

    fn layer(&self, svg: &mut Svg, layer: &Layer, taken: &mut Vec<(f64, f64)>) {
        match layer {
            Layer::Line { class, points } => {
                let points: Vec<_> = points.iter().map(|p| self.at(*p)).collect();
                svg.polyline(&points, &format!("line {class}"));
            }
            Layer::Band { class, points } => {
                let up = points.iter().map(|(x, low, _)| self.at((*x, *low)));
                let down = points.iter().rev().map(|(x, _, high)| self.at((*x, *high)));
                let outline: Vec<_> = up.chain(down).collect();
                svg.area(&outline, &format!("area {class}"));
            }
            Layer::Dots { class, dots } => dots.iter().for_each(|dot| self.dot(svg, class, dot)),
            Layer::Mark { class, x, label } => {
                let x = self.at((*x, self.y.value(0.0))).0;
                svg.line((x, TOP), (x, HEIGHT - BOTTOM), &format!("mark {class}"));
                let label = fitted(label, "note", WIDTH - LEFT - RIGHT);
                let half = 0.5 * width_of(&label, "note");
                let middle = x.max(LEFT + half).min(WIDTH - RIGHT - half);
                let free = |(from, to): &(f64, f64)| middle + half < *from || middle - half > *to;
                if taken.iter().all(free) {
                    svg.text(middle, TOP - 7.0, "note", "middle", &label);
                    taken.push((middle - half, middle + half));
                    return;
                }
                // Below the top of its line, and beside it where there is room, so that neither crosses the other.
                let (at, anchor) = match (x + 5.0 + 2.0 * half, x - 5.0 - 2.0 * half) {
                    (end, _) if end < WIDTH - RIGHT => (x + 5.0, "start"),
                    (_, begin) if begin > LEFT => (x - 5.0, "end"),
                    _ => (middle, "middle"),
                };
                svg.text(at, TOP + 11.0, "note", anchor, &label);
            }
        }
    }

    fn dot(&self, svg: &mut Svg, class: &str, dot: &Dot) {
        let (x, y) = dot.at;
        if dot.spread > 0.0 {
            let class = format!("whisker {class}");
            let ends = [y - dot.spread, y + dot.spread];
            let [low, high] =
                ends.map(|y| self.at((x, self.y.value(self.y.place(y).clamp(0.0, 1.0)))));
            svg.line(low, high, &class);
            // Where the picture ends before it does, an arrow says so.
            for (at, end, back) in [(low, ends[0], -5.0), (high, ends[1], 5.0)] {
                if !(0.0..=1.0).contains(&self.y.place(end)) {
                    let arrow = [(at.0 - 4.0, at.1 + back), at, (at.0 + 4.0, at.1 + back)];
                    svg.polyline(&arrow, &format!("{class} cut"));
                }
            }
        }
        let radius = if dot.large { 5.5 } else { 3.4 };
        svg.dot(self.at(dot.at), radius, &format!("dot {class}"), &dot.title);
    }
}
