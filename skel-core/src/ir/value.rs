//! Values of the IR: constants, and what the interpreter computes with.

use super::Ty;
use std::sync::Arc;

/// A value of some [`Ty`].
#[derive(Clone, Debug)]
pub enum Value {
    /// `()`.
    Unit,
    /// A `bool`.
    Bool(bool),
    /// An `i32`.
    I32(i32),
    /// A `u32`.
    U32(u32),
    /// A `usize`.
    Usize(usize),
    /// An `f32`.
    F32(f32),
    /// An `f64`.
    F64(f64),
    /// A struct: its type and its fields, in order.
    Struct(Arc<super::StructTy>, Vec<Value>),
}

impl Value {
    /// The type of the value.
    #[must_use]
    pub fn ty(&self) -> Ty {
        match self {
            Value::Unit => Ty::Unit,
            Value::Bool(_) => Ty::Bool,
            Value::I32(_) => Ty::I32,
            Value::U32(_) => Ty::U32,
            Value::Usize(_) => Ty::Usize,
            Value::F32(_) => Ty::F32,
            Value::F64(_) => Ty::F64,
            Value::Struct(ty, _) => Ty::Struct(ty.clone()),
        }
    }

    /// Zero, `false`, or a struct of those.
    #[must_use]
    pub fn zero(ty: &Ty) -> Value {
        match ty {
            Ty::Unit => Value::Unit,
            Ty::Bool => Value::Bool(false),
            Ty::I32 => Value::I32(0),
            Ty::U32 => Value::U32(0),
            Ty::Usize => Value::Usize(0),
            Ty::F32 => Value::F32(0.0),
            Ty::F64 => Value::F64(0.0),
            Ty::Struct(s) => Value::Struct(
                s.clone(),
                s.fields.iter().map(|f| Value::zero(&f.ty)).collect(),
            ),
        }
    }

    /// The same under the numeric contract: equal bits, where all NaNs count as one.
    #[must_use]
    pub fn same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Unit, Value::Unit) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::I32(a), Value::I32(b)) => a == b,
            (Value::U32(a), Value::U32(b)) => a == b,
            (Value::Usize(a), Value::Usize(b)) => a == b,
            (Value::F32(a), Value::F32(b)) => {
                a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
            }
            (Value::F64(a), Value::F64(b)) => {
                a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
            }
            (Value::Struct(s, a), Value::Struct(t, b)) => {
                s == t && a.iter().zip(b).all(|(a, b)| a.same(b))
            }
            _ => false,
        }
    }
}
