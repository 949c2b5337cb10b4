//! The functions of `f64`, made as those of `f32` are: `+ - *`, comparisons, selections and integers of 64 bits;
//! divisions and roots where there is no other way. No `mul_add`, no table, no conversion between integers and floats,
//! for which AVX2 has no instruction: bits are moved instead.
//!
//! Coefficients are minimax polynomials of this project's own: Remez's exchange in 50 digits, weighted by what the
//! polynomial is a part of, with each coefficient in turn, from the lowest, rounded to `f64` and the others fitted again
//! (those of exponentials, whose interval is symmetric, are rounded at once). Beside each stands the error that this
//! leaves in the result, relative to it.

pub(crate) mod angle;
pub(crate) mod arc;
pub(crate) mod exp;
pub(crate) mod hyperbolic;
pub(crate) mod ln;
pub(crate) mod power;
pub(crate) mod root;
pub(crate) mod sin;
