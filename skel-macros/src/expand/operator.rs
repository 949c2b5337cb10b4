//! `impl Add for V`: an operator of a user's type.

use super::{
    function::conditions,
    generics::{is_unary, right_operand, with_twins},
    member::{Around, Member},
    silence,
};
use crate::{ast::Options, report::Report};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{
    Ident, ImplItem, ImplItemFn, ItemImpl, Type, TypePath, parse_quote,
    visit_mut::{self, VisitMut},
};

/// What stands beside the block: which function implements the operator for these operands.
pub(super) fn operator(
    item: &ItemImpl,
    name: &Ident,
    options: &Options,
    report: &mut Report,
) -> TokenStream {
    let functions = item.items.iter().filter_map(|inner| match inner {
        ImplItem::Fn(function) => Some(function),
        _ => None,
    });
    let functions: Vec<_> = functions.collect();
    if let Some(second) = functions.iter().find(|f| f.sig.ident == "ne") {
        report.at(
            &second.sig.ident,
            "`!=` is what `==` is not: leave out `ne`",
        );
    }
    let [function] = functions[..] else {
        // rustc says what is missing, or too much.
        return TokenStream::new();
    };
    let mut function: ImplItemFn = function.clone();
    // The builder stands in an `impl` of another trait, where `Self::Output` means nothing.
    AssociatedTypes(item).visit_impl_item_fn_mut(&mut function);
    if let Type::Reference(_) = &*item.self_ty {
        // It has been reported.
        return TokenStream::new();
    }
    let root = quote!(__skel);
    let member = Member::new(&function.sig, &root, report);
    let around = Around {
        options,
        generics: &item.generics,
        inherent: false,
    };
    let ty = &item.self_ty;
    let operator = quote!(__skel::operator::#name);
    let (described, key) = if is_unary(name) {
        (quote!(__skel::Unary<#operator>), quote!((#ty, #operator)))
    } else {
        let arguments = item
            .trait_
            .as_ref()
            .and_then(|(path, _)| path.segments.last())
            .map(|last| &last.arguments);
        let right = arguments.and_then(right_operand).unwrap_or(ty);
        if let Type::Reference(_) = right {
            report.at(
                right,
                "devices have no references: write the operator for the type itself",
            );
        }
        let same = right.to_token_stream().to_string();
        if name == "PartialEq" && same != "Self" && same != ty.to_token_stream().to_string() {
            report.at(
                right,
                "`==` has a device form between values of one type: write a method that compares with another",
            );
        }
        let key = quote!((#ty, #operator, #right));
        (quote!(__skel::Binary<#operator, #right>), key)
    };
    let spelled = &member.spelled;
    let ir = match member.source(&function.block, &around, report) {
        Some(source) => quote!(__cx.define::<#key>(#spelled, |__cx| { #source })),
        None => quote!(__skel::Imp::Failed),
    };
    let twins = with_twins(&item.generics, &ty.to_token_stream(), &root);
    let (impl_generics, _, clause) = twins.split_for_impl();
    let (cfg, silence, root) = (conditions(&item.attrs), silence(), &options.root);
    quote! {
        #(#cfg)*
        #silence
        const _: () = {
            use #root as __skel;
            impl #impl_generics #described for #ty #clause {
                fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
                    #ir
                }
            }
        };
    }
}

/// Writes the block's own types for `Self::Output`.
struct AssociatedTypes<'a>(&'a ItemImpl);

impl VisitMut for AssociatedTypes<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        visit_mut::visit_type_mut(self, ty);
        let Type::Path(TypePath {
            qself: None, path, ..
        }) = ty
        else {
            return;
        };
        if path.segments.len() != 2 || path.segments[0].ident != "Self" {
            return;
        }
        let name = &path.segments[1].ident;
        let found = self.0.items.iter().find_map(|inner| match inner {
            ImplItem::Type(associated) if associated.ident == *name => Some(&associated.ty),
            _ => None,
        });
        if let Some(found) = found {
            *ty = parse_quote!(#found);
        }
    }
}
