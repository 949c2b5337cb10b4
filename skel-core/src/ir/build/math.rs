//! Built-ins that are user functions become calls of them, so that every unit computes them alike.

use super::{Cx, Imp};
use crate::ir::{Block, Builtin, Expr, ExprKind, FnId, Function, Stmt, StmtKind, Ty};

/// The user function that a built-in of this receiver is; nothing if units compute it themselves. A
/// [`Source`](super::Source) says it: those of user functions have the functions of `crate::math`, of which this module knows
/// nothing.
pub type Mathematics = fn(Builtin, &Ty, &mut Cx) -> Option<Imp>;

/// Units compute all built-ins themselves.
pub const NO_MATHEMATICS: Mathematics = |_, _, _| None;

/// Rewrites a function that is complete, and not yet among those of the program: what it calls from now on comes
/// before it. A function with `fast_math` keeps its built-ins.
pub(super) fn call_functions(function: &mut Function, mathematics: Mathematics, cx: &mut Cx) {
    if function.fast_math {
        return;
    }
    let mut wanted: Vec<(Builtin, Ty)> = Vec::new();
    for stmt in &function.body {
        stmt.walk(&mut |s: &Stmt| {
            for e in s.exprs() {
                e.walk(&mut |part| {
                    if let ExprKind::Builtin(builtin, args, _) = &part.kind
                        && builtin.is_transcendental()
                        && let Some(receiver) = args.first()
                        && !wanted.contains(&(*builtin, receiver.ty.clone()))
                    {
                        wanted.push((*builtin, receiver.ty.clone()));
                    }
                });
            }
        });
    }
    let mut found = Vec::new();
    for (builtin, ty) in wanted {
        if let Some(Imp::Function(id)) = mathematics(builtin, &ty, cx) {
            found.push((builtin, ty, id));
        }
    }
    if !found.is_empty() {
        block(&mut function.body, &found);
    }
}

fn block(body: &mut Block, found: &[(Builtin, Ty, FnId)]) {
    for stmt in body {
        match &mut stmt.kind {
            StmtKind::If(_, yes, no) => {
                block(yes, found);
                block(no, found);
            }
            StmtKind::Loop { body, step, .. } => {
                block(body, found);
                block(step, found);
            }
            _ => {}
        }
        for e in stmt.exprs_mut() {
            expression(e, found);
        }
    }
}

fn expression(e: &mut Expr, found: &[(Builtin, Ty, FnId)]) {
    for part in e.parts_mut() {
        expression(part, found);
    }
    if let ExprKind::Builtin(builtin, args, _) = &mut e.kind
        && let Some(receiver) = args.first()
    {
        let is_meant = |(of, ty, _): &&(Builtin, Ty, FnId)| of == builtin && *ty == receiver.ty;
        if let Some((_, _, id)) = found.iter().find(is_meant) {
            e.kind = ExprKind::Call(*id, std::mem::take(args));
        }
    }
}
