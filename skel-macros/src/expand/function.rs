//! `#[user_function]` on a function.

use super::{
    builder::builder,
    commutes::commutes,
    generics::{Marker, key, with_twins},
    implementation::implementation,
    lanes::{Named, Of, lanes},
    silence,
    trait_item::trait_item,
};
use crate::{
    ast::{Function, Kind, Options, Param, spelling},
    depth,
    lower::{Body, Context, Lower, without_our_attribute},
    math,
    report::Report,
    valid,
};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Attribute, Item, ItemFn, parse_quote};

/// Expands the attribute.
pub(crate) fn user_function(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut report = Report::default();
    let options = Options::parse(options, &mut report);
    let (item, is_whole) = match depth::check(&item) {
        Ok(()) => (item, true),
        Err(error) => {
            report.add(error);
            (depth::without_body(item), false)
        }
    };
    let parsed = match syn::parse2::<Item>(item.clone()) {
        Ok(Item::Fn(parsed)) => parsed,
        Ok(Item::Impl(block)) => {
            one_body(&options, &block.self_ty, &mut report);
            return implementation(block, &options, report);
        }
        Ok(Item::Trait(parsed)) => {
            one_body(&options, &parsed.ident, &mut report);
            return trait_item(parsed, &options, report);
        }
        Ok(_) => {
            let first = item.clone().into_iter().next();
            report.at(
                first,
                "#[user_function] stands on functions, on `impl` blocks and on traits",
            );
            let errors = report.into_tokens();
            return quote!(#item #errors);
        }
        Err(error) => {
            // Without what is in its brackets, an `impl` block is none.
            if is_whole {
                report.add(error);
            }
            let errors = report.into_tokens();
            return quote!(#item #errors);
        }
    };
    let mut function = Function::new(parsed, &mut report);
    valid::signature(&function, &mut report);
    let usable = !report.has_errors();
    if !usable {
        function.refuse();
    }

    let (name, generics) = (
        function.item.sig.ident.clone(),
        function.item.sig.generics.clone(),
    );
    let mut lower = Lower::new(Context::Function(&name, &generics), &options.root);
    let body = if options.foreign.is_some() {
        // The text is for devices, and the Rust body for CPUs alone.
        Body::default()
    } else {
        lower.body(&function.params, &function.item.block)
    };
    report.join(std::mem::take(&mut lower.report));
    // With the bounds that were missed, rustc does not say the same again.
    for (parameter, bound) in std::mem::take(&mut lower.lacking) {
        let root = &options.root;
        let clause = function.item.sig.generics.make_where_clause();
        clause
            .predicates
            .push(parse_quote!(#parameter: #root::#bound));
    }
    if lower.hides_body {
        *function.item.block = parse_quote!({ loop {} });
    }
    let (item, name) = (&function.item, &name);

    let errors = report.has_errors();
    let host = host(item, &options);
    let beside = if crate::ast::PRIMITIVES.contains(&spelling(name).as_str()) {
        // A marker of this name would turn every `f32` of the module into another type.
        TokenStream::new()
    } else if usable {
        let built = (!errors).then_some(&lower);
        beside(&function, &options, built, &body)
    } else if function.can_stand() {
        beside(&function, &options, None, &body)
    } else if item.sig.receiver().is_some() {
        // There are no types in an `impl` block.
        TokenStream::new()
    } else {
        let cfg = conditions(&item.attrs);
        let vis = &item.vis;
        let marker = Marker::new(&syn::Generics::default(), &quote!(), &options.root);
        let body = marker.body;
        quote!(#(#cfg)* #[allow(non_camel_case_types, dead_code, unreachable_pub)] #[doc(hidden)] #vis struct #name #body)
    };
    let messages = report.into_tokens();
    quote!(#host #beside #messages)
}

/// Bodies in other languages are those of one function, and so are lanes.
fn one_body(options: &Options, at: impl ToTokens, report: &mut Report) {
    if !options.lanes {
        report.at(
            &at,
            "`lanes = off` stands on a function: only those have lanes",
        );
    }
    if options.foreign.is_some() {
        report.at(
            at,
            "`unsafe(wgsl = …)` and `unsafe(cuda = …)` stand on a function: call one from here",
        );
    }
}

/// A function inside of a user function, for the probe: only its marker matters there. Its errors are
/// those of the function around it.
pub(crate) fn inner_function(item: &ItemFn, root: &TokenStream) -> (TokenStream, Report) {
    let mut report = Report::default();
    let options = Options {
        root: root.clone(),
        ..Options::parse(TokenStream::new(), &mut report)
    };
    let function = Function::new(without_our_attribute(item), &mut report);
    valid::signature(&function, &mut report);
    let ItemFn { sig, .. } = &function.item;
    let mut lower = Lower::new(Context::Function(&sig.ident, &sig.generics), root);
    let body = lower.body(&function.params, &function.item.block);
    report.join(std::mem::take(&mut lower.report));
    if report.has_errors() {
        return (TokenStream::new(), report);
    }
    let beside = beside(&function, &options, Some(&lower), &body);
    (quote!(#sig { loop {} } #beside), report)
}

/// The user's function, which is what CPUs run.
fn host(item: &ItemFn, options: &Options) -> TokenStream {
    let mut item = item.clone();
    let ItemFn {
        attrs, sig, block, ..
    } = &mut item;
    let rewritten = math::rewrite(attrs, block, &[&sig.generics], options);
    let inlined = rewritten || item.attrs.iter().any(|a| a.path().is_ident("inline"));
    let inline = (!inlined).then(|| match item.sig.inputs.iter().any(is_sweep) {
        // Else each element passes by memory what it sees, which costs several times what it computes.
        true => quote!(#[inline(always)]),
        false => quote!(#[inline]),
    });
    quote!(#inline #item)
}

/// Whether a parameter is a sweep.
fn is_sweep(input: &syn::FnArg) -> bool {
    let syn::FnArg::Typed(typed) = input else {
        return false;
    };
    let syn::Type::Path(path) = &*typed.ty else {
        return false;
    };
    let last = path.path.segments.last();
    last.is_some_and(|last| ["Sweep1", "Sweep2", "Sweep3"].contains(&&*last.ident.to_string()))
}

pub(super) fn conditions(attrs: &[Attribute]) -> Vec<&Attribute> {
    attrs.iter().filter(|a| a.path().is_ident("cfg")).collect()
}

/// The marker and what it implements. Where the body has errors, its IR fails to build; the rest
/// stays, so that no other error follows.
fn beside(
    function: &Function,
    options: &Options,
    lower: Option<&Lower<'_>>,
    body: &Body,
) -> TokenStream {
    let Function {
        item,
        params,
        output,
        ..
    } = function;
    let (name, vis, root) = (&item.sig.ident, &item.vis, &options.root);
    let spelled = spelling(name);
    let cfg = conditions(&item.attrs);
    let silence = silence();

    let (inputs, result) = (&item.sig.inputs, &item.sig.output);
    let twins = with_twins(
        &item.sig.generics,
        &quote!(#inputs #result),
        &quote!(__skel),
    );
    let (impl_generics, _, bounds) = twins.split_for_impl();
    let (own_generics, _, own_bounds) = item.sig.generics.split_for_impl();
    let (key, arguments) = key(&item.sig.generics, &quote!(__skel));
    let kinds = params.iter().filter_map(Param::kind_tokens);
    let kinds = quote!((#(#kinds,)*));
    let marker = Marker::new(&item.sig.generics, &kinds, root);
    let Marker {
        any,
        generics: marker_generics,
        arguments: marker_arguments,
        body: marker_body,
    } = &marker;

    let refused = function.refused;
    let (ret, written) = (&output.ty, &output.written);
    let types = params.iter().map(|p| &p.ty);
    let ir = match lower {
        Some(_) if options.foreign.is_some() => foreign(function, options, &key),
        Some(lower) => {
            let ir_output = quote_spanned!(output.span=> __skel::ty::<#ret>());
            let source = builder(
                lower,
                body,
                params,
                options.fast_math,
                ret,
                &ir_output,
                &body.probe,
            );
            quote!(__cx.define::<(__Me, #key)>(#spelled, |__cx| { #source }))
        }
        None => quote!(__skel::Imp::Failed),
    };
    let Call {
        at,
        passed,
        setup,
        given,
    } = Call::new(params);
    let call = if refused {
        // Its types are not those that were written.
        quote!(loop {})
    } else {
        quote!(#setup #name::<#arguments>(#(#given),*))
    };
    let [lanes, callable] = match lower {
        Some(_) if !refused => {
            let of = Of {
                params,
                block: &item.block,
                generics: &[&item.sig.generics],
                kinds: &kinds,
                passed: &passed,
                ret: &ret.to_token_stream(),
                call: &quote!(<Self as __skel::UserFunction<#kinds>>::call),
            };
            let named = Named {
                path: &quote!(#name::<#arguments>),
                arguments: &arguments,
                twins: &twins,
                is_generic: !arguments.is_empty(),
            };
            lanes(&of, &named, options)
        }
        _ => Default::default(),
    };
    let commutative = match (options.commutative, commutes(params, &item.block)) {
        _ if refused => quote!(false),
        (true, _) => quote!(true),
        (false, Some(ty)) => quote!(<#ty as __skel::Element>::IS_SCALAR),
        (false, None) => quote!(false),
    };
    quote! {
        #(#cfg)*
        #[allow(non_camel_case_types, dead_code, unreachable_pub)]
        #[doc(hidden)]
        #vis struct #name #marker_generics #marker_body

        #(#cfg)*
        #silence
        const _: () = {
            use #root as __skel;
            type __Me = #name #any;
            impl #marker_generics __skel::Marker for #name #marker_arguments {}
            impl __Me {
                pub fn __probe #own_generics (_: &__skel::Callee<__Me, #key>) -> fn(#(#types),*) -> #written #own_bounds {
                    loop {}
                }
            }
            #callable
            impl #impl_generics __skel::Instance<#key> for __Me #bounds {
                fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
                    #ir
                }
            }
            impl #impl_generics __skel::UserFunction<#kinds> for #name #marker_arguments #bounds {
                type At = #at;
                type Output = #ret;
                const NAME: &'static __skel::core::primitive::str = #spelled;
                const COMMUTATIVE: __skel::core::primitive::bool = #commutative;
                #[inline(always)]
                fn call(__at: #at, (#(#passed,)*): <#kinds as __skel::Params>::Args<'_>) -> #ret {
                    #call
                }
                #lanes
                fn ir(__cx: &mut __skel::Cx) -> __skel::Imp {
                    <__Me as __skel::Instance<#key>>::ir(__cx)
                }
            }
        };
    }
}

/// What builds a function whose bodies for devices are the user's own.
fn foreign(function: &Function, options: &Options, key: &TokenStream) -> TokenStream {
    let Function { params, output, .. } = function;
    let spelled = spelling(&function.item.sig.ident);
    let names = params.iter().map(|param| spelling(&param.name));
    let entries = params.iter().map(Param::ir_tokens);
    let ret = &output.ty;
    let ret = quote_spanned!(output.span=> __skel::ty::<#ret>());
    let text = |expr: Option<&syn::Expr>| match expr {
        Some(expr) => quote!(__skel::core::option::Option::Some(#expr)),
        None => quote!(__skel::core::option::Option::None),
    };
    let bodies = options.foreign.as_ref();
    let wgsl = text(bodies.and_then(|bodies| bodies.wgsl.as_ref()));
    let cuda = text(bodies.and_then(|bodies| bodies.cuda.as_ref()));
    let pure = bodies.is_some_and(|bodies| bodies.pure);
    // The whole block at the user's own word, so that `forbid(unsafe_code)` refuses it where that stands: lints pass
    // over what lies in a macro of another crate.
    let word = bodies.and_then(|bodies| bodies.promised);
    let at = word.map_or_else(Span::call_site, |word| word.span);
    let made = quote_spanned! {at=>
        unsafe {
            __cx.foreign::<(__Me, #key)>(#spelled, __skel::core::file!(), __params, __ret, __text)
        }
    };
    quote! {{
        let __text = __skel::Foreign { wgsl: #wgsl, cuda: #cuda, pure: #pure };
        let __params = __skel::std::vec![#((#names, #entries)),*];
        let __ret = #ret;
        #made
    }}
}

/// How the skeleton's call becomes one of the function.
struct Call {
    /// The type of what is given without being passed.
    at: TokenStream,
    /// Names for what is passed.
    passed: Vec<TokenStream>,
    /// Takes apart what is given.
    setup: TokenStream,
    /// The arguments, in the user's order.
    given: Vec<TokenStream>,
}

impl Call {
    fn new(params: &[Param]) -> Call {
        let mut passed = Vec::new();
        let mut given = Vec::new();
        for (k, param) in params.iter().enumerate() {
            match param.kind {
                Kind::Index => given.push(quote!(__at)),
                Kind::Random => given.push(quote!(&mut __random)),
                _ => {
                    let name = format_ident!("__a{k}");
                    passed.push(quote!(#name));
                    given.push(quote!(#name));
                }
            }
        }
        Call {
            at: at(params),
            passed,
            setup: setup(params),
            given,
        }
    }
}

/// The type of what a function is given without its being passed.
pub(super) fn at(params: &[Param]) -> TokenStream {
    let index = params.iter().find(|p| p.kind == Kind::Index);
    let at = index.map_or_else(|| quote!(()), |p| p.ty.to_token_stream());
    if params.iter().any(|p| p.kind == Kind::Random) {
        quote!(__skel::WithRandom<#at>)
    } else {
        at
    }
}

/// Takes `__at` apart, where it holds a generator.
pub(super) fn setup(params: &[Param]) -> TokenStream {
    if params.iter().any(|p| p.kind == Kind::Random) {
        quote!(let __skel::WithRandom { at: __at, random: mut __random } = __at;)
    } else {
        TokenStream::new()
    }
}
