//! One task: a chunk on a core or on a device.
#![allow(unsafe_code, reason = "vouches for what the host wrote")]

use super::{
    job::{Job, ReleasedChunk},
    state::Step,
};
use crate::{
    cpu::ScanChunk,
    device::scopes,
    hybrid::{self, Fallback, Piece, PieceRun, Report},
    partials,
};
use skel_core::{Result, call::Call, frame::Spine, plan::Pattern};
use std::{
    ops::Range,
    sync::{MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// What came of a task.
pub(super) struct Outcome<'e> {
    pub(super) result: Result<Spine>,
    /// Chunks of a scan that can be written now.
    pub(super) released: Vec<ReleasedChunk<'e>>,
    /// Whether the worker's unit has failed, and another did its work.
    pub(super) broke: bool,
}

impl From<Result<Spine>> for Outcome<'_> {
    fn from(result: Result<Spine>) -> Self {
        Outcome {
            result,
            released: Vec::new(),
            broke: false,
        }
    }
}

impl<'j, 'u, 'e> Job<'j, 'u, 'e> {
    fn call(&self) -> MutexGuard<'_, &'j mut Call<'e>> {
        self.call.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does what a task has to do, at a seat; of a map or a fold, all of these chunks.
    pub(super) fn execute(&self, seat: usize, step: Step<'e>, chunks: Range<usize>) -> Outcome<'e> {
        match step {
            Step::Taken => Ok(Spine::EMPTY).into(),
            Step::Chunk(chunk) if self.phases.pattern() == Pattern::Scan => self.scan(seat, chunk),
            Step::Chunk(_) => {
                let local = self.local(seat, &self.chunks[chunks]);
                let broke = matches!(local, Ok((_, true)));
                Outcome {
                    broke,
                    ..local.map(|(partial, _)| partial).into()
                }
            }
            Step::Finish(released) => self.write(seat, *released).into(),
        }
    }

    /// Chunks of a map or a fold, which follow each other: a piece like any other. Its partial, and whether its unit has
    /// failed.
    fn local(&self, seat: usize, chunks: &[Range<usize>]) -> Result<(Spine, bool)> {
        let seat = &self.team.seats[seat];
        let (Some(first), Some(last)) = (chunks.first(), chunks.last()) else {
            return Ok((Spine::EMPTY, false));
        };
        let range = first.start..last.end;
        let deadline = (self.team.deadline)(&self.call(), seat.index, &range);
        let piece = Piece::new(seat.index, seat.unit, range).deadline(deadline);
        let (index, unit) = self.team.fallback;
        let fallback = (!seat.is_on_host()).then_some(Fallback { index, unit });
        let (partial, done) = scopes::<'e, _>(1, |scopes| {
            let mut part = PieceRun::new(&piece, &scopes[0], fallback);
            part.start(&mut self.call())?;
            part.work();
            let partial = match self.phases.pattern() {
                Pattern::Elementwise | Pattern::Sweep => part.complete().map(|()| Spine::EMPTY),
                Pattern::Fold | Pattern::Scan => part.partial(),
            };
            let partial = partial.or_else(|error| {
                // Only until it is taken back: other workers go on while it is computed.
                let rest = part.take_back(&mut self.call(), error)?;
                part.make_good(rest)
            })?;
            Ok::<_, skel_core::Error>((partial, part.done()))
        })?;
        // SAFETY: the piece was seen to its end, here or on the fallback, without an error.
        let (_, reports) = unsafe { hybrid::note(&piece, done, fallback, &mut self.call()) };
        self.lock().reports.extend(reports);
        Ok((partial, done.broke))
    }

    /// A chunk of a scan: it is written if its carry is known, and else combined.
    fn scan(&self, seat: usize, chunk: usize) -> Outcome<'e> {
        let mut released = Vec::new();
        let result = self.scan_chunk(seat, chunk, &mut released);
        Outcome {
            released,
            ..result.map(|()| Spine::EMPTY).into()
        }
    }

    fn scan_chunk(
        &self,
        seat: usize,
        chunk: usize,
        released: &mut Vec<ReleasedChunk<'e>>,
    ) -> Result<()> {
        let (started, range) = (Instant::now(), self.chunks[chunk].clone());
        let mut elements = ScanChunk::take(&mut self.call(), range.clone())?;
        let join = |carry, total| partials::join(self.phases, carry, total);
        let next = match self.carries.of(chunk) {
            Some(carry) => {
                let next = elements.finish(carry)?;
                self.wrote(seat, range, started.elapsed());
                next
            }
            None => {
                let total = elements.total()?;
                let Some((carry, total, piece)) = self.carries.leave(chunk, total, elements) else {
                    return Ok(());
                };
                let next = join(carry.clone(), total)?;
                released.push(ReleasedChunk {
                    number: chunk,
                    carry,
                    piece,
                });
                next
            }
        };
        let advanced = self.carries.advance(chunk, next, join);
        released.extend(std::iter::from_fn(|| self.carries.take_released()));
        advanced.map_err(|(_, error)| error)
    }

    /// Writes a chunk of a scan whose carry has become known.
    fn write(&self, seat: usize, released: ReleasedChunk<'e>) -> Result<Spine> {
        let started = Instant::now();
        let range = self.chunks[released.number].clone();
        released.piece.finish(released.carry)?;
        self.wrote(seat, range, started.elapsed());
        Ok(Spine::EMPTY)
    }

    /// A worker on the host has written elements `range` of a scan.
    fn wrote(&self, seat: usize, range: Range<usize>, busy: Duration) {
        // SAFETY: the callers, of this file, have computed a frame of all elements of `range`, and come here only if that was no error: so
        // the phase that writes has returned, and by the promise of `Phases` has written them in every output.
        unsafe { self.call().wrote_on_host(&range) };
        let seat = &self.team.seats[seat];
        let (index, unit) = (seat.index, seat.unit);
        self.lock().reports.push(Report {
            index,
            unit,
            range,
            busy,
            until_carry: None,
        });
    }
}
