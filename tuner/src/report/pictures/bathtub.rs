//! Time over the CPU's share.

use super::{STEPS, key};
use crate::report::{
    chart::{Chart, Dot, Layer},
    scale::{Axis, Quantity, Spread},
};
use crate::{
    predict::{chosen, fastest, predict, regret, shared_ns},
    show,
};
use skel::model::{ClassModel, InstanceModel, Measured, UnitId, decide::share_of};

/// The time of whole calls over the CPU's share: what was measured, what is predicted.
#[must_use]
pub fn bathtub(instance: &InstanceModel, class: &ClassModel) -> Option<Chart> {
    let prediction = predict(class)?;
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
            (cpu, shared_ns(class, &shares))
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
    let times = line
        .iter()
        .map(|p| p.1)
        .chain(dots.iter().map(|d| d.at.1 + d.spread));
    let mut chart = Chart {
        title: format!(
            "Time over the CPU's share, {} elements",
            show::elems(class.elems)
        ),
        caption: caption(class, &chosen(instance, class)?),
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
    // The calling thread alone is no share of the CPU's: the caption says that it is chosen.
    if share_of(&prediction.shares, &UnitId::Sequential) == 0.0 {
        let cpu = share_of(&prediction.shares, &UnitId::Cpu).abs();
        chart.layers.push(Layer::Mark {
            class: "m-choice".into(),
            x: cpu,
            label: format!("predicted: {}", show::percent(cpu)),
        });
    }
    Some(chart)
}

fn caption(class: &ClassModel, chosen: &[(UnitId, f64)]) -> String {
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
