//! Types of the language, as the generator needs them.

use std::{fmt, rc::Rc};

/// A number or `bool`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Scalar {
    Bool,
    I8,
    I16,
    I32,
    I64,
    Isize,
    U8,
    U16,
    U32,
    U64,
    Usize,
    F32,
    F64,
}

use Scalar::*;

impl Scalar {
    pub(super) fn name(self) -> &'static str {
        match self {
            Bool => "bool",
            I8 => "i8",
            I16 => "i16",
            I32 => "i32",
            I64 => "i64",
            Isize => "isize",
            U8 => "u8",
            U16 => "u16",
            U32 => "u32",
            U64 => "u64",
            Usize => "usize",
            F32 => "f32",
            F64 => "f64",
        }
    }

    /// The width of an integer.
    pub(super) fn bits(self) -> Option<u32> {
        Some(match self {
            I8 | U8 => 8,
            I16 | U16 => 16,
            I32 | U32 => 32,
            I64 | U64 | Isize | Usize => 64,
            Bool | F32 | F64 => return None,
        })
    }

    /// Its size, and its alignment.
    fn bytes(self) -> usize {
        match self {
            Bool => 1,
            F32 => 4,
            F64 => 8,
            integer => integer.bits().unwrap_or(8) as usize / 8,
        }
    }

    pub(super) fn is_integer(self) -> bool {
        self.bits().is_some()
    }

    pub(super) fn is_float(self) -> bool {
        matches!(self, F32 | F64)
    }

    pub(super) fn is_signed(self) -> bool {
        matches!(self, I8 | I16 | I32 | I64 | Isize)
    }

    /// The types that `Self::from` takes without loss, as std has it.
    pub(super) fn lossless(self) -> &'static [Scalar] {
        match self {
            Bool | I8 | U8 => &[Bool],
            I16 => &[Bool, I8, U8],
            I32 => &[Bool, I8, I16, U8, U16],
            I64 => &[Bool, I8, I16, I32, U8, U16, U32],
            Isize => &[Bool, I8, I16, U8],
            U16 => &[Bool, U8],
            U32 => &[Bool, U8, U16],
            U64 => &[Bool, U8, U16, U32],
            Usize => &[Bool, U8, U16],
            F32 => &[I8, I16, U8, U16],
            F64 => &[F32, I8, I16, I32, U8, U16, U32],
        }
    }
}

/// How many elements the harness gives a view.
const VIEW_LEN: usize = 7;
/// How many elements it gives a line.
pub(super) const LINE_LEN: usize = 5;

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Ty {
    Unit,
    Scalar(Scalar),
    /// `T`, of a generic function.
    Generic(Bound),
    Tuple(Rc<[Ty]>),
    Array(Rc<Ty>, usize),
    Struct(Rc<StructTy>),
    Enum(Rc<EnumTy>),
    /// `&[T]`, of parameters alone.
    View(Rc<Ty>),
    /// `&mut Line<T>`, or `&Line<T>`, of parameters alone; whether it is written.
    Line(Rc<Ty>, bool),
}

/// From a value to a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The field of this name.
    Field(String),
    /// One of so many elements.
    Element(usize),
    /// An element of a line.
    OfLine,
}

/// What is known of `T`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Bound {
    Number,
    Float,
}

/// A struct of the generated code.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct StructTy {
    pub(super) name: String,
    /// Names are `0`, `1`, … where it is a tuple struct.
    pub(super) fields: Vec<(String, Ty)>,
    pub(super) is_tuple: bool,
    /// `==` works on it.
    pub(super) eq: bool,
}

/// A fieldless enum of the generated code.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct EnumTy {
    pub(super) name: String,
    pub(super) repr: Scalar,
    pub(super) variants: Vec<String>,
}

impl Ty {
    pub(super) fn scalar(&self) -> Option<Scalar> {
        match self {
            Ty::Scalar(scalar) => Some(*scalar),
            _ => None,
        }
    }

    /// Whether it is `usize` or `isize`, by whatever name.
    pub(super) fn is_size(&self) -> bool {
        let scalar = match self {
            Ty::Enum(e) => Some(e.repr),
            ty => ty.scalar(),
        };
        matches!(scalar, Some(Usize | Isize))
    }

    /// Size and alignment in bytes, as `#[repr(C)]` has them; `None` if there is padding.
    pub(super) fn layout(&self) -> Option<(usize, usize)> {
        match self {
            Ty::Unit | Ty::Generic(_) | Ty::Tuple(_) | Ty::View(_) | Ty::Line(..) => None,
            Ty::Scalar(scalar) => Some((scalar.bytes(), scalar.bytes())),
            Ty::Enum(e) => Some((e.repr.bytes(), e.repr.bytes())),
            Ty::Array(elem, len) => {
                let (size, align) = elem.layout()?;
                Some((size * len, align))
            }
            Ty::Struct(s) => {
                let (mut size, mut align) = (0_usize, 1);
                for (_, ty) in &s.fields {
                    let (field, of_field) = ty.layout()?;
                    if !size.is_multiple_of(of_field) {
                        return None;
                    }
                    size += field;
                    align = align.max(of_field);
                }
                size.is_multiple_of(align).then_some((size, align))
            }
        }
    }

    /// The parts directly inside, each with the step that leads there; of an array, one element.
    pub(super) fn parts(&self) -> Vec<(Step, Ty)> {
        match self {
            Ty::Struct(s) => {
                let fields = s.fields.iter();
                fields
                    .map(|(name, ty)| (Step::Field(name.clone()), ty.clone()))
                    .collect()
            }
            Ty::Tuple(parts) => {
                let parts = parts.iter().enumerate();
                parts
                    .map(|(k, ty)| (Step::Field(k.to_string()), ty.clone()))
                    .collect()
            }
            Ty::Array(elem, len) => vec![(Step::Element(*len), (**elem).clone())],
            Ty::View(elem) => vec![(Step::Element(VIEW_LEN), (**elem).clone())],
            Ty::Line(elem, _) => vec![(Step::OfLine, (**elem).clone())],
            Ty::Unit | Ty::Scalar(_) | Ty::Generic(_) | Ty::Enum(_) => Vec::new(),
        }
    }

    /// Ways to parts of type `wanted`, the empty one included.
    pub(super) fn ways_to(&self, wanted: &dyn Fn(&Ty) -> bool) -> Vec<(Vec<Step>, Ty)> {
        let mut found = Vec::new();
        if wanted(self) {
            found.push((Vec::new(), self.clone()));
        }
        for (step, ty) in self.parts() {
            for (mut way, ty) in ty.ways_to(wanted) {
                way.insert(0, step.clone());
                found.push((way, ty));
            }
        }
        found
    }
}

impl From<Scalar> for Ty {
    fn from(scalar: Scalar) -> Ty {
        Ty::Scalar(scalar)
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Unit => f.write_str("()"),
            Ty::Scalar(scalar) => f.write_str(scalar.name()),
            Ty::Generic(_) => f.write_str("T"),
            Ty::Tuple(parts) => {
                f.write_str("(")?;
                for part in &**parts {
                    write!(f, "{part}, ")?;
                }
                f.write_str(")")
            }
            Ty::Array(elem, len) => write!(f, "[{elem}; {len}]"),
            Ty::Struct(s) => f.write_str(&s.name),
            Ty::Enum(e) => f.write_str(&e.name),
            Ty::View(elem) => write!(f, "&[{elem}]"),
            Ty::Line(elem, true) => write!(f, "&mut Line<{elem}>"),
            Ty::Line(elem, false) => write!(f, "&Line<{elem}>"),
        }
    }
}
