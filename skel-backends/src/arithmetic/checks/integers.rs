//! Integers, and floats made of them.

use super::{Check, Consequence, bits, of_one, of_two, x, y};
use crate::arithmetic::{
    ask::Class,
    samples::{Format, integer_pairs, integers},
};
use skel_core::ir::{BinaryOp, Builtin, Expr, Ty, UnaryOp, Value};

macro_rules! checks {
    ($name:ident, $u:ident, $i:ident, $unsigned:literal, $signed:literal, $class:expr, $bits:literal,
        $signed_ty:expr, $one:expr) => {
        fn $name() -> Vec<Check> {
            const CLASS: Class = $class;
            let singles = integers($bits);
            let pairs = integer_pairs($bits);
            let mut all = Vec::new();
            let mut push = |ty, operation, e: Expr, cases| {
                all.push(Check {
                    ty,
                    operation,
                    remedy: None,
                    meaning: Consequence::Wrong,
                    expr: bits(CLASS, e),
                    result: None,
                    cases,
                });
            };
            let signed = |e: Expr| Expr::cast(e, $signed_ty);
            let to_bits = |e: Expr| Expr::cast(e, CLASS.result());

            let arithmetic: [(BinaryOp, fn($u, $u) -> Option<$u>, fn($i, $i) -> Option<$i>); 8] = [
                (
                    BinaryOp::Add,
                    |a, b| Some(a.wrapping_add(b)),
                    |a, b| Some(a.wrapping_add(b)),
                ),
                (
                    BinaryOp::Sub,
                    |a, b| Some(a.wrapping_sub(b)),
                    |a, b| Some(a.wrapping_sub(b)),
                ),
                (
                    BinaryOp::Mul,
                    |a, b| Some(a.wrapping_mul(b)),
                    |a, b| Some(a.wrapping_mul(b)),
                ),
                (
                    BinaryOp::Div,
                    |a, b| a.checked_div(b),
                    |a, b| a.checked_div(b),
                ),
                (
                    BinaryOp::Rem,
                    |a, b| a.checked_rem(b),
                    |a, b| a.checked_rem(b),
                ),
                (BinaryOp::BitAnd, |a, b| Some(a & b), |a, b| Some(a & b)),
                (BinaryOp::BitOr, |a, b| Some(a | b), |a, b| Some(a | b)),
                (BinaryOp::BitXor, |a, b| Some(a ^ b), |a, b| Some(a ^ b)),
            ];
            for (op, of_unsigned, of_signed) in arithmetic {
                let e = Expr::binary(op, x(CLASS), y(CLASS), 0);
                let cases = of_two(&pairs, |a, b| of_unsigned(a as $u, b as $u).map(u64::from));
                push($unsigned, op.symbol(), e, cases);
                let e = to_bits(Expr::binary(op, signed(x(CLASS)), signed(y(CLASS)), 0));
                let cases = of_two(&pairs, |a, b| {
                    of_signed(a as $u as $i, b as $u as $i).map(|r| u64::from(r as $u))
                });
                push($signed, op.symbol(), e, cases);
            }
            let compared: [(BinaryOp, fn(&$u, &$u) -> bool, fn(&$i, &$i) -> bool); 4] = [
                (BinaryOp::Lt, $u::lt, $i::lt),
                (BinaryOp::Le, $u::le, $i::le),
                (BinaryOp::Eq, $u::eq, $i::eq),
                (BinaryOp::Ne, $u::ne, $i::ne),
            ];
            for (op, of_unsigned, of_signed) in compared {
                let e = Expr::binary(op, x(CLASS), y(CLASS), 0);
                let cases = of_two(&pairs, |a, b| {
                    Some(of_unsigned(&(a as $u), &(b as $u)).into())
                });
                push($unsigned, op.symbol(), e, cases);
                let e = Expr::binary(op, signed(x(CLASS)), signed(y(CLASS)), 0);
                let cases = of_two(&pairs, |a, b| {
                    Some(of_signed(&(a as $u as $i), &(b as $u as $i)).into())
                });
                push($signed, op.symbol(), e, cases);
            }
            let amount = || Expr::cast(y(CLASS), Ty::U32);
            let shifts: [(BinaryOp, fn($u, u32) -> $u, fn($i, u32) -> $i); 2] = [
                (BinaryOp::Shl, $u::wrapping_shl, $i::wrapping_shl),
                (BinaryOp::Shr, $u::wrapping_shr, $i::wrapping_shr),
            ];
            for (op, of_unsigned, of_signed) in shifts {
                let e = Expr::binary(op, x(CLASS), amount(), 0);
                let cases = of_two(&pairs, |a, b| Some(of_unsigned(a as $u, b as u32).into()));
                push($unsigned, op.symbol(), e, cases);
                let e = to_bits(Expr::binary(op, signed(x(CLASS)), amount(), 0));
                let cases = of_two(&pairs, |a, b| {
                    Some(u64::from(of_signed(a as $u as $i, b as u32) as $u))
                });
                push($signed, op.symbol(), e, cases);
            }
            let inverted = Expr::unary(UnaryOp::Not, x(CLASS));
            push(
                $unsigned,
                "!",
                inverted,
                of_one(&singles, |a| Some((!(a as $u)).into())),
            );
            let negated = to_bits(Expr::unary(UnaryOp::Neg, signed(x(CLASS))));
            let cases = of_one(&singles, |a| Some((a as $u).wrapping_neg().into()));
            push($signed, "-", negated, cases);
            let counted: [(Builtin, fn($u) -> u32); 3] = [
                (Builtin::CountOnes, $u::count_ones),
                (Builtin::LeadingZeros, $u::leading_zeros),
                (Builtin::TrailingZeros, $u::trailing_zeros),
            ];
            for (builtin, native) in counted {
                let e = Expr::builtin(builtin, vec![x(CLASS)], 0);
                let cases = of_one(&singles, |a| Some(native(a as $u).into()));
                push($unsigned, builtin.name(), e, cases);
            }
            let turned: [(Builtin, fn($u) -> $u); 2] = [
                (Builtin::ReverseBits, $u::reverse_bits),
                (Builtin::SwapBytes, $u::swap_bytes),
            ];
            for (builtin, native) in turned {
                let e = Expr::builtin(builtin, vec![x(CLASS)], 0);
                let cases = of_one(&singles, |a| Some(native(a as $u).into()));
                push($unsigned, builtin.name(), e, cases);
            }
            let extremes: [(Builtin, fn($u, $u) -> $u, fn($i, $i) -> $i); 2] = [
                (Builtin::Min, <$u>::min, <$i>::min),
                (Builtin::Max, <$u>::max, <$i>::max),
            ];
            for (builtin, of_unsigned, of_signed) in extremes {
                let e = Expr::builtin(builtin, vec![x(CLASS), y(CLASS)], 0);
                let cases = of_two(&pairs, |a, b| Some(of_unsigned(a as $u, b as $u).into()));
                push($unsigned, builtin.name(), e, cases);
                let e = to_bits(Expr::builtin(
                    builtin,
                    vec![signed(x(CLASS)), signed(y(CLASS))],
                    0,
                ));
                let cases = of_two(&pairs, |a, b| {
                    Some(u64::from(of_signed(a as $u as $i, b as $u as $i) as $u))
                });
                push($signed, builtin.name(), e, cases);
            }
            let magnitude = to_bits(Expr::builtin(Builtin::Abs, vec![signed(x(CLASS))], 0));
            let cases = of_one(&singles, |a| {
                Some(u64::from((a as $u as $i).wrapping_abs() as $u))
            });
            push($signed, "abs", magnitude, cases);
            let sign = to_bits(Expr::builtin(Builtin::Signum, vec![signed(x(CLASS))], 0));
            let cases = of_one(&singles, |a| {
                Some(u64::from((a as $u as $i).signum() as $u))
            });
            push($signed, "signum", sign, cases);
            // A comparison with what was just computed, which range analysis may misjudge.
            let next = Expr::binary(BinaryOp::Add, x(CLASS), Expr::constant($one), 0);
            let smaller = Expr::binary(BinaryOp::Lt, next, x(CLASS), 0);
            let cases = of_one(&singles, |a| {
                Some(((a as $u).wrapping_add(1) < a as $u).into())
            });
            push($unsigned, "x + 1 < x", smaller, cases);
            all
        }
    };
}

checks! { of_words, u32, i32, "u32", "i32", Class::Words, 32, Ty::I32, Value::U32(1) }
checks! { of_longs, u64, i64, "u64", "i64", Class::Longs, 64, Ty::I64, Value::U64(1) }

/// Integers of 32 bits, and `f32` made of them.
pub(super) fn words() -> Vec<Check> {
    const CLASS: Class = Class::Words;
    let mut all = of_words();
    let singles = integers(32);
    let mut push = |operation, e, cases| {
        all.push(Check {
            ty: "f32",
            operation,
            remedy: None,
            meaning: Consequence::Wrong,
            expr: bits(CLASS, e),
            result: Some(Format::F32),
            cases,
        });
    };
    let unsigned = of_one(&singles, |a| Some((a as u32 as f32).to_bits().into()));
    push("u32 as", Expr::cast(x(CLASS), Ty::F32), unsigned);
    let signed = of_one(&singles, |a| {
        Some((a as u32 as i32 as f32).to_bits().into())
    });
    push(
        "i32 as",
        Expr::cast(Expr::cast(x(CLASS), Ty::I32), Ty::F32),
        signed,
    );
    all
}

/// Integers of 64 bits.
pub(super) fn longs() -> Vec<Check> {
    of_longs()
}
