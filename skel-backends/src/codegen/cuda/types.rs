//! Types, by their Rust names: `helpers/types.cu` defines them.

use super::Cuda;
use crate::codegen::{Cx, namer};
use skel_core::{
    ir::{LocalId, StructTy, Ty, ViewKind},
    space::MAX_RANK,
};
use std::{fmt::Write, sync::Arc};

/// What an integer type is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Integer {
    pub(super) name: &'static str,
    pub(super) bits: u32,
    pub(super) signed: bool,
}

/// All integer types.
pub(super) const INTEGERS: [Integer; 10] = [
    int("i8", 8, true),
    int("i16", 16, true),
    int("i32", 32, true),
    int("i64", 64, true),
    int("isize", 64, true),
    int("u8", 8, false),
    int("u16", 16, false),
    int("u32", 32, false),
    int("u64", 64, false),
    int("usize", 64, false),
];

const fn int(name: &'static str, bits: u32, signed: bool) -> Integer {
    Integer { name, bits, signed }
}

impl Integer {
    /// The smallest value, as C++ can say it.
    pub(super) fn min(self) -> String {
        match (self.signed, self.bits) {
            (false, _) => "0".into(),
            (true, 64) => format!("({}ll - 1)", -i64::MAX),
            (true, bits) => format!("({} - 1)", -(i64::MAX >> (64 - bits))),
        }
    }

    /// The largest value.
    pub(super) fn max(self) -> String {
        let unsigned = u64::MAX >> (64 - self.bits);
        match (self.signed, self.bits) {
            (true, 64) => format!("{}ll", i64::MAX),
            (true, _) => format!("{}", unsigned >> 1),
            (false, 64) => format!("{unsigned}ull"),
            (false, _) => format!("{unsigned}u"),
        }
    }

    /// Whether C++ computes in a wider type, to be cut again.
    pub(super) fn is_small(self) -> bool {
        self.bits < 32
    }
}

/// The integer type that `ty` is.
pub(super) fn integer(ty: &Ty) -> Option<Integer> {
    let name = scalar(ty)?;
    INTEGERS.into_iter().find(|known| known.name == name)
}

/// The name of a scalar type, the same as in Rust.
pub(super) fn scalar(ty: &Ty) -> Option<&'static str> {
    Some(match ty {
        Ty::Bool => "bool",
        Ty::I8 => "i8",
        Ty::I16 => "i16",
        Ty::I32 => "i32",
        Ty::I64 => "i64",
        Ty::Isize => "isize",
        Ty::U8 => "u8",
        Ty::U16 => "u16",
        Ty::U32 => "u32",
        Ty::U64 => "u64",
        Ty::Usize => "usize",
        Ty::F16 => "f16",
        Ty::F32 => "f32",
        Ty::F64 => "f64",
        Ty::Unit | Ty::Struct(_) | Ty::Array(_) | Ty::View(_) => return None,
    })
}

/// Whole containers by rank, as the helpers call them.
const WHOLE: [&str; MAX_RANK] = ["slice", "matrix", "tensor3", "tensor4"];

/// The type of a view in the helpers.
fn view(kind: ViewKind, elem: &str) -> String {
    match kind {
        ViewKind::Whole { rank } => format!("skel_{}<{elem}>", WHOLE[usize::from(rank) - 1]),
        // A slice that begins there.
        ViewKind::Row => format!("skel_slice<{elem}>"),
        ViewKind::Col => format!("skel_col<{elem}>"),
        ViewKind::Line => format!("skel_line<{elem}>"),
        ViewKind::Window { rank, .. }
        | ViewKind::Pool { rank, .. }
        | ViewKind::Sweep { rank, .. } => format!("skel_window<{elem}, {rank}>"),
    }
}

impl Cuda {
    /// The type of a value.
    pub(super) fn ty(&mut self, ty: &Ty) -> String {
        match ty {
            Ty::Unit => "void".into(),
            Ty::Struct(structure) => self.structure(structure),
            Ty::Array(array) => format!("skel_array<{}, {}>", self.ty(&array.elem), array.len),
            Ty::View(view) => {
                let elem = self.ty(&view.elem);
                self::view(view.kind, &elem)
            }
            other => scalar(other).unwrap_or_default().into(),
        }
    }

    fn structure(&mut self, structure: &Arc<StructTy>) -> String {
        if let Some(number) = self.structs.iter().position(|known| known == structure) {
            return namer::structure(structure.name, number);
        }
        for field in &structure.fields {
            self.ty(&field.ty);
        }
        self.structs.push(structure.clone());
        namer::structure(structure.name, self.structs.len() - 1)
    }

    /// The declarations of all struct types met so far.
    pub(super) fn struct_declarations(&mut self) -> String {
        let mut out = String::new();
        for (number, structure) in self.structs.clone().iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = writeln!(
                out,
                "struct {} {{",
                namer::structure(structure.name, number)
            );
            for (position, member) in structure.fields.iter().enumerate() {
                let ty = self.ty(&member.ty);
                let _ = writeln!(out, "    {ty} {};", field(structure, position));
            }
            out.push_str("};\n\n");
        }
        out
    }
}

/// The name of a field.
pub(super) fn field(structure: &StructTy, position: usize) -> String {
    namer::field(structure.fields[position].name, position)
}

/// The name of a local of the current function, and its type in the text.
pub(super) fn local(cuda: &mut Cuda, cx: &Cx<'_>, id: LocalId) -> (String, String) {
    (cuda.ty(cx.local_ty(id)), cx.local_name(id))
}
