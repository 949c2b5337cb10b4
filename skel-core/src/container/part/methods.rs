//! What parts to read and parts to write have in common, by their number of dimensions. Each has a field
//! `of`, what it is a part of, and a field `grid`, where its elements lie there.

macro_rules! vector_part {
    ($name:ident $matrix:ident) => {
        impl<'a, T: Element> $name<'a, T> {
            /// The number of elements.
            #[must_use]
            pub fn len(&self) -> usize {
                self.grid.extent(0)
            }

            /// Whether there are no elements.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Fewer of its elements, without gaps.
            ///
            /// # Panics
            /// If the range is not within it.
            #[must_use]
            #[track_caller]
            pub fn part(self, range: impl RangeBounds<usize>) -> Self {
                let grid = self.grid.part(0, &range);
                Self { grid, ..self }
            }

            /// The first element, and every `step`th from there.
            ///
            /// # Panics
            /// If `step` is 0.
            #[must_use]
            #[track_caller]
            pub fn step_by(self, step: usize) -> Self {
                let grid = self.grid.step_by(0, step);
                Self { grid, ..self }
            }

            /// From the last element to the first.
            #[must_use]
            pub fn reversed(self) -> Self {
                let grid = self.grid.reversed(0);
                Self { grid, ..self }
            }

            /// Its elements in rows, as a matrix.
            ///
            /// # Panics
            /// If there are not `rows * cols` elements.
            #[must_use]
            #[track_caller]
            pub fn in_rows(self, rows: usize, cols: usize) -> $matrix<'a, T> {
                $matrix::new(self.of, self.grid.in_rows(rows, cols))
            }
        }
    };
}

macro_rules! matrix_part {
    ($name:ident $vector:ident) => {
        along_dimensions!($name 2 (rows "rows" 0, cols "columns" 1));

        impl<'a, T: Element> $name<'a, T> {
            /// Rows as columns, columns as rows.
            #[must_use]
            pub fn transposed(self) -> Self {
                self.swapped(0, 1)
            }

            /// Row `i`.
            ///
            /// # Panics
            /// If there is no such row.
            #[must_use]
            #[track_caller]
            pub fn row(self, i: usize) -> $vector<'a, T> {
                $vector::new(self.of, self.grid.at(0, i, "row"))
            }

            /// Column `j`.
            ///
            /// # Panics
            /// If there is no such column.
            #[must_use]
            #[track_caller]
            pub fn col(self, j: usize) -> $vector<'a, T> {
                $vector::new(self.of, self.grid.at(1, j, "column"))
            }

            /// The elements in row and column 0, 1, 2, …
            #[must_use]
            pub fn diagonal(self) -> $vector<'a, T> {
                $vector::new(self.of, self.grid.diagonal())
            }
        }
    };
}

macro_rules! tensor3_part {
    ($name:ident $matrix:ident) => {
        along_dimensions!($name 3 (planes "planes" 0, rows "rows" 1, cols "columns" 2));

        impl<'a, T: Element> $name<'a, T> {
            /// Plane `k`: a matrix.
            ///
            /// # Panics
            /// If there is no such plane.
            #[must_use]
            #[track_caller]
            pub fn plane(self, k: usize) -> $matrix<'a, T> {
                $matrix::new(self.of, self.grid.at(0, k, "plane"))
            }
        }
    };
}

macro_rules! tensor4_part {
    ($name:ident $tensor3:ident) => {
        along_dimensions!(
            $name 4 (volumes "volumes" 0, planes "planes" 1, rows "rows" 2, cols "columns" 3)
        );

        impl<'a, T: Element> $name<'a, T> {
            /// Volume `l`: a tensor of planes, rows and columns.
            ///
            /// # Panics
            /// If there is no such volume.
            #[must_use]
            #[track_caller]
            pub fn volume(self, l: usize) -> $tensor3<'a, T> {
                $tensor3::new(self.of, self.grid.at(0, l, "volume"))
            }
        }
    };
}

/// Parts of two and more dimensions.
macro_rules! along_dimensions {
    ($name:ident $n:literal ($($dim:ident $what:literal $at:literal),*)) => {
        impl<'a, T: Element> $name<'a, T> {
            $(
                #[doc = concat!("The number of ", $what, ".")]
                #[must_use]
                pub fn $dim(&self) -> usize {
                    self.grid.extent($at)
                }
            )*

            /// Fewer of them, by a range along each dimension.
            ///
            /// # Panics
            /// If the ranges are not within it.
            #[must_use]
            #[track_caller]
            pub fn part(self, $($dim: impl RangeBounds<usize>),*) -> Self {
                let grid = self.grid$(.part($at, &$dim))*;
                Self { grid, ..self }
            }

            #[doc = concat!("The first index along a dimension, from 0, the outermost, to ", $n, " - 1, and")]
            /// every `step`th from there.
            ///
            /// # Panics
            /// If `step` is 0, or there is no such dimension.
            #[must_use]
            #[track_caller]
            pub fn step_by_along(self, dimension: usize, step: usize) -> Self {
                let grid = self.grid.step_by(dimension, step);
                Self { grid, ..self }
            }

            #[doc = concat!("From the last index to the first along a dimension, from 0, the outermost, to ", $n, " - 1.")]
            ///
            /// # Panics
            /// If there is no such dimension.
            #[must_use]
            #[track_caller]
            pub fn reversed_along(self, dimension: usize) -> Self {
                let grid = self.grid.reversed(dimension);
                Self { grid, ..self }
            }

            #[doc = concat!("Two dimensions change places; they are counted from 0, the outermost, to ", $n, " - 1.")]
            ///
            /// # Panics
            /// If there are no such dimensions.
            #[must_use]
            #[track_caller]
            pub fn swapped(self, a: usize, b: usize) -> Self {
                let grid = self.grid.swapped(a, b);
                Self { grid, ..self }
            }
        }
    };
}

pub(super) use {along_dimensions, matrix_part, tensor3_part, tensor4_part, vector_part};
