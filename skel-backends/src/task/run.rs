//! One task: a chunk on a core or on a device.
#![allow(unsafe_code, reason = "vouches for what the host wrote")]

use super::{
    job::{Job, Step},
    scan::Released,
};
use crate::{
    cpu::ScanChunk,
    device::scopes,
    hybrid::{self, Fallback, Part, Piece, Report},
};
use skel_core::{Result, call::Call, frame::Partial, plan::Pattern};
use std::{
    ops::Range,
    sync::{MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// What came of a task.
pub(super) struct Outcome<'e> {
    pub(super) partial: Partial,
    /// Chunks of a scan that can be written now.
    pub(super) released: Vec<Released<'e>>,
    /// Whether the worker's unit has failed, and another did its work.
    pub(super) broke: bool,
}

impl<'e> Outcome<'e> {
    fn of(partial: Partial) -> Outcome<'e> {
        Outcome {
            partial,
            released: Vec::new(),
            broke: false,
        }
    }
}

impl<'j, 'u, 'e> Job<'j, 'u, 'e> {
    fn call(&self) -> MutexGuard<'_, &'j mut Call<'e>> {
        self.call.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does what a task has to do, at a seat.
    pub(super) fn execute(&self, seat: usize, step: Step<'e>) -> Result<Outcome<'e>> {
        match step {
            Step::Taken => Ok(Outcome::of(Partial::NONE)),
            Step::Chunk(chunk) if self.phases.pattern() == Pattern::Scan => self.scan(seat, chunk),
            Step::Chunk(chunk) => self.local(seat, chunk),
            Step::Finish(released) => {
                let started = Instant::now();
                let range = self.chunks[released.chunk].clone();
                released.elements.finish(released.carry)?;
                self.wrote(seat, range, started.elapsed());
                Ok(Outcome::of(Partial::NONE))
            }
        }
    }

    /// A chunk of a map or a fold: a piece like any other.
    fn local(&self, seat: usize, chunk: usize) -> Result<Outcome<'e>> {
        let (seat, range) = (&self.team.seats[seat], self.chunks[chunk].clone());
        let piece = Piece::new(seat.index, seat.unit, range);
        let (index, unit) = self.team.fallback;
        let fallback = (!seat.is_on_host()).then_some(Fallback { index, unit });
        let (partial, done) = scopes::<'e, _>(1, |scopes| {
            let mut part = Part::new(&piece, &scopes[0], fallback);
            part.start(&mut self.call())?;
            part.work();
            let partial = match self.phases.pattern() {
                Pattern::Elementwise => part.complete().map(|()| Partial::NONE),
                Pattern::Fold | Pattern::Scan => part.partial(),
            };
            let partial = partial.or_else(|error| part.again(&mut self.call(), error))?;
            Ok::<_, skel_core::Error>((partial, part.done()))
        })?;
        // SAFETY: the piece was seen to its end, here or on the fallback, without an error.
        let (_, reports) = unsafe { hybrid::note(&piece, done, fallback, &mut self.call()) };
        self.lock().reports.extend(reports);
        Ok(Outcome {
            broke: done.broke,
            ..Outcome::of(partial)
        })
    }

    /// A chunk of a scan: it is written if its carry is known, and else combined.
    fn scan(&self, seat: usize, chunk: usize) -> Result<Outcome<'e>> {
        let (started, range) = (Instant::now(), self.chunks[chunk].clone());
        let mut elements = ScanChunk::take(&mut self.call(), range.clone())?;
        let (mut outcome, carry) = (Outcome::of(Partial::NONE), self.carry_of(chunk));
        let released = &mut outcome.released;
        match carry {
            Some(carry) => {
                let next = elements.finish(carry)?;
                self.wrote(seat, range, started.elapsed());
                self.with_scan(|scan| scan.written(self.phases, next, released))?;
            }
            None => {
                let total = elements.total()?;
                self.with_scan(|scan| {
                    scan.combined(self.phases, (chunk, total, elements), released)
                })?;
            }
        }
        Ok(outcome)
    }

    fn carry_of(&self, chunk: usize) -> Option<Partial> {
        self.lock().scan.as_ref()?.carry_of(chunk)
    }

    fn with_scan(&self, body: impl FnOnce(&mut super::scan::Scan<'e>) -> Result<()>) -> Result<()> {
        self.lock().scan.as_mut().map_or(Ok(()), body)
    }

    /// A worker on the host has written elements `range` of a scan.
    fn wrote(&self, seat: usize, range: Range<usize>, busy: Duration) {
        // SAFETY: they went through the phase that writes, without a panic.
        unsafe { self.call().wrote_on_host(&range) };
        let seat = &self.team.seats[seat];
        let (index, unit) = (seat.index, seat.unit);
        self.lock().reports.push(Report {
            index,
            unit,
            range,
            busy,
        });
    }
}
