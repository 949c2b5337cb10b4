//! Functions are made shallow, however deep the source is nested: compilers of devices, and the passes over the
//! IR, recurse as deep as expressions and blocks lie in each other.
//!
//! - No expression is deeper than [`MAX_DEPTH`]: parts of deeper ones are named ahead of their statement. What
//!   can trap is evaluated in the order that it had.
//! - The tests of a long chain of `if … else if …`, as a long `match` is one, lie beside each other, and not in
//!   each other: a flag says whether a branch has been taken. (A loop of one round, which branches leave, would need no
//!   flag; Mesa's software device takes wrong branches of one.)

use super::lower::has_effect;
use crate::ir::{
    BinaryOp, Block, Expr, ExprKind, Function, Local, LocalId, Place, Stmt, StmtKind, Ty, Value,
};
use std::collections::VecDeque;

/// The most operations that lie in each other in an expression.
pub(crate) const MAX_DEPTH: usize = 32;

/// The most `if` that lie in each other's `else`.
const MAX_CHAIN: usize = 32;

/// Rewrites what is too deep, and nothing else.
pub(super) fn make(function: &mut Function) {
    let mut pass = Pass {
        locals: &mut function.locals,
    };
    pass.block(&mut function.body);
}

struct Pass<'f> {
    locals: &'f mut Vec<Local>,
}

impl Pass<'_> {
    fn block(&mut self, block: &mut Block) {
        let is_deep = |stmt: &Stmt| stmt.exprs().iter().any(|e| is_deep(e));
        let mut left: VecDeque<Stmt> = std::mem::take(block).into();
        while let Some(mut stmt) = left.pop_front() {
            if chain_len(&stmt) > MAX_CHAIN {
                for stmt in self.level(stmt).into_iter().rev() {
                    left.push_front(stmt);
                }
                continue;
            }
            if is_deep(&stmt) {
                self.spill(&mut stmt, block);
            }
            match &mut stmt.kind {
                StmtKind::If(_, yes, no) => {
                    self.block(yes);
                    self.block(no);
                }
                StmtKind::Loop { body, step, .. } => {
                    self.block(body);
                    self.block(step);
                }
                _ => {}
            }
            block.push(stmt);
        }
    }

    /// Makes the expressions of a statement shallow; what that takes is done ahead.
    fn spill(&mut self, stmt: &mut Stmt, ahead: &mut Block) {
        let line = stmt.line;
        self.operands(stmt.exprs_mut(), line, ahead);
    }

    /// Operands, which are evaluated in this order. Gives how deep the deepest is afterwards.
    fn operands(&mut self, mut all: Vec<&mut Expr>, line: u32, ahead: &mut Block) -> usize {
        // What is named ahead is evaluated before all operands that are not; so what could trap among those
        // before it is named, too.
        let last = all
            .iter()
            .rposition(|e| depth_up_to(e, MAX_DEPTH) == MAX_DEPTH);
        let mut deepest = 0;
        for (k, e) in all.iter_mut().enumerate() {
            let effect = last.is_some_and(|last| k < last) && has_effect(e);
            let mut depth = depth_up_to(e, MAX_DEPTH + 1);
            if depth > MAX_DEPTH {
                depth = match self.short_circuit(e, line, ahead) {
                    true => 0,
                    false => self.operands(e.parts_mut(), line, ahead) + 1,
                };
            }
            if effect || depth > MAX_DEPTH - 1 {
                self.name(e, line, ahead);
                depth = 0;
            }
            deepest = deepest.max(depth);
        }
        deepest
    }

    /// `a && b` and `a || b`, of which `b` must not be evaluated in vain, become statements where `b` is deep.
    /// Whether it is so.
    fn short_circuit(&mut self, e: &mut Expr, line: u32, ahead: &mut Block) -> bool {
        let ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right, _) = &mut e.kind
        else {
            return false;
        };
        if depth_up_to(right, MAX_DEPTH) < MAX_DEPTH {
            return false;
        }
        let is_and = *op == BinaryOp::And;
        self.operands(vec![left], line, ahead);
        let result = self.name(left, line, ahead);
        let mut rest = Block::new();
        self.operands(vec![right], line, &mut rest);
        let (condition, value) = ((**left).clone(), (**right).clone());
        let kind = StmtKind::Assign(Place::local(result), value);
        rest.push(Stmt { kind, line });
        let (yes, no) = match is_and {
            true => (rest, Block::new()),
            false => (Block::new(), rest),
        };
        *e = condition.clone();
        let kind = StmtKind::If(condition, yes, no);
        ahead.push(Stmt { kind, line });
        true
    }

    /// Gives the value a name ahead.
    fn name(&mut self, e: &mut Expr, line: u32, ahead: &mut Block) -> LocalId {
        let ty = e.ty.clone();
        let local = self.local(ty.clone());
        let kind = ExprKind::Local(local);
        let value = std::mem::replace(e, Expr { kind, ty });
        let kind = StmtKind::Let(local, Some(value));
        ahead.push(Stmt { kind, line });
        local
    }

    /// A variable of the pass's own.
    fn local(&mut self, ty: Ty) -> LocalId {
        let local =
            u32::try_from(self.locals.len()).expect("a function has fewer than 2^32 locals");
        self.locals.push(Local { name: "tmp", ty });
        LocalId(local)
    }

    /// The statements of a chain of `if`, beside each other.
    fn level(&mut self, chain: Stmt) -> Block {
        let line = chain.line;
        let stmt = |kind| Stmt { kind, line };
        let is_open = self.local(Ty::Bool);
        let taken = || Expr::constant(Value::Bool(false));
        let (mut declared, mut level) = (Block::new(), Block::new());
        let open = Expr::constant(Value::Bool(true));
        declared.push(stmt(StmtKind::Let(is_open, Some(open))));
        // Whether control may be behind a branch that was taken.
        let mut is_guarded = false;
        let mut next = vec![chain];
        while !next.is_empty() {
            let mut rest = Block::new();
            let mut was_left = is_guarded;
            if let Some(Stmt {
                kind: StmtKind::If(_, yes, no),
                ..
            }) = next.last_mut()
            {
                rest = std::mem::take(no);
                if !yes.last().is_some_and(ends) {
                    yes.insert(0, stmt(StmtKind::Assign(Place::local(is_open), taken())));
                    was_left = true;
                }
            }
            if is_guarded {
                // What is declared here is seen by the tests behind it.
                for inner in &mut next {
                    if let StmtKind::Let(local, value) = &mut inner.kind {
                        let (local, value) = (*local, value.take());
                        declared.push(stmt(StmtKind::Let(local, None)));
                        let assigned = |value| StmtKind::Assign(Place::local(local), value);
                        inner.kind = value
                            .map_or(StmtKind::If(taken(), Block::new(), Block::new()), assigned);
                    }
                }
                let open = Expr::local(is_open, Ty::Bool);
                level.push(stmt(StmtKind::If(open, next, Block::new())));
            } else {
                level.append(&mut next);
            }
            is_guarded = was_left;
            next = rest;
        }
        declared.append(&mut level);
        declared
    }
}

/// How many `if` lie in each other's `else`, as the last statement there.
fn chain_len(stmt: &Stmt) -> usize {
    let (mut len, mut next) = (0, Some(stmt));
    while let Some(Stmt {
        kind: StmtKind::If(_, _, no),
        ..
    }) = next
    {
        len += 1;
        next = no.last();
    }
    len
}

/// Whether control never gets past the statement.
fn ends(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Return(_)
        | StmtKind::Break(_)
        | StmtKind::Continue(_)
        | StmtKind::Trap(_)
        | StmtKind::Foreign(_) => true,
        StmtKind::If(_, yes, no) => yes.last().is_some_and(ends) && no.last().is_some_and(ends),
        StmtKind::Loop { id, .. } => {
            let mut left = false;
            stmt.walk(&mut |s| left |= matches!(s.kind, StmtKind::Break(target) if target == *id));
            !left
        }
        _ => false,
    }
}

fn is_deep(e: &Expr) -> bool {
    depth_up_to(e, MAX_DEPTH + 1) > MAX_DEPTH
}

/// How many operations lie in each other; `most` stands for all numbers from there on.
fn depth_up_to(e: &Expr, most: usize) -> usize {
    let Some(less) = most.checked_sub(1) else {
        return 0;
    };
    let mut deepest = None;
    for part in e.parts() {
        deepest = deepest.max(Some(depth_up_to(part, less)));
    }
    deepest.map_or(0, |depth| depth + 1)
}

#[cfg(test)]
mod test;
