//! What a program does with its data: calls, and reads on the host.

use super::beside_elems;
use skel_core::{
    call::{Call, Operand},
    container::{Buffer, ReadWatcher},
    model::{Event, RecordedCall, RecordedOperand, RecordedRole},
};
use std::{
    collections::HashSet,
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

/// So many events are recorded; what comes later is like what came before, mostly.
const MOST_EVENTS: usize = 100_000;

/// Told of each event that is recorded.
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
                elems: call.shape.len(),
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
    let role = match operand {
        Operand::Read(_) => RecordedRole::Read,
        Operand::View(..) | Operand::ViewPart(..) | Operand::Strided(..) | Operand::Scalar(_) => {
            RecordedRole::Whole
        }
        Operand::Window(..) | Operand::WindowPart(..) => RecordedRole::Window,
        Operand::Update(_) | Operand::Scatter(..) => RecordedRole::Update,
        Operand::Write(_) => RecordedRole::Write,
        // Borrowed slices are on the host before and after the call.
        Operand::ReadSlice(_)
        | Operand::Uniform(_)
        | Operand::ViewSlice(_)
        | Operand::WindowSlice(..)
        | Operand::UpdateSlice(_)
        | Operand::WriteSlice(_) => return None,
    };
    let buffer: &Buffer = match operand {
        Operand::Scalar(buffer) => buffer,
        operand => operand.buffer()?,
    };
    Some(RecordedOperand {
        buffer: buffer.id(),
        role,
        elems: buffer.len(),
        bytes_per_elem: buffer.layout().size_bytes(),
    })
}
