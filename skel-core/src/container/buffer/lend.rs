//! Writing a buffer, part by part.
#![allow(unsafe_code, reason = "lends each element of the host memory once")]

mod scatter;

use self::scatter::Scattered;
use super::{Buffer, State, reclaim::Taken};
use crate::{
    Cause, Result,
    container::IntervalSet,
    frame::{ViewMut, ViewOut},
    unit::NodeId,
};
use std::{
    ops::Range,
    sync::{PoisonError, atomic::Ordering},
};

/// A buffer that one call writes, part by part: each element can be lent once.
pub struct BufferMut<'e> {
    buffer: &'e mut Buffer,
    /// The elements that the call is about.
    window: Range<usize>,
    pub(super) lent: IntervalSet,
    /// What was lent one by one.
    scattered: Option<Scattered>,
    /// Whether anything has changed: lent, or written elsewhere.
    touched: bool,
    /// What devices have taken to write.
    pub(super) taken: Vec<Taken>,
    /// What was lent, or taken by a device, while the host memory had it. If nobody has written the host
    /// memory since, it still has.
    pub(super) intact: IntervalSet,
}

impl<'e> BufferMut<'e> {
    pub(crate) fn new(buffer: &'e mut Buffer) -> Self {
        let window = 0..buffer.len;
        Self::part(buffer, window)
    }

    /// Elements `window` of a buffer; the others stay as they are.
    pub(crate) fn part(buffer: &'e mut Buffer, window: Range<usize>) -> Self {
        assert!(
            window.start <= window.end && window.end <= buffer.len,
            "elements {window:?} of {}",
            buffer.len
        );
        BufferMut {
            buffer,
            window,
            lent: IntervalSet::new(),
            scattered: None,
            touched: false,
            taken: Vec::new(),
            intact: IntervalSet::new(),
        }
    }

    /// The buffer, for everything that shared access can do.
    #[must_use]
    pub fn buffer(&self) -> &Buffer {
        self.buffer
    }

    /// The elements that the call is about; its first element is the first of them.
    #[must_use]
    pub fn window(&self) -> Range<usize> {
        self.window.clone()
    }

    /// The elements `r` of the call, as the buffer counts them.
    #[must_use]
    pub fn places(&self, r: &Range<usize>) -> Range<usize> {
        self.window.start + r.start..self.window.start + r.end
    }

    pub(super) fn state(&mut self) -> &mut State {
        self.buffer
            .state
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn lend(&mut self, r: &Range<usize>) {
        assert!(
            self.window.start <= r.start && r.end <= self.window.end || r.is_empty(),
            "elements {r:?} of {:?}",
            self.window
        );
        if !r.is_empty() {
            assert!(
                self.lent.missing(r.clone()) == [r.clone()],
                "elements {r:?} were lent before"
            );
            self.lent.insert(r.clone());
        }
    }

    /// Host elements `r`, to be written. They are valid nowhere until [`BufferMut::wrote`].
    ///
    /// # Panics
    /// If some of them were lent before, or `r` exceeds the length.
    pub fn lend_out(&mut self, r: Range<usize>) -> ViewOut<'e> {
        self.lend(&r);
        self.invalidate(r.clone());
        // SAFETY: we have the buffer for `'e`, and lend each element once. Nobody reads elements
        // that are not valid.
        unsafe { self.buffer.out(r) }
    }

    /// Host elements `r`, to be read and written. They are valid nowhere until [`BufferMut::wrote`].
    ///
    /// # Errors
    /// Those of downloading them.
    ///
    /// # Panics
    /// As [`BufferMut::lend_out`].
    pub fn lend_mut(&mut self, r: Range<usize>) -> Result<ViewMut<'e>> {
        self.lend(&r);
        self.buffer.host_view(r.clone())?;
        self.intact.insert(r.clone());
        self.invalidate(r.clone());
        // SAFETY: as in `lend_out`; initialised, since they were valid just before.
        Ok(unsafe { self.buffer.out(r).assume_init() })
    }

    /// Elements `r` are now valid on `node`, and nowhere else.
    ///
    /// # Safety
    /// The host has written all of `r`, which it was lent; or a kernel that writes all of `r` is about
    /// to be queued on `node`, in whose [`Remote`](super::Remote) a download of elements that were not written fails.
    pub unsafe fn wrote(&mut self, node: NodeId, r: Range<usize>) {
        self.touched = true;
        if node != NodeId::HOST {
            self.take_note(node, &r);
        }
        self.state().write(node, r);
        self.update_complete();
    }

    pub(super) fn update_complete(&mut self) {
        let complete = self.state().coherence.host_is_complete();
        // `&mut self`: nobody looks meanwhile.
        self.buffer.complete.store(complete, Ordering::Relaxed);
    }

    /// What was reclaimed is what it was. If that is all, it is as if nobody had begun.
    pub(super) fn has_been_given_back(&mut self) {
        let nothing_left = self.taken.is_empty() && self.lent.is_empty();
        self.touched &= !nothing_left || self.scattered.is_some();
    }

    fn invalidate(&mut self, r: Range<usize>) {
        if !r.is_empty() {
            self.touched = true;
            self.state().invalidate(r);
            self.buffer.complete.store(false, Ordering::Relaxed);
        }
    }

    /// The call that should have written the buffer failed: if it had begun, nothing in it is valid
    /// any more, and reading it gives the cause.
    pub fn poison(&mut self, cause: &Cause) {
        if !self.touched {
            return;
        }
        self.invalidate(self.window.clone());
        self.state().cause = Some(cause.clone());
    }
}
