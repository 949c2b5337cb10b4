//! Generics: the device twins of bounds, the key of an instance, what the marker must carry.

use crate::ast::is_primitive;
use proc_macro2::{TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::{
    GenericArgument, GenericParam, Generics, Ident, PathArguments, Type, TypeParamBound,
    WherePredicate, parse_quote, punctuated::Punctuated, token::Plus,
};

const BINARY: [&str; 20] = [
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Rem",
    "BitAnd",
    "BitOr",
    "BitXor",
    "Shl",
    "Shr",
    "AddAssign",
    "SubAssign",
    "MulAssign",
    "DivAssign",
    "RemAssign",
    "BitAndAssign",
    "BitOrAssign",
    "BitXorAssign",
    "ShlAssign",
    "ShrAssign",
];

/// The generics with what a device needs besides: every type parameter that `signature` mentions is
/// an element, and `T: Mul<Output = T>` has a twin that says that devices can do it as well. `root`
/// is where the traits are.
pub(super) fn with_twins(
    generics: &Generics,
    signature: &TokenStream,
    root: &TokenStream,
) -> Generics {
    let mut twins: Vec<WherePredicate> = Vec::new();
    for param in generics.type_params() {
        let name = &param.ident;
        let ty: Type = parse_quote!(#name);
        twins.push(if mentions(signature, name) {
            parse_quote!(#name: #root::Element)
        } else {
            parse_quote!(#name: 'static)
        });
        twins.extend(twins_of(&ty, &param.bounds, root));
    }
    if let Some(clause) = &generics.where_clause {
        for predicate in &clause.predicates {
            if let WherePredicate::Type(predicate) = predicate {
                twins.extend(twins_of(&predicate.bounded_ty, &predicate.bounds, root));
            }
        }
    }
    let mut generics = generics.clone();
    if !twins.is_empty() {
        generics.make_where_clause().predicates.extend(twins);
    }
    generics
}

/// The twins of the bounds of one type.
pub(super) fn twins_of(
    ty: &Type,
    bounds: &Punctuated<TypeParamBound, Plus>,
    root: &TokenStream,
) -> Vec<WherePredicate> {
    let mut twins = Vec::new();
    for bound in bounds {
        let TypeParamBound::Trait(bound) = bound else {
            continue;
        };
        let Some(last) = bound.path.segments.last() else {
            continue;
        };
        let operator = &last.ident;
        if is_binary(operator) {
            let right = right_operand(&last.arguments).unwrap_or(ty);
            twins.push(parse_quote!(#ty: #root::Binary<#root::operator::#operator, #right>));
        } else if operator == "PartialEq" || operator == "PartialOrd" {
            twins.push(parse_quote!(#ty: #root::Binary<#root::operator::PartialEq, #ty>));
            if operator == "PartialOrd" {
                twins.push(parse_quote!(#ty: #root::Binary<#root::operator::PartialOrd, #ty>));
            }
        } else if is_unary(operator) {
            twins.push(parse_quote!(#ty: #root::Unary<#root::operator::#operator>));
        }
    }
    twins
}

/// Whether it is the name of a trait of `std::ops` for a binary operator.
pub(super) fn is_binary(name: &Ident) -> bool {
    BINARY.iter().any(|operator| name == operator)
}

/// The same for a unary operator.
pub(super) fn is_unary(name: &Ident) -> bool {
    name == "Neg" || name == "Not"
}

/// The generics of an item, followed by those of a function in it.
pub(super) fn joined(outer: &Generics, inner: &Generics) -> Generics {
    let mut generics = outer.clone();
    generics.params.extend(inner.params.iter().cloned());
    if let Some(clause) = &inner.where_clause {
        let own = generics.make_where_clause();
        own.predicates.extend(clause.predicates.iter().cloned());
    }
    generics
}

pub(super) fn right_operand(arguments: &PathArguments) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = arguments else {
        return None;
    };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// The generic arguments as a type, which tells instances apart, and as arguments.
pub(super) fn key(generics: &Generics, root: &TokenStream) -> (TokenStream, TokenStream) {
    let mut types = Vec::new();
    let mut arguments = Vec::new();
    for param in &generics.params {
        match param {
            GenericParam::Type(ty) => {
                let name = &ty.ident;
                types.push(quote!(#name));
                arguments.push(quote!(#name));
            }
            GenericParam::Const(constant) => {
                let name = &constant.ident;
                let lifted = format_ident!(
                    "{}",
                    match is_primitive(&constant.ty) {
                        Some("i8") => "KI8",
                        Some("i16") => "KI16",
                        Some("i32") => "KI",
                        Some("i64") => "KI64",
                        Some("isize") => "KIsize",
                        Some("u8") => "KU8",
                        Some("u16") => "KU16",
                        Some("u32") => "KU",
                        Some("u64") => "KU64",
                        Some("bool") => "KB",
                        _ => "K",
                    }
                );
                types.push(quote!(#root::#lifted<#name>));
                arguments.push(quote!(#name));
            }
            GenericParam::Lifetime(_) => {}
        }
    }
    (quote!((#(#types,)*)), quote!(#(#arguments),*))
}

/// The marker: it carries the generics that no parameter mentions, so that `Map::<power<3>>` can be
/// said. They have no defaults: one that is left out is an error.
pub(super) struct Marker {
    /// `<const N: u32>`
    pub(super) generics: TokenStream,
    /// `<0>`: of the one instance that calls are resolved on.
    pub(super) any: TokenStream,
    /// `<N>`
    pub(super) arguments: TokenStream,
    /// `{ … }`
    pub(super) body: TokenStream,
}

impl Marker {
    pub(super) fn new(generics: &Generics, kinds: &TokenStream, root: &TokenStream) -> Marker {
        let (mut any, mut own) = (Vec::new(), Vec::new());
        let (mut arguments, mut types) = (Vec::new(), Vec::new());
        for param in &generics.params {
            match param {
                GenericParam::Type(ty) if !mentions(kinds, &ty.ident) => {
                    let name = &ty.ident;
                    any.push(quote!(()));
                    own.push(quote!(#name));
                    arguments.push(quote!(#name));
                    types.push(quote!(#name));
                }
                GenericParam::Const(constant) if !mentions(kinds, &constant.ident) => {
                    let (name, ty) = (&constant.ident, &constant.ty);
                    any.push(match is_primitive(ty) {
                        Some("bool") => quote!(false),
                        _ => quote!(0),
                    });
                    own.push(quote!(const #name: #ty));
                    arguments.push(quote!(#name));
                }
                _ => {}
            }
        }
        if own.is_empty() {
            let body = quote!({});
            return Marker {
                generics: quote!(),
                any: quote!(),
                arguments: quote!(),
                body,
            };
        }
        Marker {
            any: quote!(<#(#any),*>),
            generics: quote!(<#(#own),*>),
            arguments: quote!(<#(#arguments),*>),
            body: quote!({ __types: #root::core::marker::PhantomData<fn() -> (#(#types,)*)> }),
        }
    }
}

pub(super) fn mentions(tokens: &TokenStream, name: &Ident) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => mentions(&group.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}
