//! A closure in a skeleton macro: one for CPUs, one that builds the IR.

use super::{
    builder::builder,
    commutes::commutes,
    function::{at, setup},
    silence,
};
use crate::{
    ast::{Closure, Kind, Param},
    lower::{Context, Lower},
    math,
    report::Report,
    valid,
};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{ExprClosure, spanned::Spanned};

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
    let commutes = commutes(params, block).is_some();
    let builder = if report.has_errors() {
        quote!(loop {})
    } else {
        // The closure's result passes through a slot that it shares with the host's.
        let probe_body = &body.probe;
        let probe = quote_spanned!(span=> __ret.put(#probe_body));
        let ret = output
            .as_ref()
            .map_or_else(|| quote!(_), |written| written.ty.clone());
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
        __skel::Lambda::<#kinds, #at, _, _, _, #commutes>::fun(__host, __builder)
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
