//! A piece of a call, from its start to its end, on its unit or, if that fails, on the fallback.
//!
//! What a device fails to compute can be computed again: outputs were not there before, and what is changed
//! in place is still in host memory, if it was uploaded for this call or was valid there as well. Of a piece
//! that goes through a device in chunks, those that have landed are done. Borrowed slices are what they were
//! until results are copied there. Elements that no other node has are lost ([`Error::Lost`]).
//!
//! Traps are not made good: the function would trap again.
#![allow(unsafe_code, reason = "takes back what a device was lent")]

use super::{Fallback, Piece};
use crate::{
    device::{Scope, of_piece},
    observe, trace,
    unit::Running,
};
use skel_core::{
    Error, Result, call::Call, container::Remains, frame::Spine, plan::Pattern, unit::NodeId,
};
use std::time::Duration;

/// How far a piece has come.
enum State<'s> {
    /// It did not start, or was aborted; the error is reported once.
    Failed(Option<Error>),
    /// Its unit is at work.
    Running(Box<dyn Running + 's>),
    /// The fallback has done it, from this element on.
    Again(usize, Duration),
}

/// A piece of a call.
pub(crate) struct PieceRun<'s, 'e> {
    pub(crate) piece: &'s Piece<'s>,
    scope: &'s Scope<'e>,
    fallback: Option<Fallback<'s>>,
    state: State<'s>,
    /// What went wrong in the caller's own work.
    worked: Result<()>,
    /// Whether the unit has failed, otherwise than by refusing the call.
    broke: bool,
    /// Scans: what precedes the piece, once it is known, and whether the carry of what follows is wanted.
    carry: (Spine, bool),
}

/// What is left of a piece that has failed, for the fallback.
pub(crate) struct Rest<'s> {
    pattern: Pattern,
    /// Its first element.
    from: usize,
    /// The fallback's work; none where all of it has landed.
    running: Option<Box<dyn Running + 's>>,
}

/// How a piece was done.
#[derive(Clone, Copy)]
pub(crate) struct Done {
    /// The element from which on the fallback did it, if it did anything.
    pub(crate) again: Option<usize>,
    /// Whether it failed, otherwise than by refusing the call.
    pub(crate) broke: bool,
    /// Whether its results are in host memory, though a device computed them.
    pub(crate) landed: bool,
    pub(crate) busy: Duration,
    /// See [`Running::until_carry`].
    pub(crate) until_carry: Option<Duration>,
}

impl<'s, 'e: 's> PieceRun<'s, 'e> {
    pub(crate) fn new(
        piece: &'s Piece<'s>,
        scope: &'s Scope<'e>,
        fallback: Option<Fallback<'s>>,
    ) -> Self {
        PieceRun {
            piece,
            scope,
            fallback,
            state: State::Failed(None),
            worked: Ok(()),
            broke: false,
            carry: (Spine::EMPTY, false),
        }
    }

    /// Whether another unit may succeed.
    pub(crate) fn can_be_made_good(&self, error: &Error) -> bool {
        self.fallback.is_some() && !self.piece.is_on_host() && error.is_of_device()
    }

    /// Starts the piece. An error that can be made good is kept for later.
    pub(crate) fn start(&mut self, call: &mut Call<'e>) -> Result<()> {
        let piece = self.piece;
        let start = || piece.unit.start(self.scope, call, piece.range.clone());
        match of_piece(piece.deadline, start) {
            Ok(running) => {
                self.state = State::Running(running);
                Ok(())
            }
            Err(error) if self.can_be_made_good(&error) => {
                self.state = State::Failed(Some(error));
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// What needs the calling thread.
    pub(crate) fn work(&mut self) {
        if let State::Running(running) = &mut self.state {
            self.worked = running.work();
        }
    }

    /// Asks the unit, if it has the piece.
    fn ask<R>(
        &mut self,
        otherwise: R,
        question: impl FnOnce(&mut dyn Running) -> Result<R>,
    ) -> Result<R> {
        match &mut self.state {
            State::Failed(error) => error.take().map_or(Ok(otherwise), Err),
            State::Again(..) => Ok(otherwise),
            State::Running(running) => {
                let unit = self.piece.unit;
                let is_device = unit.node() != NodeId::HOST;
                let _traced = is_device.then(|| trace::wait(|| unit.info().name.clone()));
                // It is seen to its end, whatever came of the work before.
                let answer = of_piece(self.piece.deadline, || question(&mut **running));
                if is_device {
                    observe::device_part(&answer);
                }
                std::mem::replace(&mut self.worked, Ok(()))?;
                answer
            }
        }
    }

    /// See [`Running::complete`].
    pub(crate) fn complete(&mut self) -> Result<()> {
        self.ask((), |running| running.complete())
    }

    /// See [`Running::partial`].
    pub(crate) fn partial(&mut self) -> Result<Spine> {
        self.ask(Spine::EMPTY, |running| running.partial())
    }

    /// See [`Running::finish`].
    pub(crate) fn finish(&mut self, carry: Spine, wanted: bool) -> Result<Spine> {
        self.carry = (carry.clone(), wanted);
        self.ask(Spine::EMPTY, |running| running.finish(carry, wanted))
    }

    /// Sees the piece to its end, when it has failed, and says what it may have changed.
    fn let_go(&mut self) -> Remains {
        if let State::Running(running) = &mut self.state {
            // It has an error already; a scan's piece also drops what it has begun.
            let _known = running.complete();
        }
        self.scope.wait();
        let began = match std::mem::replace(&mut self.state, State::Failed(None)) {
            State::Running(running) => running.has_begun(),
            State::Failed(_) | State::Again(..) => false,
        };
        Remains {
            began,
            overwrote: self.scope.has_written(),
        }
    }

    /// No unit computes the piece, which failed with `cause`. If it had not begun, what it was to change in
    /// place is unchanged.
    pub(crate) fn give_back(&mut self, call: &mut Call<'e>, cause: &Error) {
        if self.piece.is_on_host() || !cause.is_of_device() {
            return;
        }
        let remains = self.let_go();
        if !remains.began && !remains.overwrote && self.scope.landed() == 0 {
            // SAFETY: the piece is gone, and so is every command that borrowed for it: `Scope::wait`.
            // It has written nothing.
            let _lost = unsafe { call.reclaim(&self.piece.range, remains, cause) };
        }
    }

    /// Computes the piece again, after it failed with `cause`; what its last phase gives.
    ///
    /// # Errors
    /// The cause, if no other unit can compute it; what is lost; the fallback's error.
    pub(crate) fn again(&mut self, call: &mut Call<'e>, cause: Error) -> Result<Spine> {
        let rest = self.take_back(call, cause)?;
        self.make_good(rest)
    }

    /// Takes a piece back that has failed with `cause`, for [`PieceRun::make_good`], which does not need the call.
    ///
    /// # Errors
    /// The cause, if no other unit can compute it; what is lost.
    pub(crate) fn take_back(&mut self, call: &mut Call<'e>, cause: Error) -> Result<Rest<'s>> {
        let Some(fallback) = self.fallback.filter(|_| self.can_be_made_good(&cause)) else {
            self.give_back(call, &cause);
            return Err(cause);
        };
        self.broke = !matches!(cause, Error::Unsupported { .. });
        let remains = self.let_go();
        let (pattern, range) = (call.phases.pattern(), self.piece.range.clone());
        // What has been taken through the device in chunks is in its place. Elements that hang on nothing need
        // not be computed again; others would have to be, of what is overwritten then.
        let landed = self.scope.landed().clamp(range.start, range.end);
        let (from, overwritten) = match pattern {
            Pattern::Elementwise | Pattern::Sweep => (landed, landed..landed),
            Pattern::Fold | Pattern::Scan => (range.start, range.start..landed),
        };
        let rest = from..range.end;
        let all = Remains {
            overwrote: true,
            ..remains
        };
        // SAFETY: the piece is gone, and so is every command that borrowed for it, or it has lost its
        // lease: `Scope::wait`. What wrote host memory, the scope knows.
        unsafe {
            if !overwritten.is_empty() {
                call.reclaim(&overwritten, all, &cause)?;
            }
            call.reclaim(&(landed..range.end), remains, &cause)?;
        }
        let start = || fallback.unit.start(self.scope, call, rest.clone());
        let running = (!rest.is_empty()).then(start).transpose()?;
        Ok(Rest {
            pattern,
            from,
            running,
        })
    }

    /// Computes what was taken back; what the last phase gives.
    ///
    /// # Errors
    /// The fallback's.
    pub(crate) fn make_good(&mut self, rest: Rest<'s>) -> Result<Spine> {
        let Rest { pattern, from, .. } = rest;
        let Some(mut running) = rest.running else {
            self.state = State::Again(from, Duration::ZERO);
            return Ok(Spine::EMPTY);
        };
        let (carry, wanted) = self.carry.clone();
        running.work()?;
        let partial = match pattern {
            Pattern::Elementwise | Pattern::Sweep => running.complete().map(|()| Spine::EMPTY),
            Pattern::Fold => running.partial(),
            Pattern::Scan => running
                .finish(carry, wanted)
                .and_then(|next| running.complete().map(|()| next)),
        }?;
        self.state = State::Again(from, running.busy());
        Ok(partial)
    }

    /// How the piece was done.
    pub(crate) fn done(&self) -> Done {
        let mut until_carry = None;
        let (again, landed, busy) = match &self.state {
            State::Failed(_) => (None, false, Duration::ZERO),
            State::Running(running) => {
                until_carry = running.until_carry();
                (None, running.is_on_host(), running.busy())
            }
            State::Again(from, busy) => (Some(*from), true, *busy),
        };
        Done {
            broke: self.broke,
            again,
            landed,
            busy,
            until_carry,
        }
    }
}
