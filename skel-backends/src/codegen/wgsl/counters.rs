//! Variables of loops whose first values a compiler must not know, nor what they are compared with.
//!
//! Mesa 22.3 takes a condition for true that never is, where a loop has a known number of rounds, known first values, and
//! an exit besides the one at its head: `while n < 2 { n += 1; if n == 0 { if x { break; } return 7; } }` gives 7.

use skel_core::ir::{Block, Function, LocalId, Stmt, StmtKind};
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

fn leaves(stmt: &Stmt) -> bool {
    matches!(
        stmt.kind,
        StmtKind::Break(_) | StmtKind::Return(_) | StmtKind::Trap(_)
    )
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
        stmt.walk(&mut |s| found |= leaves(s));
    }
    found
}

/// A value whose integer literals a compiler does not know; none if it has no such literal.
pub(super) fn hidden(value: &str) -> Option<String> {
    let (mut text, mut rest, mut found) = (String::new(), value, false);
    while let Some(at) = rest.find(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.') {
        let (before, word) = rest.split_at(at);
        let is_end = |c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.';
        let (word, behind) = word.split_at(word.find(is_end).unwrap_or(word.len()));
        text.push_str(before);
        match unknown(word) {
            Some(nothing) => {
                found = true;
                text.push_str(&format!("({word} | {nothing})"));
            }
            None => text.push_str(word),
        }
        rest = behind;
    }
    text.push_str(rest);
    found.then_some(text)
}

/// 0 of the type of an integer literal, as what a compiler does not know.
fn unknown(word: &str) -> Option<&'static str> {
    let suffix = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = suffix.len() < word.len();
    match suffix {
        "u" if is_number => Some("skel_nothing"),
        "i" if is_number => Some("i32(skel_nothing)"),
        "lu" if is_number => Some("u64(skel_nothing)"),
        "li" if is_number => Some("i64(skel_nothing)"),
        _ => None,
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn literals_of_integers_are_hidden_wherever_they_stand() {
        let all = [
            ("0u", "(0u | skel_nothing)"),
            ("-3i", "-(3i | i32(skel_nothing))"),
            (
                "tuple_s0(false, 7lu, 1.5f)",
                "tuple_s0(false, (7lu | u64(skel_nothing)), 1.5f)",
            ),
            (
                "array<u32, 2>(0u, x0u)",
                "array<u32, 2>((0u | skel_nothing), x0u)",
            ),
        ];
        for (value, expected) in all {
            assert_eq!(hidden(value).as_deref(), Some(expected));
        }
        for value in ["x", "1.0f", "f_2(x.x0_0)", "array<f32, 4>()"] {
            assert_eq!(hidden(value), None, "{value}");
        }
    }
}
