//! What counts as agreement with a unit.

#[cfg(feature = "wgpu")]
use skel_core::ir::Half;
use skel_core::ir::{Builtin, Program, Value};

/// How exactly a unit must agree.
#[derive(Clone, Copy)]
pub(crate) struct Precision {
    /// A transcendental is among the operations: their own bounds are tested one by one elsewhere; here errors have
    /// been computed with.
    pub(crate) rounded: bool,
    /// Which zero `min` and `max` give is open.
    pub(crate) open_zeros: bool,
    /// Whether two numbers of a type with this epsilon are close, where errors were computed with.
    close: fn(f64, f64, f64) -> bool,
}

impl Precision {
    /// Of a device, whose transcendentals are its own.
    #[cfg(feature = "wgpu")]
    pub(crate) fn of_device(program: &Program) -> Precision {
        Self::of(program, &Builtin::is_transcendental, |x, y, _| {
            (x - y).abs() <= 1e-4 * x.abs().max(y.abs()) + 1e-6
        })
    }

    /// Of the host shim, which has the C library that rustc calls; but a compiler may have evaluated a
    /// transcendental ahead.
    pub(crate) fn of_shim(program: &Program) -> Precision {
        Self::of(program, &Builtin::is_transcendental, |x, y, epsilon| {
            (x - y).abs() <= 64.0 * epsilon * x.abs().max(y.abs())
        })
    }

    fn of(
        program: &Program,
        rounded: &dyn Fn(Builtin) -> bool,
        close: fn(f64, f64, f64) -> bool,
    ) -> Precision {
        Precision {
            rounded: program.calls(rounded),
            open_zeros: program
                .calls(|b| matches!(b, Builtin::Min | Builtin::Max | Builtin::Clamp)),
            close,
        }
    }

    pub(crate) fn agree(self, a: &Value, b: &Value) -> bool {
        let close = |x: f64, y: f64, epsilon: f64| {
            let zeros = self.open_zeros && x == 0.0 && y == 0.0;
            zeros || self.rounded && (self.close)(x, y, epsilon)
        };
        a.same(b)
            || match (a, b) {
                // What is close in `f32` may be rounded to neighbours.
                (Value::F16(x), Value::F16(y)) => {
                    let [x, y] = [x, y].map(|x| f64::from(x.to_f32()));
                    close(x, y, f64::from(f32::EPSILON))
                        || self.rounded && (x - y).abs() <= (x.abs() / 1024.0).max(6.0e-8)
                }
                (Value::F32(x), Value::F32(y)) => {
                    close(f64::from(*x), f64::from(*y), f64::from(f32::EPSILON))
                }
                (Value::F64(x), Value::F64(y)) => close(*x, *y, f64::EPSILON),
                (Value::Struct(_, x), Value::Struct(_, y))
                | (Value::Array(_, x), Value::Array(_, y)) => {
                    x.len() == y.len() && x.iter().zip(y).all(|(x, y)| self.agree(x, y))
                }
                _ => false,
            }
    }

    /// Where errors are not computed with: bits count.
    #[cfg(feature = "wgpu")]
    pub(crate) fn to_the_bit(self) -> Precision {
        Precision {
            rounded: false,
            ..self
        }
    }

    /// Makes arguments such that a function of rounded operations is well-behaved there: neither huge
    /// nor special.
    #[cfg(feature = "wgpu")]
    pub(crate) fn tame(self, value: &mut Value) {
        match value {
            Value::F16(x) if self.rounded && (x.is_nan() || x.to_f32().abs() > 50.0) => {
                *x = Half::from_f32(f32::from(x.0 % 50));
            }
            Value::F32(x) if self.rounded && (x.is_nan() || x.abs() > 50.0) => {
                *x = (x.to_bits() % 50) as f32
            }
            Value::F64(x) if self.rounded && (x.is_nan() || x.abs() > 50.0) => {
                *x = (x.to_bits() % 50) as f64
            }
            Value::Struct(_, parts) | Value::Array(_, parts) => {
                parts.iter_mut().for_each(|part| self.tame(part));
            }
            _ => {}
        }
    }
}
