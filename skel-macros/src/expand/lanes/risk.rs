//! What lanes that take no part must not run, as it could panic, loop for ever, or call something that does; and
//! what has no lane-wise form at all.

use super::words::is_assignment;
use crate::lower::{is_plain, is_plain_call};
use syn::{
    BinOp, Expr, ExprBinary, ExprCall, ExprMethodCall, Lit, Local, Macro, Stmt,
    visit::{self, Visit},
};

/// What a piece of the text is, as far as idle lanes are concerned.
#[derive(Default)]
pub(super) struct Risk {
    /// Only lanes that take part may run it.
    pub(super) gated: bool,
    /// There is no lane-wise form of it.
    pub(super) refused: bool,
}

impl Risk {
    pub(super) fn of_expr(e: &Expr) -> Risk {
        let mut risk = Risk::default();
        risk.visit_expr(e);
        risk
    }

    pub(super) fn of_stmt(stmt: &Stmt) -> Risk {
        let mut risk = Risk::default();
        risk.visit_stmt(stmt);
        risk
    }
}

impl<'ast> Visit<'ast> for Risk {
    fn visit_expr(&mut self, e: &'ast Expr) {
        match e {
            Expr::Index(_) | Expr::Loop(_) | Expr::While(_) | Expr::ForLoop(_) => self.gated = true,
            Expr::Array(_)
            | Expr::Assign(_)
            | Expr::Binary(_)
            | Expr::Block(_)
            | Expr::Break(_)
            | Expr::Call(_)
            | Expr::Cast(_)
            | Expr::Continue(_)
            | Expr::Field(_)
            | Expr::If(_)
            | Expr::Let(_)
            | Expr::Lit(_)
            | Expr::Macro(_)
            | Expr::Match(_)
            | Expr::MethodCall(_)
            | Expr::Paren(_)
            | Expr::Path(_)
            | Expr::Range(_)
            | Expr::Reference(_)
            | Expr::Repeat(_)
            | Expr::Return(_)
            | Expr::Struct(_)
            | Expr::Tuple(_)
            | Expr::Unary(_)
            | Expr::Infer(_) => {}
            _ => self.refused = true,
        }
        visit::visit_expr(self, e);
    }

    fn visit_expr_binary(&mut self, e: &'ast ExprBinary) {
        let divides = matches!(
            e.op,
            BinOp::Div(_) | BinOp::Rem(_) | BinOp::DivAssign(_) | BinOp::RemAssign(_)
        );
        if divides && !is_number_but_0(&e.right) {
            self.gated = true;
        }
        visit::visit_expr_binary(self, e);
    }

    fn visit_expr_call(&mut self, e: &'ast ExprCall) {
        let plain = match &*e.func {
            Expr::Path(callee) => {
                let mut names = callee.path.segments.iter().rev();
                let last = names
                    .next()
                    .map(|s| s.ident.to_string())
                    .unwrap_or_default();
                let owner = names.next().map(|s| s.ident.to_string());
                let of_number =
                    owner.is_some_and(|owner| crate::ast::PRIMITIVES.contains(&owner.as_str()));
                // A tuple struct or variant, or a method of numbers by its path.
                last.starts_with(|c: char| c.is_ascii_uppercase())
                    || of_number && (is_plain(&last) || last == "from")
            }
            _ => false,
        };
        self.gated |= !plain;
        visit::visit_expr_call(self, e);
    }

    fn visit_expr_method_call(&mut self, e: &'ast ExprMethodCall) {
        self.gated |= !is_plain_call(e);
        visit::visit_expr_method_call(self, e);
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        self.gated = true;
        let words = super::words::words(&mac.tokens);
        self.refused |= ["break", "continue", "return"]
            .iter()
            .any(|exit| words.contains(*exit));
    }

    fn visit_local(&mut self, local: &'ast Local) {
        // What stands behind its `else` leaves; so what it binds has a value only where it does not.
        self.refused |= local
            .init
            .as_ref()
            .is_some_and(|init| init.diverge.is_some());
        visit::visit_local(self, local);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// Whether something is assigned in it.
pub(super) fn assigns(e: &Expr) -> bool {
    struct Assigns(bool);
    impl<'ast> Visit<'ast> for Assigns {
        fn visit_expr(&mut self, e: &'ast Expr) {
            self.0 |= match e {
                Expr::Assign(_) => true,
                Expr::Binary(e) => is_assignment(&e.op),
                // Its tokens may be anything.
                Expr::Macro(_) => true,
                _ => false,
            };
            visit::visit_expr(self, e);
        }
    }
    let mut assigns = Assigns(false);
    assigns.visit_expr(e);
    assigns.0
}

fn is_number_but_0(e: &Expr) -> bool {
    match e {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Int(n) => n.base10_parse::<u128>().is_ok_and(|n| n != 0),
            Lit::Float(_) => true,
            _ => false,
        },
        Expr::Paren(inner) => is_number_but_0(&inner.expr),
        _ => false,
    }
}
