//! Which loops are worth it: those that index local arrays by what follows from their rounds.

use super::changed;
use crate::ir::{Block, Expr, ExprKind, LocalId, Stmt, StmtKind, Ty};
use std::collections::HashSet;

/// Whether the loop indexes an array by its counter, or by what follows from it.
pub(super) fn off(body: &Block, step: &Block) -> bool {
    let counters = following(body, step);
    let mut found = false;
    for stmt in body {
        stmt.walk(&mut |s| {
            for place in s.written() {
                found |= place.indices().any(|index| mentions(index, &counters));
            }
            for e in s.exprs() {
                e.walk(&mut |part| {
                    if let ExprKind::Index(whole, index, _) = &part.kind {
                        found |= matches!(whole.ty, Ty::Array(_)) && mentions(index, &counters);
                    }
                });
            }
        });
    }
    found
}

/// The locals that have another value in each round: those that a round leaves to the next one, and what is computed from
/// them. The counter of an inner loop is none, unless that one's beginning or end is.
fn following(body: &Block, step: &Block) -> HashSet<LocalId> {
    let mut declared = HashSet::new();
    for stmt in body {
        stmt.walk(&mut |s| {
            if let StmtKind::Let(local, _) = &s.kind {
                declared.insert(*local);
            }
        });
    }
    let all = changed(body).chain(changed(step));
    let mut found: HashSet<LocalId> = all.filter(|local| !declared.contains(local)).collect();
    loop {
        let before = found.len();
        for stmt in body {
            stmt.walk(&mut |s| add(s, &mut found));
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Adds what a statement computes from what was found.
fn add(stmt: &Stmt, found: &mut HashSet<LocalId>) {
    match &stmt.kind {
        StmtKind::Let(local, Some(value)) if mentions(value, found) => {
            found.insert(*local);
        }
        StmtKind::Assign(place, value) if place.path.is_empty() && mentions(value, found) => {
            found.insert(place.local);
        }
        StmtKind::Loop { body, step, .. } => {
            let mut depends = false;
            for stmt in body {
                stmt.walk(&mut |s| {
                    depends |= matches!(&s.kind, StmtKind::If(condition, ..) if mentions(condition, found));
                });
            }
            if depends {
                found.extend(changed(body).chain(changed(step)));
            }
        }
        _ => {}
    }
}

fn mentions(e: &Expr, locals: &HashSet<LocalId>) -> bool {
    let mut found = false;
    e.walk(&mut |part| found |= matches!(part.kind, ExprKind::Local(l) if locals.contains(&l)));
    found
}
