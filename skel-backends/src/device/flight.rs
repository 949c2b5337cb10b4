//! Asynchronous work: no caller waits for it. If it fails, or is never done, the error is kept for the next
//! `sync()`.

use super::watch::Watch;
use skel_core::Error;
use std::{
    mem,
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// A command on its way, for a call that has returned.
pub(super) struct Flight {
    watch: Arc<Watch>,
    call: String,
    elements: Range<usize>,
    asker: Option<Asker>,
    landed: bool,
}

/// Whether the reader of a value was told what went wrong with it. The reader has one, and the command that
/// makes the value has a clone.
#[derive(Clone, Debug, Default)]
pub(super) struct Asker(Arc<Asked>);

#[derive(Debug, Default)]
struct Asked {
    knows: AtomicBool,
    /// The command does not count as on its way any more.
    landed: AtomicBool,
}

impl Asker {
    /// The reader asked, and was told. If the device hangs, the command is not reported any more.
    pub(super) fn knows(&self, watch: &Watch) {
        self.0.knows.store(true, Ordering::Release);
        self.land(watch);
    }

    /// The command is gone, or given up.
    fn land(&self, watch: &Watch) {
        if !self.0.landed.swap(true, Ordering::AcqRel) {
            watch.lands();
        }
    }

    /// There is no other clone: the value will not be read.
    fn is_gone(&self) -> bool {
        Arc::strong_count(&self.0) == 1
    }
}

/// Something that went wrong with a call that had returned.
struct Late {
    call: String,
    elements: Range<usize>,
    /// None if its device was lost before.
    cause: Option<Error>,
    /// The reader that may be told first.
    asker: Option<Asker>,
}

impl Late {
    fn is_known(&self) -> bool {
        let asker = self.asker.as_ref();
        asker.is_some_and(|asker| asker.0.knows.load(Ordering::Acquire))
    }

    /// Whether only `sync()` can still report it.
    fn is_final(&self) -> bool {
        !self.is_known() && self.asker.as_ref().is_none_or(Asker::is_gone)
    }
}

/// Errors that were not reported yet.
#[derive(Default)]
pub(super) struct Unheard {
    late: Vec<Late>,
    /// How many there may be before those are dropped that will not be reported.
    look_at: usize,
}

/// Fewer are never checked.
const FEW: usize = 32;

impl Unheard {
    /// Keeps it. When their number has doubled since the last check, it drops those that were reported, and
    /// those behind the first that `sync()` will report. So there are at most twice as many as values that
    /// may still be read, and a few.
    fn note(&mut self, late: Late) {
        if self.late.len() >= self.look_at {
            self.late.retain(|late| !late.is_known());
            if let Some(told) = self.late.iter().position(Late::is_final) {
                self.late.truncate(told + 1);
            }
            self.look_at = (2 * self.late.len()).max(FEW);
        }
        self.late.push(late);
    }

    /// The first error; from now on, all of them are known. `lost` is that of the device.
    pub(super) fn take(&mut self, lost: impl FnOnce() -> Error) -> Option<Error> {
        let mut all = mem::take(&mut self.late).into_iter();
        let first = all.find(|late| !late.is_known())?;
        let error = first.cause.unwrap_or_else(lost);
        // Traps name their place themselves; other errors get the call's name.
        Some(match error.is_of_device() {
            false => error,
            true => Error::Late {
                call: first.call,
                elements: first.elements,
                cause: error.into(),
            },
        })
    }
}

impl Flight {
    pub(super) fn new(watch: &Arc<Watch>, call: &str, elements: &Range<usize>) -> Self {
        watch.flies();
        Flight {
            watch: Arc::clone(watch),
            call: call.to_owned(),
            elements: elements.clone(),
            asker: None,
            landed: false,
        }
    }

    /// One that makes a single value, which a reader may ask for.
    pub(super) fn of_value(watch: &Arc<Watch>, call: &str, asker: &Asker) -> Self {
        let mut flight = Flight::new(watch, call, &(0..1));
        flight.asker = Some(asker.clone());
        flight
    }

    /// The command was run.
    pub(super) fn land<R>(mut self, result: &skel_core::Result<R>) {
        self.landed = true;
        if let Err(error) = result {
            self.tell(Some(error.clone()));
        }
    }

    fn tell(&mut self, cause: Option<Error>) {
        let late = Late {
            call: mem::take(&mut self.call),
            elements: self.elements.clone(),
            cause,
            asker: self.asker.clone(),
        };
        self.watch.unheard().note(late);
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        if !self.landed {
            self.tell(None);
        }
        match &self.asker {
            Some(asker) => asker.land(&self.watch),
            None => self.watch.lands(),
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;

    fn late(call: &str, asker: Option<&Asker>) -> Late {
        Late {
            call: call.into(),
            elements: 0..1,
            cause: None,
            asker: asker.cloned(),
        }
    }

    fn told(unheard: &mut Unheard) -> Option<String> {
        let lost = || Error::DeviceLost {
            device: "test".into(),
            reason: "it is gone".into(),
        };
        match unheard.take(lost) {
            Some(Error::Late { call, .. }) => Some(call),
            other => other.map(|error| panic!("{error}")),
        }
    }

    #[test]
    fn what_its_asker_knows_is_not_told_and_what_came_later_is() {
        let (first, second, mut unheard) = (Asker::default(), Asker::default(), Unheard::default());
        unheard.note(late("first", Some(&first)));
        unheard.note(late("second", Some(&second)));
        unheard.note(late("without a reader", None));
        let watch = Watch::new("test");
        first.knows(&watch);
        second.knows(&watch);
        assert_eq!(told(&mut unheard).as_deref(), Some("without a reader"));
        assert_eq!(told(&mut unheard), None);
    }

    #[test]
    fn no_more_is_kept_than_may_be_told() {
        let (asker, mut unheard) = (Asker::default(), Unheard::default());
        unheard.note(late("asked for", Some(&asker)));
        for _ in 0..100 * FEW {
            // This one will not be read.
            unheard.note(late("dropped", Some(&Asker::default())));
            assert!(unheard.late.len() <= FEW);
        }
        asker.knows(&Watch::new("test"));
        assert_eq!(told(&mut unheard).as_deref(), Some("dropped"));
    }
}
