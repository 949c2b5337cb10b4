//! Assignment to several places: `(a, b) = (b, a)`.

use super::{Evident, Lower, Lowered, Sexp, pattern::plain};
use crate::ast::spelling;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Expr, ExprAssign, ExprRange, Member, Token, punctuated::Punctuated, spanned::Spanned};

/// Whether the left side of an assignment is taken apart.
pub(super) fn takes_apart(left: &Expr) -> bool {
    match left {
        Expr::Tuple(_) | Expr::Array(_) | Expr::Struct(_) | Expr::Call(_) => true,
        Expr::Paren(inner) => takes_apart(&inner.expr),
        _ => false,
    }
}

impl Lower<'_> {
    /// `(unpack-to target value)`, where a target is `_`, `(to place)`, or `(of (key target) …)` as in
    /// patterns.
    pub(super) fn assignment_to_parts(&mut self, e: &ExprAssign) -> Lowered {
        let span = e.eq_token.span;
        let value = self.expr(&e.right);
        let (target, text) = self.target_of(&e.left);
        let v = value.probe;
        Lowered {
            probe: quote_spanned!(span=> #target = #v),
            text: Sexp::list(span, "unpack-to", [text, value.text]),
            evident: Evident::Nothing,
        }
    }

    fn target_of(&mut self, e: &Expr) -> (TokenStream, Sexp) {
        match e {
            Expr::Infer(wild) => (quote!(#wild), Sexp::atom("_")),
            Expr::Paren(inner) => self.target_of(&inner.expr),
            Expr::Tuple(tuple) => {
                let (parts, text) = self.targets(&tuple.elems);
                (quote!((#(#parts,)*)), text)
            }
            Expr::Array(array) => {
                let (parts, text) = self.targets(&array.elems);
                (quote!([#(#parts),*]), text)
            }
            Expr::Call(call) => {
                let (parts, text) = self.targets(&call.args);
                let path = &call.func;
                (quote!(#path(#(#parts),*)), text)
            }
            Expr::Struct(fields) => {
                let mut probes = Vec::new();
                let mut texts = vec![Sexp::atom("of")];
                for field in &fields.fields {
                    let (probe, text) = self.target_of(&field.expr);
                    let member = &field.member;
                    probes.push(quote!(#member: #probe));
                    let key = match member {
                        Member::Named(name) => spelling(name),
                        Member::Unnamed(index) => index.index.to_string(),
                    };
                    texts.push(plain([Sexp::atom(key), text]));
                }
                if let Some(base) = &fields.rest {
                    self.report.at(
                        base,
                        "on the left of `=`, `..` stands for the other fields: leave this out",
                    );
                }
                let path = &fields.path;
                let dots = fields.dot2_token.map(|dots| quote!(#dots));
                (quote!(#path { #(#probes,)* #dots }), plain(texts))
            }
            place => match self.place(place) {
                Some(lowered) => (lowered.probe, plain([Sexp::atom("to"), lowered.text])),
                None => (quote!(_), Sexp::atom("_")),
            },
        }
    }

    fn targets(&mut self, parts: &Punctuated<Expr, Token![,]>) -> (Vec<TokenStream>, Sexp) {
        let mut probes = Vec::new();
        let mut texts = vec![Sexp::atom("of")];
        let mut rest_seen = false;
        for (k, part) in parts.iter().enumerate() {
            if let Expr::Range(ExprRange {
                start: None,
                end: None,
                limits: syn::RangeLimits::HalfOpen(_),
                ..
            }) = part
            {
                rest_seen = true;
                probes.push(quote_spanned!(part.span()=> ..));
                continue;
            }
            let (probe, text) = self.target_of(part);
            probes.push(probe);
            let key = if rest_seen {
                format!("-{}", parts.len() - k)
            } else {
                k.to_string()
            };
            texts.push(plain([Sexp::atom(key), text]));
        }
        (probes, plain(texts))
    }
}
