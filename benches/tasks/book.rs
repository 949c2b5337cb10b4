//! All that was measured, and its tables.

use crate::{
    ablation, ahead,
    contender::{Beside, Sample},
    figure8, grain, overhead,
};
use serde_json::{Value, json};
use std::{collections::BTreeMap, process::Command, time::SystemTime};
use tuner::{Machine, Table, stats, table::time};

/// A part of the benchmark, and what else the machine did.
type Section = (&'static str, Beside);

/// Samples of one contender doing one thing.
struct Entry {
    section: Section,
    contender: String,
    what: String,
    seconds: Vec<f64>,
    cores: Vec<f64>,
}

/// All that was measured.
#[derive(Default)]
pub(crate) struct Book {
    entries: Vec<Entry>,
    notes: Vec<String>,
    /// By part, the cores that other processes took.
    others: BTreeMap<&'static str, Vec<f64>>,
}

impl Book {
    pub(crate) fn add(&mut self, section: Section, contender: &str, sample: Sample) {
        let at = self.at(section, contender, &sample.what);
        let at = at.unwrap_or_else(|| {
            self.entries.push(Entry {
                section,
                contender: contender.into(),
                what: sample.what,
                seconds: Vec::new(),
                cores: Vec::new(),
            });
            self.entries.len() - 1
        });
        self.entries[at].seconds.push(sample.seconds);
        self.entries[at].cores.extend(sample.cores);
    }

    fn at(&self, section: Section, contender: &str, what: &str) -> Option<usize> {
        self.entries.iter().position(|entry| {
            entry.section == section && entry.contender == contender && entry.what == what
        })
    }

    /// What the reader has to know.
    pub(crate) fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Before a round, other processes took so many cores.
    pub(crate) fn others_took(&mut self, part: &'static str, cores: Option<f64>) {
        self.others.entry(part).or_default().extend(cores);
    }

    /// The median, in seconds, if it was measured.
    pub(crate) fn median_s(&self, section: Section, contender: &str, what: &str) -> Option<f64> {
        let at = self.at(section, contender, what)?;
        Some(stats::median(&self.entries[at].seconds))
    }

    /// The median of the cores that a contender had.
    fn cores(&self, section: Section, contender: &str) -> Option<f64> {
        let entries = self.of(section);
        let its = entries.filter(|entry| entry.contender == contender);
        let all: Vec<f64> = its.flat_map(|entry| entry.cores.clone()).collect();
        (!all.is_empty()).then(|| stats::median(&all))
    }

    fn of(&self, section: Section) -> impl Iterator<Item = &Entry> {
        let in_section = move |entry: &&Entry| entry.section == section;
        self.entries.iter().filter(in_section)
    }

    /// Those that were measured, in the order of their first samples.
    pub(crate) fn contenders(&self, section: Section) -> Vec<String> {
        distinct(self.of(section).map(|entry| &entry.contender))
    }

    /// What was measured.
    pub(crate) fn whats(&self, section: Section) -> Vec<String> {
        distinct(self.of(section).map(|entry| &entry.what))
    }

    /// A row for each contender; at its end the cores that it had, where that was measured.
    pub(crate) fn table(
        &self,
        section: Section,
        columns: &[String],
        cell: impl Fn(&str, &str) -> Option<String>,
    ) -> Table {
        let with_cores = self.of(section).any(|entry| !entry.cores.is_empty());
        let last = with_cores.then(|| "cores".to_owned());
        let header = [String::new()].into_iter().chain(columns.iter().cloned());
        let mut table = Table::new(header.chain(last));
        let or_none = |text: Option<String>| text.unwrap_or_else(|| "–".into());
        for contender in self.contenders(section) {
            let cells = columns.iter().map(|what| or_none(cell(&contender, what)));
            let cores = with_cores.then(|| {
                let cores = self.cores(section, &contender);
                or_none(cores.map(|cores| format!("{cores:.1}")))
            });
            table.row([contender.clone()].into_iter().chain(cells).chain(cores));
        }
        table
    }

    /// Medians.
    pub(crate) fn times(&self, section: Section, columns: &[String]) -> Table {
        self.table(section, columns, |contender, what| {
            self.median_s(section, contender, what).map(time)
        })
    }

    /// All medians of a part, where nothing else runs, with a line above; nothing if nothing was measured.
    pub(crate) fn all_times(&self, part: &'static str, title: &str) -> String {
        let section = (part, Beside::Nothing);
        let columns = self.whats(section);
        match columns.is_empty() {
            true => String::new(),
            false => format!("{title}\n\n{}\n", self.times(section, &columns).markdown()),
        }
    }

    /// Everything, in Markdown.
    pub(crate) fn markdown(&self) -> String {
        let mut text = format!("{}\n\n", Machine::this());
        for note in &self.notes {
            text += &format!("- {note}\n");
        }
        for (part, cores) in &self.others {
            let (median, most) = (
                stats::median(cores),
                cores.iter().copied().fold(0.0, f64::max),
            );
            text += &format!(
                "- {part}: other processes took {median:.1} cores before a round (at most {most:.1})\n"
            );
        }
        text + "\n"
            + &overhead::tables(self)
            + &grain::tables(self)
            + &ahead::tables(self)
            + &ablation::tables(self)
            + &figure8::tables(self)
    }

    /// Everything, with all samples.
    pub(crate) fn json(&self) -> Value {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let entry = |entry: &Entry| {
            json!({
                "part": entry.section.0,
                "beside": entry.section.1.name(),
                "contender": entry.contender,
                "what": entry.what,
                "median_s": stats::median(&entry.seconds),
                "samples_s": entry.seconds,
                "cores": entry.cores,
            })
        };
        json!({
            "bench": "tasks",
            "host": Machine::this().to_string(),
            "unix_s": since.map_or(0, |since| since.as_secs()),
            "skel": env!("CARGO_PKG_VERSION"),
            "commit": commit(),
            "notes": self.notes,
            "other_processes_cores": self.others,
            "figures": self.entries.iter().map(entry).collect::<Vec<_>>(),
        })
    }
}

fn distinct<'a>(all: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut distinct: Vec<String> = Vec::new();
    for one in all {
        if !distinct.contains(one) {
            distinct.push(one.clone());
        }
    }
    distinct
}

fn commit() -> Option<String> {
    let out = Command::new("git").args(["rev-parse", "HEAD"]).output();
    let text = String::from_utf8(out.ok()?.stdout).ok()?;
    Some(text.trim().into()).filter(|text: &String| !text.is_empty())
}
