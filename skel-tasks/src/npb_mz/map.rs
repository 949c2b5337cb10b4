//! A map of zones.

use super::Mesh;
use crate::distribution::{StepReport, svg::colour};
use std::fmt::Write;

/// The mesh as a map, so many pixels wide: each zone has the colour of the unit that computed it in that step, blue for
/// cores, orange for devices; black lines are faces between different memories.
///
/// ```
/// use skel_tasks::{distribution, npb_mz::{Benchmark, Class, Mesh, Model, evaluate, map_svg}};
///
/// let mesh = Mesh::new(Benchmark::Bt, Class::W);
/// let model = Model::paper(&mesh, "2x1+1".parse()?);
/// let done = evaluate(&mesh, &model, distribution::parse("clustered-guided")?)?;
/// assert!(map_svg(&mesh, &done.last, 400).starts_with("<svg"));
/// # Ok::<(), skel_tasks::BadOption>(())
/// ```
#[must_use]
pub fn map_svg(mesh: &Mesh, step: &StepReport, width: u32) -> String {
    let ends = |widths: Vec<usize>| {
        let mut at = vec![0];
        for width in widths {
            at.push(at[at.len() - 1] + width);
        }
        at
    };
    let (columns, rows) = (mesh.x_zones(), mesh.y_zones());
    let xs = ends((0..columns).map(|x| mesh.zone(x).nx).collect());
    let ys = ends((0..rows).map(|y| mesh.zone(y * columns).ny).collect());
    let scale = f64::from(width.max(100)) / xs[columns] as f64;
    let (wide, high) = (xs[columns] as f64 * scale, ys[rows] as f64 * scale);
    let at = |points: usize| points as f64 * scale;
    let owners = step.owners();
    let mut svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{wide:.0}" height="{high:.0}" viewBox="0 0 {wide:.2} {high:.2}">
"#
    );
    let memory = |zone: usize| {
        let device = owners[zone].and_then(|unit| unit.checked_sub(step.units.cpus()));
        device.map_or(0, |device| 1 + device)
    };
    let mut cuts = String::new();
    for (zone, owner) in owners.iter().enumerate() {
        let (x, y) = (zone % columns, zone / columns);
        let (name, fill) = match owner {
            None => ("failed".into(), "#c1121f".into()),
            Some(unit) => (step.units.name(*unit), colour(&step.units, *unit)),
        };
        let _ = writeln!(
            svg,
            r##"<rect x="{:.2}" y="{:.2}" width="{:.2}" height="{:.2}" fill="{fill}" stroke="#ffffff" stroke-width="0.3"><title>zone {zone}, {} points: {name}</title></rect>"##,
            at(xs[x]),
            high - at(ys[y + 1]),
            at(xs[x + 1] - xs[x]),
            at(ys[y + 1] - ys[y]),
            mesh.points(zone),
        );
        // The other side of a face that wraps around is drawn by its zone at the edge alone.
        let (left, right) = (at(xs[x]), at(xs[x + 1]));
        let (low, top) = (high - at(ys[y]), high - at(ys[y + 1]));
        if memory(zone) != memory(mesh.east(zone)) {
            let _ = write!(cuts, "M{right:.2} {low:.2}V{top:.2}");
        }
        if memory(zone) != memory(mesh.north(zone)) {
            let _ = write!(cuts, "M{left:.2} {top:.2}H{right:.2}");
        }
    }
    let _ = writeln!(
        svg,
        r##"<path d="{cuts}" stroke="#000000" stroke-width="1.5" fill="none"/>"##
    );
    svg + "</svg>\n"
}
