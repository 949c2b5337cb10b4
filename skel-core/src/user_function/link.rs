//! What implements the name in an expression: a built-in, or another user function.

use crate::ir::{Imp, build::Cx};
use std::marker::PhantomData;

/// One number or `bool`: all operators that Rust gives it are built in.
pub trait Scalar: crate::Element {}

/// A binary operator `O` that has a device form for these operands.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has this operator on the CPU only",
    label = "`{Self}` with `{R}` has no device form here",
    note = "on a type of yours, put #[user_function] on the `impl` of the operator",
    note = "in generic functions, say `T: Number`, or name the operator: `T: Mul<Output = T>`"
)]
pub trait Binary<O, R> {
    /// What implements it.
    fn ir(cx: &mut Cx) -> Imp;
}

/// Values that `O`, one of [`operator::PartialEq`] and [`operator::PartialOrd`], compares. It is
/// [`Binary`] with an advice of its own.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be compared in this way in a user function",
    label = "no device form of this comparison of `{Self}` with `{R}`",
    note = "`==` and `!=` of a struct: derive `PartialEq`, and put #[element(eq)] below #[derive(Element)]",
    note = "`<` and its like are for numbers and `bool`: of an enum, compare `a as i32 < b as i32`",
    note = "in generic functions, say `T: Number`, or name the comparison: `T: PartialOrd`"
)]
pub trait Compare<O, R> {
    /// What implements it.
    fn ir(cx: &mut Cx) -> Imp;
}

#[diagnostic::do_not_recommend]
impl<T: Binary<O, R>, O, R> Compare<O, R> for T {
    fn ir(cx: &mut Cx) -> Imp {
        <T as Binary<O, R>>::ir(cx)
    }
}

/// A unary operator `O` that has a device form for this operand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has this operator on the CPU only",
    label = "`{Self}` has no device form here",
    note = "on a type of yours, put #[user_function] on the `impl` of the operator",
    note = "in generic functions, say `T: Float`, or name the operator: `T: Neg<Output = T>`"
)]
pub trait Unary<O> {
    /// What implements it.
    fn ir(cx: &mut Cx) -> Imp;
}

/// The methods of class `C` are built in for this receiver. Calls ask for
/// [`Member`](super::Member), which also has what users write.
pub trait Method<C> {
    /// What implements them.
    fn ir(cx: &mut Cx) -> Imp;
}

/// A user function with the generic arguments `G`, a tuple: what other user functions call.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a user function with the generic arguments `{G}`",
    label = "cannot be called with these types",
    note = "the function's own bounds say which types it takes"
)]
pub trait Instance<G> {
    /// Builds its IR, once.
    fn ir(cx: &mut Cx) -> Imp;
}

/// Const generic arguments as types, one for each type that they may have.
macro_rules! lifted {
    ($($name:ident $t:ident;)*) => {
        $(
            #[doc = concat!("A const generic argument of type `", stringify!($t), "`, as a type.")]
            pub struct $name<const N: $t>;
        )*
    };
}
lifted! {
    K usize;
    KI8 i8;
    KI16 i16;
    KI i32;
    KI64 i64;
    KIsize isize;
    KU8 u8;
    KU16 u16;
    KU u32;
    KU64 u64;
    KB bool;
}

/// Which instance of which user function a call means.
pub struct Callee<F, G>(PhantomData<fn() -> (F, G)>);

impl<F, G> Callee<F, G> {
    /// A callee that rustc will find.
    #[expect(clippy::new_without_default, reason = "only the macros make callees")]
    #[must_use]
    pub const fn new() -> Self {
        Callee(PhantomData)
    }

    /// Builds it.
    pub fn ir(&self, cx: &mut Cx) -> Imp
    where
        F: Instance<G>,
    {
        F::ir(cx)
    }
}

macro_rules! markers {
    ($($(#[$doc:meta])* $name:ident)*) => { $($(#[$doc])* pub struct $name;)* };
}

/// Names of operators, for [`Binary`] and [`Unary`].
#[expect(
    missing_docs,
    reason = "each is named after a trait of `std::ops` or `std::cmp`"
)]
pub mod operator {
    markers! {
        Add Sub Mul Div Rem BitAnd BitOr BitXor Shl Shr Neg Not
        AddAssign SubAssign MulAssign DivAssign RemAssign
        BitAndAssign BitOrAssign BitXorAssign ShlAssign ShrAssign
        PartialEq PartialOrd
    }
}

/// Classes of built-in methods, for [`Method`].
pub mod class {
    markers! {
        /// `min`, `max`, `clamp`, `div_euclid`, `rem_euclid`.
        Number
        /// `abs`, `signum`.
        Signed
        /// `unsigned_abs`, `is_positive`, `is_negative`.
        SignedInteger
        /// `is_multiple_of`.
        Unsigned
        /// `sqrt`, `floor`, `sin`, `is_nan` and their like.
        Float
        /// `wrapping_add`, `rotate_left`, `count_ones` and their like.
        Integer
    }
}

#[diagnostic::do_not_recommend]
impl<T: Scalar, O> Binary<O, T> for T {
    fn ir(_: &mut Cx) -> Imp {
        Imp::Builtin
    }
}

#[diagnostic::do_not_recommend]
impl<T: Scalar, O> Unary<O> for T {
    fn ir(_: &mut Cx) -> Imp {
        Imp::Builtin
    }
}

/// Shifts, whose operands may be integers of two types. Any other operator on two types is an error
/// of rustc's own.
macro_rules! mixed {
    ($($left:ident: $($right:ident)*;)*) => { $($(
        #[diagnostic::do_not_recommend]
        impl<O> Binary<O, $right> for $left {
            fn ir(_: &mut Cx) -> Imp {
                Imp::Builtin
            }
        }
    )*)* };
}
mixed! {
    i8: i16 i32 i64 isize u8 u16 u32 u64 usize;
    i16: i8 i32 i64 isize u8 u16 u32 u64 usize;
    i32: i8 i16 i64 isize u8 u16 u32 u64 usize;
    i64: i8 i16 i32 isize u8 u16 u32 u64 usize;
    isize: i8 i16 i32 i64 u8 u16 u32 u64 usize;
    u8: i8 i16 i32 i64 isize u16 u32 u64 usize;
    u16: i8 i16 i32 i64 isize u8 u32 u64 usize;
    u32: i8 i16 i32 i64 isize u8 u16 u64 usize;
    u64: i8 i16 i32 i64 isize u8 u16 u32 usize;
    usize: i8 i16 i32 i64 isize u8 u16 u32 u64;
}

macro_rules! scalars {
    ($($t:ident: $($class:ident)*;)*) => { $(
        impl Scalar for $t {}
        $(
            #[diagnostic::do_not_recommend]
            impl Method<class::$class> for $t {
                fn ir(_: &mut Cx) -> Imp {
                    Imp::Builtin
                }
            }
        )*
    )* };
}
scalars! {
    f32: Number Signed Float;
    f64: Number Signed Float;
    i8: Number Integer Signed SignedInteger;
    i16: Number Integer Signed SignedInteger;
    i32: Number Integer Signed SignedInteger;
    i64: Number Integer Signed SignedInteger;
    isize: Number Integer Signed SignedInteger;
    u8: Number Integer Unsigned;
    u16: Number Integer Unsigned;
    u32: Number Integer Unsigned;
    u64: Number Integer Unsigned;
    usize: Number Integer Unsigned;
    bool: ;
}
