//! What the language does not have, or not yet: the messages.

use super::{Evident, Lower, Lowered};
use syn::{Expr, Macro, Pat, visit::Visit};

impl Lower<'_> {
    /// What the language does not have, or not yet.
    pub(super) fn refuse_construct(&mut self, e: &Expr) -> Lowered {
        let lowered = match e {
            Expr::Let(l) => self.refuse(
                l,
                "`let` stands only in the condition of `if` and `while`, alone or joined by `&&`",
            ),
            Expr::Closure(c) => self.refuse(
                c,
                "closures inside are not possible: write a `#[user_function] fn`",
            ),
            Expr::Reference(r) if r.mutability.is_some() => self.refuse(
                r,
                "`&mut` of a variable is not possible: return the new value, and assign it",
            ),
            Expr::Reference(r) => self.refuse(r, "values are passed by value: leave out the `&`"),
            Expr::Try(t) => self.refuse(
                t.question_token,
                "`?` is not possible: a user function returns a value, not a `Result`",
            ),
            Expr::Range(r) => {
                self.refuse(r, "a range stands only behind `for … in` and in patterns")
            }
            Expr::Unsafe(u) => self.refuse(
                u.unsafe_token,
                "`unsafe` is not possible in a user function",
            ),
            Expr::Await(a) => {
                self.refuse(a.await_token, "`await` is not possible in a user function")
            }
            Expr::Async(a) => {
                self.refuse(a.async_token, "`async` is not possible in a user function")
            }
            Expr::Const(c) => self.refuse(
                c.const_token,
                "a `const` block is not possible: name the constant",
            ),
            Expr::Infer(i) => self.refuse(i, "`_` stands only left of `=`"),
            other => self.refuse(other, "this is not possible in a user function"),
        };
        self.parts_of_refused(e);
        lowered
    }

    /// Errors inside of what is not possible show, too.
    fn parts_of_refused(&mut self, e: &Expr) {
        let parts: Vec<&Expr> = match e {
            Expr::Try(inner) => vec![&inner.expr],
            Expr::Let(condition) => {
                self.bind_all(&condition.pat);
                vec![&condition.expr]
            }
            _ => return,
        };
        for part in parts {
            self.expr(part);
        }
    }

    /// Binds all names of a pattern that is not possible, so that they are not reported as well.
    pub(super) fn bind_all(&mut self, pat: &Pat) {
        struct Names<'a>(Vec<&'a syn::Ident>);
        impl<'ast> Visit<'ast> for Names<'ast> {
            fn visit_pat_ident(&mut self, name: &'ast syn::PatIdent) {
                self.0.push(&name.ident);
                syn::visit::visit_pat_ident(self, name);
            }
        }
        let mut names = Names(Vec::new());
        names.visit_pat(pat);
        for name in names.0 {
            self.bind(name, Evident::Nothing, false);
        }
    }

    /// A macro: assertions, panics and `matches!` are possible.
    pub(super) fn macro_call(&mut self, call: &Macro) -> Lowered {
        if let Some(lowered) = self.assertion_or_panic(call) {
            return lowered;
        }
        let name = call
            .path
            .segments
            .last()
            .map(|s| s.ident.to_string())
            .unwrap_or_default();
        let message = match name.as_str() {
            "matches" => return self.matches_macro(call),
            "vec" | "format" => {
                format!(
                    "`{name}!` allocates, which a device cannot: use one variable for each value"
                )
            }
            "print" | "println" | "eprint" | "eprintln" | "dbg" | "write" | "writeln" => {
                format!("`{name}!` is not possible: no device can print, so return the value")
            }
            _ => format!(
                "`{name}!` is not possible: a user function sees no macro, so write out what it says"
            ),
        };
        self.refuse(&call.path, message)
    }
}
