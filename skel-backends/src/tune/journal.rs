//! The journal: what was measured, a line of JSON each, for the command that asked for it.
//!
//! Lines are only ever appended, each in one write, so a program that is killed loses the last one at most.
//! Classes that are finished in the journal are not measured again.

use super::session::unix_s;
use skel_core::plan::BlockConfig;
use skel_model::{
    ClassModel, Event, Evidence, Fingerprint, InstanceKey, Measurement, RecordedCall,
    TransferModel, UnitId, Verdict,
    disk::file,
    journal as read,
    json::{Json, block_to_json},
    store::Lookup,
};
use std::{
    fs::File,
    io::{BufReader, Read, Write},
    path::Path,
    sync::{Mutex, PoisonError},
    time::Duration,
};

/// The most that is kept of the command that asked for it.
const MAX_COMMAND_CHARS: usize = 1000;

/// A journal file.
pub(super) struct Journal {
    file: Mutex<Written>,
    greeting: Vec<(String, Json)>,
}

struct Written {
    file: File,
    /// The process that has greeted: a fork has another number, and greets for itself.
    by: Option<u32>,
}

/// The instance, by [`InstanceKey::id`], and the size class of a line.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    pub(super) id: &'a str,
    pub(super) elems: usize,
    pub(super) beside_elems: usize,
}

impl Journal {
    /// Goes on with the file, or begins one. `command` is what the user has said to have it written, if that
    /// is known: so that its reader knows which program was measured, and with which arguments.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn open(
        path: &Path,
        fingerprint: &Fingerprint,
        command: Option<&str>,
    ) -> std::io::Result<Self> {
        let mut file = file::append(path)?;
        if !ends_in_a_line(&mut file)? {
            // The last line of a program that was killed stays what it is: none.
            file.write_all(b"\n")?;
        }
        let command = command.map(|text| text.chars().take(MAX_COMMAND_CHARS).collect::<String>());
        let greeting = [
            ("reason", Some("journal".into())),
            ("proto", Some(Json::Integer(read::PROTO))),
            ("skel", Some(env!("CARGO_PKG_VERSION").into())),
            ("unix_s", Some(Json::Integer(unix_s()))),
            ("command", command.map(Json::from)),
            ("fingerprint", Some(fingerprint.to_json())),
        ];
        let known = greeting
            .into_iter()
            .filter_map(|(name, value)| Some((name.into(), value?)));
        let mut written = Written { file, by: None };
        let greeting: Vec<(String, Json)> = known.collect();
        written.greet(&greeting)?;
        Ok(Journal {
            file: Mutex::new(written),
            greeting,
        })
    }

    fn try_write(&self, line: Vec<(String, Json)>) -> std::io::Result<()> {
        let mut written = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        written.greet(&self.greeting)?;
        written.line(line)
    }

    /// Appends a line. A disk that is full loses lines; what is measured counts all the same.
    fn write(&self, reason: &str, about: Option<Subject<'_>>, fields: Vec<(&str, Json)>) {
        let mut line = vec![("reason".to_owned(), Json::from(reason))];
        if let Some(about) = about {
            line.push(("id".into(), about.id.into()));
            line.push(("elems".into(), size(about.elems)));
            line.push(("beside_elems".into(), size(about.beside_elems)));
        }
        line.extend(
            fields
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value)),
        );
        let _lost = self.try_write(line);
    }

    /// An instance, and its embedded model, which only the program has.
    pub(super) fn instance(&self, id: &str, key: &InstanceKey, embedded: &Lookup) {
        let mut fields = vec![("id", id.into()), ("key", key.to_json())];
        let said =
            |state: &str, why: String| Json::object([("state", state.into()), ("why", why.into())]);
        match embedded {
            Lookup::Found(found) => {
                let verdict = Verdict::of(&found.model.classes).to_string();
                fields.push(("embedded", said("tuned", verdict)));
            }
            Lookup::Stale { why, .. } => fields.push(("embedded", said("stale", why.to_string()))),
            Lookup::Broken(error) => fields.push(("embedded", said("broken", error.to_string()))),
            Lookup::Missing => {}
        }
        self.write("instance", None, fields);
    }

    pub(super) fn class_started(&self, about: Subject<'_>, points: &[usize], evidence: &Evidence) {
        let ids = |units: &[UnitId]| Json::list(units.iter().map(UnitId::to_string));
        let points = Json::List(points.iter().map(|n| size(*n)).collect());
        let mut fields = vec![("units", ids(&evidence.units)), ("points", points)];
        if !evidence.wrong.is_empty() {
            fields.push(("wrong", ids(&evidence.wrong)));
        }
        if evidence.is_busy {
            fields.push(("busy", evidence.is_busy.into()));
        }
        self.write("class-started", Some(about), fields);
    }

    /// For how long the calls are expected to be measured from now on.
    pub(super) fn expected(&self, about: Subject<'_>, needs: Duration) {
        let needs_ms = ("needs_ms", milliseconds(needs));
        self.write("expected", Some(about), vec![needs_ms]);
    }

    /// One run: of a part, or of a whole call that was shared.
    pub(super) fn run(&self, about: Subject<'_>, evidence: &Evidence, what: &Measurement, ns: f64) {
        let ns = ("ns", Json::list([ns]));
        match what {
            Measurement::Part(unit, elems) => {
                let unit = ("unit", unit.to_string().into());
                self.write(
                    "sample",
                    Some(about),
                    vec![unit, ("part_elems", size(*elems)), ns],
                );
            }
            Measurement::Split(sizes) => {
                let share = |(unit, n): &(UnitId, usize)| {
                    let share = *n as f64 / evidence.elems.max(1) as f64;
                    Json::List(vec![unit.to_string().into(), share.into()])
                };
                let shares = ("shares", Json::List(sizes.iter().map(share).collect()));
                self.write("split", Some(about), vec![shares, ns]);
            }
        }
    }

    /// What the block configurations of a device took, the usual one first.
    pub(super) fn blocks(
        &self,
        about: Subject<'_>,
        unit: &UnitId,
        medians_ns: &[(BlockConfig, f64)],
        chosen: Option<BlockConfig>,
    ) {
        let block = |(block, ns): &(BlockConfig, f64)| {
            Json::object([("block", block_to_json(block)), ("median_ns", (*ns).into())])
        };
        let mut fields = vec![
            ("unit", unit.to_string().into()),
            ("blocks", Json::List(medians_ns.iter().map(block).collect())),
        ];
        fields.extend(chosen.map(|block| ("chosen", block_to_json(&block))));
        self.write("blocks", Some(about), fields);
    }

    /// What follows from all runs of a class, and whether more are worth it.
    pub(super) fn class_finished(
        &self,
        id: &str,
        model: &ClassModel,
        is_settled: bool,
        drift: f64,
        took: Duration,
    ) {
        let fields = vec![
            ("id", id.into()),
            ("settled", is_settled.into()),
            ("drift", drift.into()),
            ("took_ms", milliseconds(took)),
            ("model", model.to_json()),
        ];
        self.write("class-finished", None, fields);
    }

    pub(super) fn transfer(&self, unit: &UnitId, model: &TransferModel) {
        let fields = vec![
            ("unit", unit.to_string().into()),
            ("model", model.to_json()),
        ];
        self.write("transfer", None, fields);
    }

    pub(super) fn event(&self, event: &Event) {
        match event {
            Event::Call(RecordedCall {
                id,
                elems,
                beside_elems,
                operands,
            }) => {
                let about = Subject {
                    id,
                    elems: *elems,
                    beside_elems: *beside_elems,
                };
                let operand = |o: &skel_model::RecordedOperand| {
                    Json::object([
                        ("buffer", Json::Integer(o.buffer)),
                        ("role", o.role.to_string().into()),
                        ("elems", size(o.elems)),
                        ("bytes_per_elem", size(o.bytes_per_elem)),
                    ])
                };
                let operands = Json::List(operands.iter().map(operand).collect());
                self.write("call", Some(about), vec![("operands", operands)]);
            }
            Event::Read { buffer, from, to } => {
                let fields = vec![
                    ("buffer", Json::Integer(*buffer)),
                    ("from", size(*from)),
                    ("to", size(*to)),
                ];
                self.write("read", None, fields);
            }
        }
    }

    pub(super) fn problem(&self, about: Option<Subject<'_>>, kind: &str, what: &str) {
        self.write(
            "problem",
            about,
            vec![("kind", kind.into()), ("what", what.into())],
        );
    }

    /// The time for measuring something was over: with so much it would be measured.
    pub(super) fn over_budget(&self, about: Subject<'_>, what: &str, would_do_s: u64) {
        let fields = vec![
            ("kind", "budget".into()),
            ("what", what.into()),
            ("would_do_s", Json::Integer(would_do_s)),
        ];
        self.write("problem", Some(about), fields);
    }
}

impl Written {
    /// Once per process.
    fn greet(&mut self, greeting: &[(String, Json)]) -> std::io::Result<()> {
        let pid = std::process::id();
        if self.by != Some(pid) {
            self.line(greeting.to_vec())?;
            self.by = Some(pid);
        }
        Ok(())
    }

    /// In one write, with the number of the process: children of the program write here, too.
    fn line(&mut self, mut line: Vec<(String, Json)>) -> std::io::Result<()> {
        let pid = Json::Integer(u64::from(std::process::id()));
        line.push(("pid".into(), pid));
        let text = format!("{}\n", Json::Object(line));
        self.file.write_all(text.as_bytes())
    }
}

fn milliseconds(time: Duration) -> Json {
    Json::Integer(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}

fn size(n: usize) -> Json {
    Json::Integer(n as u64)
}

/// Whether nothing is written there yet, or the last line is a whole one.
fn ends_in_a_line(file: &mut File) -> std::io::Result<bool> {
    use std::io::{Seek, SeekFrom};
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

/// What earlier programs of the same journal have measured on this machine, with its devices: by instance and size
/// class, all runs, and whether more are worth it. What another machine has measured before or in between is void.
pub(super) fn measured(path: &Path, here: &Fingerprint) -> Vec<(String, Evidence, bool)> {
    // Without the file, or with one that cannot be read, all is measured.
    let journal = file::open(path).and_then(|file| read::Journal::read(BufReader::new(file)));
    let Ok(journal) = journal else {
        return Vec::new();
    };
    if journal.fingerprint() != Some(here) {
        return Vec::new();
    }
    let of_instance = journal.instances.into_iter().flat_map(|(id, instance)| {
        let classes = instance.classes.into_values();
        classes.map(move |class| (id.clone(), class.evidence, class.is_settled))
    });
    of_instance.collect()
}

#[cfg(test)]
mod test;
