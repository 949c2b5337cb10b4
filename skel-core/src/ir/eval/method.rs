//! Built-in methods of integers, and those whose result is of another type than the receiver.

use crate::ir::{Builtin, TrapKind, Value};

/// Evaluates the methods that this file knows; of others, nothing.
pub(super) fn method(builtin: Builtin, args: &[Value]) -> Option<Result<Value, TrapKind>> {
    match args {
        [x] => of_one(builtin, x).map(Ok),
        [x, Value::U32(exponent)] if builtin == Builtin::Pow => power(x, *exponent).map(Ok),
        [x, y] => {
            let divides = matches!(builtin, Builtin::DivEuclid | Builtin::RemEuclid);
            if divides && let Err(trap) = super::numeric::check_divisor(x, y) {
                return Some(Err(trap));
            }
            of_two(builtin, x, y).map(Ok)
        }
        _ => None,
    }
}

/// What the methods are, for each type once: integers with the unsigned one of their width, floats
/// with the integer of their width.
macro_rules! methods {
    (
        signed $($signed:ident as $unsigned_of_signed:ident)*;
        unsigned $($unsigned:ident)*;
        float $($float:ident $primitive:ident as $bits:ident)*;
    ) => {
        fn of_one(builtin: Builtin, x: &Value) -> Option<Value> {
            match x {
                $(Value::$signed(x) => Some(match builtin {
                    Builtin::LeadingOnes => Value::U32(x.leading_ones()),
                    Builtin::TrailingOnes => Value::U32(x.trailing_ones()),
                    Builtin::SwapBytes => Value::$signed(x.swap_bytes()),
                    Builtin::ReverseBits => Value::$signed(x.reverse_bits()),
                    Builtin::UnsignedAbs => Value::$unsigned_of_signed(x.unsigned_abs()),
                    Builtin::IsPositive => Value::Bool(x.is_positive()),
                    Builtin::IsNegative => Value::Bool(x.is_negative()),
                    _ => return None,
                }),)*
                $(Value::$float(x) => Some(match builtin {
                    Builtin::ToBits => Value::$bits(x.to_bits()),
                    Builtin::IsSignPositive => Value::Bool(x.is_sign_positive()),
                    Builtin::IsSignNegative => Value::Bool(x.is_sign_negative()),
                    _ => return None,
                }),)*
                $(Value::$bits(x) if builtin == Builtin::FromBits => {
                    Some(Value::$float($primitive::from_bits(*x)))
                })*
                $(Value::$unsigned(x) => Some(match builtin {
                    Builtin::LeadingOnes => Value::U32(x.leading_ones()),
                    Builtin::TrailingOnes => Value::U32(x.trailing_ones()),
                    Builtin::SwapBytes => Value::$unsigned(x.swap_bytes()),
                    Builtin::ReverseBits => Value::$unsigned(x.reverse_bits()),
                    _ => return None,
                }),)*
                _ => None,
            }
        }

        fn of_two(builtin: Builtin, x: &Value, y: &Value) -> Option<Value> {
            match (x, y) {
                $((Value::$signed(x), Value::$signed(y)) => Some(match builtin {
                    Builtin::SaturatingAdd => Value::$signed(x.saturating_add(*y)),
                    Builtin::SaturatingSub => Value::$signed(x.saturating_sub(*y)),
                    Builtin::AbsDiff => Value::$unsigned_of_signed(x.abs_diff(*y)),
                    Builtin::DivEuclid => Value::$signed(x.wrapping_div_euclid(*y)),
                    Builtin::RemEuclid => Value::$signed(x.wrapping_rem_euclid(*y)),
                    _ => return None,
                }),)*
                $((Value::$unsigned(x), Value::$unsigned(y)) => Some(match builtin {
                    Builtin::SaturatingAdd => Value::$unsigned(x.saturating_add(*y)),
                    Builtin::SaturatingSub => Value::$unsigned(x.saturating_sub(*y)),
                    Builtin::AbsDiff => Value::$unsigned(x.abs_diff(*y)),
                    Builtin::DivEuclid => Value::$unsigned(x.wrapping_div_euclid(*y)),
                    Builtin::RemEuclid => Value::$unsigned(x.wrapping_rem_euclid(*y)),
                    Builtin::IsMultipleOf => Value::Bool(x.is_multiple_of(*y)),
                    _ => return None,
                }),)*
                _ => None,
            }
        }

        fn power(x: &Value, exponent: u32) -> Option<Value> {
            Some(match x {
                $(Value::$signed(x) => Value::$signed(x.wrapping_pow(exponent)),)*
                $(Value::$unsigned(x) => Value::$unsigned(x.wrapping_pow(exponent)),)*
                _ => return None,
            })
        }

        /// Whether `x.abs()` or `x.pow(y)` overflows; what the panic says of it.
        pub(super) fn overflow(builtin: Builtin, args: &[Value]) -> Option<&'static str> {
            let fits = match (builtin, args) {
                $((Builtin::Abs, [Value::$signed(x)]) => x.checked_abs().is_some(),)*
                $((Builtin::Pow, [Value::$signed(x), Value::U32(y)]) => {
                    x.checked_pow(*y).is_some()
                })*
                $((Builtin::Pow, [Value::$unsigned(x), Value::U32(y)]) => {
                    x.checked_pow(*y).is_some()
                })*
                _ => true,
            };
            (!fits).then_some(match builtin {
                Builtin::Abs => "attempt to negate with overflow",
                _ => "attempt to multiply with overflow",
            })
        }
    };
}
methods! {
    signed I8 as U8 I16 as U16 I32 as U32 I64 as U64 Isize as Usize;
    unsigned U8 U16 U32 U64 Usize;
    float F32 f32 as U32 F64 f64 as U64;
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn overflow_is_what_does_not_fit() {
        let message = Some("attempt to multiply with overflow");
        for x in i8::MIN..=i8::MAX {
            for exponent in 0..=16 {
                let exact = i128::from(x).pow(exponent);
                let fits = i8::try_from(exact).is_ok();
                let args = [Value::I8(x), Value::U32(exponent)];
                let found = overflow(Builtin::Pow, &args);
                assert_eq!(found, message.filter(|_| !fits), "{x}.pow({exponent})");
            }
            let found = overflow(Builtin::Abs, &[Value::I8(x)]);
            let message = Some("attempt to negate with overflow");
            assert_eq!(found, message.filter(|_| x == -128), "{x}.abs()");
        }
        assert!(overflow(Builtin::Pow, &[Value::U64(3), Value::U32(40)]).is_none());
        assert!(overflow(Builtin::Pow, &[Value::U64(3), Value::U32(41)]).is_some());
        assert!(overflow(Builtin::WrappingAdd, &[Value::U8(255), Value::U8(1)]).is_none());
    }
}
