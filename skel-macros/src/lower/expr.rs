//! Expressions other than operators and calls.

use super::{Evident, Lower, Lowered, Sexp, literal::open};
use quote::{quote, quote_spanned};
use std::collections::HashMap;
use syn::{
    Expr, ExprBreak, ExprField, ExprForLoop, ExprIf, ExprPath, ExprRange, ExprReturn, Label,
    Lifetime, Macro, Member, Pat, RangeLimits, spanned::Spanned, visit::Visit,
};

impl Lower<'_> {
    pub(super) fn expr(&mut self, e: &Expr) -> Lowered {
        let span = e.span();
        match e {
            Expr::Lit(literal) => self.literal(literal),
            Expr::Path(path) => self.path(path),
            Expr::Paren(inner) => {
                let Lowered {
                    probe,
                    text,
                    evident,
                } = self.expr(&inner.expr);
                Lowered {
                    probe: quote_spanned!(span=> (#probe)),
                    text,
                    evident,
                }
            }
            Expr::Unary(unary) => self.unary(unary),
            Expr::Binary(binary) => self.binary(binary),
            Expr::Assign(assign) => self.assignment(assign),
            Expr::Cast(cast) => {
                let value = self.expr(&cast.expr);
                let (v, ty) = (value.probe, &cast.ty);
                let (probe, number) = if matches!(**ty, syn::Type::Infer(_)) {
                    let (slot, number) = self.typed_slot(ty.span());
                    (quote_spanned!(span=> #slot.put(#v as #ty)), number)
                } else {
                    (quote_spanned!(span=> #v as #ty), self.written_ty(ty))
                };
                let text = Sexp::list(cast.as_token.span, "as", [number, value.text]);
                Lowered {
                    probe,
                    text,
                    evident: Evident::of(ty),
                }
            }
            Expr::MethodCall(call) => self.method(call),
            Expr::Call(call) => self.call(call),
            Expr::Field(field) => self.field(field),
            Expr::If(branch) => self.branch(branch, false),
            Expr::Block(block) => {
                self.no_label(&block.label);
                let (probe, text, evident) = self.block(&block.block, false);
                Lowered {
                    probe,
                    text,
                    evident,
                }
            }
            Expr::While(repeat) => {
                if let Expr::Let(condition) = &*repeat.cond {
                    return self.refuse(
                        condition,
                        "`while let` is not possible: use `while` with a condition",
                    );
                }
                self.no_label(&repeat.label);
                let condition = self.expr(&repeat.cond);
                let (number, (body, body_text, _)) =
                    self.in_loop(|lower| lower.block(&repeat.body, false));
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
            Expr::Loop(repeat) => {
                self.no_label(&repeat.label);
                let (number, (body, body_text, _)) =
                    self.in_loop(|lower| lower.block(&repeat.body, false));
                let text = Sexp::list(span, "loop", [Sexp::atom(number), body_text]);
                Lowered {
                    probe: quote_spanned!(span=> loop #body),
                    text,
                    evident: Evident::Nothing,
                }
            }
            Expr::ForLoop(repeat) => self.for_loop(repeat),
            Expr::Break(leave) => self.leave(leave),
            Expr::Continue(next) => {
                self.no_jump_label(&next.label);
                let number = self.loops.last().copied().unwrap_or_default();
                let text = Sexp::list(span, "cont", [Sexp::atom(number)]);
                Lowered {
                    probe: quote!(continue),
                    text,
                    evident: Evident::Nothing,
                }
            }
            Expr::Return(give_back) => self.give_back(give_back),
            Expr::Tuple(tuple) if tuple.elems.is_empty() => {
                let text = Sexp::list(span, "bl", []);
                Lowered {
                    probe: quote!(#tuple),
                    text,
                    evident: Evident::Nothing,
                }
            }
            Expr::Macro(call) => self.macro_call(&call.mac),
            other => self.refuse_construct(other),
        }
    }

    /// What the language does not have, or not yet.
    fn refuse_construct(&mut self, e: &Expr) -> Lowered {
        let lowered = match e {
            Expr::Tuple(_) => self.refuse(
                e,
                "tuples are not possible yet: use one variable for each part",
            ),
            Expr::Array(_) | Expr::Repeat(_) => self.refuse(
                e,
                "arrays are not possible yet: use one variable for each element",
            ),
            Expr::Index(_) => self.refuse(
                e,
                "indexing is not possible yet: a parameter `x: T` is the element at the same index",
            ),
            Expr::Struct(s) => self.refuse(
                &s.path,
                "structs are not possible yet: use one variable for each field",
            ),
            Expr::Match(m) => self.refuse(
                m.match_token,
                "`match` is not possible yet: use `if` and `else if`",
            ),
            Expr::Let(l) => {
                self.refuse(l, "`if let` is not possible yet: use `if` with a condition")
            }
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
            Expr::Range(r) => self.refuse(r, "a range stands only behind `for … in`"),
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
            Expr::Tuple(tuple) => tuple.elems.iter().collect(),
            Expr::Array(array) => array.elems.iter().collect(),
            Expr::Repeat(repeat) => vec![&repeat.expr],
            Expr::Index(index) => vec![&index.expr, &index.index],
            Expr::Struct(s) => s.fields.iter().map(|field| &field.expr).collect(),
            Expr::Try(inner) => vec![&inner.expr],
            Expr::Let(condition) => {
                self.bind_all(&condition.pat);
                vec![&condition.expr]
            }
            Expr::Match(m) => {
                self.expr(&m.expr);
                for arm in &m.arms {
                    self.scopes.push(HashMap::new());
                    self.bind_all(&arm.pat);
                    self.expr(&arm.body);
                    self.scopes.pop();
                }
                return;
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

    /// Any macro: none has a device form.
    pub(super) fn macro_call(&mut self, call: &Macro) -> Lowered {
        let name = call
            .path
            .segments
            .last()
            .map(|s| s.ident.to_string())
            .unwrap_or_default();
        let message = match name.as_str() {
            "assert" | "assert_eq" | "assert_ne" | "debug_assert" | "debug_assert_eq"
            | "debug_assert_ne" => {
                format!("`{name}!` is not possible yet: return a value that says so, as NaN or -1")
            }
            "panic" | "unreachable" | "todo" | "unimplemented" => {
                format!("`{name}!` is not possible yet: return a value that says so, as NaN or -1")
            }
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

    fn path(&mut self, path: &ExprPath) -> Lowered {
        let span = path.span();
        let name = if path.qself.is_none() {
            path.path.get_ident()
        } else {
            None
        };
        if let Some(name) = name {
            if let Some(variable) = self.find(name) {
                if variable.by_mut {
                    return self.refuse(
                        path,
                        format!("`{name}` is a `&mut` parameter: read and write it as `*{name}`"),
                    );
                }
                let text = Sexp::list(span, "v", [Sexp::atom(variable.number)]);
                return Lowered {
                    probe: quote!(#path),
                    text,
                    evident: variable.evident,
                };
            }
            let is_variable = !name
                .to_string()
                .starts_with(|c: char| c.is_ascii_uppercase());
            if self.is_closure() && is_variable {
                return self.refuse(
                    path,
                    format!(
                        "`{name}` is captured from outside: pass it as a `#[uniform]` parameter"
                    ),
                );
            }
            if matches!(name.to_string().as_str(), "None" | "Some" | "Ok" | "Err") {
                return self.refuse(path, "`Option` and `Result` are not possible: return a value that says so, as NaN or -1");
            }
        }
        self.constants
            .push(quote_spanned!(span=> __skel::constant(&#path)));
        let number = Sexp::atom(self.constants.len() - 1);
        let text = Sexp::list(span, "k", [number]);
        Lowered {
            probe: quote!(#path),
            text,
            evident: evident_constant(path),
        }
    }

    fn field(&mut self, field: &ExprField) -> Lowered {
        let base = self.expr(&field.base);
        let member = match &field.member {
            Member::Named(name) => name,
            Member::Unnamed(_) => {
                return self.refuse(
                    &field.member,
                    "tuples are not possible yet: use one variable for each part",
                );
            }
        };
        let b = base.probe;
        let text = Sexp::list(
            member.span(),
            "f",
            [Sexp::atom(crate::ast::spelling(member)), base.text],
        );
        Lowered {
            probe: quote_spanned!(field.span()=> #b.#member),
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

    fn for_loop(&mut self, repeat: &ExprForLoop) -> Lowered {
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

    fn leave(&mut self, leave: &ExprBreak) -> Lowered {
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

    fn give_back(&mut self, give_back: &ExprReturn) -> Lowered {
        let span = give_back.return_token.span;
        let (probe, text) = match &give_back.expr {
            None => (None, Sexp::list(span, "ret", [])),
            Some(value) => {
                let value = match open(value) {
                    Some(text) => self.open_literal(value, &text),
                    None => self.expr(value),
                };
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

    fn no_label(&mut self, label: &Option<Label>) {
        if let Some(label) = label {
            self.report.at(label, "labels are not possible yet: set a `bool`, or put the inner loop into a function of its own");
        }
    }

    /// The label itself has been reported.
    fn no_jump_label(&mut self, label: &Option<Lifetime>) {
        debug_assert!(label.is_none() || self.report.has_errors());
    }
}

/// `f32::MAX`, `std::f32::consts::PI`: numbers.
fn evident_constant(path: &ExprPath) -> Evident {
    if path.qself.is_some() {
        return Evident::Nothing;
    }
    let segments: Vec<String> = path
        .path
        .segments
        .iter()
        .map(|s| s.ident.to_string())
        .collect();
    let primitive =
        |name: &String| crate::ast::PRIMITIVES.contains(&name.as_str()) && name != "bool";
    match segments.as_slice() {
        [ty, _] if primitive(ty) => Evident::Number,
        [.., ty, consts, _] if primitive(ty) && consts == "consts" => Evident::Number,
        _ => Evident::Nothing,
    }
}
