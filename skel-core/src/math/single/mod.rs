//! The functions of `f32`: `+ - *`, comparisons, selections and integers; divisions and roots where there is no other
//! way. No `mul_add`, which baseline CPUs compute in software and devices may compute by integers; no table; no `f64`.
//!
//! Coefficients are minimax polynomials of this project's own (Remez, with each coefficient in turn rounded to
//! `f32` and the others fitted again). All are branchless where both ways are cheap, so that loops vectorise.

pub(crate) mod angle;
pub(crate) mod arc;
pub(crate) mod exp;
pub(crate) mod hyperbolic;
pub(crate) mod ln;
pub(crate) mod power;
pub(crate) mod root;
pub(crate) mod sin;
