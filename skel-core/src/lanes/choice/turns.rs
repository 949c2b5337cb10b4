//! How a piece is computed: by which face, and which of it is measured.

use super::{Face, RUN, Record, SETTLING, other};
use std::time::{Duration, Instant};

/// How a piece is computed, turn by turn.
#[derive(Debug)]
pub struct Turns<'c> {
    pub(super) width: usize,
    /// What computes all that is not measured.
    pub(super) face: Face,
    pub(super) sampling: Sampling<'c>,
}

/// What of a piece is measured.
#[derive(Debug)]
pub(super) enum Sampling<'c> {
    /// Runs of turns, by one face and by the other.
    Runs {
        record: &'c Record,
        /// The face of the first run.
        first: Face,
        /// How many there are.
        runs: usize,
        /// Elements of a turn, at most, and what their times are for.
        sample: (usize, Purpose),
        /// Turns that were taken.
        turn: usize,
    },
    /// The piece, which is one turn, unless its elements lie apart.
    Whole(Option<Timed<'c>>),
    /// Nothing any more.
    Over,
}

/// So many elements, by one face.
#[derive(Debug)]
pub struct Turn<'c> {
    /// The face.
    pub face: Face,
    /// How many elements, at most.
    pub elems: usize,
    pub(super) timed: Option<Timed<'c>>,
}

/// A turn whose time is taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timed<'c> {
    record: &'c Record,
    started: Instant,
    pub(super) purpose: Purpose,
}

/// What a time is for. All say how long elements take at all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Purpose {
    /// Nothing else.
    Estimate,
    /// It is a sample of its face.
    Sample,
    /// It is one of few elements, unless they took too little time for one.
    ShortSample,
}

impl<'c> Timed<'c> {
    pub(super) fn now(record: &'c Record, purpose: Purpose) -> Timed<'c> {
        Timed {
            record,
            started: Instant::now(),
            purpose,
        }
    }
}

impl Turn<'_> {
    /// Whether it is a sample of its face.
    #[must_use]
    pub fn is_measured(&self) -> bool {
        (self.timed).is_some_and(|timed| timed.purpose != Purpose::Estimate)
    }

    /// It is over, and computed so many elements: the faster face, if that is known now.
    #[inline]
    pub fn done(&self, elems: usize) -> Option<Face> {
        self.took(self.timed?.started.elapsed(), elems)
    }

    pub(super) fn took(&self, took: Duration, elems: usize) -> Option<Face> {
        let timed = self.timed?;
        timed.record.add(self.face, took, elems, timed.purpose)
    }
}

impl<'c> Turns<'c> {
    /// What comes next, if `left` elements are.
    #[inline]
    pub fn next(&mut self, left: usize) -> Turn<'c> {
        let few = left < self.width;
        let rest = |face, timed| Turn {
            face,
            elems: left,
            timed,
        };
        match &mut self.sampling {
            _ if few => rest(Face::Scalar, None),
            Sampling::Over => rest(self.face, None),
            Sampling::Whole(timed) => rest(self.face, timed.take()),
            Sampling::Runs {
                record,
                first,
                runs,
                sample: (most, purpose),
                turn,
            } => {
                let (run, place) = (*turn / (SETTLING + RUN), *turn % (SETTLING + RUN));
                if run >= *runs {
                    self.sampling = Sampling::Over;
                    return rest(self.face, None);
                }
                *turn += 1;
                Turn {
                    face: match run.is_multiple_of(2) {
                        true => *first,
                        false => other(*first),
                    },
                    elems: left.min(*most) / self.width * self.width,
                    timed: (place >= SETTLING).then(|| Timed::now(record, *purpose)),
                }
            }
        }
    }

    /// A turn is over, and computed so many elements.
    #[inline]
    pub fn done(&mut self, turn: &Turn<'_>, elems: usize) {
        if let Some(face) = turn.done(elems) {
            self.know(face);
        }
    }

    /// The faster face is known.
    pub(super) fn know(&mut self, face: Face) {
        self.face = face;
        // Unless the runs were asked for although a verdict was there.
        if let Sampling::Runs {
            runs: usize::MAX, ..
        } = self.sampling
        {
            self.sampling = Sampling::Over;
        }
    }
}
