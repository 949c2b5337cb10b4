//! Operators.

use super::{
    Wgsl,
    types::{carrier, is_long, is_narrow, is_size, suffix, wrapped, zero},
};
use crate::{arithmetic::Remedy, codegen::Cx};
use skel_core::ir::{BinaryOp, Expr, ExprKind, TrapKind, Ty, UnaryOp, can_trap};

impl Wgsl {
    pub(super) fn unary(&mut self, cx: &mut Cx<'_>, op: UnaryOp, operand: &Expr) -> String {
        let [x] = self.operands(cx, [operand]);
        match (op, &operand.ty) {
            (UnaryOp::Neg, ty) => negated(cx, ty, &x, 0),
            (UnaryOp::Not, Ty::Bool) => format!("(!{x})"),
            (UnaryOp::Not, Ty::Usize) => {
                let site = cx.site(TrapKind::Narrow, 0);
                format!("skel_not_usize({x}, {site}u)")
            }
            (UnaryOp::Not, ty) => inverted(ty, &x),
        }
    }

    pub(super) fn binary(
        &mut self,
        cx: &mut Cx<'_>,
        e: &Expr,
        op: BinaryOp,
        (a, b): (&Expr, &Expr),
        line: u32,
    ) -> String {
        let [mut x, mut y] = self.operands(cx, [a, b]);
        let ty = &a.ty;
        let rounds = matches!(
            op,
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div
        );
        // Mesa takes what it knows of a value in 32 bits for what it knows of it in 64.
        let misjudged = is_long(ty) && op.is_comparison();
        if self.remedies.has(Remedy::HideOperands) && (ty.is_float() && rounds || misjudged) {
            [x, y] = [x, y].map(|text| self.hide(ty, &text));
        } else if op.is_comparison() && ty.is_integer() {
            [x, y] = [x, y].map(|text| self.of_loops(text));
        }
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => arithmetic(cx, op, ty, [&x, &y], line),
            BinaryOp::Div | BinaryOp::Rem if ty.is_integer() => {
                division(cx, can_trap(e), op, ty, [&x, &y], line)
            }
            BinaryOp::Rem => format!("skel_rem_{}({x}, {y})", carrier(ty)),
            BinaryOp::Div => self.quotient(ty, &x, &y),
            BinaryOp::BitXor if *ty == Ty::Bool => infix(&x, "!=", &y),
            BinaryOp::Shl | BinaryOp::Shr => shift(cx, op, (ty, &x), (b, &y), line),
            // An ordered comparison in naga's SPIR-V: false for NaN, where Rust says true.
            BinaryOp::Ne if ty.is_float() => format!("(!({x} == {y}))"),
            // WGSL does not order `bool`.
            BinaryOp::Lt if *ty == Ty::Bool => format!("((!{x}) & {y})"),
            BinaryOp::Le if *ty == Ty::Bool => format!("((!{x}) | {y})"),
            BinaryOp::Gt if *ty == Ty::Bool => format!("({x} & (!{y}))"),
            BinaryOp::Ge if *ty == Ty::Bool => format!("({x} | (!{y}))"),
            _ => infix(&x, op.symbol(), &y),
        }
    }
}

impl Wgsl {
    /// An operand of this type, hidden from the driver's optimiser: see [`Remedy::HideOperands`].
    pub(super) fn hide(&mut self, ty: &Ty, operand: &str) -> String {
        self.hidden = true;
        format!("skel_hidden_{}({operand})", carrier(ty))
    }

    /// `x / y` of floats.
    pub(super) fn quotient(&self, ty: &Ty, x: &str, y: &str) -> String {
        let remedy = match ty {
            Ty::F64 => Remedy::DivF64,
            _ => Remedy::DivF32,
        };
        if self.remedies.has(remedy) {
            format!("skel_div_{}({x}, {y})", carrier(ty))
        } else {
            infix(x, "/", y)
        }
    }
}

/// `+`, `-` or `*`, which wraps; on `usize` and `isize` it traps where 32 bits do not hold the result.
pub(super) fn arithmetic(
    cx: &mut Cx<'_>,
    op: BinaryOp,
    ty: &Ty,
    [x, y]: [&str; 2],
    line: u32,
) -> String {
    if is_size(ty) {
        let name = match op {
            BinaryOp::Add => "add",
            BinaryOp::Sub => "sub",
            _ => "mul",
        };
        let site = cx.site(TrapKind::Narrow, line);
        return format!("skel_{name}_{}({x}, {y}, {site}u)", suffix(ty));
    }
    cut(ty, infix(x, op.symbol(), y))
}

/// A minus sign, or its like of unsigned types.
pub(super) fn negated(cx: &mut Cx<'_>, ty: &Ty, x: &str, line: u32) -> String {
    if is_size(ty) {
        return arithmetic(cx, BinaryOp::Sub, ty, [zero(ty), x], line);
    }
    if ty.is_signed() || ty.is_float() {
        cut(ty, format!("(-{x})"))
    } else {
        cut(ty, infix(zero(ty), "-", x))
    }
}

/// All bits the other way round; of `usize` only those that are there.
pub(super) fn inverted(ty: &Ty, x: &str) -> String {
    match ty {
        Ty::U8 | Ty::U16 => cut(ty, format!("(~{x})")),
        _ => format!("(~{x})"),
    }
}

/// [`wrapped`] without doubled parentheses.
fn cut(ty: &Ty, text: String) -> String {
    match text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        Some(inner) if is_narrow(ty) => wrapped(ty, inner.to_owned()),
        _ => text,
    }
}

/// A shift by a masked amount.
pub(super) fn shift(
    cx: &mut Cx<'_>,
    op: BinaryOp,
    (ty, x): (&Ty, &str),
    (amount, y): (&Expr, &str),
    line: u32,
) -> String {
    let amount = match &amount.kind {
        ExprKind::Const(value) => format!("{}u", value.as_integer().unwrap_or(0) & 63),
        _ => match carrier(&amount.ty) {
            "i32" => format!("u32({y})"),
            "i64" => format!("skel_low_u64(bitcast<u64>({y}))"),
            "u64" => format!("skel_low_u64({y})"),
            _ => y.to_owned(),
        },
    };
    if is_size(ty) {
        return if op == BinaryOp::Shl {
            let site = cx.site(TrapKind::Narrow, line);
            format!("skel_shl_{}({x}, {amount}, {site}u)", suffix(ty))
        } else {
            format!("skel_shr_{}({x}, {amount})", suffix(ty))
        };
    }
    let mask = ty.integer_bits().unwrap_or(32) - 1;
    let shifted = infix(x, op.symbol(), &format!("({amount} & {mask}u)"));
    if op == BinaryOp::Shl {
        cut(ty, shifted)
    } else {
        shifted
    }
}

/// `/` or `%` of integers.
pub(super) fn division(
    cx: &mut Cx<'_>,
    traps: bool,
    op: BinaryOp,
    ty: &Ty,
    [x, y]: [&str; 2],
    line: u32,
) -> String {
    if !traps {
        return infix(x, op.symbol(), y);
    }
    let name = if op == BinaryOp::Div { "div" } else { "rem" };
    checked_division(cx, name, ty, [x, y], line)
}

/// A helper that divides and traps.
pub(super) fn checked_division(
    cx: &mut Cx<'_>,
    name: &str,
    ty: &Ty,
    [x, y]: [&str; 2],
    line: u32,
) -> String {
    let site = cx.site(TrapKind::DivideByZero, line);
    // The helpers of signed types take the next number for what overflows; on the host, `isize` is
    // wide enough for all quotients of what fits here.
    let class = match ty {
        Ty::Isize => {
            cx.site(TrapKind::Narrow, line);
            suffix(ty)
        }
        signed if signed.is_signed() => {
            cx.site(TrapKind::DivideOverflow, line);
            suffix(ty)
        }
        long if is_long(long) => "u64",
        _ => "u32",
    };
    format!("skel_{name}_{class}({x}, {y}, {site}u)")
}

pub(super) fn infix(x: &str, symbol: &str, y: &str) -> String {
    format!("({x} {symbol} {y})")
}
