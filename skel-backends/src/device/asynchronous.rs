//! Asynchronous work: no caller waits for it. If it fails, or is never done, the error is kept for the next
//! `sync()`.

use super::watch::Watch;
use crate::current_task::{self, ItemId};
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
pub(super) struct AsyncCommand {
    watch: Arc<Watch>,
    call: String,
    elements: Range<usize>,
    /// The item whose call it is.
    item: Option<ItemId>,
    reader: Option<ValueReader>,
    finished: bool,
}

/// Whether the reader of a value was told what went wrong with it. The reader has one, and the command that
/// makes the value has a clone.
#[derive(Clone, Debug, Default)]
pub(super) struct ValueReader(Arc<ReaderState>);

#[derive(Debug, Default)]
struct ReaderState {
    informed: AtomicBool,
    /// The command does not count as on its way any more.
    finished: AtomicBool,
}

impl ValueReader {
    /// The reader asked, and was told. If the device hangs, the command is not reported any more.
    pub(super) fn informed(&self, watch: &Watch) {
        self.0.informed.store(true, Ordering::Release);
        self.finish(watch);
    }

    /// The command is gone, or given up.
    fn finish(&self, watch: &Watch) {
        if !self.0.finished.swap(true, Ordering::AcqRel) {
            watch.async_ends();
        }
    }

    /// There is no other clone: the value will not be read.
    fn is_gone(&self) -> bool {
        Arc::strong_count(&self.0) == 1
    }
}

/// Something that went wrong with a call that had returned.
struct LateError {
    call: String,
    elements: Range<usize>,
    item: Option<ItemId>,
    /// None if its device was lost before.
    cause: Option<Error>,
    /// The reader that may be told first.
    reader: Option<ValueReader>,
}

impl LateError {
    fn is_known(&self) -> bool {
        let reader = self.reader.as_ref();
        reader.is_some_and(|reader| reader.0.informed.load(Ordering::Acquire))
    }

    /// Whether only `sync()` can still report it.
    fn is_final(&self) -> bool {
        !self.is_known() && self.reader.as_ref().is_none_or(ValueReader::is_gone)
    }
}

/// Errors that were not reported yet.
#[derive(Default)]
pub(super) struct UnreportedErrors {
    late: Vec<LateError>,
    /// How many there may be before those are dropped that will not be reported.
    look_at: usize,
}

/// Fewer are never checked.
const FEW: usize = 32;

impl UnreportedErrors {
    /// Keeps it. When their number has doubled since the last check, it drops those that were reported, and
    /// those behind the first that `sync()` will report. So there are at most twice as many as values that
    /// may still be read, and a few.
    fn note(&mut self, late: LateError) {
        if self.late.len() >= self.look_at {
            self.late.retain(|late| !late.is_known());
            if let Some(told) = self.late.iter().position(LateError::is_final) {
                self.late.truncate(told + 1);
            }
            self.look_at = (2 * self.late.len()).max(FEW);
        }
        self.late.push(late);
    }

    /// The first error of calls of an item; from now on, all of these are known.
    pub(super) fn take_of(&mut self, item: ItemId, lost: impl FnOnce() -> Error) -> Option<Error> {
        let all = mem::take(&mut self.late).into_iter();
        let (of_item, late) = all.partition(|late| late.item == Some(item));
        self.late = late;
        first_of(of_item, lost)
    }

    /// The first error; from now on, all of them are known. `lost` is that of the device.
    pub(super) fn take(&mut self, lost: impl FnOnce() -> Error) -> Option<Error> {
        first_of(mem::take(&mut self.late), lost)
    }
}

/// The first of these that is not known.
fn first_of(late: Vec<LateError>, lost: impl FnOnce() -> Error) -> Option<Error> {
    let mut all = late.into_iter();
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

impl AsyncCommand {
    pub(super) fn new(watch: &Arc<Watch>, call: &str, elements: &Range<usize>) -> Self {
        watch.async_begins();
        AsyncCommand {
            watch: Arc::clone(watch),
            call: call.to_owned(),
            elements: elements.clone(),
            item: current_task::item(),
            reader: None,
            finished: false,
        }
    }

    /// One that makes a single value, which a reader may ask for.
    pub(super) fn of_value(watch: &Arc<Watch>, call: &str, reader: &ValueReader) -> Self {
        let mut async_command = AsyncCommand::new(watch, call, &(0..1));
        async_command.reader = Some(reader.clone());
        async_command
    }

    /// The command was run.
    pub(super) fn finish<R>(mut self, result: &skel_core::Result<R>) {
        self.finished = true;
        if let Err(error) = result {
            self.report(Some(error.clone()));
        }
    }

    fn report(&mut self, cause: Option<Error>) {
        let late = LateError {
            call: mem::take(&mut self.call),
            elements: self.elements.clone(),
            item: self.item,
            cause,
            reader: self.reader.clone(),
        };
        self.watch.unreported().note(late);
    }
}

impl Drop for AsyncCommand {
    fn drop(&mut self) {
        if !self.finished {
            self.report(None);
        }
        match &self.reader {
            Some(reader) => reader.finish(&self.watch),
            None => self.watch.async_ends(),
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;

    fn late(call: &str, reader: Option<&ValueReader>) -> LateError {
        LateError {
            call: call.into(),
            elements: 0..1,
            item: None,
            cause: None,
            reader: reader.cloned(),
        }
    }

    fn told(unreported: &mut UnreportedErrors) -> Option<String> {
        let lost = || Error::DeviceLost {
            device: "test".into(),
            reason: "it is gone".into(),
        };
        match unreported.take(lost) {
            Some(Error::Late { call, .. }) => Some(call),
            other => other.map(|error| panic!("{error}")),
        }
    }

    #[test]
    fn what_its_asker_knows_is_not_told_and_what_came_later_is() {
        let (first, second, mut unreported) = (
            ValueReader::default(),
            ValueReader::default(),
            UnreportedErrors::default(),
        );
        unreported.note(late("first", Some(&first)));
        unreported.note(late("second", Some(&second)));
        unreported.note(late("without a reader", None));
        let watch = Watch::new("test");
        first.informed(&watch);
        second.informed(&watch);
        assert_eq!(told(&mut unreported).as_deref(), Some("without a reader"));
        assert_eq!(told(&mut unreported), None);
    }

    #[test]
    fn no_more_is_kept_than_may_be_told() {
        let (reader, mut unreported) = (ValueReader::default(), UnreportedErrors::default());
        unreported.note(late("asked for", Some(&reader)));
        for _ in 0..100 * FEW {
            // This one will not be read.
            unreported.note(late("dropped", Some(&ValueReader::default())));
            assert!(unreported.late.len() <= FEW);
        }
        reader.informed(&Watch::new("test"));
        assert_eq!(told(&mut unreported).as_deref(), Some("dropped"));
    }
}
