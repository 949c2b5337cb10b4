//! How much work a function is, as far as its text says.

use super::{BinaryOp, Block, Builtin, Expr, ExprKind, LoopId, Program, StmtKind};

/// How much work one element is. It depends on the user function alone, so decisions made by it are
/// the same in every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// So many simple operations, at most.
    Operations(u32),
    /// There is a loop: it may take any time.
    Unknown,
}

impl Weight {
    /// One after the other.
    #[must_use]
    pub fn and(self, other: Weight) -> Weight {
        match (self, other) {
            (Weight::Operations(a), Weight::Operations(b)) => {
                Weight::Operations(a.saturating_add(b))
            }
            _ => Weight::Unknown,
        }
    }
}

/// The weight of each function of the program, its calls included.
#[must_use]
pub fn weights(program: &Program) -> Vec<Weight> {
    let mut weights: Vec<Weight> = Vec::with_capacity(program.functions.len());
    for function in &program.functions {
        let mut total = Weight::Operations(1);
        for stmt in &function.body {
            stmt.walk(&mut |s| {
                let unknown = match &s.kind {
                    StmtKind::Loop { id, body, .. } => !runs_once(*id, body),
                    StmtKind::Foreign(_) => true,
                    _ => false,
                };
                if unknown {
                    total = Weight::Unknown;
                }
                for e in s.exprs() {
                    total = total.and(expr_weight(e, &weights));
                }
                if let StmtKind::Call { callee, .. } = &s.kind {
                    total = total.and(weights[callee.0]);
                }
            });
        }
        weights.push(total);
    }
    weights
}

/// Whether a loop is no more than a block that jumps leave, as a block with a label becomes.
fn runs_once(id: LoopId, body: &Block) -> bool {
    let mut again = false;
    for stmt in body {
        stmt.walk(&mut |s| again |= matches!(s.kind, StmtKind::Continue(target) if target == id));
    }
    !again && jumps(body)
}

/// Whether control never reaches the end of the block.
fn jumps(block: &Block) -> bool {
    block.last().is_some_and(|stmt| match &stmt.kind {
        StmtKind::Break(_)
        | StmtKind::Continue(_)
        | StmtKind::Return(_)
        | StmtKind::Trap(_)
        | StmtKind::Foreign(_) => true,
        StmtKind::If(_, yes, no) => jumps(yes) && jumps(no),
        _ => false,
    })
}

fn expr_weight(e: &Expr, callees: &[Weight]) -> Weight {
    let mut total = Weight::Operations(0);
    e.walk(&mut |part| {
        total = total.and(match &part.kind {
            ExprKind::Const(_)
            | ExprKind::Local(_)
            | ExprKind::Field(..)
            | ExprKind::Struct(_)
            | ExprKind::Array(_)
            | ExprKind::Repeat(_)
            | ExprKind::Extent(..) => Weight::Operations(0),
            // A load, and a check.
            ExprKind::Index(..) | ExprKind::At(..) => Weight::Operations(2),
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, ..)
            | ExprKind::Builtin(
                Builtin::Sqrt
                | Builtin::Pow
                | Builtin::DivEuclid
                | Builtin::RemEuclid
                | Builtin::IsMultipleOf,
                ..,
            ) => Weight::Operations(8),
            ExprKind::Builtin(Builtin::Powi, ..) => Weight::Operations(32),
            ExprKind::Builtin(builtin, ..) if builtin.is_transcendental() => Weight::Operations(32),
            ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cast(_)
            | ExprKind::Builtin(..) => Weight::Operations(1),
            ExprKind::Call(callee, _) => callees[callee.0],
        });
    });
    total
}
