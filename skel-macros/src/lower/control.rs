//! Branches, loops, jumps.

use super::{Evident, Lower, Lowered, Sexp};
use quote::{quote, quote_spanned};
use std::collections::HashMap;
use syn::{
    Expr, ExprBreak, ExprContinue, ExprIf, ExprLoop, ExprReturn, ExprWhile, spanned::Spanned,
};

impl Lower<'_> {
    pub(super) fn while_loop(&mut self, repeat: &ExprWhile) -> Lowered {
        let span = repeat.span();
        let label = &repeat.label;
        self.scopes.push(HashMap::new());
        let (number, (condition, (body, body_text, _))) = self.in_loop(label, |lower| {
            let condition = lower.condition(&repeat.cond);
            (condition, lower.block(&repeat.body, false))
        });
        self.scopes.pop();
        let c = condition.probe;
        let text = Sexp::list(
            span,
            "while",
            [Sexp::atom(number), condition.text, body_text],
        );
        Lowered {
            probe: quote_spanned!(span=> #label while #c #body),
            text,
            evident: Evident::Nothing,
        }
    }

    pub(super) fn endless_loop(&mut self, repeat: &ExprLoop) -> Lowered {
        let span = repeat.span();
        let label = &repeat.label;
        let (number, (body, body_text, _)) =
            self.in_loop(label, |lower| lower.block(&repeat.body, false));
        let text = Sexp::list(span, "loop", [Sexp::atom(number), body_text]);
        Lowered {
            probe: quote_spanned!(span=> #label loop #body),
            text,
            evident: Evident::Nothing,
        }
    }

    pub(super) fn next_round(&mut self, next: &ExprContinue) -> Lowered {
        let span = next.span();
        let label = &next.label;
        let text = Sexp::list(span, "cont", [self.target(label)]);
        Lowered {
            probe: quote_spanned!(span=> continue #label),
            text,
            evident: Evident::Nothing,
        }
    }

    pub(super) fn branch(&mut self, branch: &ExprIf, tail_of_function: bool) -> Lowered {
        let span = branch.if_token.span;
        self.scopes.push(HashMap::new());
        let condition = self.condition(&branch.cond);
        let (yes, yes_text, evident) = self.block(&branch.then_branch, tail_of_function);
        self.scopes.pop();
        let c = condition.probe;
        let Some((_, other)) = &branch.else_branch else {
            let text = Sexp::list(span, "if", [condition.text, yes_text]);
            return Lowered {
                probe: quote_spanned!(span=> if #c #yes),
                text,
                evident: Evident::Nothing,
            };
        };
        let other = match &**other {
            Expr::If(inner) => self.branch(inner, tail_of_function),
            Expr::Block(block) => {
                let (probe, text, evident) = self.block(&block.block, tail_of_function);
                Lowered {
                    probe,
                    text,
                    evident,
                }
            }
            other => self.expr(other),
        };
        let no = other.probe;
        let text = Sexp::list(span, "if", [condition.text, yes_text, other.text]);
        let probe = quote_spanned!(span=> if #c #yes else #no);
        Lowered {
            probe,
            text,
            evident: evident.either(other.evident),
        }
    }

    pub(super) fn leave(&mut self, leave: &ExprBreak) -> Lowered {
        let label = &leave.label;
        let number = self.target(label);
        let span = leave.break_token.span;
        let (probe, text) = match &leave.expr {
            None => (
                quote_spanned!(span=> break #label),
                Sexp::list(span, "brk", [number]),
            ),
            Some(value) => {
                let value = self.expr(value);
                let v = value.probe;
                (
                    quote_spanned!(span=> break #label #v),
                    Sexp::list(span, "brk", [number, value.text]),
                )
            }
        };
        Lowered {
            probe,
            text,
            evident: Evident::Nothing,
        }
    }

    pub(super) fn give_back(&mut self, give_back: &ExprReturn) -> Lowered {
        let span = give_back.return_token.span;
        let (probe, text) = match &give_back.expr {
            None => (None, Sexp::list(span, "ret", [])),
            Some(value) => {
                let value = self.placed(value);
                (Some(value.probe), Sexp::list(span, "ret", [value.text]))
            }
        };
        let probe = match (probe, self.is_closure()) {
            // The slot that the closure's result passes through.
            (probe, true) => {
                let value = probe.unwrap_or_else(|| quote!(()));
                quote_spanned!(span=> return __ret.put(#value))
            }
            (probe, false) => quote_spanned!(span=> return #probe),
        };
        Lowered {
            probe,
            text,
            evident: Evident::Nothing,
        }
    }
}
