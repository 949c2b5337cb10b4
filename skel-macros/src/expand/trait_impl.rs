//! `impl Shape for Square`, where `Shape` is a trait with `#[user_function]`: the block also says how
//! each function is built.

use super::{
    function::conditions,
    generics::{joined, with_twins},
    member::{Around, Member},
    silence,
};
use crate::{ast::Options, names, report::Report};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{ImplItem, ItemImpl};

/// The block with what is added to it.
pub(super) fn trait_impl(
    mut item: ItemImpl,
    original: &ItemImpl,
    options: &Options,
    report: &mut Report,
) -> TokenStream {
    let root = &options.root;
    for inner in &original.items {
        let ImplItem::Fn(function) = inner else {
            continue;
        };
        let member = Member::new(&function.sig, root, report);
        let generics = joined(&original.generics, &function.sig.generics);
        let around = Around {
            options,
            generics: &generics,
            inherent: false,
        };
        let source = match member.source(&function.block, &around, report) {
            Some(source) => quote!(use #root as __skel; #source),
            None => quote!(loop {}),
        };
        let own = with_twins(&function.sig.generics, &member.signature(), root);
        let (own_generics, _, clause) = own.split_for_impl();
        let (cfg, silence) = (conditions(&function.attrs), silence());
        let name = names::source_of(&function.sig.ident);
        item.items.push(ImplItem::Verbatim(quote! {
            #(#cfg)*
            #[doc(hidden)]
            #silence
            fn #name #own_generics (__cx: &mut #root::Cx) -> #root::Source #clause {
                #source
            }
        }));
    }
    // A device must know the operators that the block's bounds promise.
    let ty = &original.self_ty;
    item.generics = with_twins(&original.generics, &quote!(#ty), root);
    quote!(#item)
}
