//! Panics of user functions, as errors.

use crate::{partials, trace};
use skel_core::{
    Error,
    caught::{Caught, catch},
    frame::{Before, Frame, Partial, Spine},
    plan::{self, Pattern, Phases},
};

/// A piece that did not come to its end.
pub(super) struct Panicked<'m> {
    caught: Caught,
    frame: Frame<'m>,
    /// What in-place arguments were; none if that was not kept.
    before: Option<Before>,
    /// What preceded the piece, where that counted.
    carry: Spine,
}

/// Why a piece gave nothing.
pub(super) enum Failure<'m> {
    /// It panicked.
    Panicked(Box<Panicked<'m>>),
    /// It did not begin.
    Error(Error),
}

/// The local phase of a piece. `keep` says to set in-place arguments aside, since the function can
/// trap, and the error says where.
pub(super) fn local<'m>(
    phases: &'static dyn Phases,
    frame: &mut Frame<'m>,
    keep: bool,
) -> std::result::Result<Spine, Failure<'m>> {
    let _traced = trace::piece("elements", &frame.range);
    match keep {
        true => kept(phases, frame),
        false => once(phases, frame),
    }
}

/// The local phase of a piece of which nothing is set aside.
#[inline]
fn once<'m>(
    phases: &'static dyn Phases,
    frame: &mut Frame<'m>,
) -> std::result::Result<Spine, Failure<'m>> {
    catch(|| phases.local(frame)).map_err(|caught| {
        let known = !frame.changes_arguments();
        Failure::Panicked(Box::new(Panicked {
            caught,
            frame: frame.take(),
            before: known.then(Before::default),
            carry: Spine::EMPTY,
        }))
    })
}

/// The local phase of a piece that is set aside before.
fn kept<'m>(
    phases: &'static dyn Phases,
    frame: &mut Frame<'m>,
) -> std::result::Result<Spine, Failure<'m>> {
    let local = |frame: &mut Frame<'m>, _: &Spine| phases.local(frame);
    let mut before = Before::default();
    if phases.pattern() == Pattern::Elementwise {
        // In parts, so that what is set aside for one is still in the cache for the next.
        let together = Before::together(frame);
        while frame.range.len() > together {
            let mut head = frame.take_front(frame.range.start + together);
            guarded(&mut head, Spine::EMPTY, true, &mut before, local)?;
        }
    }
    guarded(frame, Spine::EMPTY, true, &mut before, local)
}

/// The last phase of a piece, which `carry` precedes; otherwise as [`local`].
pub(super) fn finish<'m>(
    phases: &'static dyn Phases,
    frame: &mut Frame<'m>,
    carry: Spine,
    keep: bool,
) -> std::result::Result<Spine, Failure<'m>> {
    let _traced = trace::piece("elements", &frame.range);
    let finish = |frame: &mut Frame<'m>, carry: &Spine| phases.finish(frame, carry);
    guarded(frame, carry, keep, &mut Before::default(), finish)
}

/// Runs a phase. Where it is to `keep` what the phase changes in place, that is set aside in the memory of `before`.
fn guarded<'m>(
    frame: &mut Frame<'m>,
    carry: Spine,
    keep: bool,
    before: &mut Before,
    phase: impl FnOnce(&mut Frame<'m>, &Spine) -> Spine,
) -> std::result::Result<Spine, Failure<'m>> {
    if keep {
        let again = std::mem::take(before).again(frame);
        *before = again.map_err(Failure::Error)?;
    }
    catch(|| phase(frame, &carry)).map_err(|caught| {
        let known = keep || !frame.changes_arguments();
        Failure::Panicked(Box::new(Panicked {
            caught,
            frame: frame.take(),
            before: known.then(|| std::mem::take(before)),
            carry,
        }))
    })
}

/// The local phase of a piece that is only read, and is read again.
pub(super) fn total<'m>(
    phases: &'static dyn Phases,
    frame: &mut Frame<'m>,
) -> std::result::Result<Spine, Failure<'m>> {
    let _traced = trace::piece("total", &frame.range);
    once(phases, frame)
}

impl<'m> Failure<'m> {
    /// All of a piece, of which some part panicked so: a tile of a sweep, or steps of folds.
    pub(super) fn of_whole(caught: Caught, frame: Frame<'m>, before: Before) -> Failure<'m> {
        Failure::Panicked(Box::new(Panicked {
            caught,
            frame,
            before: Some(before),
            carry: Spine::EMPTY,
        }))
    }
}

impl Failure<'_> {
    /// Which element it was, and why.
    pub(super) fn explain(self, phases: &dyn Phases, instance: &str) -> Error {
        let Panicked {
            caught,
            frame,
            before,
            carry,
        } = match self {
            Failure::Error(error) => return error,
            Failure::Panicked(panicked) => *panicked,
        };
        let found = match (&caught, before) {
            (Caught::Panic(_), Some(before)) => {
                // If the operator traps here already, what precedes the piece is left out.
                let carry = partials::value(phases, carry).unwrap_or(Partial::NONE);
                phases.find_trap(frame, &before, carry)
            }
            _ => None,
        };
        found.unwrap_or_else(|| plan::unplaced_trap(phases, instance, caught))
    }
}
