//! Schemes and units beside each other.

use super::{Evaluation, Mesh, Model, evaluate};
use crate::{
    BadOption,
    distribution::{ComputeUnits, parse},
};
use std::fmt::Write;

/// Speedups over one core as a table in Markdown: a row for each kind of units, a column for each scheme, and in each
/// cell the computation, the whole with the exchange of borders and with the search, and the number of cut faces.
/// `model` says how fast the units are.
///
/// ```
/// use skel_tasks::npb_mz::{Benchmark, Class, Mesh, Model, table};
///
/// let mesh = Mesh::new(Benchmark::Lu, Class::A);
/// let paper = |units| Model::paper(&mesh, units);
/// let text = table(&mesh, &["1x16+1"], &["static", "static-pcf"], paper)?;
/// assert!(text.starts_with("| lu-mz A | ideal | static | static-pcf |"), "{text}");
/// # Ok::<(), skel_tasks::BadOption>(())
/// ```
///
/// # Errors
/// The units or the scheme that cannot be.
pub fn table(
    mesh: &Mesh,
    units: &[&str],
    schemes: &[&str],
    model: impl Fn(ComputeUnits) -> Model,
) -> Result<String, BadOption> {
    let mut text = format!("| {} {} | ideal |", mesh.benchmark(), mesh.class());
    for scheme in schemes {
        let _ = write!(text, " {scheme} |");
    }
    let _ = write!(text, "\n|---|---|{}\n", "---|".repeat(schemes.len()));
    for units in units {
        let model = model(units.parse()?);
        let _ = write!(text, "| {} | {:.1} |", model.units(), model.ideal());
        for scheme in schemes {
            let Evaluation {
                computation,
                overall,
                cut_faces,
                ..
            } = evaluate(mesh, &model, parse(scheme)?)?;
            let _ = write!(text, " {computation:.1}, {overall:.1}, {cut_faces} |");
        }
        text.push('\n');
    }
    Ok(text)
}
