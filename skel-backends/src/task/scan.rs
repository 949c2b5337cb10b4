//! Scans as tasks. A worker that has a chunk whose carry is known writes it at once: it is read and written one
//! time. In company, a chunk is first combined; when all before it are, its carry is known, and a second task
//! writes it. Both have the same bits.

use crate::{cpu::ScanChunk, partials};
use skel_core::{
    Result,
    frame::{Partial, Spine},
    plan::Phases,
};

/// How far a scan has come.
pub(super) struct Scan<'e> {
    /// The first chunk whose total is not in `carry`.
    known: usize,
    carry: Spine,
    /// Of chunks that were combined before their carry was known: their totals, and themselves.
    waiting: Vec<Option<(Spine, ScanChunk<'e>)>>,
}

/// A chunk that can be written now, and what precedes it.
pub(super) struct Released<'e> {
    pub(super) chunk: usize,
    pub(super) carry: Spine,
    pub(super) elements: ScanChunk<'e>,
}

impl<'e> Scan<'e> {
    pub(super) fn new(chunks: usize, initial: Partial) -> Scan<'e> {
        Scan {
            known: 0,
            carry: Spine::beginning_with(initial),
            waiting: std::iter::repeat_with(|| None).take(chunks).collect(),
        }
    }

    /// What precedes the chunk, if that is known.
    pub(super) fn carry_of(&self, chunk: usize) -> Option<Spine> {
        (self.known == chunk).then(|| self.carry.clone())
    }

    /// The chunk whose carry was known is written, and `next` precedes those behind it.
    pub(super) fn written(
        &mut self,
        phases: &dyn Phases,
        next: Spine,
        released: &mut Vec<Released<'e>>,
    ) -> Result<()> {
        (self.known, self.carry) = (self.known + 1, next);
        self.advance(phases, released)
    }

    /// A chunk was combined.
    pub(super) fn combined(
        &mut self,
        phases: &dyn Phases,
        (chunk, total, elements): (usize, Spine, ScanChunk<'e>),
        released: &mut Vec<Released<'e>>,
    ) -> Result<()> {
        self.waiting[chunk] = Some((total, elements));
        self.advance(phases, released)
    }

    fn advance(&mut self, phases: &dyn Phases, released: &mut Vec<Released<'e>>) -> Result<()> {
        while let Some((total, elements)) = self.waiting.get_mut(self.known).and_then(Option::take)
        {
            let (chunk, carry) = (self.known, self.carry.clone());
            self.carry = partials::join(phases, carry.clone(), total)?;
            self.known += 1;
            released.push(Released {
                chunk,
                carry,
                elements,
            });
        }
        Ok(())
    }
}
