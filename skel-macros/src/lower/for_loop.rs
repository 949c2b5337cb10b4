//! `for`: over ranges, also backwards and in steps; over arrays and slices (`elements`).

use super::{Evident, Lower, Lowered, Sexp, literal::open};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use std::collections::HashMap;
use syn::{Expr, ExprForLoop, ExprMethodCall, ExprRange, Pat, RangeLimits, spanned::Spanned};

/// What a `for` runs over.
pub(super) struct Sequence {
    pub(super) probe: TokenStream,
    /// Of the variable.
    pub(super) evident: Evident,
    /// `(range first last closed? rev? step?)`, `(array value type)`, `(view container)`, or
    /// `(enumerate …)` of one of the last two.
    pub(super) text: Sexp,
    pub(super) items: Items,
}

/// What a `for` gives to its pattern.
#[derive(Clone, Copy, Default)]
pub(super) struct Items {
    /// References to the elements.
    pub(super) by_ref: bool,
    /// Pairs of index and element.
    pub(super) enumerated: bool,
}

impl Lower<'_> {
    /// `(for loop sequence pattern body)`.
    pub(super) fn for_loop(&mut self, repeat: &ExprForLoop) -> Lowered {
        let span = repeat.for_token.span;
        let sequence = self.sequence(&repeat.expr);
        self.scopes.push(HashMap::new());
        let pattern = self.round(&repeat.pat, &sequence);
        let mutable = matches!(&*repeat.pat, Pat::Ident(name) if name.mutability.is_some());
        let label = &repeat.label;
        let (number, (body, body_text, _)) =
            self.in_loop(label, |lower| lower.block(&repeat.body, false));
        self.scopes.pop();
        let parts = [
            Sexp::atom(number),
            sequence.text,
            pattern,
            if mutable {
                Sexp::atom("mut")
            } else {
                Sexp::none()
            },
            body_text,
        ];
        let (pat, over) = (&repeat.pat, sequence.probe);
        Lowered {
            probe: quote_spanned!(span=> #label for #pat in #over #body),
            text: Sexp::list(span, "for", parts),
            evident: Evident::Nothing,
        }
    }

    fn sequence(&mut self, e: &Expr) -> Sequence {
        match e {
            Expr::Paren(inner) => {
                let sequence = self.sequence(&inner.expr);
                let probe = sequence.probe;
                Sequence {
                    probe: quote_spanned!(e.span()=> (#probe)),
                    ..sequence
                }
            }
            Expr::Range(range) => self.range(range, Sexp::none(), Sexp::none()),
            Expr::MethodCall(call) if call.method == "rev" || call.method == "step_by" => {
                self.adapted(call)
            }
            _ => self.elements_of(e),
        }
    }

    /// `a..b`, `a..=b`.
    fn range(&mut self, range: &ExprRange, rev: Sexp, step: Sexp) -> Sequence {
        let (Some(start), Some(end)) = (&range.start, &range.end) else {
            let lowered = self.refuse(range, "a `for` needs both ends of its range: `a..b`");
            return Sequence::refused(lowered);
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
        let limits = &range.limits;
        let closed = match limits {
            RangeLimits::Closed(_) => Sexp::atom("closed"),
            RangeLimits::HalfOpen(_) => Sexp::none(),
        };
        let (f, l) = (first.probe, last.probe);
        let parts = [first.text, last.text, closed, rev, step];
        Sequence {
            probe: quote!(#f #limits #l),
            evident,
            text: Sexp::list(range.span(), "range", parts),
            items: Items::default(),
        }
    }

    /// `(a..b).rev()`, `(a..b).step_by(n)`, `(a..b).rev().step_by(n)`.
    fn adapted(&mut self, call: &ExprMethodCall) -> Sequence {
        let (mut rev, mut step) = (None, None);
        let mut inner = call;
        loop {
            // The last call is seen first.
            if inner.method == "step_by" && step.is_none() && rev.is_none() && inner.args.len() == 1
            {
                step = Some(inner);
            } else if inner.method == "rev" && rev.is_none() && inner.args.is_empty() {
                rev = Some(inner);
            } else {
                let lowered = self.refuse(
                    &inner.method,
                    "a range is turned around or stepped through once: `(a..b).rev().step_by(n)`",
                );
                return Sequence::refused(lowered);
            }
            let mut receiver = &*inner.receiver;
            while let Expr::Paren(paren) = receiver {
                receiver = &paren.expr;
            }
            match receiver {
                Expr::MethodCall(next) => inner = next,
                Expr::Range(range) => return self.adapted_range(range, rev, step),
                other => {
                    let message = format!(
                        "`{}` is possible on a range only: `(a..b).{}`",
                        inner.method,
                        if inner.method == "rev" {
                            "rev()"
                        } else {
                            "step_by(n)"
                        }
                    );
                    let lowered = self.refuse(other, message);
                    return Sequence::refused(lowered);
                }
            }
        }
    }

    fn adapted_range(
        &mut self,
        range: &ExprRange,
        rev: Option<&ExprMethodCall>,
        step: Option<&ExprMethodCall>,
    ) -> Sequence {
        let turned = if rev.is_some() {
            Sexp::atom("rev")
        } else {
            Sexp::none()
        };
        let stepped = step.map(|call| self.placed(&call.args[0]));
        let (step_probe, step_text) = match stepped {
            Some(size) => (Some(size.probe), size.text),
            None => (None, Sexp::none()),
        };
        let sequence = self.range(range, turned, step_text);
        let mut probe = sequence.probe;
        probe = quote!((#probe));
        if let Some(rev) = rev {
            let method = &rev.method;
            probe = quote_spanned!(method.span()=> #probe.#method());
        }
        if let Some(step) = step {
            let method = &step.method;
            probe = quote_spanned!(method.span()=> #probe.#method(#step_probe));
        }
        Sequence { probe, ..sequence }
    }
}

impl Sequence {
    /// Stands in for what has an error.
    pub(super) fn refused(lowered: Lowered) -> Sequence {
        Sequence {
            probe: lowered.probe,
            evident: Evident::Nothing,
            text: Sexp::none(),
            items: Items::default(),
        }
    }
}
