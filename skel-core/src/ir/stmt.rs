//! Statements: everything that has an effect.

use super::{Expr, FnId, LocalId, Place, TrapKind};

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
    /// Calls a function that has [`super::Mode::InOut`] parameters.
    Call {
        /// Where its value goes; nowhere if it has none, or it is not used.
        result: Option<LocalId>,
        /// The function.
        callee: FnId,
        /// The arguments, in order: values for [`super::Mode::In`], places for the others. Places are
        /// copied in before the call and out after it; no two of them overlap.
        args: Vec<Arg>,
    },
    /// Fails the element. Control does not go on.
    Trap(TrapKind),
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
    /// All of a function that the user wrote in the languages of devices. Control does not go on.
    Foreign(Foreign),
}

/// A function's body as text, by language; none where a unit with that language cannot run it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Foreign {
    /// For WGSL devices.
    pub wgsl: Option<&'static str>,
    /// For CUDA devices.
    pub cuda: Option<&'static str>,
    /// Whether the body for the CPU, which may contain anything, does nothing but compute.
    pub pure: bool,
}

/// An argument of a [`StmtKind::Call`].
#[derive(Clone, Debug)]
pub enum Arg {
    /// By value.
    Value(Expr),
    /// `&mut`.
    Place(Place),
}

impl Stmt {
    /// Calls `visit` on this statement and all statements in it, outermost first.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Stmt)) {
        visit(self);
        let blocks: [&Block; 2] = match &self.kind {
            StmtKind::If(_, a, b) => [a, b],
            StmtKind::Loop { body, step, .. } => [body, step],
            _ => return,
        };
        for stmt in blocks.into_iter().flatten() {
            stmt.walk(visit);
        }
    }

    /// The expressions of this very statement, not of those in its blocks, in order of evaluation.
    #[must_use]
    pub fn exprs(&self) -> Vec<&Expr> {
        match &self.kind {
            StmtKind::Let(_, e) | StmtKind::Return(e) => e.iter().collect(),
            StmtKind::Eval(e) | StmtKind::If(e, ..) => vec![e],
            StmtKind::Assign(place, e) => std::iter::once(e).chain(place.indices()).collect(),
            StmtKind::Call { args, .. } => args.iter().flat_map(Arg::exprs).collect(),
            StmtKind::Loop { .. }
            | StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Trap(_)
            | StmtKind::Foreign(_) => Vec::new(),
        }
    }

    /// As [`Stmt::exprs`], to be changed.
    pub(crate) fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        match &mut self.kind {
            StmtKind::Let(_, e) | StmtKind::Return(e) => e.iter_mut().collect(),
            StmtKind::Eval(e) | StmtKind::If(e, ..) => vec![e],
            StmtKind::Assign(place, e) => std::iter::once(e).chain(place.indices_mut()).collect(),
            StmtKind::Call { args, .. } => {
                let exprs = args.iter_mut().flat_map(|arg| match arg {
                    Arg::Value(e) => vec![e],
                    Arg::Place(place) => place.indices_mut().collect(),
                });
                exprs.collect()
            }
            StmtKind::Loop { .. }
            | StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Trap(_)
            | StmtKind::Foreign(_) => Vec::new(),
        }
    }

    /// The places that this very statement writes, beside the locals that it declares.
    #[must_use]
    pub fn written(&self) -> Vec<Place> {
        match &self.kind {
            StmtKind::Assign(place, _) => vec![place.clone()],
            StmtKind::Call { result, args, .. } => {
                let places = args.iter().filter_map(|arg| match arg {
                    Arg::Value(_) => None,
                    Arg::Place(place) => Some(place.clone()),
                });
                places.chain(result.map(Place::local)).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Arg {
    /// Its expressions: the value, or the indices of the place.
    #[must_use]
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Arg::Value(e) => vec![e],
            Arg::Place(place) => place.indices().collect(),
        }
    }
}
