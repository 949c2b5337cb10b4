//! Norms after the last step beside those that are published, printed as the benchmarks print them.

use super::{
    solver::{
        field::Field,
        reference::{self, Norms},
    },
    support::{Result, check},
};

/// How far a norm may be off, relatively, as the benchmarks have it.
const TOLERANCE: f64 = 1e-8;

/// Prints the norms, and compares them with the published ones, which are those after all steps.
pub(crate) fn verify(field: &mut Field, steps: usize) -> Result {
    let found = field.norms()?;
    let (benchmark, class) = (field.mesh.benchmark(), field.mesh.class());
    if steps != field.mesh.steps() {
        println!(
            "No verification: norms are published for {} steps alone",
            field.mesh.steps()
        );
        for (name, norms) in rows(&found) {
            println!("{name}: {norms:.13?}");
        }
        let mut all = rows(&found).into_iter().flat_map(|(_, norms)| norms);
        return check(all.all(f64::is_finite), || {
            "norms that are no numbers".into()
        });
    }
    println!("Verification being performed for class {class}");
    println!("Accuracy setting for epsilon = {TOLERANCE:E}");
    let published = reference::norms(benchmark, class);
    let mut worst = 0.0_f64;
    for ((name, found), (_, published)) in rows(&found).into_iter().zip(rows(&published)) {
        println!("Comparison of {name}");
        worst = worst.max(compare(&found, &published));
    }
    check(worst <= TOLERANCE, || {
        format!("Verification failed: a norm is {worst:.1E} off")
    })?;
    println!("Verification Successful: the worst norm is {worst:.1E} off");
    Ok(())
}

/// By name; those that there are.
fn rows(norms: &Norms) -> Vec<(&'static str, Vec<f64>)> {
    let mut rows = vec![
        ("RMS-norms of residual", norms.residual.to_vec()),
        ("RMS-norms of solution error", norms.error.to_vec()),
    ];
    let surface = norms.surface.map(|surface| vec![surface]);
    rows.extend(surface.map(|surface| ("surface integral", surface)));
    rows
}

/// Prints norms, the published ones, and how far they are off relatively, which is the result for the worst. All digits
/// are there, so that runs can be compared to the bit.
fn compare(found: &[f64], published: &[f64]) -> f64 {
    let mut worst = 0.0_f64;
    for (m, (found, published)) in found.iter().zip(published).enumerate() {
        let off = ((found - published) / published).abs();
        let failure = if off <= TOLERANCE { "" } else { "FAILURE:" };
        println!(
            "{failure:8} {} {found:24.16E} {published:21.13E} {off:8.1E}",
            m + 1
        );
        // What is no number is off.
        worst = worst.max(if off.is_nan() { f64::INFINITY } else { off });
    }
    worst
}
