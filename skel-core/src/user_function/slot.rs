//! Slots: where rustc tells the builder the types that it inferred.
//!
//! A slot has a type parameter that nothing mentions, until an expression passes through [`Slot::put`] in the
//! closure that is never called. No method that is used *in* that closure has a bound: bounds are asked where
//! the builder takes the types, so that an error shows once.

use super::{Binary, Compare, Member, Typed, Unary};
use crate::ir::{Imp, Ty, build::Cx};
use std::marker::PhantomData;

/// The type of one expression.
pub struct Slot<A>(PhantomData<fn() -> A>);

impl<A> Slot<A> {
    /// A slot for a type that rustc will find.
    #[expect(clippy::new_without_default, reason = "only the macros make slots")]
    #[must_use]
    pub const fn new() -> Self {
        Slot(PhantomData)
    }

    /// Says that the slot's type is that of `value`.
    #[must_use]
    pub fn put(&self, value: A) -> A {
        value
    }

    /// The same for a value that must stay where it is.
    pub fn see(&self, _: &A) {}

    /// The type.
    #[must_use]
    pub fn ty(&self) -> Ty
    where
        A: Typed,
    {
        A::ty()
    }

    /// What implements the method `NAME` of class `C` (see [`super::class`]) on this type.
    pub fn method<C, const NAME: u64>(&self, cx: &mut Cx) -> Imp
    where
        A: Member<C, NAME>,
    {
        A::ir(cx)
    }

    /// What implements the operator `O` on this type.
    pub fn unary<O>(&self, cx: &mut Cx) -> Imp
    where
        A: Unary<O>,
    {
        A::ir(cx)
    }
}

/// The types of the two operands of an operator. The operator itself stands in the probe as the user
/// wrote it, between two calls that change nothing: so rustc infers what it always infers.
pub struct Pair<A, B>(PhantomData<fn() -> (A, B)>);

impl<A, B> Pair<A, B> {
    /// A pair of types that rustc will find.
    #[expect(clippy::new_without_default, reason = "only the macros make pairs")]
    #[must_use]
    pub const fn new() -> Self {
        Pair(PhantomData)
    }

    /// The left operand.
    #[must_use]
    pub fn l(&self, value: A) -> A {
        value
    }

    /// The right operand.
    #[must_use]
    pub fn r(&self, value: B) -> B {
        value
    }

    /// The left operand of a compound assignment.
    pub fn see(&self, _: &A) {}

    /// What implements the operator `O` on these types.
    pub fn binary<O>(&self, cx: &mut Cx) -> Imp
    where
        A: Binary<O, B>,
    {
        A::ir(cx)
    }

    /// What implements the comparison `O` of these types.
    pub fn compare<O>(&self, cx: &mut Cx) -> Imp
    where
        A: Compare<O, B>,
    {
        A::ir(cx)
    }
}
