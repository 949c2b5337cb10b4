//! The places of a program that can panic, by what they say.

use super::{
    BinaryOp, Builtin, Expr, ExprKind, Function, Program, Step, Stmt, StmtKind, TrapKind, Ty,
    UnaryOp, eval::Trap,
};

/// The place whose panic says this, if there is one only.
pub(crate) fn only_one_that_says(program: &Program, message: &str) -> Option<Trap> {
    let mut found: Option<Trap> = None;
    for function in &program.functions {
        for trap in sites(function).filter(|trap| says(trap.kind, message)) {
            match found {
                Some(known) if known != trap => return None,
                _ => found = Some(trap),
            }
        }
    }
    found
}

/// Whether a native panic of this kind says this.
fn says(kind: TrapKind, message: &str) -> bool {
    match kind {
        TrapKind::DivideByZero => {
            message == kind.message()
                || message == "attempt to calculate the remainder with a divisor of zero"
        }
        TrapKind::DivideOverflow => {
            message == kind.message()
                || message == "attempt to calculate the remainder with overflow"
        }
        TrapKind::OutOfRange | TrapKind::OutOfReach => message.starts_with("index out of bounds"),
        // Values that std appends are on lines of their own.
        TrapKind::Panic(text) => message.lines().next() == Some(text),
        TrapKind::Overflow(text) => message == text,
        TrapKind::ClampBounds | TrapKind::Narrow => false,
    }
}

fn sites(function: &Function) -> impl Iterator<Item = Trap> {
    let mut kinds = Vec::new();
    for stmt in &function.body {
        stmt.walk(&mut |stmt| of_statement(stmt, &mut kinds));
    }
    let (function, file) = (function.name, function.file);
    kinds.into_iter().map(move |(kind, line)| Trap {
        kind,
        line,
        function,
        file,
    })
}

fn of_statement(stmt: &Stmt, to: &mut Vec<(TrapKind, u32)>) {
    if let StmtKind::Trap(kind) = &stmt.kind {
        to.push((*kind, stmt.line));
    }
    for place in stmt.written() {
        for step in &place.path {
            if let Step::Index(_, at) = step {
                to.push((TrapKind::OutOfRange, line(*at, stmt)));
            }
        }
    }
    for e in stmt.exprs() {
        e.walk(&mut |part| {
            let (kinds, at) = of_expression(part);
            to.extend(kinds.iter().map(|kind| (*kind, line(at, stmt))));
        });
    }
}

/// The line of an expression; where it has none, that of its statement.
fn line(at: u32, stmt: &Stmt) -> u32 {
    if at == 0 { stmt.line } else { at }
}

fn of_expression(e: &Expr) -> (&'static [TrapKind], u32) {
    const DIVIDES: &[TrapKind] = &[TrapKind::DivideByZero, TrapKind::DivideOverflow];
    match &e.kind {
        ExprKind::Binary(op, _, _, at) if e.ty.is_integer() => {
            let kinds: &[TrapKind] = match op {
                BinaryOp::Div | BinaryOp::Rem => DIVIDES,
                BinaryOp::Add => &[TrapKind::Overflow("attempt to add with overflow")],
                BinaryOp::Sub => &[TrapKind::Overflow("attempt to subtract with overflow")],
                BinaryOp::Mul => &[TrapKind::Overflow("attempt to multiply with overflow")],
                BinaryOp::Shl => &[TrapKind::Overflow("attempt to shift left with overflow")],
                BinaryOp::Shr => &[TrapKind::Overflow("attempt to shift right with overflow")],
                _ => &[],
            };
            (kinds, *at)
        }
        ExprKind::Unary(UnaryOp::Neg, _) if e.ty.is_integer() => {
            (&[TrapKind::Overflow("attempt to negate with overflow")], 0)
        }
        ExprKind::Builtin(Builtin::DivEuclid | Builtin::RemEuclid, _, at) if e.ty.is_integer() => {
            (DIVIDES, *at)
        }
        ExprKind::Index(_, _, at) => (&[TrapKind::OutOfRange], *at),
        ExprKind::At(view, _, at) => match &view.ty {
            Ty::View(view) if view.kind.reach(0).is_some() => (&[TrapKind::OutOfReach], *at),
            _ => (&[TrapKind::OutOfRange], *at),
        },
        _ => (&[], 0),
    }
}
