//! What stands beside a function's marker for those that call it: `__LANES`, `__lanes`, and how many loops that brings in.

use super::{
    Face, Of,
    given::{Given, types},
};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Generics, parse_quote};

/// What only a function with a name has: others can call it.
pub(in crate::expand) struct Named<'a> {
    /// Names the function, with its generic arguments.
    pub(in crate::expand) path: &'a TokenStream,
    /// The generic arguments.
    pub(in crate::expand) arguments: &'a TokenStream,
    /// The generics, with what devices need besides.
    pub(in crate::expand) twins: &'a Generics,
    /// Whether the function is generic: then no trait can say that there is no face, as calls may name the arguments.
    pub(in crate::expand) is_generic: bool,
}

/// The items; without a face, those that say so.
pub(super) fn callable(of: &Of<'_>, named: &Named<'_>, face: Option<&Face>) -> TokenStream {
    let (ret, types) = (of.ret, types(of.params));
    let mut generics = named.twins.clone();
    generics
        .params
        .push(parse_quote!(const __N: __skel::core::primitive::usize));
    let (generics, _, bounds) = generics.split_for_impl();
    let (has, loops, called) = match face {
        None => (&quote!(false), false, &[][..]),
        Some(face) => (&face.has, face.own, &face.called[..]),
    };
    let (given, text) = match face {
        None => (quote!(_), TokenStream::new()),
        Some(face) => {
            let (names, text) = (&face.given.names, &face.text);
            let differ = differ(of, named, &face.given);
            (quote!((#(#names,)*)), quote!(#differ #text))
        }
    };
    quote! {
        impl __Me {
            pub const __LANES: __skel::core::primitive::bool = #has;
            pub const __LOOPS_0: __skel::core::primitive::usize = __skel::lanes::loops(#loops, &[]);
            pub const __LOOPS_1: __skel::core::primitive::usize = __skel::lanes::loops(#loops, &[#(#called::__LOOPS_0),*]);
            pub const __LOOPS_2: __skel::core::primitive::usize = __skel::lanes::loops(#loops, &[#(#called::__LOOPS_1),*]);
            #[inline(always)]
            pub fn __lanes #generics (
                #given: (#(#types,)*),
                __out: &mut __skel::lanes::Var<#ret, __N>,
            ) #bounds {
                #text
            }
        }
    }
}

/// What is done where lanes are given a uniform parameter that is not the same for all.
fn differ(of: &Of<'_>, named: &Named<'_>, given: &Given) -> Option<TokenStream> {
    let uniform: Vec<_> = given.uniform(of.params).collect();
    let (path, args) = (named.path, given.of_lane(of.params));
    let [first, last] = match given.generators(of.params) {
        Some(name) => [
            quote!(let mut __random = #name.get(__l);),
            quote!(#name.set(__l, &__random);),
        ],
        None => Default::default(),
    };
    (!uniform.is_empty()).then(|| {
        quote! {
            if !(#(__skel::lanes::is_same(&#uniform))&&*) {
                for __l in 0..__N {
                    #first
                    __skel::lanes::set(__out, __l, #path(#(#args),*));
                    #last
                }
                return;
            }
        }
    })
}
