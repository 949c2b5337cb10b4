//! Time over size.

use super::{STEPS, key};
use crate::report::{
    chart::{Chart, Dot, Layer},
    palette::Palette,
    scale::{Axis, Quantity, Spread},
};
use crate::show;
use skel::model::{ClassModel, UnitId, UnitModel};

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
    let measured = samples.flat_map(|s| {
        // On this scale, there is no end of a whisker that goes down to nothing.
        let low = (s.median_ns - s.mad_ns).max(0.5 * s.median_ns);
        [low, s.median_ns + s.mad_ns]
    });
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
        chart.layers.extend(pieces(&color, &curve(unit), unit));
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

/// The curve, whose parts outside of what was measured on the unit look less certain.
fn pieces(class: &str, curve: &[(f64, f64)], unit: &UnitModel) -> Vec<Layer> {
    let sizes = unit.samples.iter().map(|s| s.elems as f64);
    let (low, high) = sizes.fold((f64::INFINITY, 0.0_f64), |(l, h), n| (l.min(n), h.max(n)));
    super::pieces(class, curve, low, high)
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
