//! `f32` and `f64`: what is exact. Transcendentals are libdevice's on a device and the C library's
//! here, so they are only seen to be called.

use super::table::{Table, partial, row, x, y, z};
use crate::{
    ir::{binary, builtin, cast, constant, unary},
    values::{Sample, next, pairs, samples},
};
use skel_core::ir::{BinaryOp::*, Builtin, UnaryOp};

pub(super) fn all() -> Table {
    let mut table = Table::default();
    f32_rows(&mut table);
    f64_rows(&mut table);
    table
}

pub(super) fn zeros() -> Table {
    let mut table = Table::default();
    macro_rules! types {
        ($($t:ident)*) => { $(
            let of = |b| builtin(b, vec![x::<$t>(), y::<$t>()]);
            let all = pairs::<$t, $t>(1000);
            let rows = vec![
                row(of(Builtin::Min), |(a, b): ($t, $t)| a.min(b)),
                row(of(Builtin::Max), |(a, b): ($t, $t)| a.max(b)),
            ];
            table.add(&all, rows);
            let clamp = builtin(Builtin::Clamp, vec![constant((0.75 as $t).value()), x::<$t>(), y::<$t>()]);
            let native = |(a, b): ($t, $t)| (a <= b).then(|| (0.75 as $t).clamp(a, b));
            table.add(&all, vec![partial(clamp, native)]);
        )* };
    }
    types!(f32 f64);
    table
}

macro_rules! cast_rows {
    ($t:ident; $($u:ident)*) => {
        vec![$(row(cast(x::<$t>(), <$u as Sample>::TY), |(a,): ($t,)| a as $u)),*]
    };
}

macro_rules! floats {
    ($name:ident, $t:ident) => {
        fn $name(table: &mut Table) {
            let op = |op| binary(op, x::<$t>(), y::<$t>());
            let of = |b| builtin(b, vec![x::<$t>(), y::<$t>()]);
            let all = pairs::<$t, $t>(3000);
            let rows = vec![
                row(op(Add), |(a, b): ($t, $t)| a + b),
                row(op(Sub), |(a, b): ($t, $t)| a - b),
                row(op(Mul), |(a, b): ($t, $t)| a * b),
                row(op(Div), |(a, b): ($t, $t)| a / b),
                row(op(Rem), |(a, b): ($t, $t)| a % b),
                row(of(Builtin::Copysign), |(a, b): ($t, $t)| a.copysign(b)),
                row(of(Builtin::DivEuclid), |(a, b): ($t, $t)| a.div_euclid(b)),
                row(of(Builtin::RemEuclid), |(a, b): ($t, $t)| a.rem_euclid(b)),
            ];
            table.add(&all, rows);
            let rows = vec![
                row(op(Eq), |(a, b): ($t, $t)| a == b),
                row(op(Ne), |(a, b): ($t, $t)| a != b),
                row(op(Lt), |(a, b): ($t, $t)| a < b),
                row(op(Le), |(a, b): ($t, $t)| a <= b),
                row(op(Gt), |(a, b): ($t, $t)| a > b),
                row(op(Ge), |(a, b): ($t, $t)| a >= b),
            ];
            table.add(&all, rows);

            let own: Vec<($t,)> = samples(2000).into_iter().map(|a| (a,)).collect();
            let of = |b| builtin(b, vec![x::<$t>()]);
            let bound = |v: $t| constant(v.value());
            let kept = builtin(Builtin::Clamp, vec![x::<$t>(), bound(-0.5), bound(2.0)]);
            let rows = vec![
                row(unary(UnaryOp::Neg, x::<$t>()), |(a,): ($t,)| -a),
                row(of(Builtin::Abs), |(a,): ($t,)| a.abs()),
                row(of(Builtin::Sqrt), |(a,): ($t,)| a.sqrt()),
                row(of(Builtin::Floor), |(a,): ($t,)| a.floor()),
                row(of(Builtin::Ceil), |(a,): ($t,)| a.ceil()),
                row(of(Builtin::Round), |(a,): ($t,)| a.round()),
                row(of(Builtin::Trunc), |(a,): ($t,)| a.trunc()),
                row(of(Builtin::Fract), |(a,): ($t,)| a.fract()),
                row(of(Builtin::Signum), |(a,): ($t,)| a.signum()),
                row(of(Builtin::Recip), |(a,): ($t,)| a.recip()),
                row(of(Builtin::RoundTiesEven), |(a,): ($t,)| a.round_ties_even()),
                row(of(Builtin::ToDegrees), |(a,): ($t,)| a.to_degrees()),
                row(of(Builtin::ToRadians), |(a,): ($t,)| a.to_radians()),
                row(kept, |(a,): ($t,)| a.clamp(-0.5, 2.0)),
            ];
            table.add(&own, rows);
            let rows = vec![
                row(of(Builtin::IsNan), |(a,): ($t,)| a.is_nan()),
                row(of(Builtin::IsFinite), |(a,): ($t,)| a.is_finite()),
                row(of(Builtin::IsInfinite), |(a,): ($t,)| a.is_infinite()),
                row(of(Builtin::IsSignPositive), |(a,): ($t,)| a.is_sign_positive()),
                row(of(Builtin::IsSignNegative), |(a,): ($t,)| a.is_sign_negative()),
            ];
            table.add(&own, rows);
            bits::$t(table);
            table.add(&own, cast_rows!($t; i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64));

            let specials = [
                0.0, -0.0, 1.0, -1.5, 0.1, 1e-30, 1e30, $t::MAX, $t::MIN, $t::MIN_POSITIVE,
                $t::EPSILON, $t::INFINITY, $t::NEG_INFINITY, $t::NAN, $t::from_bits(1),
                $t::MIN_POSITIVE.next_down(), std::f64::consts::PI as $t,
            ];
            let rows = specials.map(|c| row(constant(c.value()), move |_: ($t,)| c));
            table.add(&own[..2], rows.into());

            // a * b + c where the product's last bits count: rounded once, and rounded twice.
            let mut state = 3;
            let three: Vec<($t, $t, $t)> = std::iter::repeat_with(|| {
                let [a, b, c] = [0; 3].map(|_: u8| $t::random(next(&mut state)));
                (a, b, if next(&mut state) & 1 == 0 { c } else { -(a * b) })
            })
            .take(3000)
            .collect();
            let product = binary(Mul, x::<$t>(), y::<$t>());
            let rows = vec![
                row(builtin(Builtin::MulAdd, vec![x::<$t>(), y::<$t>(), z::<$t>()]),
                    |(a, b, c): ($t, $t, $t)| a.mul_add(b, c)),
                row(binary(Add, product.clone(), z::<$t>()), |(a, b, c): ($t, $t, $t)| a * b + c),
                row(binary(Sub, product, z::<$t>()), |(a, b, c): ($t, $t, $t)| a * b - c),
            ];
            table.add(&three, rows);
        }
    };
}
floats!(f32_rows, f32);
floats!(f64_rows, f64);

/// The bits of numbers; those of NaN are open.
mod bits {
    use super::*;

    macro_rules! types {
        ($($t:ident $u:ident)*) => { $(
            pub(super) fn $t(table: &mut Table) {
                let own: Vec<($t,)> = samples(500).into_iter().map(|a| (a,)).collect();
                let to = builtin(Builtin::ToBits, vec![x::<$t>()]);
                table.add(&own, vec![partial(to, |(a,): ($t,)| (!a.is_nan()).then(|| a.to_bits()))]);
                let own: Vec<($u,)> = samples(500).into_iter().map(|a| (a,)).collect();
                let from = builtin(Builtin::FromBits, vec![x::<$u>()]);
                table.add(&own, vec![row(from, |(a,): ($u,)| $t::from_bits(a))]);
            }
        )* };
    }
    types!(f32 u32 f64 u64);
}
