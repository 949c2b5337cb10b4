//! Whole containers, lines, neighbourhoods and generators: `xs[i]`, `l[i]`, `m[(r, c)]`, `w[-1]`, `m.rows()`,
//! `rng.next_u32()`.
//!
//! They are parameters, and stay what they are: they can be read, asked, and passed on, but not kept
//! in a variable.

use super::{Evident, Lower, Lowered, Sexp, operator::variable_name};
use crate::ast::{Kind, Param, Reach, view_of};
use quote::{quote, quote_spanned};
use syn::{Expr, ExprMethodCall, spanned::Spanned};

/// What a variable is, if it is not a value.
#[derive(Clone, Copy)]
pub(super) enum Special {
    /// A whole container or a neighbourhood; what is evident of its elements.
    View(Evident),
    /// A line; what is evident of its elements.
    Line(Evident),
    /// A generator of random numbers.
    Random,
}

/// Methods of views, each of which tells an extent.
const EXTENTS: [&str; 5] = ["len", "volumes", "planes", "rows", "cols"];

/// Methods of `Random`.
const DRAWS: [&str; 4] = ["next_u32", "uniform_f32", "uniform_f64", "normal_f32"];

/// Whether a call is a method of `Random`, if its receiver is one.
pub(crate) fn is_draw(call: &ExprMethodCall) -> bool {
    let known = DRAWS.iter().any(|name| call.method == name);
    known && call.args.is_empty() && call.turbofish.is_none()
}

impl Special {
    pub(super) fn of(param: &Param) -> Option<Special> {
        match param.kind {
            Kind::View(_) => {
                let (_, elem) = view_of(&param.value_ty)?;
                let elem = Evident::of(elem);
                Some(match param.kind.is_line() {
                    true => Special::Line(elem),
                    false => Special::View(elem),
                })
            }
            Kind::Random => Some(Special::Random),
            _ => None,
        }
    }
}

impl Lower<'_> {
    /// What the expression names, if that is no value.
    pub(super) fn special(&self, e: &Expr) -> Option<(usize, Special)> {
        let number = self.find(variable_name(e)?)?.number;
        Some((number, *self.specials.get(&number)?))
    }

    /// How far the neighbourhood reaches that the expression names.
    pub(super) fn reach(&self, e: &Expr) -> Option<&Reach> {
        let number = self.find(variable_name(e)?)?.number;
        self.reaches.get(&number)
    }

    /// A view or a generator where it may stand: as an argument, or a view left of `[…]`.
    pub(super) fn passed_on(&self, e: &Expr) -> Option<Lowered> {
        let (number, special) = self.special(e)?;
        Some(Lowered {
            probe: quote!(#e),
            text: Sexp::list(e.span(), "v", [Sexp::atom(number)]),
            evident: match special {
                Special::View(element) | Special::Line(element) => element.elements(),
                Special::Random => Evident::Nothing,
            },
        })
    }

    /// `m.rows()`, `rng.next_u32()`.
    pub(super) fn method_of_special(&mut self, call: &ExprMethodCall) -> Option<Lowered> {
        let (number, special) = self.special(&call.receiver)?;
        let (receiver, method) = (&call.receiver, &call.method);
        let name = method.to_string();
        let variable = Sexp::list(receiver.span(), "v", [Sexp::atom(number)]);
        let text = match special {
            Special::View(_) if self.reaches.contains_key(&number) => {
                return Some(self.refuse(
                    method,
                    format!("`{name}` is not possible on a neighbourhood: read its elements by index; how far it reaches is a constant in its type"),
                ));
            }
            Special::Line(_) if name != "len" => {
                return Some(self.refuse(
                    method,
                    format!("`{name}` is not possible on a line: read and write its elements in a loop, by index; `len` is how many there are"),
                ));
            }
            Special::View(_) | Special::Line(_) => {
                match EXTENTS.iter().find(|known| **known == name) {
                    Some(extent) => {
                        Sexp::list(method.span(), "extent", [Sexp::atom(extent), variable])
                    }
                    None => {
                        return Some(self.refuse(
                        method,
                        format!("`{name}` is not possible on a whole container: read its elements in a loop, by index or `for x in …`"),
                    ));
                    }
                }
            }
            Special::Random => {
                if !DRAWS.contains(&name.as_str()) {
                    let known = DRAWS.join("`, `");
                    return Some(self.refuse(
                        method,
                        format!("a generator has no method `{name}`: there are `{known}`"),
                    ));
                }
                let cx = Self::cx();
                let imp =
                    self.imp(quote_spanned!(method.span()=> __skel::random_method(#name, #cx)));
                Sexp::list(method.span(), "draw", [imp, variable])
            }
        };
        let args = call.args.iter().map(|arg| self.expr(arg).probe);
        let args: Vec<_> = args.collect();
        Some(Lowered {
            // With its arguments, if it has any: rustc says that there are none.
            probe: quote_spanned!(method.span()=> #receiver.#method(#(#args),*)),
            text,
            evident: Evident::Number,
        })
    }

    /// A view or a generator where a value should be.
    pub(super) fn refuse_special(&mut self, e: &Expr, special: Special) -> Lowered {
        let name = variable_name(e)
            .map(ToString::to_string)
            .unwrap_or_default();
        let message = match special {
            Special::View(_) if self.reach(e).is_some() => format!(
                "`{name}` is a neighbourhood: read it by index, `{name}[…]`, or pass it on to a user function"
            ),
            Special::Line(_) => format!(
                "`{name}` is a line: read and write its elements by index, `{name}[…]`, or pass it on to a user function"
            ),
            Special::View(_) => format!(
                "`{name}` is a whole container: read it by index, `{name}[…]`, or pass it on to a user function"
            ),
            Special::Random => format!(
                "`{name}` is a generator: draw numbers from it, as `{name}.uniform_f32()`, or pass it on to a user function"
            ),
        };
        self.refuse(e, message)
    }
}
