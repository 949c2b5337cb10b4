//! From a target to an assignment.

use super::Context;
use crate::{
    observe,
    positions::{CPU, FIRST_DEVICE, SEQUENTIAL},
};
use skel_core::{
    Error, Result,
    call::Call,
    notice,
    schedule::{DeviceChoice, Share, Split, Target, UnitIndex},
};
use skel_model::policy::{Candidate, Policy, Question, Single, StaticSplit};
use std::{ops::Range, sync::Once};

/// Which unit computes what.
pub(super) struct Choice {
    pub(super) pieces: Vec<(UnitIndex, Range<usize>)>,
    /// Whether a device was asked for by name: then no other unit does what it fails to do.
    pub(super) by_name: bool,
}

/// The assignment for a target that is not `Auto`.
///
/// # Errors
/// Those of [`validate`]; [`Error::Unsupported`] where a single device was asked for that cannot run
/// the call, [`Error::DeviceLost`] where it is not used any more. Nothing has been allocated or launched then.
pub(super) fn choose(context: &Context, target: &Target, call: &Call<'_>) -> Result<Choice> {
    let elems = call.space.elems();
    match target {
        Target::Device(which) => {
            let unit = device(context, *which)?;
            context.unit(unit)?.check(call)?;
            Ok(Choice {
                pieces: pieces(&Single, elems, &[unit]),
                by_name: true,
            })
        }
        Target::Hybrid(split) => hybrid(context, split, call),
        Target::Sequential => Ok(Choice {
            pieces: vec![(SEQUENTIAL, 0..elems)],
            by_name: true,
        }),
        _ => Ok(Choice {
            pieces: vec![(CPU, 0..elems)],
            by_name: true,
        }),
    }
}

/// What is wrong with a target, whatever the call.
///
/// # Errors
/// [`Error::NoDevice`], [`Error::BadRatio`].
pub(super) fn validate(context: &Context, target: &Target) -> Result<()> {
    match target {
        Target::Device(which) => device(context, *which).map(|_| ()),
        Target::Hybrid(split) => split.shares(1).map(|_| ()),
        Target::Tasks(tasks) => tasks
            .wanted_chunks()
            .and(tasks.wanted_ahead())
            .and(tasks.wanted_merge())
            .map(drop),
        _ => Ok(()),
    }
}

pub(super) fn device(context: &Context, which: DeviceChoice) -> Result<UnitIndex> {
    let devices = &context.inner.devices;
    let (index, wanted) = match which {
        DeviceChoice::Index(index) => (
            (index < devices.accepted().len()).then_some(index),
            format!("device:{index}"),
        ),
        DeviceChoice::Wgpu => (devices.driven_by("wgpu"), "wgpu".to_owned()),
        DeviceChoice::Cuda => (devices.driven_by("CUDA"), "cuda".to_owned()),
        _ => (None, format!("{which:?}")),
    };
    index
        .map(|index| FIRST_DEVICE + index)
        .ok_or_else(|| devices.none(&wanted))
}

/// The devices that a split uses and that can run the call: their places among those that it uses, and their
/// numbers.
///
/// # Errors
/// What is wrong with the call, whatever the device.
pub(super) fn able(context: &Context, call: &Call<'_>) -> Result<Vec<(usize, usize)>> {
    if context.inner.devices.for_hybrid().is_empty() {
        notice(call.instance);
    }
    able_of(context, call, context.inner.devices.for_hybrid())
}

/// The same, of given devices.
pub(super) fn able_of(
    context: &Context,
    call: &Call<'_>,
    devices: Vec<usize>,
) -> Result<Vec<(usize, usize)>> {
    let mut able = Vec::new();
    for (k, device) in devices.into_iter().enumerate() {
        // One that cannot be opened is not able, either.
        match context
            .unit(FIRST_DEVICE + device)
            .and_then(|unit| unit.check(call))
        {
            Ok(()) => able.push((k, device)),
            // A function without a device form is no question of the device.
            Err(error) if error.is_of_device() => {
                if call.kernel().is_ok() {
                    observe::device_part::<()>(&Err(error));
                }
            }
            Err(error) => return Err(error),
        }
    }
    Ok(able)
}

/// The CPU and all devices that can run the call; a device that cannot takes no share.
fn hybrid(context: &Context, split: &Split, call: &Call<'_>) -> Result<Choice> {
    let devices = context.inner.devices.for_hybrid();
    let able = able(context, call)?;
    let shares = match split {
        // Equal parts for those that take part.
        Split::Ratio(_) => split.shares(able.len())?,
        // Each device has its own share; those that cannot take part leave theirs to the others.
        Split::Shares(_) => {
            let all = split.shares(devices.len())?;
            if !devices.is_empty() && all.len() != devices.len() + 1 {
                return Err(Error::BadRatio {
                    what: "shares",
                    found: format!("a list of {}", all.len()),
                    expected: "one share for the CPU and one for each device",
                });
            }
            let of = |k: usize| all.get(k).copied().unwrap_or(Share::NONE);
            let shares: Vec<Share> = [of(0)]
                .into_iter()
                .chain(able.iter().map(|(k, _)| of(k + 1)))
                .collect();
            // If only absent ones had a share, the CPU takes it.
            if shares.iter().all(|share| *share == Share::NONE) {
                vec![Share::ALL]
            } else {
                shares
            }
        }
        // `Context::run_at` asks policies for all others.
        _ => {
            return Err(Error::BadRatio {
                what: "split",
                found: format!("{split:?}"),
                expected: "one with shares",
            });
        }
    };
    let units: Vec<UnitIndex> = [CPU]
        .into_iter()
        .chain(able.iter().map(|(_, device)| FIRST_DEVICE + device))
        .collect();
    Ok(Choice {
        pieces: pieces(&StaticSplit { shares }, call.space.elems(), &units),
        by_name: false,
    })
}

/// What a policy says that asks for nothing but the units' order.
fn pieces(
    policy: &dyn Policy,
    elems: usize,
    units: &[UnitIndex],
) -> Vec<(UnitIndex, Range<usize>)> {
    let units: Vec<Candidate<'_>> = units.iter().copied().map(Candidate::unknown).collect();
    let question = Question {
        elems,
        units: &units,
    };
    policy.assign(&question).pieces
}

/// Says once that a hybrid call has no device to work with.
fn notice(instance: &str) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        notice::say(format_args!(
            "{instance}: no device was found, so the CPU computes everything (said once)"
        ));
    });
}
