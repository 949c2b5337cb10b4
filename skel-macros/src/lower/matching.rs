//! `match`, `matches!`, and conditions with `let`.

use super::{
    Evident, Lower, Lowered, Sexp,
    assertion::visible,
    literal::open,
    pattern::{Known, plain},
};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use std::collections::HashMap;
use syn::{
    BinOp, Expr, ExprMatch, Macro, Pat, Token,
    parse::{Parse, ParseStream},
    spanned::Spanned,
};

/// Each is tried after the one before it.
const MOST_ARMS: usize = 1000;

/// The literals among the arms of a `match` are of one type: one slot says it.
#[derive(Default)]
struct ArmLiteral(Option<String>);

impl Lower<'_> {
    /// `match`: `(match value (arm pattern guard? body) …)`.
    pub(super) fn matching(&mut self, e: &ExprMatch, tail_of_function: bool) -> Lowered {
        let span = e.match_token.span;
        let value = self.expr(&e.expr);
        if e.arms.is_empty() {
            return self.refuse(e.match_token, "a `match` needs an arm");
        }
        if let Some(arm) = e.arms.get(MOST_ARMS) {
            let message = format!(
                "a `match` has at most {MOST_ARMS} arms: look the value up in a constant array, or match in two steps"
            );
            return self.refuse(&arm.pat, message);
        }
        let mut arms = Vec::new();
        let mut texts = vec![value.text];
        let mut evident = None;
        let mut literal = ArmLiteral::default();
        for arm in &e.arms {
            let (pat, guard) = match &arm.pat {
                Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard)),
                pat => (pat, None),
            };
            self.scopes.push(HashMap::new());
            let pattern = self.refutable(pat, Known::evident(value.evident));
            let guard = guard.map(|guard| self.expr(guard));
            let body = self.arm_body(&arm.body, tail_of_function, &mut literal);
            self.scopes.pop();
            if !jumps(&arm.body) {
                evident = Some(match evident {
                    None => body.evident,
                    Some(others) => body.evident.either(others),
                });
            }
            let (p, b) = (pattern.probe, body.probe);
            let (guard_probe, guard_text) = match guard {
                Some(guard) => {
                    let g = guard.probe;
                    (Some(quote!(if #g)), guard.text)
                }
                None => (None, Sexp::none()),
            };
            let arrow = &arm.fat_arrow_token;
            arms.push(quote!(#p #guard_probe #arrow #b,));
            let parts = [pattern.text, guard_text, body.text];
            texts.push(Sexp::list(pat.span(), "arm", parts));
        }
        let v = value.probe;
        Lowered {
            probe: quote_spanned!(span=> match #v { #(#arms)* }),
            text: Sexp::list(span, "match", texts),
            evident: evident.unwrap_or(Evident::Nothing),
        }
    }

    fn arm_body(
        &mut self,
        body: &Expr,
        tail_of_function: bool,
        literal: &mut ArmLiteral,
    ) -> Lowered {
        let Some(digits) = open(body) else {
            return self.tail_expr(body, tail_of_function);
        };
        if tail_of_function {
            return self.open_literal(body, &digits);
        }
        let (probe, ty) = match &literal.0 {
            Some(ty) => (quote!(#body), Sexp::atom(ty)),
            None => {
                let (slot, ty) = self.typed_slot(body.span());
                if let Sexp::Atom(number) = &ty {
                    literal.0 = Some(number.clone());
                }
                (quote_spanned!(body.span()=> #slot.put(#body)), ty)
            }
        };
        Lowered {
            probe,
            text: Sexp::list(body.span(), "lit", [ty, Sexp::atom(digits)]),
            evident: Evident::Number,
        }
    }

    /// A condition; `let` may stand in it, and binds in the current scope.
    pub(super) fn condition(&mut self, e: &Expr) -> Lowered {
        match e {
            Expr::Let(binding) => {
                let value = self.expr(&binding.expr);
                let pattern = self.refutable(&binding.pat, Known::evident(value.evident));
                let (p, v) = (pattern.probe, value.probe);
                let span = binding.let_token.span;
                Lowered {
                    probe: quote_spanned!(span=> let #p = #v),
                    text: Sexp::list(span, "is", [pattern.text, value.text]),
                    evident: Evident::Bool,
                }
            }
            Expr::Binary(both) if matches!(both.op, BinOp::And(_)) => {
                let (left, right) = (self.condition(&both.left), self.condition(&both.right));
                let (l, op, r) = (left.probe, &both.op, right.probe);
                Lowered {
                    probe: quote!(#l #op #r),
                    text: Sexp::list(op.span(), "&&", [left.text, right.text]),
                    evident: Evident::Bool,
                }
            }
            e => self.expr(e),
        }
    }

    /// `matches!(value, pattern if guard)`.
    pub(super) fn matches_macro(&mut self, call: &Macro) -> Lowered {
        self.of_std(call, &quote!((), ()));
        let span = call.path.span();
        let Matches { value, pat, guard } = match call.parse_body() {
            Ok(parsed) => parsed,
            Err(error) => {
                self.report.add(error);
                return self.nothing();
            }
        };
        let value = self.expr(&visible(value));
        self.scopes.push(HashMap::new());
        let pattern = self.refutable(&pat, Known::evident(value.evident));
        let guard = guard.map(|guard| self.expr(&visible(guard)));
        self.scopes.pop();
        let (v, p) = (value.probe, pattern.probe);
        let mut guard_probe = TokenStream::new();
        let text = match guard {
            None => Sexp::list(span, "is", [pattern.text, value.text]),
            Some(guard) => {
                let g = guard.probe;
                guard_probe = quote!(if #g);
                let bool_ty = self.ty(quote!(__skel::Ty::Bool));
                let Sexp::Atom(ty) = bool_ty else {
                    unreachable!("types are numbers")
                };
                let arm = |pattern, guard, value: bool| {
                    let value = plain([Sexp::atom("lit"), Sexp::atom(&ty), Sexp::atom(value)]);
                    Sexp::list(span, "arm", [pattern, guard, value])
                };
                let yes = arm(pattern.text, guard.text, true);
                let no = arm(Sexp::atom("_"), Sexp::none(), false);
                Sexp::list(span, "match", [value.text, yes, no])
            }
        };
        Lowered {
            probe: quote_spanned!(span=> match #v { #p #guard_probe => true, _ => false }),
            text,
            evident: Evident::Bool,
        }
    }
}

/// The arguments of `matches!`.
struct Matches {
    value: Expr,
    pat: Pat,
    guard: Option<Expr>,
}

impl Parse for Matches {
    fn parse(input: ParseStream) -> syn::Result<Matches> {
        let value = input.parse()?;
        input.parse::<Token![,]>()?;
        let pat = Pat::parse_multi_with_leading_vert(input)?;
        let guard = if input.peek(Token![if]) {
            input.parse::<Token![if]>()?;
            Some(input.parse()?)
        } else {
            None
        };
        input.parse::<Option<Token![,]>>()?;
        Ok(Matches { value, pat, guard })
    }
}

/// Whether control evidently does not come back from here.
fn jumps(e: &Expr) -> bool {
    match e {
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
        Expr::Macro(call) => super::assertion::always_panics(&call.mac),
        Expr::Paren(inner) => jumps(&inner.expr),
        _ => false,
    }
}
