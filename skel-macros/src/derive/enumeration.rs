//! Enums: integers with names.

use super::{Options, is_generic, layout::derived_eq};
use crate::report::Report;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{DataEnum, DeriveInput, Fields, Ident};

pub(super) fn expand(
    input: &DeriveInput,
    data: &DataEnum,
    options: &Options,
    report: &mut Report,
) -> TokenStream {
    let name = &input.ident;
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) {
            report.at(
                &variant.fields,
                "an enum that is an element holds no values in its variants: use a struct with a field for each, and an enum that says which counts",
            );
        }
    }
    if is_generic(&input.generics) {
        report.at(
            &input.generics,
            "an enum that is an element has no generics: leave them out",
        );
    }
    if data.variants.is_empty() {
        report.at(
            name,
            "an enum without variants has no values, so it is no element",
        );
    }
    let Some(repr) = &options.integer else {
        report.at(
            name,
            format!("devices see `{name}` as an integer, and must know which: put #[repr(u32)], or another integer type, above it"),
        );
        return TokenStream::new();
    };
    let variants: Vec<&Ident> = data.variants.iter().map(|v| &v.ident).collect();
    let Some(first) = variants.first() else {
        return TokenStream::new();
    };
    let span = name.span();
    let eq = derived_eq(name, &quote!(#name::#first));
    let integer = quote!(__skel::core::primitive::#repr);
    let layout = format!(
        "`{name}` does not lie in memory as `{repr}`, which devices take it for: leave out what says otherwise"
    );
    let layout = quote_spanned! {span=>
        const _: () = __skel::core::assert!(__skel::is_integer::<#name, #integer>(), #layout);
    };
    let zero = quote_spanned! {span=>
        const _: () = __skel::core::assert!(
            __skel::has_zero(&[#(#name::#variants as __skel::core::primitive::i128),*]),
            "one variant of an enum that is an element is 0, as fresh memory is: say so, as in `None = 0`"
        );
    };
    quote! {
        #eq
        #layout
        #zero

        impl __skel::Binary<__skel::operator::PartialEq, Self> for #name {
            fn ir(_: &mut __skel::Cx) -> __skel::Imp {
                __skel::Imp::Builtin
            }
        }

        // SAFETY: an enum without fields is the integer that its `repr` names: that it has its size and
        // alignment was asserted. The check knows its values; zero was asserted to be one.
        unsafe impl __skel::Element for #name {
            const IS_SCALAR: __skel::core::primitive::bool = false;
            const CHECK: __skel::core::option::Option<__skel::Check> = __skel::core::option::Option::Some(|__bytes| {
                <#integer as __skel::Repr>::are(__bytes, &[#(Self::#variants as #integer),*])
            });

            fn ty() -> __skel::Ty {
                <#integer as __skel::Element>::ty()
            }

            fn to_value(self) -> __skel::Value {
                <#integer as __skel::Element>::to_value(self as #integer)
            }

            fn from_value(__value: &__skel::Value) -> __skel::core::option::Option<Self> {
                __skel::variant::<Self, #integer>(__value, &[#((Self::#variants as #integer, Self::#variants)),*])
            }
        }
    }
}
