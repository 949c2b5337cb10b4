//! Values of the IR as they lie in memory: the leaves, one after another, without padding.

use skel_core::ir::{Half, Ty, Value};

macro_rules! scalars {
    ($($variant:ident $t:ident),*) => {
        /// Appends the bytes of a value.
        pub fn put(value: &Value, to: &mut Vec<u8>) {
            match value {
                Value::F16(x) => to.extend(x.0.to_le_bytes()),
                Value::Bool(x) => to.push(u8::from(*x)),
                $(Value::$variant(x) => to.extend(x.to_le_bytes()),)*
                Value::Struct(_, parts) | Value::Array(_, parts) => {
                    for part in parts {
                        put(part, to);
                    }
                }
                Value::Unit | Value::View(..) => {}
            }
        }

        /// Takes a value of this type from the front of `bytes`.
        pub fn take(ty: &Ty, bytes: &mut &[u8]) -> Value {
            let mut next = |n: usize| {
                let (first, rest) = bytes.split_at(n);
                *bytes = rest;
                first
            };
            match ty {
                Ty::F16 => match take(&Ty::U16, bytes) {
                    Value::U16(bits) => Value::F16(Half(bits)),
                    other => other,
                },
                Ty::Bool => Value::Bool(next(1)[0] != 0),
                $(Ty::$variant => {
                    let bytes = next(size_of::<$t>()).try_into().expect("as many as asked for");
                    Value::$variant($t::from_le_bytes(bytes))
                })*
                Ty::Struct(s) => {
                    let fields = s.fields.iter().map(|f| take(&f.ty, bytes)).collect();
                    Value::structure(ty, fields)
                }
                Ty::Array(a) => {
                    let elements = (0..a.len).map(|_| take(&a.elem, bytes)).collect();
                    Value::array(ty, elements)
                }
                Ty::Unit | Ty::View(_) => Value::Unit,
            }
        }
    };
}
scalars!(
    I8 i8, I16 i16, I32 i32, I64 i64, Isize isize,
    U8 u8, U16 u16, U32 u32, U64 u64, Usize usize, F32 f32, F64 f64
);

/// The bytes of all values.
pub fn of(values: &[Value]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for value in values {
        put(value, &mut bytes);
    }
    bytes
}

/// The values of this type that the bytes hold.
pub fn values(ty: &Ty, bytes: &[u8]) -> Vec<Value> {
    let mut rest = bytes;
    let mut values = Vec::new();
    while !rest.is_empty() {
        values.push(take(ty, &mut rest));
    }
    values
}
