//! Operators on two operands.

use super::{
    Cuda,
    types::{self, Integer},
};
use crate::codegen::Cx;
use skel_core::ir::{BinaryOp, Expr, ExprKind, TrapKind, Ty, can_trap};

impl Cuda {
    pub(super) fn binary(
        &mut self,
        cx: &mut Cx<'_>,
        e: &Expr,
        op: BinaryOp,
        (a, b): (&Expr, &Expr),
        line: u32,
    ) -> String {
        let texts = self.operands(cx, [a, b]);
        let [x, y] = texts.as_slice() else {
            return String::new();
        };
        match types::integer(&a.ty) {
            Some(int) => of_integers(cx, e, op, int, ((a, x), (b, y)), line),
            None if a.ty == Ty::Bool => of_bools(op, x, y),
            None => self.arithmetic(cx, op, &a.ty, x, y),
        }
    }

    /// An operator on floats.
    pub(super) fn arithmetic(
        &self,
        cx: &Cx<'_>,
        op: BinaryOp,
        ty: &Ty,
        x: &str,
        y: &str,
    ) -> String {
        let single = *ty == Ty::F32;
        let guarded = match op {
            BinaryOp::Rem => return format!("fmod{}({x}, {y})", if single { "f" } else { "" }),
            BinaryOp::Add => "add",
            BinaryOp::Sub => "sub",
            BinaryOp::Mul => "mul",
            _ => "",
        };
        if !guarded.is_empty() && self.guards(cx.function()) {
            let class = if single { "f" } else { "d" };
            return format!("__{class}{guarded}_rn({x}, {y})");
        }
        infix(x, op.symbol(), y)
    }
}

fn of_bools(op: BinaryOp, x: &str, y: &str) -> String {
    match op {
        BinaryOp::BitXor => infix(x, "!=", y),
        BinaryOp::BitAnd | BinaryOp::BitOr => format!("(bool){}", infix(x, op.symbol(), y)),
        _ => infix(x, op.symbol(), y),
    }
}

fn of_integers(
    cx: &mut Cx<'_>,
    e: &Expr,
    op: BinaryOp,
    int: Integer,
    ((_, x), (b, y)): ((&Expr, &str), (&Expr, &str)),
    line: u32,
) -> String {
    match op {
        BinaryOp::Add => wrapping(int, "add", x, y),
        BinaryOp::Sub => wrapping(int, "sub", x, y),
        BinaryOp::Mul => wrapping(int, "mul", x, y),
        BinaryOp::Div | BinaryOp::Rem if can_trap(e) => division(cx, op, int, [x, y], line),
        BinaryOp::Shl | BinaryOp::Shr => shift(op, int, x, (b, y)),
        BinaryOp::Div | BinaryOp::Rem | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
            cut(int, infix(x, op.symbol(), y))
        }
        _ => infix(x, op.symbol(), y),
    }
}

/// `add`, `sub` or `mul`: C++ wraps unsigned integers of 32 bits and more.
pub(super) fn wrapping(int: Integer, name: &str, x: &str, y: &str) -> String {
    if int.signed || int.is_small() {
        return format!("skel_{name}_{}({x}, {y})", int.name);
    }
    let symbol = match name {
        "add" => "+",
        "sub" => "-",
        _ => "*",
    };
    infix(x, symbol, y)
}

/// A shift by a masked amount.
pub(super) fn shift(op: BinaryOp, int: Integer, x: &str, (b, y): (&Expr, &str)) -> String {
    let amount = amount(b, y);
    if int.signed || int.is_small() {
        let name = if op == BinaryOp::Shl { "shl" } else { "shr" };
        return format!("skel_{name}_{}({x}, {amount})", int.name);
    }
    let masked = match constant_amount(b) {
        Some(n) => format!("{}u", n & u64::from(int.bits - 1)),
        None => format!("({amount} & {}u)", int.bits - 1),
    };
    infix(x, op.symbol(), &masked)
}

/// The low bits of an amount, which are all that counts, as `u32`.
fn amount(b: &Expr, y: &str) -> String {
    match constant_amount(b) {
        Some(n) => format!("{}u", n & 63),
        None if b.ty == Ty::U32 => y.to_owned(),
        None => format!("(u32){y}"),
    }
}

fn constant_amount(e: &Expr) -> Option<u64> {
    match &e.kind {
        // The low bits are the same, whatever the sign.
        ExprKind::Const(value) => value.as_integer().map(|n| n as u64),
        _ => None,
    }
}

fn division(cx: &mut Cx<'_>, op: BinaryOp, int: Integer, [x, y]: [&str; 2], line: u32) -> String {
    let name = if op == BinaryOp::Div { "div" } else { "rem" };
    let site = cx.site(TrapKind::DivideByZero, line);
    if int.signed {
        // The helper takes the next number for it.
        cx.site(TrapKind::DivideOverflow, line);
    }
    format!("skel_{name}_{}({x}, {y}, {site}u, skel_trap)", int.name)
}

/// Small integers became `int` on the way.
pub(super) fn cut(int: Integer, text: String) -> String {
    if int.is_small() {
        format!("({}){text}", int.name)
    } else {
        text
    }
}

pub(super) fn infix(x: &str, symbol: &str, y: &str) -> String {
    format!("({x} {symbol} {y})")
}
