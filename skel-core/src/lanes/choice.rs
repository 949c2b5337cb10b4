//! Which of two host faces computes the elements: what was faster.

mod turns;

pub use turns::{Turn, Turns};

use crate::isa;
use std::{
    any::TypeId,
    cell::Cell,
    collections::HashMap,
    sync::{
        Mutex, OnceLock, PoisonError, RwLock,
        atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering::Relaxed},
    },
    time::Duration,
};
use turns::{Purpose, Sampling, Timed};

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
/// Elements of a sample, at most, unless a block has more, and how long a sample of fewer takes at least: some hundred
/// nanoseconds, so that the clock and opening what it needs count for little.
const SAMPLE: usize = 128;
const SAMPLE_NS: f32 = 500.0;
/// Samples in a row of the same face, and how many turns go before them: after the other face, the first microseconds
/// are slow (branches are to be foreseen, and the upper halves of vectors to be woken), which is as much as a few
/// samples take.
const RUN: usize = 4;
const SETTLING: usize = 3;
/// The same of pieces that are one turn each.
const RUN_OF_PIECES: u32 = (SETTLING + RUN) as u32;
/// A verdict is looked at again in one of so many pieces, and in the first few more often: the next elements may be other.
/// That is seldom enough for a face that takes ten times as long to cost two hundredths, where pieces are short.
const AGAIN: u32 = 256;
/// The same, where a piece is one sample, and runs are of pieces.
const AGAIN_WHOLE: u32 = 8192;
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
    /// How long an element takes by the faster face, as far as is known, in nanoseconds: an `f32`.
    least_ns: AtomicU32,
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
    /// What is known of a plan; `usable` is asked once, whether its blocks may be computed in lanes.
    pub fn of(plan: TypeId, usable: &dyn Fn() -> bool) -> &'static Choice {
        static ALL: OnceLock<RwLock<HashMap<TypeId, &'static Choice>>> = OnceLock::new();
        let all = ALL.get_or_init(RwLock::default);
        let known = all.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(&plan) {
            return known;
        }
        drop(known);
        let usable = AtomicBool::new(usable());
        let mut all = all.write().unwrap_or_else(PoisonError::into_inner);
        // One per plan of the program, for as long as it runs.
        all.entry(plan).or_insert_with(|| {
            Box::leak(Box::new(Choice {
                records: Default::default(),
                usable,
            }))
        })
    }

    /// From now on, all is computed by the user's own function: a block in lanes panicked, and no element of it did.
    pub fn never_again(&self) {
        self.usable.store(false, Relaxed);
    }

    /// The turns of a piece of so many elements, of a call of `call_elems`.
    pub fn turns(&self, call_elems: usize, elems: usize) -> Turns<'_> {
        let width = isa::lanes();
        let turns = |face, sampling| Turns {
            width,
            face,
            sampling,
        };
        if let Some(face) = self.settled(width) {
            return turns(face, Sampling::Over);
        }
        let record = self.record(call_elems, width);
        let sample = record.sample(width);
        if elems < 2 * (SETTLING + RUN) * sample.0 {
            let whole = self.whole(call_elems, elems);
            return turns(whole.face, Sampling::Whole(whole.timed));
        }
        let (piece, known) = (record.next_piece(), record.known());
        let runs = match known {
            Some(face) if !is_again(piece, AGAIN) => return turns(face, Sampling::Over),
            Some(_) => 2,
            None => usize::MAX,
        };
        // What the first samples of a piece wait for must not always count for the same face.
        let first = known.map_or(first_of(piece), other);
        turns(
            known.unwrap_or(Face::Scalar),
            Sampling::Runs {
                record,
                first,
                runs,
                sample,
                turn: 0,
            },
        )
    }

    /// The one turn of a piece that is not to be divided, of a call of `call_elems`.
    pub fn whole(&self, call_elems: usize, elems: usize) -> Turn<'_> {
        let width = isa::lanes();
        let turn = |face, timed| Turn { face, elems, timed };
        if let Some(face) = self.settled(width) {
            return turn(face, None);
        }
        if elems < width {
            return turn(Face::Scalar, None);
        }
        let record = self.record(call_elems, width);
        let known = record.known();
        let (piece, steady) = record.next_piece_of_thread(known);
        // Of the pieces of a run, the first settle as well.
        let (run, place) = (piece / RUN_OF_PIECES, piece % RUN_OF_PIECES);
        let face = match (known, run) {
            (Some(face), 0) if steady => other(face),
            (Some(face), 1) if steady => face,
            (Some(face), _) => return turn(face, None),
            (None, run) => first_of(run),
        };
        let purpose = match place >= SETTLING as u32 {
            true => Some(Purpose::Sample),
            false => (record.least_ns.load(Relaxed) == 0).then_some(Purpose::Estimate),
        };
        turn(face, purpose.map(|purpose| Timed::now(record, purpose)))
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

    /// Counts the pieces of this thread, up to [`AGAIN_WHOLE`], and says whether the verdict is what it was when the run of
    /// this piece began: else pieces before it had another face. A thread settles by what it has computed itself, and does
    /// not wait for the counters of others.
    fn next_piece_of_thread(&self, known: Option<Face>) -> (u32, bool) {
        /// A record by its address, the next piece, and the verdict of its run, unless that has changed.
        type Next = (usize, u32, Option<Option<Face>>);
        thread_local! {
            /// Of the records that this thread has met last.
            static NEXT: [Cell<Next>; 16] = const { [const { Cell::new((0, 0, None)) }; 16] };
        }
        let address = std::ptr::from_ref(self).addr();
        let next = |next: &[Cell<Next>; 16]| {
            let place = &next[address / size_of::<Record>() % next.len()];
            let (piece, of_run) = match place.get() {
                (met, piece, of_run) if met == address => (piece, of_run),
                // Threads begin with different faces.
                (0, ..) => (self.next_piece().wrapping_mul(RUN_OF_PIECES), Some(known)),
                // Two records in turn are counted as those of all threads.
                _ => (self.next_piece(), Some(known)),
            };
            let piece = piece % AGAIN_WHOLE;
            let of_run = match piece % RUN_OF_PIECES {
                0 => Some(known),
                _ => of_run.filter(|of_run| *of_run == known),
            };
            place.set((address, piece + 1, of_run));
            (piece, of_run.is_some())
        };
        let of_all = |_| (self.next_piece() % AGAIN_WHOLE, true);
        NEXT.try_with(next).unwrap_or_else(of_all)
    }

    /// How many elements a sample has, and what its time is for: as many blocks as take long enough, if that is known, but
    /// no more than [`SAMPLE`] elements.
    fn sample(&self, width: usize) -> (usize, Purpose) {
        let most = (SAMPLE / width).max(1);
        let enough = match f32::from_bits(self.least_ns.load(Relaxed)) {
            0.0 => most,
            least_ns => (SAMPLE_NS / (least_ns * width as f32)).ceil() as usize,
        };
        match enough < most {
            true => (enough.max(1) * width, Purpose::ShortSample),
            false => (most * width, Purpose::Sample),
        }
    }

    #[cold]
    fn add(&self, face: Face, took: Duration, elems: usize, purpose: Purpose) -> Option<Face> {
        let took_ns = took.as_secs_f32() * 1e9;
        let ns = took_ns / elems.max(1) as f32;
        // Positive numbers are in the order of their bits.
        let before = self.least_ns.load(Relaxed);
        if ns > 0.0 && (before == 0 || ns.to_bits() < before) {
            self.least_ns.store(ns.to_bits(), Relaxed);
        }
        match purpose {
            Purpose::Estimate => return None,
            Purpose::ShortSample if took_ns < SAMPLE_NS / 2.0 => return None,
            Purpose::Sample | Purpose::ShortSample => {}
        }
        // Another thread measures as well: that will do.
        let mut evidence = self.evidence.try_lock().ok()?;
        evidence.add(face, ns);
        let verdict = evidence.verdict()?;
        self.verdict.store(verdict as u8, Relaxed);
        Some(verdict)
    }
}

/// Whether a verdict is looked at again in this piece.
fn is_again(piece: u32, again: u32) -> bool {
    piece.is_multiple_of(again) || (piece < again && piece.is_power_of_two())
}

/// The first face of piece, or run, number `n`.
fn first_of(n: u32) -> Face {
    match n.is_multiple_of(2) {
        true => Face::Lanes,
        false => Face::Scalar,
    }
}

fn other(face: Face) -> Face {
    match face {
        Face::Scalar => Face::Lanes,
        Face::Lanes => Face::Scalar,
    }
}

#[cfg(test)]
mod test;
