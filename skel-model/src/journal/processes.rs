//! The processes that write a journal: a program, its children, and those of earlier runs.

use crate::{Event, RecordedCall};
use std::collections::BTreeMap;

/// What is known of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Processes {
    /// By number, those whose greeting was understood, and that run on the journal's machine.
    greeted: BTreeMap<u64, Process>,
    /// The one whose line is read.
    speaking: Option<Process>,
    /// The number of the one that greeted last, if it is one of these: lines of earlier versions name none.
    last: Option<u64>,
    /// How many came so far.
    count: usize,
    /// What they did, by how many came before.
    events: BTreeMap<usize, Vec<Event>>,
    /// How many events there are, of all of them.
    pub(super) kept: usize,
}

#[derive(Clone, Copy, Debug)]
struct Process {
    /// How many came before it.
    place: usize,
    /// When it began.
    unix_s: Option<u64>,
}

impl Processes {
    /// A greeting that was understood. A number that was there before is that of another process.
    pub(super) fn greet(&mut self, pid: Option<u64>, unix_s: Option<u64>) {
        // No system calls a process so.
        let pid = pid.unwrap_or(u64::MAX);
        let place = self.count;
        self.count += 1;
        self.greeted.insert(pid, Process { place, unix_s });
        self.last = Some(pid);
    }

    /// A greeting that may turn out not to be understood.
    pub(super) fn lose(&mut self, pid: Option<u64>) {
        self.last = None;
        if let Some(pid) = pid {
            self.greeted.remove(&pid);
        }
    }

    /// The machine is another one from here on.
    pub(super) fn lose_all(&mut self) {
        self.greeted.clear();
        self.forget_events();
    }

    /// A line that this process has written, or else the one that greeted last.
    pub(super) fn speaks(&mut self, pid: Option<u64>) -> Result<(), String> {
        let pid = pid.or(self.last);
        self.speaking = pid.and_then(|pid| self.greeted.get(&pid).copied());
        match self.speaking {
            Some(_) => Ok(()),
            None => Err("it is not known on which machine its process runs".into()),
        }
    }

    /// When the process began whose line is read.
    pub(super) fn when(&self) -> Option<u64> {
        self.speaking?.unix_s
    }

    /// Something that it did.
    pub(super) fn add(&mut self, event: Event) {
        if let Some(process) = self.speaking {
            self.events.entry(process.place).or_default().push(event);
            self.kept += 1;
        }
    }

    /// What they did so far is over.
    pub(super) fn forget_events(&mut self) {
        self.events.clear();
        self.kept = 0;
    }

    pub(super) fn calls(&self) -> impl Iterator<Item = &RecordedCall> {
        let events = self.events.values().flatten();
        events.filter_map(|event| match event {
            Event::Call(call) => Some(call),
            Event::Read { .. } => None,
        })
    }

    /// The events of each in order. Buffers are numbered by each process for itself, and anew here.
    pub(super) fn all_events(&self) -> Vec<Event> {
        let mut all = Vec::with_capacity(self.kept);
        let mut buffers = 0;
        for events in self.events.values() {
            let mut known = BTreeMap::new();
            let mut number = |buffer: &mut u64| {
                *buffer = *known.entry(*buffer).or_insert_with(|| {
                    buffers += 1;
                    buffers
                });
            };
            for event in events {
                let mut event = event.clone();
                match &mut event {
                    Event::Call(call) => {
                        let operands = call.operands.iter_mut();
                        operands.for_each(|operand| number(&mut operand.buffer));
                    }
                    Event::Read { buffer, .. } => number(buffer),
                }
                all.push(event);
            }
        }
        all
    }
}
