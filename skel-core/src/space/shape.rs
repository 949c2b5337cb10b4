//! Shapes of containers and of calls.

use std::fmt;

/// How many elements, and how they are arranged. Elements are counted in row-major order: the last
/// dimension is the innermost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A vector.
    D1(usize),
    /// Rows and columns of a matrix.
    D2(usize, usize),
    /// Planes, rows and columns of a tensor.
    D3(usize, usize, usize),
    /// Volumes, planes, rows and columns of a tensor.
    D4(usize, usize, usize, usize),
}

/// Dimensions, at most.
pub const MAX_RANK: usize = 4;

impl Shape {
    /// The shape of this rank, 1 to 4, with the last extents of these.
    ///
    /// # Panics
    /// If there is no such rank.
    #[must_use]
    pub const fn of_rank(rank: usize, extents: [usize; MAX_RANK]) -> Shape {
        let [l, k, i, j] = extents;
        match rank {
            1 => Shape::D1(j),
            2 => Shape::D2(i, j),
            3 => Shape::D3(k, i, j),
            4 => Shape::D4(l, k, i, j),
            _ => panic!("a shape has 1 to 4 dimensions"),
        }
    }

    /// The number of dimensions.
    #[inline]
    #[must_use]
    pub const fn rank(self) -> usize {
        match self {
            Shape::D1(_) => 1,
            Shape::D2(..) => 2,
            Shape::D3(..) => 3,
            Shape::D4(..) => 4,
        }
    }

    /// Volumes, planes, rows and columns: 1 for each dimension that is not there.
    #[inline]
    #[must_use]
    pub const fn extents(self) -> [usize; MAX_RANK] {
        match self {
            Shape::D1(j) => [1, 1, 1, j],
            Shape::D2(i, j) => [1, 1, i, j],
            Shape::D3(k, i, j) => [1, k, i, j],
            Shape::D4(l, k, i, j) => [l, k, i, j],
        }
    }

    /// The number of elements.
    ///
    /// # Panics
    /// If it does not fit `usize`. Calls refuse such shapes, and no container has one.
    #[inline]
    #[must_use]
    pub const fn len(self) -> usize {
        self.checked_len()
            .expect("more elements than memory can hold")
    }

    /// The number of elements, if it fits `usize`.
    #[inline]
    #[must_use]
    pub const fn checked_len(self) -> Option<usize> {
        // Each call asks several times.
        let outer = match self {
            Shape::D1(j) => return Some(j),
            Shape::D2(i, j) => return i.checked_mul(j),
            Shape::D3(k, ..) => Some(k),
            Shape::D4(l, k, ..) => l.checked_mul(k),
        };
        let [.., i, j] = self.extents();
        match (outer, i.checked_mul(j)) {
            (Some(outer), Some(inner)) => outer.checked_mul(inner),
            // Of a part of the extents, the product does not fit; with one that is 0, that of all does.
            _ if self.is_empty() => Some(0),
            _ => None,
        }
    }

    /// Whether there are no elements.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        let [l, k, i, j] = self.extents();
        l == 0 || k == 0 || i == 0 || j == 0
    }

    /// Length of the innermost dimension: the columns of a matrix, all of a vector.
    #[inline]
    #[must_use]
    pub const fn row_elems(self) -> usize {
        self.extents()[MAX_RANK - 1]
    }

    /// How long dimension `d` is where so many are counted: dimension 0 takes in all that lie outside of it.
    ///
    /// # Panics
    /// If there is no such rank, or no such dimension.
    #[inline]
    #[must_use]
    pub const fn extent_of_rank(self, rank: usize, d: usize) -> usize {
        let extents = self.extents();
        let first = MAX_RANK - rank;
        let (mut extent, mut outer) = (extents[first + d], 0);
        while d == 0 && outer < first {
            extent *= extents[outer];
            outer += 1;
        }
        extent
    }

    /// How many rows there are in all: 1 of a vector, of a tensor those of all planes.
    #[inline]
    #[must_use]
    pub const fn rows(self) -> usize {
        let [volumes, planes, rows, _] = self.extents();
        volumes * planes * rows
    }
}

impl From<usize> for Shape {
    fn from(n: usize) -> Shape {
        Shape::D1(n)
    }
}

impl From<(usize, usize)> for Shape {
    fn from((rows, cols): (usize, usize)) -> Shape {
        Shape::D2(rows, cols)
    }
}

impl From<(usize, usize, usize)> for Shape {
    fn from((planes, rows, cols): (usize, usize, usize)) -> Shape {
        Shape::D3(planes, rows, cols)
    }
}

impl From<(usize, usize, usize, usize)> for Shape {
    fn from((volumes, planes, rows, cols): (usize, usize, usize, usize)) -> Shape {
        Shape::D4(volumes, planes, rows, cols)
    }
}

/// As tuples are shapes, so are arrays of one to four extents.
macro_rules! of_arrays {
    ($($rank:literal: [$($extent:ident)*] $variant:ident),*) => { $(
        impl From<[usize; $rank]> for Shape {
            fn from([$($extent),*]: [usize; $rank]) -> Shape {
                Shape::$variant($($extent),*)
            }
        }
    )* };
}
of_arrays!(1: [a] D1, 2: [a b] D2, 3: [a b c] D3, 4: [a b c d] D4);

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let extents = self.extents();
        let (first, rest) = extents[MAX_RANK - self.rank()..]
            .split_first()
            .unwrap_or((&0, &[]));
        write!(f, "[{first}")?;
        for extent in rest {
            write!(f, " × {extent}")?;
        }
        f.write_str("]")
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn a_zero_dimension_makes_any_shape_empty() {
        assert_eq!(Shape::D3(usize::MAX, 2, 0).checked_len(), Some(0));
        assert_eq!(Shape::D3(usize::MAX, 2, 1).checked_len(), None);
        assert_eq!(Shape::D4(2, 3, 4, 5).checked_len(), Some(120));
        assert_eq!(Shape::D2(usize::MAX, 2).checked_len(), None);
        // Whichever two of them do not fit.
        let large = 1 << (usize::BITS / 2);
        for at in 0..MAX_RANK {
            let mut extents = [large; MAX_RANK];
            extents[at] = 0;
            let [l, k, i, j] = extents;
            let shape = Shape::D4(l, k, i, j);
            assert!(
                shape.is_empty() && shape.checked_len() == Some(0),
                "{shape}"
            );
            extents[at] = 1;
            let [l, k, i, j] = extents;
            let shape = Shape::D4(l, k, i, j);
            assert!(
                !shape.is_empty() && shape.checked_len().is_none(),
                "{shape}"
            );
        }
    }

    #[test]
    fn extents_are_those_of_the_rank() {
        for shape in [
            Shape::D1(7),
            Shape::D2(6, 7),
            Shape::D3(5, 6, 7),
            Shape::D4(4, 5, 6, 7),
        ] {
            assert_eq!(Shape::of_rank(shape.rank(), shape.extents()), shape);
        }
        assert_eq!(Shape::D3(5, 6, 7).to_string(), "[5 × 6 × 7]");
    }
}
