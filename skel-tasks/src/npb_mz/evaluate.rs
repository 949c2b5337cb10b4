//! A scheme on a mesh and a machine.

use super::{Mesh, Model};
use crate::{
    BadOption, Ns,
    distribution::{Distributor, Scheme, StepReport, virtual_time},
};

/// What a scheme comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The scheme, with its settings.
    pub scheme: String,
    /// How many steps it took until nothing changed any more; none if that never came.
    pub searched: Option<usize>,
    /// How much faster zones are computed than by one core alone, when nothing changes any more.
    pub computation: f64,
    /// The same with the exchange of borders, over all steps of the benchmark, those of the search included.
    pub overall: f64,
    /// Pairs of neighbours in different memories, when nothing changes any more.
    pub cut_faces: usize,
    /// The longest time of a unit, of each step up to the first one in which nothing changes any more.
    pub trace_ns: Vec<Ns>,
    /// The last of these steps.
    pub last: StepReport,
}

/// Runs all steps of a benchmark under a scheme, in virtual time.
///
/// # Errors
/// The scheme's setting that cannot be.
pub fn evaluate(
    mesh: &Mesh,
    model: &Model,
    scheme: Box<dyn Scheme>,
) -> Result<Evaluation, BadOption> {
    let mut it = Distributor::new(scheme, model.units(), mesh.sizes())?;
    let (mut trace_ns, mut sum_ns, mut searched) = (Vec::new(), 0.0, None);
    loop {
        let is_steady = it.is_steady();
        let cost_ns = |zone: usize, unit: usize| model.points_ns(mesh.points(zone), unit);
        let step = virtual_time::step(&mut it, cost_ns)?;
        let cut_faces = mesh.cut_faces(&memories(model, &step));
        let step_ns = step.makespan_ns as f64 + model.exchange_ns(mesh, cut_faces);
        trace_ns.push(step.makespan_ns);
        sum_ns += step_ns;
        if is_steady {
            searched = Some(trace_ns.len() - 1);
            // All others are like this one.
            sum_ns += step_ns * mesh.steps().saturating_sub(trace_ns.len()) as f64;
        }
        let steps = mesh.steps().max(trace_ns.len());
        if is_steady || trace_ns.len() == steps {
            let alone_ns = model.alone_ns(mesh);
            let all_alone_ns = (alone_ns + model.exchange_ns(mesh, 0)) * steps as f64;
            return Ok(Evaluation {
                scheme: step.scheme.clone(),
                searched,
                computation: alone_ns / step.makespan_ns.max(1) as f64,
                overall: all_alone_ns / sum_ns,
                cut_faces,
                trace_ns,
                last: step,
            });
        }
    }
}

/// The memory of each zone.
fn memories(model: &Model, step: &StepReport) -> Vec<usize> {
    let owners = step.owners().into_iter();
    owners.map(|unit| model.memory(unit.unwrap_or(0))).collect()
}
