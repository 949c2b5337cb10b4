//! Neighbourhoods: offsets that are literals are checked when the function is compiled.

use super::Lower;
use crate::ast::Reach;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Expr, Lit, UnOp, spanned::Spanned};

impl Lower<'_> {
    /// Looks at the offsets of `w[…]`, where `w` reaches so far. If the reach is a literal as well, what
    /// is beyond is reported here; if it is a constant, rustc is asked to compare.
    pub(super) fn check_offsets(&mut self, reach: &Reach, index: &Expr) {
        let offsets: Vec<&Expr> = match index {
            Expr::Paren(inner) => return self.check_offsets(reach, &inner.expr),
            Expr::Tuple(tuple) => tuple.elems.iter().collect(),
            one => vec![one],
        };
        if reach.sweeps && !self.is_of_one_sign(&offsets, index) {
            return;
        }
        // Another number of offsets is rustc's to report.
        for (offset, size) in offsets.into_iter().zip(&reach.sizes) {
            let Some(at) = literal(offset) else {
                continue;
            };
            if at < 0 && !reach.both_ways {
                // Of type `usize`: rustc says that it has no sign.
                continue;
            }
            let distance = at.unsigned_abs();
            let known = literal_size(size);
            let inside = |size: u128| {
                if reach.both_ways {
                    distance <= size
                } else {
                    distance < size
                }
            };
            match known {
                Some(size) if inside(size) => {}
                Some(size) if reach.both_ways => self.report.at(
                    offset,
                    format!("offset {at} is beyond the radius of the {}, which is {size} here: write a larger one into its type", name(reach)),
                ),
                Some(size) => self.report.at(
                    offset,
                    format!("offset {at} is beyond the pool, which has {size} elements here, from 0 on"),
                ),
                None => self.compare_later(reach, offset, at, size),
            }
        }
    }

    /// Whether the offsets of a sweep are literals of one sign; what else they are is reported. Then it is known which
    /// elements are computed before which.
    fn is_of_one_sign(&mut self, offsets: &[&Expr], index: &Expr) -> bool {
        let mut all = Vec::new();
        for offset in offsets {
            let Some(at) = literal(offset) else {
                self.report.at(
                    offset,
                    "an offset of a sweep is a literal, since it says which elements are computed before which: `w[-1]`, or `w[(-1, 0)]`",
                );
                return false;
            };
            all.push(at);
        }
        let mixed = all.iter().any(|at| *at < 0) && all.iter().any(|at| *at > 0);
        if mixed {
            self.report.at(
                index,
                "this element is neither before nor behind in every dimension, and may be computed at the same time: offsets of a sweep are all at most 0 (before), or all at least 0 (behind, not yet computed)",
            );
        }
        !mixed
    }

    /// Lets rustc compare an offset with a constant, for each value that the constant gets.
    fn compare_later(&mut self, reach: &Reach, offset: &Expr, at: i128, size: &TokenStream) {
        let distance = proc_macro2::Literal::u128_unsuffixed(at.unsigned_abs());
        let (inside, message) = if reach.both_ways {
            (
                quote!(#distance <= #size),
                format!(
                    "offset {at} is beyond the radius of the {}, `{size}`",
                    name(reach)
                ),
            )
        } else {
            (
                quote!(#distance < #size),
                format!("offset {at} is beyond the pool, which has `{size}` elements"),
            )
        };
        self.declarations.push(quote_spanned!(offset.span()=>
            const { __skel::core::assert!(#inside, #message) };
        ));
    }
}

/// What messages call it.
fn name(reach: &Reach) -> &'static str {
    match reach.sweeps {
        true => "sweep",
        false => "window",
    }
}

/// The integer that a literal is, perhaps with a sign.
fn literal(e: &Expr) -> Option<i128> {
    match e {
        Expr::Paren(inner) => literal(&inner.expr),
        Expr::Group(inner) => literal(&inner.expr),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
            literal(&unary.expr).map(|at| -at)
        }
        Expr::Lit(lit) => match &lit.lit {
            Lit::Int(int) => int.base10_parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

/// The integer that a size is, unless it is a constant's name.
fn literal_size(size: &TokenStream) -> Option<u128> {
    match syn::parse2::<Lit>(size.clone()) {
        Ok(Lit::Int(int)) => int.base10_parse().ok(),
        _ => None,
    }
}
