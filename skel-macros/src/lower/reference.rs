//! References. A user function has them as parameters only: `y: &mut T`, and `&self`, `o: &V` of
//! methods. What is shared cannot change, so it is a value to the IR; what is `&mut` is a place.

use super::{Lower, Lowered, Sexp, Variable, operator::variable_name};
use quote::quote_spanned;
use syn::{Expr, ExprReference, ExprUnary, spanned::Spanned};

impl Lower<'_> {
    /// What stands left of a `.`, where Rust follows a reference by itself: so `y.x` is possible
    /// where `y` alone is not.
    pub(super) fn base(&mut self, e: &Expr) -> Lowered {
        if let Some(whole) = self.passed_on(e) {
            return whole;
        }
        match self.reference(e) {
            Some(variable) => self.as_it_is(e, variable),
            None => self.expr(e),
        }
    }

    /// The argument of a call: `x`, `&x`, `&mut x`, or a parameter `y: &mut T` that is passed on.
    pub(super) fn argument(&mut self, e: &Expr) -> Lowered {
        match e {
            Expr::Reference(reference) => self.borrow(reference),
            e => self.passed(e),
        }
    }

    fn passed(&mut self, e: &Expr) -> Lowered {
        if let Some(whole) = self.passed_on(e) {
            return whole;
        }
        match self.reference(e) {
            Some(variable) => self.as_it_is(e, variable),
            None => self.placed(e),
        }
    }

    fn borrow(&mut self, e: &ExprReference) -> Lowered {
        let Lowered {
            probe,
            text,
            evident,
        } = self.passed(&e.expr);
        let (and, mutability) = (&e.and_token, &e.mutability);
        Lowered {
            probe: quote_spanned!(e.span()=> #and #mutability #probe),
            text,
            evident,
        }
    }

    /// `*y`, where `y` is a parameter that is a reference.
    pub(super) fn dereference(&mut self, e: &ExprUnary) -> Lowered {
        let Some(variable) = self.reference(&e.expr) else {
            return self.refuse(
                e,
                "only a parameter `y: &mut T` is read and written as `*y`: leave out the `*`",
            );
        };
        let Lowered {
            probe,
            text,
            evident,
        } = self.as_it_is(&e.expr, variable);
        Lowered {
            probe: quote_spanned!(e.span()=> *#probe),
            text,
            evident,
        }
    }

    /// The variable that the expression names, if it is a reference.
    pub(super) fn reference(&self, e: &Expr) -> Option<Variable> {
        let variable = self.find(variable_name(e)?)?;
        (variable.by_mut || variable.by_ref).then_some(variable)
    }

    fn as_it_is(&self, e: &Expr, variable: Variable) -> Lowered {
        let name = variable_name(e).map(Self::in_probe);
        Lowered {
            probe: quote_spanned!(e.span()=> #name),
            text: Sexp::list(e.span(), "v", [Sexp::atom(variable.number)]),
            evident: variable.evident,
        }
    }
}
