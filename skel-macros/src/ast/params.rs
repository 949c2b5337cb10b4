//! Parameters, and what their spelling says they are for.

use super::{
    Kind,
    kind::{arguments_of_kind, container_named, kind_of, view_of},
    reach::{incomplete, reach_of},
    spelling,
};
use crate::report::Report;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::{Attribute, Ident, Pat, PathArguments, Type, TypeParamBound, spanned::Spanned};

/// One parameter.
pub(crate) struct Param {
    pub(crate) name: Ident,
    pub(crate) mutable: bool,
    pub(crate) kind: Kind,
    /// As the user wrote it.
    pub(crate) ty: Type,
    /// Without the `&mut`.
    pub(crate) value_ty: Type,
}

/// The primitive types of the language.
pub(crate) const PRIMITIVES: [&str; 13] = [
    "f32", "f64", "i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize", "bool",
];

impl Param {
    pub(super) fn new(pat: &Pat, ty: &Type, uniform: bool, report: &mut Report) -> Option<Param> {
        let Pat::Ident(name) = pat else {
            report.at(
                pat,
                "a parameter of a user function is one name: take it apart in the body",
            );
            return None;
        };
        if name.by_ref.is_some() || name.subpat.is_some() {
            report.at(
                pat,
                "a parameter of a user function is one name, without `ref` or `@`",
            );
        }
        let (kind, value_ty) = kind_of(ty, uniform, report);
        // Of a neighbourhood that was not said completely, what was meant.
        let ty = match incomplete(ty) {
            Some((_, complete)) => complete,
            None => ty.clone(),
        };
        let param = Param {
            name: name.ident.clone(),
            mutable: name.mutability.is_some(),
            kind,
            ty,
            value_ty,
        };
        Some(param)
    }

    /// A parameter of a method: `&T` is possible, and a value to its body.
    pub(super) fn of_method(pat: &Pat, ty: &Type, report: &mut Report) -> Option<Param> {
        match ty {
            Type::Reference(reference)
                if reference.mutability.is_none() && view_of(ty).is_none() =>
            {
                let param = Param::new(pat, &reference.elem, false, report)?;
                Some(Param {
                    ty: ty.clone(),
                    ..param
                })
            }
            ty => Param::new(pat, ty, false, report),
        }
    }

    /// Whether it is `x: &T` of a method.
    pub(crate) fn by_ref(&self) -> bool {
        let shared = matches!(&self.ty, Type::Reference(r) if r.mutability.is_none());
        shared && self.kind == Kind::Each
    }

    /// A parameter that lacks its type.
    pub(super) fn untyped(pat: &Pat) -> Option<Param> {
        let Pat::Ident(name) = pat else { return None };
        let ty: Type = syn::parse_quote!(f32);
        Some(Param {
            name: name.ident.clone(),
            mutable: name.mutability.is_some(),
            kind: Kind::Each,
            value_ty: ty.clone(),
            ty,
        })
    }

    /// `Each<f32>`; nothing for indices.
    pub(crate) fn kind_tokens(&self) -> Option<TokenStream> {
        let ty = &self.value_ty;
        let span = ty.span();
        match self.kind {
            Kind::Each => Some(quote_spanned!(span=> __skel::Each<#ty>)),
            Kind::EachMut => Some(quote_spanned!(span=> __skel::EachMut<#ty>)),
            Kind::Uniform => Some(quote_spanned!(span=> __skel::Uniform<#ty>)),
            Kind::View(name) => {
                let (name, arguments) = (Ident::new(name, span), arguments_of_kind(ty));
                Some(quote_spanned!(span=> __skel::#name<#(#arguments),*>))
            }
            Kind::Index | Kind::Random => None,
        }
    }

    /// `(type, mode)` for the IR.
    pub(crate) fn ir_tokens(&self) -> TokenStream {
        let ty = &self.value_ty;
        let mode = if self.kind.is_mut() {
            quote!(InOut)
        } else {
            quote!(In)
        };
        let ty = quote_spanned!(ty.span()=> __skel::ty::<#ty>());
        quote!((#ty, __skel::Mode::#mode))
    }

    /// `mut x: f32`.
    pub(crate) fn declaration(&self) -> TokenStream {
        let (name, ty) = (self.pattern(), &self.ty);
        quote!(#name: #ty)
    }

    /// `mut x`.
    pub(crate) fn pattern(&self) -> TokenStream {
        let name = &self.name;
        let mutable = self.mutable.then(|| quote!(mut));
        quote!(#mutable #name)
    }
}

/// Removes `#[uniform]`; whether it was there.
pub(super) fn take_uniform(attrs: &mut Vec<Attribute>) -> bool {
    let before = attrs.len();
    attrs.retain(|a| !is_uniform(a));
    attrs.len() != before
}

/// Whether it is `#[uniform]`.
pub(super) fn is_uniform(attr: &Attribute) -> bool {
    attr.path().is_ident("uniform")
}

/// Whether it is spelled like a primitive type of the language.
pub(crate) fn is_primitive(ty: &Type) -> Option<&'static str> {
    match ty {
        Type::Path(path) => {
            let name = path.path.get_ident()?;
            PRIMITIVES.into_iter().find(|p| name == p)
        }
        Type::Paren(inner) => is_primitive(&inner.elem),
        Type::Group(inner) => is_primitive(&inner.elem),
        _ => None,
    }
}

/// Reports types that no user function can have (yet), where their spelling says so. rustc finds the
/// others.
pub(crate) fn supported_type(ty: &Type, report: &mut Report) {
    let message: String = match ty {
        Type::Paren(inner) => return supported_type(&inner.elem, report),
        Type::Group(inner) => return supported_type(&inner.elem, report),
        ty if reach_of(ty).is_some() => {
            "a neighbourhood is possible as the parameter of a function only".into()
        }
        ty if view_of(ty).is_some() => {
            "a whole container is possible as the parameter of a function only".into()
        }
        Type::Reference(reference) => match container_behind(&reference.elem) {
            Some(message) => message,
            None => "values are passed by value: leave out the `&`".into(),
        },
        Type::FnPtr(_) | Type::TraitObject(_) => {
            "a function is no value on a device: take it as a type parameter, `F: Function1<f32, f32>`, and call it as `F::call(x)`".into()
        }
        Type::Tuple(tuple) => {
            for part in &tuple.elems {
                supported_type(part, report);
            }
            return;
        }
        Type::Array(array) => return supported_type(&array.elem, report),
        Type::Slice(_) => "a slice is not a value: an array `[T; N]` is possible".into(),
        Type::ImplTrait(of) if let Some(message) = function_bound(&of.bounds) => message,
        Type::ImplTrait(_) => {
            "`impl Trait` is not possible: write a type parameter, `fn f<T: Number>(x: T)`".into()
        }
        Type::Path(path) => match path.path.segments.last() {
            Some(last) => match unsupported(&spelling(&last.ident), &last.arguments) {
                Some(message) => message,
                None => return,
            },
            None => return,
        },
        _ => return,
    };
    report.at(ty, message);
}

/// What is said of a reference to a container.
fn container_behind(ty: &Type) -> Option<String> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let elem = match &last.arguments {
        PathArguments::AngleBracketed(arguments) => arguments.args.first()?.to_token_stream(),
        _ => return None,
    };
    let name = spelling(&last.ident);
    if matches!(name.as_str(), "Vec" | "Vector") {
        return Some(format!(
            "a whole container is read as a slice: take `&[{elem}]`; the caller passes `&Vector<{elem}>` or `&Vec<{elem}>` for it"
        ));
    }
    let (text, view) = container_named(&name)?;
    Some(format!(
        "a whole {text} is read as a view: take `{view}<{elem}>`; the caller passes `&{name}<{elem}>` for it"
    ))
}

/// What is said of bounds among which is `Fn(A) -> R` or its like.
pub(crate) fn function_bound<'b>(
    bounds: impl IntoIterator<Item = &'b TypeParamBound>,
) -> Option<String> {
    bounds.into_iter().find_map(|bound| {
        let TypeParamBound::Trait(bound) = bound else {
            return None;
        };
        let last = bound.path.segments.last()?;
        let (name, PathArguments::Parenthesized(signature)) =
            (spelling(&last.ident), &last.arguments)
        else {
            return None;
        };
        if !matches!(name.as_str(), "Fn" | "FnMut" | "FnOnce") {
            return None;
        }
        let count = signature.inputs.len();
        let inputs = signature.inputs.iter().map(|ty| ty.to_token_stream().to_string());
        let result = match &signature.output {
            syn::ReturnType::Type(_, ty) => ty.to_token_stream().to_string(),
            syn::ReturnType::Default => "()".into(),
        };
        let all: Vec<String> = inputs.chain([result]).collect();
        let names = ["x", "y", "z", "w"];
        let (all, names) = (all.join(", "), names[..count.min(4)].join(", "));
        Some(match count {
            1..=4 => format!(
                "`{name}` is for closures, which no device has: write `F: Function{count}<{all}>`, call `F::call({names})`, and name a user function where it is used"
            ),
            _ => format!(
                "`{name}` is for closures, which no device has: a user function of one to four elements is a type parameter, `F: Function1<A, R>`"
            ),
        })
    })
}

/// A type to go on with where `ty` is not possible, so that no error follows from this one.
pub(crate) fn instead_of(ty: &Type) -> Type {
    match ty {
        Type::Reference(reference) => {
            if let Type::Path(path) = &*reference.elem
                && let Some(last) = path.path.segments.last()
                && let Some(elem) = super::kind::element(last)
            {
                let name = spelling(&last.ident);
                if matches!(name.as_str(), "Vec" | "Vector") {
                    return syn::parse_quote!(&[#elem]);
                }
                if let Some((_, view)) = container_named(&name) {
                    let view = Ident::new(view, last.ident.span());
                    return syn::parse_quote!(#view<#elem>);
                }
            }
            instead_of(&reference.elem)
        }
        Type::Paren(inner) => instead_of(&inner.elem),
        Type::Group(inner) => instead_of(&inner.elem),
        ty if let Some((_, elem)) = view_of(ty) => instead_of(elem),
        Type::Path(path) => {
            let last = path.path.segments.last();
            let wrapper = last.filter(|last| {
                let name = spelling(&last.ident);
                let wrappers = "Vec Vector Row Col Option Result Box Rc Arc";
                container_named(&name).is_some() || wrappers.split(' ').any(|known| known == name)
            });
            if last.is_some_and(|last| matches!(spelling(&last.ident).as_str(), "str" | "String")) {
                return syn::parse_quote!(f32);
            }
            match wrapper.and_then(super::kind::element) {
                Some(elem) => instead_of(elem),
                None => ty.clone(),
            }
        }
        Type::Tuple(tuple) => {
            let elems = tuple.elems.iter().map(instead_of);
            syn::parse_quote!((#(#elems,)*))
        }
        Type::Slice(slice) => instead_of(&slice.elem),
        Type::Array(_) => ty.clone(),
        _ => syn::parse_quote!(f32),
    }
}

fn unsupported(name: &str, arguments: &PathArguments) -> Option<String> {
    let generic = !arguments.is_empty();
    Some(match name {
        "i128" => "`i128` is not possible: use `i64`, or `f64` for large values".into(),
        "u128" => "`u128` is not possible: use `u64`, or `f64` for large values".into(),
        "char" | "str" | "String" => "no device has text: compute with numbers".into(),
        "Vec" if generic => {
            "`Vec` allocates, which a device cannot: take `x: T`, the element at the same index, or `xs: &[T]`, to read all of them at random".into()
        }
        "Box" | "Rc" | "Arc" if generic => {
            format!("`{name}` allocates, which a device cannot: take `x: T`, the element at the same index")
        }
        "Option" | "Result" if generic => {
            format!("`{name}` is not possible: return a value that says so, as NaN or -1")
        }
        "Vector" if generic => {
            "a parameter `x: T` is the element at the same index; take `xs: &[T]` to read all of a vector at random".into()
        }
        name if generic && let Some((text, view)) = container_named(name) => format!(
            "a parameter `x: T` is the element at the same index; take `{name}: {view}<T>` to read all of a {text} at random",
            name = &text[..1]
        ),
        "Random" => "a generator is possible as the parameter `rng: &mut Random` only".into(),
        _ => return None,
    })
}
