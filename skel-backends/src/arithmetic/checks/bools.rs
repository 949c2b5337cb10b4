//! `bool`: its operators, and numbers made of it.

use super::{Check, Consequence, bits, of_two, x, y};
use crate::arithmetic::{ask::Class, samples::integer_pairs};
use skel_core::ir::{BinaryOp, Expr, Ty, UnaryOp, Value};

fn check(
    ty: &'static str,
    operation: &'static str,
    expr: Expr,
    native: fn(bool, bool) -> u64,
) -> Check {
    Check {
        ty,
        operation,
        remedy: None,
        meaning: Consequence::Wrong,
        expr,
        result: None,
        cases: of_two(&integer_pairs(32), |x, y| Some(native(x < y, x & 1 == 1))),
    }
}

/// Operators: of whether one operand is less, and whether it is odd.
pub(super) fn operators() -> Vec<Check> {
    const CLASS: Class = Class::Words;
    let number = |n| Expr::constant(Value::U32(n));
    let less = || Expr::binary(BinaryOp::Lt, x(CLASS), y(CLASS), 0);
    let odd = || {
        let last = Expr::binary(BinaryOp::BitAnd, x(CLASS), number(1), 0);
        Expr::binary(BinaryOp::Eq, last, number(1), 0)
    };
    type Native = fn(bool, bool) -> u64;
    let all: [(BinaryOp, &str, Native); 11] = [
        (BinaryOp::And, "&& of bool", |p, q| (p && q).into()),
        (BinaryOp::Or, "|| of bool", |p, q| (p || q).into()),
        (BinaryOp::BitAnd, "& of bool", |p, q| (p & q).into()),
        (BinaryOp::BitOr, "| of bool", |p, q| (p | q).into()),
        (BinaryOp::BitXor, "^ of bool", |p, q| (p ^ q).into()),
        (BinaryOp::Eq, "== of bool", |p, q| (p == q).into()),
        (BinaryOp::Ne, "!= of bool", |p, q| (p != q).into()),
        (BinaryOp::Lt, "< of bool", |p, q| (!p & q).into()),
        (BinaryOp::Le, "<= of bool", |p, q| (p <= q).into()),
        (BinaryOp::Gt, "> of bool", |p, q| (p & !q).into()),
        (BinaryOp::Ge, ">= of bool", |p, q| (p >= q).into()),
    ];
    let mut checks: Vec<Check> = all
        .into_iter()
        .map(|(op, operation, native)| {
            let e = bits(CLASS, Expr::binary(op, less(), odd(), 0));
            check("u32", operation, e, native)
        })
        .collect();
    let inverted = bits(CLASS, Expr::unary(UnaryOp::Not, less()));
    checks.push(check("u32", "! of bool", inverted, |p, _| (!p).into()));
    checks
}

/// Numbers that are 0 or 1, of the types of a class.
pub(super) fn casts(class: Class) -> Vec<Check> {
    let types: &[(Ty, &str)] = match class {
        Class::Words => &[
            (Ty::I8, "u32"),
            (Ty::U16, "u32"),
            (Ty::I32, "u32"),
            (Ty::U32, "u32"),
        ],
        Class::Longs => &[(Ty::I64, "i64"), (Ty::U64, "u64")],
        Class::F32 | Class::F64 => &[],
    };
    let casts = types.iter().map(|(ty, blamed)| {
        let less = Expr::binary(BinaryOp::Lt, x(class), y(class), 0);
        let e = bits(class, Expr::cast(less, ty.clone()));
        check(blamed, "bool as", e, |p, _| p.into())
    });
    casts.collect()
}
