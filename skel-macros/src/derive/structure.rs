//! Structs.

use super::{Options, is_generic, layout, of_elements};
use crate::{ast::spelling, report::Report};
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{DataStruct, DeriveInput, Field, Ident, Index, Member, spanned::Spanned};

/// One field: how it is named in Rust, its name in the IR, and its type.
pub(super) struct StructField<'a> {
    pub(super) member: Member,
    pub(super) name: String,
    pub(super) field: &'a Field,
}

impl StructField<'_> {
    /// Where errors about the field belong.
    pub(super) fn span(&self) -> Span {
        match &self.member {
            Member::Named(name) => name.span(),
            Member::Unnamed(_) => self.field.ty.span(),
        }
    }
}

pub(super) fn expand(
    input: &DeriveInput,
    data: &DataStruct,
    options: &Options,
    report: &mut Report,
) -> TokenStream {
    let name = &input.ident;
    if !options.fixed_order {
        report.at(
            name,
            format!("Rust may order the fields of `{name}` as it likes, but devices must know where they are: put #[repr(C)] above it"),
        );
    }
    let parts = parts(data);
    if parts.is_empty() {
        report.at(
            name,
            "a struct without fields has no bytes, so it is no element: give it a field",
        );
    }
    let spelled = spelling(name);
    let generics = of_elements(&input.generics);
    let (impl_generics, type_generics, bounds) = generics.split_for_impl();
    let members: Vec<&Member> = parts.iter().map(|p| &p.member).collect();
    let names = parts.iter().map(|p| &p.name);
    let count = parts.len();
    // The field's type is what rustc says it is: no name of a type is written again. The same tokens
    // wherever it is asked for, so that what is no element is reported once.
    let part = |part: &StructField<'_>| {
        let member = &part.member;
        quote_spanned! {part.field.ty.span()=>
            __skel::derived_field(__skel::core::mem::offset_of!(Self, #member), |__whole: &Self| &__whole.#member)
        }
    };
    let tables: Vec<TokenStream> = parts.iter().map(part).collect();
    let indices = (0..count).map(Index::from);
    let layout = if is_generic(&input.generics) {
        // Asserted by `CHECK`, once the types are known.
        TokenStream::new()
    } else {
        layout::assertions(name, &parts)
    };
    if let Some(span) = options.eq
        && is_generic(&input.generics)
    {
        report.add(syn::Error::new(
            span,
            "`eq` is not possible on a struct with generics: compare its fields",
        ));
    }
    let eq = options.eq.map(|span| comparison(name, span));
    quote! {
        #layout
        #eq

        impl #impl_generics __skel::Fields for #name #type_generics #bounds {
            const FIELDS: &'static [__skel::Field] = &[#(#tables.field),*];

            fn shape() -> __skel::Ty {
                __skel::shape::<Self>(#spelled, &[#(#names),*])
            }
        }

        // SAFETY: all fields are elements; `check_of_struct` asserts that they leave no byte unused, and that
        // nothing else decides the alignment.
        unsafe impl #impl_generics __skel::Element for #name #type_generics #bounds {
            const IS_SCALAR: __skel::core::primitive::bool = false;
            const CHECK: __skel::core::option::Option<__skel::Check> = __skel::check_of_struct::<Self>();

            fn ty() -> __skel::Ty {
                <Self as __skel::Fields>::shape()
            }

            fn to_value(self) -> __skel::Value {
                __skel::structure::<Self, #count>([#((#tables.to_value)(self.#members)),*])
            }

            fn from_value(__value: &__skel::Value) -> __skel::core::option::Option<Self> {
                let __parts = __skel::struct_parts::<#count>(__value)?;
                __skel::core::option::Option::Some(Self {
                    #(#members: (#tables.from_value)(&__parts[#indices])?,)*
                })
            }
        }
    }
}

fn parts(data: &DataStruct) -> Vec<StructField<'_>> {
    let fields = data.fields.iter().enumerate();
    let part = |(k, field): (usize, &'_ Field)| match &field.ident {
        Some(name) => (Member::Named(name.clone()), spelling(name)),
        None => (Member::Unnamed(Index::from(k)), k.to_string()),
    };
    fields
        .map(|(k, field)| {
            let (member, name) = part((k, field));
            StructField {
                member,
                name,
                field,
            }
        })
        .collect()
}

/// `==` in user functions: field by field, which is what a derived `PartialEq` does. That it is
/// derived, rustc itself says: values of other types are no patterns.
fn comparison(name: &Ident, span: Span) -> TokenStream {
    let check = layout::derived_eq(name, &quote!(__skel::zero::<#name>()));
    quote_spanned! {span=>
        #check
        impl __skel::Binary<__skel::operator::PartialEq, Self> for #name {
            fn ir(_: &mut __skel::Cx) -> __skel::Imp {
                __skel::Imp::Builtin
            }
        }
    }
}
