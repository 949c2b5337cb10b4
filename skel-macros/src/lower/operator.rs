//! Operators and assignment.

use super::{Evident, Lower, Lowered, Sexp, literal::open};
use proc_macro2::Span;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{BinOp, Expr, ExprAssign, ExprBinary, ExprUnary, Ident, UnOp, spanned::Spanned};

impl Lower<'_> {
    pub(super) fn binary(&mut self, e: &ExprBinary) -> Lowered {
        let op = &e.op;
        let symbol = op.to_token_stream().to_string();
        let bound = match symbol.trim_end_matches('=') {
            "&" | "|" | "^" | "<<" | ">>" => "Integer",
            _ => "Number",
        };
        if !matches!(op, BinOp::And(_) | BinOp::Or(_)) {
            self.lacks(&[&*e.left, &*e.right], op.span(), &symbol, bound);
            self.literal_beside(op, &e.left, &e.right);
        }
        match op {
            BinOp::And(_) | BinOp::Or(_) => {
                let (left, right) = (self.expr(&e.left), self.expr(&e.right));
                let (l, r) = (left.probe, right.probe);
                let text = Sexp::list(op.span(), &symbol, [left.text, right.text]);
                Lowered {
                    probe: quote!(#l #op #r),
                    text,
                    evident: Evident::Bool,
                }
            }
            BinOp::Eq(_)
            | BinOp::Ne(_)
            | BinOp::Lt(_)
            | BinOp::Le(_)
            | BinOp::Gt(_)
            | BinOp::Ge(_) => {
                let (mut left, mut right) = self.operands(&e.left, &e.right, true);
                let imp = self.compared(op.span(), &symbol, &mut left, &mut right);
                let (l, r) = (left.probe, right.probe);
                let parts = [Sexp::atom(&symbol), imp, left.text, right.text];
                let text = Sexp::list(op.span(), "b", parts);
                Lowered {
                    probe: quote!(#l #op #r),
                    text,
                    evident: Evident::Bool,
                }
            }
            _ => match symbol.strip_suffix('=') {
                Some(symbol) => self.compound_assignment(e, symbol),
                None => self.arithmetic(e, &symbol),
            },
        }
    }

    /// What compares two operands. One that is evidently a number or `bool` says it of both.
    pub(super) fn compared(
        &mut self,
        span: Span,
        symbol: &str,
        left: &mut Lowered,
        right: &mut Lowered,
    ) -> Sexp {
        if left.evident.is_scalar() || right.evident.is_scalar() {
            return Sexp::none();
        }
        let pair = self.fresh("w", span);
        self.declarations
            .push(quote!(let #pair = &__skel::Pair::new();));
        let (l, r) = (&left.probe, &right.probe);
        left.probe = quote_spanned!(span=> #pair.l(#l));
        right.probe = quote_spanned!(span=> #pair.r(#r));
        let name = match symbol {
            "==" | "!=" => "PartialEq",
            _ => "PartialOrd",
        };
        let (operator, cx) = (format_ident!("{name}"), Self::cx());
        self.imp(quote_spanned!(span=> #pair.compare::<__skel::operator::#operator>(#cx)))
    }

    fn arithmetic(&mut self, e: &ExprBinary, symbol: &str) -> Lowered {
        let op = &e.op;
        let shift = is_shift(symbol);
        let (left, right) = if shift {
            (self.expr(&e.left), self.expr(&e.right))
        } else {
            self.operands(&e.left, &e.right, false)
        };
        let (l, r) = (left.probe, right.probe);
        let evident = if left.evident.is_scalar() && right.evident.is_scalar() {
            left.evident
        } else {
            Evident::Nothing
        };
        let (probe, imp) = if evident.is_scalar() {
            (quote!(#l #op #r), Sexp::none())
        } else {
            let (pair, imp) = self.pair(op.span(), symbol, "");
            (quote_spanned!(op.span()=> #pair.l(#l) #op #pair.r(#r)), imp)
        };
        let text = Sexp::list(
            op.span(),
            "b",
            [Sexp::atom(symbol), imp, left.text, right.text],
        );
        Lowered {
            probe,
            text,
            evident,
        }
    }

    fn compound_assignment(&mut self, e: &ExprBinary, symbol: &str) -> Lowered {
        let op = &e.op;
        let Some(place) = self.place(&e.left) else {
            return Lowered {
                probe: quote!(()),
                text: Sexp::none(),
                evident: Evident::Nothing,
            };
        };
        let right = match open(&e.right) {
            Some(text) if place.evident.is_scalar() && !is_shift(symbol) => {
                self.open_literal(&e.right, &text)
            }
            _ => self.expr(&e.right),
        };
        let (l, r) = (place.probe, right.probe);
        let (probe, imp) = if place.evident.is_scalar() && right.evident.is_scalar() {
            (quote!(#l #op #r), Sexp::none())
        } else {
            if self.is_generic() && is_indexed(&e.left) && assigns(&e.right) {
                // Of a type parameter it is a call, which finds the place first; of a number, last.
                self.report.at(
                    &e.right,
                    "in a generic function, what is assigned to an element is a value: give it a name first",
                );
            }
            let (pair, imp) = self.pair(op.span(), symbol, "Assign");
            (
                quote_spanned!(op.span()=> { #pair.see(&#l); #l #op #pair.r(#r) }),
                imp,
            )
        };
        let text = Sexp::list(
            op.span(),
            "op",
            [Sexp::atom(symbol), imp, place.text, right.text],
        );
        Lowered {
            probe,
            text,
            evident: Evident::Nothing,
        }
    }

    /// Two operands of one type. A literal beside something evident, or in a comparison, needs no
    /// slot.
    pub(super) fn operands(
        &mut self,
        left: &Expr,
        right: &Expr,
        always: bool,
    ) -> (Lowered, Lowered) {
        match (open(left), open(right)) {
            (None, Some(text)) => {
                let left = self.expr(left);
                let literal = always || left.evident.is_scalar();
                let right = if literal {
                    self.open_literal(right, &text)
                } else {
                    self.expr(right)
                };
                (left, right)
            }
            (Some(text), None) => {
                // Text and probe keep their order; only slots are numbered in another one.
                let right = self.expr(right);
                let literal = always || right.evident.is_scalar();
                let left = if literal {
                    self.open_literal(left, &text)
                } else {
                    self.expr(left)
                };
                (left, right)
            }
            _ => (self.expr(left), self.expr(right)),
        }
    }

    /// A witness for an operator on operands of types that are not evident.
    fn pair(&mut self, span: Span, symbol: &str, suffix: &str) -> (Ident, Sexp) {
        let name = match symbol {
            "+" => "Add",
            "-" => "Sub",
            "*" => "Mul",
            "/" => "Div",
            "%" => "Rem",
            "&" => "BitAnd",
            "|" => "BitOr",
            "^" => "BitXor",
            "<<" => "Shl",
            _ => "Shr",
        };
        let pair = self.fresh("w", span);
        self.declarations
            .push(quote!(let #pair = &__skel::Pair::new();));
        let (operator, cx) = (format_ident!("{name}{suffix}"), Self::cx());
        let imp = quote_spanned!(span=> #pair.binary::<__skel::operator::#operator>(#cx));
        let imp = self.imp(imp);
        (pair, imp)
    }

    pub(super) fn unary(&mut self, e: &ExprUnary) -> Lowered {
        let op = &e.op;
        let (symbol, name) = match op {
            UnOp::Neg(_) => {
                // The smallest integer is a literal only together with its sign.
                if let Some(text) = open(&e.expr) {
                    return self.negative_literal(e, &text);
                }
                ("-", "Neg")
            }
            UnOp::Not(_) => ("!", "Not"),
            UnOp::Deref(_) => return self.dereference(e),
            _ => return self.refuse(e, "this operator is not possible in a user function"),
        };
        let bound = if symbol == "-" { "Float" } else { "Integer" };
        self.lacks(&[&*e.expr], op.span(), symbol, bound);
        let value = self.expr(&e.expr);
        let (v, span) = (value.probe, op.span());
        let (probe, imp) = if value.evident.is_scalar() {
            (quote!(#op #v), Sexp::none())
        } else {
            let slot = self.slot(span);
            let (operator, cx) = (format_ident!("{name}"), Self::cx());
            let imp = quote_spanned!(span=> #slot.unary::<__skel::operator::#operator>(#cx));
            (quote_spanned!(span=> #op #slot.put(#v)), self.imp(imp))
        };
        let text = Sexp::list(span, "u", [Sexp::atom(symbol), imp, value.text]);
        Lowered {
            probe,
            text,
            evident: value.evident,
        }
    }

    pub(super) fn assignment(&mut self, e: &ExprAssign) -> Lowered {
        let span = e.eq_token.span;
        if matches!(&*e.left, Expr::Infer(_)) {
            let value = self.expr(&e.right);
            let (v, probe) = (value.probe, &e.left);
            return Lowered {
                probe: quote!(#probe = #v),
                text: value.text,
                evident: Evident::Nothing,
            };
        }
        if super::unpack::takes_apart(&e.left) {
            return self.assignment_to_parts(e);
        }
        let Some(place) = self.place(&e.left) else {
            return Lowered {
                probe: quote!(()),
                text: Sexp::none(),
                evident: Evident::Nothing,
            };
        };
        let value = self.placed(&e.right);
        let (l, r) = (place.probe, value.probe);
        let text = Sexp::list(span, "=", [place.text, value.text]);
        Lowered {
            probe: quote_spanned!(span=> #l = #r),
            text,
            evident: Evident::Nothing,
        }
    }

    fn is_place(&self, e: &Expr) -> bool {
        match e {
            Expr::Path(_) => variable_name(e).is_some_and(|name| self.find(name).is_some()),
            Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)),
            Expr::Field(field) => self.is_place(&field.base),
            Expr::Index(index) => self.is_place(&index.expr),
            Expr::Paren(inner) => self.is_place(&inner.expr),
            _ => false,
        }
    }

    /// What can be assigned to.
    pub(super) fn place(&mut self, e: &Expr) -> Option<Lowered> {
        if self.is_place(e) {
            return Some(self.expr(e));
        }
        self.report.at(
            e,
            "only a variable, or `*y` of a parameter `y: &mut T`, can be assigned to",
        );
        None
    }
}

/// The name, if the expression is nothing but a name.
pub(crate) fn variable_name(e: &Expr) -> Option<&Ident> {
    match e {
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident(),
        Expr::Paren(inner) => variable_name(&inner.expr),
        _ => None,
    }
}

/// Whether an index is on the way to the place.
fn is_indexed(place: &Expr) -> bool {
    match place {
        Expr::Index(_) => true,
        Expr::Field(field) => is_indexed(&field.base),
        Expr::Paren(inner) => is_indexed(&inner.expr),
        _ => false,
    }
}

/// Whether computing the expression may change variables.
fn assigns(e: &Expr) -> bool {
    struct Assigns(bool);
    impl<'ast> syn::visit::Visit<'ast> for Assigns {
        fn visit_expr(&mut self, e: &'ast Expr) {
            self.0 |= match e {
                Expr::Assign(_) => true,
                Expr::Reference(reference) => reference.mutability.is_some(),
                Expr::Binary(binary) => is_compound(&binary.op),
                _ => false,
            };
            syn::visit::visit_expr(self, e);
        }
    }
    let mut found = Assigns(false);
    syn::visit::Visit::visit_expr(&mut found, e);
    found.0
}

fn is_compound(op: &syn::BinOp) -> bool {
    quote!(#op).to_string().ends_with('=')
        && !matches!(
            op,
            syn::BinOp::Eq(_) | syn::BinOp::Ne(_) | syn::BinOp::Le(_) | syn::BinOp::Ge(_)
        )
}

fn is_shift(symbol: &str) -> bool {
    symbol == "<<" || symbol == ">>"
}
