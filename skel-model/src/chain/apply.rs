//! Storing the chosen shares in the models.

use crate::{
    Event, InstanceModel, TransferModel, UnitId,
    chain::{ChainPlan, Waits, choose_where},
    read_back,
};
use std::collections::HashSet;

/// Notes in the models what the host reads of their outputs, and, where calls share data with each other, the
/// shares that are best for all of them together. Says what was chosen, if anything was.
///
/// Of instances that `events` do not call, nothing is known from them, and what their models say stays.
///
/// Calls that share nothing are left to what is predicted for each, which knows more sizes than those that
/// were recorded.
pub fn apply(
    waits: Waits,
    models: &mut [InstanceModel],
    events: &[Event],
    transfers: &[(UnitId, TransferModel)],
) -> Option<ChainPlan> {
    let read = read_back(events);
    let called = events.iter().filter_map(|event| match event {
        Event::Call(call) => Some(&*call.id),
        Event::Read { .. } => None,
    });
    let called: HashSet<&str> = called.collect();
    let of_events = |model: &&mut InstanceModel| called.contains(&*model.key.id());
    for model in models.iter_mut().filter(of_events) {
        model.read_back = read.get(&model.key.id()).copied().unwrap_or(0.0);
        model.chain.clear();
    }
    if !share_data(events) {
        return None;
    }
    let plan = choose_where(waits, events, models, transfers);
    for (id, choice) in &plan.choices {
        if let Some(model) = models.iter_mut().find(|model| model.key.id() == *id) {
            model.chain.push(choice.clone());
        }
    }
    Some(plan)
}

/// Whether two calls were given the same container.
fn share_data(events: &[Event]) -> bool {
    let mut seen = HashSet::new();
    events.iter().any(|event| match event {
        Event::Call(call) => {
            let here: HashSet<u64> = call.operands.iter().map(|o| o.buffer).collect();
            let known = here.iter().any(|buffer| seen.contains(buffer));
            seen.extend(here);
            known
        }
        Event::Read { .. } => false,
    })
}

#[cfg(test)]
mod test {
    use crate::{RecordedCall, RecordedOperand, RecordedRole, chain::apply::*};

    fn call(buffers: &[u64]) -> Event {
        let operand = |buffer: &u64| RecordedOperand {
            buffer: *buffer,
            role: RecordedRole::Read,
            elems: 10,
            bytes_per_elem: 4,
        };
        Event::Call(RecordedCall {
            id: "f".into(),
            elems: 10,
            beside_elems: 0,
            operands: buffers.iter().map(operand).collect(),
        })
    }

    #[test]
    fn a_container_of_two_calls_is_shared() {
        assert!(!share_data(&[]));
        // Twice in one call is not.
        assert!(!share_data(&[call(&[1, 1]), call(&[2])]));
        assert!(share_data(&[call(&[1]), call(&[2]), call(&[3, 1])]));
    }
}
