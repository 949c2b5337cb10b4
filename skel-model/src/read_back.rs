//! Read-back: the part of an instance's outputs that the host reads next.

use crate::Event;
use skel_core::space::IntervalSet;
use std::collections::{BTreeMap, HashMap};

/// What of a buffer was written, by which instance, and read since.
struct Written<'e> {
    by: &'e str,
    bytes_per_elem: usize,
    elems: usize,
    read: IntervalSet,
}

/// Of each instance that writes containers, by [`InstanceKey::id`](super::InstanceKey::id): which part of
/// the bytes that it wrote the host read before they were written again, from 0 to 1.
///
/// ```
/// use skel_model::{Event, RecordedCall, RecordedOperand, RecordedRole, read_back};
///
/// let output = RecordedOperand { buffer: 1, role: RecordedRole::Write, elems: 100, bytes_per_elem: 4 };
/// let call = RecordedCall { id: "f".into(), elems: 100, beside_elems: 0, operands: vec![output] };
/// let events = [Event::Call(call.clone()), Event::Call(call), Event::Read { buffer: 1, from: 0, to: 50 }];
/// // All of the first result was lost unread, and half of the second one was read.
/// assert_eq!(read_back(&events)["f"], 0.25);
/// ```
#[must_use]
pub fn read_back(events: &[Event]) -> BTreeMap<String, f64> {
    let mut open: HashMap<u64, Written<'_>> = HashMap::new();
    // Bytes that were read, of bytes that were written.
    let mut sums: BTreeMap<String, (f64, f64)> = BTreeMap::new();
    let mut close = |written: Written<'_>| {
        let bytes = |elems: usize| elems as f64 * written.bytes_per_elem as f64;
        let sum = sums.entry(written.by.to_owned()).or_default();
        sum.0 += bytes(written.read.len());
        sum.1 += bytes(written.elems);
    };
    for event in events {
        match event {
            Event::Call(call) => {
                let written = call.operands.iter().filter(|o| o.role.writes());
                for operand in written {
                    let fresh = Written {
                        by: &call.id,
                        bytes_per_elem: operand.bytes_per_elem,
                        elems: operand.elems,
                        read: IntervalSet::new(),
                    };
                    if let Some(before) = open.insert(operand.buffer, fresh) {
                        close(before);
                    }
                }
            }
            Event::Read { buffer, from, to } => {
                if let Some(written) = open.get_mut(buffer) {
                    let end = (*to).min(written.elems);
                    if *from < end {
                        written.read.insert(*from..end);
                    }
                }
            }
        }
    }
    for (_, written) in open {
        close(written);
    }
    let part = |(read, all): (f64, f64)| if all > 0.0 { read / all } else { 0.0 };
    sums.into_iter().map(|(id, sum)| (id, part(sum))).collect()
}

#[cfg(test)]
mod test {
    use crate::{RecordedCall, RecordedOperand, RecordedRole, read_back::*};

    fn call(id: &str, buffer: u64, role: RecordedRole) -> Event {
        let operand = RecordedOperand {
            buffer,
            role,
            elems: 10,
            bytes_per_elem: 4,
        };
        Event::Call(RecordedCall {
            id: id.into(),
            elems: 10,
            beside_elems: 0,
            operands: vec![operand],
        })
    }

    fn read(buffer: u64, from: usize, to: usize) -> Event {
        Event::Read { buffer, from, to }
    }

    #[test]
    fn what_another_call_reads_does_not_count() {
        let events = [
            call("a", 1, RecordedRole::Write),
            call("b", 1, RecordedRole::Read),
            call("b", 2, RecordedRole::Update),
            read(2, 0, 4),
            read(2, 2, 5),
            read(2, 9, 100),
            read(3, 0, 10),
        ];
        let parts = read_back(&events);
        assert_eq!(parts["a"], 0.0);
        assert_eq!(parts["b"], 0.6);
        assert_eq!(parts.len(), 2);
    }
}
