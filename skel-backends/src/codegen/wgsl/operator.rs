//! Operators on two operands.

use super::{Wgsl, literal::suffix};
use crate::codegen::Cx;
use skel_core::ir::{BinaryOp, Expr, ExprKind, TrapKind, Ty, Value, can_trap};

impl Wgsl {
    pub(super) fn binary(
        &mut self,
        cx: &mut Cx<'_>,
        e: &Expr,
        op: BinaryOp,
        (a, b): (&Expr, &Expr),
        line: u32,
    ) -> String {
        let [x, y] = self.operands(cx, [a, b]);
        let ty = &a.ty;
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul if *ty == Ty::Usize => {
                narrow(cx, op, [&x, &y], line)
            }
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => infix(&x, op.symbol(), &y),
            BinaryOp::Div | BinaryOp::Rem if ty.is_integer() && can_trap(e) => {
                division(cx, op, ty, [&x, &y], line)
            }
            BinaryOp::Rem if ty.is_float() => format!("skel_rem_{}({x}, {y})", suffix(ty)),
            BinaryOp::Div | BinaryOp::Rem => infix(&x, op.symbol(), &y),
            BinaryOp::BitXor if *ty == Ty::Bool => infix(&x, "!=", &y),
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => infix(&x, op.symbol(), &y),
            BinaryOp::Shl | BinaryOp::Shr => shift(cx, op, (ty, &x), (b, &y), line),
            BinaryOp::And | BinaryOp::Or => infix(&x, op.symbol(), &y),
            // An ordered comparison in naga's SPIR-V: false for NaN, where Rust says true.
            BinaryOp::Ne if ty.is_float() => format!("(!({x} == {y}))"),
            BinaryOp::Eq | BinaryOp::Ne => infix(&x, op.symbol(), &y),
            // WGSL does not order `bool`.
            BinaryOp::Lt if *ty == Ty::Bool => format!("((!{x}) & {y})"),
            BinaryOp::Le if *ty == Ty::Bool => format!("((!{x}) | {y})"),
            BinaryOp::Gt if *ty == Ty::Bool => format!("({x} & (!{y}))"),
            BinaryOp::Ge if *ty == Ty::Bool => format!("({x} | (!{y}))"),
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => infix(&x, op.symbol(), &y),
        }
    }
}

/// An operator on `usize` that traps where 32 bits do not hold the result.
pub(super) fn narrow(cx: &mut Cx<'_>, op: BinaryOp, [x, y]: [&str; 2], line: u32) -> String {
    let name = match op {
        BinaryOp::Add => "add",
        BinaryOp::Sub => "sub",
        BinaryOp::Mul => "mul",
        _ => "shl",
    };
    let site = cx.site(TrapKind::Narrow, line);
    format!("skel_{name}_usize({x}, {y}, {site}u)")
}

/// A shift by a masked amount.
pub(super) fn shift(
    cx: &mut Cx<'_>,
    op: BinaryOp,
    (ty, x): (&Ty, &str),
    (amount, y): (&Expr, &str),
    line: u32,
) -> String {
    let amount = match (&amount.kind, &amount.ty) {
        (ExprKind::Const(Value::I32(n)), _) => format!("{}u", n.cast_unsigned()),
        (_, Ty::I32) => format!("u32({y})"),
        _ => y.to_owned(),
    };
    match (op, ty) {
        (BinaryOp::Shl, Ty::Usize) => narrow(cx, op, [x, &amount], line),
        (_, Ty::Usize) => format!("skel_shr_usize({x}, {amount})"),
        _ => infix(x, op.symbol(), &format!("({amount} & 31u)")),
    }
}

fn division(cx: &mut Cx<'_>, op: BinaryOp, ty: &Ty, [x, y]: [&str; 2], line: u32) -> String {
    let name = if op == BinaryOp::Div { "div" } else { "rem" };
    let class = if ty.is_signed() { "i32" } else { "u32" };
    let site = cx.site(TrapKind::DivideByZero, line);
    if ty.is_signed() {
        // The helper takes the next number for it.
        cx.site(TrapKind::DivideOverflow, line);
    }
    format!("skel_{name}_{class}({x}, {y}, {site}u)")
}

pub(super) fn infix(x: &str, symbol: &str, y: &str) -> String {
    format!("({x} {symbol} {y})")
}
