//! Scans as tasks. A worker that has a chunk whose carry is known writes it at once: it is read and written one
//! time. In company, a chunk is first combined; when all before it are, its carry is known, and a second task
//! writes it. Both have the same bits.

use crate::{cpu::ScanChunk, partials};
use skel_core::{Result, frame::Partial, plan::Phases};

/// How far a scan has come.
pub(super) struct Scan<'e> {
    /// The first chunk whose total is not in `carry`.
    known: usize,
    carry: Partial,
    /// Of chunks that were combined before their carry was known: their totals, and themselves.
    waiting: Vec<Option<(Partial, ScanChunk<'e>)>>,
}

/// A chunk that can be written now, and what precedes it.
pub(super) struct Released<'e> {
    pub(super) chunk: usize,
    pub(super) carry: Partial,
    pub(super) elements: ScanChunk<'e>,
}

impl<'e> Scan<'e> {
    pub(super) fn new(chunks: usize, initial: Partial) -> Scan<'e> {
        Scan {
            known: 0,
            carry: initial,
            waiting: std::iter::repeat_with(|| None).take(chunks).collect(),
        }
    }

    /// What precedes the chunk, if that is known.
    pub(super) fn carry_of(&self, chunk: usize) -> Option<Partial> {
        (self.known == chunk).then_some(self.carry)
    }

    /// The chunk whose carry was known is written, and `next` precedes those behind it.
    pub(super) fn written(
        &mut self,
        phases: &dyn Phases,
        next: Partial,
        released: &mut Vec<Released<'e>>,
    ) -> Result<()> {
        (self.known, self.carry) = (self.known + 1, next);
        self.advance(phases, released)
    }

    /// A chunk was combined.
    pub(super) fn combined(
        &mut self,
        phases: &dyn Phases,
        (chunk, total, elements): (usize, Partial, ScanChunk<'e>),
        released: &mut Vec<Released<'e>>,
    ) -> Result<()> {
        self.waiting[chunk] = Some((total, elements));
        self.advance(phases, released)
    }

    fn advance(&mut self, phases: &dyn Phases, released: &mut Vec<Released<'e>>) -> Result<()> {
        while let Some((total, elements)) = self.waiting.get_mut(self.known).and_then(Option::take)
        {
            let (chunk, carry) = (self.known, self.carry);
            self.carry = partials::combine(phases, carry, total)?;
            self.known += 1;
            released.push(Released {
                chunk,
                carry,
                elements,
            });
        }
        Ok(())
    }

    /// What follows all elements, when all are known.
    pub(super) fn total(&self) -> Partial {
        self.carry
    }
}
