//! Sweeps whose sources are kept.

use crate::ir::*;
use skel_core::{
    ir::{BinaryOp, FnId, Program, Ty, Value, ViewKind},
    plan::{Kernel, Pattern, Role, SweepForm},
    space::EdgeKind,
};
use std::sync::Arc;

/// Upwards, and upwards along rows that are taken from the last to the first.
pub(crate) fn all() -> [(&'static str, Arc<Kernel>); 2] {
    let down = SweepForm {
        descending: [false, false, true, false],
        edge: EdgeKind::Pad,
    };
    [
        ("sweep", sweep(SweepForm::UPWARDS)),
        ("sweep_down", sweep(down)),
    ]
}

/// `|w: Sweep2<i32, 1, 1>, by: i32| w[(0, 0)] + w[(-1, 0)] / by`.
fn sweep(form: SweepForm) -> Arc<Kernel> {
    let radius = [0, 0, 1, 1];
    let ty = Ty::view(Ty::I32, ViewKind::Sweep { rank: 2, radius });
    let there = |y: isize, x: isize| {
        let offsets = vec![constant(Value::Isize(y)), constant(Value::Isize(x))];
        at(local(0, ty.clone()), offsets)
    };
    let e = binary(BinaryOp::Div, there(-1, 0), local(1, Ty::I32));
    let e = binary(BinaryOp::Add, there(0, 0), e);
    let f = formula("swept", &[ty.clone(), Ty::I32], e);
    let args = [(Role::Sweep(form), ty), (Role::In, Ty::I32)];
    let program = Program { functions: vec![f] };
    let arguments = arguments(&args);
    Arc::new(Kernel::new(
        Pattern::Sweep,
        program,
        FnId(0),
        None,
        None,
        arguments,
    ))
}
