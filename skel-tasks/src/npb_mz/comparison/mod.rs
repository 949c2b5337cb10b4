//! Speedups that were measured on the paper's machine, beside those of the model.

mod svg;

use super::{Benchmark, Class, Mesh, Model, evaluate};
use crate::{BadOption, distribution::parse};
use std::fmt::Write;

/// Numbers of cores that compute, beside one device and beside two: where all of the 64 work, each device has one.
const CORES: [[usize; 4]; 2] = [[16, 32, 48, 63], [16, 32, 48, 62]];

/// The least and the greatest speedup that the text gives; what it does not say is none.
type Measured = (Option<f64>, Option<f64>);

const fn between(least: f64, most: f64) -> Measured {
    (Some(least), Some(most))
}

const UNSAID: Measured = (None, None);

/// A scheme in the paper's variant, and what was measured with one device, and with two. Where the text has one range for
/// both, both have it.
type Row = (&'static str, [Measured; 2]);

/// González and Morancho (2024), §5.1, class D, the computation alone, over one core: figures 10 and 12 in words.
const BT: [Row; 5] = [
    ("static", [between(8.0, 20.0); 2]),
    ("dynamic,variant=paper", [between(21.0, 48.0); 2]),
    ("static-pcf", [between(20.0, 40.0); 2]),
    (
        "guided-runtime,variant=paper",
        [between(14.0, 37.0), between(15.5, 36.0)],
    ),
    (
        "clustered-guided,variant=paper",
        [between(24.0, 42.0), between(34.0, 49.0)],
    ),
];
const LU: [Row; 5] = [
    ("static", [between(30.0, 50.0), between(25.0, 74.0)]),
    ("dynamic,variant=paper", [(None, Some(57.0)), UNSAID]),
    ("static-pcf", [between(57.0, 61.0), between(85.0, 97.0)]),
    (
        "guided-runtime,variant=paper",
        [between(38.0, 55.0), between(43.0, 89.0)],
    ),
    (
        "clustered-guided,variant=paper",
        [between(44.0, 55.0), between(75.0, 92.0)],
    ),
];

/// What was measured of devices alone, with one and with two.
const BT_ALONE: [f64; 2] = [10.0, 15.0];
const LU_ALONE: [f64; 2] = [43.0, 85.0];

/// A scheme with so many devices.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The scheme, in the paper's variant.
    pub scheme: &'static str,
    /// How many devices there are, beside 16 to 63 cores.
    pub devices: usize,
    /// The least speedup that was measured, if the paper's text says it.
    pub least: Option<f64>,
    /// The greatest one.
    pub most: Option<f64>,
    /// Speedups of the model, for more and more cores.
    pub model: Vec<f64>,
}

/// Speedups of the computation over one core, class D: those that González and Morancho (2024) give of their machine in
/// words, and those of [`Model::paper`]. Cores are units of their own for BT-MZ, and one unit for LU-MZ, as there. Of
/// SP-MZ, the text has none of the computation alone, so there is no row.
///
/// ```
/// use skel_tasks::npb_mz::{Benchmark, beside_paper};
///
/// let rows = beside_paper(Benchmark::Bt)?;
/// let clustered = rows.iter().find(|row| row.scheme.starts_with("clustered") && row.devices == 2);
/// assert!(clustered.is_some_and(|row| row.most == Some(49.0) && row.model.len() == 4));
/// # Ok::<(), skel_tasks::BadOption>(())
/// ```
///
/// # Errors
/// A scheme that there is not; none, as long as the six are there.
pub fn beside_paper(benchmark: Benchmark) -> Result<Vec<Comparison>, BadOption> {
    let rows: &[Row] = match benchmark {
        Benchmark::Bt => &BT,
        Benchmark::Lu => &LU,
        Benchmark::Sp => &[],
    };
    let mesh = Mesh::new(benchmark, Class::D);
    let mut all = Vec::new();
    for (scheme, measured) in rows {
        for (devices, (least, most)) in (1..).zip(*measured) {
            let speedup = |cores: &usize| {
                let units = match benchmark {
                    Benchmark::Lu => format!("1x{cores}+{devices}"),
                    _ => format!("{cores}x1+{devices}"),
                };
                let model = Model::paper(&mesh, units.parse()?);
                Ok(evaluate(&mesh, &model, parse(scheme)?)?.computation)
            };
            let model = CORES[devices - 1].iter().map(speedup);
            all.push(Comparison {
                scheme,
                devices,
                least,
                most,
                model: model.collect::<Result<_, BadOption>>()?,
            });
        }
    }
    Ok(all)
}

/// [`beside_paper`] as a table in Markdown.
///
/// ```
/// let table = skel_tasks::npb_mz::beside_paper_table(skel_tasks::npb_mz::Benchmark::Lu)?;
/// assert!(table.contains("| 85 to 97 |"), "{table}");
/// # Ok::<(), skel_tasks::BadOption>(())
/// ```
///
/// # Errors
/// As [`beside_paper`].
pub fn beside_paper_table(benchmark: Benchmark) -> Result<String, BadOption> {
    let mut text = format!(
        "| {benchmark}, class D | 1 GPU: measured | the model | 2 GPUs: measured | the model |\n|---|---|---|---|---|\n"
    );
    for both in beside_paper(benchmark)?.chunks(2) {
        let _ = write!(text, "| {} |", both[0].scheme);
        for row in both {
            let measured = match (row.least, row.most) {
                (Some(least), Some(most)) => format!("{least} to {most}"),
                (None, Some(most)) => format!("at most {most}"),
                _ => "–".into(),
            };
            let (least, most) = ends(&row.model);
            let _ = write!(text, " {measured} | {least:.1} to {most:.1} |");
        }
        text.push('\n');
    }
    Ok(text)
}

/// The least and the greatest.
fn ends(values: &[f64]) -> (f64, f64) {
    let fold = |start: f64, of: fn(f64, f64) -> f64| values.iter().copied().fold(start, of);
    (fold(f64::INFINITY, f64::min), fold(0.0, f64::max))
}

pub use svg::beside_paper_svg;
