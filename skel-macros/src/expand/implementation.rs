//! `#[user_function]` on an `impl` block: of operators, of a type's own functions, of a trait.

use super::{
    function::conditions,
    generics::{is_binary, is_unary, joined, with_twins},
    member::{Around, Member},
    operator::operator,
    silence,
    trait_impl::trait_impl,
};
use crate::{
    ast::{Options, Visible, without_ours},
    lower::class_of,
    math,
    report::Report,
    valid,
};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{ImplItem, ImplItemFn, ItemImpl, parse_quote, visit_mut::VisitMut};

/// Expands the attribute.
pub(super) fn implementation(
    mut item: ItemImpl,
    options: &Options,
    mut report: Report,
) -> TokenStream {
    Visible.visit_item_impl_mut(&mut item);
    valid::implementation(&item, &mut report);
    let original = item.clone();
    for inner in &mut item.items {
        if let ImplItem::Fn(function) = inner {
            without_ours(&mut function.sig);
            let generics = [&original.generics, &function.sig.generics];
            let rewritten =
                math::rewrite(&mut function.attrs, &mut function.block, &generics, options);
            if !rewritten && !function.attrs.iter().any(|a| a.path().is_ident("inline")) {
                function.attrs.push(parse_quote!(#[inline]));
            }
        }
    }
    let operator_name = original
        .trait_
        .as_ref()
        .and_then(|(path, _)| path.segments.last())
        .map(|last| &last.ident);
    let (host, beside) = match operator_name {
        None => (quote!(#item), inherent(&original, options, &mut report)),
        // No other impl gives a type its `default`, so it is as good as the type's own.
        Some(name) if name == "Default" => {
            (quote!(#item), inherent(&original, options, &mut report))
        }
        Some(name) if is_binary(name) || is_unary(name) || name == "PartialEq" => (
            quote!(#item),
            operator(&original, name, options, &mut report),
        ),
        Some(name) => match without_device_form(&name.to_string()) {
            Some(message) => {
                report.at(name, message);
                (quote!(#item), TokenStream::new())
            }
            None => (
                trait_impl(item, &original, options, &mut report),
                TokenStream::new(),
            ),
        },
    };
    let errors = report.into_tokens();
    quote!(#host #beside #errors)
}

/// Traits of std that are not for devices, or not this way.
fn without_device_form(name: &str) -> Option<String> {
    Some(match name {
        "PartialOrd" | "Ord" => format!(
            "`{name}` by hand has no device form, since devices have no `Ordering`: write a method that compares"
        ),
        "From" | "Into" | "TryFrom" | "TryInto" => {
            format!(
                "`{name}` has no device form: write a function of the type, as `fn of(x: f32) -> Self`"
            )
        }
        "Eq" | "Clone" | "Copy" | "Debug" | "Display" | "Drop" | "Hash" | "Iterator" | "Deref"
        | "DerefMut" | "Index" | "IndexMut" | "Sum" | "Product" | "Fn" | "FnMut" | "FnOnce" => {
            format!("`{name}` has no device form: leave out #[user_function]")
        }
        _ => return None,
    })
}

/// The functions of a type's own.
fn inherent(item: &ItemImpl, options: &Options, report: &mut Report) -> TokenStream {
    let root = &options.root;
    let (impl_generics, _, clause) = item.generics.split_for_impl();
    let ty = &item.self_ty;
    let (mut entrances, mut instances) = (TokenStream::new(), TokenStream::new());
    for inner in &item.items {
        let ImplItem::Fn(function) = inner else {
            continue;
        };
        let cfg = conditions(&function.attrs);
        let skel = quote!(__skel);
        let member = Member::new(&function.sig, &skel, report);
        let vis = if item.trait_.is_some() {
            parse_quote!(pub)
        } else {
            function.vis.clone()
        };
        entrances.extend(member.entrances(&cfg, &vis, &quote!(Self), None, &skel));
        entrances.extend(member.renamed(&cfg, &vis));
        instances.extend(instance(item, function, &member, options, report));
    }
    let (cfg, silence) = (conditions(&item.attrs), silence());
    quote! {
        #(#cfg)*
        #silence
        const _: () = {
            use #root as __skel;
            impl #impl_generics #ty #clause { #entrances }
            #instances
        };
    }
}

/// How a function of a type's own is built.
fn instance(
    item: &ItemImpl,
    function: &ImplItemFn,
    member: &Member,
    options: &Options,
    report: &mut Report,
) -> TokenStream {
    let (ty, key, spelled) = (&item.self_ty, &member.key, &member.spelled);
    let generics = joined(&item.generics, &function.sig.generics);
    let around = Around {
        options,
        generics: &generics,
        inherent: item.trait_.is_none(),
    };
    let source = member.source(&function.block, &around, report);
    let ir = match source {
        Some(source) => quote!(__cx.define::<(#ty, #key)>(#spelled, |__cx| { #source })),
        None => quote!(__skel::Imp::Failed),
    };
    let signature = member.signature();
    let twins = with_twins(&generics, &quote!(#ty #signature), &quote!(__skel));
    let (impl_generics, _, clause) = twins.split_for_impl();
    let cfg = conditions(&function.attrs);
    let name = &function.sig.ident;
    let built_in = class_of(name).filter(|_| member.method.has_receiver);
    let built_in = built_in
        .filter(|_| function.sig.generics.params.is_empty())
        .map(|class| {
            let (class, hash) = (format_ident!("{class}"), crate::names::hash(name));
            quote! {
                #(#cfg)*
                impl #impl_generics __skel::Member<__skel::class::#class, #hash> for #ty #clause {
                    fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
                        <Self as __skel::Instance<#key>>::ir(__cx)
                    }
                }
            }
        });
    quote! {
        #(#cfg)*
        impl #impl_generics __skel::Instance<#key> for #ty #clause {
            fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
                #ir
            }
        }
        #built_in
    }
}
