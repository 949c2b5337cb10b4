//! How a piece is computed: by which face, and which of it is measured.

use super::{Face, RUN, Record, SAMPLE, SETTLING, other};
use std::time::Instant;

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
        /// Turns that were taken.
        turn: usize,
    },
    /// The piece, which is one turn, unless its elements lie apart.
    Whole(Option<(&'c Record, Instant)>),
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
    /// When it began, if its time counts.
    pub(super) measured: Option<(&'c Record, Instant)>,
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
        let rest = |face, measured| Turn {
            face,
            elems: left,
            measured,
        };
        match &mut self.sampling {
            _ if few => rest(Face::Scalar, None),
            Sampling::Over => rest(self.face, None),
            Sampling::Whole(measured) => rest(self.face, measured.take()),
            Sampling::Runs {
                record,
                first,
                runs,
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
                    elems: (left.min(SAMPLE) / self.width * self.width).max(self.width),
                    measured: (place >= SETTLING).then(|| (*record, Instant::now())),
                }
            }
        }
    }

    /// A turn is over, and computed so many elements.
    #[inline]
    pub fn done(&mut self, turn: &Turn<'_>, elems: usize) {
        let Some(face) = turn.done(elems) else { return };
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
