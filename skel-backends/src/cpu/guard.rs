//! Panics of user functions, as errors.

use crate::trace;
use skel_core::{
    Error,
    frame::{ErasedArray, Frame, Partial, Slot},
    ir::eval::Overflow,
    plan::Phases,
};
use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// A piece whose user function panicked.
pub(super) struct Panicked<'m> {
    message: String,
    /// The piece, with its inputs as they were.
    frame: Frame<'m>,
    /// What in-place arguments were.
    before: Vec<(usize, ErasedArray)>,
    /// What preceded the piece, where that counted.
    carry: Partial,
}

/// The local phase of a piece. `keep` says to set in-place arguments aside, since the function can
/// trap and someone will want to know where.
pub(super) fn local<'m>(
    phases: &'static dyn Phases,
    mut frame: Frame<'m>,
    keep: bool,
) -> Result<Partial, Box<Panicked<'m>>> {
    let _traced = trace::piece("elements", &frame.range);
    let before = if keep { copies(&frame) } else { Vec::new() };
    caught(|| phases.local(&mut frame)).map_err(|message| {
        Box::new(Panicked {
            message,
            frame,
            before,
            carry: Partial::NONE,
        })
    })
}

/// The last phase of a piece, which `carry` precedes; otherwise as [`local`].
pub(super) fn finish<'m>(
    phases: &'static dyn Phases,
    mut frame: Frame<'m>,
    carry: Partial,
    keep: bool,
) -> Result<Partial, Box<Panicked<'m>>> {
    let _traced = trace::piece("elements", &frame.range);
    let before = if keep { copies(&frame) } else { Vec::new() };
    caught(|| phases.finish(&mut frame, carry)).map_err(|message| {
        Box::new(Panicked {
            message,
            frame,
            before,
            carry,
        })
    })
}

/// The local phase of a piece that is only read; what it panics with.
pub(super) fn total(phases: &'static dyn Phases, frame: &mut Frame<'_>) -> Result<Partial, String> {
    let _traced = trace::piece("total", &frame.range);
    caught(|| phases.local(frame))
}

fn caught<R>(body: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(body)).map_err(|payload| message(&*payload))
}

/// Combines two partials, the left one first.
pub(crate) fn combine(
    phases: &'static dyn Phases,
    instance: &str,
    left: Partial,
    right: Partial,
) -> skel_core::Result<Partial> {
    if left.is_none() || right.is_none() {
        return Ok(if left.is_none() { right } else { left });
    }
    catch_unwind(AssertUnwindSafe(|| phases.combine(left, right)))
        .map_err(|payload| unexplained(instance, message(&*payload)))
}

fn copies(frame: &Frame<'_>) -> Vec<(usize, ErasedArray)> {
    let kept = frame
        .slots
        .iter()
        .enumerate()
        .filter_map(|(k, slot)| match slot {
            Slot::InOut(view) => {
                let own = view.as_view().narrow(frame.range.clone());
                Some((k, ErasedArray::copy_of(own)))
            }
            Slot::Scattered(strip) => strip.reads().then(|| (k, strip.copy())),
            Slot::In(_) | Slot::Strided(_) | Slot::Out(_) | Slot::Whole(..) | Slot::Window(_) => {
                None
            }
        });
    kept.collect()
}

impl<'m> Panicked<'m> {
    /// A piece that was only read.
    pub(super) fn reading(message: String, frame: Frame<'m>) -> Box<Self> {
        Box::new(Panicked {
            message,
            frame,
            before: Vec::new(),
            carry: Partial::NONE,
        })
    }

    /// Which element it was, and why.
    pub(super) fn explain(self, phases: &'static dyn Phases, instance: &str) -> Error {
        let Panicked {
            message,
            frame,
            before,
            carry,
        } = self;
        let mut slots: arrayvec::ArrayVec<Slot<'_>, { skel_core::frame::MAX_SLOTS }> =
            frame.slots.into_iter().collect();
        for (k, array) in &before {
            slots[*k] = Slot::In(array.view(frame.range.clone()));
        }
        let inputs = Frame {
            slots,
            range: frame.range,
            shape: frame.shape,
            along: frame.along,
            stream: frame.stream,
        };
        // Only a build that checks for overflow panics at one.
        let overflow = match message.contains("overflow") {
            true => Overflow::Traps,
            false => Overflow::Wraps,
        };
        let found = phases.find_trap_after(carry, &inputs, overflow);
        found.unwrap_or_else(|| unexplained(instance, message))
    }
}

/// A panic that the interpreter does not see: of an operator under another grouping.
fn unexplained(instance: &str, message: String) -> Error {
    Error::Trap {
        function: instance.into(),
        file: String::new(),
        line: 0,
        index: None,
        message,
    }
}

/// What a panic says.
pub(crate) fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a message").into()
}
