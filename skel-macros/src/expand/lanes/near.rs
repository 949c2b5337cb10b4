//! Functions of angles without loops: a block of elements with small angles alone, and the function itself if there are
//! others (`skel_core::math`).

use super::{
    Of,
    flow::{Done, Refused},
};
use crate::{
    ast::{Kind as ParamKind, Options},
    math,
};
use proc_macro2::TokenStream;
use quote::quote;

/// The face; refused where the function has no such methods, or changes arguments, which the function itself is to see.
pub(super) fn face(of: &Of<'_>, options: &Options) -> Done<TokenStream> {
    let Of {
        kinds,
        passed,
        ret,
        call,
        ..
    } = of;
    let near = math::near(of.generics, of.block, options).ok_or(Refused)?;
    let mut names = passed.iter();
    let mut bound = TokenStream::new();
    for param in of.params {
        let value = match param.kind {
            kind if kind.is_whole() || matches!(kind, ParamKind::Each | ParamKind::Uniform) => {
                let passed = names.next().ok_or(Refused)?;
                quote!(#passed)
            }
            ParamKind::Index => quote!(__at),
            _ => return Err(Refused),
        };
        let name = &param.name;
        bound.extend(quote!(let mut #name = #value;));
    }
    let element = quote! {
        let __at = __skel::lanes::Source::<#kinds>::at(__source, __l);
        let __args = __skel::lanes::Source::<#kinds>::args(__source, __l);
    };
    Ok(quote! {
        let __far = &__skel::core::cell::Cell::new(false);
        for __l in 0..__N {
            #element
            let (#(#passed,)*) = __args;
            #bound
            let __value = (|| -> #ret { #(#near)* })();
            __skel::lanes::set(__out, __l, __value);
        }
        if __far.get() {
            for __l in 0..__N {
                #element
                let __value = #call(__at, __args);
                __skel::lanes::set(__out, __l, __value);
            }
        }
    })
}
