//! Runs beside each other, as a picture.

use super::{
    Report,
    table::{bytes, duration},
};
use crate::{Ns, svg::escaped};
use std::fmt::Write;

const TOP: f64 = 74.0;
const ROW: f64 = 22.0;
const BAR: f64 = 14.0;
const EDGE: f64 = 12.0;
/// Letters are about this wide.
const LETTER: f64 = 7.0;
/// What a value beside its bar takes.
const VALUE: f64 = 66.0;
/// Bars end at so many times the shortest makespan, and in a point if there would be more: one schedule that is far worse
/// would hide how all others differ.
const MOST: f64 = 3.0;

/// For light pages and dark ones.
const STYLE: &str = "\
text{font:12px system-ui,sans-serif;fill:#24292f}\
.small{font-size:10.5px;fill:#57606a}.title{font-size:14px;font-weight:600}.best{font-weight:600}\
.ground{fill:#fff}.rest{fill:#eaeef2}.time{fill:#0969da}.copies{fill:#bc4c00}\
.bound{stroke:#24292f;stroke-dasharray:5 3}\
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.small{fill:#9198a1}.ground{fill:#0d1117}\
.rest{fill:#262c36}.time{fill:#58a6ff}.copies{fill:#f0883e}.bound{stroke:#e6edf3}}";

/// Schedulers beside each other as SVG, so many pixels wide: for each run a bar of its makespan, with the lower bound as a
/// dashed line, and one of what was copied. The time of a bar is blue as far as workers executed tasks in it, on average.
/// The shortest makespan is bold; bars of more than three times that end in a point. Settings are left out where one run
/// alone has its scheduler. What is pointed at says all in numbers.
///
/// ```
/// # use skel_tasks::{Machine, TaskError, scheduler, sim::{Simulation, patterns, report}};
/// let program = patterns::cholesky(4, 960);
/// let machine = Machine::cores(4)?;
/// let simulation = Simulation::new(machine.clone(), patterns::rates(&program, &machine));
/// let run = |name| simulation.run(&*scheduler::parse(name)?, &program);
/// let reports: Vec<_> = scheduler::names_for(&machine).map(run).collect::<Result<_, TaskError>>()?;
/// let svg = report::comparison_svg(&reports, 800);
/// assert!(svg.starts_with("<svg") && svg.contains("heteroprio"));
/// # Ok::<(), TaskError>(())
/// ```
#[must_use]
pub fn comparison_svg(reports: &[Report], width: u32) -> String {
    let width = f64::from(width.max(500));
    let names: Vec<&str> = reports.iter().map(|report| name(report, reports)).collect();
    let longest = names.iter().map(|name| name.chars().count()).max();
    // Settings can be long; what does not fit is in the bar's title.
    let left = (longest.unwrap_or(0) as f64 * LETTER).clamp(60.0, width / 3.0) + 2.0 * EDGE;
    // Two thirds of what is left for times, one for copies.
    let room = width - left - 2.0 * (VALUE + EDGE);
    let (time_wide, bytes_wide) = (room * 0.62, room * 0.38);
    let bytes_left = left + time_wide + VALUE + EDGE;
    let height = TOP + reports.len() as f64 * ROW + EDGE;

    let most_ns = reports.iter().map(|report| report.makespan_ns).max();
    let most_bytes = reports.iter().map(Report::bytes_moved).max();
    let best_ns = reports.iter().map(|report| report.makespan_ns).min();
    let shortest_ns = best_ns.unwrap_or(0).max(1) as f64;
    let end_ns = (most_ns.unwrap_or(0) as f64).clamp(shortest_ns, MOST * shortest_ns);
    let time = |ns: Ns| time_wide * (ns as f64 / end_ns).min(1.0);
    let copied = |of: u64| bytes_wide * of as f64 / most_bytes.unwrap_or(0).max(1) as f64;

    let mut svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}">
<style>{STYLE}</style>
<rect width="100%" height="100%" class="ground"/>
<text x="{EDGE}" y="22" class="title">{}</text>
<text x="{EDGE}" y="40" class="small">{}</text>
<text x="{left:.1}" y="{:.1}" class="small">makespan; dashed: no schedule is shorter</text>
<text x="{bytes_left:.1}" y="{:.1}" class="small">copied</text>
"#,
        escaped(reports.first().map_or("no runs", |report| &report.program)),
        escaped(&reports.first().map_or(String::new(), subtitle)),
        TOP - 10.0,
        TOP - 10.0,
    );
    for (k, report) in reports.iter().enumerate() {
        let y = TOP + k as f64 * ROW;
        let baseline = y + BAR - 2.5;
        let class = match Some(report.makespan_ns) == best_ns {
            true => r#" class="best""#,
            false => "",
        };
        let busy = busy(report);
        let (whole, moved) = (time(report.makespan_ns), copied(report.bytes_moved()));
        let _ = writeln!(
            svg,
            r#"<text x="{:.1}" y="{baseline:.1}" text-anchor="end"{class}>{}</text>
<g><title>{}</title><rect x="{left:.1}" y="{y:.1}" width="{whole:.1}" height="{BAR}" class="rest"/><rect x="{left:.1}" y="{y:.1}" width="{:.1}" height="{BAR}" class="time"/></g><text x="{:.1}" y="{baseline:.1}"{class}>{}</text>
<g><title>{}</title><rect x="{bytes_left:.1}" y="{y:.1}" width="{moved:.1}" height="{BAR}" class="copies"/></g><text x="{:.1}" y="{baseline:.1}">{}</text>"#,
            left - 8.0,
            escaped(&shortened(names[k], left - EDGE)),
            escaped(&title(report, busy)),
            whole * busy,
            left + whole + 5.0,
            duration(report.makespan_ns),
            escaped(&copies(report)),
            bytes_left + moved + 5.0,
            bytes(report.bytes_moved()),
        );
    }
    for (k, _) in reports
        .iter()
        .enumerate()
        .filter(|(_, of)| of.makespan_ns as f64 > end_ns)
    {
        let (x, y) = (left + time_wide, TOP + k as f64 * ROW);
        let _ = writeln!(
            svg,
            r#"<path d="M{x:.1} {y:.1}l-7 0l7 {h:.1}l-7 {h:.1}l7 0z" class="ground"/>"#,
            h = BAR / 2.0
        );
    }
    if let Some(bound) = reports.iter().map(|report| report.bounds.best_ns()).min() {
        let at = left + time(bound);
        let _ = writeln!(
            svg,
            r#"<line x1="{at:.1}" x2="{at:.1}" y1="{:.1}" y2="{:.1}" class="bound"><title>lower bound: {}</title></line>"#,
            TOP - 6.0,
            height - EDGE + 4.0,
            duration(bound),
        );
    }
    svg + "</svg>\n"
}

/// How many tasks, on what.
fn subtitle(report: &Report) -> String {
    let machine = &report.machine;
    let of = |(arch, name): (usize, &String)| {
        let classes = machine.classes().iter();
        let workers: u32 = classes
            .filter(|class| usize::from(class.arch.0) == arch)
            .map(|class| class.workers)
            .sum();
        format!("{workers} × {name}")
    };
    let archs: Vec<String> = machine.archs().iter().enumerate().map(of).collect();
    format!("{} tasks on {}", report.tasks, archs.join(", "))
}

/// What part of the workers' time they executed tasks.
fn busy(report: &Report) -> f64 {
    let all_ns = report.makespan_ns as f64 * report.busy_ns.len() as f64;
    match all_ns > 0.0 {
        true => 1.0 - report.idle_ns() as f64 / all_ns,
        false => 0.0,
    }
}

fn title(report: &Report, busy: f64) -> String {
    format!(
        "{}: {}, {:.1} % of it busy; the lower bound is {:.1} % of it",
        report.scheduler,
        duration(report.makespan_ns),
        100.0 * busy,
        100.0 * report.efficiency()
    )
}

fn copies(report: &Report) -> String {
    let copies: u64 = report.links.iter().map(|link| link.copies).sum();
    format!(
        "{}: {} in {copies} copies, {} of them to make room",
        report.scheduler,
        bytes(report.bytes_moved()),
        report.evictions
    )
}

/// The scheduler's name, with its settings if another run has the same one.
fn name<'r>(report: &'r Report, all: &[Report]) -> &'r str {
    let short = |of: &'r str| of.split(',').next().unwrap_or(of);
    let own = short(&report.scheduler);
    let alike = |other: &&Report| other.scheduler.split(',').next() == Some(own);
    match all.iter().filter(alike).count() {
        0 | 1 => own,
        _ => &report.scheduler,
    }
}

/// A name, cut where it would not fit.
fn shortened(name: &str, wide: f64) -> String {
    let most = (wide / LETTER) as usize;
    match name.chars().count() > most {
        true => name
            .chars()
            .take(most.saturating_sub(1))
            .chain(['…'])
            .collect(),
        false => name.into(),
    }
}
