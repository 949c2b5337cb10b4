//! Constants.

use super::Wgsl;
use crate::codegen::Cx;
use skel_core::ir::{Expr, ExprKind, Ty, Value};
use std::fmt::Display;

impl Wgsl {
    /// A constant. What no compiler should evaluate, refuse or flush is given by its bits: NaN, the
    /// infinities, subnormals, and the smallest `i64`, which has no literal.
    pub(super) fn literal(&mut self, cx: &mut Cx<'_>, value: &Value) -> String {
        match value {
            Value::Unit => String::new(),
            Value::Bool(x) => x.to_string(),
            Value::I8(x) => negative(format!("{x}i")),
            Value::I16(x) => negative(format!("{x}i")),
            Value::I32(x) => i32_literal(*x),
            Value::I64(x) => {
                self.ty(cx, &Ty::I64);
                if *x == i64::MIN {
                    "skel_bits_i64(0x8000000000000000lu)".into()
                } else {
                    negative(format!("{x}li"))
                }
            }
            Value::Isize(x) => match i32::try_from(*x) {
                Ok(x) => i32_literal(x),
                Err(_) => too_wide(cx, x, "isize"),
            },
            Value::U8(x) => format!("{x}u"),
            Value::U16(x) => format!("{x}u"),
            Value::U32(x) => format!("{x}u"),
            Value::U64(x) => {
                self.ty(cx, &Ty::U64);
                format!("{x}lu")
            }
            Value::Usize(x) => match u32::try_from(*x) {
                Ok(x) => format!("{x}u"),
                Err(_) => too_wide(cx, x, "usize"),
            },
            Value::F16(x) => self.literal(cx, &Value::F32(x.to_f32())),
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
            Value::Struct(_, parts) | Value::Array(_, parts) => {
                let ty = self.ty(cx, &value.ty());
                let parts: Vec<String> = parts.iter().map(|part| self.literal(cx, part)).collect();
                format!("{ty}({})", parts.join(", "))
            }
            Value::View(..) => cx.internal("a whole container as a constant"),
        }
    }

    /// A constant array that is read by index: a variable of the module, made once.
    pub(super) fn table(&mut self, cx: &mut Cx<'_>, value: &Value) -> String {
        let text = self.literal(cx, value);
        if !is_plain(value) {
            return text;
        }
        let ty = self.ty(cx, &value.ty());
        let known = self.tables.iter().position(|(_, known)| *known == text);
        let number = known.unwrap_or_else(|| {
            self.tables.push((ty, text));
            self.tables.len() - 1
        });
        format!("table{number}")
    }
}

pub(super) fn too_wide(cx: &mut Cx<'_>, x: &impl Display, ty: &str) -> String {
    cx.unsupported(format!(
        "the constant {x} of type `{ty}` does not fit the 32 bits that this device computes in"
    ))
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

/// Whether a constant is not given by bits.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::F16(x) => is_plain(&Value::F32(x.to_f32())),
        Value::F32(x) => x.is_normal() || *x == 0.0,
        Value::F64(x) => x.is_normal() || *x == 0.0,
        Value::I64(x) => *x != i64::MIN,
        Value::Struct(_, parts) | Value::Array(_, parts) => parts.iter().all(is_plain),
        _ => true,
    }
}

/// Whether WGSL would take the text for a constant expression.
pub(super) fn is_constant(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Const(value) => is_plain(value),
        ExprKind::Field(whole, _) | ExprKind::Repeat(whole) => is_constant(whole),
        ExprKind::Struct(parts) | ExprKind::Array(parts) => parts.iter().all(is_constant),
        ExprKind::Index(array, index, _) => is_constant(array) && is_constant(index),
        _ => false,
    }
}
