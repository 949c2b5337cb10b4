//! Integers of all types, and `bool`.

use super::table::{Table, partial, row, x, y};
use crate::{
    ir::{binary, builtin, cast, constant, unary},
    values::{Sample, pairs, samples},
};
use skel_core::ir::{BinaryOp::*, Builtin, UnaryOp, Value};

macro_rules! cast_rows {
    ($t:ident; $($u:ident)*) => {
        vec![$(row(cast(x::<$t>(), <$u as Sample>::TY), |(a,): ($t,)| a as $u)),*]
    };
}

macro_rules! arithmetic {
    ($table:ident, $t:ident) => {{
        let op = |op| binary(op, x::<$t>(), y::<$t>());
        let of = |b| builtin(b, vec![x::<$t>(), y::<$t>()]);
        let number = |n: $t| constant(n.value());
        let kept = builtin(Builtin::Clamp, vec![x::<$t>(), number(3), number(99)]);
        let all = pairs::<$t, $t>(1000);
        $table.add(
            &all,
            vec![
                row(op(Add), |(a, b): ($t, $t)| a.wrapping_add(b)),
                row(op(Sub), |(a, b): ($t, $t)| a.wrapping_sub(b)),
                row(op(Mul), |(a, b): ($t, $t)| a.wrapping_mul(b)),
                row(op(BitAnd), |(a, b): ($t, $t)| a & b),
                row(op(BitOr), |(a, b): ($t, $t)| a | b),
                row(op(BitXor), |(a, b): ($t, $t)| a ^ b),
                row(op(Shl), |(a, b): ($t, $t)| a.wrapping_shl(b as u32)),
                row(op(Shr), |(a, b): ($t, $t)| a.wrapping_shr(b as u32)),
                row(of(Builtin::Min), |(a, b): ($t, $t)| a.min(b)),
                row(of(Builtin::Max), |(a, b): ($t, $t)| a.max(b)),
                row(of(Builtin::WrappingAdd), |(a, b): ($t, $t)| {
                    a.wrapping_add(b)
                }),
                row(of(Builtin::WrappingSub), |(a, b): ($t, $t)| {
                    a.wrapping_sub(b)
                }),
                row(of(Builtin::WrappingMul), |(a, b): ($t, $t)| {
                    a.wrapping_mul(b)
                }),
                row(of(Builtin::SaturatingAdd), |(a, b): ($t, $t)| {
                    a.saturating_add(b)
                }),
                row(of(Builtin::SaturatingSub), |(a, b): ($t, $t)| {
                    a.saturating_sub(b)
                }),
                row(
                    builtin(Builtin::DivEuclid, vec![x::<$t>(), number(7)]),
                    |(a, _): ($t, $t)| a.div_euclid(7),
                ),
                row(
                    builtin(Builtin::RemEuclid, vec![x::<$t>(), number(10)]),
                    |(a, _): ($t, $t)| a.rem_euclid(10),
                ),
                row(kept, |(a, _): ($t, $t)| a.clamp(3, 99)),
                // By constants that cannot trap.
                row(binary(Div, x::<$t>(), number(7)), |(a, _): ($t, $t)| a / 7),
                row(binary(Rem, x::<$t>(), number(10)), |(a, _): ($t, $t)| {
                    a % 10
                }),
            ],
        );
        $table.add(
            &all,
            vec![
                partial(op(Div), |(a, b): ($t, $t)| a.checked_div(b)),
                partial(op(Rem), |(a, b): ($t, $t)| a.checked_rem(b)),
                partial(of(Builtin::DivEuclid), |(a, b): ($t, $t)| {
                    a.checked_div_euclid(b)
                }),
                partial(of(Builtin::RemEuclid), |(a, b): ($t, $t)| {
                    a.checked_rem_euclid(b)
                }),
            ],
        );
        let clamp = builtin(Builtin::Clamp, vec![number(50), x::<$t>(), y::<$t>()]);
        let native = |(a, b): ($t, $t)| (a <= b).then(|| (50 as $t).clamp(a, b));
        $table.add(&all, vec![partial(clamp, native)]);
    }};
}

macro_rules! bits {
    ($table:ident, $t:ident) => {{
        let of = |b| builtin(b, vec![x::<$t>(), y::<u32>()]);
        $table.add(&pairs::<$t, u32>(200), vec![
            row(of(Builtin::RotateLeft), |(a, n): ($t, u32)| a.rotate_left(n)),
            row(of(Builtin::RotateRight), |(a, n): ($t, u32)| a.rotate_right(n)),
            row(of(Builtin::WrappingShl), |(a, n): ($t, u32)| a.wrapping_shl(n)),
            row(of(Builtin::WrappingShr), |(a, n): ($t, u32)| a.wrapping_shr(n)),
            row(of(Builtin::Pow), |(a, n): ($t, u32)| a.wrapping_pow(n)),
            // Constant amounts beyond the width.
            row(binary(Shl, x::<$t>(), constant(Value::I32(77))),
                |(a, _): ($t, u32)| a.wrapping_shl(77)),
            row(binary(Shr, x::<$t>(), constant(Value::I64(-3))),
                |(a, _): ($t, u32)| a.wrapping_shr(-3_i32 as u32)),
        ]);
        let own: Vec<($t,)> = samples(300).into_iter().map(|a| (a,)).collect();
        let of = |b| builtin(b, vec![x::<$t>()]);
        $table.add(&own, vec![
            row(of(Builtin::CountOnes), |(a,): ($t,)| a.count_ones()),
            row(of(Builtin::LeadingZeros), |(a,): ($t,)| a.leading_zeros()),
            row(of(Builtin::LeadingOnes), |(a,): ($t,)| a.leading_ones()),
            row(of(Builtin::TrailingOnes), |(a,): ($t,)| a.trailing_ones()),
            row(of(Builtin::SwapBytes), |(a,): ($t,)| a.swap_bytes()),
            row(of(Builtin::ReverseBits), |(a,): ($t,)| a.reverse_bits()),
            row(of(Builtin::TrailingZeros), |(a,): ($t,)| a.trailing_zeros()),
            row(unary(UnaryOp::Not, x::<$t>()), |(a,): ($t,)| !a),
            row(of(Builtin::WrappingNeg), |(a,): ($t,)| a.wrapping_neg()),
            row(constant($t::MIN.value()), |_: ($t,)| $t::MIN),
            row(constant($t::MAX.value()), |_: ($t,)| $t::MAX),
        ]);
        let rows = cast_rows!($t; i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64);
        $table.add(&own, rows);
    }};
}

pub(super) fn all() -> Table {
    let mut table = Table::default();
    macro_rules! types {
        ($($t:ident)*) => { $(
            arithmetic!(table, $t);
            bits!(table, $t);
            comparisons::<$t>(&mut table);
        )* };
    }
    types!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
    signed(&mut table);
    differences(&mut table);
    shifts_by_other_types(&mut table);
    comparisons::<bool>(&mut table);
    bools(&mut table);
    table
}

fn comparisons<T: Sample + PartialOrd>(table: &mut Table) {
    let op = |op| binary(op, x::<T>(), y::<T>());
    let rows = vec![
        row(op(Eq), |(a, b): (T, T)| a == b),
        row(op(Ne), |(a, b): (T, T)| a != b),
        row(op(Lt), |(a, b): (T, T)| a < b),
        row(op(Le), |(a, b): (T, T)| a <= b),
        row(op(Gt), |(a, b): (T, T)| a > b),
        row(op(Ge), |(a, b): (T, T)| a >= b),
    ];
    table.add(&pairs::<T, T>(300), rows);
}

fn signed(table: &mut Table) {
    macro_rules! types {
        ($($t:ident)*) => { $(
            let of = |b| builtin(b, vec![x::<$t>()]);
            let own: Vec<($t,)> = samples(300).into_iter().map(|a| (a,)).collect();
            let minus = constant((-7 as $t).value());
            let rows = vec![
                row(of(Builtin::Abs), |(a,): ($t,)| a.wrapping_abs()),
                row(of(Builtin::Signum), |(a,): ($t,)| a.signum()),
                row(of(Builtin::UnsignedAbs), |(a,): ($t,)| a.unsigned_abs()),
                row(of(Builtin::IsPositive), |(a,): ($t,)| a.is_positive()),
                row(of(Builtin::IsNegative), |(a,): ($t,)| a.is_negative()),
                row(builtin(Builtin::DivEuclid, vec![x::<$t>(), minus.clone()]),
                    |(a,): ($t,)| a.div_euclid(-7)),
                row(builtin(Builtin::RemEuclid, vec![x::<$t>(), minus.clone()]),
                    |(a,): ($t,)| a.rem_euclid(-7)),
                row(unary(UnaryOp::Neg, x::<$t>()), |(a,): ($t,)| a.wrapping_neg()),
                row(binary(Div, x::<$t>(), minus.clone()), |(a,): ($t,)| a / -7),
                row(binary(Rem, x::<$t>(), minus), |(a,): ($t,)| a % -7),
            ];
            table.add(&own, rows);
        )* };
    }
    types!(i8 i16 i32 i64 isize);
}

/// Those whose result has another type.
fn differences(table: &mut Table) {
    macro_rules! types {
        ($($t:ident)*) => { $(
            let e = builtin(Builtin::AbsDiff, vec![x::<$t>(), y::<$t>()]);
            table.add(&pairs::<$t, $t>(300), vec![row(e, |(a, b): ($t, $t)| a.abs_diff(b))]);
        )* };
    }
    types!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
    macro_rules! types {
        ($($t:ident)*) => { $(
            let e = builtin(Builtin::IsMultipleOf, vec![x::<$t>(), y::<$t>()]);
            table.add(&pairs::<$t, $t>(300), vec![row(e, |(a, b): ($t, $t)| a.is_multiple_of(b))]);
        )* };
    }
    types!(u8 u16 u32 u64 usize);
}

/// The amount may have any type: its low bits count.
fn shifts_by_other_types(table: &mut Table) {
    macro_rules! pairs_of_types {
        ($($t:ident $u:ident;)*) => { $(
            let rows = vec![
                row(binary(Shl, x::<$t>(), y::<$u>()), |(a, b): ($t, $u)| a.wrapping_shl(b as u32)),
                row(binary(Shr, x::<$t>(), y::<$u>()), |(a, b): ($t, $u)| a.wrapping_shr(b as u32)),
            ];
            table.add(&pairs::<$t, $u>(100), rows);
        )* };
    }
    pairs_of_types! { i8 u64; u8 i8; i16 isize; u16 i64; i32 u8; u32 i16; i64 i8; u64 usize; }
}

fn bools(table: &mut Table) {
    let op = |op| binary(op, x::<bool>(), y::<bool>());
    let rows = vec![
        row(op(BitAnd), |(a, b): (bool, bool)| a & b),
        row(op(BitOr), |(a, b): (bool, bool)| a | b),
        row(op(BitXor), |(a, b): (bool, bool)| a ^ b),
        row(op(And), |(a, b): (bool, bool)| a && b),
        row(op(Or), |(a, b): (bool, bool)| a || b),
        row(unary(UnaryOp::Not, x::<bool>()), |(a, _): (bool, bool)| !a),
    ];
    table.add(&pairs::<bool, bool>(0), rows);
    let own = [(false,), (true,)];
    table.add(
        &own,
        cast_rows!(bool; i8 i16 i32 i64 isize u8 u16 u32 u64 usize),
    );
}
