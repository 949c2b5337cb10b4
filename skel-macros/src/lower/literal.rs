//! Literals.

use super::{Evident, Lower, Lowered, Sexp};
use quote::{quote, quote_spanned};
use syn::{Expr, ExprLit, ExprUnary, Lit, UnOp, spanned::Spanned};

/// A number literal without suffix, perhaps negated: its text. It takes its type from its neighbour.
pub(super) fn open(e: &Expr) -> Option<String> {
    match e {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(int) if int.suffix().is_empty() => Some(int.base10_digits().to_owned()),
            Lit::Float(float) if float.suffix().is_empty() => {
                Some(float.base10_digits().to_owned())
            }
            _ => None,
        },
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
            let text = open(&unary.expr)?;
            // `--1` is not worth a rule of its own.
            (!text.starts_with('-')).then(|| format!("-{text}"))
        }
        Expr::Paren(inner) => open(&inner.expr),
        _ => None,
    }
}

impl Lower<'_> {
    /// A literal beside something that says its type.
    pub(super) fn open_literal(&self, e: &Expr, text: &str) -> Lowered {
        let text = Sexp::list(e.span(), "lit", [Sexp::atom("^"), Sexp::atom(text)]);
        Lowered {
            probe: quote!(#e),
            text,
            evident: Evident::Number,
        }
    }

    /// `-1`, where nothing beside it says its type.
    pub(super) fn negative_literal(&mut self, e: &ExprUnary, positive: &str) -> Lowered {
        let span = e.span();
        let (slot, ty) = self.typed_slot(span);
        let digits = match positive.strip_prefix('-') {
            Some(twice_negated) => twice_negated.to_owned(),
            None => format!("-{positive}"),
        };
        let text = Sexp::list(span, "lit", [ty, Sexp::atom(digits)]);
        Lowered {
            probe: quote_spanned!(span=> #slot.put(#e)),
            text,
            evident: Evident::Number,
        }
    }

    pub(super) fn literal(&mut self, literal: &ExprLit) -> Lowered {
        let span = literal.span();
        let (digits, suffix) = match &literal.lit {
            Lit::Bool(value) => {
                let ty = self.ty(quote!(__skel::Ty::Bool));
                let text = Sexp::list(span, "lit", [ty, Sexp::atom(value.value)]);
                return Lowered {
                    probe: quote!(#literal),
                    text,
                    evident: Evident::Bool,
                };
            }
            Lit::Int(int) => (int.base10_digits(), int.suffix()),
            Lit::Float(float) => (float.base10_digits(), float.suffix()),
            Lit::Str(_) | Lit::ByteStr(_) | Lit::CStr(_) | Lit::Char(_) | Lit::Byte(_) => {
                return self.refuse(literal, "no device has text: compute with numbers");
            }
            _ => return self.refuse(literal, "this literal has no device form"),
        };
        let (probe, ty) = if suffix.is_empty() {
            let (slot, ty) = self.typed_slot(span);
            (quote_spanned!(span=> #slot.put(#literal)), ty)
        } else {
            // The suffix is that of a primitive type, whatever its name means in the user's scope.
            let primitive = syn::Ident::new(suffix, span);
            let ty =
                self.ty(quote_spanned!(span=> __skel::ty::<__skel::core::primitive::#primitive>()));
            (quote!(#literal), ty)
        };
        let text = Sexp::list(span, "lit", [ty, Sexp::atom(digits)]);
        Lowered {
            probe,
            text,
            evident: Evident::Number,
        }
    }
}
