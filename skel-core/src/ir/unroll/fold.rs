//! Constants in place of operations on constants.

use super::Known;
use crate::ir::{BinaryOp, Expr, ExprKind, Ty, Value, eval};

/// Whether locals of this type are followed: integers and flags.
pub(super) fn is_followed(ty: &Ty) -> bool {
    matches!(ty, Ty::Bool) || ty.is_integer()
}

/// Whether two values that are followed are the same.
pub(super) fn same(a: &Value, b: &Value) -> bool {
    a.ty() == b.ty()
        && match (a, b) {
            (Value::Bool(a), Value::Bool(b)) => a == b,
            _ => a.as_integer() == b.as_integer(),
        }
}

/// Replaces what is known. What traps stays, so that it traps; floats stay, since they are rounded where they are
/// computed; and so does what a device of 32 bits cannot count.
pub(super) fn fold(e: &mut Expr, known: &Known) {
    if let ExprKind::Local(local) = &e.kind {
        if let Some(value) = known.get(local) {
            *e = Expr::constant(value.clone());
        }
        return;
    }
    for part in e.parts_mut() {
        fold(part, known);
    }
    let folded = match &e.kind {
        ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b, _) => {
            match (&a.kind, matches!(op, BinaryOp::And)) {
                (ExprKind::Const(Value::Bool(true)), true)
                | (ExprKind::Const(Value::Bool(false)), false) => Some((**b).clone()),
                (ExprKind::Const(Value::Bool(decided)), _) => {
                    Some(Expr::constant(Value::Bool(*decided)))
                }
                _ => None,
            }
        }
        ExprKind::Unary(op, x) => of(x).map(|x| Expr::constant(eval::unary(*op, x))),
        ExprKind::Binary(op, a, b, _) => {
            let both = of(a).zip(of(b));
            let value = both.and_then(|(a, b)| eval::binary(*op, a, b).ok());
            value.map(Expr::constant)
        }
        ExprKind::Cast(x) if is_followed(&e.ty) => {
            of(x).map(|x| Expr::constant(eval::cast(&x, &e.ty)))
        }
        ExprKind::Builtin(builtin, args, _) if is_followed(&e.ty) => {
            let args: Option<Vec<Value>> = args.iter().map(of).collect();
            let value = args.and_then(|args| eval::builtin(*builtin, &args).ok());
            value.map(Expr::constant)
        }
        _ => None,
    };
    if let Some(folded) = folded
        && counts(&folded)
    {
        *e = folded;
    }
}

/// The constant that it is, if it is one that is followed.
fn of(e: &Expr) -> Option<Value> {
    match &e.kind {
        ExprKind::Const(value) if is_followed(&e.ty) => Some(value.clone()),
        _ => None,
    }
}

/// Whether a `usize` or `isize` of 32 bits has it, too.
fn counts(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Const(Value::Usize(n)) => u32::try_from(*n).is_ok(),
        ExprKind::Const(Value::Isize(n)) => i32::try_from(*n).is_ok(),
        _ => true,
    }
}
