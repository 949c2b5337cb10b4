//! A body that the user wrote in CUDA C++.

use super::{Case, Expected};
use crate::{ir::map, launch::Column, parts::*};
use skel_core::{
    ir::{Foreign, Function, Local, Mode, StmtKind, Ty, Value, ViewKind},
    plan::Role,
};

const N: usize = 300;
const TABLE: [u32; 5] = [3, 1, 4, 1, 5];

pub(super) fn cases() -> Vec<Case> {
    vec![by_hand()]
}

/// Its words for values, references and containers are those of the Rust function.
fn by_hand() -> Case {
    let table = Ty::view(Ty::U32, ViewKind::Whole { rank: 1 });
    let body = StmtKind::Foreign(Foreign {
        wgsl: None,
        cuda: Some(
            "
            // y is a reference.
            const u32 at = x % (u32)table.len;
            y += table.data[at];
            return (u32)__popc(x) + 100u * y;
            ",
        ),
        pure: false,
    });
    let params = [
        (Mode::In, Ty::U32),
        (Mode::InOut, Ty::U32),
        (Mode::In, table.clone()),
    ];
    let mut f: Function = routine(
        "by_hand",
        &params,
        &[],
        Ty::U32,
        vec![crate::ir::stmt(body)],
    );
    for (local, name) in f.locals.iter_mut().zip(["x", "y", "table"]) {
        *local = Local {
            name,
            ty: local.ty.clone(),
        };
    }
    let x = |i: usize| (i as u32).wrapping_mul(0x9e37_79b9);
    let changed = |i: usize| i as u32 + TABLE[x(i) as usize % TABLE.len()];
    let column =
        |f: &dyn Fn(usize) -> u32| -> Vec<Value> { (0..N).map(|i| Value::U32(f(i))).collect() };
    Case {
        name: "by_hand",
        kernel: map(
            vec![f],
            None,
            &[
                (Role::In, Ty::U32),
                (Role::InOut, Ty::U32),
                (Role::View, table),
                (Role::Out, Ty::U32),
            ],
        ),
        columns: vec![
            Column::Elements(column(&x)),
            Column::Elements(column(&|i| i as u32)),
            Column::View(TABLE.map(Value::U32).to_vec(), vec![TABLE.len()]),
            Column::Out,
        ],
        elems: N,
        cols: None,
        expected: Expected::Written(vec![
            (1, column(&changed)),
            (3, column(&|i| x(i).count_ones() + 100 * changed(i))),
        ]),
    }
}
