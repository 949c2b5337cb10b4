//! Comparison of runs.

use super::Report;
use std::fmt::Write;

/// Nanoseconds in a unit that leaves three digits.
pub(super) fn duration(ns: u64) -> String {
    let (scale, unit) = unit(ns);
    match ns {
        0..1_000 => format!("{ns} ns"),
        _ => format!("{:.3} {unit}", ns as f64 / scale as f64),
    }
}

/// The greatest unit that is not above a time, in nanoseconds, and its name.
pub(super) fn unit(ns: u64) -> (u64, &'static str) {
    match ns {
        0..1_000 => (1, "ns"),
        1_000..1_000_000 => (1_000, "µs"),
        1_000_000..1_000_000_000 => (1_000_000, "ms"),
        _ => (1_000_000_000, "s"),
    }
}

/// Bytes in a unit that leaves one to three digits before the point.
pub(super) fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["B", "kB", "MB", "GB", "TB", "PB"];
    let mut scaled = bytes as f64;
    let mut units = UNITS.iter();
    let mut unit = units.next();
    while scaled >= 1_000.0 && units.len() > 0 {
        (scaled, unit) = (scaled / 1_000.0, units.next());
    }
    let digits = usize::from(bytes >= 1_000);
    format!("{scaled:.digits$} {}", unit.unwrap_or(&""))
}

/// Runs beside each other, a line each: makespan, how close it is to the lower bound, how busy workers were, how
/// much was copied and written back. A `*` marks the shortest.
///
/// ```
/// # use skel_tasks::{Machine, TaskError, scheduler, sim::{Simulation, patterns, report}};
/// let program = patterns::cholesky(4, 960);
/// let machine = Machine::cores(4)?;
/// let simulation = Simulation::new(machine.clone(), patterns::rates(&program, &machine));
/// let run = |name| simulation.run(&*scheduler::parse(name)?, &program);
/// let reports: Vec<_> = scheduler::names_for(&machine).map(run).collect::<Result<_, TaskError>>()?;
/// assert!(report::table(&reports).contains("eager"));
/// # Ok::<(), TaskError>(())
/// ```
#[must_use]
pub fn table(reports: &[Report]) -> String {
    let mut rows = vec![
        [
            "scheduler",
            "makespan  ",
            "of bound",
            "busy",
            "copied",
            "evictions",
        ]
        .map(String::from),
    ];
    let best_ns = reports.iter().map(|report| report.makespan_ns).min();
    for report in reports {
        let mark = match Some(report.makespan_ns) == best_ns {
            true => " *",
            false => "  ",
        };
        let all_ns = report.makespan_ns as f64 * report.busy_ns.len() as f64;
        let busy = match all_ns > 0.0 {
            true => 1.0 - report.idle_ns() as f64 / all_ns,
            false => 0.0,
        };
        rows.push([
            report.scheduler.clone(),
            duration(report.makespan_ns) + mark,
            format!("{:.1} %", 100.0 * report.efficiency()),
            format!("{:.1} %", 100.0 * busy),
            bytes(report.bytes_moved()),
            report.evictions.to_string(),
        ]);
    }
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: [usize; 6] = std::array::from_fn(width);
    let mut text = String::new();
    for row in rows {
        let _ = write!(text, "{:<1$}", row[0], widths[0]);
        for (cell, width) in row.iter().zip(widths).skip(1) {
            let _ = write!(text, "  {cell:>width$}");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn sizes_and_times_have_units() {
        assert_eq!(
            [0, 999, 1_500, 2_000_000, 3_000_000_000].map(duration),
            ["0 ns", "999 ns", "1.500 µs", "2.000 ms", "3.000 s"]
        );
        assert_eq!(
            [0, 999, 1_500, 2_000_000, u64::MAX].map(bytes),
            ["0 B", "999 B", "1.5 kB", "2.0 MB", "18446.7 PB"]
        );
    }
}
