//! Constants.

use super::{Cuda, types};
use skel_core::ir::{Expr, Ty, Value};

impl Cuda {
    /// A constant. NaN, the infinities and subnormals are given by their bits.
    pub(super) fn literal(&mut self, value: &Value) -> String {
        match value {
            Value::Unit => String::new(),
            Value::Bool(x) => x.to_string(),
            Value::I8(x) => signed(i64::from(*x), &Ty::I8),
            Value::I16(x) => signed(i64::from(*x), &Ty::I16),
            Value::I32(x) => signed(i64::from(*x), &Ty::I32),
            Value::I64(x) => signed(*x, &Ty::I64),
            Value::Isize(x) => signed(*x as i64, &Ty::Isize),
            Value::U8(x) => format!("{x}u"),
            Value::U16(x) => format!("{x}u"),
            Value::U32(x) => format!("{x}u"),
            Value::U64(x) => format!("{x}ull"),
            Value::Usize(x) => format!("{x}ull"),
            Value::F16(x) => format!("f16{{{:#x}u}}", x.0),
            Value::F32(x) if x.is_normal() || *x == 0.0 => negative(format!("{x:?}f")),
            Value::F32(x) => format!("__uint_as_float({:#x}u)", x.to_bits()),
            Value::F64(x) if x.is_normal() || *x == 0.0 => negative(format!("{x:?}")),
            Value::F64(x) => format!("__longlong_as_double({:#x}ull)", x.to_bits()),
            Value::Struct(structure, fields) => {
                let ty = self.ty(&Ty::Struct(structure.clone()));
                let fields: Vec<String> = fields.iter().map(|f| self.literal(f)).collect();
                format!("{ty}{{{}}}", fields.join(", "))
            }
            Value::Array(..) if parts(value) > INLINE => self.table(value),
            Value::Array(..) => self.inline(value),
            // No constant has such a type.
            Value::View(..) => String::new(),
        }
    }

    /// A constant written out, arrays in it as well.
    fn inline(&mut self, value: &Value) -> String {
        match value {
            Value::Struct(structure, fields) => {
                let ty = self.ty(&Ty::Struct(structure.clone()));
                let fields: Vec<String> = fields.iter().map(|f| self.inline(f)).collect();
                format!("{ty}{{{}}}", fields.join(", "))
            }
            Value::Array(array, elements) => {
                let ty = self.ty(&Ty::Array(array.clone()));
                let parts: Vec<String> = elements.iter().map(|e| self.inline(e)).collect();
                format!("{ty}{{{{{}}}}}", parts.join(", "))
            }
            other => self.literal(other),
        }
    }

    /// A long constant array, which all threads share.
    fn table(&mut self, value: &Value) -> String {
        let text = self.inline(value);
        // What is given by its bits is computed by functions, which C++ does not call for a variable of the
        // device. So of floats, all are bits there.
        let by_functions = ["__uint_as_float", "__longlong_as_double"];
        let bits = match by_functions.iter().any(|f| text.contains(f)) {
            false => None,
            true => match bits(value) {
                None => return text,
                bits => bits,
            },
        };
        let ty = self.ty(&value.ty());
        let known = self.tables.iter().position(|(known, _)| known.same(value));
        let number = known.unwrap_or_else(|| {
            let number = self.tables.len();
            let declared = match &bits {
                None => format!("{ty} table{number} = {text}"),
                Some((word, bits)) => format!("{word} table{number}[] = {{{}}}", bits.join(", ")),
            };
            let text = format!("static __device__ const {declared};\n\n");
            self.tables.push((value.clone(), text));
            number
        });
        match bits {
            None => format!("table{number}"),
            Some(_) => format!("(*(const {ty}*)table{number})"),
        }
    }
}

/// How many scalars and structs there are in arrays, and in those.
fn parts(value: &Value) -> usize {
    match value {
        Value::Array(_, elements) => elements.iter().map(parts).sum(),
        _ => 1,
    }
}

/// The bits of all floats, if there is nothing else and all are as long: integers of which type, and which.
fn bits(value: &Value) -> Option<(&'static str, Vec<String>)> {
    match value {
        Value::F32(x) => Some(("u32", vec![format!("{:#x}u", x.to_bits())])),
        Value::F64(x) => Some(("u64", vec![format!("{:#x}ull", x.to_bits())])),
        Value::Array(_, elements) => {
            let mut all: Option<(&'static str, Vec<String>)> = None;
            for element in elements {
                let (word, bits) = bits(element)?;
                all.get_or_insert((word, Vec::new())).1.extend(bits);
            }
            all
        }
        _ => None,
    }
}

/// Arrays of more elements than this are tables.
const INLINE: usize = 8;

/// A constant index that the array of `len` elements has.
pub(super) fn position(index: &Expr, len: usize) -> Option<usize> {
    match &index.kind {
        skel_core::ir::ExprKind::Const(Value::Usize(i)) if *i < len => Some(*i),
        _ => None,
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
