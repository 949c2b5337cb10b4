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
                    format!("offset {at} is beyond the radius of the window, which is {size} here: write a larger one into its type"),
                ),
                Some(size) => self.report.at(
                    offset,
                    format!("offset {at} is beyond the pool, which has {size} elements here, from 0 on"),
                ),
                None => self.compare_later(reach.both_ways, offset, at, size),
            }
        }
    }

    /// Lets rustc compare an offset with a constant, for each value that the constant gets.
    fn compare_later(&mut self, both_ways: bool, offset: &Expr, at: i128, size: &TokenStream) {
        let distance = proc_macro2::Literal::u128_unsuffixed(at.unsigned_abs());
        let (inside, message) = if both_ways {
            (
                quote!(#distance <= #size),
                format!("offset {at} is beyond the radius of the window, `{size}`"),
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
