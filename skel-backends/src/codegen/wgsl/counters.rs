//! Variables of loops whose first values a compiler must not know.
//!
//! Mesa 22.3 takes a condition for true that never is, where a loop has a known number of rounds, known first values, and
//! an exit besides the one at its head: `while n < 2 { n += 1; if n == 0 { if x { break; } return 7; } }` gives 7.

use skel_core::ir::{Block, Function, LocalId, Stmt, StmtKind, Ty};
use std::collections::HashSet;

/// The variables that a loop with several exits writes.
pub(super) fn counters(function: &Function) -> HashSet<LocalId> {
    let mut found = HashSet::new();
    for stmt in &function.body {
        stmt.walk(&mut |stmt| {
            if let StmtKind::Loop { body, step, .. } = &stmt.kind
                && has_other_exits(body)
            {
                for inner in body.iter().chain(step) {
                    inner.walk(&mut |s| found.extend(s.written().iter().map(|place| place.local)));
                }
            }
        });
    }
    found
}

/// Whether a loop is left elsewhere than at its head.
fn has_other_exits(body: &Block) -> bool {
    let is_head = |stmt: &Stmt| match &stmt.kind {
        StmtKind::If(_, yes, no) => {
            no.is_empty() && matches!(&yes[..], [only] if matches!(only.kind, StmtKind::Break(_)))
        }
        _ => false,
    };
    let rest = match body.split_first() {
        Some((first, rest)) if is_head(first) => rest,
        _ => body,
    };
    let mut found = false;
    for stmt in rest {
        stmt.walk(&mut |s| found |= matches!(s.kind, StmtKind::Break(_) | StmtKind::Return(_)));
    }
    found
}

/// A literal of this type as what a compiler does not know; none of what is no literal, or of another type.
pub(super) fn hidden(ty: &Ty, value: &str) -> Option<String> {
    let is_literal = value.starts_with(|c: char| c.is_ascii_digit() || c == '-')
        && value.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    if !is_literal {
        return None;
    }
    match ty {
        Ty::U8 | Ty::U16 | Ty::U32 | Ty::Usize => Some(format!("{value} | skel_nothing")),
        Ty::I8 | Ty::I16 | Ty::I32 | Ty::Isize => Some(format!("{value} | i32(skel_nothing)")),
        Ty::I64 => Some(format!("{value} | i64(skel_nothing)")),
        Ty::U64 => Some(format!("{value} | u64(skel_nothing)")),
        _ => None,
    }
}
