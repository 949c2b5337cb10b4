//! Inputs that find mistakes: every special value, and random bits from a fixed generator.

use skel_core::Element;

/// A type with inputs to test it on, and equality under the numeric contract.
pub(crate) trait Sample: Element + Default + std::fmt::Debug {
    /// Values where rules change.
    fn special() -> Vec<Self>;
    /// A value from random bits.
    fn random(bits: u64) -> Self;
    /// Equal, all NaNs counting as one.
    fn same(self, other: Self) -> bool;
    /// Whether a device can hold it, which has 32 bits for `usize` and `isize`.
    fn fits(self) -> bool {
        true
    }
    /// Equal, the zeros too.
    fn alike(self, other: Self) -> bool {
        self.same(other)
    }
}

/// The next number of a generator by Sebastiano Vigna (splitmix64).
fn next(state: &mut u64) -> u64 {
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
pub(crate) fn pairs<A: Sample, B: Sample>(n: usize) -> (Vec<A>, Vec<B>) {
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for a in A::special() {
        for b in B::special() {
            left.push(a);
            right.push(b);
        }
    }
    let mut state = 2;
    for _ in 0..n {
        left.push(A::random(next(&mut state)));
        right.push(B::random(next(&mut state)));
    }
    (left, right)
}

/// Values where the rules of an integer type change, and random ones that fit `$via`.
macro_rules! integers {
    ($($t:ident by $via:ident [$($special:expr),*]),*) => { $(
        impl Sample for $t {
            fn special() -> Vec<Self> {
                let ends = [$via::MIN, $via::MIN + 1, $via::MAX, $via::MAX - 1, $via::MAX / 2,
                    $via::MAX / 2 + 1, $via::MAX / 3];
                let middle = [0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, $($special),*];
                ends.into_iter().map(|x| x as $t).chain(middle).collect()
            }
            fn random(bits: u64) -> Self {
                // Small ones as often as large ones.
                ((bits as $via) >> ((bits >> 58) % u64::from($via::BITS))) as $t
            }
            fn same(self, other: Self) -> bool {
                self == other
            }
            fn fits(self) -> bool {
                $via::try_from(self).is_ok()
            }
        }
    )* };
}
integers!(
    i8 by i8 [-1, -2, -31, -0x56],
    i16 by i16 [-1, -2, -31, -0x5556],
    i32 by i32 [-1, -2, -31, 1 << 24, (1 << 24) + 1, 65_535, 65_536, 0x5555_5555, -0x5555_5556],
    i64 by i64 [-1, -2, -31, 1 << 24, (1 << 24) + 1, 1 << 53, (1 << 53) + 1, 0xffff_ffff, 1 << 32,
        0x80_0000_8000_0000, 0x80_0000_8000_0001, -0x80_0000_8000_0001, 1 << 62],
    // What 32 bits hold: a device has no more.
    isize by i32 [-1, -2, -31, 65_535, 65_536, -0x5555_5556],
    u8 by u8 [],
    u16 by u16 [],
    u32 by u32 [1 << 24, (1 << 24) + 1, 65_535, 65_536, 1 << 31, (1 << 31) + 1, 0x5555_5555],
    u64 by u64 [1 << 24, (1 << 24) + 1, 1 << 53, (1 << 53) + 1, 0xffff_ffff, 1 << 32,
        0x80_0000_8000_0000, 0x80_0000_8000_0001, 0x8000_0080_0000_0000, 0x8000_0080_0000_0001,
        0xffff_ff80_0000_0000],
    usize by u32 [65_535, 65_536, 1 << 31]
);

impl Sample for bool {
    fn special() -> Vec<Self> {
        vec![false, true]
    }
    fn random(bits: u64) -> Self {
        bits & 1 != 0
    }
    fn same(self, other: Self) -> bool {
        self == other
    }
}

macro_rules! floats {
    ($($t:ident $bits:ident $mantissa:literal $exponent:literal [$($special:expr),*]),*) => { $(
        impl Sample for $t {
            fn special() -> Vec<Self> {
                let positive = [
                    0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0, 10.0, 255.0, 256.5, 1e-3, 1e10,
                    2_147_483_520.0, 2_147_483_647.0, 2_147_483_648.0, 2_147_483_904.0,
                    4_294_967_040.0, 4_294_967_295.0, 4_294_967_296.0, 8_388_607.5, 8_388_608.0, 8_388_609.0,
                    16_777_216.0, 16_777_217.0, $t::MAX, $t::MIN_POSITIVE, $t::EPSILON, $t::INFINITY,
                    $t::from_bits(1), $t::from_bits(2), $t::MIN_POSITIVE / 2.0,
                    $t::NAN, $t::from_bits($t::INFINITY.to_bits() + 1), $($special),*
                ];
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
            fn same(self, other: Self) -> bool {
                self.to_bits() == other.to_bits() || self.is_nan() && other.is_nan()
            }
            fn alike(self, other: Self) -> bool {
                self == other || self.same(other)
            }
        }
    )* };
}
floats!(
    f32 u32 23 127 [0.499_999_97, 1.0 + f32::EPSILON, 1.0 - f32::EPSILON / 2.0],
    f64 u64 52 1023 [0.499_999_999_999_999_94, 4_503_599_627_370_495.5, 2_147_483_646.5]
);
