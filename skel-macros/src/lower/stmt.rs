//! Blocks and statements.

use super::{Evident, Lower, Sexp, literal::open, pattern::Known};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use std::collections::HashMap;
use syn::{Block, Expr, Local, LocalInit, Pat, Stmt, Token, Type, spanned::Spanned};

impl Lower<'_> {
    /// A block with its braces. The tail of a function is a place whose type is known.
    pub(super) fn block(
        &mut self,
        block: &Block,
        tail_of_function: bool,
    ) -> (TokenStream, Sexp, Evident) {
        self.scopes.push(HashMap::new());
        let mut probes = self.enter_items(block);
        let mut texts = Vec::new();
        let mut evident = Evident::Nothing;
        let last = block.stmts.len().saturating_sub(1);
        for (k, stmt) in block.stmts.iter().enumerate() {
            match stmt {
                Stmt::Local(local) => {
                    if let Some((probe, text)) = self.local(local) {
                        probes.push(probe);
                        texts.push(text);
                    }
                }
                Stmt::Expr(e, semicolon) => {
                    let is_tail = k == last && semicolon.is_none();
                    let lowered = match open(e) {
                        Some(text) if is_tail && tail_of_function => self.open_literal(e, &text),
                        _ => self.tail_expr(e, is_tail && tail_of_function),
                    };
                    let probe = lowered.probe;
                    if is_tail {
                        probes.push(probe);
                        texts.push(Sexp::list(e.span(), "tail", [lowered.text]));
                        evident = lowered.evident;
                    } else {
                        let semicolon = semicolon.map(|s| quote_spanned!(s.span=> ;));
                        probes.push(quote_spanned!(e.span()=> #probe #semicolon));
                        texts.push(lowered.text);
                    }
                }
                Stmt::Macro(call) => {
                    let lowered = self.macro_call(&call.mac);
                    let (probe, span) = (lowered.probe, call.mac.path.span());
                    if k == last && call.semi_token.is_none() {
                        probes.push(probe);
                        texts.push(Sexp::list(span, "tail", [lowered.text]));
                        evident = lowered.evident;
                    } else {
                        probes.push(quote_spanned!(span=> #probe;));
                        texts.push(lowered.text);
                    }
                }
                // They are known to the whole block already.
                Stmt::Item(_) => {}
            }
        }
        self.leave_items();
        self.scopes.pop();
        (
            quote!({ #(#probes)* }),
            Sexp::list(block.span(), "bl", texts),
            evident,
        )
    }

    fn local(&mut self, local: &Local) -> Option<(TokenStream, Sexp)> {
        let (pat, ty): (&Pat, Option<&Type>) = match &local.pat {
            Pat::Type(typed) => (&typed.pat, Some(&typed.ty)),
            pat => (pat, None),
        };
        let init = match &local.init {
            None => None,
            Some(init) => {
                if let Some((else_token, other)) = &init.diverge {
                    return Some(self.local_or_else(local, init, *else_token, other));
                }
                Some(match ty {
                    Some(_) => self.placed(&init.expr),
                    None => self.expr(&init.expr),
                })
            }
        };
        let whole = &local.pat;
        let evident = match (ty, &init) {
            (Some(ty), _) => Evident::of(ty),
            (None, Some(init)) => init.evident,
            (None, None) => Evident::Nothing,
        };
        let written = ty.map(|ty| self.written_ty(ty));
        let name = match pat {
            Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => name,
            Pat::Wild(_) => {
                let init = init?;
                let probe = init.probe;
                let text = match written {
                    None => init.text,
                    Some(ty) => {
                        let parts = [Sexp::atom("_"), ty, init.text];
                        Sexp::list(local.span(), "unpack", parts)
                    }
                };
                return Some((quote_spanned!(local.span()=> let #whole = #probe;), text));
            }
            _ => match init {
                Some(init) => {
                    let known = match ty {
                        Some(ty) => Known::ty(ty),
                        None => Known::evident(evident),
                    };
                    let pattern = self.irrefutable(pat, known);
                    let value = init.probe;
                    let ty = written.unwrap_or_else(Sexp::none);
                    let text = Sexp::list(local.span(), "unpack", [pattern, ty, init.text]);
                    return Some((quote_spanned!(local.span()=> let #whole = #value;), text));
                }
                None => {
                    self.bind_all(pat);
                    self.report
                        .at(pat, "without a value, a `let` declares one plain name");
                    return None;
                }
            },
        };
        // Bound after the value was lowered: `let x = x + 1` means the old one.
        let number = self.bind(&name.ident, evident, false);
        let (probe, ty, value) = match init {
            Some(init) => {
                let value = init.probe;
                let probe = quote_spanned!(local.span()=> let #whole = #value;);
                (probe, written.unwrap_or_else(Sexp::none), init.text)
            }
            None => {
                let probe = quote_spanned!(local.span()=> let #whole;);
                match written {
                    Some(ty) => (probe, ty, Sexp::none()),
                    None => {
                        let (slot, ty) = self.typed_slot(name.ident.span());
                        let ident = &name.ident;
                        (quote!(#probe #slot.see(&#ident);), ty, Sexp::none())
                    }
                }
            }
        };
        let spelled = Sexp::atom(crate::ast::spelling(&name.ident));
        let text = Sexp::list(
            local.span(),
            "let",
            [Sexp::atom(number), spelled, ty, value],
        );
        Some((probe, text))
    }

    /// `let p = value else { … };`: `(unless pattern value otherwise)`.
    fn local_or_else(
        &mut self,
        local: &Local,
        init: &LocalInit,
        else_token: Token![else],
        otherwise: &Expr,
    ) -> (TokenStream, Sexp) {
        let (pat, ty): (&Pat, Option<&Type>) = match &local.pat {
            Pat::Type(typed) => (&typed.pat, Some(&typed.ty)),
            pat => (pat, None),
        };
        let value = match ty {
            Some(_) => self.placed(&init.expr),
            None => self.expr(&init.expr),
        };
        let otherwise = self.expr(otherwise);
        let known = ty.map_or(Known::evident(value.evident), Known::ty);
        let pattern = self.refutable(pat, known);
        let ty_text = match ty {
            Some(ty) => self.written_ty(ty),
            None => Sexp::none(),
        };
        let ty = ty.map(|ty| quote!(: #ty));
        let (p, v, o) = (pattern.probe, value.probe, otherwise.probe);
        let text = [pattern.text, ty_text, value.text, otherwise.text];
        (
            quote_spanned!(local.span()=> let #p #ty = #v #else_token #o;),
            Sexp::list(local.span(), "unless", text),
        )
    }

    /// An expression, or the tail of a function: then literals at its ends need no slot.
    pub(super) fn tail_expr(&mut self, e: &Expr, tail_of_function: bool) -> super::Lowered {
        match e {
            Expr::If(branch) => self.branch(branch, tail_of_function),
            Expr::Match(matching) => self.matching(matching, tail_of_function),
            Expr::Block(block) if block.label.is_none() => {
                let (probe, text, evident) = self.block(&block.block, tail_of_function);
                super::Lowered {
                    probe,
                    text,
                    evident,
                }
            }
            e if tail_of_function => self.placed(e),
            e => self.expr(e),
        }
    }
}
