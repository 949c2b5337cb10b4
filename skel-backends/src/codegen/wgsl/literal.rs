//! Constants.

use super::{Wgsl, types};
use crate::codegen::Cx;
use skel_core::ir::{Ty, Value};

impl Wgsl {
    /// A constant. NaN, the infinities and subnormals are given by their bits, which no compiler
    /// evaluates, refuses or flushes.
    pub(super) fn literal(&mut self, cx: &mut Cx<'_>, value: &Value) -> String {
        match value {
            Value::Unit => String::new(),
            Value::Bool(x) => x.to_string(),
            Value::I32(x) => i32_literal(*x),
            Value::U32(x) => format!("{x}u"),
            Value::Usize(x) => match u32::try_from(*x) {
                Ok(x) => format!("{x}u"),
                Err(_) => cx.unsupported(format!(
                    "the constant {x} of type `usize` does not fit the 32 bits that this device computes in"
                )),
            },
            Value::F32(x) if x.is_normal() || *x == 0.0 => negative(format!("{x:?}f")),
            Value::F32(x) => format!("skel_bits_f32({:#x}u)", x.to_bits()),
            Value::F64(x) => {
                self.ty(cx, &Ty::F64);
                if x.is_normal() || *x == 0.0 {
                    negative(format!("{x:?}lf"))
                } else {
                    format!("skel_bits_f64({:#x}lu)", x.to_bits())
                }
            }
            other @ (Value::I8(_)
            | Value::I16(_)
            | Value::I64(_)
            | Value::Isize(_)
            | Value::U8(_)
            | Value::U16(_)
            | Value::U64(_)
            | Value::Array(..)
            | Value::View(..)) => self.ty(cx, &other.ty()),
            Value::Struct(structure, fields) => {
                let ty = self.ty(cx, &Ty::Struct(structure.clone()));
                let fields: Vec<String> = fields.iter().map(|f| self.literal(cx, f)).collect();
                format!("{ty}({})", fields.join(", "))
            }
        }
    }
}

fn i32_literal(x: i32) -> String {
    // The smallest one has no literal with a suffix.
    if x == i32::MIN {
        "i32(-2147483648)".into()
    } else {
        negative(format!("{x}i"))
    }
}

fn negative(text: String) -> String {
    if text.starts_with('-') {
        format!("({text})")
    } else {
        text
    }
}

/// The suffix of a helper for values of type `ty`.
pub(super) fn suffix(ty: &Ty) -> &'static str {
    match ty {
        Ty::Bool => "bool",
        Ty::Usize => "usize",
        other => types::stored(other),
    }
}
