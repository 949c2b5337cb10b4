//! Lines that are opened.
#![allow(
    unsafe_code,
    reason = "lines lie between each other's elements, so no slice is theirs alone"
)]

use super::{super::Line, assert_within};
use crate::{Element, space::Lines};
use std::{marker::PhantomData, ops::Range};

/// Some lines, one of which at a time is lent to a user function.
///
/// Invariant: each element of the lines `first .. first + count` lies at `base` plus its number, and keeps the
/// invariant of what it was opened from during `'a`: with `WRITES`, nothing else reads or writes it.
pub struct LinesAccess<'a, T, const WRITES: bool> {
    /// Where element 0 of the container would be; used with wrapping arithmetic only.
    base: *mut T,
    lines: Lines,
    /// How many elements each has.
    len: usize,
    first: usize,
    count: usize,
    /// The line that is lent. It is made anew for each loan, and not used otherwise.
    lent: Line<'a, T>,
    _life: PhantomData<&'a mut [T]>,
}

impl<'a, T: Element, const WRITES: bool> LinesAccess<'a, T, WRITES> {
    /// The lines `r`, whose hull begins with element `start`, which lies at `first`.
    ///
    /// # Safety
    /// Their elements keep the invariant of the type.
    pub(super) unsafe fn new(first: *mut T, start: usize, lines: Lines, r: Range<usize>) -> Self {
        LinesAccess {
            base: first.wrapping_sub(start),
            lines,
            len: lines.len(),
            first: r.start,
            count: r.len(),
            lent: Line::EMPTY,
            _life: PhantomData,
        }
    }

    /// The `count` lines in `elements`, each of `len` elements and `pitch` behind the one before.
    ///
    /// # Panics
    /// If there are not so many.
    pub(super) fn over(elements: &'a mut [T], count: usize, (len, pitch): (usize, usize)) -> Self {
        assert!(
            len <= pitch
                && count
                    .checked_mul(pitch)
                    .is_some_and(|n| n <= elements.len()),
            "lines that were not gathered"
        );
        let lines = Lines::one_behind_the_other(count, pitch);
        // SAFETY: `count` lines of `pitch` elements are in the slice, as was just asserted, which is exclusive for `'a`.
        let mut access = unsafe { Self::new(elements.as_mut_ptr(), 0, lines, 0..count) };
        access.len = len;
        access
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
            len: self.len,
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
        self.lent = unsafe { Line::new(first, self.len, self.lines.stride()) };
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
