//! Every operator, builtin and cast of every integer type, against Rust's own.

use crate::{
    Test,
    harness::Device,
    ir::*,
    numeric::{one, two, x, y},
    values::Sample,
};
use skel_core::{
    Element,
    ir::{BinaryOp, BinaryOp::*, Builtin, Expr, Ty, UnaryOp},
};

pub(crate) const TESTS: &[Test] = &[
    ("i8", of_i8),
    ("i16", of_i16),
    ("i32", of_i32),
    ("i64", of_i64),
    ("isize", of_isize),
    ("u8", of_u8),
    ("u16", of_u16),
    ("u32", of_u32),
    ("u64", of_u64),
    ("usize", of_usize),
    ("casts_among_integers", casts_among_integers),
    ("casts_to_and_from_floats", casts_to_and_from_floats),
];

fn op<T: Sample, R: Sample>(device: &mut Device, op: BinaryOp, native: fn(T, T) -> Option<R>) {
    two::<T, T, R>(device, binary(op, x::<T>(), y::<T>()), R::same, native);
}

fn unary_builtin<T: Sample, R: Sample>(device: &mut Device, name: Builtin, native: fn(T) -> R) {
    one::<T, R>(device, builtin(name, vec![x::<T>()]), native);
}

fn binary_builtin<T: Sample, U: Sample, R: Sample>(
    device: &mut Device,
    name: Builtin,
    native: fn(T, U) -> Option<R>,
) {
    let e = builtin(name, vec![x::<T>(), y::<U>()]);
    two::<T, U, R>(device, e, R::same, native);
}

/// Operators and methods that all integer types have.
macro_rules! common {
    ($device:ident, $t:ident, $unsigned:ident) => {
        let device = &mut *$device;
        op::<$t, $t>(device, Add, |a, b| Some(a.wrapping_add(b)));
        op::<$t, $t>(device, Sub, |a, b| Some(a.wrapping_sub(b)));
        op::<$t, $t>(device, Mul, |a, b| Some(a.wrapping_mul(b)));
        op::<$t, $t>(device, Div, $t::checked_div);
        op::<$t, $t>(device, Rem, $t::checked_rem);
        op::<$t, $t>(device, BitAnd, |a, b| Some(a & b));
        op::<$t, $t>(device, BitOr, |a, b| Some(a | b));
        op::<$t, $t>(device, BitXor, |a, b| Some(a ^ b));
        op::<$t, $t>(device, Shl, |a, b| Some(a.wrapping_shl(b as u32)));
        op::<$t, $t>(device, Shr, |a, b| Some(a.wrapping_shr(b as u32)));
        op::<$t, bool>(device, Eq, |a, b| Some(a == b));
        op::<$t, bool>(device, Ne, |a, b| Some(a != b));
        op::<$t, bool>(device, Lt, |a, b| Some(a < b));
        op::<$t, bool>(device, Le, |a, b| Some(a <= b));
        op::<$t, bool>(device, Gt, |a, b| Some(a > b));
        op::<$t, bool>(device, Ge, |a, b| Some(a >= b));
        one::<$t, $t>(device, unary(UnaryOp::Not, x::<$t>()), |a| !a);
        let literal = |value: $t| constant(value.to_value());
        // By constants: nothing can trap, nothing is checked. Amounts beyond the width are masked.
        let by = |op, value| binary(op, x::<$t>(), literal(value));
        one::<$t, $t>(device, by(Div, 7), |a| a / 7);
        one::<$t, $t>(device, by(Rem, 7), |a| a % 7);
        one::<$t, $t>(device, by(Shl, 101), |a| a.wrapping_shl(101));
        one::<$t, $t>(device, by(Shr, 101), |a| a.wrapping_shr(101));
        for amount in [3_i64, -1] {
            let amount_of = constant(amount.to_value());
            two::<$t, bool, $t>(
                device,
                binary(Shr, x::<$t>(), amount_of),
                $t::same,
                move |a, _| Some(a.wrapping_shr(amount as u32)),
            );
        }
        two::<$t, i8, $t>(
            device,
            binary(Shl, x::<$t>(), y::<i8>()),
            $t::same,
            |a, b| Some(a.wrapping_shl(b as u32)),
        );
        two::<$t, u64, $t>(
            device,
            binary(Shr, x::<$t>(), y::<u64>()),
            $t::same,
            |a, b| Some(a.wrapping_shr(b as u32)),
        );
        binary_builtin::<$t, $t, $t>(device, Builtin::Min, |a, b| Some(a.min(b)));
        binary_builtin::<$t, $t, $t>(device, Builtin::Max, |a, b| Some(a.max(b)));
        binary_builtin::<$t, $t, $t>(device, Builtin::WrappingAdd, |a, b| Some(a.wrapping_add(b)));
        binary_builtin::<$t, $t, $t>(device, Builtin::WrappingSub, |a, b| Some(a.wrapping_sub(b)));
        binary_builtin::<$t, $t, $t>(device, Builtin::WrappingMul, |a, b| Some(a.wrapping_mul(b)));
        binary_builtin::<$t, u32, $t>(device, Builtin::WrappingShl, |a, b| Some(a.wrapping_shl(b)));
        binary_builtin::<$t, u32, $t>(device, Builtin::WrappingShr, |a, b| Some(a.wrapping_shr(b)));
        binary_builtin::<$t, u32, $t>(device, Builtin::RotateLeft, |a, b| Some(a.rotate_left(b)));
        binary_builtin::<$t, u32, $t>(device, Builtin::RotateRight, |a, b| Some(a.rotate_right(b)));
        binary_builtin::<$t, $t, $t>(device, Builtin::SaturatingAdd, |a, b| {
            Some(a.saturating_add(b))
        });
        binary_builtin::<$t, $t, $t>(device, Builtin::SaturatingSub, |a, b| {
            Some(a.saturating_sub(b))
        });
        binary_builtin::<$t, $t, $unsigned>(device, Builtin::AbsDiff, |a, b| Some(a.abs_diff(b)));
        binary_builtin::<$t, $t, $t>(device, Builtin::DivEuclid, $t::checked_div_euclid);
        binary_builtin::<$t, $t, $t>(device, Builtin::RemEuclid, $t::checked_rem_euclid);
        let euclid = |name| builtin(name, vec![x::<$t>(), literal(11)]);
        one::<$t, $t>(device, euclid(Builtin::DivEuclid), |a| a.div_euclid(11));
        one::<$t, $t>(device, euclid(Builtin::RemEuclid), |a| a.rem_euclid(11));
        // Sizes trap where the host's 64 bits wrap, as anywhere beyond 32.
        binary_builtin::<$t, u32, $t>(device, Builtin::Pow, |a, b| match <$t>::ty() {
            Ty::Usize | Ty::Isize => a.checked_pow(b),
            _ => Some(a.wrapping_pow(b)),
        });
        unary_builtin::<$t, $t>(device, Builtin::WrappingNeg, $t::wrapping_neg);
        unary_builtin::<$t, u32>(device, Builtin::CountOnes, $t::count_ones);
        unary_builtin::<$t, u32>(device, Builtin::LeadingZeros, $t::leading_zeros);
        unary_builtin::<$t, u32>(device, Builtin::TrailingZeros, $t::trailing_zeros);
        unary_builtin::<$t, u32>(device, Builtin::LeadingOnes, $t::leading_ones);
        unary_builtin::<$t, u32>(device, Builtin::TrailingOnes, $t::trailing_ones);
        unary_builtin::<$t, $t>(device, Builtin::SwapBytes, $t::swap_bytes);
        unary_builtin::<$t, $t>(device, Builtin::ReverseBits, $t::reverse_bits);
        let clamped = |a: Expr, b: Expr, c: Expr| builtin(Builtin::Clamp, vec![a, b, c]);
        let e = clamped(x::<$t>(), literal(9), literal(100));
        one::<$t, $t>(device, e, |a| a.clamp(9, 100));
        let e = clamped(literal(50), x::<$t>(), y::<$t>());
        two::<$t, $t, $t>(device, e, $t::same, |a, b| (a <= b).then(|| 50.clamp(a, b)));
    };
}

macro_rules! signed {
    ($($name:ident $t:ident $unsigned:ident;)*) => { $(
        fn $name() {
            let device = &mut Device::open();
            if skip(device, &$t::ty()) {
                return;
            }
            common!(device, $t, $unsigned);
            one::<$t, $t>(device, unary(UnaryOp::Neg, x::<$t>()), $t::wrapping_neg);
            unary_builtin::<$t, $t>(device, Builtin::Abs, $t::wrapping_abs);
            unary_builtin::<$t, $t>(device, Builtin::Signum, $t::signum);
            unary_builtin::<$t, $unsigned>(device, Builtin::UnsignedAbs, $t::unsigned_abs);
            unary_builtin::<$t, bool>(device, Builtin::IsPositive, $t::is_positive);
            unary_builtin::<$t, bool>(device, Builtin::IsNegative, $t::is_negative);
            let by = |name| builtin(name, vec![x::<$t>(), constant((-7 as $t).to_value())]);
            one::<$t, $t>(device, by(Builtin::DivEuclid), |a| a.div_euclid(-7));
            one::<$t, $t>(device, by(Builtin::RemEuclid), |a| a.rem_euclid(-7));
            for value in $t::special() {
                let kernel = map_of("constant", &[Ty::U8], constant(value.to_value()));
                let array = device.array(&[0_u8]);
                assert_eq!(device.map::<$t>(&kernel, &[&array], 1).unwrap(), [value]);
            }
        }
    )* };
}
signed! { of_i8 i8 u8; of_i16 i16 u16; of_i32 i32 u32; of_i64 i64 u64; of_isize isize usize; }

macro_rules! unsigned {
    ($($name:ident $t:ident;)*) => { $(
        fn $name() {
            let device = &mut Device::open();
            if skip(device, &$t::ty()) {
                return;
            }
            common!(device, $t, $t);
            binary_builtin::<$t, $t, bool>(device, Builtin::IsMultipleOf, |a, b| Some(a.is_multiple_of(b)));
            for value in $t::special() {
                let kernel = map_of("constant", &[Ty::U8], constant(value.to_value()));
                let array = device.array(&[0_u8]);
                assert_eq!(device.map::<$t>(&kernel, &[&array], 1).unwrap(), [value]);
            }
        }
    )* };
}
unsigned! { of_u8 u8; of_u16 u16; of_u32 u32; of_u64 u64; of_usize usize; }

/// Types that not every device has.
fn skip(device: &Device, ty: &Ty) -> bool {
    match ty {
        Ty::I64 | Ty::U64 => !device.has_i64(),
        Ty::F64 => !device.has_f64(),
        _ => false,
    }
}

fn converts<A: Sample, B: Sample>(device: &mut Device, native: fn(A) -> B) {
    if !skip(device, &A::ty()) && !skip(device, &B::ty()) {
        one::<A, B>(device, cast(x::<A>(), B::ty()), native);
    }
}

macro_rules! casts {
    ($device:ident: $from:ident => $($to:ident)*) => {
        $(converts::<$from, $to>($device, |a| a as $to);)*
    };
    ($device:ident: each $($from:ident)* => $to:tt) => { $(casts!(@$device: $from => $to);)* };
    (@$device:ident: $from:ident => ($($to:ident)*)) => { casts!($device: $from => $($to)*) };
}

fn casts_among_integers() {
    let device = &mut Device::open();
    casts! { device: each bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize
    => (i8 i16 i32 i64 isize u8 u16 u32 u64 usize) }
}

fn casts_to_and_from_floats() {
    let device = &mut Device::open();
    casts! { device: each i8 i16 i32 i64 isize u8 u16 u32 u64 usize => (f32 f64) }
    casts! { device: each f32 f64 => (i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64) }
}
