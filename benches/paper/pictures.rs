//! Figures 6 and 7.

use crate::{
    measure::Measured,
    svg::{LogAxis, Svg},
    table::time,
};

/// What is drawn of each measurement: name, class, seconds.
fn ways(m: &Measured) -> Vec<(&'static str, &'static str, f64)> {
    vec![
        ("one thread", "sequential", m.sequential_s),
        ("CPU", "cpu", m.cpu_s),
        ("device", "device", m.device_s),
        ("hybrid, tuned", "tuned", m.tuned_s),
        ("oracle", "oracle", m.oracle.seconds),
        ("bound", "bound", m.bound_s()),
    ]
}

/// So far dots are from each other, from left to right.
const DOTS_APART: f64 = 10.0;

/// Figure 6: time over size, a panel for each skeleton.
pub(crate) fn figure_6(machine: &str, singles: &[Vec<Measured>]) -> String {
    let (width, height, columns) = (310.0, 240.0, 3);
    let rows = singles.len().div_ceil(columns) as f64;
    let mut svg = Svg::new(width * columns as f64, 30.0 + height * rows);
    svg.text(
        (16.0, 20.0),
        "start",
        "title",
        &format!("Single skeletons: {machine}"),
    );
    for (k, sizes) in singles.iter().enumerate() {
        let left = width * (k % columns) as f64;
        let top = 30.0 + height * (k / columns) as f64;
        panel(&mut svg, (left, top, width, height), sizes);
    }
    // The last place is free.
    if let Some(first) = singles.first().and_then(|sizes| sizes.first()) {
        let left = width * (singles.len() % columns) as f64 + 60.0;
        let top = 30.0 + height * (singles.len() / columns) as f64 + 50.0;
        for (k, (name, class, _)) in ways(first).iter().enumerate() {
            let y = top + 22.0 * k as f64;
            if *class == "oracle" {
                svg.dot((left + 13.0, y - 4.0), class, name);
            } else {
                svg.path(&[(left, y - 4.0), (left + 26.0, y - 4.0)], class, name);
            }
            svg.text((left + 34.0, y), "start", "", name);
        }
    }
    svg.finish()
}

fn panel(svg: &mut Svg, (left, top, width, height): (f64, f64, f64, f64), sizes: &[Measured]) {
    let (Some(first), Some(last)) = (sizes.first(), sizes.last()) else {
        return;
    };
    let all = || sizes.iter().flat_map(ways).map(|(_, _, s)| s);
    let (least, most) = (all().fold(f64::MAX, f64::min), all().fold(0.0, f64::max));
    let (x0, x1) = (left + 58.0, left + width - 14.0);
    let (y0, y1) = (top + height - 40.0, top + 26.0);
    let x = LogAxis::new((first.elems as f64, last.elems as f64), (x0, x1));
    let y = LogAxis::new((least / 1.2, most * 1.2), (y0, y1));
    svg.text((x0, top + 16.0), "start", "title", &first.name);
    for tick in y.ticks() {
        svg.line((x0, y.at(tick)), (x1, y.at(tick)), "grid");
        svg.text((x0 - 6.0, y.at(tick) + 4.0), "end", "small", &time(tick));
    }
    for tick in x.ticks() {
        svg.line((x.at(tick), y0), (x.at(tick), y0 + 4.0), "axis");
        svg.text((x.at(tick), y0 + 16.0), "middle", "small", &elems(tick));
    }
    svg.line((x0, y0), (x1, y0), "axis");
    svg.text((x1, y0 + 30.0), "end", "small", "elements");
    let names = ways(first);
    for (k, (name, class, _)) in names.iter().enumerate() {
        let points: Vec<(f64, f64)> = sizes
            .iter()
            .map(|m| (x.at(m.elems as f64), y.at(ways(m)[k].2)))
            .collect();
        if *class == "oracle" {
            let mut drawn = f64::NEG_INFINITY;
            for ((px, py), m) in points.iter().zip(sizes) {
                // Dots that touch would hide the lines.
                if px - drawn < DOTS_APART {
                    continue;
                }
                drawn = *px;
                let share = 100.0 * m.oracle.shares[0];
                let title = format!(
                    "oracle: {}, {share:.0} % on the CPU",
                    time(m.oracle.seconds)
                );
                svg.dot((*px, *py), class, &title);
            }
        } else {
            svg.path(&points, class, name);
        }
    }
}

fn elems(n: f64) -> String {
    match n {
        n if n >= 1e6 => format!("{} M", n / 1e6),
        n if n >= 1e3 => format!("{} k", n / 1e3),
        n => n.to_string(),
    }
}

/// Figure 7: how many times as fast as one thread, a group of bars for each program.
pub(crate) fn figure_7(machine: &str, apps: &[Measured]) -> String {
    let (group, height) = (100.0, 320.0);
    let width = 70.0 + group * apps.len() as f64 + 10.0;
    let mut svg = Svg::new(width, height);
    let speeds = |m: &Measured| -> Vec<(&str, &str, f64)> {
        let faster = |(name, class, s)| (name, class, m.sequential_s / s);
        ways(m).into_iter().skip(1).map(faster).collect()
    };
    let all = || apps.iter().flat_map(speeds).map(|(_, _, s)| s);
    let (least, most) = (all().fold(1.0, f64::min), all().fold(1.0, f64::max));
    let y = LogAxis::new((least / 1.3, most * 1.3), (height - 60.0, 66.0));
    svg.text(
        (16.0, 20.0),
        "start",
        "title",
        &format!("Applications: {machine}"),
    );
    svg.text(
        (16.0, 38.0),
        "start",
        "small",
        "times as fast as one thread",
    );
    for tick in y.ticks() {
        svg.line((60.0, y.at(tick)), (width - 10.0, y.at(tick)), "grid");
        svg.text(
            (54.0, y.at(tick) + 4.0),
            "end",
            "small",
            &format!("{tick} ×"),
        );
    }
    for (k, app) in apps.iter().enumerate() {
        let left = 66.0 + group * k as f64;
        let bars = speeds(app);
        let each = (group - 18.0) / bars.len() as f64;
        for (b, (name, class, speed)) in bars.iter().enumerate() {
            let x = left + each * b as f64;
            let title = format!("{}, {name}: {speed:.2} ×", app.name);
            svg.bar(
                (x, x + each - 2.0),
                (y.at(1.0), y.at(*speed)),
                class,
                &title,
            );
        }
        let middle = left + (group - 18.0) / 2.0;
        svg.text((middle, height - 36.0), "middle", "", &app.name);
        let percent = format!("{:.1} %", 100.0 * app.oracle.seconds / app.tuned_s);
        svg.text((middle, height - 18.0), "middle", "small", &percent);
    }
    let below = "below: the oracle's time, of that of the tuned hybrid";
    svg.text((60.0, height - 4.0), "start", "small", below);
    svg.line((60.0, y.at(1.0)), (width - 10.0, y.at(1.0)), "axis");
    if let Some(first) = apps.first() {
        let mut x = 66.0;
        for (name, class, _) in speeds(first) {
            svg.bar((x, x + 12.0), (48.0, 58.0), class, name);
            svg.text((x + 17.0, 57.0), "start", "small", name);
            x += 40.0 + 6.0 * name.len() as f64;
        }
    }
    svg.finish()
}
