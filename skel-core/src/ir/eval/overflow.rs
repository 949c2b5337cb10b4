//! Which operations overflow: what a build that checks for it panics at.

use super::{BinaryOp, Value};
use crate::ir::UnaryOp;

/// Whether `-x` overflows.
pub(super) fn of_unary(op: UnaryOp, x: &Value) -> bool {
    if op != UnaryOp::Neg {
        return false;
    }
    match x {
        Value::I8(x) => *x == i8::MIN,
        Value::I16(x) => *x == i16::MIN,
        Value::I32(x) => *x == i32::MIN,
        Value::I64(x) => *x == i64::MIN,
        Value::Isize(x) => *x == isize::MIN,
        _ => false,
    }
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
        let bits = a.ty().integer_bits()?;
        let fits = b
            .as_integer()
            .is_none_or(|n| (0..i128::from(bits)).contains(&n));
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
        (Value::I8(x), Value::I8(y)) => fits!(x, y),
        (Value::I16(x), Value::I16(y)) => fits!(x, y),
        (Value::I32(x), Value::I32(y)) => fits!(x, y),
        (Value::I64(x), Value::I64(y)) => fits!(x, y),
        (Value::Isize(x), Value::Isize(y)) => fits!(x, y),
        (Value::U8(x), Value::U8(y)) => fits!(x, y),
        (Value::U16(x), Value::U16(y)) => fits!(x, y),
        (Value::U32(x), Value::U32(y)) => fits!(x, y),
        (Value::U64(x), Value::U64(y)) => fits!(x, y),
        (Value::Usize(x), Value::Usize(y)) => fits!(x, y),
        _ => true,
    };
    (!fits).then_some(message)
}
