//! Built-in functions of integers.
//!
//! Those of bits take the bits as `u32` (of narrow types, the others are 0) or `u64`, and give them
//! back so; `usize` and `isize` count as the 64 bits that the host has.

use super::{
    builtin::Applied,
    operator::{arithmetic, checked_division, division, infix, inverted, negated, shift},
    types::{carrier, is_long, is_narrow, is_size, suffix, wrapped, zero},
};
use crate::codegen::Cx;
use skel_core::ir::{BinaryOp, Builtin, TrapKind, Ty};

pub(super) fn builtin(cx: &mut Cx<'_>, applied: &Applied<'_>) -> String {
    match applied.texts.as_slice() {
        [x] => of_one(cx, applied, x),
        [x, y] => of_two(cx, applied, [x, y]),
        [x, y, z] if applied.builtin == Builtin::Clamp => {
            let class = carrier(applied.ty);
            if applied.traps {
                let site = cx.site(TrapKind::ClampBounds, applied.line);
                format!("skel_clamp_{class}({x}, {y}, {z}, {site}u)")
            } else if is_long(applied.ty) {
                format!("skel_limit_{class}({x}, {y}, {z})")
            } else {
                format!("clamp({x}, {y}, {z})")
            }
        }
        _ => applied.unknown(cx),
    }
}

fn of_one(cx: &mut Cx<'_>, applied: &Applied<'_>, x: &str) -> String {
    let (builtin, ty) = (applied.builtin, applied.ty);
    let (class, exact) = (carrier(ty), suffix(ty));
    match builtin {
        Builtin::Abs if *ty == Ty::Isize => {
            let site = cx.site(TrapKind::Narrow, applied.line);
            format!("skel_abs_isize({x}, {site}u)")
        }
        Builtin::Abs => wrapped(ty, format!("skel_abs_{class}({x})")),
        Builtin::Signum if is_long(ty) => format!("skel_signum_i64({x})"),
        Builtin::Signum => format!("sign({x})"),
        Builtin::UnsignedAbs if is_long(ty) => format!("skel_unsigned_abs_i64({x})"),
        Builtin::UnsignedAbs => format!("bitcast<u32>(skel_abs_i32({x}))"),
        Builtin::IsPositive => infix(x, ">", zero(ty)),
        Builtin::IsNegative => infix(x, "<", zero(ty)),
        Builtin::WrappingNeg => negated(cx, ty, x, applied.line),
        Builtin::CountOnes | Builtin::LeadingZeros | Builtin::TrailingZeros => {
            count(builtin, ty, x)
        }
        // The upper half is not there, and all zeros.
        Builtin::LeadingOnes if *ty == Ty::Usize => format!("({x} & 0u)"),
        Builtin::LeadingOnes => count(Builtin::LeadingZeros, ty, &inverted(ty, x)),
        Builtin::TrailingOnes if *ty == Ty::Usize => format!("countTrailingZeros(~{x})"),
        Builtin::TrailingOnes => count(Builtin::TrailingZeros, ty, &inverted(ty, x)),
        Builtin::SwapBytes | Builtin::ReverseBits if is_size(ty) => {
            let site = cx.site(TrapKind::Narrow, applied.line);
            format!("skel_moved_{exact}({x}, {site}u)")
        }
        Builtin::SwapBytes | Builtin::ReverseBits => {
            let bits = bits(ty, x);
            let turned = match builtin {
                Builtin::SwapBytes if is_long(ty) => format!("skel_swap_bytes_u64({bits})"),
                Builtin::SwapBytes => format!("skel_swap_bytes_u32({bits})"),
                _ if is_long(ty) => format!("skel_reverse_bits_u64({bits})"),
                _ => format!("reverseBits({bits})"),
            };
            let above = 32 - ty.integer_bits().unwrap_or(32).min(32);
            let turned = match above {
                0 => turned,
                _ => format!("({turned} >> {above}u)"),
            };
            from_bits(ty, turned)
        }
        Builtin::FromBits if is_long(ty) => format!("bitcast<f64>({x})"),
        Builtin::FromBits if *ty == Ty::U16 => format!("skel_f16_of_bits({x})"),
        Builtin::FromBits => format!("bitcast<f32>({x})"),
        _ => applied.unknown(cx),
    }
}

fn of_two(cx: &mut Cx<'_>, applied: &Applied<'_>, [x, y]: [&String; 2]) -> String {
    let (builtin, ty, line) = (applied.builtin, applied.ty, applied.line);
    let (class, exact) = (carrier(ty), suffix(ty));
    match builtin {
        Builtin::Min | Builtin::Max if is_long(ty) => {
            format!("skel_{}_{class}({x}, {y})", builtin.name())
        }
        Builtin::Min | Builtin::Max => format!("{}({x}, {y})", builtin.name()),
        Builtin::WrappingAdd => arithmetic(cx, BinaryOp::Add, ty, [x, y], line),
        Builtin::WrappingSub => arithmetic(cx, BinaryOp::Sub, ty, [x, y], line),
        Builtin::WrappingMul => arithmetic(cx, BinaryOp::Mul, ty, [x, y], line),
        Builtin::WrappingShl => shift(cx, BinaryOp::Shl, (ty, x), (&applied.args[1], y), line),
        Builtin::WrappingShr => shift(cx, BinaryOp::Shr, (ty, x), (&applied.args[1], y), line),
        Builtin::SaturatingAdd | Builtin::SaturatingSub => saturating(cx, applied, [x, y]),
        Builtin::AbsDiff => format!("skel_abs_diff_{class}({x}, {y})"),
        Builtin::IsMultipleOf => format!("skel_is_multiple_of_{class}({x}, {y})"),
        Builtin::DivEuclid | Builtin::RemEuclid if !ty.is_signed() => {
            let op = match builtin {
                Builtin::DivEuclid => BinaryOp::Div,
                _ => BinaryOp::Rem,
            };
            division(cx, applied.traps, op, ty, [x, y], line)
        }
        Builtin::DivEuclid | Builtin::RemEuclid if applied.traps => {
            checked_division(cx, builtin.name(), ty, [x, y], line)
        }
        Builtin::DivEuclid => format!("skel_euclid_div_{class}({x}, {y})"),
        Builtin::RemEuclid => format!("skel_euclid_rem_{class}({x}, {y})"),
        Builtin::RotateLeft | Builtin::RotateRight | Builtin::Pow if is_size(ty) => {
            let site = cx.site(TrapKind::Narrow, line);
            format!("skel_{}_{exact}({x}, {y}, {site}u)", turning(builtin))
        }
        Builtin::Pow if is_long(ty) => from_bits(ty, format!("skel_pow_u64({}, {y})", bits(ty, x))),
        Builtin::Pow if ty.is_signed() => {
            let power = format!("skel_pow_u32(bitcast<u32>({x}), {y})");
            wrapped(ty, format!("bitcast<i32>({power})"))
        }
        Builtin::Pow => wrapped(ty, format!("skel_pow_u32({x}, {y})")),
        Builtin::RotateLeft | Builtin::RotateRight => {
            let (name, bits) = (turning(builtin), bits(ty, x));
            let turned = match ty.integer_bits() {
                Some(64) => format!("skel_{name}_u64({bits}, {y})"),
                Some(width @ (8 | 16)) => format!("skel_{name}_narrow({bits}, {y}, {width}u)"),
                _ => format!("skel_{name}_u32({bits}, {y})"),
            };
            from_bits(ty, turned)
        }
        _ => applied.unknown(cx),
    }
}

fn turning(builtin: Builtin) -> &'static str {
    match builtin {
        Builtin::RotateLeft => "rotl",
        Builtin::RotateRight => "rotr",
        _ => "pow",
    }
}

/// Sizes do not reach the ends of their 64 bits, unless they fall below zero.
fn saturating(cx: &mut Cx<'_>, applied: &Applied<'_>, [x, y]: [&str; 2]) -> String {
    let (ty, add) = (applied.ty, applied.builtin == Builtin::SaturatingAdd);
    let (op, name) = if add {
        (BinaryOp::Add, "add")
    } else {
        (BinaryOp::Sub, "sub")
    };
    match ty {
        Ty::Isize => arithmetic(cx, op, ty, [x, y], applied.line),
        Ty::Usize if add => arithmetic(cx, op, ty, [x, y], applied.line),
        Ty::I8 => format!("clamp({x} {} {y}, -128i, 127i)", op.symbol()),
        Ty::I16 => format!("clamp({x} {} {y}, -32768i, 32767i)", op.symbol()),
        Ty::U8 if add => format!("min({x} + {y}, 255u)"),
        Ty::U16 if add => format!("min({x} + {y}, 65535u)"),
        _ => format!("skel_saturating_{name}_{}({x}, {y})", carrier(ty)),
    }
}

/// How many bits are so, of all that the host has.
fn count(what: Builtin, ty: &Ty, x: &str) -> String {
    let name = what.name();
    if is_long(ty) {
        return format!("skel_{name}_u64({})", bits(ty, x));
    }
    if is_size(ty) && !(what == Builtin::CountOnes && *ty == Ty::Usize) {
        return format!("skel_{name}_{}({x})", suffix(ty));
    }
    let bits = bits(ty, x);
    let width = ty.integer_bits().unwrap_or(32);
    match what {
        Builtin::CountOnes => format!("countOneBits({bits})"),
        Builtin::LeadingZeros if is_narrow(ty) => {
            format!("(countLeadingZeros({bits}) - {}u)", 32 - width)
        }
        Builtin::LeadingZeros => format!("countLeadingZeros({bits})"),
        _ if is_narrow(ty) => format!("min(countTrailingZeros({bits}), {width}u)"),
        _ => format!("countTrailingZeros({bits})"),
    }
}

/// The bits of a value as an unsigned number.
fn bits(ty: &Ty, x: &str) -> String {
    match ty {
        Ty::I8 => format!("(bitcast<u32>({x}) & 0xffu)"),
        Ty::I16 => format!("(bitcast<u32>({x}) & 0xffffu)"),
        Ty::I32 | Ty::Isize => format!("bitcast<u32>({x})"),
        Ty::I64 => format!("bitcast<u64>({x})"),
        _ => x.to_owned(),
    }
}

/// The value that has these bits.
fn from_bits(ty: &Ty, bits: String) -> String {
    match ty {
        Ty::I8 | Ty::I16 => wrapped(ty, format!("bitcast<i32>({bits})")),
        Ty::I32 => format!("bitcast<i32>({bits})"),
        Ty::I64 => format!("bitcast<i64>({bits})"),
        _ => bits,
    }
}
