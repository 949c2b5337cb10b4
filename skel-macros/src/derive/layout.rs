//! Assertions that rustc evaluates, of the tables that were filled: nothing in them depends on what
//! names mean where the type is.

use super::structure::StructField;
use proc_macro2::{Ident, TokenStream};
use quote::quote_spanned;

/// That every field begins where the one before it ends, the last one ends the struct, and the struct is
/// aligned as its fields are; each where it is broken.
pub(super) fn assertions(name: &Ident, parts: &[StructField<'_>]) -> TokenStream {
    let mut all = TokenStream::new();
    for (k, part) in parts.iter().enumerate() {
        let message = format!(
            "unused bytes before the field `{}`, which are no part of an element: order the fields from the largest type to the smallest, or fill the gap with a field of its own",
            part.name
        );
        let span = part.span();
        all.extend(quote_spanned! {span=>
            const _: () = __skel::core::assert!(__skel::adjoins::<#name>(#k), #message);
        });
    }
    let (span, count) = (name.span(), parts.len());
    let end = format!(
        "unused bytes at the end of `{name}`, which are no part of an element: fill them with a field, as `unused: [u8; 3]`"
    );
    let aligned = format!(
        "`{name}` is not aligned as its fields are, which is how devices align it: leave out what says otherwise"
    );
    all.extend(quote_spanned! {span=>
        const _: () = __skel::core::assert!(__skel::adjoins::<#name>(#count), #end);
        const _: () = __skel::core::assert!(__skel::is_aligned::<#name>(), #aligned);
    });
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
