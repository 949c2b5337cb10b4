//! What ran where: reports of calls, on request.

use crate::{
    finally::Finally,
    unit::{Traffic, Unit},
};
use skel_core::{Error, Result, schedule::UnitIndex};
use std::{
    cell::{Cell, RefCell},
    ops::Range,
    time::Duration,
};

/// One skeleton call.
#[derive(Clone, Debug)]
pub struct CallReport {
    /// The instance's name.
    pub instance: String,
    /// The number of elements.
    pub elems: usize,
    /// Which unit computed what, in the order of elements.
    pub parts: Vec<Part>,
    /// From the call to its return; devices are waited for while calls are observed.
    pub elapsed: Duration,
    /// What was moved between the host and devices.
    pub traffic: Traffic,
}

/// What one unit did in a call.
#[derive(Clone, Debug)]
pub struct Part {
    /// The unit's position in its context.
    pub unit_index: UnitIndex,
    /// The unit's real name.
    pub unit: String,
    /// The elements.
    pub range: Range<usize>,
    /// How long the unit was at work, transfers included.
    pub busy: Duration,
}

#[derive(Default)]
struct Observation {
    calls: Vec<CallReport>,
    parts: Vec<Part>,
}

/// What devices did in the calls of a thread.
#[derive(Default)]
struct DeviceParts {
    /// Whether one has done a part of any, or come to a trap in it.
    any: bool,
    /// Why one took no part that it could have had.
    refusal: Option<Error>,
}

thread_local! {
    static DEVICE_PARTS: RefCell<Option<DeviceParts>> = const { RefCell::new(None) };
    static AHEAD: Cell<bool> = const { Cell::new(false) };
    static MEASURED: RefCell<Option<Vec<Busy>>> = const { RefCell::new(None) };
    static ACTIVE: RefCell<Option<Observation>> = const { RefCell::new(None) };
}

/// Runs `body`, and reports the skeleton calls that this thread makes in it, in order.
///
/// Devices are waited for at the end of each observed call, so that its time is known; without being
/// observed, device calls return earlier.
///
/// ```
/// use skel::prelude::*;
///
/// let double = map!(|x: f32| 2.0 * x).on(Cpu);
/// let (y, calls) = skel::observe(|| double.run((&[1.0, 2.0],)));
/// assert_eq!(y?.len(), 2);
/// assert_eq!((calls[0].elems, calls[0].parts[0].range.clone()), (2, 0..2));
/// # skel::Result::Ok(())
/// ```
pub fn observe<R>(body: impl FnOnce() -> R) -> (R, Vec<CallReport>) {
    let mut before = ACTIVE.replace(Some(Observation::default()));
    let restore = Finally(move || ACTIVE.set(before.take()));
    let result = body();
    let calls = ACTIVE
        .take()
        .map_or_else(Vec::new, |observation| observation.calls);
    drop(restore);
    (result, calls)
}

/// Runs `body`. If devices refused calls that this thread made in it, and had no part in any other: why. Nothing is
/// waited for.
#[doc(hidden)]
pub fn refused_by_devices<R>(body: impl FnOnce() -> R) -> (R, Option<Error>) {
    DEVICE_PARTS.set(Some(DeviceParts::default()));
    let result = body();
    let parts = DEVICE_PARTS.take().unwrap_or_default();
    (result, parts.refusal.filter(|_| !parts.any))
}

/// A device cannot run a call, or has done a part of one.
pub(crate) fn device_part<R>(came_to: &Result<R>) {
    DEVICE_PARTS.with_borrow_mut(|parts| {
        let Some(parts) = parts else { return };
        match came_to {
            Ok(_) | Err(Error::Trap { .. }) => parts.any = true,
            Err(error) if error.is_of_device() => parts.refusal = Some(error.clone()),
            Err(_) => {}
        }
    });
}

/// How long a unit was at work on a piece.
#[derive(Clone, Debug)]
pub(crate) struct Busy {
    pub(crate) unit: UnitIndex,
    pub(crate) busy: Duration,
    /// See [`Running::until_carry`](crate::unit::Running::until_carry).
    pub(crate) until_carry: Option<Duration>,
}

/// Runs `body`, in which devices are waited for at the end of each call, and says how long each unit was at
/// work, in the order of elements. Enclosing measurements get this, too.
pub(crate) fn measured<R>(body: impl FnOnce() -> R) -> (R, Vec<Busy>) {
    let mut before = MEASURED.replace(Some(Vec::new()));
    let restore = Finally(move || MEASURED.set(before.take()));
    let result = body();
    let parts = MEASURED.take().unwrap_or_default();
    drop(restore);
    MEASURED.with_borrow_mut(|around| {
        if let Some(around) = around {
            around.extend(parts.iter().cloned());
        }
    });
    (result, parts)
}

/// Runs `body`, in which devices are waited for at the end of each call.
pub(crate) fn timed<R>(body: impl FnOnce() -> R) -> R {
    measured(body).0
}

/// Runs `body`, in which devices are waited for at the end of each call, while they go on with what other threads give
/// them. Calls are told of traps, too.
pub(crate) fn ahead<R>(body: impl FnOnce() -> R) -> R {
    let before = AHEAD.replace(true);
    let _restore = Finally(|| AHEAD.set(before));
    timed(body)
}

/// Whether this thread's calls wait for their devices so.
pub(crate) fn is_ahead() -> bool {
    AHEAD.get()
}

/// Runs `body`, hidden from observers of this thread.
pub(crate) fn unseen<R>(body: impl FnOnce() -> R) -> R {
    let (mut active, mut measured) = (ACTIVE.take(), MEASURED.take());
    let ahead = AHEAD.replace(false);
    let _restore = Finally(move || {
        ACTIVE.set(active.take());
        MEASURED.set(measured.take());
        AHEAD.set(ahead);
    });
    body()
}

/// Whether this thread's calls wait for their devices.
pub(crate) fn is_timed() -> bool {
    is_active() || MEASURED.with_borrow(Option::is_some)
}

/// Whether this thread's calls are being observed.
pub(crate) fn is_active() -> bool {
    ACTIVE.with_borrow(Option::is_some)
}

/// A unit has done a piece.
pub(crate) fn piece(unit: &dyn Unit, range: &Range<usize>, piece: Busy) {
    let (unit_index, busy) = (piece.unit, piece.busy);
    MEASURED.with_borrow_mut(|measured| {
        if let Some(parts) = measured {
            parts.push(piece);
        }
    });
    ACTIVE.with_borrow_mut(|active| {
        if let Some(observation) = active {
            // What a unit takes in several pieces is one part of the call.
            if let Some(before) = observation.parts.last_mut()
                && (before.unit_index, before.range.end) == (unit_index, range.start)
            {
                before.range.end = range.end;
                before.busy += busy;
                return;
            }
            let unit = unit.info().name.clone();
            observation.parts.push(Part {
                unit_index,
                unit,
                range: range.clone(),
                busy,
            });
        }
    });
}

/// A call has succeeded; its pieces were reported before.
pub(crate) fn call(instance: &str, elems: usize, elapsed: Duration, traffic: Traffic) {
    ACTIVE.with_borrow_mut(|active| {
        if let Some(observation) = active {
            let parts = std::mem::take(&mut observation.parts);
            let instance = instance.to_owned();
            observation.calls.push(CallReport {
                instance,
                elems,
                parts,
                elapsed,
                traffic,
            });
        }
    });
}
