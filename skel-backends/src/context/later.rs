//! Asynchronous reductions: the value is read later.

use super::{Context, observe, select};
use crate::{chunked, current_task, hybrid, positions::FIRST_DEVICE, trace};
use skel_core::{
    Error, Result,
    call::{Call, Executor},
    frame::Partial,
    later::Later,
    plan::Pattern,
    schedule::Target,
};

/// Runs a call; where it is a fold on a device alone, its partial need not be waited for.
pub(super) fn execute(
    context: &Context,
    call: &mut Call<'_>,
    target: &Target,
) -> Result<Later<Partial>> {
    let forced = context.inner.forced.as_ref().ok().and_then(Option::as_ref);
    let on_device = matches!(forced.unwrap_or(target), Target::Device(_));
    let is_fold = || call.phases.pattern() == Pattern::Fold && !call.space.shape().is_empty();
    // In a task, the task's unit counts; an observer needs to know how long it took.
    let in_task = || chunked::has_role() || current_task::unit(context.address()).is_some();
    let waits = || in_task() || observe::is_timed() || context.virtual_ns().is_some();
    if !on_device || context.inner.forced.is_err() || !is_fold() || waits() {
        return context.execute(call, target).map(Later::Known);
    }
    let target = forced.unwrap_or(target);
    context.tell_of(call);
    let _traced = trace::call(call, target);
    let started = start(context, target, call).map_err(|error| context.named(error));
    if let Err(error) = &started {
        call.poison_outputs(error);
    }
    started
}

fn start(context: &Context, target: &Target, call: &mut Call<'_>) -> Result<Later<Partial>> {
    let choice = select::choose(context, target, call)?;
    match choice.pieces[..] {
        [(index, ref range)] if index >= FIRST_DEVICE => {
            let deadline = context.deadline(call, index, range);
            let piece =
                hybrid::Piece::new(index, context.unit(index)?, range.clone()).deadline(deadline);
            let later = hybrid::execute_later(&piece, call)?;
            Ok(named(later, call.instance))
        }
        _ => {
            let outcome = context.run_on(&choice, call)?;
            Ok(Later::Known(outcome.total))
        }
    }
}

/// The same; an error of the device names the instance whose value is lost.
fn named(later: Later<Partial>, instance: &str) -> Later<Partial> {
    let Later::Pending(ask) = later else {
        return later;
    };
    let call = instance.to_owned();
    Later::Pending(Box::new(move || {
        ask().map_err(|error| match error.is_of_device() {
            false => error,
            true => Error::Late {
                call,
                elements: 0..1,
                cause: error.into(),
            },
        })
    }))
}
