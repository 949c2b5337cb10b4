//! `Hybrid::adaptive()` by the clock: from equal shares on, and while another program takes one of the cores.

use crate::{
    app::App,
    apps::{APPS, Size},
    machine::Machine,
    oracle::STEPS,
    stats,
    table::Table,
};
use skel::{Context, Hybrid, Target};
use std::{
    hint,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

/// Calls until shares are to be found, and calls that are judged afterwards.
const FIRST: usize = 10;
const LATER: usize = 30;
/// Rounds over all ratios, for the oracle.
const ROUNDS: usize = 5;

/// A program of one instance, and what its calls took, as parts of the oracle's time at the same load.
struct Row {
    name: &'static str,
    load: &'static str,
    oracle_s: f64,
    tenth: f64,
    later: f64,
    worst_tenth: f64,
}

/// Programs of one call, in Markdown.
pub(crate) fn markdown(machine: &Machine) -> Result<String, String> {
    let mut table = Table::new([
        "",
        "other core",
        "oracle",
        "calls 8 to 10",
        "calls 11 to 40",
        "of these, 9 of 10 within",
    ]);
    for (name, make) in APPS
        .iter()
        .filter(|(name, _)| ["Mandelbrot", "Taylor", "Coulombic"].contains(name))
    {
        let context = machine.open(name)?;
        let app = make(&context, Size::Full);
        for row in rows(machine, &context, &app)? {
            let part = |of: f64| format!("{of:.3}");
            table.row([
                row.name.to_string(),
                row.load.to_string(),
                crate::table::time(row.oracle_s),
                part(row.tenth),
                part(row.later),
                part(row.worst_tenth),
            ]);
        }
    }
    Ok(table.markdown())
}

/// At first quiet, then beside a loop that takes all of a core, then quiet again.
fn rows(machine: &Machine, context: &Context, app: &App) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for load in ["quiet", "beside a loop", "quiet again"] {
        let stop = AtomicBool::new(false);
        let row = thread::scope(|scope| {
            if load == "beside a loop" {
                scope.spawn(|| {
                    while !stop.load(Ordering::Relaxed) {
                        hint::spin_loop();
                    }
                });
            }
            let row = row(machine, context, app, load);
            stop.store(true, Ordering::Relaxed);
            row
        });
        rows.push(row?);
    }
    Ok(rows)
}

fn row(machine: &Machine, context: &Context, app: &App, load: &'static str) -> Result<Row, String> {
    let once = |target: Target| machine.once(context, app, &app.all_at(target));
    let at = |k: usize| Target::from(Hybrid::ratio(k as f64 / STEPS as f64));
    let adaptive = || Target::from(Hybrid::adaptive());
    let first = (0..FIRST)
        .map(|_| once(adaptive()))
        .collect::<Result<Vec<f64>, _>>()?;
    let mut swept = vec![Vec::new(); STEPS + 1];
    for _ in 0..ROUNDS {
        for (k, times) in swept.iter_mut().enumerate() {
            times.push(once(at(k))?);
        }
    }
    let medians: Vec<f64> = swept.iter().map(|times| stats::median(times)).collect();
    let best = (0..=STEPS)
        .min_by(|a, b| medians[*a].total_cmp(&medians[*b]))
        .unwrap_or(0);
    let (mut later, mut oracle) = (Vec::new(), Vec::new());
    for _ in 0..LATER {
        later.push(once(adaptive())?);
        oracle.push(once(at(best))?);
    }
    let oracle_s = stats::median(&oracle);
    let mut sorted = later.clone();
    sorted.sort_by(f64::total_cmp);
    Ok(Row {
        name: app.name,
        load,
        oracle_s,
        tenth: stats::median(&first[FIRST - 3..]) / oracle_s,
        later: stats::median(&later) / oracle_s,
        worst_tenth: sorted[LATER * 9 / 10] / oracle_s,
    })
}
