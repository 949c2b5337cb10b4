//! The executor that drives several units at once. It knows the three phases, and nothing else of a
//! skeleton.
//!
//! A piece that fails by its device's fault is taken back and computed by the fallback, where there is
//! one: see [`part`].
#![allow(unsafe_code, reason = "vouches for what the host wrote")]

mod piece_run;

use crate::{
    device::{Deadline, of_piece, scopes},
    observe::{self, Busy},
    partials::{self, Total},
    unit::Unit,
};
use piece_run::Done;
pub(crate) use piece_run::PieceRun;
use skel_core::{
    Error, Result,
    call::Call,
    frame::{Partial, Spine},
    later::Later,
    plan::Pattern,
    schedule::UnitIndex,
    unit::NodeId,
};
use std::{ops::Range, time::Duration};

/// One unit's part of a call.
pub(crate) struct Piece<'u> {
    index: UnitIndex,
    unit: &'u dyn Unit,
    range: Range<usize>,
    deadline: Option<Deadline>,
}

impl<'u> Piece<'u> {
    /// Elements `range` for `unit`, which is at position `index` of its context.
    pub(crate) fn new(index: UnitIndex, unit: &'u dyn Unit, range: Range<usize>) -> Self {
        Piece {
            index,
            unit,
            range,
            deadline: None,
        }
    }

    /// The same; how long it may take, if that is known.
    pub(crate) fn deadline(self, deadline: Option<Deadline>) -> Self {
        Piece { deadline, ..self }
    }

    fn is_on_host(&self) -> bool {
        self.unit.node() == NodeId::HOST
    }
}

/// The unit that computes what devices fail to: one of the host, and its position in its context.
#[derive(Clone, Copy)]
pub(crate) struct Fallback<'u> {
    pub(crate) index: UnitIndex,
    pub(crate) unit: &'u dyn Unit,
}

/// What came of a call.
pub(crate) struct CallOutcome {
    pub(crate) total: Partial,
    /// The units that failed, whose pieces the fallback has computed.
    pub(crate) failed: Vec<UnitIndex>,
    /// Whether one of them failed otherwise than by refusing the call, for as long as its
    /// [`check`](Unit::check) says.
    pub(crate) broke: bool,
}

/// Runs the pieces, which are consecutive ranges, all at the same time; partials are combined in
/// their order.
///
/// # Errors
/// The first one in the order of elements, of those that show while the call is made, and that no fallback
/// makes good. No unit uses the caller's memory any more when this returns.
pub(crate) fn execute<'u, 'e: 'u>(
    pieces: &[Piece<'u>],
    call: &mut Call<'e>,
    fallback: Option<Fallback<'u>>,
) -> Result<CallOutcome> {
    let mut done = Vec::with_capacity(pieces.len());
    let total = scopes::<'e, _>(pieces.len(), |scopes| {
        let parts = pieces.iter().zip(scopes);
        let mut parts: Vec<PieceRun<'_, 'e>> = parts
            .map(|(piece, scope)| PieceRun::new(piece, scope, fallback))
            .collect();
        start(call, &mut parts)?;
        let total = drive(call, &mut parts)?;
        done.extend(parts.iter().map(PieceRun::done));
        match call.phases.pattern() {
            Pattern::Fold => partials::value(call.phases, total),
            Pattern::Elementwise | Pattern::Scan | Pattern::Sweep => {
                Ok::<Partial, Error>(Partial::NONE)
            }
        }
    })?;
    let (mut failed, broke) = (Vec::new(), done.iter().any(|done| done.broke));
    for (piece, done) in pieces.iter().zip(done) {
        // SAFETY: `drive` has seen the piece to its end, on its unit or on the fallback, and no piece has failed.
        let (fell_back, reports) = unsafe { note(piece, done, fallback, call) };
        if fell_back {
            failed.push(piece.index);
        }
        for report in reports {
            report.observe();
        }
    }
    Ok(CallOutcome {
        total,
        failed,
        broke,
    })
}

/// What a unit has done of a piece, for observers.
pub(crate) struct Report<'u> {
    pub(crate) index: UnitIndex,
    pub(crate) unit: &'u dyn Unit,
    pub(crate) range: Range<usize>,
    pub(crate) busy: Duration,
    /// See [`Running::until_carry`](crate::unit::Running::until_carry).
    pub(crate) until_carry: Option<Duration>,
}

impl Report<'_> {
    /// Tells observers.
    pub(crate) fn observe(&self) {
        let busy = Busy {
            unit: self.index,
            busy: self.busy,
            until_carry: self.until_carry,
        };
        observe::piece(self.unit, &self.range, busy);
    }
}

/// Notes where a piece has been written; whether the fallback has done some of it, and which unit did what.
///
/// # Safety
/// The piece was seen to its end without an error, on its unit or on the fallback.
pub(crate) unsafe fn note<'u>(
    piece: &Piece<'u>,
    done: Done,
    fallback: Option<Fallback<'u>>,
    call: &mut Call<'_>,
) -> (bool, impl Iterator<Item = Report<'u>> + use<'u>) {
    let again = fallback.zip(done.again);
    let (index, unit, from) = match again {
        None => (piece.index, piece.unit, piece.range.start),
        Some((Fallback { index, unit }, from)) => (index, unit, from),
    };
    if done.landed || unit.node() == NodeId::HOST {
        // SAFETY: all of it is in host memory: the host has written it, or the unit says that it has landed.
        unsafe { call.wrote_on_host(&piece.range) };
    } else {
        // SAFETY: the piece was seen to its end without an error, as the caller promises, and a device that says so has
        // brought what it computed for scattered outputs to its places, by the promise of `Unit`.
        unsafe { call.wrote_scattered(&piece.range) };
    }
    let (first, last) = (piece.range.start, piece.range.end);
    let landed = Report {
        index: piece.index,
        unit: piece.unit,
        range: first..from,
        busy: Duration::ZERO,
        until_carry: None,
    };
    let rest = Report {
        index,
        unit,
        range: from..last,
        busy: done.busy,
        until_carry: done.until_carry,
    };
    let reports = [landed, rest].into_iter();
    let reports = reports.filter(|report| !report.range.is_empty());
    (again.is_some(), reports)
}

/// Starts all pieces, as far as they can be.
fn start<'e>(call: &mut Call<'e>, parts: &mut [PieceRun<'_, 'e>]) -> Result<()> {
    // The host only takes note here, and fetches what it lacks, before devices have more to do; then all
    // devices start, and then the host works.
    let mut failed = Ok(());
    for on_host in [true, false] {
        for part in parts.iter_mut() {
            if part.piece.is_on_host() == on_host && failed.is_ok() {
                failed = part.start(call);
            }
        }
    }
    // What devices write is attributed to the call from now on, even if it fails.
    call.sign();
    if failed.is_err() {
        for part in parts {
            // Its own error, if it has one, is not the first.
            let _later = part.complete();
        }
    }
    failed
}

/// Runs a fold that is one piece on a device; its partial may come later.
///
/// # Errors
/// Those that show by now.
pub(crate) fn execute_later<'u, 'e: 'u>(
    piece: &Piece<'u>,
    call: &mut Call<'e>,
) -> Result<Later<Partial>> {
    let phases = call.phases;
    let later = scopes::<'e, _>(1, |scopes| {
        of_piece(piece.deadline, || {
            let mut running = piece.unit.start(&scopes[0], call, piece.range.clone())?;
            running.work()?;
            running.later()
        })
    })?;
    later.and_then(move |spine| partials::value(phases, spine))
}

/// All pieces have started: the caller's own work, then the results in order.
fn drive<'e>(call: &mut Call<'e>, parts: &mut [PieceRun<'_, 'e>]) -> Result<Spine> {
    for part in parts.iter_mut() {
        part.work();
    }
    let pattern = call.phases.pattern();
    if pattern == Pattern::Scan {
        return chain(call, parts);
    }
    let mut total = Total::new(call.phases, Spine::beginning_with(call.initial.clone()));
    for part in parts {
        // Every piece is seen to its end, also after an error.
        let partial = match pattern {
            Pattern::Elementwise | Pattern::Sweep => part.complete().map(|()| Spine::EMPTY),
            Pattern::Fold | Pattern::Scan => part.partial(),
        };
        total.add(partial.or_else(|error| {
            if !total.has_failed() {
                return part.again(call, error);
            }
            if !total.yields_to(&error) {
                part.give_back(call, &error);
            }
            Err(error)
        }));
    }
    total.finish()
}

/// The last phase of a scan: each piece's carry is what the one before it gives. Devices have begun what they can do
/// without their carry, and go on when they have it. The host works here, in its turn; if a piece follows, it gives the
/// carry before it has written the last of its elements, and writes those while devices go on ([`Running::complete`]).
///
/// [`Running::complete`]: crate::unit::Running::complete
fn chain<'e>(call: &mut Call<'e>, parts: &mut [PieceRun<'_, 'e>]) -> Result<Spine> {
    let last = parts.len().saturating_sub(1);
    let (mut carry, mut failed) = (Spine::beginning_with(call.initial.clone()), None);
    for (k, part) in parts.iter_mut().enumerate() {
        let next = part
            .finish(std::mem::replace(&mut carry, Spine::EMPTY), k < last)
            .or_else(|error| part.again(call, error));
        match next {
            Ok(next) => carry = next,
            Err(error) => {
                failed = Some((k, error));
                break;
            }
        }
    }
    // Every piece is seen to its end, also after an error, which may not be the first.
    for (k, part) in parts.iter_mut().enumerate() {
        let Err(error) = part.complete() else {
            continue;
        };
        let error = match &failed {
            // The pieces behind it have the carry that it gave.
            None => part.again(call, error).err(),
            Some((first, _)) => (k < *first && !part.can_be_made_good(&error)).then_some(error),
        };
        failed = error.map(|error| (k, error)).or(failed);
    }
    failed.map_or(Ok(carry), |(_, error)| Err(error))
}
