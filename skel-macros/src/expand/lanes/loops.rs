//! Loops.

use super::{
    body::Place,
    exits::{Exit, Exits},
    flow::{Done, Flow, Held, Kind, Refused, Region, Scope, Variable, bit},
    risk::Risk,
    words::{Words, bound, words},
};
use crate::inclusive;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Block, Expr, ExprForLoop, Ident, Label, Pat, RangeLimits};

/// `for i in a..b`: the name, both ends, and whether `b` is one of them.
pub(super) struct Span<'a> {
    pat: &'a Pat,
    start: &'a Expr,
    end: &'a Expr,
    inclusive: bool,
}

/// The loop as one over a plain range.
pub(super) fn span(e: &ExprForLoop) -> Option<Span<'_>> {
    let mut over = &*e.expr;
    while let Expr::Paren(inner) = over {
        over = &inner.expr;
    }
    let Expr::Range(range) = over else {
        return None;
    };
    let plain = match &*e.pat {
        Pat::Ident(name) => name.by_ref.is_none() && name.subpat.is_none(),
        Pat::Wild(_) => true,
        _ => false,
    };
    plain.then_some(Span {
        pat: &e.pat,
        start: range.start.as_deref()?,
        end: range.end.as_deref()?,
        inclusive: matches!(range.limits, RangeLimits::Closed(_)),
    })
}

/// The parts of a loop.
struct LoopParts<'a> {
    label: Option<&'a Label>,
    body: &'a Block,
    /// The condition of a `while`.
    cond: Option<&'a Expr>,
    /// What a `for` of which all lanes make the same rounds goes over.
    over: Option<(&'a Pat, &'a Expr)>,
    /// What another `for` goes over.
    span: Option<Span<'a>>,
}

impl Flow<'_> {
    fn parts<'a>(&self, e: &'a Expr, region: &Region) -> Done<LoopParts<'a>> {
        let parts = |label: &'a Option<Label>, body| LoopParts {
            label: label.as_ref(),
            body,
            cond: None,
            over: None,
            span: None,
        };
        Ok(match e {
            Expr::Loop(e) => parts(&e.label, &e.body),
            Expr::While(e) => LoopParts {
                cond: Some(&e.cond),
                ..parts(&e.label, &e.body)
            },
            Expr::ForLoop(e) => {
                let mutable = matches!(&*e.pat, Pat::Ident(name) if name.mutability.is_some());
                if self.is_uniform(&words(&e.expr), region) && !mutable {
                    LoopParts {
                        over: Some((&e.pat, &e.expr)),
                        ..parts(&e.label, &e.body)
                    }
                } else {
                    LoopParts {
                        span: Some(span(e).ok_or(Refused)?),
                        ..parts(&e.label, &e.body)
                    }
                }
            }
            _ => return Err(Refused),
        })
    }

    /// A loop that all lanes run in step, until the last of them is through.
    pub(super) fn looped(
        &mut self,
        e: &Expr,
        dest: Option<Ident>,
        mut region: Region,
        (rest, after): (&Words, &Words),
        out: &mut TokenStream,
    ) -> Done {
        let parts = self.parts(e, &region)?;
        let heads = parts
            .cond
            .into_iter()
            .chain(parts.over.map(|(_, over)| over));
        for head in heads {
            if Risk::of_expr(head).refused {
                return Err(Refused);
            }
        }
        let counter = match &parts.span {
            None => None,
            Some(span) => Some(self.begin(span, &mut region)?),
        };
        self.flush(&mut region, rest, None, out);
        let base = self.variables.len();

        let label = parts.label.map(|label| label.name.ident.to_string());
        let exits = Exits::of_block(parts.body);
        let is_own = |to: &Option<String>| to.is_none() || *to == label;
        let ends = |exit: &Exit| matches!(exit, Exit::Break(to) if is_own(to));
        let skips = |exit: &Exit| matches!(exit, Exit::Continue(to) if is_own(to));
        let around = self.masked().and_then(|k| self.scopes[k].mask.clone());
        let own = parts.cond.is_some() || counter.is_some() || exits.iter().any(ends);
        let mask = own.then(|| self.fresh("on"));
        let mut text = TokenStream::new();
        if let Some(mask) = &mask {
            let begin = match &around {
                Some(around) => quote!(#around),
                None => quote!(__skel::lanes::Mask::<__N>::all()),
            };
            text.extend(quote!(let mut #mask = #begin;));
        }
        let scopes = self.scopes.len();
        let (mut live, mut inner, mut first) =
            (after.clone(), TokenStream::new(), Region::default());
        self.scopes.push(Scope {
            kind: Kind::Loop,
            label: label.clone(),
            mask: mask.clone(),
            live: live.clone(),
            outside: base,
            dest,
        });
        let on = self.masked();
        self.head(&parts, counter.as_ref(), &mut first);
        live.extend(words(e));
        let round = exits.iter().any(skips).then(|| self.fresh("round"));
        if let Some(round) = &round {
            inner.extend(quote!(let mut #round = __skel::lanes::Mask::<__N>::all();));
            let (opened, from) = (bit(scopes + 1), on.map(bit));
            let from = from.map_or_else(|| quote!(true), |from| quote!(#from));
            first.push(quote!(let mut #opened = #from;));
            first.masks.insert(scopes + 1);
            first.opens = Some(scopes + 1);
        }
        self.scopes.push(Scope {
            kind: Kind::Round,
            label: None,
            mask: round,
            live: live.clone(),
            outside: base,
            dest: None,
        });
        match (&parts.over, &parts.span, &counter) {
            (Some((pat, _)), ..) => self.same(pat)?,
            (None, Some(span), Some(counter)) => {
                open(span, counter, on.ok_or(Refused)?, &mut first)
            }
            _ => {}
        }
        let leaves = own || exits.iter().any(|exit| !skips(exit));
        let asked = on.filter(|_| leaves || parts.over.is_none());
        let place = Place {
            after: &live,
            dest: None,
            note: asked,
        };
        let noted = self.body(&parts.body.stmts, first, &place, &mut inner)?;
        self.scopes.truncate(scopes);
        self.variables.truncate(base);

        let check = match asked.and(mask.as_ref().or(around.as_ref())) {
            None => quote!(),
            Some(_) if noted => quote!(if !__any {
                break;
            }),
            Some(mask) => quote!(if !#mask.any() { break; }),
        };
        text.extend(match parts.over {
            Some((pat, over)) => {
                let counted = inclusive::counted(over, &quote!(__skel));
                let over = counted.as_ref().unwrap_or(over);
                quote!(for #pat in #over { #inner #check })
            }
            None => quote!(loop { #inner #check }),
        });
        // If no lane takes part, no round is needed, and what a `for` goes over need not exist.
        out.extend(match around {
            Some(around) => quote!(if #around.any() { #text }),
            None => quote!({ #text }),
        });
        Ok(())
    }

    /// Computes what a `for` goes over, for each lane.
    fn begin(&mut self, span: &Span<'_>, region: &mut Region) -> Done<Counter> {
        let counter = Counter {
            at: self.fresh("at"),
            end: self.fresh("end"),
            more: span.inclusive.then(|| self.fresh("more")),
        };
        let (at, end) = (&counter.at, &counter.end);
        let (from, to) = (span.start, span.end);
        let risks = [Risk::of_expr(from), Risk::of_expr(to)];
        if risks.iter().any(|risk| risk.refused) {
            return Err(Refused);
        }
        self.changes(from, true, region);
        self.changes(to, true, region);
        let text = quote! {
            let __range = (#from)..(#to);
            #at = __range.start;
            #end = __range.end;
        };
        region.push(match self.masked().map(bit) {
            Some(on) => quote!(if #on { #text }),
            None => text,
        });
        region.push(
            counter
                .more
                .as_ref()
                .map(|more| quote!(#more = #at <= #end;)),
        );
        let names = [Some(at), Some(end), counter.more.as_ref()];
        for name in names.into_iter().flatten() {
            self.declare(name.clone());
            region.changed.insert(name.to_string());
        }
        Ok(counter)
    }

    /// What decides of a round, for each lane.
    fn head(&self, parts: &LoopParts<'_>, counter: Option<&Counter>, region: &mut Region) {
        let own = self.scopes.len() - 1;
        let on = bit(own);
        if let Some(cond) = parts.cond {
            self.changes(cond, true, region);
            region.masks.insert(own);
            region.push(match Risk::of_expr(cond).gated {
                true => quote!(#on = #on && (#cond);),
                false => quote!(#on &= #cond;),
            });
        }
        if let Some(Counter { at, end, more }) = counter {
            region.masks.insert(own);
            region.push(match more {
                Some(more) => quote!(#on &= #more;),
                None => quote!(#on &= #at < #end;),
            });
        }
    }

    /// What a `for` binds that gives all lanes the same.
    fn same(&mut self, pat: &Pat) -> Done {
        let pat = match pat {
            Pat::Reference(pat) => &*pat.pat,
            pat => pat,
        };
        for (name, _) in bound(pat).ok_or(Refused)? {
            self.variables.push(Variable {
                name,
                held: Held::Same,
            });
        }
        Ok(())
    }
}

/// The variables of a `for` whose rounds differ from lane to lane.
struct Counter {
    at: Ident,
    end: Ident,
    /// Whether there is another round, where `end` is one of them.
    more: Option<Ident>,
}

/// Binds the number of the round, and goes on to the next.
fn open(span: &Span<'_>, counter: &Counter, on: usize, region: &mut Region) {
    let (Counter { at, end, more }, on, pat) = (counter, bit(on), span.pat);
    region.push(quote!(let #pat = #at;));
    region.push(match more {
        Some(more) => quote!(#more = #at < #end; if #on & #more { #at = #at + 1; }),
        None => quote!(if #on { #at = #at + 1; }),
    });
    let changed = [Some(at), more.as_ref()];
    region
        .changed
        .extend(changed.into_iter().flatten().map(ToString::to_string));
    if let Pat::Ident(name) = pat {
        region.news.push(name.ident.clone());
    }
}
