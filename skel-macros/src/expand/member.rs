//! What stands beside a method or an associated function, whatever it belongs to.

use super::{builder::builder, generics::key, silence};
use crate::{
    ast::{Method, Options, spelling},
    lower::{Context, Lower},
    math, names,
    report::Report,
    valid,
};
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::{Attribute, Block, Generics, Visibility, WherePredicate};

/// A function of an `impl` block or a trait.
pub(super) struct Member {
    pub(super) method: Method,
    /// Its name for messages and in the IR.
    pub(super) spelled: String,
    /// `(Named<…>, (generics…,))`: which instance.
    pub(super) key: TokenStream,
}

/// What a member may know of its surroundings.
pub(super) struct Around<'a> {
    pub(super) options: &'a Options,
    /// The generics of the `impl` block or the trait, and of the member.
    pub(super) generics: &'a Generics,
    /// Whether `self.name()` in a member of that name can only be the member itself.
    pub(super) inherent: bool,
}

impl Member {
    pub(super) fn new(sig: &syn::Signature, root: &TokenStream, report: &mut Report) -> Member {
        let method = Method::new(sig, report);
        valid::method(&method, report);
        let hash = names::hash(&sig.ident);
        let generics = key(&sig.generics, root).0;
        Member {
            spelled: spelling(&sig.ident),
            key: quote!((#root::Named<#hash>, #generics)),
            method,
        }
    }

    /// Tokens that mention every type of the signature.
    pub(super) fn signature(&self) -> TokenStream {
        let types = self.method.params.iter().map(|p| &p.ty);
        let output = &self.method.output.ty;
        quote!((#(#types),*) #output)
    }

    /// The functions that probes call in its stead; `callee` is the type that is an `Instance`.
    pub(super) fn entrances(
        &self,
        cfg: &[&Attribute],
        vis: &Visibility,
        callee: &TokenStream,
        bound: Option<WherePredicate>,
        root: &TokenStream,
    ) -> TokenStream {
        let Member { method, key, .. } = self;
        let (name, silence) = (&method.sig.ident, silence());
        let mut generics = method.sig.generics.clone();
        if let Some(bound) = bound {
            generics.make_where_clause().predicates.push(bound);
        }
        let (generics, _, clause) = generics.split_for_impl();
        let types: Vec<_> = method.params.iter().map(|p| &p.ty).collect();
        let rest = method.types_after_receiver();
        let output = &method.output.ty;
        let (by_receiver, by_path) = (names::by_receiver(name), names::by_path(name));
        let by_receiver = method.has_receiver.then(|| {
            quote! {
                #(#cfg)*
                #[doc(hidden)]
                #silence
                #vis fn #by_receiver #generics (&self, _: &#root::Callee<#callee, #key>) -> fn(#(#rest),*) -> #output #clause {
                    loop {}
                }
            }
        });
        quote! {
            #by_receiver
            #(#cfg)*
            #[doc(hidden)]
            #silence
            #vis fn #by_path #generics (_: &#root::Callee<#callee, #key>) -> fn(#(#types),*) -> #output #clause {
                loop {}
            }
        }
    }

    /// A method of a name that floats have is called by another one, as theirs is ([`math`]).
    pub(super) fn renamed(&self, cfg: &[&Attribute], vis: &Visibility) -> Option<TokenStream> {
        let Member { method, .. } = self;
        let (name, sig) = (&method.sig.ident, &method.sig);
        if !(method.has_receiver && math::is_renamed(name) && sig.generics.params.is_empty()) {
            return None;
        }
        let silence = silence();
        let (receiver, output) = (sig.receiver(), &sig.output);
        let types: Vec<_> = method.types_after_receiver().collect();
        let given: Vec<_> = (0..types.len()).map(|k| format_ident!("__a{k}")).collect();
        let (host, near) = (names::on_host(name), names::near(name));
        let near = math::is_of_angle(name).then(|| {
            quote! {
                #(#cfg)*
                #[doc(hidden)]
                #silence
                #[inline(always)]
                #vis fn #near(#receiver #(, #given: #types)*, _: &__skel::core::cell::Cell<__skel::core::primitive::bool>) #output {
                    Self::#name(self #(, #given)*)
                }
            }
        });
        Some(quote! {
            #(#cfg)*
            #[doc(hidden)]
            #silence
            #[inline(always)]
            #vis fn #host(#receiver #(, #given: #types)*) #output {
                Self::#name(self #(, #given)*)
            }
            #near
        })
    }

    /// The builder: an expression of type `Source`; nothing if there are errors.
    pub(super) fn source(
        &self,
        block: &Block,
        around: &Around<'_>,
        report: &mut Report,
    ) -> Option<TokenStream> {
        let Method {
            params,
            output,
            sig,
            ..
        } = &self.method;
        let own = around.inherent.then_some(&sig.ident);
        let mut lower = Lower::new(Context::Method(own, around.generics), &around.options.root);
        let body = lower.body(params, block);
        let errors = lower.report.has_errors();
        report.join(std::mem::take(&mut lower.report));
        if errors {
            return None;
        }
        let ret = &output.ty;
        let ir_output = quote_spanned!(output.span=> __skel::ty::<#ret>());
        let fast_math = around.options.fast_math;
        Some(builder(
            &lower,
            &body,
            params,
            fast_math,
            ret,
            &ir_output,
            &body.probe,
        ))
    }
}
