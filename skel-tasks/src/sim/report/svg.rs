//! A Gantt chart.

use super::{Cause, Outcome, Report};
use crate::{Ns, WorkerId, sim::report::table, svg::escaped};
use std::fmt::Write;

const LEFT: f64 = 110.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 62.0;
const LANE: f64 = 22.0;
const LINK_LANE: f64 = 10.0;
const GAP: f64 = 4.0;
/// Letters are about this wide.
const LETTER: f64 = 7.4;

/// Hues that people with colour-blindness tell apart (Okabe, Ito 2008), then lighter ones.
const COLOURS: [[u8; 3]; 12] = [
    [0x00, 0x72, 0xb2],
    [0xe6, 0x9f, 0x00],
    [0x00, 0x9e, 0x73],
    [0xcc, 0x79, 0xa7],
    [0x56, 0xb4, 0xe9],
    [0xd5, 0x5e, 0x00],
    [0xf0, 0xe4, 0x42],
    [0x99, 0x99, 0x99],
    [0x8d, 0xa0, 0xcb],
    [0xa6, 0xd8, 0x54],
    [0xe5, 0xc4, 0x94],
    [0x66, 0x66, 0x66],
];

/// Red, green and blue of a kind of tasks.
pub(super) fn rgb(kind: usize) -> [u8; 3] {
    COLOURS[kind % COLOURS.len()]
}

/// The same as text.
pub(super) fn colour(kind: usize) -> String {
    let [r, g, b] = rgb(kind);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// A rectangle that is drawn when the next one on its lane is not its continuation.
struct Bar {
    from: f64,
    to: f64,
    fill: String,
    title: String,
    merged: usize,
}

impl Bar {
    fn draw(&self, svg: &mut String, y: f64, height: f64) {
        let title = match self.merged {
            1 => self.title.clone(),
            more => format!("{more} of them, the first: {}", self.title),
        };
        let _ = writeln!(
            svg,
            r#"<rect x="{:.2}" y="{y:.1}" width="{:.2}" height="{height:.1}" fill="{}"><title>{}</title></rect>"#,
            self.from,
            (self.to - self.from).max(0.05),
            self.fill,
            escaped(&title)
        );
    }
}

/// Draws bars of a lane in their order. Neighbours of one colour that are too narrow to be seen become one, so that
/// a picture's size depends on its width and not on the number of tasks.
fn lane(svg: &mut String, y: f64, height: f64, bars: impl Iterator<Item = Bar>) {
    let mut open: Option<Bar> = None;
    for bar in bars {
        match &mut open {
            Some(last)
                if last.fill == bar.fill && bar.to - bar.from < 0.4 && bar.from - last.to < 0.2 =>
            {
                last.to = bar.to;
                last.merged += 1;
            }
            _ => {
                if let Some(last) = open.replace(bar) {
                    last.draw(svg, y, height);
                }
            }
        }
    }
    if let Some(last) = open {
        last.draw(svg, y, height);
    }
}

/// Round steps of an axis: about eight of them.
fn step_ns(end_ns: Ns) -> Ns {
    let mut step_ns: Ns = 1;
    loop {
        for factor in [1, 2, 5] {
            if end_ns / step_ns.saturating_mul(factor) < 10 {
                return step_ns.saturating_mul(factor);
            }
        }
        step_ns = step_ns.saturating_mul(10);
    }
}

impl Report {
    /// A chart of the run as SVG, so many pixels wide: a lane for each worker, and a thin one for each direction of a
    /// link; kinds have colours, and what is pointed at says what it is. A dashed line shows the lower bound.
    ///
    /// ```
    /// # use skel_tasks::{Machine, TaskError, scheduler, sim::{Simulation, patterns}};
    /// let program = patterns::cholesky(4, 960);
    /// let machine = Machine::cores(2)?;
    /// let simulation = Simulation::new(machine.clone(), patterns::rates(&program, &machine));
    /// let svg = simulation.run(&*scheduler::parse("eager")?, &program)?.svg(1_000);
    /// assert!(svg.starts_with("<svg") && svg.contains("potrf"));
    /// # Ok::<(), TaskError>(())
    /// ```
    #[must_use]
    pub fn svg(&self, width: u32) -> String {
        let width = f64::from(width.max(400));
        let copied = self.copies.iter().map(|copy| copy.end_ns);
        let end_ns = copied.fold(self.makespan_ns, Ns::max).max(1);
        let x = |ns: Ns| LEFT + (width - LEFT - RIGHT) * (ns as f64 / end_ns as f64);
        let workers = self.busy_ns.len();
        let links = TOP + workers as f64 * (LANE + GAP) + GAP;
        let bottom = links + self.links.len() as f64 * (LINK_LANE + GAP);

        let mut lanes = String::new();
        self.draw_workers(&mut lanes, x);
        self.draw_links(&mut lanes, links, x);
        let legend = self.legend(width);
        let rows = legend.iter().map(|item| item.1 + 1).max().unwrap_or(0);
        let height = bottom + 46.0 + rows as f64 * 20.0;

        let mut svg = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}" font-family="system-ui, sans-serif" font-size="12" fill="{INK}">
<rect width="100%" height="100%" fill="white"/>
<text x="{GAP}" y="22" font-size="16" font-weight="600">{}</text>
<text x="{GAP}" y="42" fill="{PALE_INK}">{}</text>
"#,
            escaped(&self.program),
            escaped(&self.subtitle()),
        );
        self.draw_axis(&mut svg, bottom, end_ns, x);
        svg.push_str(&lanes);
        for (left, row, kind) in legend {
            let y = bottom + 36.0 + row as f64 * 20.0;
            let _ = writeln!(
                svg,
                r#"<rect x="{left:.0}" y="{y:.0}" width="12" height="12" rx="2" fill="{}"/><text x="{:.0}" y="{:.0}">{}</text>"#,
                kind.1,
                left + 18.0,
                y + 10.0,
                escaped(&kind.0)
            );
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn subtitle(&self) -> String {
        format!(
            "{}: {} tasks in {}, at most {:.1} % longer than the shortest schedule",
            self.scheduler,
            self.tasks,
            table::duration(self.makespan_ns),
            100.0 / self.efficiency().max(1e-9) - 100.0,
        )
    }

    fn draw_workers(&self, svg: &mut String, x: impl Fn(Ns) -> f64) {
        let mut by_worker = vec![Vec::new(); self.busy_ns.len()];
        for it in &self.executions {
            by_worker[it.worker.0 as usize].push(it);
        }
        for (worker, mut its) in by_worker.into_iter().enumerate() {
            its.sort_by_key(|it| (it.start_ns, it.end_ns));
            let y = TOP + worker as f64 * (LANE + GAP);
            name(
                svg,
                y + LANE - 7.0,
                12,
                &self.worker_name(WorkerId(worker as u32)),
            );
            background(svg, y, LANE, &x, self.makespan_ns);
            let bars = its.into_iter().map(|it| Bar {
                from: x(it.start_ns),
                to: x(it.end_ns),
                fill: match it.outcome {
                    Outcome::Done => colour(it.kind.0 as usize),
                    Outcome::Failed | Outcome::Lost => BAD.into(),
                },
                title: format!(
                    "{} {}: {} from {}{}",
                    self.kinds[it.kind.0 as usize],
                    it.task,
                    table::duration(it.end_ns - it.start_ns),
                    table::duration(it.start_ns),
                    match it.outcome {
                        Outcome::Done => "",
                        Outcome::Failed => ", failed",
                        Outcome::Lost => ", lost with its worker",
                    }
                ),
                merged: 1,
            });
            lane(svg, y, LANE, bars);
        }
    }

    fn draw_links(&self, svg: &mut String, top: f64, x: impl Fn(Ns) -> f64) {
        for (k, link) in self.links.iter().enumerate() {
            let y = top + k as f64 * (LINK_LANE + GAP);
            name(
                svg,
                y + LINK_LANE - 1.0,
                10,
                &self.link_name(link.from, link.to),
            );
            background(svg, y, LINK_LANE, &x, self.makespan_ns);
            let its = self.copies.iter();
            let its = its.filter(|copy| (copy.from, copy.to) == (link.from, link.to));
            let bars = its.map(|it| Bar {
                from: x(it.start_ns),
                to: x(it.end_ns),
                fill: match it.cause {
                    Cause::Evict { .. } => BAD.into(),
                    Cause::Fetch { .. } => COPY.into(),
                    Cause::Prefetch => AHEAD.into(),
                },
                title: format!(
                    "handle {}: {} bytes from {}",
                    it.handle.slot(),
                    it.bytes,
                    table::duration(it.start_ns)
                ),
                merged: 1,
            });
            lane(svg, y, LINK_LANE, bars);
        }
    }

    fn draw_axis(&self, svg: &mut String, bottom: f64, end_ns: Ns, x: impl Fn(Ns) -> f64) {
        let (step_ns, (scale, unit)) = (step_ns(end_ns), table::unit(end_ns));
        for k in 0..=end_ns / step_ns {
            let (ns, at) = (k * step_ns, x(k * step_ns));
            let _ = writeln!(
                svg,
                r#"<line x1="{at:.1}" x2="{at:.1}" y1="{:.0}" y2="{bottom:.0}" stroke="{GRID}"/><text x="{at:.1}" y="{:.0}" text-anchor="middle" fill="{PALE_INK}">{} {unit}</text>"#,
                TOP - GAP,
                bottom + 16.0,
                ns as f64 / scale as f64,
            );
        }
        let bound = x(self.bounds.best_ns().min(end_ns));
        let _ = writeln!(
            svg,
            r#"<line x1="{bound:.1}" x2="{bound:.1}" y1="{:.0}" y2="{bottom:.0}" stroke="{INK}" stroke-dasharray="5 4"><title>lower bound: {}</title></line>"#,
            TOP - 2.0 * GAP,
            table::duration(self.bounds.best_ns()),
        );
    }

    /// What the colours mean: where each item begins, in which row, its text and its colour.
    fn legend(&self, width: f64) -> Vec<(f64, usize, (String, String))> {
        let is_used = |cause: fn(&Cause) -> bool| self.copies.iter().any(|it| cause(&it.cause));
        let is_bad = |it: &super::Execution| it.outcome != Outcome::Done;
        let extras = [
            (
                "copy",
                COPY,
                is_used(|it| matches!(it, Cause::Fetch { .. })),
            ),
            ("copy ahead", AHEAD, is_used(|it| *it == Cause::Prefetch)),
            (
                "written back; failed",
                BAD,
                is_used(|it| matches!(it, Cause::Evict { .. }))
                    || self.executions.iter().any(is_bad),
            ),
        ];
        let kinds = self.kinds.iter().enumerate();
        let kinds = kinds.map(|(kind, name)| (name.clone(), colour(kind)));
        let extras = extras.iter().filter(|extra| extra.2);
        let all = kinds.chain(extras.map(|(name, fill, _)| ((*name).into(), (*fill).into())));
        let (mut left, mut row) = (LEFT, 0);
        let mut items = Vec::new();
        for item in all {
            let wide = 18.0 + item.0.chars().count() as f64 * LETTER + 18.0;
            if left + wide > width - RIGHT && left > LEFT {
                (left, row) = (LEFT, row + 1);
            }
            items.push((left, row, item));
            left += wide;
        }
        items
    }
}

const INK: &str = "#222222";
const PALE_INK: &str = "#666666";
const GRID: &str = "#dddddd";
const EMPTY: &str = "#f3f3f3";
const COPY: &str = "#777777";
const AHEAD: &str = "#b0b0b0";
const BAD: &str = "#c1121f";

fn name(svg: &mut String, y: f64, size: u32, name: &str) {
    let _ = writeln!(
        svg,
        r#"<text x="{:.0}" y="{y:.1}" text-anchor="end" font-size="{size}">{}</text>"#,
        LEFT - 8.0,
        escaped(name)
    );
}

fn background(svg: &mut String, y: f64, height: f64, x: &impl Fn(Ns) -> f64, end_ns: Ns) {
    let _ = writeln!(
        svg,
        r#"<rect x="{LEFT}" y="{y:.1}" width="{:.2}" height="{height:.1}" fill="{EMPTY}" fill-opacity="0.6"/>"#,
        x(end_ns) - LEFT
    );
}
