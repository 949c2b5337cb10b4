//! Control flow: an exit of a loop that is never taken.
//!
//! ```text
//! fn exit_never_taken(x: u32, y: u32) -> u32 {
//!     let mut n = 0;
//!     while n < 2 {
//!         n += 1;
//!         if n == 0 {
//!             if y == 0 { break; }
//!             return 7;
//!         }
//!     }
//!     x
//! }
//! ```
//!
//! Mesa 22.3 unrolls the loop, and loses a condition that it knows to be false.

use super::{Check, Consequence, of_two};
use crate::arithmetic::{Remedy, samples::integer_pairs};
use skel_core::ir::{
    BinaryOp, Expr, ExprKind, FnId, Function, Local, LocalId, LoopId, Mode, Param, Place, Stmt,
    StmtKind, Ty, UnaryOp, Value,
};

const X: LocalId = LocalId(0);
const Y: LocalId = LocalId(1);
const N: LocalId = LocalId(2);

/// The check; `function` is where [`function`] is in its program, `args` are the operands.
pub(super) fn check(function: FnId, args: Vec<Expr>) -> Check {
    Check {
        ty: "u32",
        operation: "a loop with an exit that is never taken",
        remedy: Some(Remedy::HideOperands),
        meaning: Consequence::Wrong,
        expr: Expr {
            kind: ExprKind::Call(function, args),
            ty: Ty::U32,
        },
        result: None,
        cases: of_two(&integer_pairs(32), |x, _| Some(x)),
    }
}

/// The function that is asked.
pub(in crate::arithmetic) fn function() -> Function {
    let n = || Expr::local(N, Ty::U32);
    let number = |k| Expr::constant(Value::U32(k));
    let is = |op, left, right| Expr::binary(op, left, number(right), 0);
    let breaks = || vec![stmt(StmtKind::Break(LoopId(0)))];
    let gives = |e| stmt(StmtKind::Return(Some(e)));
    let dead = vec![
        stmt(StmtKind::If(
            is(BinaryOp::Eq, Expr::local(Y, Ty::U32), 0),
            breaks(),
            Vec::new(),
        )),
        gives(number(7)),
    ];
    let more = Expr::unary(UnaryOp::Not, is(BinaryOp::Lt, n(), 2));
    let body = vec![
        stmt(StmtKind::If(more, breaks(), Vec::new())),
        stmt(StmtKind::Assign(Place::local(N), is(BinaryOp::Add, n(), 1))),
        stmt(StmtKind::If(is(BinaryOp::Eq, n(), 0), dead, Vec::new())),
    ];
    let param = |local| Param {
        local,
        mode: Mode::In,
    };
    let local = |name| Local { name, ty: Ty::U32 };
    Function {
        name: "exit_never_taken",
        file: file!(),
        params: vec![param(X), param(Y)],
        ret: Ty::U32,
        locals: ["x", "y", "n"].map(local).into(),
        body: vec![
            stmt(StmtKind::Let(N, Some(number(0)))),
            stmt(StmtKind::Loop {
                id: LoopId(0),
                body,
                step: Vec::new(),
            }),
            gives(Expr::local(X, Ty::U32)),
        ],
        fast_math: false,
        implied: Vec::new(),
    }
}

fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, line: 0 }
}
