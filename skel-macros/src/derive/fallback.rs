//! What stands for an element that has errors.

use super::of_elements;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, parse_quote};

/// The implementations of an element, of whatever type, that never run: so that what uses the type gives no
/// errors that only follow from those of the derive. With `compares`, so does what compares it.
pub(super) fn fallback(input: &DeriveInput, compares: bool) -> TokenStream {
    let name = &input.ident;
    let mut generics = of_elements(&input.generics);
    for lifetime in input.generics.lifetimes() {
        let lifetime = &lifetime.lifetime;
        let bound = parse_quote!(#lifetime: 'static);
        generics.make_where_clause().predicates.push(bound);
    }
    let (impl_generics, type_generics, bounds) = generics.split_for_impl();
    let comparison = compares.then(|| {
        quote! {
            impl #impl_generics __skel::Binary<__skel::operator::PartialEq, Self> for #name #type_generics #bounds {
                fn ir(_: &mut __skel::Cx) -> __skel::Imp {
                    __skel::Imp::Failed
                }
            }
        }
    });
    quote! {
        #comparison

        // SAFETY: what has errors is not compiled, so nothing relies on this.
        unsafe impl #impl_generics __skel::Element for #name #type_generics #bounds {
            const IS_SCALAR: __skel::core::primitive::bool = false;
            const CHECK: __skel::core::option::Option<__skel::Check> = __skel::core::option::Option::None;

            fn ty() -> __skel::Ty {
                loop {}
            }

            fn to_value(self) -> __skel::Value {
                loop {}
            }

            fn from_value(_: &__skel::Value) -> __skel::core::option::Option<Self> {
                loop {}
            }
        }
    }
}
