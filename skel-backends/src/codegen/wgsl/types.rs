//! Types in functions.

use super::{Support, Wgsl};
use crate::codegen::{Cx, namer};
use skel_core::ir::{StructTy, Ty};
use std::{fmt::Write, sync::Arc};

/// Says why a type cannot be used.
fn lacking(cx: &mut Cx<'_>, ty: &Ty, support: Support) -> String {
    let why = match support {
        Support::Miscomputes => {
            "in which this device's driver gives wrong results (see `devices()`)"
        }
        Support::Has | Support::Lacks => "which this device does not have",
    };
    cx.unsupported(format!("it computes with `{ty}`, {why}"));
    carrier(ty).into()
}

impl Wgsl {
    /// The type of a value. Integers of less than 32 bits, `usize` and `isize` are computed in 32.
    pub(super) fn ty(&mut self, cx: &mut Cx<'_>, ty: &Ty) -> String {
        match ty {
            Ty::Unit => String::new(),
            Ty::I64 | Ty::U64 if !self.i64.is_usable() => lacking(cx, ty, self.i64),
            Ty::F64 if !self.f64.is_usable() => lacking(cx, ty, self.f64),
            Ty::F16 if !self.f16.is_usable() => lacking(cx, ty, self.f16),
            Ty::Struct(structure) => self.structure(cx, structure),
            Ty::Array(array) => {
                if array.len == 0 {
                    return cx.unsupported("an array of no elements, which WGSL cannot say");
                }
                format!("array<{}, {}>", self.ty(cx, &array.elem), array.len)
            }
            Ty::View(_) => cx.internal("a whole container as a value"),
            scalar => carrier(scalar).into(),
        }
    }

    fn structure(&mut self, cx: &mut Cx<'_>, structure: &Arc<StructTy>) -> String {
        if let Some(number) = self.structs.iter().position(|known| known == structure) {
            return namer::structure(structure.name, number);
        }
        if structure.fields.is_empty() {
            return cx.unsupported(format!(
                "`{}` has no fields, which WGSL cannot say",
                structure.name
            ));
        }
        for field in &structure.fields {
            self.ty(cx, &field.ty);
        }
        self.structs.push(structure.clone());
        namer::structure(structure.name, self.structs.len() - 1)
    }

    /// The declarations of all struct types met so far.
    pub(super) fn struct_declarations(&mut self, cx: &mut Cx<'_>) -> String {
        let mut out = String::new();
        for (number, structure) in self.structs.clone().iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = writeln!(
                out,
                "struct {} {{",
                namer::structure(structure.name, number)
            );
            for (position, member) in structure.fields.iter().enumerate() {
                let ty = self.ty(cx, &member.ty);
                let _ = writeln!(out, "    {}: {ty},", field(structure, position));
            }
            out.push_str("}\n\n");
        }
        out
    }

    /// The constant arrays that are read by index, and the functions that repeat a value.
    pub(super) fn module_declarations(&mut self, cx: &mut Cx<'_>) -> String {
        let mut out = String::new();
        for (number, (ty, text)) in self.tables.iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "var<private> table{number}: {ty} = {text};\n");
        }
        for (number, ty) in self.repeats.clone().iter().enumerate() {
            let Ty::Array(array) = ty else { continue };
            let (name, elem) = (self.ty(cx, ty), self.ty(cx, &array.elem));
            let _ = writeln!(
                out,
                "fn repeat{number}(x: {elem}) -> {name} {{\n    var all: {name};\n    for (var i = 0u; i < {}u; i++) {{\n        all[i] = x;\n    }}\n    return all;\n}}\n",
                array.len
            );
        }
        out
    }
}

/// The name of a field.
pub(super) fn field(structure: &StructTy, position: usize) -> String {
    namer::field(structure.fields[position].name, position)
}

/// What a scalar is computed in; also the suffix of the helpers for that.
pub(super) fn carrier(ty: &Ty) -> &'static str {
    match ty {
        Ty::Bool => "bool",
        Ty::I8 | Ty::I16 | Ty::I32 | Ty::Isize => "i32",
        Ty::I64 => "i64",
        Ty::U64 => "u64",
        Ty::F16 | Ty::F32 => "f32",
        Ty::F64 => "f64",
        _ => "u32",
    }
}

/// The suffix of helpers that know the very type.
pub(super) fn suffix(ty: &Ty) -> &'static str {
    match ty {
        Ty::I8 => "i8",
        Ty::I16 => "i16",
        Ty::Isize => "isize",
        Ty::U8 => "u8",
        Ty::U16 => "u16",
        Ty::Usize => "usize",
        other => carrier(other),
    }
}

/// `usize` or `isize`: 64 bits on the host, 32 here, and a trap beyond.
pub(super) fn is_size(ty: &Ty) -> bool {
    matches!(ty, Ty::Usize | Ty::Isize)
}

/// An integer of 8 or 16 bits.
pub(super) fn is_narrow(ty: &Ty) -> bool {
    matches!(ty, Ty::I8 | Ty::I16 | Ty::U8 | Ty::U16)
}

/// `i64` or `u64`.
pub(super) fn is_long(ty: &Ty) -> bool {
    matches!(ty, Ty::I64 | Ty::U64)
}

/// A result of 32 bits, cut to the width of `ty` if that is less.
pub(super) fn wrapped(ty: &Ty, text: String) -> String {
    if is_narrow(ty) {
        format!("skel_to_{}({text})", suffix(ty))
    } else {
        text
    }
}

/// Zero of an integer type.
pub(super) fn zero(ty: &Ty) -> &'static str {
    match carrier(ty) {
        "i32" => "0i",
        "i64" => "0li",
        "u64" => "0lu",
        _ => "0u",
    }
}
