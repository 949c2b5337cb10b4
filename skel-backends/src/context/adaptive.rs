//! `Hybrid::adaptive()`: shares that follow the times of the calls themselves.
//!
//! By instance and size class: see [`Adaptive`]. Calls wait for their devices, so that it is known how long
//! each was at work.

use super::{Context, select};
use crate::{
    observe::{self, Busy},
    positions::{CPU, FIRST_DEVICE},
    recent::Recent,
    tune::beside_elems,
};
use skel_core::{Result, call::Call, frame::Partial, schedule::UnitIndex};
use skel_model::{
    policy::{Adaptive, Assignment},
    size_class,
};
use std::sync::{Mutex, PoisonError};

/// What calls have shown so far.
#[derive(Default)]
pub(super) struct Learned {
    shares: Mutex<Recent<CallClass, Adaptive>>,
}

/// Calls that share one state: an instance and a size class.
#[derive(Clone, PartialEq, Eq, Hash)]
struct CallClass {
    instance: String,
    kernel: u64,
    /// Of the elements, and of those that each of them may depend on.
    classes: (u32, u32),
    units: Vec<UnitIndex>,
}

/// Runs a call on the CPU and all devices that can, and learns of it.
pub(super) fn run(context: &Context, call: &mut Call<'_>) -> Result<Partial> {
    let devices = select::able(context, call)?;
    if devices.is_empty() {
        return context.run_on_host(CPU, call);
    }
    let devices = devices.iter().map(|(_, device)| FIRST_DEVICE + device);
    let units: Vec<UnitIndex> = [CPU].into_iter().chain(devices).collect();
    let elems = call.space.elems();
    let key = CallClass {
        instance: call.instance.to_owned(),
        // A user function without a device form runs on the CPU.
        kernel: call.kernel().map_or(0, |kernel| kernel.hash),
        classes: (size_class(elems), size_class(beside_elems(call))),
        units,
    };
    let learned = &context.inner.adaptive;
    let sizes = learned.sizes(&key, elems);
    let assigned = key.units.iter().copied().zip(sizes.iter().copied());
    let choice = select::Choice {
        pieces: Assignment::of_sizes(assigned).pieces,
        by_name: false,
    };
    let (outcome, parts) = observe::measured(|| context.run_on(&choice, call));
    let outcome = outcome?;
    // What was done twice says nothing.
    if outcome.failed.is_empty() {
        learned.observe(&key, &sizes, &parts);
    }
    Ok(outcome.total)
}

impl Learned {
    fn sizes(&self, key: &CallClass, elems: usize) -> Vec<usize> {
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        match shares.get_mut(key) {
            Some(known) => known.sizes(elems),
            None => {
                let new = Adaptive::new(key.units.len());
                let sizes = new.sizes(elems);
                shares.insert(key.clone(), new);
                sizes
            }
        }
    }

    fn observe(&self, key: &CallClass, sizes: &[usize], parts: &[Busy]) {
        let busy = |unit: &UnitIndex| {
            let parts = parts.iter().filter(|part| part.unit == *unit);
            parts.map(|part| part.busy.as_nanos() as f64).sum()
        };
        let busy: Vec<f64> = key.units.iter().map(busy).collect();
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = shares.get_mut(key) {
            known.observe(sizes, &busy);
        }
    }
}
