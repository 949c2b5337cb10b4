//! Rows of elements that lie by columns, copied tile by tile.
#![allow(unsafe_code, reason = "see the invariants in `view`")]

use super::{Raw, View, ViewOut, out::copy_run};
use crate::space::RowRuns;
use std::{array, ops::Range};

impl View<'_> {
    /// Copies rows of its elements to `to`, which has as many: one row behind the other.
    ///
    /// # Panics
    /// If one has more elements than the other, they are outside of their views, or have other types.
    pub(in crate::frame) fn read_rows(&self, rows: RowRuns, to: &mut ViewOut<'_>) {
        let to_rows = RowRuns::one_by_one(to.window().start, rows.count, rows.first.len);
        // SAFETY: what a view shows is initialised, and `to` is exclusive.
        unsafe { copy_rows((&self.raw, rows), (&to.raw, to_rows)) };
    }
}

impl ViewOut<'_> {
    /// Writes the elements of `from`, which are as many, to those of these rows.
    ///
    /// # Panics
    /// As [`View::read_rows`].
    ///
    /// # Safety
    /// No other view reads or writes these meanwhile.
    pub(in crate::frame) unsafe fn write_rows(&self, rows: RowRuns, from: View<'_>) {
        let from_rows = RowRuns::one_by_one(from.window().start, rows.count, rows.first.len);
        // SAFETY: `from` is initialised; that nothing else reads or writes the rows' elements, the caller says.
        unsafe { copy_rows((&from.raw, from_rows), (&self.raw, rows)) };
    }
}

/// Copies rows of elements to others.
///
/// # Panics
/// As [`View::read_rows`].
///
/// # Safety
/// The first are initialised, and the second ours.
unsafe fn copy_rows((from, from_rows): (&Raw, RowRuns), (to, to_rows): (&Raw, RowRuns)) {
    let shape = |rows: &RowRuns| [rows.count, rows.first.len];
    let [rows, elems] = shape(&from_rows);
    assert_eq!([rows, elems], shape(&to_rows), "as many rows as long");
    if rows == 0 || elems == 0 {
        return;
    }
    for (raw, rows) in [(from, &from_rows), (to, &to_rows)] {
        let places = rows.places();
        let places = places.unwrap_or_else(|| panic!("{rows:?} are outside of any array"));
        raw.check(from.layout.element_type(), &places);
    }
    if !from_rows.lie_by_columns() && !to_rows.lie_by_columns() {
        for row in 0..rows {
            // SAFETY: the caller says of all rows what is asked of one.
            unsafe { copy_run((from, from_rows.row(row)), (to, to_rows.row(row))) };
        }
        return;
    }
    let size_bytes = from.layout.size_bytes();
    let rectangle = Rectangle::new([&from_rows, &to_rows], size_bytes);
    let (source, target) = (from.at(from_rows.first.first), to.at(to_rows.first.first));
    // SAFETY: types and bounds were just checked; the caller says that the first can be read and the second written.
    unsafe {
        match size_bytes {
            1 => rectangle.copy::<1, 64, 16>(source, target),
            2 => rectangle.copy::<2, 32, 8>(source, target),
            4 => rectangle.copy::<4, 16, 4>(source, target),
            8 => rectangle.copy::<8, 8, 2>(source, target),
            16 => rectangle.copy::<16, 4, 1>(source, target),
            _ => {
                let all = (0..rectangle.near, 0..rectangle.far);
                rectangle.copy_some(source, target, all, size_bytes);
            }
        }
    }
}

/// What is copied, and by how many bytes elements are apart, of the source and of the target.
struct Rectangle {
    /// How many elements there are where those of the source are close together.
    near: usize,
    near_steps: [isize; 2],
    /// And where those of the target are.
    far: usize,
    far_steps: [isize; 2],
}

impl Rectangle {
    fn new(rows: [&RowRuns; 2], size_bytes: usize) -> Rectangle {
        let [from, _] = rows;
        let bytes = |elems: isize| elems.wrapping_mul(size_bytes as isize);
        let across = (from.count, rows.map(|rows| bytes(rows.pitch)));
        let along = (from.first.len, rows.map(|rows| bytes(rows.first.stride)));
        let ((near, near_steps), (far, far_steps)) = match from.lie_by_columns() {
            true => (across, along),
            false => (along, across),
        };
        Rectangle {
            near,
            near_steps,
            far,
            far_steps,
        }
    }

    /// Copies tile by tile: a tile has as many elements in both directions as a cache line. Within it, blocks of `BLOCK` by
    /// `BLOCK` elements, which are a vector each, are transposed in registers.
    ///
    /// # Safety
    /// All elements can be read from `source` on and written from `target` on, and are of `BYTES`.
    unsafe fn copy<const BYTES: usize, const TILE: usize, const BLOCK: usize>(
        &self,
        source: *const u8,
        target: *mut u8,
    ) {
        let are_close = self.near_steps[0] == BYTES as isize && self.far_steps[1] == BYTES as isize;
        for first in (0..self.far).step_by(TILE) {
            for top in (0..self.near).step_by(TILE) {
                let (near, far) = (
                    top..self.near.min(top + TILE),
                    first..self.far.min(first + TILE),
                );
                // What blocks leave over, at both ends, is copied element by element.
                let whole = |r: &Range<usize>| match are_close {
                    true => r.start + r.len() / BLOCK * BLOCK,
                    false => r.start,
                };
                let (near_whole, far_whole) = (whole(&near), whole(&far));
                // SAFETY: they are elements of the rectangle, which the caller says can be copied, and a block's lie one after
                // the other: near ones in the source, far ones in the target.
                unsafe {
                    for b in (far.start..far_whole).step_by(BLOCK) {
                        for a in (near.start..near_whole).step_by(BLOCK) {
                            self.copy_block::<BYTES, BLOCK>(source, target, [a, b]);
                        }
                    }
                    let behind = (near_whole..near.end, far.start..far_whole);
                    self.copy_some(source, target, behind, BYTES);
                    self.copy_some(source, target, (near, far_whole..far.end), BYTES);
                }
            }
        }
    }

    /// Where an element is, so many bytes from the first: of the source (0) or the target (1).
    #[inline(always)]
    fn at(&self, side: usize, [near, far]: [usize; 2]) -> isize {
        near as isize * self.near_steps[side] + far as isize * self.far_steps[side]
    }

    /// # Safety
    /// As for [`Rectangle::copy`], of `BLOCK` by `BLOCK` elements from these on, of which near ones lie one after the other in
    /// the source, and far ones in the target.
    #[inline(always)]
    #[expect(
        clippy::needless_range_loop,
        reason = "of an array of lines, its columns"
    )]
    unsafe fn copy_block<const BYTES: usize, const BLOCK: usize>(
        &self,
        source: *const u8,
        target: *mut u8,
        [near, far]: [usize; 2],
    ) {
        type Line<const BYTES: usize, const BLOCK: usize> = [[u8; BYTES]; BLOCK];
        // SAFETY: that these elements can be read, and lie one after the other, the caller says.
        let lines: [Line<BYTES, BLOCK>; BLOCK] = array::from_fn(|b| unsafe {
            let line = source.offset(self.at(0, [near, far + b]));
            line.cast::<Line<BYTES, BLOCK>>().read()
        });
        for a in 0..BLOCK {
            let line: Line<BYTES, BLOCK> = array::from_fn(|b| lines[b][a]);
            // SAFETY: that these elements can be written, and lie one after the other, the caller says.
            unsafe {
                let to = target.offset(self.at(1, [near + a, far]));
                to.cast::<Line<BYTES, BLOCK>>().write(line);
            }
        }
    }

    /// Copies some elements, of any size, one by one.
    ///
    /// # Safety
    /// As for [`Rectangle::copy`], of these elements.
    #[inline(always)]
    unsafe fn copy_some(
        &self,
        source: *const u8,
        target: *mut u8,
        (near, far): (Range<usize>, Range<usize>),
        size_bytes: usize,
    ) {
        let copy = |a: usize, b: usize| {
            // SAFETY: it is one of the elements that the caller says can be copied.
            unsafe {
                let (source, target) = (
                    source.offset(self.at(0, [a, b])),
                    target.offset(self.at(1, [a, b])),
                );
                std::ptr::copy_nonoverlapping(source, target, size_bytes);
            }
        };
        // The longer way within the shorter one.
        if near.len() > far.len() {
            far.for_each(|b| near.clone().for_each(|a| copy(a, b)));
        } else {
            near.for_each(|a| far.clone().for_each(|b| copy(a, b)));
        }
    }
}
