//! Which Rust types have a type in the IR.

use crate::{
    Element,
    ir::Ty,
    param::{Index1, Index2},
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

/// The type of `T` in the IR, for the macros.
#[must_use]
pub fn ty<T: Typed>() -> Ty {
    T::ty()
}
