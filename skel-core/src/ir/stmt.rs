//! Statements: everything that has an effect.

use super::{Expr, LocalId, Place};

/// Statements in order.
pub type Block = Vec<Stmt>;

/// Names a loop within its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LoopId(pub u32);

/// A statement and the source line it came from.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Line in the function's file; 0 if unknown.
    pub line: u32,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Begins the life of a local, with a value or without one. A local is declared once in the
    /// text (perhaps in a loop), in the block whose end is the end of its scope or an outer one.
    Let(LocalId, Option<Expr>),
    /// Stores a value.
    Assign(Place, Expr),
    /// Evaluates for the sake of traps alone.
    Eval(Expr),
    /// Runs one of two blocks.
    If(Expr, Block, Block),
    /// Repeats `body`; after each round, also one cut short by `Continue`, it runs `step`, which
    /// neither breaks, continues nor returns. Only `Break` and `Return` leave it.
    Loop {
        /// Its name, for `Break` and `Continue`.
        id: LoopId,
        /// The statements of a round.
        body: Block,
        /// What `for` does between rounds; empty for `while` and `loop`.
        step: Block,
    },
    /// Leaves an enclosing loop.
    Break(LoopId),
    /// Begins the next round of an enclosing loop.
    Continue(LoopId),
    /// Leaves the function; with a value unless it returns `()`.
    Return(Option<Expr>),
}

impl Stmt {
    /// Calls `visit` on this statement and all statements in it, outermost first.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Stmt)) {
        visit(self);
        let blocks: [&Block; 2] = match &self.kind {
            StmtKind::If(_, a, b) => [a, b],
            StmtKind::Loop { body, step, .. } => [body, step],
            StmtKind::Let(..)
            | StmtKind::Assign(..)
            | StmtKind::Eval(_)
            | StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Return(_) => return,
        };
        for stmt in blocks.into_iter().flatten() {
            stmt.walk(visit);
        }
    }

    /// The expression of this very statement, not of those in its blocks.
    #[must_use]
    pub fn expr(&self) -> Option<&Expr> {
        match &self.kind {
            StmtKind::Let(_, e) | StmtKind::Return(e) => e.as_ref(),
            StmtKind::Assign(_, e) | StmtKind::Eval(e) | StmtKind::If(e, ..) => Some(e),
            StmtKind::Loop { .. } | StmtKind::Break(_) | StmtKind::Continue(_) => None,
        }
    }
}
