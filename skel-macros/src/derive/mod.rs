//! `#[derive(Element)]`: a struct or enum as a value that every unit can hold.
//!
//! The derive fills tables: fields with types and offsets, or variants with numbers. What they mean
//! is in `skel_core::element`. That no byte is unused is asserted at compile time, at the field.

mod enumeration;
mod fallback;
mod layout;
mod options;
mod structure;

use crate::{expand::silence, report::Report, root::default_root};
use options::Options;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, GenericParam, Generics, WherePredicate, parse_quote};

/// Expands the derive.
pub(crate) fn element(input: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let mut report = Report::default();
    let options = Options::parse(&input, &mut report);
    for lifetime in input.generics.lifetimes() {
        report.at(
            lifetime,
            "an element holds no references: leave the lifetime out",
        );
    }
    let output = match &input.data {
        Data::Struct(data) => structure::expand(&input, data, &options, &mut report),
        Data::Enum(data) => enumeration::expand(&input, data, &options, &mut report),
        Data::Union(data) => {
            report.at(
                data.union_token,
                "a union does not say what it holds, so it is no element: use a struct with a field for each part",
            );
            TokenStream::new()
        }
    };
    let errors = report.into_tokens();
    let output = match errors {
        Some(_) => {
            let compares = options.eq.is_some() || matches!(input.data, Data::Enum(_));
            fallback::fallback(&input, compares)
        }
        None => output,
    };
    let root = options.root.unwrap_or_else(default_root);
    let silence = silence();
    quote! {
        #silence
        const _: () = {
            use #root as __skel;
            #output
        };
        #errors
    }
}

/// The generics, where every type parameter is an element.
fn of_elements(generics: &Generics) -> Generics {
    let mut generics = generics.clone();
    let bounds: Vec<WherePredicate> = generics
        .type_params()
        .map(|param| {
            let name = &param.ident;
            parse_quote!(#name: __skel::Element)
        })
        .collect();
    if !bounds.is_empty() {
        generics.make_where_clause().predicates.extend(bounds);
    }
    generics
}

fn is_generic(generics: &Generics) -> bool {
    generics
        .params
        .iter()
        .any(|param| !matches!(param, GenericParam::Lifetime(_)))
}
