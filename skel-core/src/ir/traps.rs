//! Which expressions can trap. A dialect emits checks for those only.

use super::{BinaryOp, Builtin, Expr, ExprKind, Place, Program, Step, StmtKind, Ty, Value};

/// Why an element failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TrapKind {
    /// Integer `/` or `%` with a zero divisor.
    DivideByZero,
    /// Integer `MIN / -1` or `MIN % -1`.
    DivideOverflow,
    /// `clamp` whose lower bound is not at most the upper one.
    ClampBounds,
    /// An index that is not less than the length.
    OutOfRange,
    /// An offset that a window or pool does not reach.
    OutOfReach,
    /// `assert!`, `panic!` and their like: what the message says.
    Panic(&'static str),
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
            TrapKind::OutOfRange => "index out of bounds",
            TrapKind::OutOfReach => {
                "index out of bounds: the offset is beyond the reach of the window or pool"
            }
            TrapKind::Overflow(message) | TrapKind::Panic(message) => message,
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
        ExprKind::Index(array, index, _) => !within(&array.ty, index),
        ExprKind::At(view, indices, _) => match &view.ty {
            Ty::View(view) => !view.kind.surely_has(indices),
            _ => true,
        },
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

/// Whether evaluating `e` can panic: by a trap, in a call, or by an overflow in builds that check for it.
pub(super) fn may_panic(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |part| {
        found |= can_trap(part)
            || match &part.kind {
                ExprKind::Call(..) => true,
                ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Builtin(..) => {
                    part.ty.is_integer()
                }
                _ => false,
            };
    });
    found
}

/// Whether reaching a place of a value of type `ty` can trap, where `trapping` says so of each
/// function.
pub fn place_can_trap(place: &Place, ty: &Ty, trapping: &[bool]) -> bool {
    let (mut ty, mut found) = (ty, false);
    for step in &place.path {
        match (step, ty) {
            (Step::Field(field), Ty::Struct(s)) => ty = &s.fields[*field].ty,
            (Step::Index(index, _), Ty::Array(a)) => {
                found |= !within(ty, index) || expr_can_trap(index, trapping);
                ty = &a.elem;
            }
            _ => return true,
        }
    }
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
                found |= s.exprs().iter().any(|e| expr_can_trap(e, &trapping));
                found |= s
                    .written()
                    .iter()
                    .any(|p| place_can_trap(p, &function.local(p.local).ty, &trapping));
                found |= match &s.kind {
                    StmtKind::Trap(_) => true,
                    StmtKind::Call { callee, .. } => trapping[callee.0],
                    _ => false,
                };
            });
        }
        trapping.push(found);
    }
    trapping
}

fn harmless_divisor(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Const(value) => !matches!(value.as_integer(), Some(0 | -1) | None),
        _ => false,
    }
}

/// Whether the index is a constant that the array has.
fn within(array: &Ty, index: &Expr) -> bool {
    match (array, &index.kind) {
        (Ty::Array(a), ExprKind::Const(Value::Usize(i))) => *i < a.len,
        _ => false,
    }
}

fn ordered_bounds(lo: &Expr, hi: &Expr) -> bool {
    let (ExprKind::Const(lo), ExprKind::Const(hi)) = (&lo.kind, &hi.kind) else {
        return false;
    };
    match (lo, hi) {
        (Value::F32(a), Value::F32(b)) => a <= b,
        (Value::F64(a), Value::F64(b)) => a <= b,
        _ => lo.as_integer() <= hi.as_integer() && lo.as_integer().is_some(),
    }
}
