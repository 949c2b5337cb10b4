//! Type parameters of which nothing is known: rustc would say of each operator that they do not have it,
//! once for the function and once for its probe. One error says what to write.

use super::{Lower, operator::variable_name};
use proc_macro2::Span;
use syn::{Expr, GenericParam, Generics, Ident, Type, TypeParamBound, UnOp, WherePredicate};

/// The type parameters that have no bound but those that everything here has.
pub(super) fn bare(generics: &Generics) -> Vec<Ident> {
    let clauses = generics.where_clause.iter();
    let predicates: Vec<_> = clauses.flat_map(|clause| &clause.predicates).collect();
    let params = generics.params.iter().filter_map(|param| match param {
        GenericParam::Type(ty) if ty.bounds.iter().all(says_nothing) => Some(&ty.ident),
        _ => None,
    });
    let mentioned = |name: &Ident| {
        predicates.iter().any(|predicate| match predicate {
            WherePredicate::Type(predicate) => {
                !is(&predicate.bounded_ty, name) || !predicate.bounds.iter().all(says_nothing)
            }
            _ => false,
        })
    };
    params.filter(|name| !mentioned(name)).cloned().collect()
}

fn says_nothing(bound: &TypeParamBound) -> bool {
    match bound {
        TypeParamBound::Lifetime(_) => true,
        TypeParamBound::Trait(bound) => bound.path.segments.last().is_some_and(|last| {
            ["Copy", "Clone", "Sized", "Send", "Sync"]
                .iter()
                .any(|name| last.ident == name)
        }),
        _ => false,
    }
}

pub(super) fn is(ty: &Type, name: &Ident) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident(name))
}

impl Lower<'_> {
    /// Notes a parameter whose type is a bare type parameter.
    pub(super) fn note_bare(&mut self, number: usize, ty: &Type) {
        if let Some(name) = self.bare.iter().find(|name| is(ty, name)) {
            self.bare_variables.insert(number, name.clone());
        }
    }

    /// Reports an operator or method on a value of a bare type parameter, the first time.
    pub(super) fn lacks(&mut self, operands: &[&Expr], span: Span, what: &str, bound: &str) {
        let Some(name) = operands.iter().find_map(|e| self.bare_type(e)) else {
            return;
        };
        if self.lacking.iter().any(|(known, _)| *known == name) {
            return;
        }
        let others = match bound {
            "Number" => format!(
                "; or name what is needed, as in `{name}: Copy + Add<Output = {name}>` and `{name}: Copy + PartialOrd`"
            ),
            _ => String::new(),
        };
        let message =
            format!("nothing says that `{name}` has `{what}`: write `{name}: {bound}`{others}");
        self.report.add(syn::Error::new(span, message));
        self.lacking.push((name, Ident::new(bound, span)));
    }

    fn bare_type(&self, e: &Expr) -> Option<Ident> {
        let e = match e {
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => &unary.expr,
            e => e,
        };
        let variable = self.find(variable_name(e)?)?;
        self.bare_variables.get(&variable.number).cloned()
    }
}
