//! Where the lines of a container lie.

use super::{MAX_RANK, Shape};
use std::ops::Range;

/// The lines of a container along one of its dimensions: all elements that differ by the index along that
/// dimension alone are a line. Lines are counted in row-major order over the other dimensions.
///
/// Elements are counted in row-major order, so those of a line lie at a constant step, its stride: the product of the
/// extents behind the dimension. `stride` lines that follow each other lie side by side, and what they take
/// together is a block without gaps.
///
/// ```
/// use skel_core::space::{Lines, Shape};
///
/// let columns = Lines::along(Shape::D2(3, 4), 0);
/// assert_eq!((columns.count(), columns.len(), columns.stride()), (4, 3, 4));
/// assert_eq!(columns.element(1, 2), 9);
/// let rows = Lines::along(Shape::D2(3, 4), 1);
/// assert_eq!((rows.count(), rows.len(), rows.stride()), (3, 4, 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lines {
    /// The product of the extents before the dimension.
    outer: usize,
    len: usize,
    stride: usize,
}

impl Lines {
    /// The lines of a container of this shape along dimension `axis`, counted from the outermost.
    ///
    /// # Panics
    /// If the shape has no such dimension, or has more elements than memory can hold.
    #[must_use]
    pub fn along(shape: Shape, axis: usize) -> Lines {
        assert!(axis < shape.rank(), "dimension {axis} of {shape}");
        let extents = shape.extents();
        let at = MAX_RANK - shape.rank() + axis;
        let product = |extents: &[usize]| extents.iter().product();
        // Asked for by number: that panics where there are more than can be counted.
        match shape.len() {
            0 => Lines {
                outer: 0,
                len: 0,
                stride: 1,
            },
            _ => Lines {
                outer: product(&extents[..at]),
                len: extents[at],
                stride: product(&extents[at + 1..]),
            },
        }
    }

    /// `count` lines of `len` elements, one behind the other.
    #[must_use]
    pub(crate) fn one_behind_the_other(count: usize, len: usize) -> Lines {
        Lines {
            outer: count,
            len,
            stride: 1,
        }
    }

    /// The shape of a call that has an element for each line: that of the container without the dimension. Of a
    /// vector, there is one.
    ///
    /// # Panics
    /// If the shape has no such dimension.
    #[must_use]
    pub fn call_shape(shape: Shape, axis: usize) -> Shape {
        let rank = shape.rank();
        assert!(axis < rank, "dimension {axis} of {shape}");
        let at = MAX_RANK - rank + axis;
        let mut extents = shape.extents();
        extents[..=at].rotate_right(1);
        extents[0] = 1;
        Shape::of_rank((rank - 1).max(1), extents)
    }

    /// How many lines there are.
    #[must_use]
    pub fn count(self) -> usize {
        self.outer * self.stride
    }

    /// How many elements each has.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "of each line, not of all")]
    pub fn len(self) -> usize {
        self.len
    }

    /// From an element of a line to the next.
    #[must_use]
    pub fn stride(self) -> usize {
        self.stride
    }

    /// Element `i` of line `line`, as the container counts.
    #[must_use]
    #[inline(always)]
    pub fn element(self, line: usize, i: usize) -> usize {
        // Where a line's elements lie one after the other, nothing is divided.
        let (block, beside) = match self.stride {
            1 => (line, 0),
            stride => (line / stride, line % stride),
        };
        (block * self.len + i) * self.stride + beside
    }

    /// From the first to the last element of these lines, with whatever lies between; of no lines an empty
    /// range, where they would be.
    #[must_use]
    pub fn hull(self, lines: &Range<usize>) -> Range<usize> {
        let first = self.element(lines.start, 0);
        if lines.is_empty() || self.len == 0 {
            return first..first;
        }
        first..self.element(lines.end - 1, self.len - 1) + 1
    }

    /// The hulls of neighbouring ranges of lines do not meet where the ranges meet at multiples of this.
    #[must_use]
    pub fn grain(self) -> usize {
        self.stride
    }
}

#[cfg(test)]
mod test {
    use super::*;

    const SHAPES: [Shape; 4] = [
        Shape::D1(5),
        Shape::D2(3, 4),
        Shape::D3(2, 3, 4),
        Shape::D4(2, 3, 4, 5),
    ];

    #[test]
    fn each_element_is_in_one_line() {
        for shape in SHAPES {
            for axis in 0..shape.rank() {
                let lines = Lines::along(shape, axis);
                assert_eq!(lines.count(), Lines::call_shape(shape, axis).len());
                let mut all: Vec<usize> = (0..lines.count())
                    .flat_map(|line| (0..lines.len()).map(move |i| lines.element(line, i)))
                    .collect();
                all.sort_unstable();
                assert!(all.into_iter().eq(0..shape.len()), "{shape} {axis}");
            }
        }
    }

    #[test]
    fn lines_are_counted_as_the_other_dimensions_are() {
        // Element (k, i, j) of the tensor lies at 12 k + 4 i + j.
        let shape = Shape::D3(2, 3, 4);
        let down = Lines::along(shape, 1);
        assert_eq!(Lines::call_shape(shape, 1), Shape::D2(2, 4));
        assert_eq!(down.element(4 + 3, 2), 12 + 2 * 4 + 3);
        assert_eq!(Lines::call_shape(shape, 0), Shape::D2(3, 4));
        assert_eq!(Lines::along(shape, 0).element(7, 1), 12 + 7);
        assert_eq!(Lines::call_shape(shape, 2), Shape::D2(2, 3));
        assert_eq!(Lines::call_shape(Shape::D1(9), 0), Shape::D1(1));
    }

    #[test]
    fn hulls_hold_their_lines_and_meet_where_the_grain_says() {
        for shape in SHAPES {
            for axis in 0..shape.rank() {
                let lines = Lines::along(shape, axis);
                for start in 0..lines.count() {
                    for end in start + 1..=lines.count() {
                        let hull = lines.hull(&(start..end));
                        let all = (start..end)
                            .flat_map(|line| (0..lines.len()).map(move |i| lines.element(line, i)));
                        let all: Vec<usize> = all.collect();
                        assert_eq!(all.iter().min(), Some(&hull.start));
                        assert_eq!(all.iter().max(), Some(&(hull.end - 1)));
                    }
                }
                let cuts: Vec<usize> = (0..=lines.count()).step_by(lines.grain()).collect();
                for pair in cuts.windows(2) {
                    let hull = lines.hull(&(pair[0]..pair[1]));
                    assert_eq!(hull, pair[0] * lines.len()..pair[1] * lines.len());
                }
            }
        }
    }

    #[test]
    fn a_container_without_elements_has_no_lines() {
        for axis in 0..2 {
            assert_eq!(Lines::along(Shape::D2(3, 0), axis).count(), 0);
            assert_eq!(Lines::along(Shape::D2(0, 3), axis).hull(&(0..0)), 0..0);
        }
    }
}
