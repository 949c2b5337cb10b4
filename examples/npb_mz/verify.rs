//! Norms after the last step, beside those that are published.

use super::{
    equations,
    reference::{self, Norms},
    support::{Result, check},
    zone::Zone,
};
use skel::tasks::npb_mz::{Benchmark, Mesh};

/// How far a norm may be off, relatively, as the benchmarks have it.
const TOLERANCE: f64 = 1e-8;

/// Prints the norms, and compares them with the published ones, which are those after all steps.
pub(crate) fn verify(mesh: &Mesh, zones: &mut [Zone], steps: usize) -> Result {
    let found = norms(mesh.benchmark(), zones)?;
    if steps != mesh.steps() {
        println!("norms are published for {} steps alone:", mesh.steps());
        for (name, norms) in rows(&found) {
            println!("{name:>8} {norms:.13?}");
        }
        let mut all = rows(&found).into_iter().flat_map(|(_, norms)| norms);
        return check(all.all(f64::is_finite), || {
            "norms that are no numbers".into()
        });
    }
    let published = reference::norms(mesh.benchmark(), mesh.class());
    let mut worst = 0.0_f64;
    for ((name, found), (_, published)) in rows(&found).into_iter().zip(rows(&published)) {
        worst = worst.max(compare(name, &found, &published));
    }
    check(worst <= TOLERANCE, || {
        format!("a norm is {worst:.1e} off, more than {TOLERANCE:.0e}")
    })?;
    println!("verified: the worst norm is {worst:.1e} off");
    Ok(())
}

/// Of all zones.
fn norms(benchmark: Benchmark, zones: &mut [Zone]) -> skel::Result<Norms> {
    let mut all = Norms {
        residual: [0.0; 5],
        error: [0.0; 5],
        surface: (benchmark == Benchmark::Lu).then_some(0.0),
    };
    for zone in zones {
        all.residual = equations::sum(all.residual, zone.residual()?);
        all.error = equations::sum(all.error, zone.error()?);
        if let Some(surface) = &mut all.surface {
            *surface += zone.surface()?;
        }
    }
    Ok(all)
}

/// By name; those that there are.
fn rows(norms: &Norms) -> Vec<(&'static str, Vec<f64>)> {
    let mut rows = vec![
        ("residual", norms.residual.to_vec()),
        ("error", norms.error.to_vec()),
    ];
    rows.extend(norms.surface.map(|surface| ("surface", vec![surface])));
    rows
}

/// Prints norms beside the published ones; the largest relative difference.
fn compare(what: &str, found: &[f64], published: &[f64]) -> f64 {
    let mut worst = 0.0_f64;
    for (m, (found, published)) in found.iter().zip(published).enumerate() {
        let off = ((found - published) / published).abs();
        println!(
            "{what:>8} {} {found:23.16e} {published:20.13e} {off:8.1e}",
            m + 1
        );
        // What is no number is off.
        worst = worst.max(if off.is_nan() { f64::INFINITY } else { off });
    }
    worst
}
