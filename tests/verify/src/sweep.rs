//! Functions whose arguments are not drawn at random: they go through all magnitudes of their types.

use crate::run::Native;
use skel_core::ir::{Half, Value};

/// What is asked of a case whose arguments are given.
#[derive(Clone, Copy)]
pub struct Sweep {
    /// The arguments of each element, in source order.
    pub inputs: fn() -> Vec<Vec<Value>>,
    /// What devices may give besides the bits of the native function.
    pub bound: Bound,
}

/// How near a device that has transcendentals of its own must come, as `docs/language.md` says.
#[derive(Clone, Copy)]
pub enum Bound {
    /// The bits of the native function.
    Bits,
    /// So many units in the last place from the exact value, of arguments up to a size.
    Ulps {
        /// The bound.
        most: f64,
        /// Beyond this, results are the driver's own.
        up_to: f64,
        /// The same function of `f64`, which is exact as `f32` and `f16` see it.
        exact: fn(&[Value]) -> Native,
    },
    /// A neighbour of what the native function gives, or itself.
    Neighbours,
    /// What this function gives is right as well.
    Or(fn(&[Value]) -> Native),
}

impl Sweep {
    /// Whether `found` is allowed as result number `result`, though it is not what the native function
    /// gives, which is `expected`.
    #[cfg(feature = "wgpu")]
    pub(crate) fn allows(
        &self,
        args: &[Value],
        result: usize,
        found: &Value,
        expected: &Value,
    ) -> bool {
        match self.bound {
            Bound::Bits => false,
            Bound::Neighbours => steps(found, expected).is_some_and(|steps| steps <= 1),
            Bound::Or(other) => part(&other(args), result).is_some_and(|v| v.same(found)),
            Bound::Ulps { most, up_to, exact } => {
                let wide: Vec<Value> = args.iter().map(widened).collect();
                let beyond =
                    |v: &Value| matches!(v, Value::F64(x) if x.is_finite() && x.abs() > up_to);
                if wide.iter().any(beyond) {
                    return true;
                }
                let Some(Value::F64(exact)) = part(&exact(&wide), result) else {
                    return false;
                };
                match found {
                    Value::F32(x) => SINGLE.ulps((*x).into(), exact) <= most,
                    // Computed in `f32`, and rounded: to a neighbour where the exact value is halfway.
                    Value::F16(x) => HALF.ulps(x.to_f32().into(), exact) <= 0.51,
                    _ => false,
                }
            }
        }
    }
}

/// Result number `k` of a native call.
fn part(native: &Native, k: usize) -> Option<Value> {
    match native.as_ref().ok()? {
        (Value::Struct(ty, parts), _) if ty.name == "tuple" => parts.get(k).cloned(),
        (whole, _) => (k == 0).then(|| whole.clone()),
    }
}

fn widened(value: &Value) -> Value {
    match value {
        Value::F16(x) => Value::F64(x.to_f32().into()),
        Value::F32(x) => Value::F64((*x).into()),
        other => other.clone(),
    }
}

/// How many floats lie between two, and one of them.
fn steps(a: &Value, b: &Value) -> Option<u64> {
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
struct Format {
    /// Digits, the one before the point included.
    digits: i32,
    /// Exponents of normal numbers.
    exponents: std::ops::RangeInclusive<i32>,
}

const SINGLE: Format = Format {
    digits: 24,
    exponents: -126..=127,
};
const HALF: Format = Format {
    digits: 11,
    exponents: -14..=15,
};

impl Format {
    /// The distance of `found`, a value of this format, from the exact value, in units in the last place.
    fn ulps(&self, found: f64, exact: f64) -> f64 {
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
