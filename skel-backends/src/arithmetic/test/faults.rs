//! Faults as drivers have them: the operands tell each from Rust's results.

use super::{Arithmetic, Class, checks, judge};

/// What is found of a device that computes so, where Rust has a result.
fn found(
    class: Class,
    (ty, operation): (&str, &str),
    fault: &dyn Fn(u64, u64) -> u64,
) -> Arithmetic {
    let checks = checks::of(class);
    let mut answers = Vec::new();
    let mut asked = false;
    for check in &checks {
        let is_meant = check.ty == ty && check.operation == operation;
        asked |= is_meant;
        answers.extend(
            check
                .cases
                .iter()
                .map(|case| match is_meant && !case.subnormal {
                    true => fault(case.operands[0], case.operands[1]),
                    false => case.expected,
                }),
        );
    }
    assert!(asked, "`{operation}` of `{ty}` is not asked");
    let mut found = Arithmetic::default();
    judge(&mut found, &checks, &answers);
    found
}

fn notices(class: Class, what: (&str, &str), fault: &dyn Fn(u64, u64) -> u64) {
    let found = found(class, what, fault);
    let noticed = found.wrong.iter().any(|w| (w.ty, &*w.operation) == what);
    assert!(noticed, "{what:?}: {found:?}");
}

macro_rules! of_floats {
    ($name:ident, $t:ident, $word:ident, $wide:ident, $spelled:literal, $class:expr) => {
        fn $name() {
            let of = |bits: u64| $t::from_bits(bits as $word);
            type Fault = fn($t, $t) -> $t;
            let faults: &[(&str, Fault)] = &[
                // WGSL's own definition.
                ("%", |x, y| x - y * (x / y).trunc()),
                ("%", |x, y| x.rem_euclid(y)),
                ("rem_euclid", |x, y| x - y * (x / y).floor()),
                ("div_euclid", |x, y| (x / y).floor()),
                ("/", |x, y| x * (1.0 / y)),
                // One step of Newton's from what hardware estimates, without the last correction.
                ("recip", |x, _| {
                    let near = $t::from_bits((1.0 / x).to_bits() & !0x3f);
                    near * (2.0 - x * near)
                }),
                ("sqrt", |x, _| x * (1.0 / x.sqrt())),
                ("mul_add of -(x * y)", |x, y| x * y - x * y),
                ("mul_add of 0.0", |x, y| x * y),
                ("mul_add of 1 + EPSILON", |x, y| x * y + (1.0 + $t::EPSILON)),
                // NaN wins.
                ("min", |x, y| {
                    if x.is_nan() || y.is_nan() {
                        $t::NAN
                    } else {
                        x.min(y)
                    }
                }),
                ("max", |x, y| {
                    if x.is_nan() || y.is_nan() {
                        $t::NAN
                    } else {
                        x.max(y)
                    }
                }),
                // As x86 has it.
                ("min", |x, y| if x < y { x } else { y }),
                ("max", |x, y| if x > y { x } else { y }),
                // A number for NaN.
                ("clamp", |x, _| x.min(2.0).max(-0.5)),
                ("copysign", |x, y| if y < 0.0 { -x.abs() } else { x.abs() }),
                ("signum", |x, _| if x == 0.0 { 0.0 } else { x.signum() }),
                ("abs", |x, _| if x < 0.0 { -x } else { x }),
                ("-", |x, _| 0.0 - x),
                ("powi", |x, y| x.powi(y.to_bits() as i32 % 41 + 1)),
                ("powi", |x, y| {
                    let exponent = y.to_bits() as i32 % 41;
                    ((exponent as $t) * x.log2()).exp2()
                }),
                ("round", |x, _| (x + 0.5).floor()),
                ("round", |x, _| x.round_ties_even()),
                ("round_ties_even", |x, _| x.round()),
                ("fract", |x, _| x - x.floor()),
                ("trunc", |x, _| x as i32 as $t),
                ("floor", |x, _| x.trunc()),
                ("ceil", |x, _| x.floor() + 1.0),
                ("to_degrees", |x, _| x / std::f64::consts::PI as $t * 180.0),
                ("to_radians", |x, _| x / 180.0 * std::f64::consts::PI as $t),
            ];
            for (operation, fault) in faults {
                notices($class, ($spelled, operation), &|x, y| {
                    fault(of(x), of(y)).to_bits().into()
                });
            }
            // Compilers that assume there are none, or look at what is less than 0.
            type Test = fn($t) -> bool;
            let tests: &[(&str, Test)] = &[
                ("is_nan", |_| false),
                ("is_infinite", |_| false),
                ("is_finite", |_| true),
                ("is_finite", |x| !x.is_nan()),
                ("is_sign_negative", |x| x < 0.0),
                ("is_sign_positive", |x| x >= 0.0),
            ];
            for (operation, fault) in tests {
                notices($class, ($spelled, operation), &|x, _| fault(of(x)).into());
            }
            // Wraps, or gives what x86 does.
            notices($class, ($spelled, "as i32"), &|x, _| {
                (of(x) as i64 as u32).into()
            });
            notices($class, ($spelled, "as u32"), &|x, _| {
                (of(x) as i64 as u32).into()
            });
            for operation in ["as i32", "as u32"] {
                notices($class, ($spelled, operation), &|x, _| {
                    of(x).round() as i64 as u32 as u64
                });
            }
        }
    };
}

of_floats! { f32_faults, f32, u32, f64, "f32", Class::F32 }
of_floats! { f64_faults, f64, u64, f64, "f64", Class::F64 }

#[test]
fn faults_of_floats_are_told_from_rusts_results() {
    f32_faults();
    f64_faults();
    // Exactly, but with a second rounding.
    notices(Class::F32, ("f32", "mul_add of 1 + EPSILON"), &|x, y| {
        let [x, y] = [x, y].map(|bits| f64::from(f32::from_bits(bits as u32)));
        ((x * y + f64::from(1.0 + f32::EPSILON)) as f32)
            .to_bits()
            .into()
    });
    notices(Class::F32, ("f32", "mul_add"), &|x, y| {
        let summand = f32::from_bits(x as u32 ^ (y as u32).rotate_left(5));
        let [x, y] = [x, y].map(|bits| f32::from_bits(bits as u32));
        (x * y + summand).to_bits().into()
    });
    // Bits that are cut off; and numbers below the normal ones that are zero.
    notices(Class::F32, ("f16", "f32 as"), &|x, _| {
        let half = skel_core::ir::Half::from_f32(f32::from_bits(x as u32 & !0x1fff));
        half.0.into()
    });
    notices(Class::F32, ("f16", "f32 as"), &|x, _| {
        let half = skel_core::ir::Half::from_f32(f32::from_bits(x as u32)).0;
        u64::from(if half & 0x7c00 == 0 {
            half & 0x8000
        } else {
            half
        })
    });
    notices(Class::Words, ("f16", "as f32"), &|x, _| {
        let half = x as u16;
        let flushed = if half & 0x7c00 == 0 {
            half & 0x8000
        } else {
            half
        };
        skel_core::ir::Half(flushed).to_f32().to_bits().into()
    });
}

macro_rules! of_integers {
    ($name:ident, $u:ident, $i:ident, $unsigned:literal, $signed:literal, $class:expr) => {
        fn $name() {
            const BITS: u32 = $u::BITS;
            type Unsigned = fn($u, $u) -> $u;
            let unsigned: &[(&str, Unsigned)] = &[
                ("<<", |a, b| a.checked_shl(b as u32).unwrap_or(0)),
                (">>", |a, b| a.checked_shr(b as u32).unwrap_or(0)),
                ("wrapping_shl", |a, b| a.checked_shl(b as u32).unwrap_or(0)),
                ("wrapping_shr", |a, b| a.checked_shr(b as u32).unwrap_or(0)),
                ("rotate_left", |a, b| {
                    let high = a.checked_shl(b as u32).unwrap_or(0);
                    high | a.checked_shr(BITS.wrapping_sub(b as u32)).unwrap_or(0)
                }),
                ("leading_zeros", |a, _| {
                    a.leading_zeros().min(BITS - 1) as $u
                }),
                // Hardware that finds no bit.
                ("trailing_zeros", |a, _| {
                    if a == 0 {
                        u32::MAX as $u
                    } else {
                        a.trailing_zeros() as $u
                    }
                }),
                ("/", |a, b| (a as f32 / b as f32) as $u),
                ("%", |a, b| {
                    (a as $i).checked_rem(b as $i).unwrap_or(0) as $u
                }),
                ("<", |a, b| ((a as $i) < b as $i).into()),
                (">=", |a, b| (a as $i >= b as $i).into()),
                ("min", |a, b| (a as $i).min(b as $i) as $u),
                ("max", |a, b| (a as $i).max(b as $i) as $u),
                ("clamp", |a, _| (a as $i).clamp(3, 1000) as $u),
                ("abs_diff", |a, b| {
                    (a as $i).wrapping_sub(b as $i).wrapping_abs() as $u
                }),
                ("saturating_add", |a, b| a.wrapping_add(b)),
                ("saturating_sub", |a, b| a.wrapping_sub(b)),
                ("pow", |a, b| (a as f64).powi(b as i32) as $u),
                ("is_multiple_of", |a, b| (b != 0 && a % b == 0).into()),
            ];
            for (operation, fault) in unsigned {
                notices($class, ($unsigned, operation), &|x, y| {
                    fault(x as $u, y as $u).into()
                });
            }
            type Signed = fn($i, $i) -> $i;
            let signed: &[(&str, Signed)] = &[
                (">>", |a, b| ((a as $u) >> (b as u32 % BITS)) as $i),
                ("wrapping_shr", |a, b| {
                    ((a as $u) >> (b as u32 % BITS)) as $i
                }),
                ("/", |a, b| a.checked_div_euclid(b).unwrap_or(0)),
                ("%", |a, b| a.checked_rem_euclid(b).unwrap_or(0)),
                ("div_euclid", |a, b| a.checked_div(b).unwrap_or(0)),
                ("rem_euclid", |a, b| a.checked_rem(b).unwrap_or(0)),
                ("abs", |a, _| a.saturating_abs()),
                ("unsigned_abs", |a, _| a.saturating_abs()),
                ("abs_diff", |a, b| a.saturating_sub(b).saturating_abs()),
                ("signum", |a, _| if a < 0 { -1 } else { 1 }),
                ("saturating_add", |a, b| a.wrapping_add(b)),
                ("saturating_sub", |a, b| a.wrapping_sub(b)),
                ("<", |a, b| (a.wrapping_sub(b) < 0).into()),
                ("is_positive", |a, _| (a >= 0).into()),
                ("clamp", |a, _| (a as $u).clamp(3, -1000_i32 as $u) as $i),
                ("leading_ones", |a, _| {
                    (a.leading_ones().min(BITS - 1)) as $i
                }),
            ];
            for (operation, fault) in signed {
                notices($class, ($signed, operation), &|x, y| {
                    u64::from(fault(x as $u as $i, y as $u as $i) as $u)
                });
            }
        }
    };
}

of_integers! { word_faults, u32, i32, "u32", "i32", Class::Words }
of_integers! { long_faults, u64, i64, "u64", "i64", Class::Longs }

#[test]
fn faults_of_integers_are_told_from_rusts_results() {
    word_faults();
    long_faults();
}
