//! Methods of floats: some are the driver's own, the others code that its compiler may get wrong.

use super::{Check, Consequence, bits, of_one, of_two, with_subnormals, x, y};
use crate::arithmetic::{Remedy, ask::Class, samples::Format};
use skel_core::ir::{BinaryOp, Builtin, Expr, Ty, UnaryOp, Value};

macro_rules! checks {
    ($name:ident, $t:ident, $word:ident, $spelled:literal, $class:expr, $format:expr, $value:expr, $div:ident,
        $fma:expr) => {
        /// `%`, and methods.
        pub(super) fn $name() -> Vec<Check> {
            const CLASS: Class = $class;
            const FORMAT: Format = $format;
            let of = |bits: u64| $t::from_bits(bits as $word);
            let to = |x: $t| u64::from(x.to_bits());
            // What rounds to the least normal number may be flushed as well.
            let unflushed = |x: $t| !x.is_subnormal() && x.abs() != $t::MIN_POSITIVE;
            let constant = |x: $t| Expr::constant($value(x));
            let (singles, mut pairs) = (FORMAT.singles(), FORMAT.pairs());
            let mut all = Vec::new();
            let mut push = |operation, remedy, e: Expr, cases| {
                let result = e.ty.is_float().then_some(FORMAT);
                all.push(Check {
                    ty: $spelled,
                    operation,
                    remedy,
                    meaning: Consequence::Wrong,
                    expr: bits(CLASS, e),
                    result,
                    cases: with_subnormals(cases, FORMAT, result),
                });
            };

            let div = Some(Remedy::$div);
            let of_number: [(Builtin, Option<Remedy>, fn($t) -> $t); 4] = [
                (Builtin::Signum, None, $t::signum),
                (Builtin::Recip, div, $t::recip),
                (Builtin::ToDegrees, None, $t::to_degrees),
                (Builtin::ToRadians, None, $t::to_radians),
            ];
            for (builtin, remedy, native) in of_number {
                let e = Expr::builtin(builtin, vec![x(CLASS)], 0);
                push(
                    builtin.name(),
                    remedy,
                    e,
                    of_one(&singles, |b| Some(to(native(of(b))))),
                );
            }
            let asked: [(Builtin, fn($t) -> bool); 5] = [
                (Builtin::IsNan, $t::is_nan),
                (Builtin::IsFinite, $t::is_finite),
                (Builtin::IsInfinite, $t::is_infinite),
                (Builtin::IsSignPositive, $t::is_sign_positive),
                (Builtin::IsSignNegative, $t::is_sign_negative),
            ];
            for (builtin, native) in asked {
                let e = Expr::builtin(builtin, vec![x(CLASS)], 0);
                // Signs of NaN are open.
                let has_sign = |b| builtin == Builtin::IsNan || !of(b).is_nan();
                let cases = of_one(&singles, |b| has_sign(b).then(|| native(of(b)).into()));
                push(builtin.name(), None, e, cases);
            }
            let limited = vec![x(CLASS), constant(-0.5), constant(2.0)];
            let cases = of_one(&singles, |b| Some(to(of(b).clamp(-0.5, 2.0))));
            push(
                "clamp",
                None,
                Expr::builtin(Builtin::Clamp, limited, 0),
                cases,
            );

            let copied = Expr::builtin(Builtin::Copysign, vec![x(CLASS), y(CLASS)], 0);
            let cases = of_two(&pairs, |a, b| {
                (!of(b).is_nan()).then(|| to(of(a).copysign(of(b))))
            });
            push("copysign", None, copied, cases);
            let rest = Expr::binary(BinaryOp::Rem, x(CLASS), y(CLASS), 0);
            push(
                "%",
                None,
                rest,
                of_two(&pairs, |a, b| Some(to(of(a) % of(b)))),
            );
            let euclidean: [(Builtin, fn($t, $t) -> $t); 2] = [
                (Builtin::DivEuclid, $t::div_euclid),
                (Builtin::RemEuclid, $t::rem_euclid),
            ];
            for (builtin, native) in euclidean {
                let e = Expr::builtin(builtin, vec![x(CLASS), y(CLASS)], 0);
                // What is subnormal on the way may be flushed.
                let cases = of_two(&pairs, |a, b| {
                    let (a, b) = (of(a), of(b));
                    unflushed(a % b).then(|| to(native(a, b)))
                });
                push(builtin.name(), div, e, cases);
            }

            // Exponents of both signs, from the bits of the second operand.
            const MOST: i32 = 41;
            let word = Expr::builtin(Builtin::ToBits, vec![y(CLASS)], 0);
            let exponent = Expr::cast(word, Ty::I32);
            let exponent =
                Expr::binary(BinaryOp::Rem, exponent, Expr::constant(Value::I32(MOST)), 0);
            let power = Expr::builtin(Builtin::Powi, vec![x(CLASS), exponent], 0);
            let cases = of_two(&pairs, |a, b| {
                let exponent = b as u32 as i32 % MOST;
                let (mut base, mut left, mut power) = (of(a), exponent, 1.0);
                while left != 0 {
                    if left % 2 != 0 {
                        power *= base;
                    }
                    left /= 2;
                    base *= base;
                }
                unflushed(power).then(|| to(if exponent < 0 { 1.0 / power } else { power }))
            });
            push("powi", div, power, cases);

            // What one rounding decides. Just below the middle between 1 + EPSILON and the next number: of two
            // roundings, the first gives the middle, and the second goes the wrong way.
            let fma = $fma;
            let near = ($t::EPSILON / 2.0) * (1.0 + $t::EPSILON);
            for (left, right) in [(near, 1.0 - $t::EPSILON), (near, 1.0 - $t::EPSILON / 2.0)] {
                pairs.extend([
                    [to(left), to(right)],
                    [to(-left), to(right)],
                    [to(right), to(-left)],
                ]);
            }
            let odd = 1.0 + $t::EPSILON;
            for (operation, summand) in [("mul_add of 1 + EPSILON", odd), ("mul_add of 0.0", 0.0)] {
                let args = vec![x(CLASS), y(CLASS), constant(summand)];
                let cases = of_two(&pairs, |a, b| Some(to(of(a).mul_add(of(b), summand))));
                push(
                    operation,
                    fma,
                    Expr::builtin(Builtin::MulAdd, args, 0),
                    cases,
                );
            }
            // What rounding took off the product.
            let product = Expr::binary(BinaryOp::Mul, x(CLASS), y(CLASS), 0);
            let args = vec![x(CLASS), y(CLASS), Expr::unary(UnaryOp::Neg, product)];
            let cases = of_two(&pairs, |a, b| {
                let (a, b) = (of(a), of(b));
                unflushed(a * b).then(|| to(a.mul_add(b, -(a * b))))
            });
            push(
                "mul_add of -(x * y)",
                fma,
                Expr::builtin(Builtin::MulAdd, args, 0),
                cases,
            );
            // Any summand, made of the bits of both.
            let mixed = Expr::binary(
                BinaryOp::BitXor,
                Expr::builtin(Builtin::ToBits, vec![x(CLASS)], 0),
                Expr::builtin(
                    Builtin::RotateLeft,
                    vec![
                        Expr::builtin(Builtin::ToBits, vec![y(CLASS)], 0),
                        Expr::constant(Value::U32(TURNED)),
                    ],
                    0,
                ),
                0,
            );
            let summand = Expr::builtin(Builtin::FromBits, vec![mixed], 0);
            let args = vec![x(CLASS), y(CLASS), summand];
            let cases = of_two(&pairs, |a, b| {
                let summand = of(a ^ u64::from((b as $word).rotate_left(TURNED)));
                unflushed(summand).then(|| to(of(a).mul_add(of(b), summand)))
            });
            push(
                "mul_add",
                fma,
                Expr::builtin(Builtin::MulAdd, args, 0),
                cases,
            );
            all
        }
    };
}

checks! { f32_methods, f32, u32, "f32", Class::F32, Format::F32, Value::F32, DivF32, Some(Remedy::FmaF32) }
checks! { f64_methods, f64, u64, "f64", Class::F64, Format::F64, Value::F64, DivF64, None }

/// How far bits are turned to make another operand of them.
const TURNED: u32 = 5;

/// Functions of code of our own that is full of comparisons, of NaN: NVIDIA's Vulkan driver takes `x > y` for the opposite of
/// `x <= y` where it decides a branch.
pub(super) fn of_nan() -> Vec<Check> {
    const CLASS: Class = Class::F32;
    let nans = Format::F32.singles();
    let nans: Vec<u64> = nans
        .into_iter()
        .filter(|x| Format::F32.is_nan(*x))
        .collect();
    let of = |(builtin, operation)| Check {
        ty: "f32",
        operation,
        remedy: None,
        meaning: Consequence::Wrong,
        expr: bits(CLASS, Expr::builtin(builtin, vec![x(CLASS)], 0)),
        result: Some(Format::F32),
        cases: of_one(&nans, Some),
    };
    let functions = [
        (Builtin::Cosh, "cosh of NaN"),
        (Builtin::ExpM1, "exp_m1 of NaN"),
    ];
    functions.map(of).into()
}
