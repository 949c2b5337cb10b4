//! Operators, casts and built-in functions on values, as Rust defines them in release builds.

use super::powi::Powi;
use crate::ir::{BinaryOp, Builtin, Half, TrapKind, Ty, UnaryOp, Value, for_integer};
use std::cmp::Ordering::{Equal, Less};

/// `$body` for two values of one type among those listed, wrapped again; `$x` and `$y` are bound to the
/// numbers.
macro_rules! both {
    ($a:expr, $b:expr, $x:ident, $y:ident, [$($variant:ident)*], $body:expr, $what:literal) => {
        match ($a, $b) {
            $((Value::$variant($x), Value::$variant($y)) => Value::$variant($body),)*
            (a, b) => mismatch($what, &a, &b),
        }
    };
}

/// `$body` for two integers of one type, wrapped again.
macro_rules! integers {
    ($a:expr, $b:expr, $x:ident, $y:ident, $body:expr) => {
        both!($a, $b, $x, $y, [I8 I16 I32 I64 Isize U8 U16 U32 U64 Usize], $body, "integers")
    };
}

/// `$int` or `$float` for two numbers of one type, wrapped again.
macro_rules! numbers {
    ($a:expr, $b:expr, $x:ident, $y:ident, int $int:expr, float $float:expr) => {
        match ($a, $b) {
            (Value::F32($x), Value::F32($y)) => Value::F32($float),
            (Value::F64($x), Value::F64($y)) => Value::F64($float),
            (a, b) => integers!(a, b, $x, $y, $int),
        }
    };
}

/// `$body` for two integers of one type or two `bool`s, wrapped again.
macro_rules! bits {
    ($a:expr, $b:expr, $x:ident, $y:ident, $body:expr) => {
        match ($a, $b) {
            (Value::Bool($x), Value::Bool($y)) => Value::Bool($body),
            (a, b) => integers!(a, b, $x, $y, $body),
        }
    };
}

macro_rules! compare {
    ($a:expr, $b:expr, $x:ident, $y:ident, $body:expr) => {
        compare!(@ $a, $b, $x, $y, $body, [Bool I8 I16 I32 I64 Isize U8 U16 U32 U64 Usize F32 F64])
    };
    (@ $a:expr, $b:expr, $x:ident, $y:ident, $body:expr, [$($variant:ident)*]) => {
        Value::Bool(match ($a, $b) {
            $((Value::$variant($x), Value::$variant($y)) => $body,)*
            (a, b) => return Ok(mismatch("comparison", &a, &b)),
        })
    };
}

/// `$body` for an integer, wrapped again.
macro_rules! integer {
    ($a:expr, $x:ident, $body:expr) => {
        integer!(@ $a, $x, $body, [I8 I16 I32 I64 Isize U8 U16 U32 U64 Usize])
    };
    (@ $a:expr, $x:ident, $body:expr, [$($variant:ident)*]) => {
        match $a {
            $(Value::$variant($x) => Value::$variant($body),)*
            a => mismatch("integer", &a, &Value::Unit),
        }
    };
}

/// `$body` for a signed integer, wrapped again.
macro_rules! signed {
    ($a:expr, $x:ident, $body:expr) => {
        match $a {
            Value::I8($x) => Value::I8($body),
            Value::I16($x) => Value::I16($body),
            Value::I32($x) => Value::I32($body),
            Value::I64($x) => Value::I64($body),
            Value::Isize($x) => Value::Isize($body),
            a => mismatch("signed integer", &a, &Value::Unit),
        }
    };
}

fn mismatch(what: &str, a: &Value, b: &Value) -> Value {
    unreachable!("{what} on {a:?} and {b:?} in a valid program")
}

pub(in crate::ir) fn unary(op: UnaryOp, value: Value) -> Value {
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
pub(in crate::ir) fn binary(op: BinaryOp, a: Value, b: Value) -> Result<Value, TrapKind> {
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
    if b.as_integer() == Some(0) {
        return Err(TrapKind::DivideByZero);
    }
    let overflows = match (a, b) {
        (Value::I8(a), Value::I8(b)) => a.checked_div(*b).is_none(),
        (Value::I16(a), Value::I16(b)) => a.checked_div(*b).is_none(),
        (Value::I32(a), Value::I32(b)) => a.checked_div(*b).is_none(),
        (Value::I64(a), Value::I64(b)) => a.checked_div(*b).is_none(),
        (Value::Isize(a), Value::Isize(b)) => a.checked_div(*b).is_none(),
        _ => false,
    };
    if overflows {
        return Err(TrapKind::DivideOverflow);
    }
    Ok(())
}

/// A shift amount; only its low bits count.
fn amount(value: &Value) -> u32 {
    let wide = value.as_integer();
    wide.unwrap_or_else(|| unreachable!("a shift by {value:?} in a valid program")) as u32
}

pub(in crate::ir) fn cast(value: &Value, ty: &Ty) -> Value {
    macro_rules! to {
        ($x:expr) => {
            match ty {
                Ty::I8 => Value::I8($x as i8),
                Ty::I16 => Value::I16($x as i16),
                Ty::I32 => Value::I32($x as i32),
                Ty::I64 => Value::I64($x as i64),
                Ty::Isize => Value::Isize($x as isize),
                Ty::U8 => Value::U8($x as u8),
                Ty::U16 => Value::U16($x as u16),
                Ty::U32 => Value::U32($x as u32),
                Ty::U64 => Value::U64($x as u64),
                Ty::Usize => Value::Usize($x as usize),
                Ty::F32 => Value::F32($x as f32),
                Ty::F64 => Value::F64($x as f64),
                Ty::F16 => Value::F16(Half::from_f32($x as f32)),
                Ty::Bool | Ty::Unit | Ty::Struct(_) | Ty::Array(_) | Ty::View(_) => {
                    mismatch("cast", value, &Value::zero(ty))
                }
            }
        };
    }
    match value {
        Value::Bool(x) if *ty == Ty::Bool => Value::Bool(*x),
        Value::Bool(x) => to!(u8::from(*x)),
        Value::F16(x) => to!(x.to_f32()),
        Value::F32(x) => to!(*x),
        Value::F64(x) => to!(*x),
        other => for_integer!(other, x => to!(*x), else mismatch("cast", value, &Value::Unit)),
    }
}

pub(in crate::ir) fn builtin(builtin: Builtin, args: &[Value]) -> Result<Value, TrapKind> {
    if let Some(result) = super::method::method(builtin, args) {
        return result;
    }
    match (&args[0], builtin) {
        (Value::F16(x), Builtin::ToBits) => Ok(Value::U16(x.0)),
        (Value::U16(x), Builtin::FromBits) => Ok(Value::F16(Half(*x))),
        (Value::F32(x), _) => float32(builtin, *x, args),
        (Value::F64(x), _) => float64(builtin, *x, args),
        _ => integer(builtin, args),
    }
}

/// The methods of `f32` and of `f64`.
macro_rules! float {
    ($name:ident $t:ident $variant:ident) => {
        fn $name(builtin: Builtin, x: $t, args: &[Value]) -> Result<Value, TrapKind> {
            let arg = |k: usize| match &args[k] {
                Value::$variant(x) => *x,
                other => unreachable!("{other:?} where a float is, in a valid program"),
            };
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
                    Value::I32(exponent) => Powi::powi(x, *exponent),
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
            Ok(Value::$variant(result))
        }
    };
}
float!(float32 f32 F32);
float!(float64 f64 F64);

fn integer(builtin: Builtin, args: &[Value]) -> Result<Value, TrapKind> {
    let x = args[0].clone();
    let y = args.get(1).cloned().unwrap_or(Value::Unit);
    Ok(match builtin {
        Builtin::Abs => signed!(x, x, x.wrapping_abs()),
        Builtin::Signum => signed!(x, x, x.signum()),
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
        Builtin::CountOnes => count(&x, |x| for_integer!(x, x => x.count_ones(), else 0)),
        Builtin::LeadingZeros => count(&x, |x| for_integer!(x, x => x.leading_zeros(), else 0)),
        Builtin::TrailingZeros => count(&x, |x| for_integer!(x, x => x.trailing_zeros(), else 0)),
        other => unreachable!("{other:?} of an integer in a valid program"),
    })
}

/// What is counted in the bits of an integer.
fn count(x: &Value, bits: fn(&Value) -> u32) -> Value {
    Value::U32(bits(x))
}
