//! Which of two host faces computes the elements: what was faster.

use crate::isa;
use std::{
    any::TypeId,
    collections::HashMap,
    sync::{
        Mutex, OnceLock, PoisonError, RwLock,
        atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

/// A host face of a user function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// The user's function, one element after the other.
    Scalar = 1,
    /// A block of elements at once.
    Lanes = 2,
}

/// How faces are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Mode {
    /// By what was measured.
    Measured,
    /// Blocks in lanes, wherever a function can be run so.
    Always,
    /// Never in lanes.
    Never,
}

static MODE: AtomicU8 = AtomicU8::new(Mode::Measured as u8);

/// Says how faces are chosen from now on. For tests and benchmarks: all give the same bits.
pub fn choose(mode: Mode) {
    MODE.store(mode as u8, Relaxed);
}

/// Pairs of samples that are kept.
const KEPT: usize = 16;
/// Pairs before the first verdict.
const ENOUGH: usize = 8;
/// Elements of a sample, at most, unless a block has more: some hundred nanoseconds at least, so that the clock
/// counts for little.
const SAMPLE: usize = 64;
/// A verdict is looked at again in one of so many pieces: the next call's data may be other.
const AGAIN: u32 = 64;
/// Size classes: up to 2¹⁰, 2¹⁴ and 2¹⁸ elements in a call, and more.
const CLASSES: usize = 4;

/// What is known of the two faces of one plan.
#[derive(Debug)]
pub struct Choice {
    /// By size class and instruction set.
    records: [[Record; 3]; CLASSES],
    /// Whether blocks may be computed in lanes at all.
    usable: AtomicBool,
}

/// What is known for one size class.
#[derive(Debug, Default)]
struct Record {
    /// A [`Face`], or 0.
    verdict: AtomicU8,
    pieces: AtomicU32,
    evidence: Mutex<Evidence>,
}

/// The last samples, in nanoseconds per element.
#[derive(Debug, Default)]
struct Evidence {
    scalar: [f32; KEPT],
    lanes: [f32; KEPT],
    seen: usize,
}

impl Evidence {
    fn add(&mut self, scalar: f32, lanes: f32) {
        let at = self.seen % KEPT;
        (self.scalar[at], self.lanes[at]) = (scalar, lanes);
        self.seen += 1;
    }

    /// The faster face, once there is enough to go by. The largest sample of each counts for nothing: the thread
    /// may have been interrupted.
    fn verdict(&self) -> Option<Face> {
        if self.seen < ENOUGH {
            return None;
        }
        let known = self.seen.min(KEPT);
        let total = |samples: &[f32; KEPT]| {
            let samples = &samples[..known];
            samples.iter().sum::<f32>() - samples.iter().copied().fold(0.0, f32::max)
        };
        Some(if total(&self.lanes) < total(&self.scalar) {
            Face::Lanes
        } else {
            Face::Scalar
        })
    }
}

impl Choice {
    /// What is known of the plan `Plan`; `usable` is asked once, whether its blocks may be computed in lanes.
    pub fn of<Plan: 'static>(usable: impl FnOnce() -> bool) -> &'static Choice {
        static ALL: OnceLock<RwLock<HashMap<TypeId, &'static Choice>>> = OnceLock::new();
        let (all, key) = (ALL.get_or_init(RwLock::default), TypeId::of::<Plan>());
        let known = all.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(&key) {
            return known;
        }
        drop(known);
        let usable = AtomicBool::new(usable());
        let mut all = all.write().unwrap_or_else(PoisonError::into_inner);
        // One per plan of the program, for as long as it runs.
        all.entry(key).or_insert_with(|| {
            Box::leak(Box::new(Choice {
                records: Default::default(),
                usable,
            }))
        })
    }

    /// From now on, all is computed by the user's own function: a block in lanes panicked.
    pub fn never_again(&self) {
        self.usable.store(false, Relaxed);
    }

    /// The turns of a piece of a call of so many elements.
    pub fn turns(&self, call_elems: usize) -> Turns<'_> {
        let width = isa::lanes();
        let mode = MODE.load(Relaxed);
        let (face, measures) =
            if width == 0 || mode == Mode::Never as u8 || !self.usable.load(Relaxed) {
                (Face::Scalar, 0)
            } else if mode == Mode::Always as u8 {
                (Face::Lanes, 0)
            } else {
                let record = self.record(call_elems, width);
                let verdict = record.verdict.load(Relaxed);
                let again = || record.pieces.fetch_add(1, Relaxed).is_multiple_of(AGAIN);
                match verdict {
                    0 => (Face::Scalar, usize::MAX),
                    known if known == Face::Lanes as u8 => (Face::Lanes, usize::from(again())),
                    _ => (Face::Scalar, usize::from(again())),
                }
            };
        Turns {
            record: self.record(call_elems, width),
            width,
            face,
            measures,
            first: None,
            order: Face::Lanes,
        }
    }

    fn record(&self, call_elems: usize, width: usize) -> &Record {
        let class = match call_elems {
            0..=0x400 => 0,
            0x401..=0x4000 => 1,
            0x4001..=0x4_0000 => 2,
            _ => 3,
        };
        &self.records[class][(width / 16).min(2)]
    }
}

/// How a piece is computed, turn by turn.
#[derive(Debug)]
pub struct Turns<'c> {
    record: &'c Record,
    width: usize,
    /// What computes all that is not measured.
    face: Face,
    /// Pairs of samples that are still to be taken.
    measures: usize,
    /// The first sample of a pair, in nanoseconds per element.
    first: Option<f32>,
    /// The face of the next sample.
    order: Face,
}

/// So many elements, by one face.
#[derive(Debug)]
pub struct Turn {
    /// The face.
    pub face: Face,
    /// How many elements, at most.
    pub elems: usize,
    started: Option<Instant>,
}

impl Turns<'_> {
    /// What comes next, if `left` elements are.
    #[inline]
    pub fn next(&mut self, left: usize) -> Turn {
        let fits = if self.first.is_some() { 1 } else { 2 };
        if self.measures == 0 || left < fits * self.width {
            return Turn {
                face: if left < self.width {
                    Face::Scalar
                } else {
                    self.face
                },
                elems: left,
                started: None,
            };
        }
        let most = SAMPLE.max(self.width);
        let elems = (left / fits).min(most) / self.width * self.width;
        Turn {
            face: self.order,
            elems: elems.max(self.width),
            started: Some(Instant::now()),
        }
    }

    /// The turn is over, and computed so many elements.
    #[inline]
    pub fn done(&mut self, turn: &Turn, elems: usize) {
        if let Some(started) = turn.started {
            self.measured(turn.face, started.elapsed(), elems);
        }
    }

    #[cold]
    fn measured(&mut self, face: Face, took: Duration, elems: usize) {
        let ns = took.as_secs_f32() * 1e9 / elems.max(1) as f32;
        let Some(first) = self.first.take() else {
            self.first = Some(ns);
            self.order = other(face);
            return;
        };
        // The next pair begins with the face that this one ended with.
        self.order = face;
        self.measures -= 1;
        let Ok(mut evidence) = self.record.evidence.try_lock() else {
            return;
        };
        match face {
            Face::Scalar => evidence.add(ns, first),
            Face::Lanes => evidence.add(first, ns),
        }
        if let Some(verdict) = evidence.verdict() {
            self.record.verdict.store(verdict as u8, Relaxed);
            (self.face, self.measures) = (verdict, 0);
        }
    }
}

fn other(face: Face) -> Face {
    match face {
        Face::Scalar => Face::Lanes,
        Face::Lanes => Face::Scalar,
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn the_faster_face_is_kept_and_one_interruption_does_not_count() {
        let mut evidence = Evidence::default();
        for k in 0..ENOUGH {
            assert_eq!(evidence.verdict(), None);
            evidence.add(10.0, if k == 2 { 1e6 } else { 2.0 });
        }
        assert_eq!(evidence.verdict(), Some(Face::Lanes));
        for _ in 0..KEPT {
            evidence.add(1.0, 2.0);
        }
        assert_eq!(evidence.verdict(), Some(Face::Scalar));
    }

    #[test]
    fn samples_alternate_until_there_is_a_verdict() {
        let (choice, width) = (Choice::of::<Evidence>(|| true), isa::lanes());
        if width == 0 {
            return;
        }
        let mut turns = choice.turns(1 << 20);
        let mut faces = Vec::new();
        let mut left = 1 << 16;
        while left > 0 {
            let turn = turns.next(left);
            faces.push(turn.face);
            assert!(turn.elems > 0 && turn.elems <= left);
            left -= turn.elems;
            turns.done(&turn, turn.elems);
        }
        assert_eq!(faces.len(), 2 * ENOUGH + 1);
        let lanes = faces[..2 * ENOUGH].iter().filter(|f| **f == Face::Lanes);
        assert_eq!(lanes.count(), ENOUGH);
        // What is known is looked at again now and then.
        let timed = |_| choice.turns(1 << 20).next(1 << 16).elems != 1 << 16;
        let again = (0..10 * AGAIN).map(timed).filter(|timed| *timed).count();
        assert_eq!(again, 10);
        choice.never_again();
        assert_eq!(choice.turns(1 << 20).next(1 << 16).face, Face::Scalar);
    }
}
