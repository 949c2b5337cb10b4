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
    /// An array from its elements; its type is the expression's.
    Array(Vec<Expr>),
    /// `[x; N]`: the expression's type says how many.
    Repeat(Box<Expr>),
    /// An element of an array, by a `usize`. Traps beyond the end, at this line.
    Index(Box<Expr>, Box<Expr>, u32),
    /// An element of a view, by as many indices as [`super::ViewKind::rank`] says, of the type
    /// [`super::ViewKind::index_ty`]. Traps where there is none, at this line.
    At(Box<Expr>, Vec<Expr>, u32),
    /// How many elements a view, which is no neighbourhood, has in this dimension, a `usize`.
    Extent(Box<Expr>, usize),
    /// An operator on one operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator on two operands. The line is where a trap is reported.
    Binary(BinaryOp, Box<Expr>, Box<Expr>, u32),
    /// `as`: to the expression's type, from any scalar type.
    Cast(Box<Expr>),
    /// A built-in function; arguments in Rust's order, receiver first. The line is where a trap is
    /// reported.
    Builtin(Builtin, Vec<Expr>, u32),
    /// Another function of the program, without [`super::Mode::InOut`] parameters (those are called
    /// by [`super::StmtKind::Call`]).
    Call(FnId, Vec<Expr>),
}

/// Where a value can be stored: a local, or a part (of a part …) of one.
#[derive(Clone, Debug)]
pub struct Place {
    /// The local.
    pub local: LocalId,
    /// The way from there, outermost first.
    pub path: Vec<Step>,
}

/// From a value to one of its parts.
#[derive(Clone, Debug)]
pub enum Step {
    /// A field of a struct, by position.
    Field(usize),
    /// An element of an array, by a `usize`; the line is where a trap is reported. Indices are
    /// evaluated in order, after the value that is stored.
    Index(Expr, u32),
}

impl Place {
    /// The whole local.
    #[must_use]
    pub fn local(local: LocalId) -> Place {
        Place {
            local,
            path: Vec::new(),
        }
    }

    /// As [`Place::indices`], to be changed.
    pub(crate) fn indices_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        self.path.iter_mut().filter_map(|step| match step {
            Step::Field(_) => None,
            Step::Index(index, _) => Some(index),
        })
    }

    /// The indices on the way, in order.
    pub fn indices(&self) -> impl Iterator<Item = &Expr> {
        self.path.iter().filter_map(|step| match step {
            Step::Field(_) => None,
            Step::Index(index, _) => Some(index),
        })
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

    /// The parts it is made of, in order of evaluation.
    #[must_use]
    pub fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Const(_) | ExprKind::Local(_) => Vec::new(),
            ExprKind::Field(e, _)
            | ExprKind::Unary(_, e)
            | ExprKind::Cast(e)
            | ExprKind::Repeat(e)
            | ExprKind::Extent(e, _) => vec![e],
            ExprKind::Binary(_, a, b, _) | ExprKind::Index(a, b, _) => vec![a, b],
            ExprKind::At(view, indices, _) => std::iter::once(&**view).chain(indices).collect(),
            ExprKind::Struct(all)
            | ExprKind::Array(all)
            | ExprKind::Builtin(_, all, _)
            | ExprKind::Call(_, all) => all.iter().collect(),
        }
    }

    /// As [`Expr::parts`], to be changed.
    pub(crate) fn parts_mut(&mut self) -> Vec<&mut Expr> {
        match &mut self.kind {
            ExprKind::Const(_) | ExprKind::Local(_) => Vec::new(),
            ExprKind::Field(e, _)
            | ExprKind::Unary(_, e)
            | ExprKind::Cast(e)
            | ExprKind::Repeat(e)
            | ExprKind::Extent(e, _) => vec![e],
            ExprKind::Binary(_, a, b, _) | ExprKind::Index(a, b, _) => vec![a, b],
            ExprKind::At(view, indices, _) => std::iter::once(&mut **view).chain(indices).collect(),
            ExprKind::Struct(all)
            | ExprKind::Array(all)
            | ExprKind::Builtin(_, all, _)
            | ExprKind::Call(_, all) => all.iter_mut().collect(),
        }
    }

    /// Calls `visit` on this expression and all its parts, outermost first.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        visit(self);
        for part in self.parts() {
            part.walk(visit);
        }
    }
}

/// Expressions made by hand, with the types that their parts give them.
impl Expr {
    /// The value of a local.
    #[must_use]
    pub fn local(id: LocalId, ty: Ty) -> Expr {
        Expr {
            kind: ExprKind::Local(id),
            ty,
        }
    }

    /// An operator on one operand.
    #[must_use]
    pub fn unary(op: UnaryOp, operand: Expr) -> Expr {
        Expr {
            ty: operand.ty.clone(),
            kind: ExprKind::Unary(op, Box::new(operand)),
        }
    }

    /// An operator on two operands; a trap is reported at `line`.
    #[must_use]
    pub fn binary(op: BinaryOp, left: Expr, right: Expr, line: u32) -> Expr {
        let ty = if op.is_comparison() || matches!(op, BinaryOp::And | BinaryOp::Or) {
            Ty::Bool
        } else {
            left.ty.clone()
        };
        Expr {
            kind: ExprKind::Binary(op, Box::new(left), Box::new(right), line),
            ty,
        }
    }

    /// `operand as ty`.
    #[must_use]
    pub fn cast(operand: Expr, ty: Ty) -> Expr {
        Expr {
            kind: ExprKind::Cast(Box::new(operand)),
            ty,
        }
    }

    /// A built-in function, receiver first; a trap is reported at `line`.
    ///
    /// # Panics
    /// Without a receiver.
    #[must_use]
    pub fn builtin(builtin: Builtin, args: Vec<Expr>, line: u32) -> Expr {
        let ty = builtin.result(&args[0].ty);
        Expr {
            kind: ExprKind::Builtin(builtin, args, line),
            ty,
        }
    }
}
