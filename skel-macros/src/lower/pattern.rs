//! Patterns. rustc sees them as the user wrote them; the text says what to compare and what to bind:
//!
//! | pattern | text |
//! |---|---|
//! | `_` | `_` |
//! | `x`, `x @ p` | `(bind 3 x -)`, `(bind 3 x p)` |
//! | `-1`, `true` | `(lit -1)`, `(lit true)` |
//! | `MAX`, `Colour::Red` | `(k 0)` |
//! | `1..=3`, `7..` | `(range (lit 1) (lit 3) closed)`, `(range (lit 7) - -)` |
//! | `p \| q` | `(or p q)` |
//! | `(p, .., q)`, `[p, .., q]` | `(of (0 p) (-1 q))` |
//! | `P { x: p, y, .. }` | `(of (x p) (y (bind 3 y -)))` |
//! | `[p, rest @ ..]` | `(of (0 p) (.. 3 rest 1 0))`: so many are before it, so many behind |
//!
//! Literals take the type of what they are compared with.

use super::{Evident, Lower, Sexp};
use crate::ast::spelling;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote_spanned};
use std::collections::HashMap;
use syn::{
    Expr, Ident, Lit, Member, Pat, PatIdent, RangeLimits, Type,
    punctuated::Punctuated,
    spanned::Spanned,
    visit_mut::{self, VisitMut},
};

/// A pattern: what rustc sees, and what the builder reads.
pub(super) struct Pattern {
    pub(super) probe: TokenStream,
    pub(super) text: Sexp,
}

/// What is known of the value that a pattern takes apart.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) evident: Evident,
    pub(super) ty: Option<&'a Type>,
}

impl<'a> Known<'a> {
    pub(super) fn evident(evident: Evident) -> Self {
        Known { evident, ty: None }
    }

    pub(super) fn ty(ty: &'a Type) -> Self {
        Known {
            evident: Evident::of(ty),
            ty: Some(ty),
        }
    }

    /// Of element `k` of a tuple or array.
    fn element(self, k: usize) -> Known<'a> {
        match self.ty {
            Some(Type::Tuple(tuple)) => tuple.elems.get(k).map(Known::ty),
            Some(Type::Array(array)) => Some(Known::ty(&array.elem)),
            _ => None,
        }
        .unwrap_or(Known::evident(self.evident.element()))
    }
}

impl Lower<'_> {
    /// A pattern that may fail, as in `match`. Its names are bound in the current scope.
    pub(super) fn refutable(&mut self, pat: &Pat, known: Known<'_>) -> Pattern {
        let text = self.pattern(pat, known, &mut HashMap::new());
        // rustc takes a bare name for a constant if there is one of that name, and the macro takes it
        // for a variable. `x @ _` is a variable or an error.
        let mut probe = pat.clone();
        VariablesOnly.visit_pat_mut(&mut probe);
        Pattern {
            probe: probe.into_token_stream(),
            text,
        }
    }

    /// A pattern that always matches, as in `let`.
    pub(super) fn irrefutable(&mut self, pat: &Pat, known: Known<'_>) -> Sexp {
        self.pattern(pat, known, &mut HashMap::new())
    }

    /// `names`: what the pattern has bound so far. The alternatives of an or-pattern bind the same
    /// variables.
    fn pattern(&mut self, pat: &Pat, known: Known<'_>, names: &mut HashMap<String, usize>) -> Sexp {
        match pat {
            Pat::Wild(_) => Sexp::atom("_"),
            Pat::Paren(inner) => self.pattern(&inner.pat, known, names),
            Pat::Ident(name) if names_constant(name) => {
                let ident = &name.ident;
                if let Some(message) = no_option(ident) {
                    return self.no_pattern(pat, message);
                }
                self.pattern_constant(ident, ident.span())
            }
            Pat::Ident(name) => self.binding(name, known, names),
            Pat::Lit(literal) => self.pattern_literal(&literal.lit, pat),
            Pat::Path(path) => {
                if let Some(message) = path.path.get_ident().and_then(no_option) {
                    return self.no_pattern(pat, message);
                }
                self.pattern_constant(path, path.span())
            }
            Pat::Range(range) => {
                let start = range.start.as_deref().map(|e| self.bound(e));
                let end = range.end.as_deref().map(|e| self.bound(e));
                let closed = matches!(range.limits, RangeLimits::Closed(_));
                plain([
                    Sexp::atom("range"),
                    start.unwrap_or_else(Sexp::none),
                    end.unwrap_or_else(Sexp::none),
                    if closed {
                        Sexp::atom("closed")
                    } else {
                        Sexp::none()
                    },
                ])
            }
            Pat::Or(or) => {
                let cases: Vec<Sexp> = or
                    .cases
                    .iter()
                    .map(|case| self.pattern(case, known, names))
                    .collect();
                plain(std::iter::once(Sexp::atom("or")).chain(cases))
            }
            Pat::Tuple(tuple) => self.elements(&tuple.elems, known, names),
            Pat::Slice(slice) => self.elements(&slice.elems, known, names),
            Pat::TupleStruct(fields) => {
                if let Some(message) = fields.path.get_ident().and_then(no_option) {
                    return self.no_pattern(&fields.path, message);
                }
                self.elements(&fields.elems, Known::evident(Evident::Nothing), names)
            }
            Pat::Struct(fields) => {
                let mut parts = vec![Sexp::atom("of")];
                for field in &fields.fields {
                    let key = match &field.member {
                        Member::Named(name) => spelling(name),
                        Member::Unnamed(index) => index.index.to_string(),
                    };
                    let known = Known::evident(Evident::Nothing);
                    // `P { x }` binds, whatever `x` is called.
                    let part = match &*field.pat {
                        Pat::Ident(name) if field.colon_token.is_none() => {
                            self.binding(name, known, names)
                        }
                        pat => self.pattern(pat, known, names),
                    };
                    parts.push(plain([Sexp::atom(key), part]));
                }
                plain(parts)
            }
            Pat::Reference(reference) => {
                self.no_pattern(reference, "values are passed by value: leave out the `&`")
            }
            Pat::Rest(rest) => self.no_pattern(rest, "`..` stands only in tuples and arrays"),
            Pat::Const(constant) => self.no_pattern(
                constant.const_token,
                "a `const` block is not possible: name the constant",
            ),
            Pat::Macro(call) => self.no_pattern(
                &call.mac.path,
                "macros are not possible in a pattern: write out what it says",
            ),
            Pat::Verbatim(tokens) if tokens.to_string().starts_with("box") => self.no_pattern(
                tokens,
                "`Box` allocates, which a device cannot: use the value itself",
            ),
            other => self.no_pattern(
                other,
                "this pattern is not possible: use names, literals, constants, ranges, and `|`",
            ),
        }
    }

    pub(super) fn no_pattern(
        &mut self,
        tokens: impl ToTokens,
        message: impl std::fmt::Display,
    ) -> Sexp {
        self.report.at(tokens, message);
        Sexp::atom("_")
    }

    fn pattern_constant(&mut self, path: &dyn ToTokens, span: proc_macro2::Span) -> Sexp {
        let constant = quote_spanned!(span=> __skel::constant(&#path));
        let number = self.constant(constant);
        plain([Sexp::atom("k"), number])
    }

    fn binding(
        &mut self,
        name: &PatIdent,
        known: Known<'_>,
        names: &mut HashMap<String, usize>,
    ) -> Sexp {
        if let Some(by_ref) = &name.by_ref {
            self.report
                .at(by_ref, "values are copied: leave out the `ref`");
        }
        let number = self.bind_once(&name.ident, known.evident, names);
        let sub = match &name.subpat {
            Some((_, sub)) => self.pattern(sub, known, names),
            None => Sexp::none(),
        };
        plain([
            Sexp::atom("bind"),
            Sexp::atom(number),
            Sexp::atom(spelling(&name.ident)),
            sub,
        ])
    }

    fn bind_once(
        &mut self,
        name: &Ident,
        evident: Evident,
        names: &mut HashMap<String, usize>,
    ) -> usize {
        let spelled = spelling(name);
        if let Some(number) = names.get(&spelled) {
            return *number;
        }
        let number = self.bind(name, evident, false);
        names.insert(spelled, number);
        number
    }

    /// The parts of a tuple or an array. Those behind `..` are counted from the end.
    fn elements(
        &mut self,
        elements: &Punctuated<Pat, syn::Token![,]>,
        known: Known<'_>,
        names: &mut HashMap<String, usize>,
    ) -> Sexp {
        let mut parts = vec![Sexp::atom("of")];
        let count = elements.len();
        let mut rest_seen = false;
        for (k, element) in elements.iter().enumerate() {
            let behind = count - k - 1;
            if let Pat::Rest(_) = element {
                rest_seen = true;
                continue;
            }
            if let Pat::Ident(name) = element
                && let Some((_, sub)) = &name.subpat
                && let Pat::Rest(_) = **sub
            {
                rest_seen = true;
                if let Some(by_ref) = &name.by_ref {
                    self.report
                        .at(by_ref, "values are copied: leave out the `ref`");
                }
                let number = self.bind_once(&name.ident, known.evident, names);
                let spelled = Sexp::atom(spelling(&name.ident));
                let (number, front, back) = (Sexp::atom(number), Sexp::atom(k), Sexp::atom(behind));
                parts.push(plain([Sexp::atom(".."), number, spelled, front, back]));
                continue;
            }
            if let Pat::Wild(_) = element {
                continue;
            }
            let (key, part_known) = if rest_seen {
                (
                    format!("-{}", behind + 1),
                    Known::evident(known.evident.element()),
                )
            } else {
                (k.to_string(), known.element(k))
            };
            let part = self.pattern(element, part_known, names);
            parts.push(plain([Sexp::atom(key), part]));
        }
        plain(parts)
    }

    /// An end of a range.
    fn bound(&mut self, e: &Expr) -> Sexp {
        match e {
            Expr::Lit(literal) => self.pattern_literal(&literal.lit, e),
            Expr::Path(path) => self.pattern_constant(path, path.span()),
            other => self.no_pattern(
                other,
                "the end of a range is a literal or a constant: name the constant",
            ),
        }
    }

    fn pattern_literal(&mut self, literal: &Lit, tokens: &dyn ToTokens) -> Sexp {
        let text = match literal {
            Lit::Bool(value) => value.value.to_string(),
            Lit::Int(int) => int.base10_digits().to_owned(),
            Lit::Float(float) => float.base10_digits().to_owned(),
            Lit::Byte(byte) => byte.value().to_string(),
            _ => return self.no_pattern(tokens, "no device has text: compare numbers"),
        };
        plain([Sexp::atom("lit"), Sexp::atom(text)])
    }
}

/// A list in the line of what is around it.
pub(super) fn plain(parts: impl IntoIterator<Item = Sexp>) -> Sexp {
    Sexp::List {
        line: 0,
        parts: parts.into_iter().collect(),
    }
}

/// Whether a bare name in a pattern stands for a constant. rustc decides by what is in scope; the
/// macro by the spelling, and makes rustc refuse what it would see otherwise.
fn names_constant(name: &PatIdent) -> bool {
    name.by_ref.is_none()
        && name.mutability.is_none()
        && name.subpat.is_none()
        && spelling(&name.ident).starts_with(|c: char| c.is_uppercase())
}

fn no_option(name: &Ident) -> Option<&'static str> {
    ["None", "Some", "Ok", "Err"]
        .iter()
        .any(|option| name == option)
        .then_some(
            "`Option` and `Result` are not possible: return a value that says so, as NaN or -1",
        )
}

/// Writes `x @ _` for `x`.
struct VariablesOnly;

impl VisitMut for VariablesOnly {
    fn visit_pat_ident_mut(&mut self, name: &mut PatIdent) {
        if name.subpat.is_none()
            && name.by_ref.is_none()
            && name.mutability.is_none()
            && !names_constant(name)
        {
            let span = name.ident.span();
            let wild = Pat::Wild(syn::PatWild {
                attrs: Vec::new(),
                underscore_token: syn::Token![_](span),
            });
            name.subpat = Some((syn::Token![@](span), Box::new(wild)));
            return;
        }
        visit_mut::visit_pat_ident_mut(self, name);
    }

    fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
        // `P { x }` is written as `P { x: x @ _ }`: rustc would take a constant of that name for one.
        if let (None, Pat::Ident(name)) = (&field.colon_token, &*field.pat) {
            field.colon_token = Some(syn::Token![:](name.ident.span()));
        }
        visit_mut::visit_field_pat_mut(self, field);
    }

    fn visit_expr_mut(&mut self, _: &mut Expr) {}
}
