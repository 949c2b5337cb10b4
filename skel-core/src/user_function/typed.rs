//! Which Rust types have a type in the IR.

use crate::{
    Element,
    ir::{Ty, ViewKind},
    param::{Col, Index1, Index2, MatrixView, Random, Row},
};

/// A type that an expression of a user function may have: an element, an index, or `()`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot live in a user function: no device has a value of this type",
    label = "no device has a `{Self}`",
    note = "user functions compute with `f32`, `f64`, `i32`, `u32`, `usize` and `bool`"
)]
pub trait Typed: 'static {
    /// Whether it is one number or `bool`.
    const IS_SCALAR: bool;

    /// The type in the IR.
    fn ty() -> Ty;
}

#[diagnostic::do_not_recommend]
impl<T: Element> Typed for T {
    const IS_SCALAR: bool = T::IS_SCALAR;

    fn ty() -> Ty {
        T::ty()
    }
}

impl Typed for () {
    const IS_SCALAR: bool = false;

    fn ty() -> Ty {
        Ty::Unit
    }
}

impl Typed for Index1 {
    const IS_SCALAR: bool = false;

    fn ty() -> Ty {
        Index1::ty()
    }
}

impl Typed for Index2 {
    const IS_SCALAR: bool = false;

    fn ty() -> Ty {
        Index2::ty()
    }
}

macro_rules! views {
    ($($t:ty: $kind:ident;)*) => { $(
        impl<T: Element> Typed for $t {
            const IS_SCALAR: bool = false;

            fn ty() -> Ty {
                Ty::view(T::ty(), ViewKind::$kind)
            }
        }
    )* };
}
views! {
    &'static [T]: Slice;
    MatrixView<'static, T>: Matrix;
    Row<'static, T>: Row;
    Col<'static, T>: Col;
}

impl Typed for Random {
    const IS_SCALAR: bool = false;

    fn ty() -> Ty {
        Random::ty()
    }
}

/// The type of `T` in the IR, for the macros.
#[must_use]
pub fn ty<T: Typed>() -> Ty {
    T::ty()
}
