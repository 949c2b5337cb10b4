//! The index arithmetic of parts, shared by all dimensions.

use crate::space::{IndexBox, Layout, MAX_RANK, Shape};
use std::{
    fmt,
    ops::{Bound, Range, RangeBounds},
};

/// An offset, extents and strides; the last dimension is the innermost. Grids without elements may have any
/// offset and strides: no index is ever computed from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grid<const N: usize> {
    offset: usize,
    extents: [usize; N],
    strides: [isize; N],
}

impl<const N: usize> Grid<N> {
    /// All elements of a container of these extents.
    pub(crate) fn row_major(extents: [usize; N]) -> Self {
        let (mut strides, mut stride) = ([0; N], 1_isize);
        for (step, extent) in strides.iter_mut().zip(extents).rev() {
            *step = stride;
            stride = stride.wrapping_mul(extent as isize);
        }
        Grid {
            offset: 0,
            extents,
            strides,
        }
    }

    /// The extent of dimension `d`.
    pub(crate) fn extent(&self, d: usize) -> usize {
        self.extents[d]
    }

    pub(crate) fn shape(&self) -> Shape {
        let mut extents = [1; MAX_RANK];
        extents[MAX_RANK - N..].copy_from_slice(&self.extents);
        Shape::of_rank(N, extents)
    }

    pub(crate) fn layout(&self) -> Layout {
        let mut strides = [0; MAX_RANK];
        strides[MAX_RANK - N..].copy_from_slice(&self.strides);
        Layout {
            offset: self.offset,
            strides,
        }
    }

    /// The places from the first to the last.
    pub(crate) fn bounds(&self) -> Range<usize> {
        let shape = self.shape();
        self.layout()
            .bounds(&IndexBox::around(&(0..shape.len()), shape))
    }

    /// The places of all elements, if they lie one after the other.
    pub(crate) fn contiguous(&self) -> Option<Range<usize>> {
        let shape = self.shape();
        let first = self.layout().over(shape).contiguous()?;
        Some(first..first + shape.len())
    }

    /// The place `index` steps along dimension `d` from the first one on.
    fn place(&self, d: usize, index: usize) -> usize {
        let steps = (index as isize).wrapping_mul(self.strides[d]);
        self.offset.wrapping_add_signed(steps)
    }

    /// Fewer elements along dimension `d`.
    #[track_caller]
    pub(crate) fn part(mut self, d: usize, range: &impl RangeBounds<usize>) -> Self {
        let range = within(range, self.extents[d]);
        self.offset = self.place(d, range.start);
        self.extents[d] = range.len();
        self
    }

    /// The first element along dimension `d`, and every `step`th from there.
    #[track_caller]
    pub(crate) fn step_by(mut self, d: usize, step: usize) -> Self {
        assert!(step > 0, "a step of 0 elements");
        self.check(d);
        self.extents[d] = self.extents[d].div_ceil(step);
        // With a step beyond the end there is one element, and no stride is ever taken.
        let step = isize::try_from(step).unwrap_or(isize::MAX);
        self.strides[d] = self.strides[d].saturating_mul(step);
        self
    }

    /// From the last to the first along dimension `d`.
    #[track_caller]
    pub(crate) fn reversed(mut self, d: usize) -> Self {
        self.check(d);
        self.offset = self.place(d, self.extents[d].saturating_sub(1));
        self.strides[d] = self.strides[d].saturating_neg();
        self
    }

    /// Dimension `a` as `b`, and `b` as `a`.
    #[track_caller]
    pub(crate) fn swapped(mut self, a: usize, b: usize) -> Self {
        self.check(a);
        self.check(b);
        self.extents.swap(a, b);
        self.strides.swap(a, b);
        self
    }

    /// Where index `i` of dimension `d` is fixed; `M` is one less. `what` names the index.
    #[track_caller]
    pub(crate) fn at<const M: usize>(self, d: usize, i: usize, what: &str) -> Grid<M> {
        const { assert!(M + 1 == N, "one dimension goes") };
        assert!(i < self.extents[d], "{what} {i} of {}", self.extents[d]);
        let kept = |k: usize| k + usize::from(k >= d);
        Grid {
            offset: self.place(d, i),
            extents: std::array::from_fn(|k| self.extents[kept(k)]),
            strides: std::array::from_fn(|k| self.strides[kept(k)]),
        }
    }

    #[track_caller]
    fn check(&self, d: usize) {
        assert!(d < N, "dimension {d} of {N}");
    }
}

impl Grid<1> {
    /// The layout of a call in which dimension `d` counts the elements, and the others do not.
    pub(crate) fn along(&self, d: usize) -> Layout {
        let mut strides = [0; MAX_RANK];
        strides[d] = self.strides[0];
        Layout {
            offset: self.offset,
            strides,
        }
    }

    /// The elements in rows.
    #[track_caller]
    pub(crate) fn in_rows(self, rows: usize, cols: usize) -> Grid<2> {
        let ([len], [stride]) = (self.extents, self.strides);
        assert!(
            rows.checked_mul(cols) == Some(len),
            "{len} elements in {rows} rows of {cols}"
        );
        Grid {
            offset: self.offset,
            extents: [rows, cols],
            strides: [stride.wrapping_mul(cols as isize), stride],
        }
    }
}

impl Grid<2> {
    /// The elements in row and column 0, 1, 2, …
    pub(crate) fn diagonal(self) -> Grid<1> {
        let ([rows, cols], [down, right]) = (self.extents, self.strides);
        Grid {
            offset: self.offset,
            extents: [rows.min(cols)],
            strides: [down.wrapping_add(right)],
        }
    }
}

impl<const N: usize> fmt::Display for Grid<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} from {} by ", self.shape(), self.offset)?;
        for (d, stride) in self.strides.iter().enumerate() {
            let comma = if d == 0 { "" } else { ", " };
            write!(f, "{comma}{stride}")?;
        }
        Ok(())
    }
}

/// The indices of `0..len` that a range means.
///
/// # Panics
/// If it does not lie in `0..len`.
#[track_caller]
fn within(range: &impl RangeBounds<usize>, len: usize) -> Range<usize> {
    let start = match range.start_bound() {
        Bound::Included(start) => *start,
        Bound::Excluded(before) => before.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(last) => last.saturating_add(1),
        Bound::Excluded(end) => *end,
        Bound::Unbounded => len,
    };
    assert!(
        start <= end && end <= len,
        "the range {start}..{end} does not lie in 0..{len}"
    );
    start..end
}

#[cfg(test)]
mod test;
