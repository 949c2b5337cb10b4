//! Inputs that find mistakes: every special value, and random bits from a fixed generator.

use skel_core::ir::{Ty, Value};

/// A scalar type with inputs to test it on.
pub(crate) trait Sample: Copy + std::fmt::Debug + 'static {
    /// The type in the IR.
    const TY: Ty;
    /// Values where rules change.
    fn special() -> Vec<Self>;
    /// A value from random bits.
    fn random(bits: u64) -> Self;
    /// As a value of the IR.
    fn value(self) -> Value;
}

/// The next number of a generator by Sebastiano Vigna (splitmix64).
pub(crate) fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Special values and `n` random ones.
pub(crate) fn samples<A: Sample>(n: usize) -> Vec<A> {
    let mut state = 1;
    let random = std::iter::repeat_with(|| A::random(next(&mut state)));
    A::special().into_iter().chain(random.take(n)).collect()
}

/// All pairs of special values, and `n` random pairs.
pub(crate) fn pairs<A: Sample, B: Sample>(n: usize) -> Vec<(A, B)> {
    let mut all = Vec::new();
    for a in A::special() {
        all.extend(B::special().into_iter().map(|b| (a, b)));
    }
    let mut state = 2;
    for _ in 0..n {
        all.push((A::random(next(&mut state)), B::random(next(&mut state))));
    }
    all
}

macro_rules! integers {
    ($($t:ident $variant:ident),*) => { $(
        impl Sample for $t {
            const TY: Ty = Ty::$variant;
            fn special() -> Vec<Self> {
                let mut all: Vec<$t> = [0_i64, 1, 2, 3, 7, 8, 15, 16, 31, 32, 33, 63, 64, -1, -2, -31]
                    .into_iter()
                    .map(|x| x as $t)
                    .collect();
                let half = $t::BITS / 2;
                all.extend([
                    $t::MAX, $t::MAX - 1, $t::MIN, $t::MIN + 1,
                    1 << half, (1 << half) - 1, (1 << half) + 1,
                    0x5555_5555_5555_5555_u64 as $t,
                    0xaaaa_aaaa_aaaa_aaaa_u64 as $t,
                    // Where floats begin to round.
                    0x0100_0001_u32 as $t, 0x0100_0003_u32 as $t,
                    0x0020_0000_0000_0001_u64 as $t, 0x0020_0000_0000_0003_u64 as $t,
                ]);
                all
            }
            fn random(bits: u64) -> Self {
                // Small ones as often as large ones.
                (bits as $t) >> ((bits >> 58) as u32 % $t::BITS)
            }
            fn value(self) -> Value {
                Value::$variant(self)
            }
        }
    )* };
}
integers!(
    i8 I8, i16 I16, i32 I32, i64 I64, isize Isize, u8 U8, u16 U16, u32 U32, u64 U64, usize Usize
);

impl Sample for bool {
    const TY: Ty = Ty::Bool;
    fn special() -> Vec<Self> {
        vec![false, true]
    }
    fn random(bits: u64) -> Self {
        bits & 1 != 0
    }
    fn value(self) -> Value {
        Value::Bool(self)
    }
}

macro_rules! floats {
    ($($t:ident $variant:ident $bits:ident $mantissa:literal $exponent:literal
       [$($special:expr),*]),*) => { $(
        impl Sample for $t {
            const TY: Ty = Ty::$variant;
            fn special() -> Vec<Self> {
                let mut positive = vec![
                    0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 10.0, 1e-3, 1e10,
                    8_388_607.5, 8_388_608.0, 8_388_609.0, 16_777_216.0, 16_777_217.0,
                    $t::MAX, $t::MIN_POSITIVE, $t::EPSILON, $t::INFINITY,
                    $t::from_bits(1), $t::from_bits(2), $t::MIN_POSITIVE / 2.0,
                    $t::NAN, $t::from_bits($t::INFINITY.to_bits() + 1), $($special),*
                ];
                // The ends of the integer types, and their neighbours.
                for bits in [7, 8, 15, 16, 31, 32, 63, 64] {
                    let end = (bits as $t).exp2();
                    positive.extend([end, end - 1.0, end - 0.5, end + 0.5]);
                    positive.extend([end.next_up(), end.next_down()]);
                }
                positive.into_iter().flat_map(|x: $t| [x, -x]).collect()
            }
            fn random(bits: u64) -> Self {
                // Any bits, or a number of ordinary size.
                if bits >> 63 == 0 {
                    return $t::from_bits(bits as $bits);
                }
                let exponent = ($exponent - 16 + (bits >> 57) % 32) as $bits;
                $t::from_bits((bits as $bits) << ($bits::BITS - 1) | exponent << $mantissa
                    | (bits >> 1) as $bits & ((1 << $mantissa) - 1))
            }
            fn value(self) -> Value {
                Value::$variant(self)
            }
        }
    )* };
}
floats!(
    f32 F32 u32 23 127 [0.499_999_97, 1.0 + f32::EPSILON, 1.0 - f32::EPSILON / 2.0],
    f64 F64 u64 52 1023 [0.499_999_999_999_999_94, 4_503_599_627_370_495.5]
);
