//! Branches, loops, jumps.

use super::{Evident, Lower, Lowered, Sexp, literal::open};
use quote::{quote, quote_spanned};
use std::collections::HashMap;
use syn::{
    Expr, ExprBreak, ExprContinue, ExprForLoop, ExprIf, ExprLoop, ExprRange, ExprReturn, ExprWhile,
    Label, Lifetime, Pat, RangeLimits, spanned::Spanned,
};

impl Lower<'_> {
    pub(super) fn while_loop(&mut self, repeat: &ExprWhile) -> Lowered {
        let span = repeat.span();
        if let Expr::Let(condition) = &*repeat.cond {
            return self.refuse(
                condition,
                "`while let` is not possible: use `while` with a condition",
            );
        }
        self.no_label(&repeat.label);
        let condition = self.expr(&repeat.cond);
        let (number, (body, body_text, _)) = self.in_loop(|lower| lower.block(&repeat.body, false));
        let c = condition.probe;
        let text = Sexp::list(
            span,
            "while",
            [Sexp::atom(number), condition.text, body_text],
        );
        Lowered {
            probe: quote_spanned!(span=> while #c #body),
            text,
            evident: Evident::Nothing,
        }
    }

    pub(super) fn endless_loop(&mut self, repeat: &ExprLoop) -> Lowered {
        let span = repeat.span();
        self.no_label(&repeat.label);
        let (number, (body, body_text, _)) = self.in_loop(|lower| lower.block(&repeat.body, false));
        let text = Sexp::list(span, "loop", [Sexp::atom(number), body_text]);
        Lowered {
            probe: quote_spanned!(span=> loop #body),
            text,
            evident: Evident::Nothing,
        }
    }

    pub(super) fn next_round(&mut self, next: &ExprContinue) -> Lowered {
        let span = next.span();
        self.no_jump_label(&next.label);
        let number = self.loops.last().copied().unwrap_or_default();
        let text = Sexp::list(span, "cont", [Sexp::atom(number)]);
        Lowered {
            probe: quote!(continue),
            text,
            evident: Evident::Nothing,
        }
    }

    pub(super) fn branch(&mut self, branch: &ExprIf, tail_of_function: bool) -> Lowered {
        let span = branch.if_token.span;
        let condition = self.expr(&branch.cond);
        let (yes, yes_text, evident) = self.block(&branch.then_branch, tail_of_function);
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

    fn in_loop<R>(&mut self, body: impl FnOnce(&mut Self) -> R) -> (usize, R) {
        let number = self.loop_count;
        self.loop_count += 1;
        self.loops.push(number);
        let result = body(self);
        self.loops.pop();
        (number, result)
    }

    pub(super) fn for_loop(&mut self, repeat: &ExprForLoop) -> Lowered {
        let span = repeat.for_token.span;
        self.no_label(&repeat.label);
        let mut range = &*repeat.expr;
        while let Expr::Paren(inner) = range {
            range = &inner.expr;
        }
        let Expr::Range(ExprRange {
            start: Some(start),
            end: Some(end),
            limits,
            ..
        }) = range
        else {
            return self.refuse(
                &repeat.expr,
                "`for` runs over a range `a..b` or `a..=b` only: otherwise use `while`",
            );
        };
        let (first, last) = match (open(start), open(end)) {
            // One of two literals says the type of both.
            (Some(_), Some(text)) => {
                let first = self.expr(start);
                (first, self.open_literal(end, &text))
            }
            _ => self.operands(start, end, true),
        };
        let evident = if first.evident.is_scalar() || last.evident.is_scalar() {
            Evident::Number
        } else {
            Evident::Nothing
        };
        self.scopes.push(HashMap::new());
        let (name, mutable) = match &*repeat.pat {
            Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
                (name.ident.clone(), name.mutability.is_some())
            }
            Pat::Wild(wild) => (syn::Ident::new("_i", wild.span()), false),
            pat => {
                self.report
                    .at(pat, "the variable of a `for` is one plain name");
                (syn::Ident::new("_i", pat.span()), false)
            }
        };
        let variable = self.bind(&name, evident, false);
        let (number, (body, body_text, _)) = self.in_loop(|lower| lower.block(&repeat.body, false));
        self.scopes.pop();
        let closed = matches!(limits, RangeLimits::Closed(_));
        let text = Sexp::list(
            span,
            "for",
            [
                Sexp::atom(number),
                Sexp::atom(variable),
                Sexp::atom(crate::ast::spelling(&name)),
                if mutable {
                    Sexp::atom("mut")
                } else {
                    Sexp::none()
                },
                first.text,
                last.text,
                if closed {
                    Sexp::atom("closed")
                } else {
                    Sexp::none()
                },
                body_text,
            ],
        );
        let (pat, first, last) = (&repeat.pat, first.probe, last.probe);
        let probe = quote_spanned!(span=> for #pat in #first #limits #last #body);
        Lowered {
            probe,
            text,
            evident: Evident::Nothing,
        }
    }

    pub(super) fn leave(&mut self, leave: &ExprBreak) -> Lowered {
        self.no_jump_label(&leave.label);
        let number = Sexp::atom(self.loops.last().copied().unwrap_or_default());
        let span = leave.break_token.span;
        let (probe, text) = match &leave.expr {
            None => (quote!(break), Sexp::list(span, "brk", [number])),
            Some(value) => {
                let value = self.expr(value);
                let v = value.probe;
                (
                    quote_spanned!(span=> break #v),
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

    pub(super) fn no_label(&mut self, label: &Option<Label>) {
        if let Some(label) = label {
            self.report.at(label, "labels are not possible yet: set a `bool`, or put the inner loop into a function of its own");
        }
    }

    /// The label itself has been reported.
    fn no_jump_label(&mut self, label: &Option<Lifetime>) {
        debug_assert!(label.is_none() || self.report.has_errors());
    }
}
