//! `#[user_function]` on a trait: its functions can be called in user functions that have the trait as
//! a bound.
//!
//! Each function gets company in the trait: two that probes call in its stead (`names`), and one that
//! describes it for devices, which an `impl` must write unless the function has a body here. Beside
//! the trait stands a marker, which is the callee of such calls.

use super::{
    function::conditions,
    generics::{joined, mentions, twins_of, with_twins},
    member::{Around, Member},
    silence,
};
use crate::{
    ast::{Options, Visible, spelling, without_ours},
    lower::class_of,
    math, names,
    report::Report,
    valid,
};
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{
    GenericParam, Generics, ItemTrait, TraitItem, TraitItemFn, Type, WherePredicate, parse_quote,
    visit_mut::VisitMut,
};

/// Expands the attribute.
pub(super) fn trait_item(
    mut item: ItemTrait,
    options: &Options,
    mut report: Report,
) -> TokenStream {
    Visible.visit_item_trait_mut(&mut item);
    valid::trait_item(&item, &mut report);
    let original = item.clone();
    let root = &options.root;
    let marker = Marker::new(&original);
    let mut instances = TokenStream::new();
    for inner in &mut item.items {
        if let TraitItem::Fn(function) = inner {
            without_ours(&mut function.sig);
            if let Some(body) = &mut function.default {
                let generics = [&original.generics, &function.sig.generics];
                math::rewrite(&mut function.attrs, body, &generics, options);
            }
        }
    }
    for inner in &original.items {
        let TraitItem::Fn(function) = inner else {
            continue;
        };
        let name = &function.sig.ident;
        if class_of(name).is_some() && function.sig.receiver().is_some() {
            report.at(
                name,
                format!(
                    "numbers have a method `{name}` built in: take another name for that of a trait"
                ),
            );
        }
        let member = Member::new(&function.sig, root, &mut report);
        let company = company(&original, function, &member, &marker, options, &mut report);
        item.items.push(TraitItem::Verbatim(company));
        instances.extend(marker.instance(&original, function, &member));
    }
    for twin in twins_of(&parse_quote!(Self), &original.supertraits, root) {
        if let WherePredicate::Type(twin) = twin {
            item.supertraits.extend(twin.bounds);
        }
    }
    let (cfg, silence, vis) = (conditions(&original.attrs), silence(), &original.vis);
    let Marker {
        name: marker_name,
        parameters,
        types,
        ..
    } = &marker;
    let errors = report.into_tokens();
    quote! {
        #item
        #(#cfg)*
        #[allow(non_camel_case_types, dead_code, unreachable_pub)]
        #[doc(hidden)]
        #vis struct #marker_name #parameters { __types: #root::core::marker::PhantomData<fn() -> #types> }
        #(#cfg)*
        #silence
        const _: () = {
            use #root as __skel;
            #instances
        };
        #errors
    }
}

/// What stands in the trait beside a function.
fn company(
    item: &ItemTrait,
    function: &TraitItemFn,
    member: &Member,
    marker: &Marker,
    options: &Options,
    report: &mut Report,
) -> TokenStream {
    let root = &options.root;
    let cfg = conditions(&function.attrs);
    let callee = marker.of(&quote!(Self));
    let entrances = member.entrances(
        &cfg,
        &syn::Visibility::Inherited,
        &callee,
        Some(parse_quote!(Self: #root::core::marker::Sized)),
        root,
    );
    let generics = joined(&item.generics, &function.sig.generics);
    let around = Around {
        options,
        generics: &generics,
        inherent: false,
    };
    let body = match &function.default {
        None => quote!(;),
        Some(block) => match member.source(block, &around, report) {
            Some(source) => quote!({ use #root as __skel; #source }),
            None => quote!({ loop {} }),
        },
    };
    let mut own = with_twins(&function.sig.generics, &member.signature(), root);
    let clause = own.make_where_clause();
    clause
        .predicates
        .push(parse_quote!(Self: #root::core::marker::Sized));
    clause
        .predicates
        .push(element_or_static(member, &parse_quote!(Self), root));
    clause.predicates.extend(outer_twins(item, root));
    let (own_generics, _, clause) = own.split_for_impl();
    let (name, silence) = (names::source_of(&function.sig.ident), silence());
    quote! {
        #entrances
        #(#cfg)*
        #[doc(hidden)]
        #silence
        fn #name #own_generics (__cx: &mut #root::Cx) -> #root::Source #clause #body
    }
}

/// Tokens that mention every type of the functions' signatures.
fn signatures(item: &ItemTrait) -> TokenStream {
    let functions = item.items.iter().filter_map(|inner| match inner {
        TraitItem::Fn(function) => Some((&function.sig.inputs, &function.sig.output)),
        _ => None,
    });
    functions
        .map(|(inputs, output)| quote!((#inputs) #output))
        .collect()
}

/// What devices need of the trait's own type parameters.
fn outer_twins(item: &ItemTrait, root: &TokenStream) -> Vec<WherePredicate> {
    let mut bare = item.generics.clone();
    let before = bare.make_where_clause().predicates.len();
    let twins = with_twins(&bare, &signatures(item), root);
    let clause = twins.where_clause.into_iter();
    clause
        .flat_map(|clause| clause.predicates.into_iter().skip(before))
        .collect()
}

/// A function that has values of its `Self` needs an element; another one, at least a type without
/// lifetimes.
fn element_or_static(member: &Member, ty: &Type, root: &TokenStream) -> WherePredicate {
    if member.method.has_receiver || mentions(&member.signature(), &format_ident!("Self")) {
        parse_quote!(#ty: #root::Element)
    } else {
        parse_quote!(#ty: 'static)
    }
}

/// The callee of calls of the trait's functions: `__UserTraitShape<S>`.
struct Marker {
    name: Ident,
    /// `<__S, K, const N: u32>`
    parameters: TokenStream,
    /// `(__S, K)`
    types: TokenStream,
    /// `K, N`
    arguments: TokenStream,
}

impl Marker {
    fn new(item: &ItemTrait) -> Marker {
        let (mut parameters, mut types, mut arguments) = (vec![], vec![], vec![]);
        for param in &item.generics.params {
            match param {
                GenericParam::Type(ty) => {
                    let name = &ty.ident;
                    parameters.push(quote!(#name));
                    types.push(quote!(#name));
                    arguments.push(quote!(#name));
                }
                GenericParam::Const(constant) => {
                    let (name, ty) = (&constant.ident, &constant.ty);
                    parameters.push(quote!(const #name: #ty));
                    arguments.push(quote!(#name));
                }
                GenericParam::Lifetime(_) => {}
            }
        }
        Marker {
            name: format_ident!(
                "__UserTrait{}",
                spelling(&item.ident),
                span = item.ident.span()
            ),
            parameters: quote!(<__S, #(#parameters),*>),
            types: quote!((__S, #(#types),*)),
            arguments: quote!(#(#arguments),*),
        }
    }

    /// The marker for implementors `ty`.
    fn of(&self, ty: &TokenStream) -> TokenStream {
        let Marker {
            name, arguments, ..
        } = self;
        quote!(#name<#ty, #arguments>)
    }

    /// How a function of the trait is built, for any implementation.
    fn instance(&self, item: &ItemTrait, function: &TraitItemFn, member: &Member) -> TokenStream {
        let root = quote!(__skel);
        let outer = with_twins(&item.generics, &signatures(item), &root);
        let inner = with_twins(&function.sig.generics, &member.signature(), &root);
        let mut twins = joined(&outer, &inner);
        without_defaults(&mut twins);
        let (trait_name, arguments) = (&item.ident, &self.arguments);
        let implementor: Type = parse_quote!(__S);
        let clause = twins.make_where_clause();
        clause
            .predicates
            .push(parse_quote!(__S: #trait_name<#arguments>));
        clause
            .predicates
            .push(element_or_static(member, &implementor, &root));
        twins.params.insert(0, parse_quote!(__S));
        let (impl_generics, _, clause) = twins.split_for_impl();
        // `Self` in the bounds means the implementor, not the marker.
        let impl_generics = renamed(impl_generics.to_token_stream());
        let clause = renamed(clause.to_token_stream());
        let marker = self.of(&quote!(__S));
        let hash = names::hash(&function.sig.ident);
        let (own, own_arguments) = super::generics::key(&function.sig.generics, &root);
        let (cfg, spelled) = (conditions(&function.attrs), &member.spelled);
        let source = names::source_of(&function.sig.ident);
        let key = quote!((__skel::Named<#hash>, #own));
        quote! {
            #(#cfg)*
            impl #impl_generics __skel::Instance<#key> for #marker #clause {
                fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
                    __cx.define::<(#marker, #key)>(
                        #spelled,
                        <__S as #trait_name<#arguments>>::#source::<#own_arguments>,
                    )
                }
            }
        }
    }
}

fn without_defaults(generics: &mut Generics) {
    for param in &mut generics.params {
        match param {
            GenericParam::Type(ty) => ty.default = None,
            GenericParam::Const(constant) => constant.default = None,
            GenericParam::Lifetime(_) => {}
        }
    }
}

/// The tokens with `__S` for `Self`.
fn renamed(tokens: TokenStream) -> TokenStream {
    let renamed = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(name) if name == "Self" => {
            TokenTree::Ident(format_ident!("__S", span = name.span()))
        }
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), self::renamed(group.stream()));
            inner.set_span(group.span());
            TokenTree::Group(inner)
        }
        other => other,
    });
    renamed.collect()
}
