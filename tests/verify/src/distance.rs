//! How far floats lie apart.

use skel_core::ir::{Half, Value};

/// How many floats lie between two, and one of them.
pub(crate) fn steps(a: &Value, b: &Value) -> Option<u64> {
    let place = |bits: u64, width: u32| {
        let magnitude = (bits & ((1 << (width - 1)) - 1)).cast_signed();
        if bits >> (width - 1) == 1 {
            -magnitude
        } else {
            magnitude
        }
    };
    let (a, b) = match (a, b) {
        (Value::F16(Half(a)), Value::F16(Half(b))) => {
            (place((*a).into(), 16), place((*b).into(), 16))
        }
        (Value::F32(a), Value::F32(b)) => {
            (place(a.to_bits().into(), 32), place(b.to_bits().into(), 32))
        }
        (Value::F64(a), Value::F64(b)) => (place(a.to_bits(), 64), place(b.to_bits(), 64)),
        _ => return None,
    };
    Some(a.abs_diff(b))
}

/// A format of floats that is narrower than `f64`.
pub(crate) struct Format {
    /// Digits, the one before the point included.
    digits: i32,
    /// Exponents of normal numbers.
    exponents: std::ops::RangeInclusive<i32>,
}

pub(crate) const SINGLE: Format = Format {
    digits: 24,
    exponents: -126..=127,
};
pub(crate) const HALF: Format = Format {
    digits: 11,
    exponents: -14..=15,
};

impl Format {
    /// The distance of `found`, a value of this format, from the exact value, in units in the last place.
    pub(crate) fn ulps(&self, found: f64, exact: f64) -> f64 {
        if found.is_nan() || exact.is_nan() {
            return if found.is_nan() && exact.is_nan() {
                0.0
            } else {
                f64::INFINITY
            };
        }
        // Infinity is what follows the largest number, and all that is beyond it is as far.
        let end = 2.0_f64.powi(self.exponents.end() + 1);
        let (found, exact) = (found.clamp(-end, end), exact.clamp(-end, end));
        let bits = exact.abs().to_bits() >> 52;
        let exponent = i32::try_from(bits).unwrap_or(0) - 1023;
        let exponent = exponent.clamp(*self.exponents.start(), *self.exponents.end());
        (found - exact).abs() / 2.0_f64.powi(exponent - (self.digits - 1))
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn distances_are_counted_in_units_of_the_last_place() {
        let next = |x: f32| f64::from(f32::from_bits(x.to_bits() + 1));
        assert_eq!(SINGLE.ulps(1.0, 1.0), 0.0);
        assert_eq!(SINGLE.ulps(next(1.0), 1.0), 1.0);
        assert_eq!(SINGLE.ulps(next(1e-42), f64::from(1e-42_f32)), 1.0);
        assert_eq!(SINGLE.ulps(next(f32::MAX), f32::MAX.into()), 1.0);
        assert_eq!(SINGLE.ulps(f64::INFINITY, 1e300), 0.0);
        assert_eq!(SINGLE.ulps(f64::NAN, 1.0), f64::INFINITY);
        assert_eq!(HALF.ulps(65504.0, 65504.0 + 32.0), 1.0);
        assert_eq!(HALF.ulps(0.0, 2.0_f64.powi(-24)), 1.0);
    }

    #[test]
    fn neighbours_are_one_step_apart_also_across_zero() {
        let single = |x: f32| Value::F32(x);
        assert_eq!(steps(&single(0.0), &single(-0.0)), Some(0));
        let smallest = f32::from_bits(1);
        assert_eq!(steps(&single(smallest), &single(-smallest)), Some(2));
        assert_eq!(steps(&single(f32::MAX), &single(f32::INFINITY)), Some(1));
    }
}
