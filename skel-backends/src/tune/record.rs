//! What a program does with its data: calls, and reads on the host.

use super::beside_elems;
use skel_core::{
    call::{Access, Call, Operand},
    container::ReadWatcher,
};
use skel_model::{Event, RecordedCall, RecordedOperand, RecordedRole};
use std::{
    collections::HashSet,
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

/// So many events are recorded; later ones mostly repeat them.
const MOST_EVENTS: usize = 100_000;

/// Called for each event that is recorded.
type Listener = Box<dyn Fn(&Event) + Send + Sync>;

/// Records events, in the order in which they come.
pub(super) struct Recorder {
    record: Mutex<Record>,
    listener: Listener,
}

#[derive(Default)]
struct Record {
    events: Vec<Event>,
    /// Buffers that calls were given: reads of others say nothing.
    known: HashSet<u64>,
}

impl Recorder {
    pub(super) fn new(listener: Listener) -> Arc<Self> {
        Arc::new(Recorder {
            record: Mutex::default(),
            listener,
        })
    }

    pub(super) fn call(&self, id: &str, call: &Call<'_>) {
        let operands: Vec<RecordedOperand> = call.operands.iter().filter_map(operand).collect();
        let mut record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        if record.events.len() >= MOST_EVENTS {
            return;
        }
        record.known.extend(operands.iter().map(|o| o.buffer));
        record.push(
            Event::Call(RecordedCall {
                id: id.to_owned(),
                elems: call.space.elems(),
                beside_elems: beside_elems(call),
                operands,
            }),
            &self.listener,
        );
    }

    /// What was recorded.
    pub(super) fn events(&self) -> Vec<Event> {
        let record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        record.events.clone()
    }
}

impl Record {
    fn push(&mut self, event: Event, listener: &Listener) {
        if self.events.len() < MOST_EVENTS {
            listener(&event);
            self.events.push(event);
        }
    }
}

impl ReadWatcher for Recorder {
    fn read(&self, buffer: u64, r: Range<usize>) {
        let mut record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        if !record.known.contains(&buffer) {
            return;
        }
        let read = Event::Read {
            buffer,
            from: r.start,
            to: r.end,
        };
        // A loop over single elements is one read: everything after the first is on the host already.
        if record.events.last() != Some(&read) {
            record.push(read, &self.listener);
        }
    }
}

fn operand(operand: &Operand<'_>) -> Option<RecordedOperand> {
    // Borrowed slices are on the host before and after the call.
    let buffer = operand.buffer()?;
    let role = match operand {
        Operand::Input(input) => match input.access {
            Access::Each | Access::Lines(_) => RecordedRole::Read,
            Access::Window(_) => RecordedRole::Window,
            Access::Strided(_) | Access::Whole(_) | Access::Uniform => RecordedRole::Whole,
        },
        Operand::Output(output) => match output.reads || output.scattered().is_some() {
            true => RecordedRole::Update,
            false => RecordedRole::Write,
        },
    };
    Some(RecordedOperand {
        buffer: buffer.id(),
        role,
        elems: buffer.len(),
        bytes_per_elem: buffer.layout().size_bytes(),
    })
}
