//! Invisible groups, as `$x:expr` of a `macro_rules!` leaves them.
//!
//! rustc does not see them in what a procedural macro writes: `$x * 2` with `a + 1` for `$x` would
//! become `a + 1 * 2`, in the user's own function. So they are made visible.

use syn::{
    Expr, ExprParen,
    visit_mut::{self, VisitMut},
};

/// Puts parentheses where an invisible group matters.
pub(crate) struct Visible;

impl VisitMut for Visible {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
        if let Expr::Group(group) = e {
            let inner = std::mem::replace(&mut *group.expr, Expr::PLACEHOLDER);
            *e = if binds_tightly(&inner) {
                inner
            } else {
                Expr::Paren(ExprParen {
                    attrs: Vec::new(),
                    paren_token: syn::token::Paren(group.group_token.span),
                    expr: Box::new(inner),
                })
            };
        }
    }
}

fn binds_tightly(e: &Expr) -> bool {
    matches!(
        e,
        Expr::Path(_)
            | Expr::Lit(_)
            | Expr::Call(_)
            | Expr::MethodCall(_)
            | Expr::Field(_)
            | Expr::Index(_)
            | Expr::Paren(_)
            | Expr::Block(_)
            | Expr::Macro(_)
            | Expr::Tuple(_)
            | Expr::Array(_)
    )
}
