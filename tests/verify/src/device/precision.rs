//! What counts as agreement with a device.

use skel_core::ir::{Builtin, ExprKind, Function, Program, Stmt, Value};

/// How exactly a device must agree.
#[derive(Clone, Copy)]
pub(super) struct Precision {
    /// A transcendental, or `mul_add`, is among the operations: their own bounds are tested one by
    /// one elsewhere; here errors have been computed with.
    pub(super) rounded: bool,
    /// Which zero `min` and `max` give is open.
    pub(super) open_zeros: bool,
}

impl Precision {
    pub(super) fn of(program: &Program) -> Precision {
        let uses = |wanted: &dyn Fn(Builtin) -> bool| {
            let mut found = false;
            for stmt in program.functions.iter().flat_map(|f: &Function| &f.body) {
                stmt.walk(&mut |s: &Stmt| {
                    for e in s.exprs() {
                        e.walk(&mut |part| {
                            found |= matches!(part.kind, ExprKind::Builtin(b, ..) if wanted(b));
                        });
                    }
                });
            }
            found
        };
        Precision {
            rounded: uses(&|b| b.is_transcendental() || b == Builtin::MulAdd),
            open_zeros: uses(&|b| matches!(b, Builtin::Min | Builtin::Max | Builtin::Clamp)),
        }
    }

    pub(super) fn agree(self, a: &Value, b: &Value) -> bool {
        let close = |x: f64, y: f64| {
            let zeros = self.open_zeros && x == 0.0 && y == 0.0;
            zeros || self.rounded && (x - y).abs() <= 1e-4 * x.abs().max(y.abs()) + 1e-6
        };
        a.same(b)
            || match (a, b) {
                (Value::F32(x), Value::F32(y)) => close(f64::from(*x), f64::from(*y)),
                (Value::F64(x), Value::F64(y)) => close(*x, *y),
                (Value::Struct(_, x), Value::Struct(_, y))
                | (Value::Array(_, x), Value::Array(_, y)) => {
                    x.len() == y.len() && x.iter().zip(y).all(|(x, y)| self.agree(x, y))
                }
                _ => false,
            }
    }

    /// Makes arguments such that a function of rounded operations is well-behaved there: neither huge
    /// nor special.
    pub(super) fn tame(self, value: &mut Value) {
        match value {
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
