//! Types in functions, and types in memory.

use super::Wgsl;
use crate::codegen::{Cx, namer};
use skel_core::ir::{StructTy, Ty};
use std::{fmt::Write, sync::Arc};

impl Wgsl {
    /// The type of a value.
    pub(super) fn ty(&mut self, cx: &mut Cx<'_>, ty: &Ty) -> String {
        match ty {
            Ty::Unit => String::new(),
            Ty::Bool => "bool".into(),
            Ty::I32 => "i32".into(),
            Ty::U32 | Ty::Usize => "u32".into(),
            Ty::F32 => "f32".into(),
            Ty::F64 => {
                if !self.f64 {
                    cx.unsupported("it computes with `f64`, which this device does not have");
                }
                "f64".into()
            }
            Ty::Struct(structure) => self.structure(cx, structure),
            Ty::I8
            | Ty::I16
            | Ty::I64
            | Ty::Isize
            | Ty::U8
            | Ty::U16
            | Ty::U64
            | Ty::Array(_)
            | Ty::View(_) => cx.unsupported(format!("it computes with `{ty}`")),
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
}

/// The name of a field.
pub(super) fn field(structure: &StructTy, position: usize) -> String {
    namer::field(structure.fields[position].name, position)
}

/// The type of an element in memory that the host sees: WGSL has no `bool` there.
pub(super) fn stored(ty: &Ty) -> &'static str {
    match ty {
        Ty::I32 => "i32",
        Ty::F32 => "f32",
        Ty::F64 => "f64",
        _ => "u32",
    }
}

/// A value of `ty` from what was loaded.
pub(super) fn loaded(ty: &Ty, text: &str) -> String {
    if *ty == Ty::Bool {
        format!("({text} != 0u)")
    } else {
        text.to_owned()
    }
}

/// What is stored for a value of `ty`.
pub(super) fn to_store(ty: &Ty, text: &str) -> String {
    if *ty == Ty::Bool {
        format!("select(0u, 1u, {text})")
    } else {
        text.to_owned()
    }
}
