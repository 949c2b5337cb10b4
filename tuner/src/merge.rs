//! From a journal to models of instances.

use crate::journal::{ClassJournal, InstanceJournal, Journal, Split};
use crate::stats;
use skel::model::{ClassModel, Event, InstanceModel, MachineModels, Measured, Sample};
use std::collections::{BTreeMap, HashMap};

/// The models of what was measured to the end.
#[must_use]
pub fn models(journal: &Journal, seed: u64, now_unix_s: u64) -> Option<MachineModels> {
    let read_back = read_back(&journal.events);
    let instances = journal.instances.iter();
    let instance = |(id, instance): (&String, &InstanceJournal)| {
        let classes: Vec<ClassModel> = instance.classes.values().filter_map(class).collect();
        (!classes.is_empty()).then(|| InstanceModel {
            key: instance.key.clone(),
            classes,
            chain: Vec::new(),
            read_back: read_back.get(id.as_str()).copied().unwrap_or(0.0),
            seed,
            when_unix_s: now_unix_s,
            drift: instance.classes.values().map(drift).fold(0.0, f64::max),
        })
    };
    Some(MachineModels {
        fingerprint: journal.fingerprint()?.clone(),
        transfers: journal
            .transfers
            .iter()
            .map(|(unit, model)| (unit.clone(), *model))
            .collect(),
        instances: instances.filter_map(instance).collect(),
    })
}

/// What an instance was known to need before, with what is known now.
#[must_use]
pub fn onto(before: Option<InstanceModel>, now: InstanceModel) -> InstanceModel {
    let Some(before) = before else { return now };
    let mut now = now;
    let known = |class: &ClassModel, of: &[ClassModel]| {
        of.iter()
            .any(|c| (c.elems, c.beside_elems) == (class.elems, class.beside_elems))
    };
    let kept = before.classes.into_iter();
    let kept: Vec<ClassModel> = kept.filter(|c| !known(c, &now.classes)).collect();
    now.classes.extend(kept);
    now.classes.sort_by_key(|c| (c.elems, c.beside_elems));
    now
}

/// A finished class, with the whole calls that were measured after it was finished, as the oracle's.
fn class(class: &ClassJournal) -> Option<ClassModel> {
    let mut model = class.model.clone()?;
    for split in &class.splits {
        let known = model.measured.iter_mut().find(|m| m.shares == split.shares);
        let sample = sample(model.elems, split);
        match known {
            // The last measurement counts, or the model's own, if that is the same.
            Some(known) => known.sample = sample,
            None => model.measured.push(Measured {
                shares: split.shares.clone(),
                sample,
            }),
        }
    }
    Some(model)
}

fn sample(elems: usize, split: &Split) -> Sample {
    let median_ns = stats::median(&split.runs_ns);
    let distances: Vec<f64> = split
        .runs_ns
        .iter()
        .map(|ns| (ns - median_ns).abs())
        .collect();
    Sample {
        elems,
        median_ns,
        mad_ns: stats::median(&distances),
        runs: u32::try_from(split.runs_ns.len()).unwrap_or(u32::MAX),
    }
}

/// By how much a point that was measured more than once differed in the end, relatively.
fn drift(class: &ClassJournal) -> f64 {
    let mut first: BTreeMap<_, f64> = BTreeMap::new();
    let mut most: f64 = 0.0;
    for point in &class.samples {
        let median = stats::median(&point.runs_ns);
        let key = (&point.unit, point.part_elems);
        let before = *first.entry(key).or_insert(median);
        if before > 0.0 {
            most = most.max((median / before - 1.0).abs());
        }
    }
    most
}

/// What was written last into a buffer, and which of it the host has read.
struct Written<'a> {
    by: &'a str,
    elems: usize,
    bytes_per_elem: usize,
    read: Vec<(usize, usize)>,
}

impl<'a> Written<'a> {
    /// Adds the bytes that were read, and all of them, to those of the instance.
    fn close(self, bytes: &mut HashMap<&'a str, (f64, f64)>) {
        let (read, all) = bytes.entry(self.by).or_default();
        let bytes_per_elem = self.bytes_per_elem as f64;
        *read += covered(self.read, self.elems) as f64 * bytes_per_elem;
        *all += self.elems as f64 * bytes_per_elem;
    }
}

/// Per instance, the part of what its calls wrote that the host read before it was written again.
fn read_back(events: &[Event]) -> HashMap<&str, f64> {
    let mut open: HashMap<u64, Written<'_>> = HashMap::new();
    let mut bytes = HashMap::new();
    for event in events {
        match event {
            Event::Call(call) => {
                for operand in call.operands.iter().filter(|o| o.role.writes()) {
                    let written = Written {
                        by: &call.id,
                        elems: operand.elems,
                        bytes_per_elem: operand.bytes_per_elem,
                        read: Vec::new(),
                    };
                    if let Some(before) = open.insert(operand.buffer, written) {
                        before.close(&mut bytes);
                    }
                }
            }
            Event::Read { buffer, from, to } => {
                if let Some(written) = open.get_mut(buffer) {
                    written.read.push((*from, *to));
                }
            }
        }
    }
    for written in open.into_values() {
        written.close(&mut bytes);
    }
    let part = |(read, all): (f64, f64)| {
        if all > 0.0 {
            (read / all).clamp(0.0, 1.0)
        } else {
            0.0
        }
    };
    bytes
        .into_iter()
        .map(|(id, sums)| (id, part(sums)))
        .collect()
}

/// How many of the first `elems` elements lie in one of the ranges.
fn covered(mut ranges: Vec<(usize, usize)>, elems: usize) -> usize {
    ranges.sort_unstable();
    let (mut sum, mut end) = (0, 0);
    for (from, to) in ranges {
        let (from, to) = (from.max(end), to.min(elems));
        if from < to {
            sum += to - from;
            end = to;
        }
    }
    sum
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::journal::Point;
    use skel::model::{RecordedCall, RecordedOperand, RecordedRole, UnitId};

    fn call(id: &str, buffer: u64, role: RecordedRole) -> Event {
        Event::Call(RecordedCall {
            id: id.into(),
            elems: 100,
            beside_elems: 0,
            operands: vec![RecordedOperand {
                buffer,
                role,
                elems: 100,
                bytes_per_elem: 4,
            }],
        })
    }

    #[test]
    fn what_the_host_reads_counts_once_and_until_it_is_written_again() {
        let read = |buffer, from, to| Event::Read { buffer, from, to };
        let events = [
            call("a", 1, RecordedRole::Write),
            read(1, 0, 50),
            read(1, 25, 75),
            call("b", 1, RecordedRole::Read),
            call("b", 2, RecordedRole::Write),
            call("a", 1, RecordedRole::Update),
            read(3, 0, 100),
            read(1, 90, 1000),
        ];
        let read = read_back(&events);
        assert_eq!(read["a"], (75.0 + 10.0) / 200.0);
        assert_eq!(read["b"], 0.0);
    }

    #[test]
    fn drift_is_that_of_a_point_measured_again() {
        let point = |n, ns| Point {
            unit: UnitId::Cpu,
            part_elems: n,
            runs_ns: vec![ns],
        };
        let class = ClassJournal {
            samples: vec![point(1, 100.0), point(2, 300.0), point(1, 110.0)],
            ..ClassJournal::default()
        };
        assert!((drift(&class) - 0.1).abs() < 1e-12);
        assert_eq!(drift(&ClassJournal::default()), 0.0);
    }
}
