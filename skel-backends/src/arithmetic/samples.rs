//! Operands: where operations go wrong.

use skel_tasks::SplitMix;

/// Bits that look random, the same in every run.
pub(super) fn random(n: usize) -> impl Iterator<Item = u64> {
    let mut numbers = SplitMix::new(0x9e37_79b9_7f4a_7c15);
    std::iter::repeat_with(move || numbers.draw()).take(n)
}

/// A float format: the bits of its significand and of its exponent.
#[derive(Clone, Copy)]
pub(super) struct Format {
    pub(super) significand: u32,
    pub(super) exponent: u32,
}

impl Format {
    pub(super) const F32: Format = Format {
        significand: 23,
        exponent: 8,
    };
    pub(super) const F64: Format = Format {
        significand: 52,
        exponent: 11,
    };

    fn sign(self) -> u64 {
        1 << (self.significand + self.exponent)
    }

    fn fraction(self) -> u64 {
        (1 << self.significand) - 1
    }

    /// Whether it is neither 0 nor normal.
    pub(super) fn is_subnormal(self, bits: u64) -> bool {
        let magnitude = bits & (self.sign() - 1);
        magnitude != 0 && magnitude >> self.significand == 0
    }

    /// Whether it is 0, of either sign.
    pub(super) fn is_zero(self, bits: u64) -> bool {
        bits & (self.sign() - 1) == 0
    }

    /// Whether it is the least normal number, of either sign.
    pub(super) fn is_least_normal(self, bits: u64) -> bool {
        bits & (self.sign() - 1) == 1 << self.significand
    }

    /// Whether it is NaN.
    pub(super) fn is_nan(self, bits: u64) -> bool {
        let infinite = ((1 << self.exponent) - 1) << self.significand;
        bits & (self.sign() - 1) > infinite
    }

    /// Numbers of every magnitude, dense where fractions end; both zeros, subnormals, infinities and NaN.
    pub(super) fn singles(self) -> Vec<u64> {
        let (most, bias) = (
            (1_u64 << self.exponent) - 1,
            (1_u64 << (self.exponent - 1)) - 1,
        );
        let fraction = self.fraction();
        let middle = 1_u64 << (self.significand - 1);
        let mut all = Vec::new();
        for exponent in 0..=most {
            let dense = exponent.abs_diff(bias) <= 70 || exponent <= 1 || exponent + 1 >= most;
            if !dense && exponent % 29 != 0 {
                continue;
            }
            // The last bit before the point, the first behind it, and both.
            let point = (exponent.saturating_sub(bias)).min(u64::from(self.significand));
            let half = middle >> point.min(u64::from(self.significand) - 1);
            let unit = (half << 1) & fraction;
            for low in [
                0,
                1,
                middle,
                half,
                unit,
                unit | half,
                half.wrapping_sub(1) & fraction,
                half | 1,
                unit | half | 1,
                fraction ^ half,
                fraction,
                0x5_5555_5555_5555 & fraction,
            ] {
                let magnitude = exponent << self.significand | low;
                all.extend([magnitude, magnitude | self.sign()]);
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Pairs: all of a few special numbers, and numbers that look random and are alike in magnitude.
    pub(super) fn pairs(self) -> Vec<[u64; 2]> {
        let bias = (1_u64 << (self.exponent - 1)) - 1;
        let one = bias << self.significand;
        let most = ((1_u64 << self.exponent) - 1) << self.significand;
        let magnitudes = [
            0,
            1,
            self.fraction(),
            1 << self.significand,
            one,
            one + 1,
            one - 1,
            (bias + 1) << self.significand,
            (bias + 1) << self.significand | 1 << (self.significand - 1),
            (bias - 1) << self.significand,
            (bias + 3) << self.significand | 0x5_5555_5555_5555 & self.fraction(),
            (bias + u64::from(self.significand)) << self.significand | 1,
            most - (1 << self.significand),
            most - 1,
            most,
            most | 1 << (self.significand - 1),
        ];
        let special: Vec<u64> = magnitudes
            .iter()
            .flat_map(|m| [*m, m | self.sign()])
            .collect();
        let mut all: Vec<[u64; 2]> = Vec::new();
        for x in &special {
            all.extend(special.iter().map(|y| [*x, *y]));
        }
        let mask = self.sign() << 1;
        let mut bits = random(3000).map(|bits| bits & (mask.wrapping_sub(1)));
        while let (Some(x), Some(y), Some(how)) = (bits.next(), bits.next(), bits.next()) {
            // Half of them have exponents near each other.
            let near = ((x >> self.significand & (most >> self.significand)) + how % 5)
                .min((most >> self.significand) - 1);
            let y_near = y & (self.sign() | self.fraction()) | near << self.significand;
            all.push([x, if how & 8 == 0 { y } else { y_near }]);
        }
        all
    }
}

/// Integers of so many bits: the ends, powers of two and their neighbours, and bits that look random.
pub(super) fn integers(bits: u32) -> Vec<u64> {
    let mask = u64::MAX >> (64 - bits);
    let mut all = Vec::new();
    for k in 0..bits {
        let power = 1_u64 << k;
        all.extend([power, power - 1, power + 1, !power, power.wrapping_neg()].map(|x| x & mask));
    }
    all.extend(random(200).map(|x| x & mask));
    all.sort_unstable();
    all.dedup();
    all
}

/// Pairs of integers: special ones with each other, and some that look random.
pub(super) fn integer_pairs(bits: u32) -> Vec<[u64; 2]> {
    let mask = u64::MAX >> (64 - bits);
    let top = 1_u64 << (bits - 1);
    let special = [
        0,
        1,
        2,
        3,
        5,
        7,
        31,
        32,
        33,
        63,
        0xff,
        0xffff,
        0x10000,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
        top - 1,
        top,
        top + 1,
        mask - 1,
        mask,
        mask / 3,
        1_000_003,
    ]
    .map(|x| x & mask);
    let mut all: Vec<[u64; 2]> = Vec::new();
    for x in special {
        all.extend(special.map(|y| [x, y]));
    }
    let mut bits = random(2000);
    while let (Some(x), Some(y), Some(how)) = (bits.next(), bits.next(), bits.next()) {
        all.push([x & mask, (y & mask) >> (how % 48)]);
    }
    all
}
