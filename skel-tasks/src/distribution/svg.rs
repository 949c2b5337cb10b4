//! A picture of a step.

use super::{ComputeUnits, ItemRun, Outcome, StepReport};
use crate::{Ns, svg::escaped};
use std::fmt::Write;

const LEFT: f64 = 70.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 44.0;
const GAP: f64 = 3.0;
const INK: &str = "#222222";
const EMPTY: &str = "#f3f3f3";
const FAILED: &str = "#c1121f";
const AGAIN: &str = "#999999";
/// Two shades of one hue for cores, and two of another for devices, so that neighbours can be told apart.
const CORES: [&str; 2] = ["#0072b2", "#56b4e9"];
const DEVICES: [&str; 2] = ["#e69f00", "#f2c14e"];
/// Bars that are narrower are drawn together with their neighbours.
const NARROW: f64 = 0.4;

impl StepReport {
    /// The step as a chart, so many pixels wide: a lane for each unit, a bar for each item. What is pointed at says
    /// which item it is, and how long it took.
    #[must_use]
    pub fn svg(&self, width: u32) -> String {
        let width = f64::from(width.max(300));
        let units = self.units.len();
        // Many units still fit on a page.
        let lane = (700.0 / units as f64 - GAP).clamp(2.0, 20.0);
        let bottom = TOP + units as f64 * (lane + GAP);
        let end_ns = self.runs.iter().map(|run| run.begin_ns + run.took_ns);
        let end_ns = end_ns.max().unwrap_or(0).max(self.makespan_ns).max(1);
        let x = |ns: Ns| LEFT + (width - LEFT - RIGHT) * (ns as f64 / end_ns as f64);
        let title = format!(
            "step {} ({}): {} on {}, {:.3} ms, imbalance {:.1} %",
            self.step,
            self.phase,
            self.scheme,
            self.units,
            self.makespan_ns as f64 / 1e6,
            100.0 * self.imbalance()
        );
        let mut svg = format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}" font-family="system-ui, sans-serif" font-size="12" fill="{INK}">
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="{RIGHT}" y="24" font-size="14">{}</text>
"##,
            escaped(&title),
            height = bottom + 34.0
        );
        let mut runs: Vec<&ItemRun> = self.runs.iter().collect();
        runs.sort_by_key(|run| (run.unit, run.begin_ns));
        for unit in 0..units {
            let y = TOP + unit as f64 * (lane + GAP);
            let _ = writeln!(
                svg,
                r#"<rect x="{LEFT}" y="{y:.1}" width="{:.2}" height="{lane:.1}" fill="{EMPTY}"/>"#,
                x(end_ns) - LEFT
            );
            if lane >= 8.0 {
                let _ = writeln!(
                    svg,
                    r#"<text x="{:.0}" y="{:.1}" text-anchor="end">{}</text>"#,
                    LEFT - 6.0,
                    y + lane / 2.0 + 4.0,
                    self.units.name(unit)
                );
            }
            let mine = runs.iter().filter(|run| run.unit == unit);
            self.lane(&mut svg, mine.copied(), y, lane, &x);
        }
        for (at, anchor) in [(0, "start"), (end_ns, "end")] {
            let _ = writeln!(
                svg,
                r#"<text x="{:.1}" y="{:.1}" text-anchor="{anchor}">{:.3} ms</text>"#,
                x(at),
                bottom + 18.0,
                at as f64 / 1e6
            );
        }
        svg + "</svg>\n"
    }

    fn lane<'r>(
        &self,
        svg: &mut String,
        runs: impl Iterator<Item = &'r ItemRun>,
        y: f64,
        height: f64,
        x: &impl Fn(Ns) -> f64,
    ) {
        // Where the last bar ends: narrow ones wait until they are wide enough together.
        let mut from = f64::NEG_INFINITY;
        for (k, run) in runs.enumerate() {
            let (begin, end) = (x(run.begin_ns), x(run.begin_ns + run.took_ns));
            let begin = begin.max(from);
            if end - begin < NARROW && run.outcome == Outcome::Done {
                continue;
            }
            from = end;
            let shades = match self.units.is_device(run.unit) {
                true => DEVICES,
                false => CORES,
            };
            let (fill, how) = match run.outcome {
                Outcome::Done => (shades[k % 2], ""),
                Outcome::Failed => (FAILED, ", failed"),
                Outcome::Again => (AGAIN, ", computed again elsewhere"),
            };
            let _ = writeln!(
                svg,
                r#"<rect x="{begin:.2}" y="{y:.1}" width="{:.2}" height="{height:.1}" fill="{fill}"><title>item {}: {:.3} ms{how}</title></rect>"#,
                (end - begin).max(NARROW),
                run.item,
                run.took_ns as f64 / 1e6
            );
        }
    }
}

/// Blue for cores and orange for devices; neighbouring numbers get different shades.
pub(crate) fn colour(units: &ComputeUnits, unit: usize) -> String {
    let (hue, k) = match unit.checked_sub(units.cpus()) {
        None => (205, unit),
        Some(device) => (35, device),
    };
    format!("hsl({hue},80%,{}%)", 35 + 12 * (k * 2 % 5))
}
