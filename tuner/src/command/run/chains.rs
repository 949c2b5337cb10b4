//! Shares for calls that hand on data: chosen together.

use skel::model::{Event, MachineModels, chain};

/// Below this, each call is left to itself.
const LEAST_GAIN: f64 = 1.02;

/// Chooses shares for the recorded calls together, and keeps them where that is faster. How many times
/// as fast, if it is.
pub(super) fn choose(models: &mut MachineModels, events: &[Event]) -> Option<f64> {
    let plan = chain::choose(events, &models.instances, &models.transfers);
    let gain = plan.alone_ns / plan.ns;
    if !(gain.is_finite() && gain >= LEAST_GAIN) {
        return None;
    }
    for (id, choice) in plan.choices {
        let instance = models.instances.iter_mut().find(|i| i.key.id() == id);
        if let Some(instance) = instance {
            instance.chain.push(choice);
        }
    }
    Some(gain)
}
