//! Lines of containers, one after the other: the memory of line parameters.
#![allow(
    unsafe_code,
    reason = "lines lie between each other's elements, so no slice is theirs alone"
)]

mod access;
mod gather;
mod runs;

pub use access::LinesAccess;

use super::{ElementLayout, ErasedArray, View, ViewMut};
use crate::{Element, Result, space::Lines};
use gather::Gathered;
use runs::Runs;
use std::ops::Range;

/// Lines to read: those in `range`, of the container that `view` shows.
#[derive(Debug)]
pub struct LinesView<'m> {
    view: View<'m>,
    lines: Lines,
    range: Range<usize>,
    gathered: Option<Gathered>,
}

/// Lines to read and write. Invariant: the elements of the lines in `range` are initialised, within the window, and
/// nothing else reads or writes them during `'m`; nor does this read or write any others.
#[derive(Debug)]
pub struct LinesMut<'m> {
    all: ViewMut<'m>,
    lines: Lines,
    range: Range<usize>,
    gathered: Option<Gathered>,
    /// Brings back what is open of the gathered ones.
    flush: Option<fn(&mut LinesMut<'_>)>,
}

impl<'m> LinesView<'m> {
    /// The lines in `range` of what `view` shows.
    ///
    /// # Panics
    /// If it does not show all of them.
    #[must_use]
    pub fn new(view: View<'m>, lines: Lines, range: Range<usize>) -> Self {
        assert_shown(&view.window(), lines, &range);
        LinesView {
            view,
            lines,
            range,
            gathered: None,
        }
    }

    /// The same lines, to be opened by another thread.
    #[must_use]
    pub fn again(&self) -> Self {
        Self::new(self.view, self.lines, self.range.clone())
    }

    /// From now on, lines are opened on a copy where that pays if most of their elements are used.
    pub(super) fn gather(&mut self) {
        Gathered::begin(&mut self.gathered, self.lines, self.view.layout());
    }

    /// How many lines can be opened at once, if there is a limit.
    #[must_use]
    pub(crate) fn most_lines(&self) -> Option<usize> {
        self.gathered.as_ref().map(Gathered::most)
    }

    /// Lines `r`, opened.
    ///
    /// # Panics
    /// If the elements are not `T`, or some of the lines are not here.
    #[must_use]
    pub fn open<T: Element>(&mut self, r: Range<usize>) -> LinesAccess<'_, T, false> {
        assert_within(&self.range, &r);
        if let Some(gathered) = &mut self.gathered {
            let (view, how) = (self.view, (self.lines, self.view.layout()));
            return gathered.open(how, r, |places| view.slice(places));
        }
        let hull = self.lines.hull(&r);
        let slice = self.view.slice::<T>(hull.clone());
        // SAFETY: the slice has all elements of the hull. Nothing is written through it: what is lent of it is a `&Line`.
        unsafe { LinesAccess::new(slice.as_ptr().cast_mut(), hull.start, self.lines, r) }
    }

    /// Element `i` of line `line`.
    ///
    /// # Panics
    /// If the elements are not `T`, or there is no such element here.
    #[must_use]
    pub fn element<T: Element>(&self, line: usize, i: usize) -> T {
        assert_within(&self.range, &(line..line + 1));
        assert!(i < self.lines.len(), "element {i} of {}", self.lines.len());
        let at = self.lines.element(line, i);
        self.view.slice::<T>(at..at + 1)[0]
    }

    /// How the lines lie.
    #[must_use]
    pub fn lines(&self) -> Lines {
        self.lines
    }
}

impl<'m> LinesMut<'m> {
    /// All lines in `range` of what `all` shows; nothing else of it is touched.
    ///
    /// # Panics
    /// If it does not show all of them.
    #[must_use]
    pub fn new(all: ViewMut<'m>, lines: Lines, range: Range<usize>) -> Self {
        assert_shown(&all.window(), lines, &range);
        LinesMut {
            all,
            lines,
            range,
            gathered: None,
            flush: None,
        }
    }

    /// As [`LinesView::gather`].
    pub(super) fn gather(&mut self) {
        Gathered::begin(&mut self.gathered, self.lines, self.all.layout());
    }

    /// How many lines can be opened at once, if there is a limit.
    #[must_use]
    pub(crate) fn most_lines(&self) -> Option<usize> {
        self.gathered.as_ref().map(Gathered::most)
    }

    /// Brings what is open to its places.
    fn flush(&mut self) {
        if let Some(flush) = self.flush.take() {
            flush(self);
        }
    }

    /// Takes the lines before `mid`: what is left begins there.
    ///
    /// # Panics
    /// If `mid` is not within its range.
    #[must_use]
    pub fn take_front(&mut self, mid: usize) -> Self {
        self.flush();
        let Range { start, end } = self.range;
        assert!(start <= mid && mid <= end, "split outside of the lines");
        self.range.start = mid;
        LinesMut {
            // SAFETY: both halves have the whole window, and touch the elements of their own lines alone, which no
            // two lines share: that is the invariant.
            all: unsafe { self.all.again() },
            lines: self.lines,
            range: start..mid,
            gathered: None,
            flush: None,
        }
    }

    /// Lines `r`, opened.
    ///
    /// # Panics
    /// If the elements are not `T`, or some of the lines are not here.
    #[must_use]
    pub fn open<T: Element>(&mut self, r: Range<usize>) -> LinesAccess<'_, T, true> {
        self.flush();
        assert_within(&self.range, &r);
        if let Some(gathered) = &mut self.gathered {
            let (view, how) = (self.all.as_view(), (self.lines, self.all.layout()));
            self.flush = Some(flush_as::<T>);
            return gathered.open(how, r, |places| view.slice(places));
        }
        let hull = self.lines.hull(&r);
        let first = self.all.pointer::<T>(hull.clone());
        // SAFETY: the hull lies within the window, as `pointer` has checked, and the lines are of `range`: nothing else reads
        // or writes their elements, which is the invariant, and `&mut self` keeps other accesses away.
        unsafe { LinesAccess::new(first, hull.start, self.lines, r) }
    }

    /// Element `i` of line `line`.
    ///
    /// # Panics
    /// If the elements are not `T`, or there is no such element here.
    #[must_use]
    pub fn element<T: Element>(&self, line: usize, i: usize) -> T {
        assert_within(&self.range, &(line..line + 1));
        assert!(i < self.lines.len(), "element {i} of {}", self.lines.len());
        let at = self.lines.element(line, i);
        self.all.as_view().slice::<T>(at..at + 1)[0]
    }

    /// How the lines lie.
    #[must_use]
    pub fn lines(&self) -> Lines {
        self.lines
    }

    /// The layout of the elements.
    #[must_use]
    pub fn layout(&self) -> ElementLayout {
        self.all.layout()
    }

    /// A copy of its lines, as [`LinesMut::put_all`] takes it.
    ///
    /// # Errors
    /// [`crate::Error::OutOfMemory`].
    pub fn copy(&self) -> Result<ErasedArray> {
        self.copy_to(None)
    }

    /// The same, in the memory of `old` if that will do.
    pub(super) fn copy_to(&self, old: Option<ErasedArray>) -> Result<ErasedArray> {
        let len = self.lines.len();
        let window = self.range.start * len..self.range.end * len;
        let mut copy = ErasedArray::renewed(old, self.all.layout(), window)?;
        let runs = Runs {
            lines: self.lines,
            copied: self.range.clone(),
        };
        runs.each(&self.range, |at, to, elems| {
            let from = self.all.as_view().narrow(at..at + elems);
            let mut to = copy.view_out(to..to + elems).counted_from(to);
            to.copy_from(from.counted_from(at));
        });
        Ok(copy)
    }

    /// Makes lines `r` what they were when a [`LinesMut::copy`] of them, and perhaps of others, was made.
    ///
    /// # Panics
    /// If the copy has other elements, or some of the lines are not here.
    pub fn put_all(&mut self, r: &Range<usize>, copy: View<'_>) {
        self.flush();
        assert_within(&self.range, r);
        let (window, len) = (copy.window(), self.lines.len());
        let runs = Runs {
            lines: self.lines,
            copied: window.start / len.max(1)..window.end / len.max(1),
        };
        let all = &mut self.all;
        runs.each(r, |at, from, elems| {
            let mut to = all.reborrow().into_out();
            drop(to.take_front(at));
            let run = copy.narrow(from..from + elems).counted_from(from);
            to.take_front(at + elems).counted_from(at).copy_from(run);
        });
    }
}

fn flush_as<T: Element>(lines: &mut LinesMut<'_>) {
    let how = (lines.lines, lines.all.layout());
    let (all, Some(gathered)) = (&mut lines.all, &mut lines.gathered) else {
        return;
    };
    gathered.bring_back::<T>(how, |places, elements| {
        for (to, x) in all.slice::<T>(places).iter_mut().zip(elements) {
            *to = x;
        }
    });
}

impl Drop for LinesMut<'_> {
    /// After a panic, too: the elements of a call that failed are not read.
    fn drop(&mut self) {
        self.flush();
    }
}

fn assert_shown(window: &Range<usize>, lines: Lines, range: &Range<usize>) {
    let hull = lines.hull(range);
    assert!(
        range.end <= lines.count()
            && (hull.is_empty() || window.start <= hull.start && hull.end <= window.end),
        "lines {range:?} of {}, at {hull:?} of {window:?}",
        lines.count()
    );
}

fn assert_within(own: &Range<usize>, r: &Range<usize>) {
    assert!(
        own.start <= r.start && r.start <= r.end && r.end <= own.end,
        "lines {r:?} of {own:?}"
    );
}

#[cfg(test)]
mod test;
