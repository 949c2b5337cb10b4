//! Calls of methods and associated functions that users wrote: `v.norm()`, `V::new(x)`, `S::area(s)`,
//! `F::call(x)`.
//!
//! rustc finds the callee by its own rules, since the probe calls what `#[user_function]` put beside
//! it, under a name made of its own. The callee may take its receiver, or any argument, by `&mut`:
//! the text just has the place, and the builder knows which parameter is which.

use super::{Context, Evident, Lower, Lowered, Sexp};
use crate::names;
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{
    AngleBracketedGenericArguments, Expr, ExprCall, ExprMethodCall, ExprPath, Ident, PathArguments,
    Token, punctuated::Punctuated, spanned::Spanned,
};

/// Whether the path names an associated function: `V::new`, `T::f`, `<V as Shape>::f`.
pub(crate) fn is_associated(path: &ExprPath, is_type_parameter: &dyn Fn(&Ident) -> bool) -> bool {
    let mut segments = path.path.segments.iter().rev().map(|s| &s.ident);
    let (Some(last), ty) = (segments.next(), segments.next()) else {
        return false;
    };
    let camel = |name: &Ident| {
        name.to_string()
            .starts_with(|c: char| c.is_ascii_uppercase())
    };
    let of_type = ty.is_some_and(|ty| {
        camel(ty)
            || *ty == "f16"
            || is_type_parameter(ty)
            || crate::ast::PRIMITIVES.iter().any(|p| *ty == p)
    });
    !camel(last) && (of_type || path.qself.is_some())
}

/// The path of a function that is called, without its generic arguments, which are given apart: so names what stands
/// beside the function its own.
pub(crate) fn apart_from_generics(
    path: &syn::Path,
) -> (syn::Path, Option<AngleBracketedGenericArguments>) {
    let mut path = path.clone();
    let generics = path
        .segments
        .last_mut()
        .map(|last| std::mem::take(&mut last.arguments));
    let generics = match generics {
        Some(PathArguments::AngleBracketed(mut arguments)) => {
            arguments.colon2_token = Some(Token![::](path.span()));
            Some(arguments)
        }
        _ => None,
    };
    (path, generics)
}

impl Lower<'_> {
    /// `v.norm(x)`, where no number has a `norm`.
    pub(super) fn own_method(&mut self, call: &ExprMethodCall, receiver: Lowered) -> Lowered {
        let method = &call.method;
        if let Context::Method(Some(own), _) = self.context
            && own == method
            && super::operator::variable_name(&call.receiver).is_some_and(|name| name == "self")
        {
            return self.calls_itself(method);
        }
        self.calls_members = true;
        let (args, texts) = self.arguments(&call.args);
        let (slot, imp) = self.callee(method.span());
        let (r, name, turbofish) = (receiver.probe, names::by_receiver(method), &call.turbofish);
        let probe = quote_spanned!(method.span()=> #r.#name #turbofish (&#slot)(#(#args),*));
        let parts = [imp, receiver.text].into_iter().chain(texts);
        Lowered {
            probe,
            text: Sexp::list(method.span(), "c", parts),
            evident: Evident::Nothing,
        }
    }

    pub(super) fn is_associated(&self, path: &ExprPath) -> bool {
        is_associated(path, &|ty| self.is_type_parameter(ty))
    }

    /// `V::new(x)`.
    pub(super) fn own_function(&mut self, call: &ExprCall, callee: &ExprPath) -> Lowered {
        let span = callee.span();
        let mut path = callee.clone();
        let Some(last) = path.path.segments.last_mut() else {
            return self.refuse(callee, "only a user function can be called, by its path");
        };
        if let Context::Method(Some(own), _) = self.context
            && last.ident == *own
            && callee.path.segments.len() == 2
            && callee.path.segments[0].ident == "Self"
        {
            return self.calls_itself(&callee.path);
        }
        self.calls_members = true;
        last.ident = names::by_path(&last.ident);
        let (args, texts) = self.arguments(&call.args);
        let (slot, imp) = self.callee(span);
        Lowered {
            probe: quote_spanned!(span=> #path(&#slot)(#(#args),*)),
            text: Sexp::list(span, "c", [imp].into_iter().chain(texts)),
            evident: Evident::Nothing,
        }
    }

    fn calls_itself(&mut self, name: impl quote::ToTokens) -> Lowered {
        let spelled = name.to_token_stream().to_string().replace(' ', "");
        self.refuse(
            name,
            format!("`{spelled}` calls itself: no device has a call stack, so write a loop"),
        )
    }

    /// A slot for a callee, and what it turns out to be.
    pub(super) fn callee(&mut self, span: Span) -> (Ident, Sexp) {
        let slot = self.fresh("c", span);
        self.declarations
            .push(quote!(let #slot = __skel::Callee::new();));
        let cx = Self::cx();
        let imp = self.imp(quote_spanned!(span=> #slot.ir(#cx)));
        (slot, imp)
    }

    /// Arguments: the type of a literal among them is that of the parameter.
    pub(super) fn arguments(
        &mut self,
        args: &Punctuated<Expr, Token![,]>,
    ) -> (Vec<TokenStream>, Vec<Sexp>) {
        let lowered = args.iter().map(|arg| self.argument(arg));
        lowered.map(|l| (l.probe, l.text)).unzip()
    }

    pub(super) fn user_function(&mut self, call: &ExprCall, callee: &ExprPath) -> Lowered {
        let span = callee.span();
        let (path, generics) = apart_from_generics(&callee.path);
        let (slot, imp) = self.callee(span);
        let (args, texts) = self.arguments(&call.args);
        let probe = quote_spanned!(span=> #path::__probe #generics (&#slot)(#(#args),*));
        let text = Sexp::list(span, "c", [imp].into_iter().chain(texts));
        Lowered {
            probe,
            text,
            evident: Evident::Nothing,
        }
    }
}
