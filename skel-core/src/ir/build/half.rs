//! `f16` computes in `f32`, rounded after each operation: as the crate `half` does it on CPUs, and, for
//! `+ - * / sqrt`, with the bits that exact arithmetic would round to.

use crate::ir::{Builtin, Expr, ExprKind, Half, Ty, Value};

/// An `f16` as `f32`; any other value as it is.
pub(super) fn widened(value: Expr) -> Expr {
    match value.kind {
        _ if value.ty != Ty::F16 => value,
        ExprKind::Const(Value::F16(x)) => Expr::constant(Value::F32(x.to_f32())),
        _ => super::arithmetic::cast(value, Ty::F32),
    }
}

/// An `f32` as the nearest `f16`.
pub(super) fn rounded(value: Expr) -> Expr {
    match value.kind {
        ExprKind::Const(Value::F32(x)) => Expr::constant(Value::F16(Half::from_f32(x))),
        _ => super::arithmetic::cast(value, Ty::F16),
    }
}

/// The type whose built-in method `name` a receiver of type `ty` has.
pub(super) fn receiver<'t>(name: &str, ty: &'t Ty) -> &'t Ty {
    match ty {
        Ty::F16 if name != Builtin::ToBits.name() => &Ty::F32,
        own => own,
    }
}
