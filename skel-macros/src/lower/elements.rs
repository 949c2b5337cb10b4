//! `for` over the elements of an array or a slice: by value, by reference, with their indices.

use super::{
    Lower, Sexp,
    for_loop::{Items, Sequence},
    pattern::{Known, plain},
    view::Special,
};
use quote::{quote, quote_spanned};
use syn::{Expr, ExprMethodCall, Pat, spanned::Spanned};

/// The calls after what is run over: `.iter()`, then perhaps `.copied()`, then perhaps `.enumerate()`.
struct Chain<'e> {
    base: &'e Expr,
    /// Whether it is `&base`, and no calls.
    borrowed: bool,
    calls: Vec<&'e ExprMethodCall>,
    items: Items,
}

impl<'e> Chain<'e> {
    /// Nothing, if the calls are others, or in another order.
    fn of(e: &'e Expr) -> Option<Chain<'e>> {
        let mut calls = Vec::new();
        let mut base = e;
        loop {
            match base {
                Expr::MethodCall(call) if is_step(call) => {
                    calls.push(call);
                    base = &call.receiver;
                }
                Expr::Paren(inner) if !calls.is_empty() => base = &inner.expr,
                _ => break,
            }
        }
        calls.reverse();
        let mut borrowed = false;
        if let (true, Expr::Reference(reference)) = (calls.is_empty(), base)
            && reference.mutability.is_none()
        {
            (borrowed, base) = (true, &reference.expr);
        }
        let mut rest: &[&ExprMethodCall] = &calls;
        let mut take = |names: &[&str]| match rest {
            [first, others @ ..] if names.iter().any(|name| first.method == name) => {
                rest = others;
                true
            }
            _ => false,
        };
        let by_iter = take(&["iter"]);
        let by_value = !by_iter && take(&["into_iter"]);
        let copied = by_iter && take(&["copied", "cloned"]);
        let enumerated = (by_iter || by_value) && take(&["enumerate"]);
        let items = Items {
            by_ref: (by_iter || borrowed) && !copied,
            enumerated,
        };
        rest.is_empty().then_some(Chain {
            base,
            borrowed,
            calls,
            items,
        })
    }
}

fn is_step(call: &ExprMethodCall) -> bool {
    let known = ["iter", "into_iter", "copied", "cloned", "enumerate"];
    call.args.is_empty() && call.turbofish.is_none() && known.iter().any(|k| call.method == k)
}

impl Lower<'_> {
    pub(super) fn elements_of(&mut self, e: &Expr) -> Sequence {
        let Some(chain) = Chain::of(e) else {
            let lowered = self.refuse(
                e,
                "`for` runs over a range, or over elements: `xs`, `xs.iter()`, `xs.iter().copied()`, these with `.enumerate()`",
            );
            return Sequence::refused(lowered);
        };
        let sequence = match self.special(chain.base) {
            Some((_, Special::Line(_))) => {
                let lowered = self.refuse(
                    chain.base,
                    "`for` does not run over a line: run over its indices, `for i in 0..l.len()`",
                );
                return Sequence::refused(lowered);
            }
            Some((number, Special::View(element))) => {
                let span = chain.base.span();
                let view = Sexp::list(span, "v", [Sexp::atom(number)]);
                let base = chain.base;
                Sequence {
                    probe: quote!(#base),
                    evident: element,
                    text: Sexp::list(span, "view", [view]),
                    items: Items {
                        // `into_iter` of a slice gives references as well.
                        by_ref: chain.items.by_ref
                            || !chain.calls.iter().any(|c| c.method == "iter"),
                        ..chain.items
                    },
                }
            }
            _ => self.array_elements(chain.base, chain.items),
        };
        let (mut probe, mut text) = (sequence.probe, sequence.text);
        if chain.borrowed {
            probe = quote!(&#probe);
        }
        for call in &chain.calls {
            let method = &call.method;
            probe = quote_spanned!(method.span()=> #probe.#method());
        }
        if chain.items.enumerated {
            text = Sexp::list(e.span(), "enumerate", [text]);
        }
        Sequence {
            probe,
            text,
            ..sequence
        }
    }

    /// An array.
    fn array_elements(&mut self, e: &Expr, items: Items) -> Sequence {
        let value = self.expr(e);
        let evident = value.evident.element();
        let (v, span) = (value.probe, e.span());
        let slot = self.slot(span);
        // Asks that it is an array, where rustc would take whatever can be iterated.
        let element = self.ty(quote_spanned!(span=> #slot.element()));
        Sequence {
            probe: quote_spanned!(span=> #slot.put(#v)),
            evident,
            text: Sexp::list(span, "array", [value.text, element]),
            items,
        }
    }

    /// The pattern of a `for`.
    pub(super) fn round(&mut self, pat: &Pat, sequence: &Sequence) -> Sexp {
        if !sequence.items.enumerated {
            return self.element_pattern(pat, sequence);
        }
        match pat {
            Pat::Paren(inner) => self.round(&inner.pat, sequence),
            Pat::Tuple(pair) if pair.elems.len() == 2 => {
                let index =
                    self.irrefutable(&pair.elems[0], Known::evident(super::Evident::Number));
                let element = self.element_pattern(&pair.elems[1], sequence);
                let parts = [index, element].into_iter().enumerate();
                let parts = parts.map(|(k, part)| plain([Sexp::atom(k), part]));
                plain(std::iter::once(Sexp::atom("of")).chain(parts))
            }
            other => self.no_pattern(other, "`enumerate` gives pairs: `(i, x)`"),
        }
    }

    fn element_pattern(&mut self, pat: &Pat, sequence: &Sequence) -> Sexp {
        let known = Known::evident(sequence.evident);
        if !sequence.items.by_ref {
            return self.irrefutable(pat, known);
        }
        match pat {
            Pat::Paren(inner) => self.element_pattern(&inner.pat, sequence),
            Pat::Reference(reference) if reference.mutability.is_none() => {
                self.irrefutable(&reference.pat, known)
            }
            Pat::Wild(_) => self.irrefutable(pat, known),
            Pat::Ident(name) if name.subpat.is_none() && name.mutability.is_none() => {
                let text = self.irrefutable(pat, known);
                self.is_reference(&name.ident);
                text
            }
            other => self.no_pattern(
                other,
                "elements are references here: write a `&` before the pattern, or `.copied()` behind `.iter()`",
            ),
        }
    }
}
