//! Expressions other than operators and calls.

use super::{Evident, Lower, Lowered, Sexp, data::Expected};
use quote::{quote, quote_spanned};
use syn::{Expr, ExprPath, spanned::Spanned};

impl Lower<'_> {
    pub(super) fn expr(&mut self, e: &Expr) -> Lowered {
        let span = e.span();
        match e {
            Expr::Lit(literal) => self.literal(literal),
            Expr::Path(path) => match self.special(e) {
                Some((_, special)) => self.refuse_special(e, special),
                None => self.path(path),
            },
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
            Expr::MethodCall(call) => match self.method_of_special(call) {
                Some(lowered) => lowered,
                None => self.method(call),
            },
            Expr::Call(call) => self.call(call),
            Expr::Field(field) => self.field(field),
            Expr::If(branch) => self.branch(branch, false),
            Expr::Match(e) => self.matching(e, false),
            Expr::Block(block) if block.label.is_some() => self.labelled_block(block),
            Expr::Block(block) => {
                let (probe, text, evident) = self.block(&block.block, false);
                Lowered {
                    probe,
                    text,
                    evident,
                }
            }
            Expr::While(repeat) => self.while_loop(repeat),
            Expr::Loop(repeat) => self.endless_loop(repeat),
            Expr::ForLoop(repeat) => self.for_loop(repeat),
            Expr::Break(leave) => self.leave(leave),
            Expr::Continue(next) => self.next_round(next),
            Expr::Return(give_back) => self.give_back(give_back),
            Expr::Tuple(tuple) if tuple.elems.is_empty() => {
                let text = Sexp::list(span, "bl", []);
                Lowered {
                    probe: quote!(#tuple),
                    text,
                    evident: Evident::Nothing,
                }
            }
            Expr::Tuple(tuple) => self.tuple(tuple, Expected::No),
            Expr::Array(array) => self.array(array, Expected::No),
            Expr::Repeat(repeat) => self.repeat(repeat, Expected::No),
            Expr::Struct(s) => self.structure(s, Expected::No),
            Expr::Index(index) => self.index(index),
            Expr::Macro(call) => self.macro_call(&call.mac),
            other => self.refuse_construct(other),
        }
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
                let shown = Self::in_probe(name);
                return Lowered {
                    probe: quote!(#shown),
                    text,
                    evident: variable.evident,
                };
            }
            let is_variable = !name
                .to_string()
                .starts_with(|c: char| c.is_ascii_uppercase());
            if self.is_closure() && is_variable && !self.is_item(name) {
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
        let number = self.constant(quote_spanned!(span=> __skel::constant(&#path)));
        let text = Sexp::list(span, "k", [number]);
        Lowered {
            probe: quote!(#path),
            text,
            evident: evident_constant(path),
        }
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
