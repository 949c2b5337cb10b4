//! Several steps of an iterated stencil together, on the CPU.

use super::Context;
use crate::{chunked, clock::Clock, cpu::steps_may_pay, current_task, observe, trace};
use skel_core::{
    Result,
    call::{Call, Operand},
    container::Buffer,
    schedule::{Split, Target},
};

/// Runs some steps of a call together, if the CPU takes all of it and nothing else is to be known of single steps: see
/// [`skel_core::call::Executor::execute_steps`].
pub(super) fn execute(
    context: &Context,
    call: &mut Call<'_>,
    target: &Target,
    most_steps: usize,
) -> Result<usize> {
    if !steps_may_pay(call) {
        return Ok(0);
    }
    let inner = &context.inner;
    let Ok(forced) = &inner.forced else {
        return Ok(0);
    };
    let unit = match forced.as_ref().unwrap_or(target) {
        Target::Sequential => &inner.sequential,
        Target::Cpu => &inner.cpu,
        Target::Auto | Target::Hybrid(Split::Tuned) if is_left_to_the_cpu(context, call) => {
            &inner.cpu
        }
        _ => return Ok(0),
    };
    let is_watched = matches!(inner.clock, Clock::Virtual(_)) || observe::is_timed();
    if is_watched || chunked::has_role() || current_task::unit(context.address()).is_some() {
        return Ok(0);
    }
    let Some(steps) = unit.steps(call, most_steps) else {
        return Ok(0);
    };
    let _traced = trace::call(call, target);
    let done = unit.run_steps(call, &steps);
    if let Err(error) = &done {
        call.poison_outputs(error);
    }
    done
}

/// Whether `Auto` has no other unit than the CPU: no device that it may choose, and nothing that only a device has.
fn is_left_to_the_cpu(context: &Context, call: &Call<'_>) -> bool {
    let devices = &context.inner.devices;
    let mut containers = call.operands.iter().filter_map(Operand::container);
    devices.are_known() && devices.for_auto().is_empty() && !containers.any(Buffer::is_away)
}
