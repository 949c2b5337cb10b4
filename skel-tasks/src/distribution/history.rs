//! What computed each item in every step, as a picture.

use super::{ComputeUnits, StepReport, svg::colour};
use crate::svg::escaped;
use std::fmt::Write;

const LEFT: f64 = 60.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 44.0;
const INK: &str = "#222222";
const FAILED: &str = "#c1121f";

/// What computed each item in every step: how a scheme searches, and when it has found.
///
/// ```
/// use skel_tasks::distribution::{Distributor, History, Sizes, parse, virtual_time};
///
/// let mut it = Distributor::new(parse("dynamic")?, "2x1".parse()?, Sizes::equal(4))?;
/// let mut history = History::default();
/// for _ in 0..5 {
///     history.record(&virtual_time::step(&mut it, |item, _| 100 * (item as u64 + 1))?);
/// }
/// assert_eq!(history.steps(), 5);
/// assert_eq!(history.moves(), 0); // virtual times do not vary
/// assert!(history.svg(600).starts_with("<svg"));
/// # Ok::<(), skel_tasks::BadOption>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct History {
    scheme: String,
    units: Option<ComputeUnits>,
    steps: usize,
    /// Of each item, the stretches of steps with the same unit, one after the other.
    items: Vec<Vec<Stretch>>,
}

/// From this step on, an item is this unit's; it failed, if there is none.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    from: usize,
    owner: Option<usize>,
}

impl History {
    /// Adds a step. With other units or another number of items than before, the history begins anew.
    pub fn record(&mut self, step: &StepReport) {
        if self.units != Some(step.units) || self.items.len() != step.items {
            *self = History {
                scheme: step.scheme.clone(),
                units: Some(step.units),
                steps: 0,
                items: vec![Vec::new(); step.items],
            };
        }
        for (stretches, owner) in self.items.iter_mut().zip(step.owners()) {
            if stretches.last().is_none_or(|last| last.owner != owner) {
                let from = self.steps;
                stretches.push(Stretch { from, owner });
            }
        }
        self.steps += 1;
    }

    /// How many steps were recorded.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// How often an item was on another unit than in the step before: each time, its data moved if one of them is a device.
    #[must_use]
    pub fn moves(&self) -> usize {
        let changes = |stretches: &Vec<Stretch>| stretches.len().saturating_sub(1);
        self.items.iter().map(changes).sum()
    }

    /// A picture, so many pixels wide: steps from left to right, a row for each item, the first at the top. Cores are
    /// blue, devices orange, what failed is red.
    #[must_use]
    pub fn svg(&self, width: u32) -> String {
        let width = f64::from(width.max(300));
        let row = (700.0 / self.items.len().max(1) as f64).clamp(0.5, 16.0);
        let bottom = TOP + row * self.items.len() as f64;
        let x =
            |step: usize| LEFT + (width - LEFT - RIGHT) * step as f64 / self.steps.max(1) as f64;
        let title = format!(
            "{} items in {} steps{}: {} moves",
            self.items.len(),
            self.steps,
            self.units.map_or(String::new(), |units| format!(
                " on {units}, {}",
                self.scheme
            )),
            self.moves()
        );
        let mut svg = format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}" font-family="system-ui, sans-serif" font-size="12" fill="{INK}">
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="{RIGHT}" y="24" font-size="14">{}</text>
<text x="{LEFT}" y="{label:.0}">step 0</text>
<text x="{right:.0}" y="{label:.0}" text-anchor="end">step {}</text>
"##,
            escaped(&title),
            self.steps.saturating_sub(1),
            height = bottom + 34.0,
            label = bottom + 18.0,
            right = width - RIGHT,
        );
        let Some(units) = self.units else {
            return svg + "</svg>\n";
        };
        for (item, stretches) in self.items.iter().enumerate() {
            let ends = stretches.iter().skip(1).map(|next| next.from);
            for (stretch, end) in stretches.iter().zip(ends.chain([self.steps])) {
                let (fill, name) = match stretch.owner {
                    Some(unit) => (colour(&units, unit), units.name(unit)),
                    None => (FAILED.into(), "failed".into()),
                };
                let _ = writeln!(
                    svg,
                    r#"<rect x="{:.2}" y="{:.2}" width="{:.2}" height="{row:.2}" fill="{fill}"><title>item {item}, steps {} to {}: {name}</title></rect>"#,
                    x(stretch.from),
                    TOP + row * item as f64,
                    x(end) - x(stretch.from),
                    stretch.from,
                    end - 1
                );
            }
        }
        svg + "</svg>\n"
    }
}
