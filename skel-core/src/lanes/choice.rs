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

/// Samples of each face that are kept.
const KEPT: usize = 16;
/// Samples of each before the first verdict.
const ENOUGH: usize = 8;
/// Elements of a sample, at most, unless a block has more: some hundred nanoseconds at least, so that the clock and
/// opening what it needs count for little.
const SAMPLE: usize = 128;
/// Elements that are computed before the first sample of a long piece: that would wait for the piece's memory, until the
/// processor foresees what is read.
const AHEAD: usize = 256;
/// A verdict is looked at again in one of so many pieces: the next call's data may be other.
const AGAIN: u32 = 64;
/// The same, where a piece is measured as a whole.
const AGAIN_WHOLE: u32 = 1024;
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

/// The last samples of both faces.
#[derive(Debug, Default)]
struct Evidence {
    scalar: Samples,
    lanes: Samples,
}

/// The last samples of a face, in nanoseconds per element.
#[derive(Debug, Default)]
struct Samples {
    kept: [f32; KEPT],
    seen: usize,
}

impl Samples {
    fn add(&mut self, ns: f32) {
        self.kept[self.seen % KEPT] = ns;
        self.seen += 1;
    }

    /// The mean, once there is enough to go by. The largest sample counts for nothing: the thread may have been
    /// interrupted.
    fn mean(&self) -> Option<f32> {
        let known = &self.kept[..self.seen.min(KEPT)];
        let largest = known.iter().copied().fold(0.0, f32::max);
        (known.len() >= ENOUGH)
            .then(|| (known.iter().sum::<f32>() - largest) / (known.len() - 1) as f32)
    }
}

impl Evidence {
    fn add(&mut self, face: Face, ns: f32) {
        match face {
            Face::Scalar => self.scalar.add(ns),
            Face::Lanes => self.lanes.add(ns),
        }
    }

    /// The faster face, if both are known.
    fn verdict(&self) -> Option<Face> {
        let (lanes, scalar) = (self.lanes.mean()?, self.scalar.mean()?);
        Some(match lanes < scalar {
            true => Face::Lanes,
            false => Face::Scalar,
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
        let record = self.record(call_elems, width);
        // What the first sample of a piece waits for must not always count for the same face.
        let mut order = Face::Lanes;
        let (face, measures) = match self.settled(width) {
            Some(face) => (face, 0),
            None => {
                let (piece, known) = (record.next_piece(), record.known());
                // A piece may be so short that it has one sample only.
                let measured = if known.is_none() {
                    piece
                } else {
                    piece / AGAIN
                };
                if measured % 2 == 1 {
                    order = Face::Scalar;
                }
                match (known, piece % AGAIN) {
                    (None, _) => (Face::Scalar, usize::MAX),
                    (Some(face), 0) => (face, 2),
                    (Some(face), _) => (face, 0),
                }
            }
        };
        Turns {
            record,
            width,
            face,
            ahead: measures > 0,
            measures,
            order,
        }
    }

    /// The one turn of a piece that is not to be divided, of a call of so many elements.
    pub fn whole(&self, call_elems: usize, elems: usize) -> Turn<'_> {
        let width = isa::lanes();
        let turn = |face, measured| Turn {
            face,
            elems,
            measured,
        };
        if let Some(face) = self.settled(width) {
            return turn(face, None);
        }
        if elems < width {
            return turn(Face::Scalar, None);
        }
        let record = self.record(call_elems, width);
        let piece = record.next_piece();
        let face = match (record.known(), piece % AGAIN_WHOLE) {
            (Some(face), 0) => other(face),
            (Some(face), 1) => face,
            (Some(face), _) => return turn(face, None),
            (None, _) if piece.is_multiple_of(2) => Face::Lanes,
            (None, _) => Face::Scalar,
        };
        turn(face, Some((record, Instant::now())))
    }

    /// The face of all pieces, if it is not for measurements to say.
    fn settled(&self, width: usize) -> Option<Face> {
        let mode = MODE.load(Relaxed);
        if width == 0 || mode == Mode::Never as u8 || !self.usable.load(Relaxed) {
            return Some(Face::Scalar);
        }
        (mode == Mode::Always as u8).then_some(Face::Lanes)
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

impl Record {
    fn known(&self) -> Option<Face> {
        match self.verdict.load(Relaxed) {
            0 => None,
            verdict if verdict == Face::Lanes as u8 => Some(Face::Lanes),
            _ => Some(Face::Scalar),
        }
    }

    /// Counts pieces.
    fn next_piece(&self) -> u32 {
        self.pieces.fetch_add(1, Relaxed)
    }

    #[cold]
    fn add(&self, face: Face, took: Duration, elems: usize) -> Option<Face> {
        // Another thread measures as well: that will do.
        let mut evidence = self.evidence.try_lock().ok()?;
        evidence.add(face, took.as_secs_f32() * 1e9 / elems.max(1) as f32);
        let verdict = evidence.verdict()?;
        self.verdict.store(verdict as u8, Relaxed);
        Some(verdict)
    }
}

/// How a piece is computed, turn by turn.
#[derive(Debug)]
pub struct Turns<'c> {
    record: &'c Record,
    width: usize,
    /// What computes all that is not measured.
    face: Face,
    /// Whether some elements are still to be computed before the first sample.
    ahead: bool,
    /// Samples that are still to be taken.
    measures: usize,
    /// The face of the next one.
    order: Face,
}

/// So many elements, by one face.
#[derive(Debug)]
pub struct Turn<'c> {
    /// The face.
    pub face: Face,
    /// How many elements, at most.
    pub elems: usize,
    /// When it began, if its time counts.
    measured: Option<(&'c Record, Instant)>,
}

impl Turn<'_> {
    /// Whether its time counts.
    #[must_use]
    pub fn is_measured(&self) -> bool {
        self.measured.is_some()
    }

    /// It is over, and computed so many elements: the faster face, if that is known now.
    #[inline]
    pub fn done(&self, elems: usize) -> Option<Face> {
        let (record, started) = self.measured?;
        record.add(self.face, started.elapsed(), elems)
    }
}

impl<'c> Turns<'c> {
    /// What comes next, if `left` elements are.
    #[inline]
    pub fn next(&mut self, left: usize) -> Turn<'c> {
        let few = left < self.width;
        if self.measures == 0 || few {
            return Turn {
                face: if few { Face::Scalar } else { self.face },
                elems: left,
                measured: None,
            };
        }
        if std::mem::take(&mut self.ahead) && left >= 4 * AHEAD {
            return Turn {
                face: self.face,
                elems: AHEAD,
                measured: None,
            };
        }
        let face = self.order;
        self.order = other(face);
        self.measures -= 1;
        let most = (left / 2).min(SAMPLE) / self.width * self.width;
        Turn {
            face,
            elems: most.max(self.width),
            measured: Some((self.record, Instant::now())),
        }
    }

    /// A turn is over, and computed so many elements.
    #[inline]
    pub fn done(&mut self, turn: &Turn<'_>, elems: usize) {
        if let Some(face) = turn.done(elems) {
            self.face = face;
            // Unless the pair was asked for although a verdict was there.
            if self.measures > 1 {
                self.measures = 0;
            }
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
            evidence.add(Face::Scalar, 10.0);
            evidence.add(Face::Lanes, if k == 2 { 1e6 } else { 2.0 });
        }
        assert_eq!(evidence.verdict(), Some(Face::Lanes));
        for _ in 0..KEPT {
            evidence.add(Face::Scalar, 1.0);
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
        assert_eq!(faces.len(), 1 + 2 * ENOUGH + 1);
        let lanes = faces[1..=2 * ENOUGH].iter().filter(|f| **f == Face::Lanes);
        assert_eq!(lanes.count(), ENOUGH);
        // What is known is looked at again now and then.
        let timed = |_| choice.turns(1 << 20).next(1 << 16).elems != 1 << 16;
        let again = (0..10 * AGAIN).map(timed).filter(|timed| *timed).count();
        assert_eq!(again, 10);
        choice.never_again();
        assert_eq!(choice.turns(1 << 20).next(1 << 16).face, Face::Scalar);
    }

    #[test]
    fn whole_pieces_alternate_as_well() {
        let (choice, width) = (Choice::of::<Samples>(|| true), isa::lanes());
        if width == 0 {
            return;
        }
        let mut faces = Vec::new();
        for _ in 0..2 * ENOUGH {
            let turn = choice.whole(1 << 20, 1000);
            assert!(turn.measured.is_some());
            faces.push(turn.face);
            turn.done(1000);
        }
        let lanes = faces.iter().filter(|f| **f == Face::Lanes).count();
        assert_eq!(lanes, ENOUGH);
        assert!(choice.whole(1 << 20, 1000).measured.is_none());
        assert_eq!(choice.whole(1 << 20, width - 1).face, Face::Scalar);
    }
}
