//! Panics of user functions, as errors.

use crate::{partials, trace};
use skel_core::{
    Error,
    caught::{Caught, catch},
    frame::{Before, Frame, Partial, Spine},
    plan::{Pattern, Phases},
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
    let local = |frame: &mut Frame<'m>, _: &Spine| phases.local(frame);
    if keep && phases.pattern() == Pattern::Elementwise {
        // In parts, so that what is set aside for one is still in the cache for the next.
        let (together, mut before) = (Before::together(frame), Before::default());
        while frame.range.len() > together {
            let mut head = frame.take_front(frame.range.start + together);
            before = before.again(&head).map_err(Failure::Error)?;
            guarded(&mut head, Spine::EMPTY, Some(&mut before), local)?;
        }
        before = before.again(frame).map_err(Failure::Error)?;
        return guarded(frame, Spine::EMPTY, Some(&mut before), local);
    }
    keeping(frame, Spine::EMPTY, keep, local)
}

/// The last phase of a piece, which `carry` precedes; otherwise as [`local`].
pub(super) fn finish<'m>(
    phases: &'static dyn Phases,
    frame: &mut Frame<'m>,
    carry: Spine,
    keep: bool,
) -> std::result::Result<Spine, Failure<'m>> {
    let _traced = trace::piece("elements", &frame.range);
    keeping(frame, carry, keep, |frame, carry| {
        phases.finish(frame, carry)
    })
}

/// Runs a phase; where it is to `keep` what the phase changes in place, that is set aside before.
fn keeping<'m>(
    frame: &mut Frame<'m>,
    carry: Spine,
    keep: bool,
    phase: impl FnOnce(&mut Frame<'m>, &Spine) -> Spine,
) -> std::result::Result<Spine, Failure<'m>> {
    let mut before = match keep {
        true => Some(Before::of(frame).map_err(Failure::Error)?),
        false => None,
    };
    guarded(frame, carry, before.as_mut(), phase)
}

/// Runs a phase; `before` is what it changes in place, if that was set aside.
fn guarded<'m>(
    frame: &mut Frame<'m>,
    carry: Spine,
    before: Option<&mut Before>,
    phase: impl FnOnce(&mut Frame<'m>, &Spine) -> Spine,
) -> std::result::Result<Spine, Failure<'m>> {
    catch(|| phase(frame, &carry)).map_err(|caught| {
        let before = match before {
            Some(before) => Some(std::mem::take(before)),
            None => (!frame.changes_arguments()).then(Before::default),
        };
        Failure::Panicked(Box::new(Panicked {
            caught,
            frame: frame.take(),
            before,
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
    catch(|| phases.local(frame)).map_err(|caught| {
        Failure::Panicked(Box::new(Panicked {
            caught,
            frame: frame.take(),
            before: Some(Before::default()),
            carry: Spine::EMPTY,
        }))
    })
}

impl<'m> Failure<'m> {
    /// A whole sweep of which some tile panicked so.
    pub(super) fn of_sweep(
        caught: Caught,
        frame: Frame<'m>,
        before: Option<Before>,
    ) -> Failure<'m> {
        Failure::Panicked(Box::new(Panicked {
            caught,
            frame,
            before,
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
        found.unwrap_or_else(|| phases.unplaced_trap(instance, caught))
    }
}
