//! One line of a journal.

use crate::{
    ClassModel, Event, Fingerprint, InstanceKey, RecordedCall, RecordedOperand, TransferModel,
    UnitId,
    journal::{
        ClassKey,
        fields::{
            Result, count, counts, field, flag, list, number, optional, shares, text, times, unit,
            units,
        },
    },
    json::block_from_json,
    json::{Json, Malformed},
};
use skel_core::plan::BlockConfig;

use std::time::Duration;

/// The version of the lines that is understood here.
pub const PROTO: u64 = 1;

/// The reason of a line by which a process begins.
pub(super) const GREETING: &str = "journal";

/// What a line says.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// A process begins.
    Hello(Hello),
    /// There is an instance.
    Instance {
        /// What the other lines call it.
        id: String,
        /// Which one.
        key: InstanceKey,
        /// What the program carries with it for that one.
        embedded: Option<Embedded>,
    },
    /// Calls of a size are going to be measured.
    ClassStarted {
        /// The instance.
        id: String,
        /// The size.
        class: ClassKey,
        /// On these units.
        units: Vec<UnitId>,
        /// At so many elements.
        points: Vec<usize>,
        /// Without these, which compute something else.
        wrong: Vec<UnitId>,
        /// Whether other programs keep the machine busy.
        is_busy: bool,
    },
    /// How long a size is expected to be measured yet, as far as its first runs tell.
    Expected {
        /// The instance.
        id: String,
        /// The size.
        class: ClassKey,
        /// For so long.
        needs: Duration,
    },
    /// A part was measured on a unit.
    Sample {
        /// The instance.
        id: String,
        /// The size.
        class: ClassKey,
        /// What was measured.
        point: Point,
    },
    /// A device was measured in several block configurations.
    Blocks {
        /// The instance.
        id: String,
        /// The size.
        class: ClassKey,
        /// The device.
        unit: UnitId,
        /// What each took, in nanoseconds; the usual one first.
        medians_ns: Vec<(BlockConfig, f64)>,
        /// The one that the device launches in from then on, if it is not the usual one.
        chosen: Option<BlockConfig>,
    },
    /// A whole call was measured.
    Split {
        /// The instance.
        id: String,
        /// The size.
        class: ClassKey,
        /// What was measured.
        split: Split,
    },
    /// The model of a size, when measuring it has ended for now.
    ClassFinished {
        /// The instance.
        id: String,
        /// What came of it.
        model: Box<ClassModel>,
        /// Whether nothing more is worth measuring.
        is_settled: bool,
        /// By how much whole calls have changed while they were measured, relatively.
        drift: f64,
        /// How long the process has measured it.
        took: Duration,
    },
    /// A device's transfers were measured.
    Transfer {
        /// The device.
        unit: UnitId,
        /// What came of it.
        model: TransferModel,
    },
    /// The program called, or read.
    Event(Event),
    /// Something went wrong.
    Problem(Problem),
}

/// What a process says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hello {
    /// The version of skel that it was built with.
    pub skel: String,
    /// Where it runs.
    pub fingerprint: Fingerprint,
    /// The command that it was run by, if the process was told.
    pub command: Option<String>,
    /// The number of the process. Its other lines have it as well.
    pub pid: Option<u64>,
    /// When it began.
    pub unix_s: Option<u64>,
}

/// A program's embedded model of an instance, as the program reports it: no other process can see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Embedded {
    /// Whether it is used.
    pub state: EmbeddedState,
    /// Why not; of a model that is used, its verdict.
    pub why: String,
}

/// Whether a model that a program carries is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmbeddedState {
    /// It is.
    Tuned,
    /// It does not fit what the program does here.
    Stale,
    /// It cannot be read, or is said to be something that this version does not know.
    Broken,
}

/// A part of a call on one unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The unit.
    pub unit: UnitId,
    /// Elements of the part.
    pub part_elems: usize,
    /// All runs.
    pub runs_ns: Vec<f64>,
}

/// A whole call, shared.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// Which unit takes how much.
    pub shares: Vec<(UnitId, f64)>,
    /// All runs.
    pub runs_ns: Vec<f64>,
}

impl Split {
    /// Elements of each unit, of a call of so many: all of them, since shares may be rounded.
    #[must_use]
    pub fn sizes(&self, elems: usize) -> Vec<(UnitId, usize)> {
        let mut left = elems;
        let size = |(unit, share): &(UnitId, f64)| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a share lies between 0 and 1"
            )]
            let size = (share * elems as f64).round() as usize;
            let size = size.min(left);
            left -= size;
            (unit.clone(), size)
        };
        let mut sizes: Vec<(UnitId, usize)> = self.shares.iter().map(size).collect();
        if let Some((_, last)) = sizes.last_mut() {
            *last += left;
        }
        sizes
    }
}

/// Something that went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The instance, if it is one's.
    pub id: Option<String>,
    /// What.
    pub what: String,
    /// Of which kind.
    pub kind: ProblemKind,
    /// The budget that would have been long enough, in seconds.
    pub would_do_s: Option<u64>,
}

/// Kinds of what goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// Other programs use the machine.
    Busy,
    /// A unit computes something else.
    WrongResult,
    /// The time for tuning is over.
    Budget,
    /// A unit cannot be used, or not for this call.
    Unit,
    /// A unit that was asked for is not there.
    Missing,
    /// There is not enough memory to measure.
    Memory,
    /// One that this version does not know.
    Other,
}

impl Line {
    /// Reads a line.
    ///
    /// # Errors
    /// What cannot be understood of it, in words.
    pub fn parse(bytes: &[u8]) -> Result<Line> {
        Line::of_json(&Json::parse(bytes).map_err(said)?)
    }

    pub(super) fn of_json(value: &Json) -> Result<Line> {
        let id = || text(value, "id").map(String::from);
        let class =
            || -> Result<ClassKey> { Ok((count(value, "elems")?, count(value, "beside_elems")?)) };
        Ok(match text(value, "reason")? {
            GREETING => Line::Hello(hello(value)?),
            "instance" => Line::Instance {
                id: id()?,
                key: InstanceKey::from_json(field(value, "key")?).map_err(said)?,
                embedded: value.get("embedded").map(embedded).transpose()?,
            },
            "class-started" => Line::ClassStarted {
                id: id()?,
                class: class()?,
                units: units(value, "units")?,
                points: counts(value, "points")?,
                wrong: match value.get("wrong") {
                    Some(_) => units(value, "wrong")?,
                    None => Vec::new(),
                },
                is_busy: flag(value, "busy")?,
            },
            "expected" => Line::Expected {
                id: id()?,
                class: class()?,
                needs: Duration::from_millis(number(value, "needs_ms")?),
            },
            "sample" => Line::Sample {
                id: id()?,
                class: class()?,
                point: point(value)?,
            },
            "blocks" => Line::Blocks {
                id: id()?,
                class: class()?,
                unit: unit(field(value, "unit")?)?,
                medians_ns: list(value, "blocks")?
                    .iter()
                    .map(block)
                    .collect::<Result<_>>()?,
                chosen: match value.get("chosen") {
                    Some(block) => Some(block_from_json(block).map_err(said)?),
                    None => None,
                },
            },
            "split" => Line::Split {
                id: id()?,
                class: class()?,
                split: Split {
                    shares: shares(value, "shares")?,
                    runs_ns: times(value, "ns")?,
                },
            },
            "class-finished" => Line::ClassFinished {
                id: id()?,
                model: Box::new(ClassModel::from_json(field(value, "model")?).map_err(said)?),
                is_settled: match value.get("settled") {
                    Some(_) => flag(value, "settled")?,
                    None => true,
                },
                drift: drift(value)?,
                took: match value.get("took_ms") {
                    Some(_) => Duration::from_millis(number(value, "took_ms")?),
                    None => Duration::ZERO,
                },
            },
            "transfer" => Line::Transfer {
                unit: unit(field(value, "unit")?)?,
                model: TransferModel::from_json(field(value, "model")?).map_err(said)?,
            },
            "call" => Line::Event(Event::Call(call(value)?)),
            "read" => Line::Event(Event::Read {
                buffer: number(value, "buffer")?,
                from: count(value, "from")?,
                to: count(value, "to")?,
            }),
            "problem" => Line::Problem(problem(value)?),
            other => return Err(format!("it has an unknown reason, `{other}`")),
        })
    }
}

/// A part is run again where it was measured, so it has to lie in its call.
fn point(value: &Json) -> Result<Point> {
    let part_elems = count(value, "part_elems")?;
    if part_elems > count(value, "elems")? {
        return Err("`part_elems` is more than the call has".into());
    }
    Ok(Point {
        unit: unit(field(value, "unit")?)?,
        part_elems,
        runs_ns: times(value, "ns")?,
    })
}

fn said(malformed: Malformed) -> String {
    malformed.to_string()
}

fn hello(value: &Json) -> Result<Hello> {
    match number(value, "proto")? {
        PROTO => Ok(Hello {
            skel: text(value, "skel")?.into(),
            fingerprint: Fingerprint::from_json(field(value, "fingerprint")?).map_err(said)?,
            command: match value.get("command") {
                Some(_) => Some(text(value, "command")?.into()),
                None => None,
            },
            pid: optional(value, "pid")?,
            unix_s: optional(value, "unix_s")?,
        }),
        other => Err(format!(
            "it is of protocol {other}, and {PROTO} is understood here"
        )),
    }
}

fn embedded(value: &Json) -> Result<Embedded> {
    Ok(Embedded {
        state: match text(value, "state")? {
            "tuned" => EmbeddedState::Tuned,
            "stale" => EmbeddedState::Stale,
            _ => EmbeddedState::Broken,
        },
        why: text(value, "why")?.into(),
    })
}

/// A block configuration, and what it took.
fn block(value: &Json) -> Result<(BlockConfig, f64)> {
    let block = block_from_json(field(value, "block")?).map_err(said)?;
    let ns = field(value, "median_ns")?.as_f64();
    let ns = ns.filter(|ns| (0.0..=1e30).contains(ns));
    Ok((block, ns.ok_or("`median_ns` must be a time")?))
}

/// None is said where nothing was measured twice.
fn drift(value: &Json) -> Result<f64> {
    let Some(drift) = value.get("drift") else {
        return Ok(0.0);
    };
    let drift = drift.as_f64().filter(|drift| (0.0..=1e30).contains(drift));
    drift.ok_or_else(|| "`drift` must be a number from 0 on".into())
}

fn call(value: &Json) -> Result<RecordedCall> {
    let operand = |value: &Json| {
        let role = text(value, "role")?.parse();
        Ok(RecordedOperand {
            buffer: number(value, "buffer")?,
            role: role.map_err(|e| format!("{e}"))?,
            elems: count(value, "elems")?,
            bytes_per_elem: count(value, "bytes_per_elem")?,
        })
    };
    let operands = list(value, "operands")?.iter().map(operand);
    Ok(RecordedCall {
        id: text(value, "id")?.into(),
        elems: count(value, "elems")?,
        beside_elems: count(value, "beside_elems")?,
        operands: operands.collect::<Result<_>>()?,
    })
}

fn problem(value: &Json) -> Result<Problem> {
    Ok(Problem {
        id: value.get("id").and_then(Json::as_text).map(String::from),
        what: text(value, "what")?.into(),
        kind: match text(value, "kind")? {
            "busy" => ProblemKind::Busy,
            "wrong-result" => ProblemKind::WrongResult,
            "budget" => ProblemKind::Budget,
            "unit" => ProblemKind::Unit,
            "missing" => ProblemKind::Missing,
            "memory" => ProblemKind::Memory,
            _ => ProblemKind::Other,
        },
        would_do_s: optional(value, "would_do_s")?,
    })
}
