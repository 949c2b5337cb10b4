//! What a parameter is for, by the spelling of its type. rustc checks the choice.

use super::{
    instead_of,
    reach::{incomplete, reach_of},
    spelling, supported_type,
};
use crate::report::Report;
use quote::ToTokens;
use syn::{GenericArgument, PathArguments, PathSegment, Type, TypeReference};

/// What a parameter is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `x: T`
    Each,
    /// `x: &mut T`
    EachMut,
    /// `#[uniform] x: T`
    Uniform,
    /// `xs: &[T]`, `m: MatrixView<T>`, `w: Window1<T, R>`, `l: &mut Line<T>` and their like: the name of the kind
    /// in `skel_core::param`.
    View(&'static str),
    /// `at: Index1` … `at: Index4`: not passed by the caller of a skeleton.
    Index,
    /// `rng: &mut Random`: not passed either.
    Random,
}

impl Kind {
    /// Whether the caller of a skeleton passes something for it.
    pub(crate) fn is_passed(self) -> bool {
        !matches!(self, Kind::Index | Kind::Random)
    }

    /// Whether it is a `&mut`.
    pub(crate) fn is_mut(self) -> bool {
        matches!(
            self,
            Kind::EachMut | Kind::Random | Kind::View("EachLineMut")
        )
    }

    /// Whether it is a whole container: the same for all elements.
    pub(crate) fn is_whole(self) -> bool {
        matches!(self, Kind::View(kind) if kind.starts_with("Whole"))
    }

    /// Whether it is a line.
    pub(crate) fn is_line(self) -> bool {
        matches!(self, Kind::View("EachLine" | "EachLineMut"))
    }
}

/// Whole containers and neighbourhoods by the name of the parameter's type, and the kinds they are.
const VIEWS: [(&str, &str); 17] = [
    ("MatrixView", "WholeMatrix"),
    ("Tensor3View", "WholeTensor3"),
    ("Tensor4View", "WholeTensor4"),
    ("Row", "EachRow"),
    ("Col", "EachCol"),
    ("Line", "EachLine"),
    ("Window1", "EachWindow1"),
    ("Window2", "EachWindow2"),
    ("Window3", "EachWindow3"),
    ("Window4", "EachWindow4"),
    ("Sweep1", "EachSweep1"),
    ("Sweep2", "EachSweep2"),
    ("Sweep3", "EachSweep3"),
    ("Pool1", "EachPool1"),
    ("Pool2", "EachPool2"),
    ("Pool3", "EachPool3"),
    ("Pool4", "EachPool4"),
];

/// Containers of several dimensions, what a text calls one, and as what a user function reads it.
const CONTAINERS: [(&str, &str, &str); 3] = [
    ("Matrix", "matrix", "MatrixView"),
    ("Tensor3", "tensor", "Tensor3View"),
    ("Tensor4", "tensor", "Tensor4View"),
];

/// What the container of this name is called in a text, and the type of its view.
pub(super) fn container_named(name: &str) -> Option<(&'static str, &'static str)> {
    let mut known = CONTAINERS.into_iter();
    let (_, text, view) = known.find(|(container, ..)| *container == name)?;
    Some((text, view))
}

/// The kind of a whole container or a neighbourhood, and its element type.
pub(crate) fn view_of(ty: &Type) -> Option<(&'static str, &Type)> {
    match ty {
        Type::Paren(inner) => view_of(&inner.elem),
        Type::Group(inner) => view_of(&inner.elem),
        Type::Reference(TypeReference {
            mutability, elem, ..
        }) => match (&**elem, mutability) {
            (Type::Slice(slice), None) => Some(("Whole", &*slice.elem)),
            (line, None) => line_of(line).map(|elem| ("EachLine", elem)),
            (line, Some(_)) => line_of(line).map(|elem| ("EachLineMut", elem)),
        },
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            let name = spelling(&last.ident);
            let (_, kind) = VIEWS.into_iter().find(|(view, _)| *view == name)?;
            if kind == "EachLine" {
                return Some((kind, line_of(ty)?));
            }
            Some((kind, element(last)?))
        }
        _ => None,
    }
}

/// The element type of `Line<T>`, which is a parameter by reference. A type of the user's with other arguments is none.
pub(super) fn line_of(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Paren(inner) => line_of(&inner.elem),
        Type::Group(inner) => line_of(&inner.elem),
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            let is_line = spelling(&last.ident) == "Line" && arguments_of_kind(ty).len() == 1;
            is_line.then(|| element(last))?
        }
        _ => None,
    }
}

/// What the kind of a whole container or a neighbourhood takes: the element type, and how far it
/// reaches.
pub(super) fn arguments_of_kind(ty: &Type) -> Vec<&dyn ToTokens> {
    match ty {
        Type::Paren(inner) => arguments_of_kind(&inner.elem),
        Type::Group(inner) => arguments_of_kind(&inner.elem),
        Type::Path(path) => match path.path.segments.last().map(|last| &last.arguments) {
            Some(PathArguments::AngleBracketed(arguments)) => arguments
                .args
                .iter()
                .filter(|argument| !matches!(argument, GenericArgument::Lifetime(_)))
                .map(|argument| argument as &dyn ToTokens)
                .collect(),
            _ => Vec::new(),
        },
        other => view_of(other)
            .map(|(_, elem)| elem as &dyn ToTokens)
            .into_iter()
            .collect(),
    }
}

/// The first generic argument that is a type: `f32` of `MatrixView<'_, f32>`.
pub(super) fn element(segment: &PathSegment) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return None;
    };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// The kind of a parameter of this type, and the type without the `&mut`.
pub(super) fn kind_of(ty: &Type, uniform: bool, report: &mut Report) -> (Kind, Type) {
    if let Some((kind, elem)) = view_of(ty) {
        supported_type(elem, report);
        if let Some((message, complete)) = incomplete(ty) {
            report.at(ty, message);
            return (Kind::View(kind), complete);
        }
        if uniform {
            report.at(
                ty,
                if reach_of(ty).is_some() {
                    "a neighbourhood differs from element to element: leave out #[uniform]"
                } else if Kind::View(kind).is_line() {
                    "each call of the function has a line of its own: leave out #[uniform]"
                } else {
                    "a whole container is the same for all elements anyway: leave out #[uniform]"
                },
            );
        }
        if let Some(elem) = line_of(ty) {
            let elem = elem.to_token_stream();
            report.at(
                ty,
                format!("a line is lent: take `l: &mut Line<{elem}>`, or, to read it only, `l: &Line<{elem}>`"),
            );
        }
        return (Kind::View(kind), without_reference_to_line(ty).clone());
    }
    let (kind, value) = match ty {
        Type::Reference(reference) if reference.mutability.is_some() => {
            let value = (*reference.elem).clone();
            if name_of(&value).as_deref() == Some("Random") {
                (Kind::Random, value)
            } else if let Some(message) = container(&value) {
                report.at(ty, message);
                return (Kind::EachMut, instead_of(&value));
            } else {
                (Kind::EachMut, value)
            }
        }
        _ => match name_of(ty).as_deref() {
            Some("Index1" | "Index2" | "Index3" | "Index4") => (Kind::Index, ty.clone()),
            Some("Random") => {
                report.at(
                    ty,
                    "a generator changes with every number it gives: take `rng: &mut Random`",
                );
                return (Kind::Random, ty.clone());
            }
            _ => (Kind::Each, ty.clone()),
        },
    };
    let mut value = value;
    if kind != Kind::Random {
        let mut own = Report::default();
        supported_type(&value, &mut own);
        if own.has_errors() {
            value = instead_of(&value);
        }
        report.join(own);
        if let (Kind::Each, Some((view, _))) = (kind, view_of(&value)) {
            return (Kind::View(view), value);
        }
    }
    match (kind, uniform) {
        (Kind::Each, true) => (Kind::Uniform, value),
        (Kind::EachMut, true) => {
            report.at(ty, "a #[uniform] parameter is the same for all elements, so none may change it: leave out the `&mut`");
            (kind, value)
        }
        (Kind::Index, true) => {
            report.at(
                ty,
                "an index differs from element to element: leave out #[uniform]",
            );
            (kind, value)
        }
        (Kind::Random, true) => {
            report.at(
                ty,
                "each element has random numbers of its own: leave out #[uniform]",
            );
            (kind, value)
        }
        _ => (kind, value),
    }
}

/// `Line<T>` of `&mut Line<T>`; any other type as it is.
fn without_reference_to_line(ty: &Type) -> &Type {
    match ty {
        Type::Paren(inner) => without_reference_to_line(&inner.elem),
        Type::Group(inner) => without_reference_to_line(&inner.elem),
        Type::Reference(reference) if line_of(&reference.elem).is_some() => &reference.elem,
        ty => ty,
    }
}

/// The last segment of a path.
fn name_of(ty: &Type) -> Option<String> {
    match ty {
        Type::Paren(inner) => name_of(&inner.elem),
        Type::Group(inner) => name_of(&inner.elem),
        Type::Path(path) => path.path.segments.last().map(|last| spelling(&last.ident)),
        _ => None,
    }
}

/// What is said of `&mut` to a whole container.
fn container(ty: &Type) -> Option<String> {
    let whole = match ty {
        Type::Slice(_) => true,
        ty if view_of(ty).is_some() => true,
        ty => {
            let name = name_of(ty)?;
            matches!(name.as_str(), "Vector" | "Vec") || container_named(&name).is_some()
        }
    };
    let elem = match ty {
        Type::Slice(slice) => Some(&*slice.elem),
        Type::Path(path) => path.path.segments.last().and_then(element),
        _ => None,
    };
    let elem = elem.map_or("T".into(), |elem| elem.to_token_stream().to_string());
    whole.then(|| {
        format!(
            "elements are computed in any order, so none may write to a whole container: take `y: &mut {elem}`, which changes the element at the same index, or return it"
        )
    })
}
