//! `#[repr(…)]` and `#[element(…)]`.

use crate::report::Report;
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{DeriveInput, Ident, Path, meta::ParseNestedMeta, spanned::Spanned};

/// The integers that an enum may be.
const INTEGERS: [&str; 10] = [
    "i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize",
];

/// What the attributes of the type say.
#[derive(Default)]
pub(super) struct Options {
    /// `#[repr(C)]` or `#[repr(transparent)]`: fields lie in memory as they stand in the source.
    pub(super) fixed_order: bool,
    /// `#[repr(u8)]` or the like: the name of the primitive type, which it is whatever that name means in
    /// the user's scope.
    pub(super) integer: Option<Ident>,
    /// `#[element(eq)]`, and where.
    pub(super) eq: Option<Span>,
    /// `#[element(crate = path)]`.
    pub(super) root: Option<TokenStream>,
}

impl Options {
    pub(super) fn parse(input: &DeriveInput, report: &mut Report) -> Options {
        let mut options = Options::default();
        for attribute in &input.attrs {
            let result = if attribute.path().is_ident("repr") {
                attribute.parse_nested_meta(|meta| options.repr(&meta, report))
            } else if attribute.path().is_ident("element") {
                attribute.parse_nested_meta(|meta| options.own(&meta))
            } else {
                Ok(())
            };
            if let Err(error) = result {
                report.add(error);
            }
        }
        options
    }

    fn repr(&mut self, meta: &ParseNestedMeta<'_>, report: &mut Report) -> syn::Result<()> {
        if meta.path.is_ident("C") || meta.path.is_ident("transparent") {
            self.fixed_order = true;
        } else if meta.path.is_ident("packed") {
            report.at(
                &meta.path,
                "fields of a packed struct may lie where devices cannot read them: leave out `packed`",
            );
        } else if meta.path.is_ident("align") {
            report.at(
                &meta.path,
                "devices align an element as its fields, or its integer, are aligned: leave out `align`",
            );
        } else if let Some(name) = meta.path.get_ident()
            && let Some(integer) = INTEGERS.into_iter().find(|integer| name == integer)
        {
            self.integer = Some(Ident::new(integer, Span::call_site()));
        }
        if meta.input.peek(syn::token::Paren) {
            let inside;
            syn::parenthesized!(inside in meta.input);
            inside.parse::<TokenStream>()?;
        }
        Ok(())
    }

    fn own(&mut self, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        if meta.path.is_ident("eq") {
            self.eq = Some(meta.path.span());
            Ok(())
        } else if meta.path.is_ident("crate") {
            let path: Path = meta.value()?.parse()?;
            self.root = Some(quote!(#path::__private));
            Ok(())
        } else {
            Err(meta.error("expected `eq` or `crate = path`"))
        }
    }
}
