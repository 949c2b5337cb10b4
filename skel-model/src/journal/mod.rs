//! The journal of a tuned program: lines of JSON, one per thing that happened, appended by each process. [`Line`] is
//! one of them, [`Journal`] what they say together.
//!
//! Such a file is not trusted. What cannot be understood is skipped and counted.

mod fields;
mod line;
mod processes;

pub use line::{Embedded, EmbeddedState, Hello, Line, PROTO, Point, Problem, ProblemKind, Split};

use crate::{
    ClassModel, Event, Evidence, Fingerprint, InstanceKey, Measurement, RecordedCall,
    TransferModel, UnitId, json::Json, size_class,
};
use line::GREETING;
use processes::Processes;
use skel_core::plan::BlockConfig;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::Path,
    time::Duration,
};

/// Elements of a call, and of what lies beside it.
pub type ClassKey = (usize, usize);

/// Longer lines are skipped.
pub const LINE_CAP_BYTES: u64 = 4 << 20;
/// More events of a process, more of its problems, or more measurements in all are not kept. What says
/// whose they are and what came of them always is: without it, a journal could not be gone on with.
const ENTRY_CAP: usize = 200_000;
/// So many different commands are remembered.
const COMMAND_CAP: usize = 4;

/// All that a journal says.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    /// The last process's greeting; none if no process came so far.
    pub hello: Option<Hello>,
    /// What users have said to have it written, each once, the last one last: not more than a few.
    pub commands: Vec<String>,
    /// By id.
    pub instances: BTreeMap<String, InstanceJournal>,
    /// By device.
    pub transfers: BTreeMap<UnitId, TransferModel>,
    /// What went wrong.
    pub problems: Vec<Problem>,
    /// Lines that could not be understood: how many, and the first of them.
    pub skipped: Option<Skipped>,
    /// Whether what earlier processes measured is void, since the last one runs on another machine, or
    /// with other devices.
    pub voided: bool,
    /// Those whose lines count.
    processes: Processes,
    /// Whether a run is followed, of whose processes none ends what another says, and whether its first one has greeted.
    is_followed: bool,
    is_begun: bool,
    /// Samples and whole calls.
    measurements: usize,
    /// How long processes said that measuring took.
    measuring: Duration,
}

/// Lines that could not be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// How many there were.
    pub lines: usize,
    /// The number of the first, from 1 on.
    pub first: usize,
    /// What is wrong with it.
    pub why: String,
}

/// What was measured of an instance.
#[derive(Clone, Debug)]
pub struct InstanceJournal {
    /// Which one.
    pub key: InstanceKey,
    /// What the program carries with it for that one.
    pub embedded: Option<Embedded>,
    /// By size.
    pub classes: BTreeMap<ClassKey, ClassJournal>,
}

/// What was measured of calls of one size.
#[derive(Clone, Debug, Default)]
pub struct ClassJournal {
    /// The units that take part.
    pub units: Vec<UnitId>,
    /// The sizes that are measured on each.
    pub points: Vec<usize>,
    /// All runs so far.
    pub evidence: Evidence,
    /// What block configurations took, by device, in nanoseconds; the usual one first.
    pub blocks: BTreeMap<UnitId, Vec<(BlockConfig, f64)>>,
    /// The model that a process has derived itself when it had measured for long enough.
    said: Option<ClassModel>,
    /// Whether nothing more is worth measuring.
    pub is_settled: bool,
    /// By how much whole calls have changed while they were measured, relatively, as the process said.
    drift: f64,
    /// When the process began that measured it last, if it said so.
    pub when_unix_s: Option<u64>,
}

impl ClassJournal {
    fn new((elems, beside_elems): ClassKey) -> Self {
        ClassJournal {
            evidence: Evidence::new(elems, beside_elems),
            ..ClassJournal::default()
        }
    }

    /// Whether the process that measured it last has said that more would make it surer.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.said.is_some() && !self.is_settled
    }

    /// The model that follows from the runs, or else the one that a process has said, whose runs are not here.
    #[must_use]
    pub fn model(&self) -> Option<ClassModel> {
        self.evidence.model().or_else(|| self.said.clone())
    }

    /// By how much whole calls have changed while they were measured, relatively.
    #[must_use]
    pub fn drift(&self) -> f64 {
        match self.evidence.points().is_empty() {
            true => self.drift,
            false => self.evidence.drift(),
        }
    }
}

impl Journal {
    /// Reads a file; an empty journal if there is none.
    ///
    /// # Errors
    /// What the file system says. What the file says is no error.
    pub fn load(path: &Path) -> io::Result<Journal> {
        match File::open(path) {
            Ok(file) => Journal::read(BufReader::new(file)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(Journal::default()),
            Err(e) => Err(e),
        }
    }

    /// Reads all lines. The last one may be cut off.
    ///
    /// # Errors
    /// What `reader` says.
    pub fn read(mut reader: impl BufRead) -> io::Result<Journal> {
        let mut journal = Journal::default();
        let mut bytes = Vec::new();
        for number in 1.. {
            bytes.clear();
            let read = reader
                .by_ref()
                .take(LINE_CAP_BYTES)
                .read_until(b'\n', &mut bytes)?;
            let whole = bytes.last() == Some(&b'\n');
            if read == 0 || (!whole && (read as u64) < LINE_CAP_BYTES) {
                break;
            }
            if !whole {
                journal.skip(number, "it is too long");
                skip_line(&mut reader)?;
                continue;
            }
            journal.take(number, &bytes);
        }
        Ok(journal)
    }

    /// From here on, a run of a program is followed: its processes may have children that call `skel`, too, and what
    /// all of them say is said of one run. What earlier runs called, and what went wrong in them, is over.
    pub fn follow(&mut self) {
        (self.is_followed, self.is_begun) = (true, false);
        self.begin_run();
    }

    fn begin_run(&mut self) {
        self.processes.forget_events();
        self.problems.clear();
        self.measuring = Duration::ZERO;
    }

    /// Takes one line, and says what it is, if it can be understood.
    pub fn take(&mut self, number: usize, bytes: &[u8]) -> Option<Line> {
        if bytes.trim_ascii().is_empty() {
            return None;
        }
        match self.understood(bytes) {
            Ok(line) => Some(line),
            Err(why) => {
                self.skip(number, &why);
                None
            }
        }
    }

    fn understood(&mut self, bytes: &[u8]) -> Result<Line, String> {
        let value = Json::parse(bytes).map_err(|e| e.to_string())?;
        let pid = match value.get("pid") {
            Some(Json::Integer(pid)) => Some(*pid),
            _ => None,
        };
        if value.get("reason").and_then(Json::as_text) == Some(GREETING) {
            // Of a process that cannot be understood nothing counts: it may run anywhere.
            self.processes.lose(pid);
        } else {
            self.processes.speaks(pid)?;
        }
        let line = Line::of_json(&value)?;
        self.add(line.clone())?;
        Ok(line)
    }

    fn skip(&mut self, number: usize, why: &str) {
        let skipped = self.skipped.get_or_insert_with(|| Skipped {
            lines: 0,
            first: number,
            why: why.to_string(),
        });
        skipped.lines += 1;
    }

    fn add(&mut self, line: Line) -> Result<(), String> {
        match line {
            Line::Hello(hello) => self.begin(hello)?,
            Line::Instance { id, key, embedded } => {
                let instance = self.instances.entry(id).or_insert(InstanceJournal {
                    key,
                    embedded: None,
                    classes: BTreeMap::new(),
                });
                // The program may carry something else each time that it is built.
                instance.embedded = embedded;
            }
            Line::ClassStarted {
                id,
                class,
                units,
                points,
                wrong,
                is_busy,
            } => {
                let class = self.class(&id, class)?;
                class.evidence.units.clone_from(&units);
                class.evidence.wrong = wrong;
                class.evidence.is_busy = is_busy;
                class.units = units;
                class.points = points;
            }
            // It is for those who follow the run.
            Line::Expected { id, class, .. } => {
                self.class(&id, class)?;
            }
            Line::Sample { id, class, point } => {
                is_room(self.measurements)?;
                let evidence = &mut self.class(&id, class)?.evidence;
                let what = Measurement::Part(point.unit, point.part_elems);
                for ns in point.runs_ns {
                    evidence.add(what.clone(), ns);
                }
                self.measured_now(&id, class);
            }
            Line::Blocks {
                id,
                class,
                unit,
                medians_ns,
                chosen,
            } => {
                is_room(self.measurements)?;
                let class = self.class(&id, class)?;
                if let Some(block) = chosen {
                    class.evidence.blocks.insert(unit.clone(), block);
                }
                class.blocks.insert(unit, medians_ns);
                self.measurements += 1;
            }
            Line::Split { id, class, split } => {
                is_room(self.measurements)?;
                let evidence = &mut self.class(&id, class)?.evidence;
                let sizes = split.sizes(evidence.elems);
                for ns in split.runs_ns {
                    evidence.add(Measurement::Split(sizes.clone()), ns);
                }
                self.measured_now(&id, class);
            }
            Line::ClassFinished {
                id,
                model,
                is_settled,
                drift,
                took,
            } => {
                self.measuring = self.measuring.saturating_add(took);
                let class = self.class(&id, (model.elems, model.beside_elems))?;
                class.said = Some(*model);
                class.is_settled = is_settled;
                class.drift = drift;
            }
            Line::Transfer { unit, model } => {
                self.transfers.insert(unit, model);
            }
            Line::Event(event) => {
                is_room(self.processes.kept)?;
                self.processes.add(event);
            }
            Line::Problem(problem) => {
                is_room(self.problems.len())?;
                self.problems.push(problem);
            }
        }
        Ok(())
    }

    /// A process begins. What was measured on another machine, or by other units, is void. In a run that is followed, the
    /// first process says what the machine is.
    fn begin(&mut self, hello: Hello) -> Result<(), String> {
        let same = self.fingerprint() == Some(&hello.fingerprint);
        if self.is_followed && std::mem::replace(&mut self.is_begun, true) && !same {
            return Err(
                "it has other threads or devices than the process that began the run".into(),
            );
        }
        if !same {
            self.voided |= !self.instances.is_empty();
            self.instances.clear();
            self.transfers.clear();
            self.measurements = 0;
            self.commands.clear();
            // Nor does what those still say that run there.
            self.processes.lose_all();
        }
        if let Some(command) = &hello.command {
            self.commands.retain(|known| known != command);
            self.commands.push(command.clone());
            let more = self.commands.len().saturating_sub(COMMAND_CAP);
            self.commands.drain(..more);
        }
        if !self.is_followed {
            self.begin_run();
        }
        self.processes.greet(hello.pid, hello.unix_s);
        self.hello = Some(hello);
        Ok(())
    }

    /// A run was added, of the process that speaks.
    fn measured_now(&mut self, id: &str, class: ClassKey) {
        self.measurements += 1;
        let when = self.processes.when();
        if let Ok(class) = self.class(id, class) {
            class.when_unix_s = when;
        }
    }

    fn class(&mut self, id: &str, class: ClassKey) -> Result<&mut ClassJournal, String> {
        let instance = self
            .instances
            .get_mut(id)
            .ok_or_else(|| format!("no line before it names the instance {id}"))?;
        let new = || ClassJournal::new(class);
        Ok(instance.classes.entry(class).or_insert_with(new))
    }

    /// The machine that it is of.
    #[must_use]
    pub fn fingerprint(&self) -> Option<&Fingerprint> {
        self.hello.as_ref().map(|hello| &hello.fingerprint)
    }

    /// How long measuring has taken in the last run.
    #[must_use]
    pub fn measuring(&self) -> Duration {
        self.measuring
    }

    /// What the last run did: of each of its processes in order, one behind the other. No two of them have buffers of the
    /// same number.
    #[must_use]
    pub fn events(&self) -> Vec<Event> {
        self.processes.all_events()
    }

    /// Whether the last run has made calls of just this size, or calls of no instance at all.
    #[must_use]
    pub fn is_called(&self, id: &str, class: ClassKey) -> bool {
        let mut calls = self.processes.calls().peekable();
        let is_of = |call: &RecordedCall| call.id == id && (call.elems, call.beside_elems) == class;
        calls.peek().is_none() || calls.any(is_of)
    }

    /// How many runs were measured.
    #[must_use]
    pub fn runs(&self) -> usize {
        let classes = self.instances.values().flat_map(|i| i.classes.values());
        classes.map(|class| class.evidence.runs()).sum()
    }

    /// Of how many size classes there is a model, and how many were begun: of those that the last run has called, if it has
    /// called some.
    #[must_use]
    pub fn finished(&self) -> (usize, usize) {
        let nearest = |(elems, beside): ClassKey| (size_class(elems), size_class(beside));
        let called = self.processes.calls();
        let called = called.map(|call| (&*call.id, nearest((call.elems, call.beside_elems))));
        let called: BTreeSet<(&str, (u32, u32))> = called.collect();
        let mut sizes: BTreeMap<(&str, (u32, u32)), bool> = BTreeMap::new();
        for (id, instance) in &self.instances {
            for (class, journal) in &instance.classes {
                let (key, is_done) = ((&**id, nearest(*class)), journal.model().is_some());
                let counts = called.is_empty() || called.contains(&key);
                if counts && (is_done || !journal.points.is_empty()) {
                    *sizes.entry(key).or_default() |= is_done;
                }
            }
        }
        (sizes.values().filter(|done| **done).count(), sizes.len())
    }
}

fn is_room(kept: usize) -> Result<(), String> {
    match kept < ENTRY_CAP {
        true => Ok(()),
        false => Err(format!("{ENTRY_CAP} of its kind are before it")),
    }
}

fn skip_line(reader: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = reader.fill_buf()?;
        let end = buffer.iter().position(|b| *b == b'\n');
        let (used, found) = end.map_or((buffer.len(), false), |at| (at + 1, true));
        let empty = buffer.is_empty();
        reader.consume(used);
        if found || empty {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod test;
