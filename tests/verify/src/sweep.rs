//! Functions whose arguments are not drawn at random: they go through all magnitudes of their types.

#[cfg(feature = "wgpu")]
use crate::distance::{HALF, SINGLE, steps};
use crate::run::Native;
use skel_core::ir::Value;

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
#[cfg(feature = "wgpu")]
fn part(native: &Native, k: usize) -> Option<Value> {
    match native.as_ref().ok()? {
        (Value::Struct(ty, parts), _) if ty.name == "tuple" => parts.get(k).cloned(),
        (whole, _) => (k == 0).then(|| whole.clone()),
    }
}

#[cfg(feature = "wgpu")]
fn widened(value: &Value) -> Value {
    match value {
        Value::F16(x) => Value::F64(x.to_f32().into()),
        Value::F32(x) => Value::F64((*x).into()),
        other => other.clone(),
    }
}
