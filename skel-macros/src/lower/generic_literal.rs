//! Literals beside values of a type parameter, as in `x * 2` with `x: T`: no literal of Rust has a generic
//! type. rustc says that, but not what to write instead.

use super::{Lower, bare::is, literal::open, operator::variable_name};
use syn::{BinOp, Expr, GenericParam, Generics, Ident, Type, TypeParamBound, UnOp, WherePredicate};

/// The type parameters that have `Number` or its like among their bounds; with `alone`, only those of which all
/// bounds are ours, so that no operator of theirs takes a literal.
pub(super) fn numeric(generics: &Generics, alone: bool) -> Vec<Ident> {
    let clauses = generics.where_clause.iter();
    let predicates: Vec<_> = clauses.flat_map(|clause| &clause.predicates).collect();
    let params = generics.params.iter().filter_map(|param| match param {
        GenericParam::Type(ty) => Some(ty),
        _ => None,
    });
    let numeric = params.filter(|param| {
        let mut bounds: Vec<&TypeParamBound> = param.bounds.iter().collect();
        for predicate in &predicates {
            if let WherePredicate::Type(predicate) = predicate {
                // A bound of another type may be about this one.
                let own = is(&predicate.bounded_ty, &param.ident);
                bounds.extend(predicate.bounds.iter().filter(|_| own));
            }
        }
        let ours = |bound: &&TypeParamBound| named(bound, &PLAIN) || named(bound, &NUMBERS);
        (!alone || bounds.iter().all(ours)) && bounds.iter().any(|bound| named(bound, &NUMBERS))
    });
    numeric.map(|param| param.ident.clone()).collect()
}

const NUMBERS: [&str; 3] = ["Number", "Float", "Integer"];

const PLAIN: [&str; 6] = ["Copy", "Clone", "Sized", "Send", "Sync", "Element"];

fn named(bound: &TypeParamBound, names: &[&str]) -> bool {
    let TypeParamBound::Trait(bound) = bound else {
        return false;
    };
    let last = bound.path.segments.last();
    last.is_some_and(|last| last.arguments.is_none() && names.iter().any(|name| last.ident == name))
}

impl Lower<'_> {
    /// Notes a parameter whose type is such a type parameter.
    pub(super) fn note_numeric(&mut self, number: usize, ty: &Type) {
        if let Some(name) = self.numeric.iter().find(|name| is(ty, name)) {
            self.numeric_variables.insert(number, name.clone());
        }
    }

    /// Reports a literal on one side of an operator that has such a value on the other.
    pub(super) fn literal_beside(&mut self, op: &BinOp, left: &Expr, right: &Expr) {
        if matches!(
            op,
            BinOp::Shl(_) | BinOp::Shr(_) | BinOp::ShlAssign(_) | BinOp::ShrAssign(_)
        ) {
            return;
        }
        let (literal, text, ty) = match (open(left), open(right)) {
            (Some(text), None) => (left, text, self.numeric_type(right)),
            (None, Some(text)) => (right, text, self.numeric_type(left)),
            _ => return,
        };
        let Some(ty) = ty else {
            return;
        };
        let instead = match text.as_str() {
            "0" | "0.0" => format!("`{ty}::ZERO`"),
            "1" | "1.0" => format!("`{ty}::ONE`"),
            float if float.contains(['.', 'e', 'E']) => {
                format!("`{ty}::from_f64({float})`, which `{ty}: Float` has")
            }
            integer => format!("`{ty}::from_i32({integer})`"),
        };
        let message = format!("no literal is of the generic type `{ty}`: write {instead}");
        self.report.at(literal, message);
        self.hides_body = true;
    }

    /// The type parameter that is evidently the type of this expression.
    fn numeric_type(&self, e: &Expr) -> Option<Ident> {
        match e {
            Expr::Paren(inner) => self.numeric_type(&inner.expr),
            Expr::Unary(unary) if !matches!(unary.op, UnOp::Not(_)) => {
                self.numeric_type(&unary.expr)
            }
            Expr::Binary(binary)
                if matches!(
                    binary.op,
                    BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_)
                ) =>
            {
                let left = self.numeric_type(&binary.left);
                left.or_else(|| self.numeric_type(&binary.right))
            }
            e => {
                let variable = self.find(variable_name(e)?)?;
                self.numeric_variables.get(&variable.number).cloned()
            }
        }
    }
}
