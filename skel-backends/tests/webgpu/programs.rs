//! Kernels whose sources are kept.

use crate::ir::*;
use skel_core::{
    ir::{BinaryOp, Builtin, Expr, LocalId, LoopId, Mode, Param, Place, Stmt, StmtKind, Ty, Value},
    plan::{IndexKind, Kernel, Role},
};
use std::sync::Arc;

/// Name and kernel.
pub(crate) fn all() -> Vec<(&'static str, Arc<Kernel>)> {
    vec![
        ("saxpy", saxpy()),
        ("in_place", in_place()),
        ("indexed", indexed()),
        ("trapping_map", trapping_map()),
        ("trapping_fold", trapping_fold()),
        ("dot", dot()),
        ("loops", loops()),
        ("power", power()),
    ]
}

/// `|k, x, y| k * x + y` with uniform `k`.
pub(crate) fn saxpy() -> Arc<Kernel> {
    let f = || Ty::F32;
    let product = binary(BinaryOp::Mul, local(0, f()), local(1, f()));
    let sum = binary(BinaryOp::Add, product, local(2, f()));
    map(
        vec![formula("saxpy", &[f(), f(), f()], sum)],
        None,
        &[
            (Role::Uniform, f()),
            (Role::In, f()),
            (Role::In, f()),
            (Role::Out, f()),
        ],
    )
}

/// `|a: &mut i32, b| { let before = *a; *a = b - before; before }`
pub(crate) fn in_place() -> Arc<Kernel> {
    let i = || Ty::I32;
    let body = vec![
        init(2, local(0, i())),
        set(0, binary(BinaryOp::Sub, local(1, i()), local(2, i()))),
        give(local(2, i())),
    ];
    let mut f = function("swap", &[i(), i()], &[i()], i(), body);
    f.params[0] = Param {
        local: LocalId(0),
        mode: Mode::InOut,
    };
    map(
        vec![f],
        None,
        &[(Role::InOut, i()), (Role::In, i()), (Role::Out, i())],
    )
}

/// `|at: Index2| at.row * 1000 + at.col`, in `u32`: it cannot trap.
pub(crate) fn indexed() -> Arc<Kernel> {
    let at = index_ty(IndexKind::Index2);
    let [row, col] = [0, 1].map(|k| cast(field(local(0, at.clone()), k, Ty::Usize), Ty::U32));
    let thousand = constant(Value::U32(1000));
    let e = binary(BinaryOp::Add, binary(BinaryOp::Mul, row, thousand), col);
    map(
        vec![formula("place", &[at], e)],
        Some((0, IndexKind::Index2)),
        &[(Role::Out, Ty::U32)],
    )
}

fn ratio() -> Expr {
    binary_at(11, BinaryOp::Div, local(0, Ty::I32), local(1, Ty::I32))
}

/// A division in a callee, looked at by the caller.
fn trapping_map() -> Arc<Kernel> {
    let i = || Ty::I32;
    let callee = formula("ratio", &[i(), i()], ratio());
    let quotient = call(0, vec![local(0, i()), local(1, i())], i());
    let body = vec![
        init(2, quotient),
        stmt(StmtKind::If(
            binary(BinaryOp::Lt, local(2, i()), constant(Value::I32(0))),
            vec![set(0, constant(Value::I32(i32::MIN)))],
            vec![],
        )),
        give(binary(BinaryOp::Add, local(0, i()), local(2, i()))),
    ];
    let caller = function("caller", &[i(), i()], &[i()], i(), body);
    map(
        vec![callee, caller],
        None,
        &[(Role::In, i()), (Role::In, i()), (Role::Out, i())],
    )
}

/// Traps in the element function and in the operator.
fn trapping_fold() -> Arc<Kernel> {
    let i = || Ty::I32;
    let rest = binary_at(21, BinaryOp::Rem, local(0, i()), local(1, i()));
    let operator = formula("rest", &[i(), i()], rest);
    let element = formula("ratio", &[i(), i()], ratio());
    fold(
        element,
        operator,
        false,
        None,
        &[(Role::In, i()), (Role::In, i())],
    )
}

/// The sum of products.
fn dot() -> Arc<Kernel> {
    let f = || Ty::F32;
    let product = formula(
        "mult",
        &[f(), f()],
        binary(BinaryOp::Mul, local(0, f()), local(1, f())),
    );
    let sum = formula(
        "add",
        &[f(), f()],
        binary(BinaryOp::Add, local(0, f()), local(1, f())),
    );
    fold(
        product,
        sum,
        true,
        None,
        &[(Role::In, f()), (Role::In, f())],
    )
}

/// `powf`, which brings the most helpers with it.
fn power() -> Arc<Kernel> {
    let args = vec![local(0, Ty::F32), local(1, Ty::F32)];
    map_of("power", &[Ty::F32, Ty::F32], builtin(Builtin::Powf, args))
}

/// Counts pairs (i, j) below n until one multiplies to n, without rows that are multiples of 3:
/// `break` and `continue` of the outer loop, from the inner one.
pub(crate) fn loops() -> Arc<Kernel> {
    let u = || Ty::U32;
    let (n, count, i, j) = (local(0, u()), local(1, u()), local(2, u()), local(3, u()));
    let zero = || constant(Value::U32(0));
    let plus_one = |e: &Expr| binary(BinaryOp::Add, e.clone(), constant(Value::U32(1)));
    let when = |c, then: Vec<Stmt>| stmt(StmtKind::If(c, then, vec![]));
    let leave = |id| stmt(StmtKind::Break(LoopId(id)));
    let is_third = binary(
        BinaryOp::Eq,
        binary(BinaryOp::Rem, i.clone(), constant(Value::U32(3))),
        zero(),
    );
    let is_product = binary(
        BinaryOp::Eq,
        binary(BinaryOp::Mul, i.clone(), j.clone()),
        n.clone(),
    );
    let inner = vec![
        when(binary(BinaryOp::Ge, j.clone(), n.clone()), vec![leave(1)]),
        when(is_third, vec![stmt(StmtKind::Continue(LoopId(0)))]),
        when(is_product, vec![leave(0)]),
        set(1, plus_one(&count)),
    ];
    let next = stmt(StmtKind::Assign(Place::local(LocalId(3)), plus_one(&j)));
    let outer = vec![
        when(binary(BinaryOp::Ge, i.clone(), n), vec![leave(0)]),
        init(3, zero()),
        stmt(StmtKind::Loop {
            id: LoopId(1),
            body: inner,
            step: vec![next],
        }),
    ];
    let body = vec![
        init(1, zero()),
        init(2, zero()),
        stmt(StmtKind::Loop {
            id: LoopId(0),
            body: outer,
            step: vec![set(2, plus_one(&i))],
        }),
        give(count),
    ];
    let f = function("pairs", &[u()], &[u(), u(), u()], u(), body);
    map(vec![f], None, &[(Role::In, u()), (Role::Out, u())])
}
