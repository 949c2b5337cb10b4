//! Kernels of neighbourhoods whose sources are kept.

use crate::ir::*;
use skel_core::{
    ir::{BinaryOp, Ty, Value, ViewKind},
    plan::{Kernel, Role},
    space::{EdgeKind, WindowSpecialisation},
};
use std::sync::Arc;

/// Name and kernel.
pub(super) fn all() -> Vec<(&'static str, Arc<Kernel>)> {
    vec![
        ("slope", slope()),
        ("slope_padded", slope_seen(Some(EdgeKind::Pad))),
        ("slope_reflected", slope_seen(Some(EdgeKind::Reflect))),
        ("slope_symmetric", slope_seen(Some(EdgeKind::Symmetric))),
        ("slope_inside", slope_seen(Some(EdgeKind::None))),
        ("around", around()),
    ]
}

/// `|w: Window1<f32, 1>| w[1] - w[-1]`: it cannot trap.
pub(crate) fn slope() -> Arc<Kernel> {
    slope_seen(None)
}

/// The same for calls of which the edge is known.
fn slope_seen(edge: Option<EdgeKind>) -> Arc<Kernel> {
    let specialisation = edge.map(|edge| WindowSpecialisation {
        edge,
        plain: true,
        alone: true,
    });
    let radius = [0, 0, 0, 1];
    let ty = Ty::view(Ty::F32, ViewKind::Window { rank: 1, radius });
    let there = |d: isize| at(local(0, ty.clone()), vec![constant(Value::Isize(d))]);
    let e = binary(BinaryOp::Sub, there(1), there(-1));
    let f = formula("slope", std::slice::from_ref(&ty), e);
    map(
        vec![f],
        None,
        &[(Role::Window(specialisation), ty), (Role::Out, Ty::F32)],
    )
}

/// A window at an offset that is computed, in a callee, and a pool of pairs.
fn around() -> Arc<Kernel> {
    let pair = Ty::structure(
        "Pair",
        &[("x", Ty::I32), ("y", Ty::U8), ("z", Ty::U8), ("w", Ty::I16)],
    );
    let radius = [0, 0, 1, 2];
    let window = Ty::view(Ty::I32, ViewKind::Window { rank: 2, radius });
    let size = [1, 1, 1, 3];
    let pool = Ty::view(pair, ViewKind::Pool { rank: 1, size });
    let params = [window.clone(), Ty::Isize];
    let offsets = vec![constant(Value::Isize(-1)), local(1, Ty::Isize)];
    let callee = formula("near", &params, at(local(0, window.clone()), offsets));
    let found = call(
        0,
        vec![local(0, window.clone()), local(2, Ty::Isize)],
        Ty::I32,
    );
    let second = at(local(1, pool.clone()), vec![constant(Value::Usize(2))]);
    let e = binary(BinaryOp::BitXor, found, field(second, 0, Ty::I32));
    let f = formula("around", &[window.clone(), pool.clone(), Ty::Isize], e);
    let args = [
        (Role::Window(None), window),
        (Role::Window(None), pool),
        (Role::In, Ty::Isize),
        (Role::Out, Ty::I32),
    ];
    map(vec![callee, f], None, &args)
}
