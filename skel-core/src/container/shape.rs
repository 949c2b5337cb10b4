//! Shapes of containers and of calls.

use std::fmt;

/// How many elements, and how they are arranged. Elements are counted in row-major order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A vector.
    D1(usize),
    /// Rows and columns of a matrix.
    D2(usize, usize),
}

impl Shape {
    /// The number of elements.
    ///
    /// # Panics
    /// If it does not fit `usize`. Calls refuse such shapes, and no container has one.
    #[must_use]
    pub const fn len(self) -> usize {
        self.checked_len()
            .expect("more elements than memory can hold")
    }

    /// The number of elements, if it fits `usize`.
    #[must_use]
    pub const fn checked_len(self) -> Option<usize> {
        match self {
            Shape::D1(n) => Some(n),
            Shape::D2(rows, cols) => rows.checked_mul(cols),
        }
    }

    /// Whether there are no elements.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Length of the innermost dimension: the columns of a matrix, all of a vector.
    #[must_use]
    pub const fn row_elems(self) -> usize {
        match self {
            Shape::D1(n) | Shape::D2(_, n) => n,
        }
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

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::D1(n) => write!(f, "[{n}]"),
            Shape::D2(rows, cols) => write!(f, "[{rows} × {cols}]"),
        }
    }
}
