//! Results for programs: one JSON object per line, on standard output.

use super::MessageFormat;
use crate::exit::Result;
use crate::journal::{Journal, Line};
use crate::term::say;
use serde_json::{Value, json};

/// Prints messages, if they were asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Messages {
    format: MessageFormat,
}

impl Messages {
    pub(crate) fn new(format: MessageFormat) -> Self {
        Messages { format }
    }

    /// Whether standard output is for programs.
    pub(crate) fn on(self) -> bool {
        self.format == MessageFormat::Json
    }

    pub(crate) fn send(self, message: impl FnOnce() -> Value) {
        if self.on() {
            say!("{}", message());
        }
    }

    /// The last message of a command that measures, whatever became of it.
    pub(crate) fn end(self, done: Result) -> Result {
        self.send(|| match &done {
            Ok(exit) => json!({"reason": "tune-finished", "exit": exit.code()}),
            Err(failure) => json!({"reason": "tune-finished", "exit": failure.exit.code(),
                "error": failure.what, "help": failure.fix}),
        });
        done
    }

    /// Passes on what a journal says.
    pub(crate) fn line(self, journal: &Journal, line: &Line) {
        let name = |id: &String| journal.instances.get(id).map(|i| i.key.name.clone());
        match line {
            Line::Instance { id, key, .. } => self.send(|| {
                json!({"reason": "instance", "id": id, "name": key.name,
                    "pattern": key.pattern, "elements": key.elements})
            }),
            Line::Sample { id, class, point } => self.send(|| {
                json!({"reason": "sample", "id": id, "name": name(id), "elems": class.0,
                    "beside_elems": class.1, "unit": point.unit.to_string(),
                    "part_elems": point.part_elems, "ns": point.runs_ns})
            }),
            Line::Expected { id, class, needs } => self.send(|| {
                json!({"reason": "expected", "id": id, "name": name(id), "elems": class.0,
                    "beside_elems": class.1, "needs_s": needs.as_secs_f64()})
            }),
            Line::Blocks {
                id,
                class,
                unit,
                medians_ns,
                ..
            } => self.send(|| {
                let blocks = medians_ns.iter().map(|(block, ns)| {
                    json!({"lanes": block.lanes, "elems_per_lane": block.elems_per_lane,
                        "median_ns": ns})
                });
                json!({"reason": "blocks", "id": id, "name": name(id), "elems": class.0,
                    "beside_elems": class.1, "unit": unit.to_string(),
                    "blocks": blocks.collect::<Vec<_>>()})
            }),
            Line::Split { id, class, split } => self.send(|| {
                let shares = split.shares.iter();
                let shares: Vec<_> = shares.map(|(u, s)| json!([u.to_string(), s])).collect();
                json!({"reason": "split", "id": id, "name": name(id), "elems": class.0,
                    "beside_elems": class.1, "shares": shares, "ns": split.runs_ns})
            }),
            Line::ClassFinished {
                id,
                model,
                is_settled,
                ..
            } => self.send(|| {
                json!({"reason": "class-finished", "id": id, "name": name(id),
                    "elems": model.elems, "beside_elems": model.beside_elems,
                    "verdict": model.verdict().to_string(), "unsure": finite(model.unsure()),
                    "settled": is_settled})
            }),
            Line::Problem(problem) => {
                self.send(|| json!({"reason": "problem", "id": problem.id, "what": problem.what}))
            }
            _ => {}
        }
    }
}

/// A number, if it is one that JSON has.
pub(crate) fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}
