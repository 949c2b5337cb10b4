//! The text of a body: S-expressions, with the source lines as atoms `@7`.

use proc_macro2::Span;
use std::fmt::Write;

/// Text to be.
pub(crate) enum Sexp {
    Atom(String),
    List { line: usize, parts: Vec<Sexp> },
}

impl Sexp {
    pub(crate) fn atom(text: impl ToString) -> Sexp {
        Sexp::Atom(text.to_string())
    }

    /// A list that stands for the tokens at `span`.
    pub(crate) fn list(span: Span, head: &str, rest: impl IntoIterator<Item = Sexp>) -> Sexp {
        let parts = std::iter::once(Sexp::atom(head)).chain(rest).collect();
        Sexp::List {
            line: span.start().line,
            parts,
        }
    }

    /// `-`: what is absent.
    pub(crate) fn none() -> Sexp {
        Sexp::atom("-")
    }

    /// Writes the text; a line is named where it changes.
    pub(crate) fn render(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, &mut 0);
        out
    }

    fn write(&self, out: &mut String, current: &mut usize) {
        match self {
            Sexp::Atom(text) => out.push_str(text),
            Sexp::List { line, parts } => {
                if *line != *current && *line != 0 {
                    write!(out, "@{line} ").expect("writing to a string does not fail");
                    *current = *line;
                }
                out.push('(');
                for (k, part) in parts.iter().enumerate() {
                    if k > 0 {
                        out.push(' ');
                    }
                    part.write(out, current);
                }
                out.push(')');
            }
        }
    }
}
