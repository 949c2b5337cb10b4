//! The family of containers a call is about: that of its first container argument. `run` makes its
//! outputs from it, so that a matrix in gives a matrix out.

use crate::{
    Element,
    container::{Container, Matrix, Tensor3, Tensor4, Vector},
    space::Shape,
};

/// A family of containers.
pub trait Domain {
    /// This family, or the other if this is none.
    type Or<D: Domain>: Domain;
    /// Its container of elements `T`.
    type Container<T: Element>: Container<T>;
}

/// No container at all (`run_shaped` says what to make).
pub struct NoDomain;
/// Vectors and slices.
pub struct Dim1;
/// Matrices.
pub struct Dim2;
/// Tensors of three dimensions.
pub struct Dim3;
/// Tensors of four dimensions.
pub struct Dim4;

impl Domain for NoDomain {
    type Or<D: Domain> = D;
    type Container<T: Element> = Vector<T>;
}

impl Domain for Dim1 {
    type Or<D: Domain> = Dim1;
    type Container<T: Element> = Vector<T>;
}

impl Domain for Dim2 {
    type Or<D: Domain> = Dim2;
    type Container<T: Element> = Matrix<T>;
}

impl Domain for Dim3 {
    type Or<D: Domain> = Dim3;
    type Container<T: Element> = Tensor3<T>;
}

impl Domain for Dim4 {
    type Or<D: Domain> = Dim4;
    type Container<T: Element> = Tensor4<T>;
}

/// Families whose containers have rows and columns.
#[diagnostic::on_unimplemented(
    message = "only matrices have rows and columns to reduce",
    label = "the first container is no matrix",
    note = "`v.in_rows(rows, cols)` shows a vector as a matrix; `down(&v)` and `across(&h)` are all pairs of their elements"
)]
pub trait Rectangular: Domain {}

impl Rectangular for Dim2 {}

/// Families whose containers are all pairs of vectors.
#[diagnostic::on_unimplemented(
    message = "`map_pairs!` makes a matrix of a vector that lies down its rows and one that lies across its columns",
    label = "the first container is no such vector",
    note = "pass `down(&v)` and `across(&h)`: `f.run((down(&v), across(&h)))`"
)]
pub trait Pairs: Domain {}

impl Pairs for Dim2 {}

/// Something that says a shape, and by its type a family: `n`, `(rows, cols)`,
/// `(planes, rows, cols)`, or `(volumes, planes, rows, cols)`.
pub trait IntoShape: Into<Shape> {
    /// The family.
    type Domain: Domain;
}

impl IntoShape for usize {
    type Domain = Dim1;
}

impl IntoShape for (usize, usize) {
    type Domain = Dim2;
}

impl IntoShape for (usize, usize, usize) {
    type Domain = Dim3;
}

impl IntoShape for (usize, usize, usize, usize) {
    type Domain = Dim4;
}
