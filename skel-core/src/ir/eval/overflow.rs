//! Which operations overflow: what a build that checks for it panics at.

use super::{BinaryOp, Value};
use crate::ir::UnaryOp;

/// Whether `-x` overflows.
pub(super) fn of_unary(op: UnaryOp, x: &Value) -> bool {
    matches!((op, x), (UnaryOp::Neg, Value::I32(i32::MIN)))
}

/// What the panic says if `a op b` overflows.
pub(super) fn of_binary(op: BinaryOp, a: &Value, b: &Value) -> Option<&'static str> {
    let message = match op {
        BinaryOp::Add => "attempt to add with overflow",
        BinaryOp::Sub => "attempt to subtract with overflow",
        BinaryOp::Mul => "attempt to multiply with overflow",
        BinaryOp::Shl => "attempt to shift left with overflow",
        BinaryOp::Shr => "attempt to shift right with overflow",
        _ => return None,
    };
    if op.is_shift() {
        let bits = match a {
            Value::I32(_) | Value::U32(_) => 32,
            Value::Usize(_) => u64::from(usize::BITS),
            _ => return None,
        };
        let fits = match b {
            Value::I32(n) => u64::try_from(*n).is_ok_and(|n| n < bits),
            Value::U32(n) => u64::from(*n) < bits,
            Value::Usize(n) => (*n as u64) < bits,
            _ => true,
        };
        return (!fits).then_some(message);
    }
    macro_rules! fits {
        ($x:expr, $y:expr) => {
            match op {
                BinaryOp::Add => $x.checked_add(*$y).is_some(),
                BinaryOp::Sub => $x.checked_sub(*$y).is_some(),
                _ => $x.checked_mul(*$y).is_some(),
            }
        };
    }
    let fits = match (a, b) {
        (Value::I32(x), Value::I32(y)) => fits!(x, y),
        (Value::U32(x), Value::U32(y)) => fits!(x, y),
        (Value::Usize(x), Value::Usize(y)) => fits!(x, y),
        _ => true,
    };
    (!fits).then_some(message)
}
