//! Types of the IR.

use super::{Expr, ExprKind};
use crate::space::MAX_RANK;
use std::{fmt, ops::Range, sync::Arc};

/// The type of a value in a user function.
///
/// A fieldless enum is the integer that its `#[repr]` names: its variants are constants, `match`
/// compares them. A tuple is a struct with the fields `0`, `1`, ….
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// `()`: the result of a function that writes through `&mut`.
    Unit,
    /// `bool`.
    Bool,
    /// `i8`.
    I8,
    /// `i16`.
    I16,
    /// `i32`.
    I32,
    /// `i64`.
    I64,
    /// `isize`: as [`Ty::Usize`].
    Isize,
    /// `u8`.
    U8,
    /// `u16`.
    U16,
    /// `u32`.
    U32,
    /// `u64`.
    U64,
    /// `usize`: indices and lengths; 64 bits in [`super::eval`], 32 checked bits on devices without
    /// such integers.
    Usize,
    /// `f16`: for memory. It is cast from and to `f32`; no operator takes it.
    F16,
    /// `f32`.
    F32,
    /// `f64`.
    F64,
    /// A struct or tuple, by value.
    Struct(Arc<StructTy>),
    /// `[T; N]`, by value.
    Array(Arc<ArrayTy>),
    /// A whole container, read at random: the type of a parameter, never of anything in it.
    View(Arc<ViewTy>),
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

/// `[elem; len]`.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct ArrayTy {
    /// The type of each element.
    pub elem: Ty,
    /// How many.
    pub len: usize,
}

/// A container that a user function reads at random.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct ViewTy {
    /// The element type.
    pub elem: Ty,
    /// How it is indexed.
    pub kind: ViewKind,
}

/// How a view is indexed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ViewKind {
    /// `&[T]`, `MatrixView<T>`, `Tensor3View<T>`, `Tensor4View<T>`: as many indices as there are dimensions,
    /// outermost first.
    Whole {
        /// The number of dimensions, 1 to 4.
        rank: u8,
    },
    /// `Row<T>`: the row of a matrix that belongs to the current element; one index.
    Row,
    /// `Col<T>`: the column of a matrix that belongs to the current element; one index.
    Col,
    /// `Line<T>`: a line of a container, which may be written; one index.
    Line,
    /// `Window1<T, R>` … `Window4`: the elements around the current one, by signed offsets of type
    /// `isize`. The radius along each dimension, outermost first; the last `rank` count.
    Window {
        /// The number of dimensions, 1 to 4.
        rank: u8,
        /// How far it reaches to either side.
        radius: [u32; 4],
    },
    /// `Sweep1<T, R>` … `Sweep3`: what an element of a sweep sees, by signed offsets of type `isize`, which are
    /// constants of one sign. How far, as of a window.
    Sweep {
        /// The number of dimensions, 1 to 3.
        rank: u8,
        /// How far it sees.
        radius: [u32; 4],
    },
    /// `Pool1<T, N>` … `Pool4`: the elements of a pool, by indices from 0.
    Pool {
        /// The number of dimensions, 1 to 4.
        rank: u8,
        /// How many elements it has along each dimension, outermost first; the last `rank` count.
        size: [u32; 4],
    },
}

/// Whole containers by rank.
const WHOLE: [&str; MAX_RANK] = ["slice", "MatrixView", "Tensor3View", "Tensor4View"];

/// What their dimensions are called, outermost first: the last ones, as many as there are. Of one alone, its extent is
/// the length.
const DIMENSIONS: [&str; MAX_RANK] = ["volumes", "planes", "rows", "cols"];

/// What the kinds of views differ in: one row for each of them.
enum Indexing {
    /// Of a container: its Rust name, and how many indices there are.
    Container(&'static str, u8),
    /// Of a neighbourhood: its Rust name, how many indices there are, and how far they go along each dimension.
    Neighbourhood(&'static str, u8, [u32; 4]),
}

impl ViewKind {
    fn indexing(self) -> Indexing {
        use Indexing::{Container, Neighbourhood};
        match self {
            ViewKind::Whole { rank } => Container(WHOLE[usize::from(rank) - 1], rank),
            ViewKind::Row => Container("Row", 1),
            ViewKind::Col => Container("Col", 1),
            ViewKind::Line => Container("Line", 1),
            ViewKind::Window { rank, radius } => Neighbourhood("Window", rank, radius),
            ViewKind::Sweep { rank, radius } => Neighbourhood("Sweep", rank, radius),
            ViewKind::Pool { rank, size } => Neighbourhood("Pool", rank, size),
        }
    }

    /// The number of indices, and of extents.
    #[must_use]
    pub fn rank(self) -> usize {
        match self.indexing() {
            Indexing::Container(_, rank) | Indexing::Neighbourhood(_, rank, _) => rank.into(),
        }
    }

    /// The dimension of which this method tells the extent; none of a neighbourhood, of which the type says it.
    #[must_use]
    pub fn dimension(self, method: &str) -> Option<usize> {
        let Indexing::Container(_, rank) = self.indexing() else {
            return None;
        };
        match rank {
            1 => (method == "len").then_some(0),
            rank => DIMENSIONS[MAX_RANK - usize::from(rank)..]
                .iter()
                .position(|known| *known == method),
        }
    }

    /// Whether its indices are offsets of either sign, from the current element.
    fn has_offsets(self) -> bool {
        matches!(self, ViewKind::Window { .. } | ViewKind::Sweep { .. })
    }

    /// The type of its indices.
    #[must_use]
    pub fn index_ty(self) -> Ty {
        match self.has_offsets() {
            true => Ty::Isize,
            false => Ty::Usize,
        }
    }

    /// The indices that a neighbourhood has along a dimension, from 0 on: the first, and the one behind
    /// the last. `None` for containers, where only the call knows.
    #[must_use]
    pub fn reach(self, dimension: usize) -> Option<Range<i64>> {
        let Indexing::Neighbourhood(_, rank, far) = self.indexing() else {
            return None;
        };
        let far = i64::from(far[4 - usize::from(rank) + dimension]);
        Some(match self.has_offsets() {
            true => -far..far + 1,
            false => 0..far,
        })
    }

    /// Whether all of these indices are constants that a neighbourhood is known to have.
    #[must_use]
    pub fn surely_has(self, indices: &[Expr]) -> bool {
        indices.iter().enumerate().all(|(dimension, index)| {
            let at = match &index.kind {
                ExprKind::Const(value) => value.as_integer(),
                _ => None,
            };
            let known = self.reach(dimension).zip(at);
            known.is_some_and(|(reach, at)| {
                i128::from(reach.start) <= at && at < i128::from(reach.end)
            })
        })
    }

    /// The Rust name.
    #[must_use]
    pub fn name(self) -> &'static str {
        let (Indexing::Container(name, _) | Indexing::Neighbourhood(name, ..)) = self.indexing();
        name
    }

    /// The Rust type of such a view of elements whose type is spelled `elem`.
    pub(super) fn of(self, elem: &str) -> String {
        match self.indexing() {
            Indexing::Container(name, _) => format!("{name}<{elem}>"),
            Indexing::Neighbourhood(name, rank, far) => {
                let far = far.iter().skip(4 - usize::from(rank));
                let far: String = far.map(|size| format!(", {size}")).collect();
                format!("{name}{rank}<{elem}{far}>")
            }
        }
    }
}

/// Names of the fields of tuples.
const POSITIONS: [&str; 12] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"];

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

    /// A tuple type of at most twelve parts; further ones are left out.
    #[must_use]
    pub fn tuple(parts: impl IntoIterator<Item = Ty>) -> Ty {
        let fields = POSITIONS
            .into_iter()
            .zip(parts)
            .map(|(name, ty)| FieldTy { name, ty })
            .collect();
        Ty::Struct(Arc::new(StructTy {
            name: "tuple",
            fields,
        }))
    }

    /// `[elem; len]`.
    #[must_use]
    pub fn array(elem: Ty, len: usize) -> Ty {
        Ty::Array(Arc::new(ArrayTy { elem, len }))
    }

    /// A whole container of `elem`.
    #[must_use]
    pub fn view(elem: Ty, kind: ViewKind) -> Ty {
        Ty::View(Arc::new(ViewTy { elem, kind }))
    }

    /// `f32` or `f64`.
    #[must_use]
    pub fn is_float(&self) -> bool {
        matches!(self, Ty::F32 | Ty::F64)
    }

    /// An integer of any width.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        self.integer_bits().is_some()
    }

    /// The width of an integer type as Rust has it: 64 for `usize` and `isize`.
    #[must_use]
    pub fn integer_bits(&self) -> Option<u32> {
        Some(match self {
            Ty::I8 | Ty::U8 => 8,
            Ty::I16 | Ty::U16 => 16,
            Ty::I32 | Ty::U32 => 32,
            Ty::I64 | Ty::U64 | Ty::Isize | Ty::Usize => 64,
            _ => return None,
        })
    }

    /// An integer type with negative values.
    #[must_use]
    pub fn is_signed(&self) -> bool {
        matches!(self, Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::Isize)
    }

    /// Integer, float or bool.
    #[must_use]
    pub fn is_scalar(&self) -> bool {
        !matches!(self, Ty::Unit | Ty::Struct(_) | Ty::Array(_) | Ty::View(_))
    }

    /// Whether `self` is, or contains, a type for which `wanted` holds.
    pub fn mentions(&self, wanted: &impl Fn(&Ty) -> bool) -> bool {
        wanted(self)
            || match self {
                Ty::Struct(s) => s.fields.iter().any(|f| f.ty.mentions(wanted)),
                Ty::Array(a) => a.elem.mentions(wanted),
                Ty::View(v) => v.elem.mentions(wanted),
                _ => false,
            }
    }

    /// The size of a value in host memory, where elements have no padding; of a view, of one element.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        match self {
            Ty::Unit => 0,
            Ty::Bool | Ty::I8 | Ty::U8 => 1,
            Ty::I16 | Ty::U16 | Ty::F16 => 2,
            Ty::I32 | Ty::U32 | Ty::F32 => 4,
            Ty::I64 | Ty::U64 | Ty::F64 => 8,
            Ty::Isize | Ty::Usize => size_of::<usize>(),
            Ty::Struct(s) => s.fields.iter().map(|f| f.ty.size_bytes()).sum(),
            Ty::Array(a) => a.elem.size_bytes() * a.len,
            Ty::View(v) => v.elem.size_bytes(),
        }
    }

    /// The scalars that a value consists of, in the order of memory.
    #[must_use]
    pub fn leaves(&self) -> Vec<Ty> {
        match self {
            Ty::Unit | Ty::View(_) => Vec::new(),
            Ty::Struct(s) => s.fields.iter().flat_map(|f| f.ty.leaves()).collect(),
            Ty::Array(a) => {
                let elem = a.elem.leaves();
                let len = elem.len() * a.len;
                elem.into_iter().cycle().take(len).collect()
            }
            scalar => vec![scalar.clone()],
        }
    }

    /// Whether any of the scalars is a float.
    #[must_use]
    pub fn has_floats(&self) -> bool {
        match self {
            Ty::Struct(s) => s.fields.iter().any(|field| field.ty.has_floats()),
            Ty::Array(a) => a.len > 0 && a.elem.has_floats(),
            scalar => scalar.is_float(),
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ty::Unit => "()",
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
            Ty::Struct(s) => s.name,
            Ty::Array(a) => return write!(f, "[{}; {}]", a.elem, a.len),
            Ty::View(v) => return f.write_str(&v.kind.of(&v.elem.to_string())),
        })
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn leaves_are_the_scalars_in_order() {
        let inner = Ty::structure("P", &[("x", Ty::F32), ("tag", Ty::U8)]);
        let whole = Ty::tuple([Ty::array(inner, 2), Ty::Bool]);
        let leaves = [Ty::F32, Ty::U8, Ty::F32, Ty::U8, Ty::Bool];
        assert_eq!(whole.leaves(), leaves);
        assert_eq!(whole.size_bytes(), 11);
        assert_eq!(Ty::array(Ty::F32, 0).leaves(), []);
        assert!(whole.has_floats() && !Ty::array(Ty::F32, 0).has_floats());
        assert!(!Ty::tuple([Ty::U8, Ty::Bool]).has_floats());
    }
}
