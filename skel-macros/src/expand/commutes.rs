//! Whether an operator is spelled such that it commutes on numbers.

use crate::ast::{Kind, Param};
use quote::ToTokens;
use syn::{BinOp, Block, Expr, Ident, Stmt};

/// The type of the two parameters, if the body is nothing but `a + b` with one of the operators
/// `+ * & | ^`, `a.min(b)` or `a.max(b)`.
pub(super) fn commutes<'a>(params: &'a [Param], block: &Block) -> Option<&'a syn::Type> {
    let [a, b] = params else { return None };
    let elements = a.kind == Kind::Each && b.kind == Kind::Each;
    let same_type = a.ty.to_token_stream().to_string() == b.ty.to_token_stream().to_string();
    let [Stmt::Expr(body, None)] = block.stmts.as_slice() else {
        return None;
    };
    let (left, right) = match plain(body) {
        Expr::Binary(e) if commutative(&e.op) => (name(&e.left)?, name(&e.right)?),
        Expr::MethodCall(e) if (e.method == "min" || e.method == "max") && e.args.len() == 1 => {
            (name(&e.receiver)?, name(&e.args[0])?)
        }
        _ => return None,
    };
    let both = left == &a.name && right == &b.name || left == &b.name && right == &a.name;
    (elements && same_type && both).then_some(&a.ty)
}

fn commutative(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::Add(_) | BinOp::Mul(_) | BinOp::BitAnd(_) | BinOp::BitOr(_) | BinOp::BitXor(_)
    )
}

fn plain(e: &Expr) -> &Expr {
    match e {
        Expr::Paren(inner) => plain(&inner.expr),
        e => e,
    }
}

fn name(e: &Expr) -> Option<&Ident> {
    match plain(e) {
        Expr::Path(path) => path.path.get_ident(),
        _ => None,
    }
}
