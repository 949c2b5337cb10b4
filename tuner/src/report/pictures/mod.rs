//! The pictures of an instance.

mod bathtub;
mod ratios;
mod residuals;
mod times;

pub use bathtub::bathtub;
pub use ratios::ratios;
pub use residuals::residuals;
pub use times::times;

use super::chart::{Layer, LegendEntry};

/// Points of a line that is drawn through a function.
const STEPS: usize = 120;

fn key(class: &str, shape: &'static str, label: &str) -> LegendEntry {
    LegendEntry {
        class: class.into(),
        shape,
        label: label.into(),
    }
}

/// A line, whose parts outside of the sizes that were measured, from `low` to `high`, look less certain.
fn pieces(class: &str, line: &[(f64, f64)], low: f64, high: f64) -> Vec<Layer> {
    if low > high {
        return vec![Layer::Line {
            class: format!("{class} beyond"),
            points: line.to_vec(),
        }];
    }
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

#[cfg(test)]
mod test {
    use super::*;

    fn classes(low: f64, high: f64) -> Vec<(String, usize)> {
        let line: Vec<(f64, f64)> = (0..10).map(|k| (f64::from(k), 1.0)).collect();
        let layers = pieces("u", &line, low, high).into_iter();
        let shown = layers.map(|layer| match layer {
            Layer::Line { class, points } => (class, points.len()),
            other => panic!("{other:?}"),
        });
        shown.collect()
    }

    #[test]
    fn only_what_was_measured_is_a_whole_line() {
        let beyond = || "u beyond".to_string();
        let pieces = [(beyond(), 4), ("u".into(), 5), (beyond(), 3)];
        assert_eq!(classes(3.0, 6.0), pieces);
        assert_eq!(classes(0.0, 9.0), [("u".to_string(), 10)]);
        assert_eq!(classes(f64::INFINITY, 0.0), [(beyond(), 10)]);
    }
}
