//! Floats.

use super::{Check, Consequence, bits, of_one, of_two, with_subnormals, x, y};
use crate::arithmetic::{
    Remedy,
    ask::Class,
    samples::{Format, integers},
};
use skel_core::ir::{BinaryOp, Builtin, Expr, Ty, UnaryOp, Value};

macro_rules! checks {
    ($name:ident, $t:ident, $word:ident, $spelled:literal, $class:expr, $format:expr, $value:expr,
        $trunc:ident $floor:ident $ceil:ident $even:ident $div:ident $sqrt:ident) => {
        /// All that the dialects leave to drivers.
        pub(super) fn $name() -> Vec<Check> {
            const CLASS: Class = $class;
            const FORMAT: Format = $format;
            let of = |bits: u64| $t::from_bits(bits as $word);
            let singles = FORMAT.singles();
            let pairs = FORMAT.pairs();
            let mut all = Vec::new();
            let mut push = |operation, remedy, meaning, e: Expr, cases| {
                let result = e.ty.is_float().then_some(FORMAT);
                all.push(Check {
                    ty: $spelled,
                    operation,
                    remedy,
                    meaning,
                    expr: bits(CLASS, e),
                    result,
                    cases: with_subnormals(cases, FORMAT, result),
                });
            };

            let wrong = Consequence::Wrong;
            let negated = Expr::unary(UnaryOp::Neg, x(CLASS));
            let cases = of_one(&singles, |b| Some((-of(b)).to_bits().into()));
            push("-", None, wrong, negated, cases);
            let unary: [(Builtin, Option<Remedy>, fn($t) -> $t); 8] = [
                (Builtin::Abs, None, $t::abs),
                (Builtin::Sqrt, Some(Remedy::$sqrt), $t::sqrt),
                (Builtin::Floor, Some(Remedy::$floor), $t::floor),
                (Builtin::Ceil, Some(Remedy::$ceil), $t::ceil),
                (Builtin::Trunc, Some(Remedy::$trunc), $t::trunc),
                (Builtin::Round, Some(Remedy::$trunc), $t::round),
                (Builtin::Fract, Some(Remedy::$trunc), $t::fract),
                (
                    Builtin::RoundTiesEven,
                    Some(Remedy::$even),
                    $t::round_ties_even,
                ),
            ];
            for (builtin, remedy, native) in unary {
                let e = Expr::builtin(builtin, vec![x(CLASS)], 0);
                let cases = of_one(&singles, |b| Some(native(of(b)).to_bits().into()));
                push(builtin.name(), remedy, wrong, e, cases);
            }
            let binary: [(BinaryOp, Option<Remedy>, fn($t, $t) -> $t); 4] = [
                (BinaryOp::Add, None, |a, b| a + b),
                (BinaryOp::Sub, None, |a, b| a - b),
                (BinaryOp::Mul, None, |a, b| a * b),
                (BinaryOp::Div, Some(Remedy::$div), |a, b| a / b),
            ];
            for (op, remedy, native) in binary {
                let e = Expr::binary(op, x(CLASS), y(CLASS), 0);
                let cases = of_two(&pairs, |a, b| Some(native(of(a), of(b)).to_bits().into()));
                push(op.symbol(), remedy, wrong, e, cases);
            }
            let compared: [(BinaryOp, fn(&$t, &$t) -> bool); 6] = [
                (BinaryOp::Lt, $t::lt),
                (BinaryOp::Le, $t::le),
                (BinaryOp::Gt, $t::gt),
                (BinaryOp::Ge, $t::ge),
                (BinaryOp::Eq, $t::eq),
                (BinaryOp::Ne, $t::ne),
            ];
            for (op, native) in compared {
                let e = Expr::binary(op, x(CLASS), y(CLASS), 0);
                let cases = of_two(&pairs, |a, b| Some(native(&of(a), &of(b)).into()));
                push(op.symbol(), None, wrong, e, cases);
            }
            // Zeros have two signs, and which one is smaller is open.
            let extremes: [(Builtin, fn($t, $t) -> $t); 2] =
                [(Builtin::Min, $t::min), (Builtin::Max, $t::max)];
            for (builtin, native) in extremes {
                let e = Expr::builtin(builtin, vec![x(CLASS), y(CLASS)], 0);
                let cases = of_two(&pairs, |a, b| {
                    let (a, b) = (of(a), of(b));
                    (a != 0.0 || b != 0.0).then(|| native(a, b).to_bits().into())
                });
                push(builtin.name(), None, wrong, e, cases);
            }
            let e = Expr::cast(x(CLASS), Ty::I32);
            let cases = of_one(&singles, |b| Some(u64::from((of(b) as i32) as u32)));
            push("as i32", None, wrong, e, cases);
            let e = Expr::cast(x(CLASS), Ty::U32);
            let cases = of_one(&singles, |b| Some((of(b) as u32).into()));
            push("as u32", None, wrong, e, cases);

            // What no rule of algebra may change.
            let constant = |v: $t| Expr::constant($value(v));
            let hide = Some(Remedy::HideOperands);
            let shortcuts: [(&'static str, BinaryOp, $t, fn($t, $t) -> $t); 4] = [
                ("+ 0.0", BinaryOp::Add, 0.0, |a, b| a + b),
                ("* 0.0", BinaryOp::Mul, 0.0, |a, b| a * b),
                ("- 0.0", BinaryOp::Sub, 0.0, |a, b| a - b),
                ("* 1.0", BinaryOp::Mul, 1.0, |a, b| a * b),
            ];
            for (operation, op, with, native) in shortcuts {
                let e = Expr::binary(op, x(CLASS), constant(with), 0);
                let cases = of_one(&singles, |a| Some(native(of(a), with).to_bits().into()));
                push(operation, hide, wrong, e, cases);
            }
            let none_of_it = Expr::binary(BinaryOp::Div, constant(0.0), x(CLASS), 0);
            let cases = of_one(&singles, |a| Some((0.0 / of(a)).to_bits().into()));
            push("0.0 / x", hide, wrong, none_of_it, cases);
            let itself = Expr::binary(BinaryOp::Sub, x(CLASS), x(CLASS), 0);
            let cases = of_one(&singles, |a| Some((of(a) - of(a)).to_bits().into()));
            push("x - x", hide, wrong, itself, cases);
            let sum = Expr::binary(BinaryOp::Add, x(CLASS), y(CLASS), 0);
            let back = Expr::binary(BinaryOp::Sub, sum, x(CLASS), 0);
            let cases = of_two(&pairs, |a, b| {
                Some(((of(a) + of(b)) - of(a)).to_bits().into())
            });
            push("(x + y) - x", hide, wrong, back, cases);

            // A square and its own rounding: their difference is 0, unless the square was never rounded.
            let square = Expr::binary(BinaryOp::Mul, x(CLASS), x(CLASS), 0);
            let rest = Expr::binary(BinaryOp::Sub, square, y(CLASS), 0);
            let squares: Vec<[u64; 2]> = pairs
                .iter()
                .map(|[a, _]| [*a, (of(*a) * of(*a)).to_bits().into()])
                .collect();
            let cases = of_two(&squares, |a, b| {
                Some((of(a) * of(a) - of(b)).to_bits().into())
            });
            push("x * x - y", None, Consequence::Contracts, rest, cases);
            all
        }
    };
}

checks! { of_f32, f32, u32, "f32", Class::F32, Format::F32, Value::F32,
TruncF32 FloorF32 CeilF32 TiesEvenF32 DivF32 SqrtF32 }
checks! { of_f64, f64, u64, "f64", Class::F64, Format::F64, Value::F64,
TruncF64 FloorF64 CeilF64 TiesEvenF64 DivF64 SqrtF64 }

/// Operations on `f32`.
pub(super) fn f32_checks() -> Vec<Check> {
    of_f32()
}

/// Operations on `f64`, and casts from and to it.
pub(super) fn f64_checks() -> Vec<Check> {
    const CLASS: Class = Class::F64;
    let mut all = of_f64();
    let narrow = |bits: u64| (f64::from_bits(bits) as f32).to_bits();
    let e = Expr::cast(x(CLASS), Ty::F32);
    let cases = of_one(&Format::F64.singles(), |b| Some(narrow(b).into()));
    let mut cases = with_subnormals(cases, Format::F64, Some(Format::F32));
    // Halves of the last place of `f32`, which are ties.
    let ties: Vec<u64> = Format::F32
        .singles()
        .into_iter()
        .map(|b| {
            (f64::from(f32::from_bits(b as u32)) * (1.0 + f64::from(f32::EPSILON) / 2.0)).to_bits()
        })
        .collect();
    let ties = of_one(&ties, |b| Some(narrow(b).into()));
    cases.extend(with_subnormals(ties, Format::F64, Some(Format::F32)));
    let cast = |operation, e: Expr, result, cases| Check {
        ty: "f64",
        operation,
        remedy: None,
        meaning: Consequence::Wrong,
        expr: bits(CLASS, e),
        result,
        cases,
    };
    all.push(cast("as f32", e, Some(Format::F32), cases));

    // Operands that are no `f64` come as the low bits of one.
    let low = || Expr::cast(Expr::builtin(Builtin::ToBits, vec![x(CLASS)], 0), Ty::U32);
    let float = Expr::builtin(Builtin::FromBits, vec![low()], 0);
    let of_f32 = of_one(&Format::F32.singles(), |b| {
        Some(f64::from(f32::from_bits(b as u32)).to_bits())
    });
    let of_f32 = with_subnormals(of_f32, Format::F32, None);
    all.push(cast(
        "f32 as",
        Expr::cast(float, Ty::F64),
        Some(Format::F64),
        of_f32,
    ));
    let words = integers(32);
    let unsigned = of_one(&words, |b| Some(f64::from(b as u32).to_bits()));
    all.push(cast(
        "u32 as",
        Expr::cast(low(), Ty::F64),
        Some(Format::F64),
        unsigned,
    ));
    let signed = Expr::cast(Expr::cast(low(), Ty::I32), Ty::F64);
    let cases = of_one(&words, |b| Some(f64::from(b as u32 as i32).to_bits()));
    all.push(cast("i32 as", signed, Some(Format::F64), cases));
    all
}
