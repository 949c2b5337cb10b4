//! The executor that drives several units at once. It knows the three phases, and nothing else of a
//! skeleton.
#![allow(unsafe_code, reason = "vouches for what the host wrote")]

use crate::{
    device::scope,
    observe,
    unit::{Running, Unit},
};
use skel_core::{
    Result,
    call::{Call, Later},
    frame::Partial,
    plan::Pattern,
    schedule::UnitIndex,
    unit::NodeId,
};
use std::ops::Range;

/// One unit's part of a call.
pub(crate) struct Piece<'u> {
    index: UnitIndex,
    unit: &'u dyn Unit,
    range: Range<usize>,
}

impl<'u> Piece<'u> {
    /// Elements `range` for `unit`, which is at position `index` of its context.
    pub(crate) fn new(index: UnitIndex, unit: &'u dyn Unit, range: Range<usize>) -> Self {
        Piece { index, unit, range }
    }

    fn is_on_host(&self) -> bool {
        self.unit.node() == NodeId::HOST
    }
}

/// Runs the pieces, which are consecutive ranges, all at the same time; partials are combined in
/// their order.
///
/// # Errors
/// The first one in the order of elements, of those that show while the call is made. All units have
/// let go of the caller's memory when this returns.
pub(crate) fn execute<'u, 'e: 'u>(pieces: Vec<Piece<'u>>, call: &mut Call<'e>) -> Result<Partial> {
    let mut busy = Vec::with_capacity(pieces.len());
    let total = scope::<'e, _>(|s| {
        let mut running: Vec<Option<Box<dyn Running + 'u>>> = pieces.iter().map(|_| None).collect();
        // The host only takes note here, and fetches what it lacks, before devices have more to do;
        // then all devices start, and then the host works.
        let mut failed = None;
        for on_host in [true, false] {
            for (piece, running) in pieces.iter().zip(&mut running) {
                if piece.is_on_host() == on_host && failed.is_none() {
                    match piece.unit.start(s, call, piece.range.clone()) {
                        Ok(started) => *running = Some(started),
                        Err(error) => failed = Some(error),
                    }
                }
            }
        }
        let mut running: Vec<Box<dyn Running + 'u>> = running.into_iter().flatten().collect();
        if let Some(error) = failed {
            for started in &mut running {
                // Its own error, if it has one, is not the first.
                let _later = started.complete();
            }
            return Err(error);
        }
        let total = drive(call, &mut running)?;
        busy.extend(
            running
                .iter()
                .map(|running| (running.is_on_host(), running.busy())),
        );
        Ok(total)
    })?;
    for (piece, (landed, busy)) in pieces.iter().zip(busy) {
        if landed || piece.is_on_host() {
            // SAFETY: `drive` has run the piece, and no piece has failed.
            unsafe { call.wrote_on_host(&piece.range) };
        } else {
            // SAFETY: `drive` has seen the piece to its end, where it brings what it has computed to its
            // places, and no piece has failed.
            unsafe { call.wrote_scattered(&piece.range) };
        }
        observe::piece(piece.index, piece.unit, &piece.range, busy);
    }
    Ok(total)
}

/// Runs a fold that is one piece on a device; its partial may come later.
///
/// # Errors
/// Those that show by now.
pub(crate) fn execute_later<'u, 'e: 'u>(
    piece: &Piece<'u>,
    call: &mut Call<'e>,
) -> Result<Later<Partial>> {
    scope::<'e, _>(|s| {
        let mut running = piece.unit.start(s, call, piece.range.clone())?;
        running.work()?;
        running.later()
    })
}

/// All pieces have started: the caller's own work, then the results in order.
fn drive(call: &Call<'_>, started: &mut [Box<dyn Running + '_>]) -> Result<Partial> {
    let worked: Vec<Result<()>> = started.iter_mut().map(|running| running.work()).collect();
    let pattern = call.phases.pattern();
    if pattern == Pattern::Scan {
        return chain(call.initial, started, worked);
    }
    let mut total = Ok(call.initial);
    for (running, worked) in started.iter_mut().zip(worked) {
        // Every piece is seen to its end, also after an error.
        let partial = match pattern {
            Pattern::Elementwise => running.complete().map(|()| Partial::NONE),
            Pattern::Fold | Pattern::Scan => running.partial(),
        };
        total = total.and_then(|total| {
            worked?;
            crate::cpu::combine(call.phases, call.instance, total, partial?)
        });
    }
    total
}

/// The last phase of a scan: each piece's carry is what the one before it gives. The host works here,
/// in its turn; devices have begun what they can do without their carry, and go on when they have it.
fn chain(
    initial: Partial,
    started: &mut [Box<dyn Running + '_>],
    worked: Vec<Result<()>>,
) -> Result<Partial> {
    let last = started.len().saturating_sub(1);
    let (mut carry, mut failed) = (initial, None);
    for (k, (running, worked)) in started.iter_mut().zip(worked).enumerate() {
        match worked.and_then(|()| running.finish(carry, k < last)) {
            Ok(next) => carry = next,
            Err(error) => {
                failed = Some((k, error));
                break;
            }
        }
    }
    // Every piece is seen to its end, also after an error, which may not be the first.
    for (k, running) in started.iter_mut().enumerate() {
        if let Err(error) = running.complete()
            && failed.as_ref().is_none_or(|(first, _)| k < *first)
        {
            failed = Some((k, error));
        }
    }
    failed.map_or(Ok(carry), |(_, error)| Err(error))
}
