//! Which expressions can trap. A dialect emits checks for those only.

use super::{BinaryOp, Builtin, Expr, ExprKind, Program, Value};

/// Why an element failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TrapKind {
    /// Integer `/` or `%` with a zero divisor.
    DivideByZero,
    /// Integer `MIN / -1` or `MIN % -1`.
    DivideOverflow,
    /// `clamp` whose lower bound is not at most the upper one.
    ClampBounds,
    /// In builds that check for overflow, on the CPU only: what the panic says.
    Overflow(&'static str),
    /// On devices only: a `usize` value that does not fit 32 bits.
    Narrow,
}

impl TrapKind {
    /// What rustc's own panic would say, where there is one.
    #[must_use]
    pub fn message(self) -> &'static str {
        match self {
            TrapKind::DivideByZero => "attempt to divide by zero",
            TrapKind::DivideOverflow => "attempt to divide with overflow",
            TrapKind::ClampBounds => "clamp with min > max, or a NaN among them",
            TrapKind::Overflow(message) => message,
            TrapKind::Narrow => {
                "a `usize` value does not fit the 32 bits that this device computes in"
            }
        }
    }
}

/// Whether this node itself can trap, its parts aside; calls count as not trapping here.
#[must_use]
pub fn can_trap(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, _, divisor, _) if e.ty.is_integer() => {
            !harmless_divisor(divisor)
        }
        ExprKind::Builtin(Builtin::DivEuclid | Builtin::RemEuclid, args, _)
            if e.ty.is_integer() =>
        {
            !harmless_divisor(&args[1])
        }
        ExprKind::Builtin(Builtin::Clamp, args, _) => !ordered_bounds(&args[1], &args[2]),
        _ => false,
    }
}

/// Whether evaluating `e` can trap, calls included, where `trapping` says so of each function.
pub fn expr_can_trap(e: &Expr, trapping: &[bool]) -> bool {
    let mut found = false;
    e.walk(&mut |part| {
        found |= can_trap(part);
        if let ExprKind::Call(callee, _) = &part.kind {
            found |= trapping[callee.0];
        }
    });
    found
}

/// For each function, whether a call of it can trap.
#[must_use]
pub fn functions_that_trap(program: &Program) -> Vec<bool> {
    let mut trapping: Vec<bool> = Vec::with_capacity(program.functions.len());
    for function in &program.functions {
        let mut found = false;
        for stmt in &function.body {
            stmt.walk(&mut |s| {
                found |= s.expr().is_some_and(|e| expr_can_trap(e, &trapping));
            });
        }
        trapping.push(found);
    }
    trapping
}

fn harmless_divisor(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Const(Value::I32(d)) => *d != 0 && *d != -1,
        ExprKind::Const(Value::U32(d)) => *d != 0,
        ExprKind::Const(Value::Usize(d)) => *d != 0,
        _ => false,
    }
}

fn ordered_bounds(lo: &Expr, hi: &Expr) -> bool {
    let (ExprKind::Const(lo), ExprKind::Const(hi)) = (&lo.kind, &hi.kind) else {
        return false;
    };
    match (lo, hi) {
        (Value::I32(a), Value::I32(b)) => a <= b,
        (Value::U32(a), Value::U32(b)) => a <= b,
        (Value::Usize(a), Value::Usize(b)) => a <= b,
        (Value::F32(a), Value::F32(b)) => a <= b,
        (Value::F64(a), Value::F64(b)) => a <= b,
        _ => false,
    }
}
