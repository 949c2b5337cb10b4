//! Values of all magnitudes: every exponent, some mantissas, both signs; what is special; and what lies
//! around the places where roundings and casts change their ways.

use skel_core::{
    Element,
    ir::{Half, Ty, Value},
};

/// All mantissas of `digits` bits that are tried with every exponent.
fn mantissas(digits: u32) -> Vec<u64> {
    let all = (1_u64 << digits) - 1;
    let half = 1 << (digits - 1);
    vec![
        0,
        1,
        half - 1,
        half,
        half + 1,
        0x5555_5555_5555_5555 & all,
        all - 1,
        all,
    ]
}

/// The bits of floats with such exponents and mantissas: ±0, subnormals, infinities and NaN among them.
/// Whether a NaN signals is as open as its other bits, and to C's `pow(1, NaN)` it matters: all are quiet.
fn patterns(exponents: u32, digits: u32) -> Vec<u64> {
    let mut all = Vec::new();
    for exponent in 0..1_u64 << exponents {
        let special = exponent == (1 << exponents) - 1;
        for mantissa in mantissas(digits) {
            let quiet = u64::from(special && mantissa != 0) << (digits - 1);
            let positive = exponent << digits | mantissa | quiet;
            all.extend([positive, positive | 1 << (exponents + digits)]);
        }
    }
    all
}

/// Halves, and whole numbers around which types end or fractions do.
fn corners() -> Vec<f64> {
    let halves = (0..48).map(|k| f64::from(k) + 0.5);
    let powers = [
        7, 8, 11, 15, 16, 22, 23, 24, 30, 31, 32, 33, 51, 52, 53, 54, 62, 63, 64, 65,
    ];
    let around = powers.into_iter().flat_map(|p| {
        let power = 2.0_f64.powi(p);
        [-1.5, -1.0, -0.9, -0.5, -0.1, 0.0, 0.1, 0.5, 0.9, 1.0, 1.5].map(|d| power + d)
    });
    halves.chain(around).collect()
}

pub(super) fn singles() -> Vec<f32> {
    let patterns = patterns(8, 23).into_iter();
    let mut all: Vec<f32> = patterns.map(|bits| f32::from_bits(bits as u32)).collect();
    for corner in corners() {
        let corner = corner as f32;
        let near = [corner.next_down(), corner, corner.next_up()];
        all.extend(near.into_iter().flat_map(|x| [x, -x]));
    }
    all
}

pub(super) fn doubles() -> Vec<f64> {
    let mut all: Vec<f64> = patterns(11, 52).into_iter().map(f64::from_bits).collect();
    for corner in corners() {
        let near = [corner.next_down(), corner, corner.next_up()];
        all.extend(near.into_iter().flat_map(|x| [x, -x]));
    }
    all
}

/// All values of the type, or those of all magnitudes.
pub(super) fn of(ty: &Ty) -> Vec<Value> {
    macro_rules! integers {
        ($t:ident $variant:ident) => {{
            let mut all: Vec<$t> = vec![0, $t::MIN, $t::MIN + 1];
            for bit in 0..$t::BITS {
                let power = (1 as $t) << bit;
                // In the middle between two neighbours in `f32`, or in `f64`, and beside it.
                let [single, double] =
                    [24, 53].map(|digits| power.checked_shr(digits).unwrap_or(0));
                let middles = [power | single, power | single << 1 | single, power | double];
                for near in [power, power | power >> 1].into_iter().chain(middles) {
                    let around = [near.wrapping_sub(1), near, near.wrapping_add(1)];
                    all.extend(around.into_iter().flat_map(|n| [n, n.wrapping_neg()]));
                }
            }
            all.into_iter().map(Value::$variant).collect()
        }};
    }
    match ty {
        Ty::F16 => {
            let quiet = |bits: u16| u16::from(bits & 0x7fff > 0x7c00) << 9 | bits;
            let all = (0..=u16::MAX).map(quiet);
            all.map(|bits| Value::F16(Half(bits))).collect()
        }
        Ty::F32 => singles().into_iter().map(Value::F32).collect(),
        Ty::F64 => doubles().into_iter().map(Value::F64).collect(),
        Ty::I8 => (i8::MIN..=i8::MAX).map(Value::I8).collect(),
        Ty::U8 => (u8::MIN..=u8::MAX).map(Value::U8).collect(),
        Ty::I16 => (i16::MIN..=i16::MAX).map(Value::I16).collect(),
        Ty::U16 => (u16::MIN..=u16::MAX).map(Value::U16).collect(),
        Ty::I32 => integers!(i32 I32),
        Ty::I64 => integers!(i64 I64),
        Ty::U32 => integers!(u32 U32),
        Ty::U64 => integers!(u64 U64),
        // Devices compute them in 32 bits, and say so beyond.
        Ty::Isize => whole(&Ty::I32, |n| Value::Isize(n as isize)),
        Ty::Usize => whole(&Ty::U32, |n| Value::Usize(n as usize)),
        other => unreachable!("{other} has no magnitude"),
    }
}

fn whole(narrow: &Ty, wide: fn(i128) -> Value) -> Vec<Value> {
    of(narrow)
        .iter()
        .filter_map(Value::as_integer)
        .map(wide)
        .collect()
}

/// One argument: all values.
pub(super) fn each<T: Element>() -> Vec<Vec<Value>> {
    of(&T::ty()).into_iter().map(|value| vec![value]).collect()
}

/// Values that have partners, roughly.
const MOST_IN_PAIRS: usize = 12_000;

/// Each value with some others: its neighbour, one of another magnitude, and one of any.
pub(super) fn pairs<T: Element>() -> Vec<Vec<Value>> {
    // All exponents still, but not all mantissas of each: an odd step meets both signs of all of them.
    let all = of(&T::ty());
    let step = all.len() / MOST_IN_PAIRS | 1;
    let all: Vec<Value> = all.into_iter().step_by(step).collect();
    let n = all.len();
    let strides = [1, n / 3 + 1, 7919];
    let mut found: Vec<Vec<Value>> = strides
        .into_iter()
        .flat_map(|stride| (0..n).map(move |k| [k, (k * stride + stride) % n]))
        .map(|[a, b]| vec![all[a].clone(), all[b].clone()])
        .collect();
    let special = special::<T>();
    for a in &special {
        found.extend(special.iter().map(|b| vec![a.clone(), b.clone()]));
    }
    found
}

/// Each value with two others; of three values in order more than by chance, so that limits are such.
pub(super) fn triples<T: Element>() -> Vec<Vec<Value>> {
    let special = special::<T>();
    let mut found = Vec::new();
    for (k, pair) in pairs::<T>().into_iter().step_by(3).enumerate() {
        let third = special[k % special.len()].clone();
        found.push(vec![pair[0].clone(), pair[1].clone(), third.clone()]);
        found.push(vec![third, pair[0].clone(), pair[1].clone()]);
    }
    for a in &special {
        for b in &special {
            found.extend(
                special
                    .iter()
                    .map(|c| vec![a.clone(), b.clone(), c.clone()]),
            );
        }
    }
    found
}

/// Values that are special in themselves, and some that are not.
fn special<T: Element>() -> Vec<Value> {
    let all = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -2.5,
        3.0,
        1e30,
        -1e-42,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];
    let of = |x: f64| match T::ty() {
        Ty::F16 => Value::F16(Half::from_f32(x as f32)),
        Ty::F32 => Value::F32(x as f32),
        _ => Value::F64(x),
    };
    all.into_iter().map(of).collect()
}

/// Each value with exponents that are whole.
pub(super) fn with_whole<T: Element>() -> Vec<Vec<Value>> {
    const EXPONENTS: [i32; 16] = [0, 1, -1, 2, -2, 3, -3, 5, 7, 10, -17, 31, 32, 63, -64, 69];
    let all = of(&T::ty()).into_iter().enumerate();
    all.map(|(k, x)| vec![x, Value::I32(EXPONENTS[k % EXPONENTS.len()])])
        .collect()
}

/// Values of several types side by side, each from its beginning again where it ends.
pub(super) fn beside(types: &[Ty]) -> Vec<Vec<Value>> {
    let columns: Vec<Vec<Value>> = types.iter().map(of).collect();
    let rows = columns.iter().map(Vec::len).max().unwrap_or_default();
    (0..rows)
        .map(|k| columns.iter().map(|c| c[k % c.len()].clone()).collect())
        .collect()
}

/// Floats that as `isize` and `usize` fit in 32 bits, which is what devices compute them in.
pub(super) fn small<T: Element>() -> Vec<Vec<Value>> {
    let fits = |x: f64| x.is_nan() || (-2_147_483_648.0..2_147_483_648.0).contains(&x);
    let all = each::<T>().into_iter();
    all.filter(|args| match args[0] {
        Value::F32(x) => fits(x.into()),
        Value::F64(x) => fits(x),
        _ => true,
    })
    .collect()
}
