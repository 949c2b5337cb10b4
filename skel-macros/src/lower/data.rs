//! Values of several parts: tuples, arrays, structs, and their parts.

use super::{Evident, Lower, Lowered, Sexp, literal::open};
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::{
    Expr, ExprArray, ExprCall, ExprField, ExprIndex, ExprMethodCall, ExprPath, ExprRepeat,
    ExprStruct, ExprTuple, Member, spanned::Spanned,
};

/// Whether something around a value says its type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Expected {
    /// Yes: parts that are literals need no slot.
    Yes,
    /// No.
    No,
}

impl Lower<'_> {
    /// An expression in a place whose type is known: a typed `let`, a field, an argument.
    pub(super) fn placed(&mut self, e: &Expr) -> Lowered {
        match e {
            Expr::Paren(inner) if self.is_aggregate(&inner.expr) => self.placed(&inner.expr),
            Expr::Tuple(tuple) if !tuple.elems.is_empty() => self.tuple(tuple, Expected::Yes),
            Expr::Array(array) => self.array(array, Expected::Yes),
            Expr::Repeat(repeat) => self.repeat(repeat, Expected::Yes),
            Expr::Struct(s) => self.structure(s, Expected::Yes),
            Expr::Call(call) if constructor(call).is_some() => {
                self.tuple_struct(call, Expected::Yes)
            }
            e => match open(e) {
                Some(text) => self.open_literal(e, &text),
                None => self.expr(e),
            },
        }
    }

    fn is_aggregate(&self, e: &Expr) -> bool {
        matches!(
            e,
            Expr::Tuple(_) | Expr::Array(_) | Expr::Repeat(_) | Expr::Struct(_)
        )
    }

    fn part(&mut self, e: &Expr, expected: Expected) -> Lowered {
        match expected {
            Expected::Yes => self.placed(e),
            Expected::No => self.expr(e),
        }
    }

    /// `(a, b)`.
    pub(super) fn tuple(&mut self, tuple: &ExprTuple, expected: Expected) -> Lowered {
        let span = tuple.span();
        if let Some(extra) = tuple.elems.iter().nth(12) {
            return self.refuse(extra, "a tuple has twelve parts at most: write a struct");
        }
        let parts = tuple.elems.iter().map(|e| self.part(e, expected));
        let (probes, texts): (Vec<_>, Vec<_>) = parts.map(|l| (l.probe, l.text)).unzip();
        of_parts(
            quote_spanned!(span=> (#(#probes,)*)),
            span,
            "tup",
            Sexp::none(),
            texts,
        )
    }

    /// `[a, b]`. The type of one element is that of all.
    pub(super) fn array(&mut self, array: &ExprArray, expected: Expected) -> Lowered {
        let span = array.span();
        if array.elems.is_empty() {
            return self.refuse(array, "an array has one element at least");
        }
        let typed = array.elems.iter().position(|e| !is_open(e)).unwrap_or(0);
        let parts = array.elems.iter().enumerate().map(|(k, e)| match open(e) {
            Some(text) if expected == Expected::Yes || k != typed => self.open_literal(e, &text),
            _ => self.part(e, expected),
        });
        let parts: Vec<Lowered> = parts.collect();
        let evident = parts[typed].evident.elements();
        let (probes, texts): (Vec<_>, Vec<_>) =
            parts.into_iter().map(|l| (l.probe, l.text)).unzip();
        let probe = quote_spanned!(span=> [#(#probes),*]);
        let lowered = of_parts(probe, span, "arr", Sexp::none(), texts);
        Lowered { evident, ..lowered }
    }

    /// `[x; N]`.
    pub(super) fn repeat(&mut self, repeat: &ExprRepeat, expected: Expected) -> Lowered {
        let span = repeat.span();
        let element = self.part(&repeat.expr, expected);
        let evident = element.evident.elements();
        let (e, len) = (element.probe, &repeat.len);
        let number = self.constant(quote_spanned!(len.span()=> __skel::constant::<__skel::core::primitive::usize>(&(#len))));
        let count = Sexp::list(len.span(), "k", [number]);
        let probe = quote_spanned!(span=> [#e; #len]);
        let lowered = of_parts(probe, span, "rep", Sexp::none(), [element.text, count]);
        Lowered { evident, ..lowered }
    }

    /// `P { x: 1.0, y, ..p }`.
    pub(super) fn structure(&mut self, s: &ExprStruct, expected: Expected) -> Lowered {
        let (span, path) = (s.path.span(), &s.path);
        if s.qself.is_some() {
            return self.refuse(
                path,
                "name the type itself here, or give it a name by `type`",
            );
        }
        let mut probes = Vec::new();
        let mut texts = Vec::new();
        for field in &s.fields {
            let member = &field.member;
            let name = match member {
                Member::Named(name) => crate::ast::spelling(name),
                Member::Unnamed(index) => index.index.to_string(),
            };
            let value = self.placed(&field.expr);
            let v = value.probe;
            probes.push(quote_spanned!(member.span()=> #member: #v));
            texts.push(Sexp::list(member.span(), &name, [value.text]));
        }
        let rest = s.rest.as_ref().map(|rest| {
            let base = self.expr(rest);
            texts.push(Sexp::list(rest.span(), "..", [base.text]));
            let b = base.probe;
            quote_spanned!(rest.span()=> ..#b)
        });
        let probe = quote_spanned!(span=> #path { #(#probes,)* #rest });
        self.made(probe, span, texts, expected)
    }

    /// `P(a, b)`.
    pub(super) fn tuple_struct(&mut self, call: &ExprCall, expected: Expected) -> Lowered {
        let (span, path) = (call.func.span(), &call.func);
        let mut probes = Vec::new();
        let mut texts = Vec::new();
        for (k, arg) in call.args.iter().enumerate() {
            let value = self.placed(arg);
            probes.push(value.probe);
            texts.push(Sexp::list(arg.span(), &k.to_string(), [value.text]));
        }
        let probe = quote_spanned!(span=> #path(#(#probes),*));
        self.made(probe, span, texts, expected)
    }

    fn made(
        &mut self,
        probe: TokenStream,
        span: Span,
        texts: Vec<Sexp>,
        expected: Expected,
    ) -> Lowered {
        if expected == Expected::Yes {
            return of_parts(probe, span, "st", Sexp::atom("^"), texts);
        }
        let (slot, number) = self.typed_slot(span);
        let probe = quote_spanned!(span=> #slot.put(#probe));
        of_parts(probe, span, "st", number, texts)
    }

    /// `p.x`, `t.0`.
    pub(super) fn field(&mut self, field: &ExprField) -> Lowered {
        let base = self.base(&field.base);
        let member = &field.member;
        let name = match member {
            Member::Named(name) => crate::ast::spelling(name),
            Member::Unnamed(index) => index.index.to_string(),
        };
        let b = base.probe;
        let text = Sexp::list(member.span(), "f", [Sexp::atom(name), base.text]);
        Lowered {
            probe: quote_spanned!(field.span()=> #b.#member),
            text,
            evident: Evident::Nothing,
        }
    }

    /// `a[i]`, `m[(row, col)]`.
    pub(super) fn index(&mut self, index: &ExprIndex) -> Lowered {
        if let Expr::Range(range) = &*index.index {
            let message = match self.special(&index.expr) {
                Some(_) => {
                    "a part of a container is no container: pass the whole one on, and where the part begins and ends"
                }
                None => "a part of an array is no value: name its elements one by one",
            };
            return self.refuse(range, message);
        }
        if let Some(reach) = self.reach(&index.expr).cloned() {
            self.check_offsets(&reach, &index.index);
        }
        let base = self.base(&index.expr);
        let at = self.placed(&index.index);
        let (b, i) = (base.probe, at.probe);
        let text = Sexp::list(index.bracket_token.span.open(), "ix", [base.text, at.text]);
        Lowered {
            probe: quote_spanned!(index.span()=> #b[#i]),
            text,
            evident: base.evident.element(),
        }
    }

    /// `a.len()`.
    pub(super) fn len(&mut self, call: &ExprMethodCall) -> Lowered {
        let receiver = self.base(&call.receiver);
        let (r, method) = (receiver.probe, &call.method);
        let text = Sexp::list(method.span(), "len", [receiver.text]);
        Lowered {
            probe: quote_spanned!(method.span()=> #r.#method()),
            text,
            evident: Evident::Number,
        }
    }
}

fn of_parts(
    probe: TokenStream,
    span: Span,
    head: &str,
    ty: Sexp,
    parts: impl IntoIterator<Item = Sexp>,
) -> Lowered {
    Lowered {
        probe,
        text: Sexp::list(span, head, [ty].into_iter().chain(parts)),
        evident: Evident::Nothing,
    }
}

fn is_open(e: &Expr) -> bool {
    open(e).is_some()
}

/// The path of a tuple struct that a call makes: functions begin with a small letter.
pub(crate) fn constructor(call: &ExprCall) -> Option<&ExprPath> {
    let Expr::Path(path) = &*call.func else {
        return None;
    };
    let name = path.path.segments.last()?.ident.to_string();
    let upper = name.starts_with(|c: char| c.is_ascii_uppercase());
    let of_std = matches!(name.as_str(), "Some" | "Ok" | "Err");
    (upper && !of_std).then_some(path)
}
