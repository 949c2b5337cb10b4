//! `Auto`: where a call runs by default.
//!
//! A call runs on the CPU, unless there is a real GPU and either the data is resident there, or calls are faster on it. What
//! is resident is computed where it is, however little it is: to fetch it takes longer than a launch, and what comes next
//! would send it back. Which is faster is measured on the calls themselves, for each instance and size class (of what each
//! element depends on, too), by the policy [`Fastest`]: two calls on the CPU, two on the GPU, of which the first compiles the
//! kernel, and the slower one again from time to time. Nothing is ever computed twice. Devices are looked for when such calls
//! have taken about as long as that takes: a program that has little to compute ends before.

use super::{Context, call_class::CallClass, select::Choice};
use crate::{
    observe,
    positions::{CPU, FIRST_DEVICE},
    recent::Recent,
    tune::{along_elems, whole_elems},
};
use skel_core::{
    Result,
    call::{Call, Operand},
    container::Buffer,
    frame::Partial,
    schedule::UnitIndex,
    unit::NodeId,
};
use skel_model::policy::{Fastest, Policy, Took};
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

/// What calls took, by class.
#[derive(Default)]
pub(super) struct Experience {
    classes: Mutex<Recent<CallClass, Known>>,
    /// What calls took on the CPU before devices were looked for.
    before_looking_ns: AtomicU64,
}

/// What is known of the calls of one class.
struct Known {
    /// Which of the units of [`ON_CPU`] and [`ON_GPU`] is faster.
    fastest: Fastest,
    /// Whether the GPU has failed: never again.
    is_broken: bool,
}

/// The positions of the two units in the policy.
const ON_CPU: usize = 0;
const ON_GPU: usize = 1;

/// Whether a call is certainly less work than a launch.
fn is_little(call: &Call<'_>) -> bool {
    let elems = call.space.elems();
    elems.saturating_mul(along_elems(call).max(1)) < FEW
        && elems.saturating_mul(whole_elems(call)) < FEW_READ
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
        let class = CallClass::of(call);
        return on_gpu(context, call, gpu, class).map(|(total, _)| total);
    }
    if is_little {
        return context.run_on_host(CPU, call);
    }
    let auto = &context.inner.auto;
    if !context.inner.devices.are_known() && auto.is_before_looking() {
        return on_cpu(context, call, CallClass::of(call));
    }
    let Some(gpu) = gpu(context, call, |_| true) else {
        return context.run_on_host(CPU, call);
    };
    let class = CallClass::of(call);
    match auto.next(class) {
        (ON_CPU, _) => on_cpu(context, call, class),
        (_, true) => {
            // A device call may return before its work is done: wait for it, to compare like with like.
            let started = context.inner.clock.start();
            let (total, there) = observe::timed(|| on_gpu(context, call, gpu, class))?;
            if there {
                let time = context.inner.clock.elapsed(started);
                auto.learn(class, ON_GPU, call.space.elems(), time);
            }
            Ok(total)
        }
        (_, false) => on_gpu(context, call, gpu, class).map(|(total, _)| total),
    }
}

/// Runs a call on the CPU, which is measured.
fn on_cpu(context: &Context, call: &mut Call<'_>, class: CallClass) -> Result<Partial> {
    let started = context.inner.clock.start();
    let total = context.run_on_host(CPU, call)?;
    let time = context.inner.clock.elapsed(started);
    let auto = &context.inner.auto;
    auto.learn(class, ON_CPU, call.space.elems(), time);
    Ok(total)
}

/// Runs a call on the GPU; if that fails by the device's fault, and nothing is lost, it is run on the CPU,
/// now and from now on; only now, if the GPU has refused it: its `check` says until when. Says whether it was
/// the GPU.
fn on_gpu(
    context: &Context,
    call: &mut Call<'_>,
    gpu: UnitIndex,
    class: CallClass,
) -> Result<(Partial, bool)> {
    let choice = Choice {
        pieces: vec![(gpu, 0..call.space.elems())],
        by_name: false,
    };
    let outcome = context.run_on(&choice, call)?;
    let there = outcome.failed.is_empty();
    if outcome.broke {
        context.inner.auto.forbid(class);
    }
    Ok((outcome.total, there))
}

impl Experience {
    fn is_before_looking(&self) -> bool {
        let spent_ns = self.before_looking_ns.load(Ordering::Relaxed);
        u128::from(spent_ns) < LOOKING.as_nanos()
    }

    /// What `of` makes of what is known of the class.
    fn known<R>(&self, class: CallClass, of: impl FnOnce(&mut Known) -> R) -> R {
        let mut classes = self.classes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = classes.get_mut(&class) {
            return of(known);
        }
        let mut known = Known {
            fastest: Fastest::new(2),
            is_broken: false,
        };
        let result = of(&mut known);
        classes.insert(class, known);
        result
    }

    /// The unit of the next call, and whether it is to be known how long that takes.
    fn next(&self, class: CallClass) -> (usize, bool) {
        self.known(class, |known| {
            if known.is_broken {
                return (ON_CPU, true);
            }
            let is_timed = known.fastest.is_comparing();
            let next = known.fastest.begin();
            if next == ON_GPU && !is_timed {
                known.fastest.observe(&[]);
            }
            (next, is_timed)
        })
    }

    /// The GPU failed: never again.
    fn forbid(&self, class: CallClass) {
        self.known(class, |known| known.is_broken = true);
    }

    fn learn(&self, class: CallClass, ran: usize, elems: usize, time: Duration) {
        let took = [ON_CPU, ON_GPU].map(|unit| Took {
            unit,
            elems: if unit == ran { elems } else { 0 },
            busy_ns: if unit == ran {
                time.as_nanos() as f64
            } else {
                0.0
            },
        });
        self.known(class, |known| known.fastest.observe(&took));
        if ran == ON_CPU {
            let ns = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX / 2);
            self.before_looking_ns.fetch_add(ns, Ordering::Relaxed);
        }
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
