//! Values of the IR: constants, and what the interpreter computes with.

use super::{ArrayTy, Half, StructTy, Ty, ViewTy};
use std::sync::Arc;

/// Declares [`Value`] over the scalar types, each of which is a variant of a Rust type.
macro_rules! values {
    ($($(#[$doc:meta])* $variant:ident($t:ident),)*) => {
        /// A value of some [`Ty`].
        #[derive(Clone, Debug)]
        pub enum Value {
            /// `()`.
            Unit,
            $($(#[$doc])* $variant($t),)*
            /// A struct: its type and its fields, in order.
            Struct(Arc<StructTy>, Vec<Value>),
            /// An array: its type and its elements, in order.
            Array(Arc<ArrayTy>, Vec<Value>),
            /// A view: its type, and which of the interpreter's containers it is
            /// ([`super::eval::Env::views`]).
            View(Arc<ViewTy>, usize),
        }

        impl Value {
            /// The type of the value.
            #[must_use]
            pub fn ty(&self) -> Ty {
                match self {
                    Value::Unit => Ty::Unit,
                    $(Value::$variant(_) => Ty::$variant,)*
                    Value::Struct(ty, _) => Ty::Struct(ty.clone()),
                    Value::Array(ty, _) => Ty::Array(ty.clone()),
                    Value::View(ty, _) => Ty::View(ty.clone()),
                }
            }

            /// Zero, `false`, or a struct or array of those; of a view, the first container.
            #[must_use]
            pub fn zero(ty: &Ty) -> Value {
                match ty {
                    Ty::Unit => Value::Unit,
                    $(Ty::$variant => Value::$variant($t::default()),)*
                    Ty::Struct(s) => {
                        let fields = s.fields.iter().map(|f| Value::zero(&f.ty));
                        Value::Struct(s.clone(), fields.collect())
                    }
                    Ty::Array(a) => Value::Array(a.clone(), vec![Value::zero(&a.elem); a.len]),
                    Ty::View(v) => Value::View(v.clone(), 0),
                }
            }
        }
    };
}
values! {
    /// A `bool`.
    Bool(bool),
    /// An `i8`.
    I8(i8),
    /// An `i16`.
    I16(i16),
    /// An `i32`.
    I32(i32),
    /// An `i64`.
    I64(i64),
    /// An `isize`.
    Isize(isize),
    /// A `u8`.
    U8(u8),
    /// A `u16`.
    U16(u16),
    /// A `u32`.
    U32(u32),
    /// A `u64`.
    U64(u64),
    /// A `usize`.
    Usize(usize),
    /// An `f16`.
    F16(Half),
    /// An `f32`.
    F32(f32),
    /// An `f64`.
    F64(f64),
}

/// `$body` of an integer value, whatever its type; `$x` is bound to it. For other values, `$other`.
macro_rules! for_integer {
    ($value:expr, $x:ident => $body:expr, else $other:expr) => {
        match $value {
            $crate::ir::Value::I8($x) => $body,
            $crate::ir::Value::I16($x) => $body,
            $crate::ir::Value::I32($x) => $body,
            $crate::ir::Value::I64($x) => $body,
            $crate::ir::Value::Isize($x) => $body,
            $crate::ir::Value::U8($x) => $body,
            $crate::ir::Value::U16($x) => $body,
            $crate::ir::Value::U32($x) => $body,
            $crate::ir::Value::U64($x) => $body,
            $crate::ir::Value::Usize($x) => $body,
            _ => $other,
        }
    };
}
pub(crate) use for_integer;

impl Value {
    /// The number that an integer is.
    #[must_use]
    pub fn as_integer(&self) -> Option<i128> {
        for_integer!(self, x => Some(*x as i128), else None)
    }

    /// A struct value of this type.
    ///
    /// # Panics
    /// If `ty` is no struct.
    #[must_use]
    pub fn structure(ty: &Ty, fields: Vec<Value>) -> Value {
        match ty {
            Ty::Struct(s) => Value::Struct(s.clone(), fields),
            other => unreachable!("`{other}` made from fields"),
        }
    }

    /// An array value of this type.
    ///
    /// # Panics
    /// If `ty` is no array.
    #[must_use]
    pub fn array(ty: &Ty, elements: Vec<Value>) -> Value {
        match ty {
            Ty::Array(a) => Value::Array(a.clone(), elements),
            other => unreachable!("`{other}` made from elements"),
        }
    }

    /// The same under the numeric contract: equal bits, where all NaNs count as one.
    #[must_use]
    pub fn same(&self, other: &Value) -> bool {
        let all = |a: &[Value], b: &[Value]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b))
        };
        match (self, other) {
            (Value::Unit, Value::Unit) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::F16(a), Value::F16(b)) => a == b || a.is_nan() && b.is_nan(),
            (Value::F32(a), Value::F32(b)) => {
                a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
            }
            (Value::F64(a), Value::F64(b)) => {
                a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
            }
            (Value::Struct(s, a), Value::Struct(t, b)) => s == t && all(a, b),
            (Value::Array(s, a), Value::Array(t, b)) => s == t && all(a, b),
            (Value::View(s, a), Value::View(t, b)) => s == t && a == b,
            _ => {
                let number = self.as_integer();
                number.is_some() && number == other.as_integer() && self.ty() == other.ty()
            }
        }
    }
}
