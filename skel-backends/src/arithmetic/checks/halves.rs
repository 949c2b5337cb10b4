//! `f16`: its bits are made of those of `f32`, and the other way round, by integers and one product.

use super::{Check, Consequence, bits, of_one, x};
use crate::arithmetic::{ask::Class, samples::Format};
use skel_core::ir::{Builtin, Expr, Half, Ty};

/// `f16` of `f32`.
pub(super) fn of_singles() -> Check {
    const CLASS: Class = Class::F32;
    let half = Expr::cast(x(CLASS), Ty::F16);
    // Middles between two numbers of `f16`, and what lies beside them.
    let middles = (0..0x7c00_u32).step_by(29).flat_map(|half| {
        let middle = Half(half as u16).to_f32().to_bits() + (1 << 12);
        [middle - 1, middle, middle + 1].map(u64::from)
    });
    let mut operands = Format::F32.singles();
    operands.extend(middles);
    // NaN has many bits.
    operands.retain(|b| !Format::F32.is_nan(*b));
    let cases = of_one(&operands, |b| {
        Some(Half::from_f32(f32::from_bits(b as u32)).0.into())
    });
    Check {
        ty: "f16",
        operation: "f32 as",
        remedy: None,
        meaning: Consequence::Wrong,
        expr: bits(CLASS, Expr::builtin(Builtin::ToBits, vec![half], 0)),
        result: None,
        // What is subnormal is 0, flushed or not.
        cases,
    }
}

/// `f32` of `f16`, of all its bits.
pub(super) fn of_words() -> Check {
    const CLASS: Class = Class::Words;
    let half = Expr::builtin(Builtin::FromBits, vec![Expr::cast(x(CLASS), Ty::U16)], 0);
    let operands: Vec<u64> = (0..=u64::from(u16::MAX)).step_by(7).collect();
    let cases = of_one(&operands, |b| {
        Some(Half(b as u16).to_f32().to_bits().into())
    });
    Check {
        ty: "f16",
        operation: "as f32",
        remedy: None,
        meaning: Consequence::Wrong,
        expr: bits(CLASS, Expr::cast(half, Ty::F32)),
        result: Some(Format::F32),
        cases,
    }
}
