//! Locals that are written and never read: the counters of loops that are gone.

use crate::ir::{Block, ExprKind, Function, LocalId, Mode, Place, Stmt, StmtKind};
use std::collections::HashSet;

/// Removes locals that get constants alone, and that nothing reads.
pub(super) fn remove(function: &mut Function) {
    let mut read: HashSet<LocalId> = HashSet::new();
    let results = function.params.iter().filter(|p| p.mode == Mode::InOut);
    read.extend(results.map(|p| p.local));
    for stmt in &function.body {
        stmt.walk(&mut |s| {
            for e in s.exprs() {
                e.walk(&mut |part| {
                    if let ExprKind::Local(local) = part.kind {
                        read.insert(local);
                    }
                });
            }
            // What is written otherwise has to be declared. A call's places are read by it, and its result has to go
            // somewhere.
            match constant_store(s) {
                Some(_) => {}
                None => read.extend(s.written().iter().map(|place| place.local)),
            }
            if let StmtKind::Let(local, Some(_)) = &s.kind
                && constant_store(s).is_none()
            {
                read.insert(*local);
            }
        });
    }
    let body = std::mem::take(&mut function.body);
    function.body = used(body, &read);
}

fn used(block: Block, read: &HashSet<LocalId>) -> Block {
    let all = block.into_iter().filter_map(|mut stmt| {
        match &mut stmt.kind {
            StmtKind::If(_, yes, no) => {
                *yes = used(std::mem::take(yes), read);
                *no = used(std::mem::take(no), read);
            }
            StmtKind::Loop { body, step, .. } => {
                *body = used(std::mem::take(body), read);
                *step = used(std::mem::take(step), read);
            }
            _ => {}
        }
        (!is_idle(&stmt, read)).then_some(stmt)
    });
    all.collect()
}

/// Whether a statement does nothing but write a constant that nothing reads.
fn is_idle(stmt: &Stmt, read: &HashSet<LocalId>) -> bool {
    constant_store(stmt).is_some_and(|local| !read.contains(&local))
}

/// The local that a statement declares without a value, or gives a constant.
fn constant_store(stmt: &Stmt) -> Option<LocalId> {
    let (local, value) = match &stmt.kind {
        StmtKind::Let(local, value) => (*local, value.as_ref()),
        StmtKind::Assign(Place { local, path }, value) if path.is_empty() => (*local, Some(value)),
        _ => return None,
    };
    value
        .is_none_or(|e| matches!(e.kind, ExprKind::Const(_)))
        .then_some(local)
}
