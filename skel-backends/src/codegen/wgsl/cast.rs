//! `as`.

use super::{
    Wgsl,
    types::{carrier, is_long, is_narrow, is_size, suffix, wrapped},
};
use crate::codegen::Cx;
use skel_core::ir::{Expr, ExprKind, TrapKind, Ty, Value};

impl Wgsl {
    pub(super) fn cast(&mut self, cx: &mut Cx<'_>, operand: &Expr, to: &Ty) -> String {
        if let ExprKind::Const(value) = &operand.kind
            && let Some(x) = value.as_integer()
        {
            match to {
                Ty::Usize if usize::try_from(x).is_ok() => {
                    return self.literal(cx, &Value::Usize(x as usize));
                }
                Ty::Isize if isize::try_from(x).is_ok() => {
                    return self.literal(cx, &Value::Isize(x as isize));
                }
                _ => {}
            }
        }
        let [x] = self.operands(cx, [operand]);
        let from = &operand.ty;
        let name = self.ty(cx, to);
        match (from, to) {
            (a, b) if a == b => x,
            // What is held is a number that `f16` has.
            (Ty::F16, Ty::F32) => x,
            (Ty::F32, Ty::F16) => format!("skel_to_f16({x})"),
            (Ty::Bool, Ty::I64) => format!("bitcast<i64>(u64(u32({x})))"),
            (Ty::Bool, Ty::U64) => format!("u64(u32({x}))"),
            (Ty::F32 | Ty::F64, to) if to.is_integer() => from_float(cx, x, from, to),
            (Ty::I64 | Ty::U64, Ty::F32 | Ty::F64) => {
                format!("skel_{}_to_{name}({x})", carrier(from))
            }
            (from, to) if from.is_integer() && to.is_integer() => integers(cx, x, from, to),
            // From `bool`, between floats, and from integers of 32 bits to the nearest float.
            _ => format!("{name}({x})"),
        }
    }
}

/// A site for a value that 32 bits do not hold.
fn narrow(cx: &mut Cx<'_>) -> usize {
    cx.site(TrapKind::Narrow, 0)
}

fn from_float(cx: &mut Cx<'_>, x: String, from: &Ty, to: &Ty) -> String {
    let float = carrier(from);
    match to {
        Ty::Usize | Ty::Isize => {
            let site = narrow(cx);
            format!("skel_{float}_to_{}({x}, {site}u)", suffix(to))
        }
        Ty::I8 => format!("clamp(skel_{float}_to_i32({x}), -128i, 127i)"),
        Ty::I16 => format!("clamp(skel_{float}_to_i32({x}), -32768i, 32767i)"),
        Ty::U8 => format!("min(skel_{float}_to_u32({x}), 255u)"),
        Ty::U16 => format!("min(skel_{float}_to_u32({x}), 65535u)"),
        _ => format!("skel_{float}_to_{}({x})", carrier(to)),
    }
}

/// Integers keep their low bits; `usize` and `isize` must fit.
fn integers(cx: &mut Cx<'_>, x: String, from: &Ty, to: &Ty) -> String {
    if is_size(to) {
        return to_size(cx, x, from, to);
    }
    if is_long(to) {
        let unsigned = match from {
            Ty::U64 => x,
            Ty::I64 => format!("bitcast<u64>({x})"),
            small if small.is_signed() && to.is_signed() => return format!("skel_i32_to_i64({x})"),
            small if small.is_signed() => format!("bitcast<u64>(skel_i32_to_i64({x}))"),
            _ => format!("u64({x})"),
        };
        return match to {
            Ty::I64 => format!("bitcast<i64>({unsigned})"),
            _ => unsigned,
        };
    }
    let word = match from {
        Ty::U64 => format!("skel_low_u64({x})"),
        Ty::I64 => format!("skel_low_u64(bitcast<u64>({x}))"),
        _ => x,
    };
    let has = if is_long(from) { "u32" } else { carrier(from) };
    let word = match (has, carrier(to)) {
        (a, b) if a == b => word,
        (_, wanted) => format!("{wanted}({word})"),
    };
    if is_narrow(to) && !includes(to, from) {
        wrapped(to, word)
    } else {
        word
    }
}

fn to_size(cx: &mut Cx<'_>, x: String, from: &Ty, to: &Ty) -> String {
    match (from, to) {
        (Ty::U8 | Ty::U16 | Ty::U32 | Ty::Usize, Ty::Usize) => x,
        (Ty::I8 | Ty::I16 | Ty::I32 | Ty::Isize, Ty::Isize) => x,
        (Ty::U8 | Ty::U16, _) => format!("i32({x})"),
        (Ty::I64, Ty::Usize) => format!("skel_u64_to_usize(bitcast<u64>({x}), {}u)", narrow(cx)),
        (Ty::U64, Ty::Isize) => format!("skel_i64_to_isize(bitcast<i64>({x}), {}u)", narrow(cx)),
        _ => {
            let site = narrow(cx);
            format!("skel_{}_to_{}({x}, {site}u)", carrier(from), suffix(to))
        }
    }
}

/// Whether every value of `from` is one of `to`.
fn includes(to: &Ty, from: &Ty) -> bool {
    let (Some(to_bits), Some(from_bits)) = (to.integer_bits(), from.integer_bits()) else {
        return false;
    };
    match (from.is_signed(), to.is_signed()) {
        (false, true) => from_bits < to_bits,
        (true, false) => false,
        _ => from_bits <= to_bits,
    }
}
