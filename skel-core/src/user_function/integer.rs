//! The trait for functions that are generic over integers.

use super::{
    link::{Binary, Method, class, operator},
    number::Number,
};
use std::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, ShlAssign, Shr,
    ShrAssign,
};

/// All integers of up to 64 bits: a [`Number`] with bits, and the methods of [`IntegerMethods`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an `Integer`",
    note = "integers are `i8`, `i16`, `i32`, `i64`, `isize`, `u8`, `u16`, `u32`, `u64` and `usize`"
)]
pub trait Integer:
    Number
    + Eq
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
    + ShlAssign<u32>
    + ShrAssign<u32>
    + Binary<operator::Shl, u32>
    + Binary<operator::Shr, u32>
    + Binary<operator::ShlAssign, u32>
    + Binary<operator::ShrAssign, u32>
    + Method<class::Integer>
    + IntegerMethods
{
}

macro_rules! integer_methods {
    ($($(#[$doc:meta])* $name:ident($($arg:ident: $ty:ty),*) -> $ret:ty;)*) => {
        /// Methods of every [`Integer`]; on primitive types, those of `std`.
        pub trait IntegerMethods: Sized {
            $($(#[$doc])* #[must_use] fn $name(self $(, $arg: $ty)*) -> $ret;)*
        }

        integer_methods!(@types [i8 i16 i32 i64 isize u8 u16 u32 u64 usize]
            { $($name($($arg: $ty),*) -> $ret;)* });
    };
    (@types [$($t:ident)*] $methods:tt) => {
        $(integer_methods!(@impl $t $methods);)*
    };
    (@impl $t:ident { $($name:ident($($arg:ident: $ty:ty),*) -> $ret:ty;)* }) => {
        impl Integer for $t {}

        impl IntegerMethods for $t {
            $(
                #[inline(always)]
                fn $name(self $(, $arg: $ty)*) -> $ret {
                    <$t>::$name(self $(, $arg)*)
                }
            )*
        }
    };
}

integer_methods! {
    /// `+` that wraps.
    wrapping_add(other: Self) -> Self;
    /// `-` that wraps.
    wrapping_sub(other: Self) -> Self;
    /// `*` that wraps.
    wrapping_mul(other: Self) -> Self;
    /// `/` that wraps.
    wrapping_div(other: Self) -> Self;
    /// `%` that wraps.
    wrapping_rem(other: Self) -> Self;
    /// The quotient whose remainder is not negative, which wraps.
    wrapping_div_euclid(other: Self) -> Self;
    /// The remainder that is not negative; 0 of a divisor of -1.
    wrapping_rem_euclid(other: Self) -> Self;
    /// `-x` that wraps.
    wrapping_neg() -> Self;
    /// Power that wraps.
    wrapping_pow(exponent: u32) -> Self;
    /// `<<` by a masked amount.
    wrapping_shl(amount: u32) -> Self;
    /// `>>` by a masked amount.
    wrapping_shr(amount: u32) -> Self;
    /// `+` that stops at the ends of the type.
    saturating_add(other: Self) -> Self;
    /// `-` that stops at the ends of the type.
    saturating_sub(other: Self) -> Self;
    /// `*` that stops at the ends of the type.
    saturating_mul(other: Self) -> Self;
    /// `/` that stops at the ends of the type.
    saturating_div(other: Self) -> Self;
    /// Power that stops at the ends of the type.
    saturating_pow(exponent: u32) -> Self;
    /// `+` that wraps, and whether it does.
    overflowing_add(other: Self) -> (Self, bool);
    /// `-` that wraps, and whether it does.
    overflowing_sub(other: Self) -> (Self, bool);
    /// `*` that wraps, and whether it does.
    overflowing_mul(other: Self) -> (Self, bool);
    /// `/` that wraps, and whether it does.
    overflowing_div(other: Self) -> (Self, bool);
    /// `%`, and whether the quotient wraps.
    overflowing_rem(other: Self) -> (Self, bool);
    /// The quotient whose remainder is not negative, which wraps, and whether it does.
    overflowing_div_euclid(other: Self) -> (Self, bool);
    /// The remainder that is not negative, and whether the quotient wraps.
    overflowing_rem_euclid(other: Self) -> (Self, bool);
    /// `-x` that wraps, and whether it does.
    overflowing_neg() -> (Self, bool);
    /// Power that wraps, and whether it does.
    overflowing_pow(exponent: u32) -> (Self, bool);
    /// `<<` by a masked amount, and whether it was masked.
    overflowing_shl(amount: u32) -> (Self, bool);
    /// `>>` by a masked amount, and whether it was masked.
    overflowing_shr(amount: u32) -> (Self, bool);
    /// Half of the sum, rounded towards zero.
    midpoint(other: Self) -> Self;
    /// The square root, rounded down.
    isqrt() -> Self;
    /// The logarithm to a base, rounded down.
    ilog(base: Self) -> u32;
    /// The logarithm to base 2, rounded down.
    ilog2() -> u32;
    /// The logarithm to base 10, rounded down.
    ilog10() -> u32;
    /// Power.
    pow(exponent: u32) -> Self;
    /// Bits that leave on the left enter on the right.
    rotate_left(amount: u32) -> Self;
    /// Bits that leave on the right enter on the left.
    rotate_right(amount: u32) -> Self;
    /// The bytes in the opposite order.
    swap_bytes() -> Self;
    /// The bits in the opposite order.
    reverse_bits() -> Self;
    /// Number of one bits.
    count_ones() -> u32;
    /// Number of zero bits.
    count_zeros() -> u32;
    /// Number of zero bits above the highest one bit.
    leading_zeros() -> u32;
    /// Number of zero bits below the lowest one bit.
    trailing_zeros() -> u32;
    /// Number of one bits above the highest zero bit.
    leading_ones() -> u32;
    /// Number of one bits below the lowest zero bit.
    trailing_ones() -> u32;
}
