//! Operators, casts and built-in functions on values, as Rust defines them in release builds.

use crate::ir::{BinaryOp, Builtin, TrapKind, Ty, UnaryOp, Value};
use std::cmp::Ordering::{Equal, Less};

/// `$body` for the numbers that both operands are, wrapped again; `x` and `y` are bound to them.
macro_rules! numbers {
    ($a:expr, $b:expr, $x:ident, $y:ident, int $int:expr, float $float:expr) => {
        match ($a, $b) {
            (Value::F32($x), Value::F32($y)) => Value::F32($float),
            (Value::F64($x), Value::F64($y)) => Value::F64($float),
            (Value::I32($x), Value::I32($y)) => Value::I32($int),
            (Value::U32($x), Value::U32($y)) => Value::U32($int),
            (Value::Usize($x), Value::Usize($y)) => Value::Usize($int),
            (a, b) => mismatch("arithmetic", &a, &b),
        }
    };
}

macro_rules! bits {
    ($a:expr, $b:expr, $x:ident, $y:ident, $body:expr) => {
        match ($a, $b) {
            (Value::Bool($x), Value::Bool($y)) => Value::Bool($body),
            (Value::I32($x), Value::I32($y)) => Value::I32($body),
            (Value::U32($x), Value::U32($y)) => Value::U32($body),
            (Value::Usize($x), Value::Usize($y)) => Value::Usize($body),
            (a, b) => mismatch("bits", &a, &b),
        }
    };
}

macro_rules! compare {
    ($a:expr, $b:expr, $x:ident, $y:ident, $body:expr) => {
        Value::Bool(match ($a, $b) {
            (Value::Bool($x), Value::Bool($y)) => $body,
            (Value::I32($x), Value::I32($y)) => $body,
            (Value::U32($x), Value::U32($y)) => $body,
            (Value::Usize($x), Value::Usize($y)) => $body,
            (Value::F32($x), Value::F32($y)) => $body,
            (Value::F64($x), Value::F64($y)) => $body,
            (a, b) => return Ok(mismatch("comparison", &a, &b)),
        })
    };
}

/// `$body` for two integers of one type, wrapped again.
macro_rules! integers {
    ($a:expr, $b:expr, $x:ident, $y:ident, $body:expr) => {
        match ($a, $b) {
            (Value::I32($x), Value::I32($y)) => Value::I32($body),
            (Value::U32($x), Value::U32($y)) => Value::U32($body),
            (Value::Usize($x), Value::Usize($y)) => Value::Usize($body),
            (a, b) => mismatch("integers", &a, &b),
        }
    };
}

/// `$body` for an integer, wrapped again.
macro_rules! integer {
    ($a:expr, $x:ident, $body:expr) => {
        match $a {
            Value::I32($x) => Value::I32($body),
            Value::U32($x) => Value::U32($body),
            Value::Usize($x) => Value::Usize($body),
            a => mismatch("integer", &a, &Value::Unit),
        }
    };
}

fn mismatch(what: &str, a: &Value, b: &Value) -> Value {
    unreachable!("{what} on {a:?} and {b:?} in a valid program")
}

pub(super) fn unary(op: UnaryOp, value: Value) -> Value {
    match (op, value) {
        (UnaryOp::Neg, Value::F32(x)) => Value::F32(-x),
        (UnaryOp::Neg, Value::F64(x)) => Value::F64(-x),
        (UnaryOp::Neg, x) => integer!(x, x, x.wrapping_neg()),
        (UnaryOp::Not, Value::Bool(x)) => Value::Bool(!x),
        (UnaryOp::Not, x) => integer!(x, x, !x),
    }
}

#[expect(
    clippy::bool_comparison,
    reason = "one body serves all types, `bool` among them"
)]
pub(super) fn binary(op: BinaryOp, a: Value, b: Value) -> Result<Value, TrapKind> {
    Ok(match op {
        BinaryOp::Add => numbers!(a, b, x, y, int x.wrapping_add(y), float x + y),
        BinaryOp::Sub => numbers!(a, b, x, y, int x.wrapping_sub(y), float x - y),
        BinaryOp::Mul => numbers!(a, b, x, y, int x.wrapping_mul(y), float x * y),
        BinaryOp::Div => {
            check_divisor(&a, &b)?;
            numbers!(a, b, x, y, int x.wrapping_div(y), float x / y)
        }
        BinaryOp::Rem => {
            check_divisor(&a, &b)?;
            numbers!(a, b, x, y, int x.wrapping_rem(y), float x % y)
        }
        BinaryOp::BitAnd => bits!(a, b, x, y, x & y),
        BinaryOp::BitOr => bits!(a, b, x, y, x | y),
        BinaryOp::BitXor => bits!(a, b, x, y, x ^ y),
        BinaryOp::Shl => {
            let amount = amount(&b);
            integer!(a, x, x.wrapping_shl(amount))
        }
        BinaryOp::Shr => {
            let amount = amount(&b);
            integer!(a, x, x.wrapping_shr(amount))
        }
        BinaryOp::Eq => compare!(a, b, x, y, x == y),
        BinaryOp::Ne => compare!(a, b, x, y, x != y),
        BinaryOp::Lt => compare!(a, b, x, y, x < y),
        BinaryOp::Le => compare!(a, b, x, y, x <= y),
        BinaryOp::Gt => compare!(a, b, x, y, x > y),
        BinaryOp::Ge => compare!(a, b, x, y, x >= y),
        BinaryOp::And | BinaryOp::Or => mismatch("`&&` or `||` without short circuit", &a, &b),
    })
}

pub(super) fn check_divisor(a: &Value, b: &Value) -> Result<(), TrapKind> {
    match (a, b) {
        (_, Value::I32(0) | Value::U32(0) | Value::Usize(0)) => Err(TrapKind::DivideByZero),
        (Value::I32(i32::MIN), Value::I32(-1)) => Err(TrapKind::DivideOverflow),
        _ => Ok(()),
    }
}

/// A shift amount; only its low bits count.
fn amount(value: &Value) -> u32 {
    match value {
        Value::I32(x) => *x as u32,
        Value::U32(x) => *x,
        Value::Usize(x) => *x as u32,
        other => {
            mismatch("shift amount", other, &Value::Unit);
            0
        }
    }
}

pub(super) fn cast(value: &Value, ty: &Ty) -> Value {
    macro_rules! to {
        ($x:expr) => {
            match ty {
                Ty::I32 => Value::I32($x as i32),
                Ty::U32 => Value::U32($x as u32),
                Ty::Usize => Value::Usize($x as usize),
                Ty::F32 => Value::F32($x as f32),
                Ty::F64 => Value::F64($x as f64),
                Ty::Bool | Ty::Unit | Ty::Struct(_) => mismatch("cast", value, &Value::zero(ty)),
            }
        };
    }
    match value {
        Value::Bool(x) if *ty == Ty::Bool => Value::Bool(*x),
        Value::Bool(x) => to!(u32::from(*x)),
        Value::I32(x) => to!(*x),
        Value::U32(x) => to!(*x),
        Value::Usize(x) => to!(*x),
        Value::F32(x) => to!(*x),
        Value::F64(x) => to!(*x),
        Value::Unit | Value::Struct(..) => mismatch("cast", value, &Value::Unit),
    }
}

pub(super) fn builtin(builtin: Builtin, args: &[Value]) -> Result<Value, TrapKind> {
    if let Some(result) = super::method::method(builtin, args) {
        return result;
    }
    match &args[0] {
        Value::F32(x) => float::<f32>(builtin, *x, args),
        Value::F64(x) => float::<f64>(builtin, *x, args),
        _ => integer(builtin, args),
    }
}

/// What [`float`] needs of `f32` and `f64`.
trait Flt: crate::user_function::Float {
    fn of(value: &Value) -> Self;
}

impl Flt for f32 {
    fn of(value: &Value) -> f32 {
        match value {
            Value::F32(x) => *x,
            other => unreachable!("{other:?} where an f32 is, in a valid program"),
        }
    }
}

impl Flt for f64 {
    fn of(value: &Value) -> f64 {
        match value {
            Value::F64(x) => *x,
            other => unreachable!("{other:?} where an f64 is, in a valid program"),
        }
    }
}

fn float<T: Flt>(builtin: Builtin, x: T, args: &[Value]) -> Result<Value, TrapKind> {
    let arg = |k: usize| T::of(&args[k]);
    let result = match builtin {
        Builtin::Abs => x.abs(),
        Builtin::Min => x.min(arg(1)),
        Builtin::Max => x.max(arg(1)),
        // Bounds with a NaN among them are in no order.
        Builtin::Clamp if !matches!(arg(1).partial_cmp(&arg(2)), Some(Less | Equal)) => {
            return Err(TrapKind::ClampBounds);
        }
        Builtin::Clamp => x.clamp(arg(1), arg(2)),
        Builtin::Signum => x.signum(),
        Builtin::Sqrt => x.sqrt(),
        Builtin::Floor => x.floor(),
        Builtin::Ceil => x.ceil(),
        Builtin::Round => x.round(),
        Builtin::Trunc => x.trunc(),
        Builtin::Fract => x.fract(),
        Builtin::Sin => x.sin(),
        Builtin::Cos => x.cos(),
        Builtin::Tan => x.tan(),
        Builtin::Exp => x.exp(),
        Builtin::Exp2 => x.exp2(),
        Builtin::Ln => x.ln(),
        Builtin::Log2 => x.log2(),
        Builtin::Powf => x.powf(arg(1)),
        Builtin::Powi => match &args[1] {
            Value::I32(exponent) => x.powi(*exponent),
            other => unreachable!("{other:?} as an exponent in a valid program"),
        },
        Builtin::MulAdd => x.mul_add(arg(1), arg(2)),
        Builtin::Copysign => x.copysign(arg(1)),
        Builtin::Recip => x.recip(),
        Builtin::RoundTiesEven => x.round_ties_even(),
        Builtin::ToDegrees => x.to_degrees(),
        Builtin::ToRadians => x.to_radians(),
        Builtin::DivEuclid => x.div_euclid(arg(1)),
        Builtin::RemEuclid => x.rem_euclid(arg(1)),
        Builtin::Asin => x.asin(),
        Builtin::Acos => x.acos(),
        Builtin::Atan => x.atan(),
        Builtin::Atan2 => x.atan2(arg(1)),
        Builtin::Sinh => x.sinh(),
        Builtin::Cosh => x.cosh(),
        Builtin::Tanh => x.tanh(),
        Builtin::Hypot => x.hypot(arg(1)),
        Builtin::ExpM1 => x.exp_m1(),
        Builtin::Ln1p => x.ln_1p(),
        Builtin::Log10 => x.log10(),
        Builtin::Cbrt => x.cbrt(),
        Builtin::IsNan => return Ok(Value::Bool(x.is_nan())),
        Builtin::IsFinite => return Ok(Value::Bool(x.is_finite())),
        Builtin::IsInfinite => return Ok(Value::Bool(x.is_infinite())),
        other => unreachable!("{other:?} of a float in a valid program"),
    };
    Ok(result.to_value())
}

fn integer(builtin: Builtin, args: &[Value]) -> Result<Value, TrapKind> {
    let x = args[0].clone();
    let y = args.get(1).cloned().unwrap_or(Value::Unit);
    Ok(match builtin {
        Builtin::Abs => match x {
            Value::I32(x) => Value::I32(x.wrapping_abs()),
            other => mismatch("abs", &other, &y),
        },
        Builtin::Signum => match x {
            Value::I32(x) => Value::I32(x.signum()),
            other => mismatch("signum", &other, &y),
        },
        Builtin::Min => integers!(x, y, x, y, x.min(y)),
        Builtin::Max => integers!(x, y, x, y, x.max(y)),
        Builtin::Clamp => {
            if let Ok(Value::Bool(true)) = binary(BinaryOp::Gt, y.clone(), args[2].clone()) {
                return Err(TrapKind::ClampBounds);
            }
            let above = integers!(x, y, x, low, x.max(low));
            integers!(above, args[2].clone(), x, high, x.min(high))
        }
        Builtin::WrappingAdd => integers!(x, y, x, y, x.wrapping_add(y)),
        Builtin::WrappingSub => integers!(x, y, x, y, x.wrapping_sub(y)),
        Builtin::WrappingMul => integers!(x, y, x, y, x.wrapping_mul(y)),
        Builtin::WrappingNeg => integer!(x, x, x.wrapping_neg()),
        Builtin::WrappingShl => integer!(x, x, x.wrapping_shl(amount(&y))),
        Builtin::WrappingShr => integer!(x, x, x.wrapping_shr(amount(&y))),
        Builtin::RotateLeft => integer!(x, x, x.rotate_left(amount(&y))),
        Builtin::RotateRight => integer!(x, x, x.rotate_right(amount(&y))),
        Builtin::CountOnes => Value::U32(count(&x, u32::count_ones, usize::count_ones)),
        Builtin::LeadingZeros => Value::U32(count(&x, u32::leading_zeros, usize::leading_zeros)),
        Builtin::TrailingZeros => Value::U32(count(&x, u32::trailing_zeros, usize::trailing_zeros)),
        other => unreachable!("{other:?} of an integer in a valid program"),
    })
}

/// What is counted in the bits of an integer.
fn count(x: &Value, narrow: fn(u32) -> u32, wide: fn(usize) -> u32) -> u32 {
    match x {
        Value::I32(x) => narrow(*x as u32),
        Value::U32(x) => narrow(*x),
        Value::Usize(x) => wide(*x),
        other => unreachable!("bits of {other:?} counted in a valid program"),
    }
}
