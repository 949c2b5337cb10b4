//! A closure in a skeleton macro: one for CPUs, one that builds the IR.

use super::{
    builder::builder,
    commutes::commutes,
    function::{at, setup},
    lanes::{Face, Of, condition, face},
    silence,
};
use crate::{
    ast::{Closure, Kind, Options, Param},
    lower::{Context, Lower},
    math,
    report::Report,
    valid,
};
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Block, ExprClosure, spanned::Spanned};

/// An expression of type `Fun<Lambda<…>>`; `root` is where `skel::__private` is.
pub(super) fn closure(closure: ExprClosure, root: &TokenStream) -> TokenStream {
    let mut report = Report::default();
    let closure = Closure::new(closure, &mut report);
    valid::closure(
        &closure.closure,
        &closure.params,
        &closure.block,
        &mut report,
    );
    if closure.params.len() != closure.closure.inputs.len() {
        // Without its parameters, the body would only give rise to errors that follow from this one.
        let errors = report.into_tokens();
        return quote!({ #errors loop {} });
    }
    let mut lower = Lower::new(Context::Closure, root);
    let body = lower.body(&closure.params, &closure.block);
    report.join(std::mem::take(&mut lower.report));

    let Closure {
        closure,
        params,
        output,
        block,
    } = &closure;
    let span = closure.body.span();
    let silence = silence();
    let (host, kinds, at) = host(closure, params, root);
    let ret = output
        .as_ref()
        .map_or_else(|| quote!(_), |written| written.ty.to_token_stream());
    let lanes = match report.has_errors() {
        true => None,
        false => lanes(params, block, &ret, &kinds, root),
    };
    let made = made(&[&kinds, &at], lanes, commutes(params, block).is_some());
    let builder = if report.has_errors() {
        quote!(loop {})
    } else {
        // The closure's result passes through a slot that it shares with the host's.
        let probe_body = &body.probe;
        let probe = quote_spanned!(span=> __ret.put(#probe_body));
        builder(
            &lower,
            &body,
            params,
            false,
            &ret,
            &quote_spanned!(span=> __ret.ty()),
            &probe,
        )
    };
    let errors = report.into_tokens();
    quote! {{
        use #root as __skel;
        #errors
        let __host = #host;
        #silence
        let __builder = |__cx: &mut __skel::Cx, __ret: &__skel::Slot<_>| -> __skel::Source { #builder };
        // A closure that captures something is no `fn`: rustc says what it captures, and where.
        #silence
        let __builder_is_a_fn: fn(&mut __skel::Cx, &__skel::Slot<_>) -> __skel::Source = __builder;
        #made
    }}
}

/// The lane-wise face, if there is one.
fn lanes(
    params: &[Param],
    block: &Block,
    ret: &TokenStream,
    kinds: &TokenStream,
    root: &TokenStream,
) -> Option<Face> {
    let passed = params.iter().filter(|p| p.kind.is_passed()).enumerate();
    let passed: Vec<_> = passed
        .map(|(k, _)| format_ident!("__a{k}").into_token_stream())
        .collect();
    let options = Options {
        root: root.clone(),
        ..Options::parse(TokenStream::new(), &mut Report::default())
    };
    let of = Of {
        params,
        block,
        generics: &[],
        kinds,
        passed: &passed,
        ret,
        call: &quote!(__host),
    };
    face(&of, &options)
}

/// The function that is made of `__host` and `__builder`, and of a face where builds have it. That is not generic, as
/// closures are not: it is written once for each number of lanes that a machine may have.
fn made([kinds, at]: &[&TokenStream; 2], lanes: Option<Face>, commutes: bool) -> TokenStream {
    let fun = quote!(__skel::Lambda::<#kinds, #at, _, _, _, _, #commutes>::fun(__host, __builder));
    let Some(face) = lanes else {
        return fun;
    };
    let (
        text,
        Face {
            scope,
            has,
            guesses,
            ..
        },
    ) = (face.of_source(), &face);
    let (silence, condition) = (silence(), condition());
    let faces = [16_usize, 32].map(|n| {
        quote! {
            #[inline(always)]
            move |__source: &mut dyn __skel::lanes::Source<#kinds, At = #at>, __out: &mut __skel::lanes::Var<_, #n>| {
                const __N: __skel::core::primitive::usize = #n;
                #text
            }
        }
    });
    quote! {{
        #[cfg(not(#condition))]
        let __fun = #fun;
        #scope
        #silence
        #[cfg(#condition)]
        let __fun = __skel::Lambda::<#kinds, #at, _, _, _, __skel::Faces<_, _, { #has }, #guesses>, #commutes>::with_lanes(
            __host,
            __builder,
            #(#faces,)*
        );
        __fun
    }}
}

/// The closure with its parameters as a skeleton passes them; their kinds; what it is given besides.
fn host(
    closure: &ExprClosure,
    params: &[Param],
    root: &TokenStream,
) -> (TokenStream, TokenStream, TokenStream) {
    let at = at(params);
    let passed: Vec<&Param> = params.iter().filter(|p| p.kind.is_passed()).collect();
    let patterns = passed.iter().map(|p| p.pattern());
    let types = passed.iter().map(|p| &p.ty);
    let kinds = passed.iter().filter_map(|p| p.kind_tokens());
    let (output, mut body) = (&closure.output, closure.body.clone());
    math::rewrite_closure(&mut body, root);
    let index = params.iter().find(|p| p.kind == Kind::Index);
    let index = index.map_or_else(|| quote!(_), Param::pattern);
    let head = match params.iter().find(|p| p.kind == Kind::Random) {
        None => {
            let body = match output {
                syn::ReturnType::Default => quote!(#body),
                syn::ReturnType::Type(..) => quote!(#output #body),
            };
            quote!(|#index: #at, (#(#patterns,)*): (#(#types,)*)| #body)
        }
        Some(generator) => {
            let (pattern, ty, setup) = (generator.pattern(), &generator.ty, setup(params));
            quote!(|__at: #at, (#(#patterns,)*): (#(#types,)*)| #output {
                #setup
                let #index = __at;
                let #pattern: #ty = &mut __random;
                #body
            })
        }
    };
    (head, quote!((#(#kinds,)*)), at)
}
