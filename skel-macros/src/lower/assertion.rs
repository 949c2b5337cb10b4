//! `assert!` and its like, `panic!` and its like: conditions and traps, with the messages of std.

use super::{Evident, Lower, Lowered, Sexp, literal::open};
use crate::ast::Visible;
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{
    Expr, ExprLit, Lit, LitStr, Macro, Token, parse::Parser, punctuated::Punctuated,
    spanned::Spanned, visit_mut::VisitMut,
};

/// Macros that panic, whatever their arguments are; and what they say.
const PANICS: [(&str, &str); 4] = [
    ("panic", "explicit panic"),
    ("unreachable", "internal error: entered unreachable code"),
    ("todo", "not yet implemented"),
    ("unimplemented", "not implemented"),
];

/// Macros that panic under a condition; how many arguments they need, and what they say.
const ASSERTIONS: [(&str, usize, &str); 3] = [
    ("assert", 1, "assertion failed"),
    ("assert_eq", 2, "assertion `left == right` failed"),
    ("assert_ne", 2, "assertion `left != right` failed"),
];

/// Whether this is `panic!` or one of its like.
pub(super) fn always_panics(call: &Macro) -> bool {
    let name = name_of(call);
    PANICS.iter().any(|(panics, _)| name == *panics)
}

fn name_of(call: &Macro) -> String {
    let last = call.path.segments.last();
    last.map(|s| s.ident.to_string()).unwrap_or_default()
}

impl Lower<'_> {
    /// What the macro call is, if it is an assertion or a panic.
    pub(super) fn assertion_or_panic(&mut self, call: &Macro) -> Option<Lowered> {
        let name = name_of(call);
        if let Some((_, says)) = PANICS.iter().find(|(panics, _)| name == *panics) {
            return Some(self.panic(call, &name, says));
        }
        let (plain_name, debug) = match name.strip_prefix("debug_") {
            Some(plain_name) => (plain_name, true),
            None => (name.as_str(), false),
        };
        let (_, count, says) = ASSERTIONS
            .iter()
            .find(|(asserts, ..)| plain_name == *asserts)?;
        Some(self.assertion(call, *count, says, debug))
    }

    /// `(trap message)`.
    fn panic(&mut self, call: &Macro, name: &str, says: &str) -> Lowered {
        self.of_std(call, &TokenStream::new());
        let span = call.path.span();
        let text = match self.arguments_of(call) {
            None => return self.nothing(),
            Some(arguments) => self.message(&arguments),
        };
        let message = match (text, name) {
            (Err(()), _) => return self.nothing(),
            (Ok(None), _) => says.to_owned(),
            (Ok(Some(text)), "panic") => text,
            (Ok(Some(text)), _) => format!("{says}: {text}"),
        };
        Lowered {
            probe: quote_spanned!(span=> loop {}),
            text: self.trap(span, &message),
            evident: Evident::Nothing,
        }
    }

    /// `(if condition (trap message))`; of a `debug_` one, `(debug constant (if …))`.
    fn assertion(&mut self, call: &Macro, count: usize, says: &str, debug: bool) -> Lowered {
        let sample = match count {
            1 => quote!(true),
            _ => quote!((), ()),
        };
        self.of_std(call, &sample);
        let span = call.path.span();
        let Some(arguments) = self.arguments_of(call) else {
            return self.nothing();
        };
        if arguments.len() < count {
            let wanted = if count == 1 {
                "a condition"
            } else {
                "two values"
            };
            return self.refuse(call, format!("this macro takes {wanted}"));
        }
        let Ok(text) = self.message(&arguments[count..]) else {
            return self.nothing();
        };
        let (probe, failed) = match &arguments[..count] {
            [left, right] => {
                let (mut left, mut right) = match (open(left), open(right)) {
                    (Some(_), Some(text)) => (self.expr(left), self.open_literal(right, &text)),
                    _ => self.operands(left, right, true),
                };
                let symbol = if says.contains("==") { "!=" } else { "==" };
                let imp = self.compared(span, symbol, &mut left, &mut right);
                let (l, r) = (left.probe, right.probe);
                let parts = [Sexp::atom(symbol), imp, left.text, right.text];
                let failed = Sexp::list(span, "b", parts);
                (quote_spanned!(span=> { let _ = #l == #r; }), failed)
            }
            [condition, ..] => {
                let condition = self.expr(condition);
                let c = condition.probe;
                let parts = [Sexp::atom("!"), Sexp::none(), condition.text];
                let failed = Sexp::list(span, "u", parts);
                (
                    quote_spanned!(span=> { let _: __skel::core::primitive::bool = #c; }),
                    failed,
                )
            }
            [] => return self.nothing(),
        };
        let message = match (text, count) {
            (Some(text), 1) => text,
            (Some(text), _) => format!("{says}: {text}"),
            (None, 1) => format!("{says}: {}", source_of(call)),
            (None, _) => says.to_owned(),
        };
        let trap = self.trap(span, &message);
        let mut text = Sexp::list(span, "if", [failed, trap]);
        if debug {
            // What it is in the user's crate, where the constant is evaluated.
            let active = self.constant(
                quote_spanned!(span=> __skel::constant(&__skel::core::cfg!(debug_assertions))),
            );
            text = Sexp::list(span, "debug", [active, text]);
        }
        Lowered {
            probe,
            text,
            evident: Evident::Nothing,
        }
    }

    /// Devices do what the macro of std does that has this name; so the name has to mean that one. Where it
    /// means another, rustc finds it ambiguous beside the glob import: the sample is never run.
    pub(super) fn of_std(&mut self, call: &Macro, sample: &TokenStream) {
        let path = &call.path;
        if path.get_ident().is_none() {
            return;
        }
        let sample = self.among_items(quote_spanned! {path.span()=>
            { use __skel::macros::*; let _ = #path!(#sample); }
        });
        let sample = quote_spanned!(path.span()=> let _ = || #sample;);
        let known = sample.to_string();
        if !self
            .declarations
            .iter()
            .any(|other| other.to_string() == known)
        {
            self.declarations.push(sample);
        }
    }

    fn trap(&mut self, span: Span, message: &str) -> Sexp {
        self.messages.push(message.to_owned());
        Sexp::list(span, "trap", [Sexp::atom(self.messages.len() - 1)])
    }

    fn arguments_of(&mut self, call: &Macro) -> Option<Vec<Expr>> {
        let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
        match parser.parse2(call.tokens.clone()) {
            Ok(arguments) => Some(arguments.into_iter().map(visible).collect()),
            Err(error) => {
                self.report.add(error);
                None
            }
        }
    }

    /// The message, if there is one: a literal without anything to format. An error has been reported.
    fn message(&mut self, arguments: &[Expr]) -> Result<Option<String>, ()> {
        let (first, more) = match arguments {
            [] => return Ok(None),
            [first, more @ ..] => (first, more),
        };
        let Expr::Lit(ExprLit {
            lit: Lit::Str(literal),
            ..
        }) = first
        else {
            self.report.at(
                first,
                "the message of a panic is a literal here: no device can format",
            );
            return Err(());
        };
        if let Some(value) = more.first() {
            self.report.at(
                value,
                "no device can format a message: leave out the values, and their `{}` in the text",
            );
            return Err(());
        }
        match unescaped(literal) {
            Some(text) => Ok(Some(text)),
            None => {
                self.report.at(
                    literal,
                    "no device can format a message: leave out the `{}`, or write `{{` for a brace",
                );
                Err(())
            }
        }
    }
}

/// The tokens of a macro have not been seen when the body was parsed.
pub(super) fn visible(mut e: Expr) -> Expr {
    Visible.visit_expr_mut(&mut e);
    e
}

/// The text of a format string that formats nothing.
fn unescaped(literal: &LitStr) -> Option<String> {
    let text = literal.value();
    let mut out = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if (c == '{' || c == '}') && rest.next() != Some(c) {
            return None;
        }
        out.push(c);
    }
    Some(out)
}

/// The condition as it stands in the source, on one line, which is how std prints what rustfmt wrote.
fn source_of(call: &Macro) -> String {
    let group = call.delimiter.span().join();
    let source = group.source_text();
    let inner = source.as_deref().and_then(|text| {
        let mut inner = text.chars();
        inner.next()?;
        inner.next_back()?;
        Some(inner.as_str().trim().trim_end_matches(','))
    });
    match inner {
        // A comma that rustfmt puts at the end of a struct's last line is not printed.
        Some(inner) => {
            let line = inner.split_whitespace().collect::<Vec<_>>().join(" ");
            line.replace(", }", " }")
        }
        None => call.tokens.to_string(),
    }
}
