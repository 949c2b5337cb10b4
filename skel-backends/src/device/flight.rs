//! Work that nobody waits for: if it fails, or is never done, that is kept for whoever waits for the device.

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

/// Whether the one who may ask for a value was told what went wrong with it. He has one, and the command that
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
    /// He asked, and knows. If the device hangs, its command is nobody's concern.
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

    /// Nobody else has it: nobody will ask.
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
    /// Who may be told first.
    asker: Option<Asker>,
}

impl Late {
    fn is_known(&self) -> bool {
        let asker = self.asker.as_ref();
        asker.is_some_and(|asker| asker.0.knows.load(Ordering::Acquire))
    }

    /// Whether it will be told by who waits for the device, if by anyone.
    fn is_final(&self) -> bool {
        !self.is_known() && self.asker.as_ref().is_none_or(Asker::is_gone)
    }
}

/// What nobody was told of yet.
#[derive(Default)]
pub(super) struct Unheard(Vec<Late>);

impl Unheard {
    /// Keeps it, unless there is something that will be told before it. So there are no more than values that
    /// may still be asked for, and one.
    fn note(&mut self, late: Late) {
        self.0.retain(|late| !late.is_known());
        if !self.0.iter().any(Late::is_final) {
            self.0.push(late);
        }
    }

    /// The first error; from now on, all of them are known. `lost` is that of the device.
    pub(super) fn take(&mut self, lost: impl FnOnce() -> Error) -> Option<Error> {
        let mut all = mem::take(&mut self.0).into_iter();
        let first = all.find(|late| !late.is_known())?;
        let error = first.cause.unwrap_or_else(lost);
        // Traps say where they are themselves; others say whose they are.
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

    /// One that makes a single value, which someone may ask for.
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
        unheard.note(late("nobody's", None));
        let watch = Watch::new("test");
        first.knows(&watch);
        second.knows(&watch);
        assert_eq!(told(&mut unheard).as_deref(), Some("nobody's"));
        assert_eq!(told(&mut unheard), None);
    }

    #[test]
    fn no_more_is_kept_than_may_be_told() {
        let (asker, mut unheard) = (Asker::default(), Unheard::default());
        unheard.note(late("asked for", Some(&asker)));
        for _ in 0..100 {
            // Nobody will ask for this one.
            unheard.note(late("dropped", Some(&Asker::default())));
        }
        assert_eq!(unheard.0.len(), 2);
        asker.knows(&Watch::new("test"));
        assert_eq!(told(&mut unheard).as_deref(), Some("dropped"));
    }
}
