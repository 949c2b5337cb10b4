//! Methods of integers: some are the driver's own, the others code that its compiler may get wrong.

use super::{Check, Consequence, bits, of_two, x, y};
use crate::arithmetic::{ask::Class, samples::integer_pairs};
use skel_core::ir::{BinaryOp, Builtin, Expr, Ty, Value};

macro_rules! checks {
    ($name:ident, $u:ident, $i:ident, $unsigned:literal, $signed:literal, $class:expr, $bits:literal,
        $signed_ty:expr, $of_unsigned:expr, $of_signed:expr) => {
        /// Methods, and comparisons the other way round.
        pub(super) fn $name() -> Vec<Check> {
            const CLASS: Class = $class;
            let pairs = integer_pairs($bits);
            let mut all = Vec::new();
            let mut push = |ty, operation, e: Expr, native: &dyn Fn(u64, u64) -> Option<u64>| {
                all.push(Check {
                    ty,
                    operation,
                    remedy: None,
                    meaning: Consequence::Wrong,
                    expr: bits(CLASS, e),
                    result: None,
                    cases: of_two(&pairs, native),
                });
            };
            let signed = |e: Expr| Expr::cast(e, $signed_ty);
            let to = |x: $i| u64::from(x as $u);
            // The receiver, and the argument that the method takes, if any.
            let applied = |builtin: Builtin, receiver: Expr, other: Expr| {
                let mut args = vec![receiver];
                if builtin.arity() == 2 {
                    let ty = builtin.argument(1, &args[0].ty);
                    args.push(match other.ty == ty {
                        true => other,
                        false => Expr::cast(other, ty),
                    });
                }
                Expr::builtin(builtin, args, 0)
            };

            type Methods<T, R> = (Builtin, fn(T, T) -> R);
            let of_unsigned: [Methods<$u, $u>; 12] = [
                (Builtin::WrappingAdd, $u::wrapping_add),
                (Builtin::WrappingSub, $u::wrapping_sub),
                (Builtin::WrappingMul, $u::wrapping_mul),
                (Builtin::WrappingNeg, |a, _| a.wrapping_neg()),
                (Builtin::WrappingShl, |a, b| a.wrapping_shl(b as u32)),
                (Builtin::WrappingShr, |a, b| a.wrapping_shr(b as u32)),
                (Builtin::RotateLeft, |a, b| a.rotate_left(b as u32)),
                (Builtin::RotateRight, |a, b| a.rotate_right(b as u32)),
                (Builtin::Pow, |a, b| a.wrapping_pow(b as u32)),
                (Builtin::SaturatingAdd, $u::saturating_add),
                (Builtin::SaturatingSub, $u::saturating_sub),
                (Builtin::AbsDiff, $u::abs_diff),
            ];
            for (builtin, native) in of_unsigned {
                let e = applied(builtin, x(CLASS), y(CLASS));
                push($unsigned, builtin.name(), e, &|a, b| {
                    Some(native(a as $u, b as $u).into())
                });
            }
            let of_signed: [Methods<$i, $i>; 15] = [
                (Builtin::WrappingAdd, $i::wrapping_add),
                (Builtin::WrappingSub, $i::wrapping_sub),
                (Builtin::WrappingMul, $i::wrapping_mul),
                (Builtin::WrappingNeg, |a, _| a.wrapping_neg()),
                (Builtin::WrappingShl, |a, b| a.wrapping_shl(b as u32)),
                (Builtin::WrappingShr, |a, b| a.wrapping_shr(b as u32)),
                (Builtin::RotateLeft, |a, b| a.rotate_left(b as u32)),
                (Builtin::RotateRight, |a, b| a.rotate_right(b as u32)),
                (Builtin::Pow, |a, b| a.wrapping_pow(b as u32)),
                (Builtin::SaturatingAdd, $i::saturating_add),
                (Builtin::SaturatingSub, $i::saturating_sub),
                (Builtin::AbsDiff, |a, b| a.abs_diff(b) as $i),
                (Builtin::UnsignedAbs, |a, _| a.unsigned_abs() as $i),
                (Builtin::SwapBytes, |a, _| a.swap_bytes()),
                (Builtin::ReverseBits, |a, _| a.reverse_bits()),
            ];
            for (builtin, native) in of_signed {
                let e = applied(builtin, signed(x(CLASS)), signed(y(CLASS)));
                push($signed, builtin.name(), e, &|a, b| {
                    Some(to(native(a as $u as $i, b as $u as $i)))
                });
            }
            let counted: [(Builtin, fn($u) -> u32); 5] = [
                (Builtin::LeadingOnes, $u::leading_ones),
                (Builtin::TrailingOnes, $u::trailing_ones),
                (Builtin::CountOnes, $u::count_ones),
                (Builtin::LeadingZeros, $u::leading_zeros),
                (Builtin::TrailingZeros, $u::trailing_zeros),
            ];
            for (k, (builtin, native)) in counted.into_iter().enumerate() {
                let counts = |a, _| Some(native(a as $u).into());
                if k < 2 {
                    push(
                        $unsigned,
                        builtin.name(),
                        applied(builtin, x(CLASS), y(CLASS)),
                        &counts,
                    );
                }
                let e = applied(builtin, signed(x(CLASS)), y(CLASS));
                push($signed, builtin.name(), e, &counts);
            }
            let of_sign: [(Builtin, fn($i) -> bool); 2] = [
                (Builtin::IsPositive, $i::is_positive),
                (Builtin::IsNegative, $i::is_negative),
            ];
            for (builtin, native) in of_sign {
                let e = applied(builtin, signed(x(CLASS)), y(CLASS));
                push($signed, builtin.name(), e, &|a, _| {
                    Some(native(a as $u as $i).into())
                });
            }
            let e = applied(Builtin::IsMultipleOf, x(CLASS), y(CLASS));
            push($unsigned, "is_multiple_of", e, &|a, b| {
                let (a, b) = (a as $u, b as $u);
                Some((if b == 0 { a == 0 } else { a % b == 0 }).into())
            });
            // Of divisors that may be 0, and of one that is not.
            for divisor in [None, Some(7)] {
                let known = |e: Expr, value: Value| {
                    if divisor.is_some() {
                        Expr::constant(value)
                    } else {
                        e
                    }
                };
                let by = |b: u64| divisor.unwrap_or(b);
                let of_unsigned: [Methods<$u, Option<$u>>; 2] = [
                    (Builtin::DivEuclid, $u::checked_div_euclid),
                    (Builtin::RemEuclid, $u::checked_rem_euclid),
                ];
                for (builtin, native) in of_unsigned {
                    let e = applied(builtin, x(CLASS), known(y(CLASS), $of_unsigned(7)));
                    push($unsigned, builtin.name(), e, &|a, b| {
                        native(a as $u, by(b) as $u).map(u64::from)
                    });
                }
                let of_signed: [Methods<$i, Option<$i>>; 2] = [
                    (Builtin::DivEuclid, $i::checked_div_euclid),
                    (Builtin::RemEuclid, $i::checked_rem_euclid),
                ];
                for (builtin, native) in of_signed {
                    let e = applied(
                        builtin,
                        signed(x(CLASS)),
                        known(signed(y(CLASS)), $of_signed(7)),
                    );
                    push($signed, builtin.name(), e, &|a, b| {
                        native(a as $u as $i, by(b) as $u as $i).map(to)
                    });
                }
            }
            let limits = vec![
                x(CLASS),
                Expr::constant($of_unsigned(3)),
                Expr::constant($of_unsigned(1000)),
            ];
            push(
                $unsigned,
                "clamp",
                Expr::builtin(Builtin::Clamp, limits, 0),
                &|a, _| Some((a as $u).clamp(3, 1000).into()),
            );
            let limits = [-1000, 3].map(|limit| Expr::constant($of_signed(limit)));
            let args = [signed(x(CLASS))].into_iter().chain(limits).collect();
            push(
                $signed,
                "clamp",
                Expr::builtin(Builtin::Clamp, args, 0),
                &|a, _| Some(to((a as $u as $i).clamp(-1000, 3))),
            );
            let compared: [(BinaryOp, fn(&$u, &$u) -> bool, fn(&$i, &$i) -> bool); 2] = [
                (BinaryOp::Gt, $u::gt, $i::gt),
                (BinaryOp::Ge, $u::ge, $i::ge),
            ];
            for (op, of_unsigned, of_signed) in compared {
                let e = Expr::binary(op, x(CLASS), y(CLASS), 0);
                push($unsigned, op.symbol(), e, &|a, b| {
                    Some(of_unsigned(&(a as $u), &(b as $u)).into())
                });
                let e = Expr::binary(op, signed(x(CLASS)), signed(y(CLASS)), 0);
                push($signed, op.symbol(), e, &|a, b| {
                    Some(of_signed(&(a as $u as $i), &(b as $u as $i)).into())
                });
            }
            let inverted = Expr::unary(skel_core::ir::UnaryOp::Not, signed(x(CLASS)));
            push($signed, "!", inverted, &|a, _| Some((!(a as $u)).into()));
            all
        }
    };
}

checks! { words, u32, i32, "u32", "i32", Class::Words, 32, Ty::I32, Value::U32, Value::I32 }
checks! { longs, u64, i64, "u64", "i64", Class::Longs, 64, Ty::I64, Value::U64, Value::I64 }
