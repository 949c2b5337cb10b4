//! The functions of `f64`: against values to 0.0001 units in the last place, and against std's.

use super::super::{double::*, function};
use super::told;
use crate::ir::{Builtin, Ty, Value, build, eval};
use skel_macros::user_function;
use std::iter;

pub(super) type One = fn(f64) -> f64;
pub(super) type Two = fn(f64, f64) -> f64;

/// Functions of one float, std's, and the hash of their bits.
pub(super) const ONE: [(Builtin, One, One, u64); 17] = [
    (Builtin::Exp, exp::exp, f64::exp, 0x3aed_4786_6f68_5781),
    (Builtin::Exp2, exp::exp2, f64::exp2, 0xade2_90ec_0b4a_bedf),
    (
        Builtin::ExpM1,
        exp::exp_m1,
        f64::exp_m1,
        0xfbaf_57c4_342f_a232,
    ),
    (Builtin::Ln, ln::ln, f64::ln, 0xcbc3_a3db_5090_db67),
    (Builtin::Log2, ln::log2, f64::log2, 0xeb4d_73e7_233d_840d),
    (Builtin::Log10, ln::log10, f64::log10, 0x7c49_b0f3_8db9_cce4),
    (Builtin::Ln1p, ln::ln_1p, f64::ln_1p, 0x46bb_a2f2_e0bd_44aa),
    (Builtin::Sin, sin::sin, f64::sin, 0x6ecc_c1d9_5d2c_1b13),
    (Builtin::Cos, sin::cos, f64::cos, 0x6ee1_205a_1458_eec9),
    (Builtin::Tan, sin::tan, f64::tan, 0x64cf_b0b6_0a49_f96b),
    (Builtin::Asin, arc::asin, f64::asin, 0x1496_b40b_7610_c977),
    (Builtin::Acos, arc::acos, f64::acos, 0x110e_3671_52c4_8d2b),
    (Builtin::Atan, arc::atan, f64::atan, 0x7a26_0b71_0c9d_4592),
    (
        Builtin::Sinh,
        hyperbolic::sinh,
        f64::sinh,
        0x546c_bb8c_504b_e204,
    ),
    (
        Builtin::Cosh,
        hyperbolic::cosh,
        f64::cosh,
        0x85c0_fb7d_5132_e2dc,
    ),
    (
        Builtin::Tanh,
        hyperbolic::tanh,
        f64::tanh,
        0x685a_4691_7c32_2fe2,
    ),
    (Builtin::Cbrt, root::cbrt, f64::cbrt, 0x5dc3_d73b_abc5_26a6),
];

/// The same of two floats.
pub(super) const TWO: [(Builtin, Two, Two, u64); 3] = [
    (
        Builtin::Atan2,
        arc::atan2,
        f64::atan2,
        0x39b1_b067_99ad_fd14,
    ),
    (Builtin::Powf, power::powf, f64::powf, 0x550f_b3d4_5072_6355),
    (
        Builtin::Hypot,
        root::hypot,
        f64::hypot,
        0x98d6_2f9c_13fd_162c,
    ),
];

/// What is likely to be special.
const EDGES: [f64; 34] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    3.0,
    -3.0,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    5.0e-324,
    -5.0e-324,
    0.999_999_999_999_999_9,
    1.000_000_000_000_000_2,
    131_071.999_999_999_99,
    131_072.0,
    9_007_199_254_740_991.0,
    -9_007_199_254_740_991.0,
    4_503_599_627_370_495.5,
    709.782_712_893_384,
    709.9,
    710.475_860_073_943_9,
    -745.133_219_101_941_1,
    1024.0,
    -1075.0,
    1.0e22,
    -1.0e300,
    0.55,
    std::f64::consts::FRAC_PI_2,
];

/// Random bits.
pub(super) fn words(mut state: u64) -> impl FnMut() -> u64 {
    move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let mixed = (state ^ (state >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^ (mixed >> 32)
    }
}

/// Floats of all magnitudes, and as many between ±2¹⁰.
fn values(count: usize) -> impl Iterator<Item = f64> {
    let mut word = words(3);
    let random = iter::repeat_with(move || {
        let bits = word();
        match bits & 1 {
            0 => f64::from_bits(word()),
            _ => (word() as f64 / 1.8e16 - 512.0) / (1 << (bits >> 60)) as f64,
        }
    });
    EDGES.into_iter().chain(random.take(count))
}

/// Pairs of all magnitudes, and such whose powers are finite.
fn pairs(count: usize) -> impl Iterator<Item = (f64, f64)> {
    let edges = EDGES
        .into_iter()
        .flat_map(|x| EDGES.into_iter().map(move |y| (x, y)));
    let mut word = words(7);
    let random = iter::repeat_with(move || {
        let (kind, x, y) = (word() % 3, f64::from_bits(word()), word() as f64 / 1.8e16);
        match kind {
            0 => (x, f64::from_bits(word())),
            1 => (x, (y - 512.0) * 2.0 / ln::log2(x.abs())),
            _ => (x, x * (0.5 + y / 300.0)),
        }
    });
    edges.chain(random.take(count))
}

/// The unit in the last place of floats like this one.
pub(super) fn unit(x: f64) -> f64 {
    let exponent = (x.abs().to_bits() >> 52).saturating_sub(1);
    match exponent {
        52.. => f64::from_bits((exponent - 51) << 52),
        _ => f64::from_bits(1 << exponent),
    }
}

pub(super) fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

fn hash(values: impl Iterator<Item = f64>) -> u64 {
    values.fold(0xcbf2_9ce4_8422_2325, |hash, x| {
        let bits = if x.is_nan() {
            0x7ff8_0000_0000_0000
        } else {
            x.to_bits()
        };
        (hash ^ bits).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// `hard_cases.txt` has a function, arguments, the float nearest to the exact value, and what that is more, in units in
/// the last place: by mpmath with 2500 bits. Among them are published hard cases (of CORE-MATH, and those of Lefèvre and
/// Muller), floats nearest to multiples of π/2, and the worst of a hundred million random ones.
/// [`super::random`] goes through ten times as many.
#[test]
fn errors_at_hard_cases_are_those_that_users_are_told() {
    let float = |text: &str| f64::from_bits(u64::from_str_radix(text, 16).unwrap());
    let mut seen = 0;
    for line in include_str!("hard_cases.txt").lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let is_meant = |builtin: Builtin| builtin.name() == words[0];
        let one = ONE.into_iter().find(|(builtin, ..)| is_meant(*builtin));
        let two = TWO.into_iter().find(|(builtin, ..)| is_meant(*builtin));
        let (builtin, found) = match (one, two, words.len()) {
            (Some((builtin, ours, ..)), None, 4) => (builtin, ours(float(words[1]))),
            (None, Some((builtin, ours, ..)), 5) => {
                (builtin, ours(float(words[1]), float(words[2])))
            }
            _ => panic!("{line}"),
        };
        let [.., nearest, more] = words.as_slice() else {
            panic!("{line}");
        };
        let nearest = float(nearest);
        let error = ((found - nearest) / unit(nearest) - more.parse::<f64>().unwrap()).abs();
        assert!(error <= told(builtin, "f64"), "{line}: {found:e}, {error}");
        seen += 1;
    }
    assert!(seen > 500, "{seen}");
}

/// std's may be off by two units, of some libraries.
#[test]
fn all_magnitudes_are_near_to_those_of_std() {
    let near = |builtin: Builtin, found: f64, theirs: f64| {
        let bound = told(builtin, "f64") + 2.0;
        let off = (found - theirs) / unit(theirs);
        same(found, theirs) || found.signum() == theirs.signum() && off.abs() <= bound
    };
    for (builtin, ours, theirs, _) in ONE {
        for x in values(20_000) {
            let (found, theirs) = (ours(x), theirs(x));
            let fine = near(builtin, found, theirs);
            assert!(fine, "{builtin:?} of {x:e} is {found:e}, not {theirs:e}");
        }
    }
    for (builtin, ours, theirs, _) in TWO {
        for (x, y) in pairs(20_000) {
            let (found, theirs) = (ours(x, y), theirs(x, y));
            let fine = near(builtin, found, theirs);
            assert!(
                fine,
                "{builtin:?} of {x:e}, {y:e}: {found:e}, not {theirs:e}"
            );
        }
    }
}

/// Bits change with the formula, or where a compiler does not keep to IEEE 754.
#[test]
fn bits_are_pinned() {
    let of_one = ONE.map(|(builtin, ours, _, pinned)| {
        let found = hash(values(100_000).map(ours));
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

fn interpreted(builtin: Builtin) -> impl Fn(&[f64]) -> f64 {
    let (program, id) = build::build_chosen(|cx| function(builtin, &Ty::F64, cx).unwrap()).unwrap();
    move |args| {
        let args: Vec<Value> = args.iter().map(|x| Value::F64(*x)).collect();
        match eval::call(&program, id, &args, 1_000).unwrap().result {
            Value::F64(x) => x,
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn the_interpreter_has_the_bits_of_the_host() {
    for (builtin, ours, ..) in ONE {
        let interpreted = interpreted(builtin);
        for x in values(1_500) {
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

#[user_function]
fn all_of_one(x: f64) -> [f64; 17] {
    let (sin, cos) = x.sin_cos();
    [
        x.exp(),
        x.exp2(),
        x.exp_m1(),
        x.ln(),
        x.log2(),
        x.log10(),
        x.ln_1p(),
        sin,
        cos,
        x.tan(),
        x.asin(),
        x.acos(),
        x.atan(),
        x.sinh(),
        x.cosh(),
        x.tanh(),
        f64::cbrt(x),
    ]
}

#[user_function]
fn all_of_two(x: f64, y: f64) -> [f64; 4] {
    [x.atan2(y), x.powf(y), x.hypot(y), x.log(y)]
}

#[test]
fn a_user_function_has_these_methods() {
    for x in values(1_000) {
        for ((builtin, ours, ..), found) in ONE.iter().zip(all_of_one(x)) {
            assert!(same(ours(x), found), "{builtin:?} of {x:e}");
        }
    }
    for (x, y) in pairs(1_000) {
        let found = all_of_two(x, y);
        for ((builtin, ours, ..), found) in TWO.iter().zip(found) {
            assert!(same(ours(x, y), found), "{builtin:?} of {x:e} and {y:e}");
        }
        let log = ln::ln(x) / ln::ln(y);
        assert!(same(found[3], log), "log of {x:e} and {y:e}");
    }
}
