mod all;
mod double;
mod names;
mod random;

use super::{function, single::*};
use crate::ir::{Builtin, Program, Ty, Value, build, eval};
use skel_macros::user_function;
use std::iter;

type One = fn(f32) -> f32;
type Exact = fn(f64) -> f64;

/// Functions of one float, std's of `f64` as their oracle, and the hash of their bits.
const ONE: [(Builtin, One, Exact, u64); 17] = [
    (Builtin::Exp, exp::exp, f64::exp, 0xc3c1_7559_9257_8e88),
    (Builtin::Exp2, exp::exp2, f64::exp2, 0x9346_676a_d91a_ff93),
    (
        Builtin::ExpM1,
        exp::exp_m1,
        f64::exp_m1,
        0xd9d5_f08f_8e0f_5091,
    ),
    (Builtin::Ln, ln::ln, f64::ln, 0x91bc_1e2e_c061_6d27),
    (Builtin::Log2, ln::log2, f64::log2, 0x7fc8_8612_3250_71e0),
    (Builtin::Log10, ln::log10, f64::log10, 0x257b_7a5d_4d03_0376),
    (Builtin::Ln1p, ln::ln_1p, f64::ln_1p, 0xe93f_7056_9c5e_805d),
    (Builtin::Sin, sin::sin, f64::sin, 0x4edc_1596_a3dd_4f4c),
    (Builtin::Cos, sin::cos, f64::cos, 0x2e79_6897_f165_6ccd),
    (Builtin::Tan, sin::tan, f64::tan, 0x54d2_173b_04b3_0571),
    (Builtin::Asin, arc::asin, f64::asin, 0x9fc5_4603_b047_929b),
    (Builtin::Acos, arc::acos, f64::acos, 0x7af5_e3e9_235d_c503),
    (Builtin::Atan, arc::atan, f64::atan, 0xfa87_ccfd_3758_439d),
    (
        Builtin::Sinh,
        hyperbolic::sinh,
        f64::sinh,
        0xca86_7aa0_ac7a_bd2d,
    ),
    (
        Builtin::Cosh,
        hyperbolic::cosh,
        f64::cosh,
        0x7b21_7126_b9d7_37e9,
    ),
    (
        Builtin::Tanh,
        hyperbolic::tanh,
        f64::tanh,
        0x123f_c427_b388_644f,
    ),
    (Builtin::Cbrt, root::cbrt, f64::cbrt, 0x7abe_bcf5_0064_745d),
];

type Two = fn(f32, f32) -> f32;
type ExactTwo = fn(f64, f64) -> f64;

/// The same of two floats.
const TWO: [(Builtin, Two, ExactTwo, u64); 3] = [
    (
        Builtin::Atan2,
        arc::atan2,
        f64::atan2,
        0xf3bb_9494_237a_f22e,
    ),
    (Builtin::Powf, power::powf, f64::powf, 0xd53f_ef0c_ee1e_7d51),
    (
        Builtin::Hypot,
        root::hypot,
        f64::hypot,
        0x713b_dc18_4555_c247,
    ),
];

/// What is likely to be special.
const EDGES: [f32; 36] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    3.0,
    -3.0,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    f32::MAX,
    f32::MIN,
    f32::MIN_POSITIVE,
    1.0e-45,
    -1.0e-45,
    0.999_999_94,
    1.000_000_1,
    8191.999,
    8192.0,
    16_777_215.0,
    -16_777_215.0,
    8_388_607.5,
    88.722_84,
    -103.972_08,
    1.0e10,
    -1.0e10,
    // Closest to multiples of π/2, of all floats and of those about 2³⁰ and 2⁸⁰, and others that are close.
    f32::from_bits(0x6f79_be45),
    f32::from_bits(0x50a3_e87f),
    f32::from_bits(0x6a19_76f1),
    f32::from_bits(0x53b1_46a6),
    f32::from_bits(0x6589_8498),
    f32::from_bits(0x4b93_e486),
    f32::from_bits(0xca93_e486),
    1.570_796_4,
];

/// Floats of all magnitudes.
fn values(step: usize) -> impl Iterator<Item = f32> {
    let all = (0..=u32::MAX).step_by(step).map(f32::from_bits);
    EDGES.into_iter().chain(all)
}

/// Pairs of all magnitudes, and such whose powers are finite.
fn pairs(count: usize) -> impl Iterator<Item = (f32, f32)> {
    let edges = EDGES
        .into_iter()
        .flat_map(|x| EDGES.into_iter().map(move |y| (x, y)));
    let mut state = 7_u64;
    let mut word = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 32) as u32
    };
    let mut k = 0;
    let random = iter::repeat_with(move || {
        k += 1;
        let (x, y) = (f32::from_bits(word()), f32::from_bits(word()));
        match k % 3 {
            0 => (x, y),
            1 => (x, word() as f32 / 1.5e7 / ln::log2(x.abs())),
            _ => (x, x * (0.5 + word() as f32 / 4.0e9)),
        }
    });
    edges.chain(random.take(count))
}

/// How many units in the last place a float is off.
fn error(got: f32, exact: f64) -> f64 {
    let nearest = exact as f32;
    if got.is_nan() || exact.is_nan() {
        return if got.is_nan() == exact.is_nan() {
            0.0
        } else {
            f64::MAX
        };
    }
    if nearest == 0.0 && got == 0.0 || nearest.is_infinite() && got.is_infinite() {
        let alike = nearest.is_sign_negative() == got.is_sign_negative();
        return if alike { 0.0 } else { f64::MAX };
    }
    let exponent = exponent(exact.abs().max(f64::from(f32::MIN_POSITIVE))).min(127);
    // Infinity is what would come after the greatest float.
    let finite = |x: f64| x.clamp(-(2.0_f64.powi(128)), 2.0_f64.powi(128));
    (finite(f64::from(got)) - finite(exact)).abs()
        / f64::from_bits(((exponent + 1000) as u64) << 52)
}

/// That of a positive normal float.
fn exponent(x: f64) -> i64 {
    (x.to_bits() >> 52) as i64 - 1023
}

fn hash(values: impl Iterator<Item = f32>) -> u64 {
    let bits = values.map(|x| if x.is_nan() { 0x7fc0_0000 } else { x.to_bits() });
    hash_of_words(bits.map(u64::from))
}

fn hash_of_words(words: impl Iterator<Item = u64>) -> u64 {
    words.fold(0xcbf2_9ce4_8422_2325, |hash, word| {
        (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The error of the function of this type that users are told, in units in the last place.
fn told(builtin: Builtin, ty: &str) -> f64 {
    let page = include_str!("../../../../docs/language.md");
    let (_, table) = page
        .split_once(&format!("| `{ty}` | error at most |"))
        .unwrap();
    let begins = format!("| `{}` | ", builtin.name());
    let row = table.lines().find_map(|line| line.strip_prefix(&begins));
    let row = row.unwrap_or_else(|| panic!("`{}` has no row", builtin.name()));
    row.split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn errors_are_those_that_users_are_told() {
    for (builtin, ours, exact, _) in ONE {
        let bound = told(builtin, "f32");
        for x in values(30_011) {
            let found = error(ours(x), exact(f64::from(x)));
            assert!(found <= bound, "{builtin:?} of {x:e} is {found} off");
        }
    }
    for (builtin, ours, exact, _) in TWO {
        let bound = told(builtin, "f32");
        for (x, y) in pairs(100_000) {
            let found = error(ours(x, y), exact(f64::from(x), f64::from(y)));
            assert!(
                found <= bound,
                "{builtin:?} of {x:e} and {y:e} is {found} off"
            );
        }
    }
}

/// Bits change with the formula, or where a compiler does not keep to IEEE 754.
#[test]
fn bits_are_pinned() {
    let of_one = ONE.map(|(builtin, ours, _, pinned)| {
        let found = hash(values(30_011).map(ours));
        (builtin, found, pinned)
    });
    let of_two = TWO.map(|(builtin, ours, _, pinned)| {
        let found = hash(pairs(100_000).map(|(x, y)| ours(x, y)));
        (builtin, found, pinned)
    });
    let all = of_one.into_iter().chain(of_two);
    let changed: Vec<String> = all
        .filter(|(_, found, pinned)| found != pinned)
        .map(|(builtin, found, _)| format!("{builtin:?}: {found:#018x}"))
        .collect();
    assert!(changed.is_empty(), "{changed:#?}");
}

fn interpreted(builtin: Builtin) -> impl Fn(&[f32]) -> f32 {
    let (program, id) = build::build_chosen(|cx| function(builtin, &Ty::F32, cx).unwrap()).unwrap();
    move |args| {
        let args: Vec<Value> = args.iter().map(|x| Value::F32(*x)).collect();
        match eval::call(&program, id, &args, 1_000).unwrap().result {
            Value::F32(x) => x,
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn the_interpreter_has_the_bits_of_the_host() {
    let same = |a: f32, b: f32| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
    for (builtin, ours, ..) in ONE {
        let interpreted = interpreted(builtin);
        for x in values(3_000_017) {
            let (a, b) = (ours(x), interpreted(&[x]));
            assert!(same(a, b), "{builtin:?} of {x:e}: {a:e}, {b:e}");
        }
    }
    for (builtin, ours, ..) in TWO {
        let interpreted = interpreted(builtin);
        for (x, y) in pairs(1_000) {
            let (a, b) = (ours(x, y), interpreted(&[x, y]));
            assert!(same(a, b), "{builtin:?} of {x:e} and {y:e}: {a:e}, {b:e}");
        }
    }
}

/// A function of a user's has them, called as the Rust function that it is, and in the IR.
#[user_function]
fn all_of_one(x: f32) -> [f32; 19] {
    let (sin, cos) = x.sin_cos();
    [
        x.exp(),
        x.exp2(),
        x.exp_m1(),
        x.ln(),
        x.log2(),
        x.log10(),
        x.ln_1p(),
        x.sin(),
        x.cos(),
        x.tan(),
        x.asin(),
        x.acos(),
        x.atan(),
        x.sinh(),
        x.cosh(),
        x.tanh(),
        f32::cbrt(x),
        sin,
        cos,
    ]
}

#[user_function]
fn all_of_two(x: f32, y: f32) -> [f32; 4] {
    [x.atan2(y), x.powf(y), x.hypot(y), x.log(y)]
}

#[test]
fn a_user_function_has_these_methods() {
    let same = |a: f32, b: f32| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
    for x in values(10_000_019) {
        let found = all_of_one(x);
        for ((builtin, ours, ..), found) in ONE.iter().zip(found) {
            assert!(same(ours(x), found), "{builtin:?} of {x:e}");
        }
        assert!(
            same(found[17], sin::sin(x)) && same(found[18], cos(x)),
            "{x:e}"
        );
    }
    for (x, y) in pairs(1_000) {
        let found = all_of_two(x, y);
        for ((builtin, ours, ..), found) in TWO.iter().zip(found) {
            assert!(same(ours(x, y), found), "{builtin:?} of {x:e} and {y:e}");
        }
        assert!(
            same(found[3], ln::ln(x) / ln::ln(y)),
            "log of {x:e} and {y:e}"
        );
    }
}

fn cos(x: f32) -> f32 {
    sin::cos(x)
}

fn transcendentals(program: &Program) -> usize {
    let mut found = 0;
    for stmt in program.functions.iter().flat_map(|f| &f.body) {
        stmt.walk(&mut |s| {
            for e in s.exprs() {
                e.walk(&mut |part| {
                    let crate::ir::ExprKind::Builtin(builtin, ..) = part.kind else {
                        return;
                    };
                    found += usize::from(builtin.is_transcendental());
                });
            }
        });
    }
    found
}

#[user_function(fast_math)]
fn fast(x: f32) -> f32 {
    x.exp() + x.sin()
}

#[test]
fn only_fast_math_keeps_what_units_have() {
    use crate::{param::Each, user_function::UserFunction};
    type Kinds = (Each<f32>,);
    let (program, _) = build::build(<all_of_one as UserFunction<Kinds>>::ir).unwrap();
    assert_eq!(transcendentals(&program), 0);
    let (program, _) = build::build(<fast as UserFunction<Kinds>>::ir).unwrap();
    assert_eq!(transcendentals(&program), 2);
    assert_eq!(
        fast(0.7).to_bits(),
        (0.7_f32.exp() + 0.7_f32.sin()).to_bits()
    );
}
