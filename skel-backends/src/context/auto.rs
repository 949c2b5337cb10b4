//! `Auto`: where a call runs by default.
//!
//! A call runs on the CPU, unless there is a real GPU and either the data is resident there, or the first
//! calls were faster on it. What is resident is computed where it is, however little it is: to fetch it takes longer than
//! a launch, and what comes next would send it back. The calls themselves are measured, per instance and size class (of
//! what each element depends on, too): the first on the CPU, two on the GPU (of which the first also compiles the kernel).
//! All others run on the faster unit.
//! Nothing is ever computed twice. Devices are looked for when such calls have taken about as long as that takes: a program
//! that has little to compute ends before.

use super::{Context, select::Choice};
use crate::{
    observe,
    positions::{CPU, FIRST_DEVICE},
    recent::Recent,
    tune::{along_elems, beside_elems, whole_elems},
};
use skel_core::{
    Result,
    call::{Call, Operand},
    container::Buffer,
    frame::Partial,
    schedule::UnitIndex,
    unit::NodeId,
};
use skel_model::size_class;
use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

/// `Auto` never sends fewer elements from the host to a GPU: a launch costs more than they do. Those of lines and of
/// folded rows and columns count.
const FEW: usize = 4096;

/// The same of elements of containers that are read as a whole: so many are read at most, and often far fewer.
const FEW_READ: usize = 1 << 20;

/// What looking for devices takes, roughly.
const LOOKING: Duration = Duration::from_millis(100);

/// What the first calls took, by class.
#[derive(Default)]
pub(super) struct Experience {
    times: Mutex<Recent<CallClass, Times>>,
    /// What calls took on the CPU before devices were looked for.
    before_looking_ns: AtomicU64,
}

/// Calls of an instance with about as many elements, and about as many that each of them may depend on.
#[derive(Clone, PartialEq, Eq, Hash)]
struct CallClass {
    instance: String,
    elems: u32,
    beside: u32,
}

impl CallClass {
    fn of(call: &Call<'_>) -> CallClass {
        CallClass {
            instance: call.instance.to_owned(),
            elems: size_class(call.space.elems()),
            beside: size_class(beside_elems(call)),
        }
    }
}

/// Whether a call is certainly less work than a launch.
fn is_little(call: &Call<'_>) -> bool {
    let elems = call.space.elems();
    elems.saturating_mul(along_elems(call).max(1)) < FEW
        && elems.saturating_mul(whole_elems(call)) < FEW_READ
}

#[derive(Clone, Copy, Default)]
struct Times {
    on_cpu: Option<Duration>,
    /// Whether the call that compiles the kernel is over.
    warm: bool,
    on_gpu: Option<Duration>,
}

/// Runs a call where it is expected to be fastest.
pub(super) fn run(context: &Context, call: &mut Call<'_>) -> Result<Partial> {
    let is_little = is_little(call);
    let is_away = call
        .operands
        .iter()
        .filter_map(Operand::container)
        .any(Buffer::is_away);
    if call.space.elems() == 0 || is_little && !is_away {
        return context.run_on_host(CPU, call);
    }
    if is_away && let Some(gpu) = gpu(context, call, |gpu| resident(context, call, gpu)) {
        let key = CallClass::of(call);
        return on_gpu(context, call, gpu, key).map(|(total, _)| total);
    }
    if is_little {
        return context.run_on_host(CPU, call);
    }
    let auto = &context.inner.auto;
    if !context.inner.devices.are_known() && auto.is_before_looking() {
        let key = CallClass::of(call);
        return on_cpu(context, call, key);
    }
    let Some(gpu) = gpu(context, call, |_| true) else {
        return context.run_on_host(CPU, call);
    };
    let key = CallClass::of(call);
    match auto.get(&key) {
        Times { on_cpu: None, .. } => on_cpu(context, call, key),
        Times {
            on_gpu: Some(device),
            on_cpu: Some(cpu),
            ..
        } if device >= cpu => context.run_on_host(CPU, call),
        Times {
            on_gpu: Some(_), ..
        } => on_gpu(context, call, gpu, key).map(|(total, _)| total),
        Times { on_gpu: None, .. } => {
            // A device call may return before its work is done: wait for it, to compare like with like.
            let started = context.inner.clock.start();
            let (total, there) = observe::timed(|| on_gpu(context, call, gpu, key.clone()))?;
            if there {
                let time = context.inner.clock.elapsed(started);
                context.inner.auto.learn(key, false, time);
            }
            Ok(total)
        }
    }
}

/// Runs a call on the CPU, which is measured.
fn on_cpu(context: &Context, call: &mut Call<'_>, key: CallClass) -> Result<Partial> {
    let started = context.inner.clock.start();
    let total = context.run_on_host(CPU, call)?;
    let time = context.inner.clock.elapsed(started);
    context.inner.auto.learn(key, true, time);
    Ok(total)
}

/// Runs a call on the GPU; if that fails by the device's fault, and nothing is lost, it is run on the CPU,
/// now and from now on; only now, if the GPU has refused it: its `check` says until when. Says whether it was
/// the GPU.
fn on_gpu(
    context: &Context,
    call: &mut Call<'_>,
    gpu: UnitIndex,
    key: CallClass,
) -> Result<(Partial, bool)> {
    let choice = Choice {
        pieces: vec![(gpu, 0..call.space.elems())],
        by_name: false,
    };
    let outcome = context.run_on(&choice, call)?;
    let there = outcome.failed.is_empty();
    if outcome.broke {
        context.inner.auto.forbid(key);
    }
    Ok((outcome.total, there))
}

impl Experience {
    fn is_before_looking(&self) -> bool {
        let spent_ns = self.before_looking_ns.load(Ordering::Relaxed);
        u128::from(spent_ns) < LOOKING.as_nanos()
    }

    fn get(&self, key: &CallClass) -> Times {
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        times.get_mut(key).copied().unwrap_or_default()
    }

    /// The GPU failed: never again.
    fn forbid(&self, key: CallClass) {
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        let never = Times {
            on_cpu: Some(Duration::ZERO),
            warm: true,
            on_gpu: Some(Duration::MAX),
        };
        times.insert(key, never);
    }

    fn learn(&self, key: CallClass, on_cpu: bool, time: Duration) {
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        let mut known = times.get_mut(&key).copied().unwrap_or_default();
        if on_cpu {
            known.on_cpu = Some(time);
            let ns = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX / 2);
            self.before_looking_ns.fetch_add(ns, Ordering::Relaxed);
        } else if known.warm {
            known.on_gpu = Some(time);
        } else {
            known.warm = true;
        }
        times.insert(key, known);
    }
}

/// The first device that `Auto` may choose, that is wanted, and that can run the call.
fn gpu(
    context: &Context,
    call: &Call<'_>,
    is_wanted: impl Fn(UnitIndex) -> bool,
) -> Option<UnitIndex> {
    let devices = context.inner.devices.for_auto().into_iter();
    let mut units = devices.map(|device| FIRST_DEVICE + device);
    // `Auto` never fails for want of a GPU: one that cannot be opened is no candidate.
    units.find(|unit| {
        let can = |unit| context.unit(unit).is_ok_and(|it| it.check(call).is_ok());
        is_wanted(*unit) && can(*unit)
    })
}

/// Whether most of the containers' elements are valid on the device, and not on the host.
fn resident(context: &Context, call: &Call<'_>, unit: UnitIndex) -> bool {
    // What was not opened has nothing.
    let Some(device) = context.inner.devices.opened_at(unit - FIRST_DEVICE) else {
        return false;
    };
    let (mut there, mut all) = (0, 0);
    for buffer in call.operands.iter().filter_map(Operand::container) {
        let locations = buffer.locations();
        let valid = |wanted: NodeId| {
            let found = locations.iter().find(|(node, _)| *node == wanted);
            found.map_or(0, |(_, elems)| *elems)
        };
        // What has no elements yet has to be nowhere.
        if !locations.is_empty() {
            all += buffer.len();
        }
        if valid(NodeId::HOST) < buffer.len() {
            there += valid(device.node());
        }
    }
    2 * there > all
}
