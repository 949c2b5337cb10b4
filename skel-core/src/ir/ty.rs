//! Types of the IR.

use std::{fmt, sync::Arc};

/// The type of a value in a user function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// `()`: the result of a function that writes through `&mut`.
    Unit,
    /// `bool`.
    Bool,
    /// `i32`.
    I32,
    /// `u32`.
    U32,
    /// `usize`: indices and lengths; 64 bits in [`super::eval`], 32 checked bits on devices.
    Usize,
    /// `f32`.
    F32,
    /// `f64`.
    F64,
    /// A struct or tuple, by value.
    Struct(Arc<StructTy>),
}

/// A struct type: its name and its fields in declaration order.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct StructTy {
    /// The Rust name, without path or generics.
    pub name: &'static str,
    /// The fields; those of tuples are named `"0"`, `"1"`, ….
    pub fields: Vec<FieldTy>,
}

/// One field of a [`StructTy`].
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct FieldTy {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub ty: Ty,
}

impl Ty {
    /// A struct type from its name and fields.
    #[must_use]
    pub fn structure(name: &'static str, fields: &[(&'static str, Ty)]) -> Ty {
        let fields = fields
            .iter()
            .map(|(name, ty)| FieldTy {
                name,
                ty: ty.clone(),
            })
            .collect();
        Ty::Struct(Arc::new(StructTy { name, fields }))
    }

    /// `f32` or `f64`.
    #[must_use]
    pub fn is_float(&self) -> bool {
        matches!(self, Ty::F32 | Ty::F64)
    }

    /// `i32`, `u32` or `usize`.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        matches!(self, Ty::I32 | Ty::U32 | Ty::Usize)
    }

    /// An integer type with negative values.
    #[must_use]
    pub fn is_signed(&self) -> bool {
        matches!(self, Ty::I32)
    }

    /// Integer, float or bool.
    #[must_use]
    pub fn is_scalar(&self) -> bool {
        !matches!(self, Ty::Unit | Ty::Struct(_))
    }

    /// Whether `self` is, or contains, a type for which `wanted` holds.
    pub fn mentions(&self, wanted: &impl Fn(&Ty) -> bool) -> bool {
        wanted(self)
            || match self {
                Ty::Struct(s) => s.fields.iter().any(|f| f.ty.mentions(wanted)),
                _ => false,
            }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ty::Unit => "()",
            Ty::Bool => "bool",
            Ty::I32 => "i32",
            Ty::U32 => "u32",
            Ty::Usize => "usize",
            Ty::F32 => "f32",
            Ty::F64 => "f64",
            Ty::Struct(s) => s.name,
        })
    }
}
