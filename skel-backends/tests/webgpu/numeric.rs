//! Every operator, builtin and cast that is exact, against Rust's own.

use crate::{
    Test,
    harness::Device,
    ir::*,
    values::{Sample, pairs, samples},
};
use skel_backends::{arithmetic::Remedies, webgpu::Options};
use skel_core::ir::{BinaryOp::*, Builtin, Expr, Ty, UnaryOp, Value};

pub(crate) const TESTS: &[Test] = &[
    ("comparisons_and_bools", comparisons_and_bools),
    ("f32_arithmetic", || f32_arithmetic(&mut Device::open())),
    ("f32_arithmetic_by_integers", || {
        f32_arithmetic(&mut by_integers())
    }),
    ("f32_builtins", || f32_builtins(&mut Device::open())),
    ("f32_builtins_by_integers", || {
        f32_builtins(&mut by_integers())
    }),
    ("zeros_are_no_shortcut", zeros_are_no_shortcut),
    ("f64_arithmetic", || f64_arithmetic(&mut Device::open())),
    ("f64_arithmetic_by_integers", || {
        f64_arithmetic(&mut by_integers())
    }),
    ("f64_builtins", || f64_builtins(&mut Device::open())),
    ("f64_builtins_by_integers", || {
        f64_builtins(&mut by_integers())
    }),
    ("usize_in_32_bits", usize_in_32_bits),
    ("constants", constants),
];

/// A device that is taken to be wrong wherever a remedy exists.
fn by_integers() -> Device {
    Device::with(Options {
        remedies: Remedies::all(),
        ..Options::default()
    })
}

/// Compares a kernel of one parameter with Rust.
pub(crate) fn one<A: Sample, R: Sample>(device: &mut Device, e: Expr, native: impl Fn(A) -> R) {
    let inputs: Vec<A> = samples::<A>(4000)
        .into_iter()
        .filter(|a| native(*a).fits())
        .collect();
    if inputs.is_empty() {
        return;
    }
    let name = format!("{e:?}");
    let kernel = map_of("one", &[A::ty()], e);
    let array = device.array(&inputs);
    let found: Vec<R> = device
        .map(&kernel, &[&array], inputs.len())
        .expect("no trap");
    for (a, found) in inputs.into_iter().zip(found) {
        let expected = native(a);
        assert!(
            found.same(expected),
            "of {a:?}: {found:?}, not {expected:?}: {name}"
        );
    }
}

/// Compares a kernel of two parameters with Rust, where Rust has a value.
pub(crate) fn two<A: Sample, B: Sample, R: Sample>(
    device: &mut Device,
    e: Expr,
    same: fn(R, R) -> bool,
    native: impl Fn(A, B) -> Option<R>,
) {
    let (a, b) = pairs::<A, B>(4000);
    let (mut left, mut right, mut expected) = (Vec::new(), Vec::new(), Vec::new());
    for (a, b) in a.into_iter().zip(b) {
        if let Some(r) = native(a, b)
            && r.fits()
        {
            left.push(a);
            right.push(b);
            expected.push(r);
        }
    }
    if expected.is_empty() {
        return;
    }
    let name = format!("{e:?}");
    let kernel = map_of("two", &[A::ty(), B::ty()], e);
    let (da, db) = (device.array(&left), device.array(&right));
    let found: Vec<R> = device
        .map(&kernel, &[&da, &db], left.len())
        .expect("no trap");
    for (k, (found, expected)) in found.into_iter().zip(expected).enumerate() {
        let (a, b) = (left[k], right[k]);
        assert!(
            same(found, expected),
            "of {a:?}, {b:?}: {found:?}, not {expected:?}: {name}"
        );
    }
}

/// The parameters as expressions.
pub(crate) fn x<A: Sample>() -> Expr {
    local(0, A::ty())
}

pub(crate) fn y<B: Sample>() -> Expr {
    local(1, B::ty())
}

macro_rules! operators {
    ($device:ident, $t:ty: $($op:ident $native:expr;)*) => { $(
        two::<$t, $t, $t>($device, binary($op, x::<$t>(), y::<$t>()), <$t>::same, |a, b| {
            let native: fn($t, $t) -> $t = $native;
            Some(native(a, b))
        });
    )* };
}

macro_rules! unary_builtins {
    ($device:ident, $t:ty => $r:ty: $($builtin:ident $native:expr;)*) => { $(
        let native: fn($t) -> $r = $native;
        one::<$t, $r>($device, builtin(Builtin::$builtin, vec![x::<$t>()]), native);
    )* };
}

macro_rules! binary_builtins {
    ($device:ident, $t:ty, $u:ty, $same:expr; $($builtin:ident $native:expr;)*) => { $(
        let native: fn($t, $u) -> $t = $native;
        let e = builtin(Builtin::$builtin, vec![x::<$t>(), y::<$u>()]);
        two::<$t, $u, $t>($device, e, $same, |a, b| Some(native(a, b)));
    )* };
}

fn comparisons_and_bools() {
    let device = &mut Device::open();
    fn of<T: Sample + PartialOrd>(device: &mut Device) {
        let e = |op| binary(op, x::<T>(), y::<T>());
        two::<T, T, bool>(device, e(Eq), bool::same, |a, b| Some(a == b));
        two::<T, T, bool>(device, e(Ne), bool::same, |a, b| Some(a != b));
        two::<T, T, bool>(device, e(Lt), bool::same, |a, b| Some(a < b));
        two::<T, T, bool>(device, e(Le), bool::same, |a, b| Some(a <= b));
        two::<T, T, bool>(device, e(Gt), bool::same, |a, b| Some(a > b));
        two::<T, T, bool>(device, e(Ge), bool::same, |a, b| Some(a >= b));
    }
    of::<f32>(device);
    of::<bool>(device);
    if device.has_f64() {
        of::<f64>(device);
    }
    operators! { device, bool:
        BitAnd |a, b| a & b; BitOr |a, b| a | b; BitXor |a, b| a ^ b;
        And |a, b| a && b; Or |a, b| a || b;
    }
    one::<bool, bool>(device, unary(UnaryOp::Not, x::<bool>()), |a| !a);
}

fn f32_arithmetic(device: &mut Device) {
    operators! { device, f32:
        Add |a, b| a + b; Sub |a, b| a - b; Mul |a, b| a * b; Div |a, b| a / b; Rem |a, b| a % b;
    }
    one::<f32, f32>(device, unary(UnaryOp::Neg, x::<f32>()), |a| -a);
}

/// `x * 0` is not 0 of all `x`, nor is `x - x`, nor `x + 0` `x`.
fn zeros_are_no_shortcut() {
    let device = &mut Device::open();
    macro_rules! of {
        ($t:ident $variant:ident) => {
            let zero = |value: $t| constant(Value::$variant(value));
            let with = |op, value| binary(op, x::<$t>(), zero(value));
            for value in [0.0, -0.0] {
                let by = move |op: fn($t, $t) -> $t| move |a: $t| op(a, value);
                one::<$t, $t>(device, with(Add, value), by(|a, b| a + b));
                one::<$t, $t>(device, with(Sub, value), by(|a, b| a - b));
                one::<$t, $t>(device, with(Mul, value), by(|a, b| a * b));
                one::<$t, $t>(device, with(Div, value), by(|a, b| a / b));
                let under = |op| binary(op, zero(value), x::<$t>());
                one::<$t, $t>(device, under(Add), by(|a, b| b + a));
                one::<$t, $t>(device, under(Sub), by(|a, b| b - a));
                one::<$t, $t>(device, under(Mul), by(|a, b| b * a));
                one::<$t, $t>(device, under(Div), by(|a, b| b / a));
            }
            one::<$t, $t>(device, binary(Sub, x::<$t>(), x::<$t>()), |a| a - a);
            one::<$t, $t>(device, binary(Div, x::<$t>(), x::<$t>()), |a| a / a);
        };
    }
    of!(f32 F32);
    if device.has_f64() {
        of!(f64 F64);
    }
}

fn f32_builtins(device: &mut Device) {
    unary_builtins! { device, f32 => f32:
        Abs f32::abs; Sqrt f32::sqrt; Floor f32::floor; Ceil f32::ceil; Round f32::round;
        Trunc f32::trunc; Fract f32::fract; Signum f32::signum; Recip f32::recip;
        RoundTiesEven f32::round_ties_even; ToDegrees f32::to_degrees; ToRadians f32::to_radians;
    }
    unary_builtins! { device, f32 => bool: IsNan f32::is_nan; IsFinite f32::is_finite; IsInfinite f32::is_infinite;
        IsSignPositive f32::is_sign_positive; IsSignNegative f32::is_sign_negative;
    }
    // Which bits a NaN has is open.
    two::<f32, bool, u32>(
        device,
        builtin(Builtin::ToBits, vec![x::<f32>()]),
        u32::same,
        |a, _| (!a.is_nan()).then(|| a.to_bits()),
    );
    one::<u32, f32>(
        device,
        builtin(Builtin::FromBits, vec![x::<u32>()]),
        f32::from_bits,
    );
    binary_builtins! { device, f32, f32, f32::alike; Min f32::min; Max f32::max; }
    binary_builtins! { device, f32, f32, f32::same; Copysign f32::copysign;
        DivEuclid f32::div_euclid; RemEuclid f32::rem_euclid;
    }
    let bound = |v| constant(Value::F32(v));
    let e = builtin(Builtin::Clamp, vec![x::<f32>(), bound(-0.5), bound(2.0)]);
    one::<f32, f32>(device, e, |a| a.clamp(-0.5, 2.0));
    let e = builtin(Builtin::Clamp, vec![bound(0.75), x::<f32>(), y::<f32>()]);
    two::<f32, f32, f32>(device, e, f32::alike, |a, b| {
        (a <= b).then(|| 0.75_f32.clamp(a, b))
    });
}

fn f64_arithmetic(device: &mut Device) {
    if !device.has_f64() {
        return;
    }
    operators! { device, f64:
        Add |a, b| a + b; Sub |a, b| a - b; Mul |a, b| a * b; Div |a, b| a / b; Rem |a, b| a % b;
    }
    one::<f64, f64>(device, unary(UnaryOp::Neg, x::<f64>()), |a| -a);
}

fn f64_builtins(device: &mut Device) {
    if !device.has_f64() {
        return;
    }
    unary_builtins! { device, f64 => f64:
        Abs f64::abs; Sqrt f64::sqrt; Floor f64::floor; Ceil f64::ceil; Round f64::round;
        Trunc f64::trunc; Fract f64::fract; Signum f64::signum; Recip f64::recip;
        RoundTiesEven f64::round_ties_even; ToDegrees f64::to_degrees; ToRadians f64::to_radians;
    }
    unary_builtins! { device, f64 => bool: IsNan f64::is_nan; IsFinite f64::is_finite; IsInfinite f64::is_infinite;
        IsSignPositive f64::is_sign_positive; IsSignNegative f64::is_sign_negative;
    }
    two::<f64, bool, u64>(
        device,
        builtin(Builtin::ToBits, vec![x::<f64>()]),
        u64::same,
        |a, _| (!a.is_nan()).then(|| a.to_bits()),
    );
    one::<u64, f64>(
        device,
        builtin(Builtin::FromBits, vec![x::<u64>()]),
        f64::from_bits,
    );
    binary_builtins! { device, f64, f64, f64::alike; Min f64::min; Max f64::max; }
    binary_builtins! { device, f64, f64, f64::same; Copysign f64::copysign;
        DivEuclid f64::div_euclid; RemEuclid f64::rem_euclid;
    }
    let e = builtin(
        Builtin::Clamp,
        vec![
            x::<f64>(),
            constant(Value::F64(-0.5)),
            constant(Value::F64(2.0)),
        ],
    );
    one::<f64, f64>(device, e, |a| a.clamp(-0.5, 2.0));
}

/// What a `usize` kernel of two `u32` gives, as far as 32 bits hold all of it.
fn usize_in_32_bits() {
    let device = &mut Device::open();
    let a = || cast(x::<u32>(), Ty::Usize);
    let b = || cast(y::<u32>(), Ty::Usize);
    let fits = |value: usize| u32::try_from(value).ok();
    let mut check = |e: Expr, native: fn(usize, u32) -> Option<usize>| {
        let e = cast(e, Ty::U32);
        two::<u32, u32, u32>(device, e, u32::same, |a, b| {
            native(a as usize, b).and_then(fits)
        });
    };
    check(binary(Add, a(), b()), |a, b| {
        Some(a.wrapping_add(b as usize))
    });
    check(binary(Sub, a(), b()), |a, b| {
        Some(a.wrapping_sub(b as usize))
    });
    check(binary(Mul, a(), b()), |a, b| {
        Some(a.wrapping_mul(b as usize))
    });
    check(binary(Div, a(), b()), |a, b| a.checked_div(b as usize));
    check(binary(Rem, a(), b()), |a, b| a.checked_rem(b as usize));
    check(binary(Shl, a(), y::<u32>()), |a, b| Some(a.wrapping_shl(b)));
    check(binary(Shr, a(), y::<u32>()), |a, b| Some(a.wrapping_shr(b)));
    check(
        builtin(Builtin::RotateLeft, vec![a(), y::<u32>()]),
        |a, b| Some(a.rotate_left(b)),
    );
    check(
        builtin(Builtin::RotateRight, vec![a(), y::<u32>()]),
        |a, b| Some(a.rotate_right(b)),
    );
    check(builtin(Builtin::Min, vec![a(), b()]), |a, b| {
        Some(a.min(b as usize))
    });
    for (counted, native) in [
        (Builtin::CountOnes, usize::count_ones as fn(usize) -> u32),
        (Builtin::LeadingZeros, usize::leading_zeros),
        (Builtin::TrailingZeros, usize::trailing_zeros),
    ] {
        one::<u32, u32>(device, builtin(counted, vec![a()]), |a| native(a as usize));
    }
    // From floats and signed integers, those that are not negative and not too large.
    let as_usize = |e| cast(cast(e, Ty::Usize), Ty::U32);
    two::<f32, bool, u32>(device, as_usize(x::<f32>()), u32::same, |a, _| {
        fits(a as usize)
    });
    two::<i32, bool, u32>(device, as_usize(x::<i32>()), u32::same, |a, _| {
        fits(a as usize)
    });
    one::<u32, f32>(device, cast(a(), Ty::F32), |a| a as usize as f32);
    one::<u32, i32>(device, cast(a(), Ty::I32), |a| a as usize as i32);
}

/// WGSL evaluates constants when it compiles, by rules of its own.
fn constants() {
    let device = &mut Device::open();
    let f = |v| constant(Value::F32(v));
    let i = |v| constant(Value::I32(v));
    let mut float = |e: Expr, expected: f32| {
        // The parameter only says how many.
        let kernel = map_of("constant", &[Ty::I32], e);
        let array = device.array(&[0_i32]);
        let found: Vec<f32> = device.map(&kernel, &[&array], 1).expect("no trap");
        assert!(found[0].same(expected), "{} is not {expected}", found[0]);
    };
    let largest_subnormal = f32::from_bits(0x007f_ffff);
    for value in [
        0.0,
        -0.0,
        1.0,
        -1.5,
        f32::MAX,
        f32::MIN,
        f32::MIN_POSITIVE,
        f32::EPSILON,
        1e-30,
        16_777_217.0,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        f32::from_bits(1),
        largest_subnormal,
        std::f32::consts::PI,
    ] {
        float(f(value), value);
    }
    float(binary(Div, f(1.0), f(0.0)), f32::INFINITY);
    float(binary(Mul, f(f32::MAX), f(2.0)), f32::INFINITY);
    float(binary(Div, f(0.0), f(0.0)), f32::NAN);
    float(builtin(Builtin::Sqrt, vec![f(-1.0)]), f32::NAN);
    float(unary(UnaryOp::Neg, unary(UnaryOp::Neg, f(-3.0))), -3.0);
    float(cast(i(i32::MAX), Ty::F32), 2_147_483_648.0);

    let mut integer = |e: Expr, expected: i32| {
        let kernel = map_of("constant", &[Ty::I32], e);
        let array = device.array(&[0_i32]);
        let found: Vec<i32> = device.map(&kernel, &[&array], 1).expect("no trap");
        assert_eq!(found[0], expected);
    };
    for value in [0, 1, -1, i32::MAX, i32::MIN, i32::MIN + 1] {
        integer(i(value), value);
    }
    integer(binary(Add, i(i32::MAX), i(1)), i32::MIN);
    integer(binary(Mul, i(i32::MIN), i(i32::MIN)), 0);
    integer(unary(UnaryOp::Neg, i(i32::MIN)), i32::MIN);
    integer(binary(Shl, i(1), i(33)), 2);
    integer(cast(f(f32::INFINITY), Ty::I32), i32::MAX);
    integer(cast(f(1e20), Ty::I32), i32::MAX);
    integer(builtin(Builtin::Abs, vec![i(i32::MIN)]), i32::MIN);

    if device.has_f64() {
        for value in [
            0.0,
            -0.0,
            0.1,
            f64::MAX,
            f64::MIN_POSITIVE,
            f64::INFINITY,
            f64::NAN,
            f64::from_bits(1),
        ] {
            let kernel = map_of("constant", &[Ty::I32], constant(Value::F64(value)));
            let array = device.array(&[0_i32]);
            let found: Vec<f64> = device.map(&kernel, &[&array], 1).expect("no trap");
            assert!(found[0].same(value), "{} is not {value}", found[0]);
        }
    }
}
