//! Lending: a call writes a buffer, part by part.
#![allow(unsafe_code, reason = "lends each element of the host memory once")]

mod scatter;

use self::scatter::Scattered;
use super::{Buffer, grant::Exclusive, reclaim::PromisedWrite};
use crate::{
    Cause, Result,
    frame::{View, ViewMut, ViewOut},
    space::IntervalSet,
    sync::AtomicBool,
    unit::NodeId,
};
use std::{ops::Range, sync::atomic::Ordering};

/// A buffer that one call writes, part by part: each element can be lent once.
pub struct BufferMut<'e> {
    buffer: &'e mut Buffer,
    /// The elements that the call is about.
    window: Range<usize>,
    progress: Progress,
}

/// The loans of a call from a buffer. The most frequent case, one loan of all elements to the host, needs no
/// memory.
enum Progress {
    Untouched,
    /// The whole window was lent on the host at once. If the flag says so, the host memory had it then.
    Lent {
        intact: bool,
    },
    Several(Box<Loans>),
}

/// What was done with which elements.
#[derive(Default)]
pub(super) struct Loans {
    pub(super) lent: IntervalSet,
    /// What was lent one by one.
    scattered: Option<Scattered>,
    /// Whether anything has changed: lent, or written elsewhere.
    touched: bool,
    /// What devices have taken to write.
    pub(super) taken: Vec<PromisedWrite>,
    /// What was lent, or taken by a device, while the host memory had it. If the host memory was not written
    /// since, it still has.
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
            progress: Progress::Untouched,
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

    pub(super) fn state(&mut self) -> Exclusive<'_> {
        self.buffer.exclusive().0
    }

    /// The loans one by one, which the progress is from now on.
    pub(super) fn loans(&mut self) -> &mut Loans {
        let loans = match self.progress {
            Progress::Several(_) => None,
            Progress::Untouched => Some(Loans::default()),
            Progress::Lent { intact } => {
                let window = IntervalSet::of(self.window.clone());
                Some(Loans {
                    lent: window.clone(),
                    touched: !window.is_empty(),
                    intact: if intact { window } else { IntervalSet::new() },
                    ..Loans::default()
                })
            }
        };
        if let Some(loans) = loans {
            self.progress = Progress::Several(Box::new(loans));
        }
        match &mut self.progress {
            Progress::Several(loans) => loans,
            Progress::Untouched | Progress::Lent { .. } => {
                unreachable!("made to be several above")
            }
        }
    }

    /// What devices have taken to write.
    pub(super) fn taken(&self) -> &[PromisedWrite] {
        match &self.progress {
            Progress::Several(loans) => &loans.taken,
            Progress::Untouched | Progress::Lent { .. } => &[],
        }
    }

    /// Elements `r` are within the window, and were not lent before.
    fn assert_free(&self, r: &Range<usize>) {
        assert!(
            self.window.start <= r.start && r.end <= self.window.end || r.is_empty(),
            "elements {r:?} of {:?}",
            self.window
        );
        assert!(r.start <= r.end, "elements {r:?}");
        self.buffer.assert_may_write(r);
        let free = match &self.progress {
            Progress::Untouched => true,
            Progress::Lent { .. } => r.is_empty(),
            Progress::Several(loans) => loans.lent.is_disjoint(r),
        };
        assert!(free, "elements {r:?} were lent before");
    }

    fn lend(&mut self, r: &Range<usize>, intact: bool) {
        self.assert_free(r);
        if r.is_empty() {
            return;
        }
        if matches!(self.progress, Progress::Untouched) && *r == self.window {
            self.progress = Progress::Lent { intact };
            return;
        }
        let loans = self.loans();
        loans.lent.insert(r.clone());
        if intact {
            loans.intact.insert(r.clone());
        }
    }

    /// Host elements `r`, to be written. They are valid nowhere until [`BufferMut::wrote`].
    ///
    /// # Panics
    /// If some of them were lent before, or `r` exceeds the length.
    pub fn lend_out(&mut self, r: Range<usize>) -> ViewOut<'e> {
        self.lend(&r, false);
        self.invalidate(r.clone());
        // SAFETY: we have the buffer for `'e`, and lend each element once. Elements that are not valid are
        // never read.
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
        // Nothing may be downloaded to what is lent.
        self.assert_free(&r);
        self.buffer.host_view(r.clone())?;
        self.lend(&r, true);
        self.invalidate(r.clone());
        // SAFETY: we have the buffer for `'e`, and lend each element once. They are initialised, since they
        // were valid just before.
        Ok(unsafe { self.buffer.out(r).assume_init() })
    }

    /// Elements `r` are now valid on `node`, and nowhere else.
    ///
    /// # Safety
    /// The host has written all of `r`, which it was lent; or a kernel that writes all of `r`, or an upload of it, is queued
    /// on `node` or about to be, in whose [`Remote`](super::Remote) a download of elements that were not written fails.
    pub unsafe fn wrote(&mut self, node: NodeId, r: Range<usize>) {
        if node != NodeId::HOST {
            self.take_note(node, &r);
        }
        self.buffer.assert_may_write(&r);
        self.touch();
        let (mut state, complete) = self.buffer.exclusive();
        state.write(node, r);
        tell_whether_complete(&state, complete);
    }

    /// Copies elements to their places on the host; they are valid nowhere else then.
    ///
    /// # Panics
    /// As [`BufferMut::lend_out`]; if they are of another type.
    pub(super) fn copy_from(&mut self, elements: View<'_>) {
        let r = elements.window();
        self.lend_out(r.clone()).copy_from(elements);
        // SAFETY: the host was lent all of `r`, and `copy_from` has written all of what it was given.
        unsafe { self.wrote(NodeId::HOST, r) };
    }

    pub(super) fn update_complete(&mut self) {
        let (state, complete) = self.buffer.exclusive();
        tell_whether_complete(&state, complete);
    }

    /// Something has changed.
    fn touch(&mut self) {
        match &mut self.progress {
            Progress::Several(loans) => loans.touched = true,
            Progress::Lent { .. } => {}
            Progress::Untouched => self.loans().touched = true,
        }
    }

    /// What was reclaimed is what it was. If that is all, it is as if the call had not begun.
    pub(super) fn has_been_given_back(&mut self) {
        let loans = self.loans();
        let nothing_left = loans.taken.is_empty() && loans.lent.is_empty();
        loans.touched &= !nothing_left || loans.scattered.is_some();
    }

    fn invalidate(&mut self, r: Range<usize>) {
        if !r.is_empty() {
            self.touch();
            let (mut state, complete) = self.buffer.exclusive();
            state.invalidate(r);
            complete.store(false, Ordering::Relaxed);
        }
    }

    /// The call that should have written the buffer failed: if it had begun, nothing in it is valid
    /// any more, and reading it gives the cause.
    pub fn poison(&mut self, cause: &Cause) {
        let touched = match &self.progress {
            Progress::Untouched => false,
            Progress::Lent { .. } => true,
            Progress::Several(loans) => loans.touched,
        };
        if touched {
            for r in self.buffer.writable(self.window.clone()) {
                self.state().causes.note(&r, cause.clone());
                self.invalidate(r);
            }
        }
    }
}

/// Notes whether all is valid on the host. Of a buffer that is one of several for the same elements, others look meanwhile:
/// so it is done while the state is locked, and with all that they have brought.
#[inline]
fn tell_whether_complete(state: &Exclusive<'_>, complete: &AtomicBool) {
    complete.store(state.coherence.host_is_complete(), Ordering::Release);
}
