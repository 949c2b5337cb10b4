//! Traits for generic user functions.
//!
//! The methods live in supertraits that the prelude does not bring into scope. A type parameter with
//! the bound finds them all the same, and `1_u32.min(2)` does not become ambiguous between `Ord`
//! and a trait of ours.

use super::link::{Method, Scalar, class};
use crate::math::Math;
use std::ops::{
    Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign,
};

/// What stands for a value where `f32` computes for `f16`.
#[cfg(feature = "half")]
pub(crate) trait Widened {
    type Wide;
    fn wide(self) -> Self::Wide;
    fn of_wide(wide: Self::Wide) -> Self;
}

/// `f32`, `f64`, `f16` (feature `half`) and all integers of up to 64 bits: arithmetic, comparison, and the methods of
/// [`NumberMethods`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a `Number`",
    note = "numbers are `f32`, `f64`, `f16` (feature `half`) and the integers of up to 64 bits"
)]
pub trait Number:
    Scalar
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + RemAssign
    + Method<class::Number>
    + NumberMethods
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
}

/// `f32`, `f64` and `f16` (feature `half`): a [`Number`] with a sign, roots, and the other methods of [`FloatMethods`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a `Float`",
    note = "floats are `f32`, `f64` and `f16` (feature `half`)"
)]
pub trait Float:
    Number + Neg<Output = Self> + Method<class::Signed> + Method<class::Float> + FloatMethods + Math
{
}

/// Methods of every [`Number`]; on primitive types, those of `std`.
pub trait NumberMethods: Sized {
    /// The number, converted as `as` does it: a constant in a generic function, `T::from_i32(2)`.
    #[must_use]
    fn from_i32(value: i32) -> Self;
    /// The smaller; of a number and NaN, the number.
    #[must_use]
    fn min(self, other: Self) -> Self;
    /// The larger; of a number and NaN, the number.
    #[must_use]
    fn max(self, other: Self) -> Self;
    /// The nearest value from `low` to `high`.
    ///
    /// # Panics
    /// If `low > high`, or either is NaN.
    #[must_use]
    fn clamp(self, low: Self, high: Self) -> Self;
    /// The quotient whose remainder is not negative.
    ///
    /// # Panics
    /// Of integers, as `/` does.
    #[must_use]
    fn div_euclid(self, divisor: Self) -> Self;
    /// The remainder that is not negative.
    ///
    /// # Panics
    /// Of integers, as `%` does.
    #[must_use]
    fn rem_euclid(self, divisor: Self) -> Self;
}

macro_rules! numbers {
    ($($t:ident: $zero:literal, $one:literal, methods of $owner:ident;)*) => { $(
        impl Number for $t {
            const ZERO: $t = $zero;
            const ONE: $t = $one;
        }

        impl NumberMethods for $t {
            #[inline(always)]
            fn from_i32(value: i32) -> $t {
                value as $t
            }

            #[inline(always)]
            fn min(self, other: $t) -> $t {
                $owner::min(self, other)
            }

            #[inline(always)]
            fn max(self, other: $t) -> $t {
                $owner::max(self, other)
            }

            #[inline(always)]
            fn clamp(self, low: $t, high: $t) -> $t {
                $owner::clamp(self, low, high)
            }

            #[inline(always)]
            fn div_euclid(self, divisor: $t) -> $t {
                <$t>::div_euclid(self, divisor)
            }

            #[inline(always)]
            fn rem_euclid(self, divisor: $t) -> $t {
                <$t>::rem_euclid(self, divisor)
            }
        }
    )* };
}
numbers! {
    f32: 0.0, 1.0, methods of f32;
    f64: 0.0, 1.0, methods of f64;
    i8: 0, 1, methods of Ord;
    i16: 0, 1, methods of Ord;
    i32: 0, 1, methods of Ord;
    i64: 0, 1, methods of Ord;
    isize: 0, 1, methods of Ord;
    u8: 0, 1, methods of Ord;
    u16: 0, 1, methods of Ord;
    u32: 0, 1, methods of Ord;
    u64: 0, 1, methods of Ord;
    usize: 0, 1, methods of Ord;
}

macro_rules! float_methods {
    ($($(#[$doc:meta])* $name:ident($($arg:ident: $ty:ty),*) -> $ret:ty;)*) => {
        /// Methods of every [`Float`]; on `f32` and `f64`, those of `std`; of `f16`, those of `f32`, rounded.
        /// In user functions, `exp`, `sin` and their like are [`crate::math`]'s.
        #[expect(clippy::wrong_self_convention, reason = "floats have them so")]
        pub trait FloatMethods: Sized {
            /// The nearest float: a constant in a generic function, `T::from_f64(0.5)`. (`f16` rounds twice, by
            /// way of `f32`.)
            #[must_use]
            fn from_f64(value: f64) -> Self;
            $($(#[$doc])* #[must_use] fn $name(self $(, $arg: $ty)*) -> $ret;)*
        }

        float_methods!(@impl f32 $($name($($arg: $ty),*) -> $ret;)*);
        float_methods!(@impl f64 $($name($($arg: $ty),*) -> $ret;)*);

        #[cfg(feature = "half")]
        impl Float for half::f16 {}

        #[cfg(feature = "half")]
        impl FloatMethods for half::f16 {
            #[inline(always)]
            fn from_f64(value: f64) -> half::f16 {
                half::f16::from_f32(value as f32)
            }

            $(
                #[inline(always)]
                fn $name(self $(, $arg: $ty)*) -> $ret {
                    Widened::of_wide(<f32>::$name(self.wide() $(, $arg.wide())*))
                }
            )*
        }
    };
    (@impl $t:ident $($name:ident($($arg:ident: $ty:ty),*) -> $ret:ty;)*) => {
        impl Float for $t {}

        impl FloatMethods for $t {
            #[inline(always)]
            fn from_f64(value: f64) -> $t {
                value as $t
            }

            $(
                #[inline(always)]
                fn $name(self $(, $arg: $ty)*) -> $ret {
                    <$t>::$name(self $(, $arg)*)
                }
            )*
        }
    };
}

float_methods! {
    /// Absolute value.
    abs() -> Self;
    /// ±1 by the sign bit; NaN of NaN.
    signum() -> Self;
    /// Square root.
    sqrt() -> Self;
    /// Towards minus infinity.
    floor() -> Self;
    /// Towards plus infinity.
    ceil() -> Self;
    /// To nearest, ties away from zero.
    round() -> Self;
    /// Towards zero.
    trunc() -> Self;
    /// `x - x.trunc()`.
    fract() -> Self;
    /// Sine.
    sin() -> Self;
    /// Cosine.
    cos() -> Self;
    /// Tangent.
    tan() -> Self;
    /// e to the power of x.
    exp() -> Self;
    /// 2 to the power of x.
    exp2() -> Self;
    /// Natural logarithm.
    ln() -> Self;
    /// Logarithm to base 2.
    log2() -> Self;
    /// Power with a float exponent.
    powf(exponent: Self) -> Self;
    /// Power with an integer exponent.
    powi(exponent: i32) -> Self;
    /// `self * factor + summand`, rounded once.
    mul_add(factor: Self, summand: Self) -> Self;
    /// The magnitude of `self` with the sign of `sign`.
    copysign(sign: Self) -> Self;
    /// `1 / x`.
    recip() -> Self;
    /// To nearest, ties to even.
    round_ties_even() -> Self;
    /// Radians as degrees.
    to_degrees() -> Self;
    /// Degrees as radians.
    to_radians() -> Self;
    /// Arc sine.
    asin() -> Self;
    /// Arc cosine.
    acos() -> Self;
    /// Arc tangent.
    atan() -> Self;
    /// The angle of the point (x, self).
    atan2(x: Self) -> Self;
    /// Hyperbolic sine.
    sinh() -> Self;
    /// Hyperbolic cosine.
    cosh() -> Self;
    /// Hyperbolic tangent.
    tanh() -> Self;
    /// The length of the vector (self, y).
    hypot(y: Self) -> Self;
    /// `exp(x) - 1`, exact near 0.
    exp_m1() -> Self;
    /// `ln(1 + x)`, exact near 0.
    ln_1p() -> Self;
    /// Logarithm to base 10.
    log10() -> Self;
    /// Logarithm to a base: `self.ln() / base.ln()`.
    log(base: Self) -> Self;
    /// Cube root.
    cbrt() -> Self;
    /// Whether the sign bit is 0.
    is_sign_positive() -> bool;
    /// Whether the sign bit is 1.
    is_sign_negative() -> bool;
    /// Whether it is NaN.
    is_nan() -> bool;
    /// Neither NaN nor infinite.
    is_finite() -> bool;
    /// Plus or minus infinity.
    is_infinite() -> bool;
}
