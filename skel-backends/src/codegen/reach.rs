//! Which functions of a program a kernel needs.

use skel_core::ir::{ExprKind, FnId, Program, Stmt, StmtKind};

/// For each function, whether one of `roots` needs it.
pub(super) fn reachable(program: &Program, roots: &[FnId]) -> Vec<bool> {
    let mut needed = vec![false; program.functions.len()];
    for root in roots {
        needed[root.0] = true;
    }
    // Callees come before callers.
    for k in (0..needed.len()).rev() {
        if needed[k] {
            for stmt in &program.functions[k].body {
                stmt.walk(&mut |s: &Stmt| mark_calls(s, &mut needed));
            }
        }
    }
    needed
}

fn mark_calls(stmt: &Stmt, needed: &mut [bool]) {
    if let StmtKind::Call { callee, .. } = &stmt.kind {
        needed[callee.0] = true;
    }
    for e in stmt.exprs() {
        e.walk(&mut |part| {
            if let ExprKind::Call(callee, _) = &part.kind {
                needed[callee.0] = true;
            }
        });
    }
}
