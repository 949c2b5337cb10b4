//! Assertions that rustc evaluates.

use super::structure::Part;
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

/// That every field begins where the one before it ends, and the last one ends the struct; each at
/// the field that breaks it.
pub(super) fn assertions(name: &Ident, parts: &[Part<'_>]) -> TokenStream {
    let end_of = |part: &Part<'_>| {
        let (member, ty) = (&part.member, &part.field.ty);
        quote!(::core::mem::offset_of!(#name, #member) + ::core::mem::size_of::<#ty>())
    };
    let mut all = TokenStream::new();
    for (k, part) in parts.iter().enumerate() {
        let (member, span) = (&part.member, part.span());
        let before = match k.checked_sub(1) {
            Some(before) => end_of(&parts[before]),
            None => quote!(0),
        };
        let message = format!(
            "unused bytes before the field `{}`, which are no part of an element: order the fields from the largest type to the smallest, or fill the gap with a field of its own",
            part.name
        );
        all.extend(quote_spanned! {span=>
            const _: () = ::core::assert!(::core::mem::offset_of!(#name, #member) == #before, #message);
        });
    }
    if let Some(last) = parts.last() {
        let (span, end) = (name.span(), end_of(last));
        let message = format!(
            "unused bytes at the end of `{name}`, which are no part of an element: fill them with a field, as `unused: [u8; 3]`"
        );
        all.extend(quote_spanned! {span=>
            const _: () = ::core::assert!(::core::mem::size_of::<#name>() == #end, #message);
        });
    }
    all
}

/// That `PartialEq` of a type is derived: only then its values are patterns.
pub(super) fn derived_eq(name: &Ident, value: &TokenStream) -> TokenStream {
    let span = name.span();
    quote_spanned! {span=>
        const _: fn(#name) = |__value| {
            const PARTIAL_EQ_MUST_BE_DERIVED: #name = #value;
            match __value {
                PARTIAL_EQ_MUST_BE_DERIVED => {}
                _ => {}
            }
        };
    }
}
