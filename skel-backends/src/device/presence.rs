//! What a device's thread and callers share about an array.

use super::cover;
use skel_core::space::IntervalSet;
use std::{
    ops::Range,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

/// Whether an array may leave the device, and what has left.
///
/// A caller that binds the array pins it, under its container's lock, until the command that uses it is done.
/// The device's thread drops elements only while the array is not pinned, and notes here what it keeps. The
/// next thread that looks at the container's state takes that note, under the container's lock again. So no
/// command that is queued misses what was valid when it was queued, and the device's thread never waits for a
/// container.
#[derive(Debug, Default)]
pub(super) struct Presence {
    state: Mutex<State>,
    departures: Departures,
}

/// How often an array of a device has lost its memory, or was about to get other memory: one for all arrays. Arrays that
/// are looked at one after the other all had memory at one moment if this has not changed meanwhile.
#[derive(Clone, Debug, Default)]
pub(super) struct Departures(Arc<AtomicU64>);

impl Departures {
    pub(super) fn count(&self) -> u64 {
        self.0.load(Ordering::Acquire)
    }
}

#[derive(Debug, Default)]
struct State {
    pins: usize,
    /// The elements for which it has memory.
    resident: Option<Range<usize>>,
    /// Those for which it is to get some, by a command that is queued.
    promised: Option<Range<usize>>,
    kept: Option<IntervalSet>,
    /// No context keeps it: see [`Presence::release`].
    released: bool,
    /// What was overwritten elsewhere, and neither sent here nor written by a call on the device since.
    overwritten: IntervalSet,
}

impl Presence {
    /// Of an array of the device with these departures.
    pub(super) fn new(departures: &Departures) -> Self {
        Presence {
            state: Mutex::default(),
            departures: departures.clone(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A command will use the array.
    pub(super) fn pin(&self) {
        self.state().pins += 1;
    }

    /// It has.
    pub(super) fn unpin(&self) {
        self.state().pins -= 1;
    }

    /// Whether a command will use the array.
    pub(super) fn is_pinned(&self) -> bool {
        self.state().pins > 0
    }

    /// Whether the array has memory on the device for elements `needed`.
    pub(super) fn has(&self, needed: &Range<usize>) -> bool {
        let state = self.state();
        let resident = state.resident.as_ref();
        resident.is_some_and(|all| cover::contains(all, needed))
    }

    /// Whether commands that are queued from now on find memory for elements `needed`, if there is enough.
    pub(super) fn will_have(&self, needed: &Range<usize>) -> bool {
        let state = self.state();
        let promised = state.promised.as_ref();
        promised.is_some_and(|all| cover::contains(all, needed))
    }

    /// A command is queued by which the array gets memory for these elements.
    pub(super) fn promise(&self, elements: Range<usize>) {
        self.state().promised = Some(elements);
    }

    /// The array has got memory for these elements, or has none.
    pub(super) fn set_resident(&self, resident: Option<Range<usize>>) {
        let mut state = self.state();
        state.promised = None;
        state.resident = resident;
        if state.resident.is_none() {
            self.departures.0.fetch_add(1, Ordering::AcqRel);
        }
    }

    /// Unless a command will use the array: says that all elements but `kept` are gone, and that it did.
    pub(super) fn keep(&self, kept: &IntervalSet) -> bool {
        let mut state = self.state();
        if state.pins > 0 {
            return false;
        }
        state.kept = Some(kept.clone());
        true
    }

    /// Unless a command will use the array: says that all of it is gone for good, and that it did.
    pub(super) fn release(&self) -> bool {
        let released = self.keep(&IntervalSet::new());
        self.state().released = released;
        released
    }

    /// Whether all of it is gone for good.
    pub(super) fn is_released(&self) -> bool {
        self.state().released
    }

    /// Elements `r` were written elsewhere: from now on, the device's copies of them are not read.
    pub(super) fn overwrite(&self, r: &Range<usize>) {
        self.state().overwritten.insert(r.clone());
    }

    /// A command will write elements `r` on the device, or has sent them there.
    pub(super) fn claim(&self, r: &Range<usize>) {
        self.state().overwritten.remove(r.clone());
    }

    /// What was overwritten elsewhere after all commands that wrote it here. Unknown, and so empty, while the
    /// array has more than the caller's `own` pins.
    pub(super) fn overwritten(&self, own: usize) -> IntervalSet {
        let state = self.state();
        match state.pins <= own {
            true => state.overwritten.clone(),
            false => IntervalSet::new(),
        }
    }

    /// Whether the array has more than the caller's `own` pins, so that others count on its memory. Whoever looks
    /// for it from now on has to ask, until [`Presence::set_resident`].
    pub(super) fn close(&self, own: usize) -> bool {
        let mut state = self.state();
        state.resident = None;
        self.departures.0.fetch_add(1, Ordering::AcqRel);
        state.pins > own
    }

    /// What is left, if something has gone since this was last asked.
    pub(super) fn take_kept(&self) -> Option<IntervalSet> {
        self.state().kept.take()
    }
}
