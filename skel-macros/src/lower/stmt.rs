//! Blocks and statements.

use super::{Evident, Lower, Sexp, literal::open};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use std::collections::HashMap;
use syn::{Block, Expr, Local, Pat, Stmt, Type, spanned::Spanned};

impl Lower<'_> {
    /// A block with its braces. The tail of a function is a place whose type is known.
    pub(super) fn block(
        &mut self,
        block: &Block,
        tail_of_function: bool,
    ) -> (TokenStream, Sexp, Evident) {
        self.scopes.push(HashMap::new());
        let mut probes = Vec::new();
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
                    self.macro_call(&call.mac);
                }
                Stmt::Item(item) => self.report.at(
                    item,
                    "items inside of a user function are not possible: put it beside the function",
                ),
            }
        }
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
                if let Some((else_token, _)) = &init.diverge {
                    self.report
                        .at(else_token, "`let … else` is not possible yet: use `if`");
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
                return Some((
                    quote_spanned!(local.span()=> let #whole = #probe;),
                    init.text,
                ));
            }
            Pat::Tuple(_) | Pat::TupleStruct(_) | Pat::Struct(_) | Pat::Slice(_) => {
                self.report.at(
                    pat,
                    "taking values apart is not possible yet: one name for each `let`",
                );
                self.bind_all(pat);
                return None;
            }
            _ => {
                self.bind_all(pat);
                self.report.at(
                    pat,
                    "this pattern is not possible: one plain name for each `let`",
                );
                return None;
            }
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

    /// An expression, or the tail of a function: then literals at its ends need no slot.
    fn tail_expr(&mut self, e: &Expr, tail_of_function: bool) -> super::Lowered {
        match e {
            Expr::If(branch) => self.branch(branch, tail_of_function),
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
