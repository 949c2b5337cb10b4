//! What curves miss.

use super::key;
use crate::report::{
    chart::{Chart, Dot, Layer},
    palette::Palette,
    scale::{Axis, Quantity, Spread},
};
use crate::show;
use skel::model::ClassModel;

/// Longer whiskers are cut: they would make all else small.
const MOST_SPREAD: f64 = 0.25;

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
            let spread = sample.mad_ns / expected;
            most = most.max(off.abs() + spread.min(MOST_SPREAD));
            dots.push(Dot {
                at: (sample.elems as f64, off),
                spread,
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
