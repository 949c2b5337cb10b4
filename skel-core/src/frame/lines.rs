//! Lines of containers, one after the other: the memory of line parameters.
#![allow(
    unsafe_code,
    reason = "lines lie between each other's elements, so no slice is theirs alone"
)]

use super::{ElementLayout, ErasedArray, Line, View, ViewMut};
use crate::{Element, Result, space::Lines};
use std::{marker::PhantomData, ops::Range};

/// Lines to read: those in `range`, of the container that `view` shows.
#[derive(Clone, Debug)]
pub struct LinesView<'m> {
    view: View<'m>,
    lines: Lines,
    range: Range<usize>,
}

/// Lines to read and write. Invariant: the elements of the lines in `range` are initialised, within the window, and
/// nothing else reads or writes them during `'m`; nor does this read or write any others.
#[derive(Debug)]
pub struct LinesMut<'m> {
    all: ViewMut<'m>,
    lines: Lines,
    range: Range<usize>,
}

impl<'m> LinesView<'m> {
    /// The lines in `range` of what `view` shows.
    ///
    /// # Panics
    /// If it does not show all of them.
    #[must_use]
    pub fn new(view: View<'m>, lines: Lines, range: Range<usize>) -> Self {
        assert_shown(&view.window(), lines, &range);
        LinesView { view, lines, range }
    }

    /// Lines `r`, opened.
    ///
    /// # Panics
    /// If the elements are not `T`, or some of the lines are not here.
    #[must_use]
    pub fn open<T: Element>(&self, r: Range<usize>) -> LinesAccess<'m, T, false> {
        assert_within(&self.range, &r);
        let hull = self.lines.hull(&r);
        let slice = self.view.slice::<T>(hull.clone());
        // Nothing is written through it: what is lent of it is a `&Line`.
        LinesAccess::new(slice.as_ptr().cast_mut(), hull.start, self.lines, r)
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
        LinesMut { all, lines, range }
    }

    /// Takes the lines before `mid`: what is left begins there.
    ///
    /// # Panics
    /// If `mid` is not within its range.
    #[must_use]
    pub fn take_front(&mut self, mid: usize) -> Self {
        let Range { start, end } = self.range;
        assert!(start <= mid && mid <= end, "split outside of the lines");
        self.range.start = mid;
        LinesMut {
            // SAFETY: both halves have the whole window, and touch the elements of their own lines alone, which no
            // two lines share: that is the invariant.
            all: unsafe { self.all.again() },
            lines: self.lines,
            range: start..mid,
        }
    }

    /// Lines `r`, opened.
    ///
    /// # Panics
    /// If the elements are not `T`, or some of the lines are not here.
    #[must_use]
    pub fn open<T: Element>(&mut self, r: Range<usize>) -> LinesAccess<'_, T, true> {
        assert_within(&self.range, &r);
        let hull = self.lines.hull(&r);
        let first = self.all.pointer::<T>(hull.clone());
        LinesAccess::new(first, hull.start, self.lines, r)
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

/// Where copies have the elements of lines: block after block of lines that lie side by side, and in each block as the
/// container has them, so that what lies together is copied together.
struct Runs {
    lines: Lines,
    /// The lines that the copy has.
    copied: Range<usize>,
}

impl Runs {
    /// For elements of lines `r` that lie one after the other: where the first is in the container, where in the copy,
    /// and how many.
    fn each(&self, r: &Range<usize>, mut run: impl FnMut(usize, usize, usize)) {
        let (lines, len, stride) = (self.lines, self.lines.len(), self.lines.stride());
        assert_within(&self.copied, r);
        let mut start = r.start;
        while start < r.end && len > 0 {
            let block = start - start % stride;
            let within = |r: &Range<usize>| r.start.max(block)..r.end.min(block + stride);
            let (copied, own) = (within(&self.copied), within(r));
            let (first, width) = (copied.start * len, copied.len());
            if own.len() == stride {
                run(lines.element(own.start, 0), first, len * stride);
            } else {
                for i in 0..len {
                    let at = first + i * width + (own.start - copied.start);
                    run(lines.element(own.start, i), at, own.len());
                }
            }
            start = own.end;
        }
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

/// Some lines, one of which at a time is lent to a user function.
///
/// Invariant: each element of the lines `first .. first + count` lies at `base` plus its number, and keeps the
/// invariant of what it was opened from during `'a`: with `WRITES`, nothing else reads or writes it.
pub struct LinesAccess<'a, T, const WRITES: bool> {
    /// Where element 0 of the container would be; used with wrapping arithmetic only.
    base: *mut T,
    lines: Lines,
    first: usize,
    count: usize,
    /// The line that is lent. It is made anew for each loan, and not used otherwise.
    lent: Line<'a, T>,
    _life: PhantomData<&'a mut [T]>,
}

impl<'a, T: Element, const WRITES: bool> LinesAccess<'a, T, WRITES> {
    /// The lines `r`, whose hull begins with element `start`, which lies at `first`.
    fn new(first: *mut T, start: usize, lines: Lines, r: Range<usize>) -> Self {
        LinesAccess {
            base: first.wrapping_sub(start),
            lines,
            first: r.start,
            count: r.len(),
            lent: Line::EMPTY,
            _life: PhantomData,
        }
    }

    /// Lines `r`, counted from the first of these.
    ///
    /// # Panics
    /// If some of them are not here.
    #[inline(always)]
    pub(crate) fn sub(&mut self, r: Range<usize>) -> LinesAccess<'_, T, WRITES> {
        assert_within(&(0..self.count), &r);
        LinesAccess {
            base: self.base,
            lines: self.lines,
            first: self.first + r.start,
            count: r.len(),
            lent: Line::EMPTY,
            _life: PhantomData,
        }
    }

    /// Line `i`, counted from the first of these, to be read.
    ///
    /// # Panics
    /// If it is not here.
    #[inline(always)]
    pub(crate) fn get<'b>(&'b mut self, i: usize) -> &'b Line<'b, T>
    where
        'a: 'b,
    {
        self.lend(i)
    }

    /// Makes line `i` the one that is lent. What is lent as `&mut Line` may be written.
    #[inline(always)]
    fn lend<'b>(&'b mut self, i: usize) -> &'b mut Line<'b, T>
    where
        'a: 'b,
    {
        assert!(i < self.count, "line {i} of {}", self.count);
        let first = self
            .base
            .wrapping_add(self.lines.element(self.first + i, 0));
        // SAFETY: all elements of the line are `T`, initialised, and ours for `'a`, which is the invariant of this
        // type; without `WRITES`, callers get no more than a `&Line`. `&mut self` keeps the other lines from being
        // lent meanwhile.
        self.lent = unsafe { Line::new(first, self.lines.len(), self.lines.stride()) };
        let lent: *mut Line<'a, T> = &raw mut self.lent;
        // SAFETY: types that differ in lifetimes alone have one layout. What the caller may put in its place, of a
        // shorter lifetime, is never used: `lent` is made anew before it is lent again, and has no destructor.
        unsafe { &mut *lent.cast::<Line<'b, T>>() }
    }
}

impl<'a, T: Element> LinesAccess<'a, T, true> {
    /// Line `i`, counted from the first of these, to be read and written.
    ///
    /// # Panics
    /// If it is not here.
    #[inline(always)]
    pub(crate) fn get_mut<'b>(&'b mut self, i: usize) -> &'b mut Line<'b, T>
    where
        'a: 'b,
    {
        self.lend(i)
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::space::Shape;

    #[test]
    fn halves_write_between_each_other() {
        let mut data: Vec<u32> = (0..12).collect();
        let lines = Lines::along(Shape::D2(3, 4), 0);
        let mut right = LinesMut::new(ViewMut::of(&mut data), lines, 0..4);
        let mut left = right.take_front(1);
        let (mut a, mut b) = (left.open::<u32>(0..1), right.open::<u32>(1..4));
        a.get_mut(0)[2] = 80;
        let mut b = b.sub(1..3);
        b.get_mut(0)[0] = 20;
        b.get_mut(1)[1] = 70;
        assert_eq!(
            (a.get_mut(0)[1], b.get_mut(0)[1], b.get_mut(1).len()),
            (4, 6, 3)
        );
        assert_eq!(data, [0, 1, 20, 3, 4, 5, 6, 70, 80, 9, 10, 11]);
    }

    #[test]
    fn copies_bring_any_part_of_their_lines_back() {
        for axis in 0..3 {
            let before: Vec<u32> = (0..24).collect();
            let lines = Lines::along(Shape::D3(2, 3, 4), axis);
            let mut data = before.clone();
            let mut rest = LinesMut::new(ViewMut::of(&mut data), lines, 0..lines.count());
            drop(rest.take_front(1));
            let copy = rest.copy().unwrap();
            let mut own = rest.open::<u32>(1..lines.count());
            for line in 0..lines.count() - 1 {
                (0..lines.len()).for_each(|i| own.get_mut(line)[i] = 99);
            }
            let part = 2..lines.count() - 1;
            rest.put_all(&part, copy.all());
            for line in 0..lines.count() {
                for i in 0..lines.len() {
                    let at = lines.element(line, i);
                    let was = line == 0 || part.contains(&line);
                    assert_eq!(
                        data[at],
                        if was { before[at] } else { 99 },
                        "{axis} {line} {i}"
                    );
                }
            }
        }
    }

    #[test]
    #[should_panic(expected = "lines 0..1 of 2..4")]
    fn the_lines_of_others_are_refused() {
        let mut data = [0_u32; 12];
        let lines = Lines::along(Shape::D2(3, 4), 0);
        let mut right = LinesMut::new(ViewMut::of(&mut data), lines, 0..4);
        drop(right.take_front(2));
        let _ = right.open::<u32>(0..1);
    }

    #[test]
    #[should_panic(expected = "at 0..12 of 0..11")]
    fn lines_beyond_the_window_are_refused() {
        let lines = Lines::along(Shape::D2(3, 4), 1);
        let _ = LinesView::new(View::of(&[0_u32; 11]), lines, 0..3);
    }
}
