//! `for i in a..=b` on CPUs: std's range asks in each round whether it is exhausted, which keeps loops from being unrolled and
//! vectorised. One that counts takes its place.

use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::{
    Block, Expr, ExprForLoop, RangeLimits,
    spanned::Spanned,
    visit_mut::{self, VisitMut},
};

/// Rewrites the loops of a body; `root` is where `skel::__private` is.
pub(crate) fn rewrite(body: &mut Block, root: &TokenStream) {
    Loops(root).visit_block_mut(body);
}

/// As [`rewrite`], of a closure's body.
pub(crate) fn rewrite_closure(body: &mut Expr, root: &TokenStream) {
    Loops(root).visit_expr_mut(body);
}

/// What a loop goes over instead of this, if that is a range with both its ends.
pub(crate) fn counted(over: &Expr, root: &TokenStream) -> Option<Expr> {
    let mut range = over;
    while let Expr::Paren(inner) = range {
        range = &inner.expr;
    }
    let Expr::Range(range) = range else {
        return None;
    };
    let (Some(first), Some(last), RangeLimits::Closed(_)) =
        (&range.start, &range.end, range.limits)
    else {
        return None;
    };
    let counted = quote_spanned!(range.span()=> #root::inclusive(#first, #last));
    Some(Expr::Verbatim(counted))
}

struct Loops<'r>(&'r TokenStream);

impl VisitMut for Loops<'_> {
    fn visit_expr_for_loop_mut(&mut self, e: &mut ExprForLoop) {
        visit_mut::visit_expr_for_loop_mut(self, e);
        if let Some(counted) = counted(&e.expr, self.0) {
            *e.expr = counted;
        }
    }
}
