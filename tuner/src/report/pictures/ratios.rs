//! Shares over size.

use super::{STEPS, key, pieces};
use crate::report::{
    chart::{Chart, Dot, Layer},
    palette::Palette,
    scale::{Axis, Quantity, Spread},
};
use crate::{
    predict::{Prediction, fastest, predict_at},
    show,
};
use skel::model::{InstanceModel, Sizes, UnitId, decide::share_of};

/// Which unit takes how much, over the size of calls; and what the oracle found.
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
    let curves = Sizes::of(instance);
    let predicted: Vec<(f64, Prediction)> = at
        .filter_map(|n| {
            let elems = n.round() as usize;
            let (class, _) = instance.class(elems, largest.beside_elems)?;
            Some((n, predict_at(class, &curves, elems)?))
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
            // Units that take nothing are not drawn, dot upon dot.
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
    // Without a prediction there is nothing to see.
    (!chart.layers.is_empty()).then_some(chart)
}

fn units_of(instance: &InstanceModel) -> Vec<UnitId> {
    let units = instance.classes.iter().flat_map(|c| &c.units);
    let mut units: Vec<UnitId> = units.map(|u| u.unit.clone()).collect();
    units.sort();
    units.dedup();
    units
}
