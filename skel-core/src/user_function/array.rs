//! What `for` runs over beside ranges.

use crate::{
    ir::Ty,
    user_function::{Slot, Typed},
};

/// An array: `for` runs over its elements.
#[diagnostic::on_unimplemented(
    message = "in a user function, `for` runs over a range, an array or a slice, not over `{Self}`",
    label = "neither `a..b` nor an array",
    note = "otherwise use `while`"
)]
pub trait Elements {
    /// The type of an element.
    type Element: Typed;
}

#[diagnostic::do_not_recommend]
impl<T: Typed, const N: usize> Elements for [T; N] {
    type Element = T;
}

impl<A> Slot<A> {
    /// The type of the elements, if it is an array.
    #[must_use]
    pub fn element(&self) -> Ty
    where
        A: Elements,
    {
        A::Element::ty()
    }
}
