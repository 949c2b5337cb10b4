//! Constants.

use super::{Cuda, types};
use skel_core::ir::{Ty, Value};

impl Cuda {
    /// A constant. NaN, the infinities and subnormals are given by their bits.
    pub(super) fn literal(&mut self, value: &Value) -> String {
        match value {
            Value::Unit => String::new(),
            Value::Bool(x) => x.to_string(),
            Value::I32(x) => signed(i64::from(*x), &Ty::I32),
            Value::U32(x) => format!("{x}u"),
            Value::Usize(x) => format!("{x}ull"),
            Value::F32(x) if x.is_normal() || *x == 0.0 => negative(format!("{x:?}f")),
            Value::F32(x) => format!("__uint_as_float({:#x}u)", x.to_bits()),
            Value::F64(x) if x.is_normal() || *x == 0.0 => negative(format!("{x:?}")),
            Value::F64(x) => format!("__longlong_as_double({:#x}ull)", x.to_bits()),
            Value::Struct(structure, fields) => {
                let ty = self.ty(&Ty::Struct(structure.clone()));
                let fields: Vec<String> = fields.iter().map(|f| self.literal(f)).collect();
                format!("{ty}{{{}}}", fields.join(", "))
            }
        }
    }
}

/// The smallest integers of a type have no literal: the minus is an operator.
fn signed(x: i64, ty: &Ty) -> String {
    let Some(int) = types::integer(ty) else {
        return String::new();
    };
    let suffix = if int.bits == 64 { "ll" } else { "" };
    if x == i64::MIN >> (64 - int.bits) {
        int.min()
    } else {
        negative(format!("{x}{suffix}"))
    }
}

fn negative(text: String) -> String {
    if text.starts_with('-') {
        format!("({text})")
    } else {
        text
    }
}
