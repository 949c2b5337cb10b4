//! Elements of neighbouring rows, opened once for all of them.
//!
//! To open a slot takes as long as some ten elements. So rows that lie at equal distances are opened together, and each of
//! them is a slice of the container's own memory: of parts with gaps, and of containers as a whole.
#![allow(
    unsafe_code,
    reason = "rows of one part, between which other pieces write"
)]

use super::{OutSlice, ViewOut};
use crate::{Element, isa, space::Segment};
use std::{marker::PhantomData, ops::Range};

/// Rows to read.
#[derive(Debug)]
pub enum RowsView<'a, T> {
    /// Row `k` begins with element `k * pitch`.
    Apart {
        /// All of them, with what lies between.
        elements: &'a [T],
        /// How far a row is from the one before it.
        pitch: usize,
    },
    /// All elements of a row are one.
    Alike {
        /// That of the first row, and all others.
        values: &'a [T],
        /// Which of `values` is that of the first row.
        first: usize,
        /// How far that of the next row is.
        step: isize,
        /// Room for a row.
        copies: &'a mut [T],
    },
}

impl<T: Element> RowsView<'_, T> {
    /// Whether each row follows the one before it, where rows have `elems` elements: then they can be read as one row.
    #[inline(always)]
    pub(crate) fn is_one(&self, elems: usize) -> bool {
        matches!(self, RowsView::Apart { pitch, .. } if *pitch == elems)
    }

    /// The first `elems` elements of row `row`.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline(always)]
    pub(crate) fn row(&mut self, row: usize, elems: usize) -> &[T] {
        match self {
            RowsView::Apart { elements, pitch } => {
                let first = row * *pitch;
                &elements[first..first + elems]
            }
            alike => &alike.copies(row, elems)[..elems],
        }
    }

    /// A row of which all elements are one. Not inlined: its loop is compiled once for all functions of the same types.
    #[inline(never)]
    fn copies(&mut self, row: usize, elems: usize) -> &[T] {
        match self {
            RowsView::Alike {
                values,
                first,
                step,
                copies,
            } => {
                let value = values[first.wrapping_add_signed(row as isize * *step)];
                let copies = &mut copies[..elems];
                isa::dispatch(Fill { copies, value });
                copies
            }
            RowsView::Apart { .. } => unreachable!("rows of elements of their own"),
        }
    }
}

/// Sets all elements to one value.
struct Fill<'a, T> {
    copies: &'a mut [T],
    value: T,
}

impl<T: Element> isa::Body for Fill<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.copies.fill(self.value);
    }
}

/// Where rows lie.
///
/// Invariant: elements `0..elems` of each of `count` rows, of which the first begins at `first` and each other one `pitch`
/// elements behind the one before it, lie in one allocation, and nothing else reads or writes them during the lifetime.
/// No two rows have elements in common.
#[derive(Debug)]
struct RawRows<'a, T> {
    first: *mut T,
    pitch: usize,
    elems: usize,
    count: usize,
    _elements: PhantomData<&'a mut [T]>,
}

impl<'a, T: Element> RawRows<'a, T> {
    /// The rows at the columns of `segment`, of the elements from its first on.
    #[inline(always)]
    fn over(first: *mut T, len: usize, segment: &Segment, count: usize) -> Self {
        let (elems, pitch) = (segment.range().len(), segment.row_elems());
        assert!(
            spanned(&(0..elems), pitch, count).end <= len,
            "rows that were not opened"
        );
        RawRows {
            first,
            pitch,
            elems,
            count,
            _elements: PhantomData,
        }
    }

    /// Rows of as many elements as `first` has, which are the first of them.
    #[inline(always)]
    fn apart(mut view: ViewOut<'a>, first: Range<usize>, pitch: usize, count: usize) -> Self {
        RawRows {
            first: view.pointer::<T>(spanned(&first, pitch, count)),
            pitch,
            elems: first.len(),
            count,
            _elements: PhantomData,
        }
    }

    /// Whether each row follows the one before it.
    #[inline(always)]
    fn is_one(&self) -> bool {
        self.pitch == self.elems
    }

    /// All rows as one, each of which follows the one before it.
    #[inline(always)]
    fn join(&mut self) {
        assert!(self.is_one(), "rows with gaps");
        (self.elems, self.count) = (self.elems * self.count, 1);
    }

    /// The first `elems` elements of row `row`. This is checked once for each row.
    #[inline(always)]
    fn row(&mut self, row: usize, elems: usize) -> OutSlice<'_, T> {
        assert!(
            row < self.count && elems <= self.elems,
            "rows that were not opened"
        );
        let at = self.first.wrapping_add(row * self.pitch);
        // SAFETY: they lie in one allocation and are ours alone, by the type's invariant; `&mut self` keeps other slices of
        // them away.
        unsafe { OutSlice::from_raw(at, elems) }
    }
}

/// Rows to be written.
#[derive(Debug)]
pub struct RowsOut<'a, T>(RawRows<'a, T>);

impl<'a, T: Element> RowsOut<'a, T> {
    /// The rows at the columns of `segment`, of `elements`, which are those from its first on.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline(always)]
    pub(crate) fn over(elements: OutSlice<'a, T>, segment: &Segment, rows: usize) -> Self {
        let (first, len) = elements.into_raw();
        RowsOut(RawRows::over(first, len, segment, rows))
    }

    /// Rows of as many elements as `first` has, which are the first of them; each `pitch` elements behind the one before.
    ///
    /// # Panics
    /// If they have elements in common, or are not within the view, or its elements are not `T`.
    #[inline(always)]
    pub(super) fn apart(view: ViewOut<'a>, first: Range<usize>, pitch: usize, rows: usize) -> Self {
        RowsOut(RawRows::apart(view, first, pitch, rows))
    }

    /// Whether each row follows the one before it.
    #[inline(always)]
    pub(crate) fn is_one(&self) -> bool {
        self.0.is_one()
    }

    /// All rows as one.
    ///
    /// # Panics
    /// Unless each row follows the one before it.
    #[inline(always)]
    pub(crate) fn join(&mut self) {
        self.0.join();
    }

    /// The first `elems` elements of row `row`.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline(always)]
    pub(crate) fn row(&mut self, row: usize, elems: usize) -> OutSlice<'_, T> {
        self.0.row(row, elems)
    }
}

/// Rows to be read and written. Invariant: they are initialised.
#[derive(Debug)]
pub struct RowsMut<'a, T>(RawRows<'a, T>);

impl<'a, T: Element> RowsMut<'a, T> {
    /// As [`RowsOut::over`].
    #[inline(always)]
    pub(crate) fn over(elements: &'a mut [T], segment: &Segment, rows: usize) -> Self {
        let (first, len) = (elements.as_mut_ptr(), elements.len());
        RowsMut(RawRows::over(first, len, segment, rows))
    }

    /// As [`RowsOut::apart`].
    ///
    /// # Safety
    /// They are initialised.
    #[inline(always)]
    pub(super) unsafe fn apart(
        view: ViewOut<'a>,
        first: Range<usize>,
        pitch: usize,
        rows: usize,
    ) -> Self {
        RowsMut(RawRows::apart(view, first, pitch, rows))
    }

    /// Whether each row follows the one before it.
    #[inline(always)]
    pub(crate) fn is_one(&self) -> bool {
        self.0.is_one()
    }

    /// All rows as one.
    ///
    /// # Panics
    /// Unless each row follows the one before it.
    #[inline(always)]
    pub(crate) fn join(&mut self) {
        self.0.join();
    }

    /// The first `elems` elements of row `row`.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline(always)]
    pub(crate) fn row(&mut self, row: usize, elems: usize) -> &mut [T] {
        // SAFETY: initialised, by the invariant; and what is written to them is a `T`.
        unsafe { self.0.row(row, elems).assume_init() }
    }
}

/// All elements of so many rows, with what lies between.
///
/// # Panics
/// If rows have elements in common, or no array could have them.
#[inline(always)]
fn spanned(first: &Range<usize>, pitch: usize, count: usize) -> Range<usize> {
    assert!(
        count <= 1 || pitch >= first.len(),
        "rows that have elements in common"
    );
    let way = count.saturating_sub(1).checked_mul(pitch);
    let end = way.and_then(|way| first.end.checked_add(way));
    first.start..end.expect("rows as far apart as no memory is large")
}

#[cfg(test)]
mod test;
