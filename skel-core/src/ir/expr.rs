//! Expressions: pure, typed trees.

use super::{BinaryOp, Builtin, FnId, LocalId, Ty, UnaryOp, Value};

/// An expression and its type.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The type of its value.
    pub ty: Ty,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant.
    Const(Value),
    /// The value of a local.
    Local(LocalId),
    /// A field of a struct, by position.
    Field(Box<Expr>, usize),
    /// A struct from its fields, in declaration order; its type is the expression's.
    Struct(Vec<Expr>),
    /// An operator on one operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator on two operands. The line is where a trap is reported.
    Binary(BinaryOp, Box<Expr>, Box<Expr>, u32),
    /// `as`: to the expression's type, from any scalar type.
    Cast(Box<Expr>),
    /// A built-in function; arguments in Rust's order, receiver first. The line is where a trap is
    /// reported.
    Builtin(Builtin, Vec<Expr>, u32),
    /// Another function of the program. Arguments of [`super::Mode::InOut`] parameters are not
    /// expressible: such functions are entries only.
    Call(FnId, Vec<Expr>),
}

/// Where a value can be stored: a local, or a field (of a field …) of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The local.
    pub local: LocalId,
    /// The fields from there, outermost first.
    pub fields: Vec<usize>,
}

impl Place {
    /// The whole local.
    #[must_use]
    pub fn local(local: LocalId) -> Place {
        Place {
            local,
            fields: Vec::new(),
        }
    }
}

impl Expr {
    /// A constant.
    #[must_use]
    pub fn constant(value: Value) -> Expr {
        Expr {
            ty: value.ty(),
            kind: ExprKind::Const(value),
        }
    }

    /// Calls `visit` on this expression and all its parts, outermost first.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        visit(self);
        match &self.kind {
            ExprKind::Const(_) | ExprKind::Local(_) => {}
            ExprKind::Field(e, _) | ExprKind::Unary(_, e) | ExprKind::Cast(e) => e.walk(visit),
            ExprKind::Binary(_, a, b, _) => {
                a.walk(visit);
                b.walk(visit);
            }
            ExprKind::Struct(all) | ExprKind::Builtin(_, all, _) | ExprKind::Call(_, all) => {
                for e in all {
                    e.walk(visit);
                }
            }
        }
    }
}
