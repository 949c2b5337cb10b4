//! The pictures of an instance.

use super::{
    chart::{Chart, Dot, Key, Layer},
    palette::Palette,
    scale::{Axis, Quantity, Spread},
};
use crate::{
    predict::{Prediction, fastest, predict, regret, share_of, shared_ns},
    show,
};
use skel::model::{ClassModel, InstanceModel, Measured, UnitId, UnitModel};

/// Points of a line that is drawn through a function.
const STEPS: usize = 120;

/// Time over size: what was measured on each unit, what is predicted, and where one overtakes the
/// other.
#[must_use]
pub fn times(class: &ClassModel, palette: &Palette) -> Chart {
    let samples = class.units.iter().flat_map(|u| &u.samples);
    let sizes: Vec<f64> = samples.clone().map(|s| s.elems as f64).collect();
    let x = Axis::over(
        "elements of a unit's part",
        Quantity::Elems,
        Spread::Log,
        sizes,
    );
    let at: Vec<f64> = (0..=STEPS)
        .map(|k| x.value(k as f64 / STEPS as f64))
        .collect();
    let curve = |unit: &UnitModel| -> Vec<(f64, f64)> {
        at.iter().map(|n| (*n, unit.fit.curve.at(*n))).collect()
    };
    let drawn = class
        .units
        .iter()
        .flat_map(|u| curve(u).into_iter().map(|p| p.1));
    let measured = samples.map(|s| s.median_ns);
    let y = Axis::over("time", Quantity::Ns, Spread::Log, drawn.chain(measured));
    let mut chart = Chart {
        title: format!("Time over size, calls of {} elements", show::elems(class.elems)),
        caption: "Medians with their spread, the curve that is predicted with, and where one unit overtakes another.".into(),
        x,
        y,
        layers: Vec::new(),
        legend: Vec::new(),
    };
    for unit in &class.units {
        let color = palette.class(&unit.unit);
        let band = at.iter().map(|n| {
            let (middle, half) = (unit.fit.curve.at(*n), half_width(unit, *n));
            (*n, (middle - half).max(middle * 0.5), middle + half)
        });
        chart.layers.push(Layer::Band {
            class: color.clone(),
            points: band.collect(),
        });
        chart.layers.push(Layer::Line {
            class: color,
            points: curve(unit),
        });
    }
    for unit in &class.units {
        let color = palette.class(&unit.unit);
        let dots = unit.samples.iter().map(|sample| Dot {
            at: (sample.elems as f64, sample.median_ns),
            spread: sample.mad_ns,
            title: format!(
                "{}: {} elements in {} ± {}, {} runs",
                unit.unit,
                show::elems(sample.elems),
                show::ns(sample.median_ns),
                show::ns(sample.mad_ns),
                sample.runs
            ),
            large: false,
        });
        chart.layers.push(Layer::Dots {
            class: color.clone(),
            dots: dots.collect(),
        });
        chart
            .legend
            .push(key(&color, "dot", &unit.unit.to_string()));
    }
    for (n, faster) in crossings(class, &at) {
        let label = format!("{} elements: {faster}", show::elems(n.round() as usize));
        chart.layers.push(Layer::Mark {
            class: "m-cross".into(),
            x: n,
            label,
        });
    }
    chart
}

/// How far the time of `n` elements may lie from the line, by the slope's confidence interval.
fn half_width(unit: &UnitModel, n: f64) -> f64 {
    let (low, high) = unit.fit.slope_ci;
    0.5 * (high - low).max(0.0) * n
}

/// Sizes from which on another unit is the fastest, and which.
fn crossings(class: &ClassModel, at: &[f64]) -> Vec<(f64, UnitId)> {
    let fastest = |n: f64| {
        let times = class.units.iter().map(|u| (u.fit.curve.at(n), &u.unit));
        times
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, unit)| unit)
    };
    let mut found = Vec::new();
    for pair in at.windows(2) {
        let (mut low, mut high) = (pair[0], pair[1]);
        let (Some(before), Some(after)) = (fastest(low), fastest(high)) else {
            continue;
        };
        if before == after {
            continue;
        }
        for _ in 0..40 {
            let mid = f64::midpoint(low, high);
            match fastest(mid) == Some(before) {
                true => low = mid,
                false => high = mid,
            }
        }
        found.push((high, after.clone()));
    }
    // More are noise where two curves lie on each other.
    found.truncate(2);
    found
}

/// Who takes how much, over the size of calls; and what the oracle found.
#[must_use]
pub fn ratios(instance: &InstanceModel, palette: &Palette) -> Option<Chart> {
    let sizes = instance.classes.iter().map(|c| c.elems.max(1) as f64);
    let (low, high) = sizes
        .clone()
        .fold((f64::INFINITY, 0.0_f64), |(l, h), n| (l.min(n), h.max(n)));
    let largest = instance.classes.iter().max_by_key(|c| c.elems)?;
    let ends = [(low / 8.0).max(1.0), high * 4.0];
    let x = Axis::over("elements of a call", Quantity::Elems, Spread::Log, ends);
    let mut chart = Chart {
        title: "Shares over size".into(),
        caption:
            "What each unit is predicted to take (dotted: extrapolated), and what was measured fastest (dots)."
                .into(),
        x,
        y: Axis::fixed("share of the elements", Quantity::Share, -0.03, 1.03),
        layers: Vec::new(),
        legend: Vec::new(),
    };
    let at = (0..=2 * STEPS).map(|k| chart.x.value(k as f64 / (2 * STEPS) as f64));
    let predicted: Vec<(f64, Prediction)> = at
        .filter_map(|n| {
            let elems = n.round() as usize;
            let (class, _) = instance.class(elems, largest.beside_elems)?;
            Some((n, predict(class, elems)?))
        })
        .collect();
    let units = units_of(instance);
    for unit in &units {
        let color = palette.class(unit);
        let line = predicted
            .iter()
            .map(|(n, p)| (*n, share_of(&p.shares, unit)));
        let line: Vec<(f64, f64)> = line.collect();
        if line.iter().all(|(_, share)| *share == 0.0) {
            continue;
        }
        chart.layers.extend(pieces(&color, &line, low, high));
        let dots = instance.classes.iter().filter_map(|class| {
            let best = fastest(class)?;
            // Who takes nothing is not drawn, dot upon dot.
            let share = Some(share_of(&best.shares, unit)).filter(|share| *share > 0.0)?;
            Some(Dot {
                at: (class.elems as f64, share),
                spread: 0.0,
                title: format!(
                    "measured fastest at {} elements: {} in {}",
                    show::elems(class.elems),
                    show::shares(&best.shares),
                    show::ns(best.sample.median_ns)
                ),
                large: true,
            })
        });
        chart.layers.push(Layer::Dots {
            class: color.clone(),
            dots: dots.collect(),
        });
        chart.legend.push(key(&color, "line", &unit.to_string()));
    }
    Some(chart)
}

/// A line, whose parts outside of the sizes that were measured look less certain.
fn pieces(class: &str, line: &[(f64, f64)], low: f64, high: f64) -> Vec<Layer> {
    let first = line.partition_point(|p| p.0 < low);
    let last = line.partition_point(|p| p.0 <= high);
    // Neighbours share a point, so that there are no gaps.
    let cut = |from: usize, to: usize| line[from.min(to)..to].to_vec();
    let beyond = format!("{class} beyond");
    let parts = [
        (beyond.clone(), cut(0, (first + 1).min(line.len()))),
        (class.to_string(), cut(first, (last + 1).min(line.len()))),
        (beyond, cut(last, line.len())),
    ];
    let layers = parts.into_iter().filter(|(_, points)| points.len() > 1);
    layers
        .map(|(class, points)| Layer::Line { class, points })
        .collect()
}

/// The time of whole calls over the CPU's share: what was measured, what is predicted.
#[must_use]
pub fn bathtub(class: &ClassModel) -> Option<Chart> {
    let prediction = predict(class, class.elems)?;
    let devices = class.units.iter().filter(|u| u.unit.is_device());
    let devices: Vec<&UnitId> = devices.map(|u| &u.unit).collect();
    if devices.is_empty() || !class.units.iter().any(|u| u.unit == UnitId::Cpu) {
        return None;
    }
    // Devices share what the CPU leaves as they do in the prediction.
    let weight = |unit: &UnitId| share_of(&prediction.shares, unit);
    let sum: f64 = devices.iter().map(|u| weight(u)).sum();
    let part = |unit: &UnitId| match sum > 0.0 {
        true => weight(unit) / sum,
        false => 1.0 / devices.len() as f64,
    };
    let at = (0..=STEPS).map(|k| k as f64 / STEPS as f64);
    let line: Vec<(f64, f64)> = at
        .map(|cpu| {
            let mut shares = vec![(UnitId::Cpu, cpu)];
            shares.extend(
                devices
                    .iter()
                    .map(|u| ((*u).clone(), (1.0 - cpu) * part(u))),
            );
            (cpu, shared_ns(class, class.elems, &shares))
        })
        .collect();
    let fastest = fastest(class);
    let whole = class
        .measured
        .iter()
        .filter(|m| share_of(&m.shares, &UnitId::Sequential) == 0.0);
    let dot = |m: &Measured| Dot {
        at: (share_of(&m.shares, &UnitId::Cpu), m.sample.median_ns),
        spread: m.sample.mad_ns,
        title: format!(
            "{}: {} ± {}, {} runs",
            show::shares(&m.shares),
            show::ns(m.sample.median_ns),
            show::ns(m.sample.mad_ns),
            m.sample.runs
        ),
        large: fastest.is_some_and(|best| best == m),
    };
    let dots: Vec<Dot> = whole.map(dot).collect();
    let times = line.iter().map(|p| p.1).chain(dots.iter().map(|d| d.at.1));
    let mut chart = Chart {
        title: format!(
            "Time over the CPU's share, {} elements",
            show::elems(class.elems)
        ),
        caption: caption(class, &prediction),
        x: Axis::fixed("share of the CPU", Quantity::Share, -0.02, 1.02),
        y: Axis::over("time of the call", Quantity::Ns, Spread::Linear, times).from_zero(),
        layers: vec![Layer::Line {
            class: "m-model".into(),
            points: line,
        }],
        legend: vec![key("m-model", "line", "predicted")],
    };
    if !dots.is_empty() {
        chart.layers.push(Layer::Dots {
            class: "m-seen".into(),
            dots,
        });
        chart
            .legend
            .push(key("m-seen", "dot", "measured; the fastest is larger"));
    }
    let cpu = share_of(&prediction.shares, &UnitId::Cpu);
    chart.layers.push(Layer::Mark {
        class: "m-choice".into(),
        x: cpu,
        label: format!("predicted: {}", show::percent(cpu)),
    });
    Some(chart)
}

fn caption(class: &ClassModel, prediction: &Prediction) -> String {
    let chosen = class.best.as_ref().unwrap_or(&prediction.shares);
    let mut text = format!("Chosen: {}.", show::shares(chosen));
    match regret(class, chosen) {
        Some(0.0) => text += " Nothing that was measured is faster.",
        Some(lost) => {
            text += &format!(
                " The fastest that was measured is {:.1} % faster.",
                100.0 * lost
            );
        }
        None => {}
    }
    text
}

/// By how much each measured point differs from the curve.
#[must_use]
pub fn residuals(class: &ClassModel, palette: &Palette) -> Chart {
    let mut layers = Vec::new();
    let mut legend = Vec::new();
    let mut most: f64 = 0.12;
    let sizes = class
        .units
        .iter()
        .flat_map(|u| &u.samples)
        .map(|s| s.elems as f64);
    let x = Axis::over(
        "elements of a unit's part",
        Quantity::Elems,
        Spread::Log,
        sizes,
    );
    let ends = [x.value(0.0), x.value(1.0)];
    layers.push(Layer::Band {
        class: "m-ok".into(),
        points: ends.map(|n| (n, -0.1, 0.1)).to_vec(),
    });
    layers.push(Layer::Line {
        class: "m-zero".into(),
        points: ends.map(|n| (n, 0.0)).to_vec(),
    });
    for unit in &class.units {
        let color = palette.class(&unit.unit);
        let mut dots = Vec::new();
        for sample in &unit.samples {
            let expected = unit.fit.curve.at(sample.elems as f64);
            if expected <= 0.0 {
                continue;
            }
            let off = sample.median_ns / expected - 1.0;
            most = most.max(off.abs());
            dots.push(Dot {
                at: (sample.elems as f64, off),
                spread: sample.mad_ns / expected,
                title: format!(
                    "{}: {} elements, {:+.1} %",
                    unit.unit,
                    show::elems(sample.elems),
                    100.0 * off
                ),
                large: false,
            });
        }
        layers.push(Layer::Dots {
            class: color.clone(),
            dots,
        });
        let label = format!(
            "{} (rms {:.1} %, R² {:.4})",
            unit.unit,
            100.0 * unit.fit.relative_rms,
            unit.fit.r2
        );
        legend.push(key(&color, "dot", &label));
    }
    Chart {
        title: format!("Residuals, calls of {} elements", show::elems(class.elems)),
        caption: "How far each measured point lies from the curve; within the band a model counts as good.".into(),
        x,
        y: Axis::fixed("measured − predicted", Quantity::Deviation, -1.1 * most, 1.1 * most),
        layers,
        legend,
    }
}

fn units_of(instance: &InstanceModel) -> Vec<UnitId> {
    let units = instance.classes.iter().flat_map(|c| &c.units);
    let mut units: Vec<UnitId> = units.map(|u| u.unit.clone()).collect();
    units.sort();
    units.dedup();
    units
}

fn key(class: &str, shape: &'static str, label: &str) -> Key {
    Key {
        class: class.into(),
        shape,
        label: label.into(),
    }
}
