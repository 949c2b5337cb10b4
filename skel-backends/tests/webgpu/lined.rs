//! Lines, and outputs that lie by strides, whose sources are kept. Sources do not depend on the dimension along which
//! lines go: where they lie is passed with each launch.

use crate::ir::*;
use skel_core::{
    ir::{
        BinaryOp, Expr, ExprKind, LocalId, LoopId, Mode, Param, Place, Step, Stmt, StmtKind, Ty,
        Value, ViewKind,
    },
    plan::{Kernel, Role},
};
use std::sync::Arc;

pub(crate) fn all() -> [(&'static str, Arc<Kernel>); 2] {
    [("lines", lines()), ("strided_out", strided_out())]
}

/// ```text
/// |l: &mut Line<[f32; 2]>, c: &Line<f32>| {
///     let mut i = 1;
///     while i < l.len() {
///         l[i][0] = l[i][0] - c[i] * l[i - 1][1];
///         i += 1;
///     }
///     l[0] = l[i - 1];
///     c[0]
/// }
/// ```
fn lines() -> Arc<Kernel> {
    let pair = Ty::array(Ty::F32, 2);
    let [pairs, factors] = [&pair, &Ty::F32].map(|ty| Ty::view(ty.clone(), ViewKind::Line));
    let (l, c, i) = (
        local(0, pairs.clone()),
        local(1, factors.clone()),
        local(2, Ty::Usize),
    );
    let number = |n| constant(Value::Usize(n));
    let before = || binary(BinaryOp::Sub, i.clone(), number(1));
    let of_pair = |place: Expr, k| Expr {
        ty: Ty::F32,
        kind: ExprKind::Index(
            Box::new(at(l.clone(), vec![place])),
            Box::new(number(k)),
            11,
        ),
    };
    let product = binary(
        BinaryOp::Mul,
        at(c.clone(), vec![i.clone()]),
        of_pair(before(), 1),
    );
    let value = binary(BinaryOp::Sub, of_pair(i.clone(), 0), product);
    let stored = |path: Vec<Expr>, value| {
        let path = path.into_iter().map(|index| Step::Index(index, 12));
        let place = Place {
            local: LocalId(0),
            path: path.collect(),
        };
        stmt(StmtKind::Assign(place, value))
    };
    let ends = binary(BinaryOp::Ge, i.clone(), extent(l.clone(), 0));
    let leave: Vec<Stmt> = vec![stmt(StmtKind::Break(LoopId(0)))];
    let body = vec![
        init(2, number(1)),
        stmt(StmtKind::Loop {
            id: LoopId(0),
            body: vec![
                stmt(StmtKind::If(ends, leave, vec![])),
                stored(vec![i.clone(), number(0)], value),
            ],
            step: vec![set(2, binary(BinaryOp::Add, i.clone(), number(1)))],
        }),
        stored(vec![number(0)], at(l.clone(), vec![before()])),
        give(at(c, vec![number(0)])),
    ];
    let params = [pairs.clone(), factors.clone()];
    let mut f = function("eliminate", &params, &[Ty::Usize], Ty::F32, body);
    f.params[0] = changed();
    map(
        vec![f],
        None,
        &[
            (Role::LineMut, pairs),
            (Role::Line, factors),
            (Role::Out, Ty::F32),
        ],
    )
}

/// `|a: &mut i32, b| { let before = *a; *a = b - before; before }`, where both that are written are parts of matrices
/// or tensors.
fn strided_out() -> Arc<Kernel> {
    let i = || Ty::I32;
    let body = vec![
        init(2, local(0, i())),
        set(0, binary(BinaryOp::Sub, local(1, i()), local(2, i()))),
        give(local(2, i())),
    ];
    let mut f = function("swap", &[i(), i()], &[i()], i(), body);
    f.params[0] = changed();
    map(
        vec![f],
        None,
        &[
            (Role::StridedOut(2, true), i()),
            (Role::In, i()),
            (Role::StridedOut(3, false), i()),
        ],
    )
}

fn changed() -> Param {
    Param {
        local: LocalId(0),
        mode: Mode::InOut,
    }
}
