//! Whole containers, the index, and random numbers.

use super::{Case, Expected, elements};
use crate::{
    ir::{binary, call, cast, field, formula, function, give, index_ty, init, local, map, set},
    launch::{Column, STREAM},
    parts::*,
};
use skel_core::{
    ir::{BinaryOp::*, Expr, Function, Ty, Value, ViewKind, build},
    param::{Random, random_method},
    plan::{Argument, IndexKind, Kernel, Pattern, Role},
};
use std::sync::Arc;

const ROWS: usize = 23;
const COLS: usize = 17;

pub(super) fn cases() -> Vec<Case> {
    let mut all = vec![gather(), matrix()];
    all.extend([row_on_a_vector(), row_on_a_matrix(), col_on_a_matrix()]);
    all.push(positions());
    all.push(random("words", "next_u32", |rng| {
        Value::U32(rng.next_u32())
    }));
    all.push(random("uniform", "uniform_f64", |rng| {
        Value::F64(rng.uniform_f64())
    }));
    all
}

fn entry(i: usize) -> i32 {
    (i * i % 101) as i32 - 50
}

fn entries(n: usize) -> Vec<Value> {
    elements(n, entry, Value::I32)
}

/// `xs[i] + xs.len()`, where the view is passed on to a callee.
fn gather() -> Case {
    let view = Ty::view(Ty::I32, ViewKind::Whole { rank: 1 });
    let xs = local(0, view.clone());
    let callee = formula(
        "element",
        &[view.clone(), Ty::Usize],
        at(&xs, vec![local(1, Ty::Usize)]),
    );
    let found = call(0, vec![xs.clone(), local(1, Ty::Usize)], Ty::I32);
    let e = binary(Add, found, cast(extent(&xs, 0), Ty::I32));
    let n = 200;
    let place = |i: usize| i * 7 % 31;
    Case {
        name: "gather",
        kernel: map(
            vec![callee, formula("gather", &[view.clone(), Ty::Usize], e)],
            None,
            &[
                (Role::View, view),
                (Role::In, Ty::Usize),
                (Role::Out, Ty::I32),
            ],
        ),
        columns: vec![
            Column::View(entries(31), vec![31]),
            Column::Elements(elements(n, place, Value::Usize)),
            Column::Out,
        ],
        elems: n,
        cols: None,
        expected: Expected::Written(vec![(2, elements(n, |i| entry(place(i)) + 31, Value::I32))]),
    }
}

/// `let mut sum = 0; for j in 0..len { sum += element(j) } sum`
fn total(name: &'static str, view: &Ty, len: Expr, element: Expr) -> Function {
    let sum = local(1, Ty::I32);
    let mut body = vec![init(1, int(0))];
    let more = binary(Add, sum.clone(), element);
    body.extend(count_to(2, len, vec![set(1, more)]));
    body.push(give(sum));
    function(
        name,
        std::slice::from_ref(view),
        &[Ty::I32, Ty::Usize],
        Ty::I32,
        body,
    )
}

fn of_lines(
    name: &'static str,
    kind: ViewKind,
    elems: usize,
    cols: Option<usize>,
    native: fn(usize) -> i32,
) -> Case {
    let view = Ty::view(Ty::I32, kind);
    let m = local(0, view.clone());
    let (len, element) = match kind {
        // The diagonal, as far as it goes.
        ViewKind::Whole { rank: 2 } => {
            let j = local(2, Ty::Usize);
            let row = binary(Rem, j.clone(), extent(&m, 0));
            (extent(&m, 1), at(&m, vec![row, j]))
        }
        _ => (extent(&m, 0), at(&m, vec![local(2, Ty::Usize)])),
    };
    let extents = match kind {
        ViewKind::Row => vec![COLS],
        _ => vec![ROWS, COLS],
    };
    Case {
        name,
        kernel: map(
            vec![total("total", &view, len, element)],
            None,
            &[(Role::View, view), (Role::Out, Ty::I32)],
        ),
        columns: vec![Column::View(entries(ROWS * COLS), extents), Column::Out],
        elems,
        cols,
        expected: Expected::Written(vec![(1, elements(elems, native, Value::I32))]),
    }
}

fn row_sum(row: usize) -> i32 {
    (0..COLS).map(|j| entry(row * COLS + j)).sum()
}

fn matrix() -> Case {
    let native = |_: usize| (0..COLS).map(|j| entry(j % ROWS * COLS + j)).sum();
    of_lines("matrix", ViewKind::Whole { rank: 2 }, 70, None, native)
}

/// Row `i` belongs to element `i`.
fn row_on_a_vector() -> Case {
    of_lines("row_on_a_vector", ViewKind::Row, ROWS, None, row_sum)
}

fn row_on_a_matrix() -> Case {
    let native = |i: usize| row_sum(i / 4);
    of_lines("row_on_a_matrix", ViewKind::Row, ROWS * 4, Some(4), native)
}

fn col_on_a_matrix() -> Case {
    let native = |i: usize| (0..ROWS).map(|r| entry(r * COLS + i % COLS)).sum();
    of_lines(
        "col_on_a_matrix",
        ViewKind::Col,
        COLS * 5,
        Some(COLS),
        native,
    )
}

/// The first number that an element draws, wherever the launch begins.
fn random(name: &'static str, method: &str, native: fn(&mut Random) -> Value) -> Case {
    let (program, draw) =
        build::build_chosen(|cx| random_method(method, cx)).expect("it is a method");
    let ret = program.function(draw).ret.clone();
    let arguments = vec![Argument {
        role: Role::Out,
        ty: ret,
    }];
    let kernel = Kernel::new(Pattern::Elementwise, program, draw, None, None, arguments);
    let n = 300;
    let drawn = |i: usize| native(&mut Random::new(STREAM, i));
    Case {
        name,
        kernel: Arc::new(kernel.with_random(0)),
        columns: vec![Column::Out],
        elems: n,
        cols: None,
        expected: Expected::Written(vec![(0, (0..n).map(drawn).collect())]),
    }
}

/// `row * 1000 + col` of the whole index space, wherever the launch begins.
fn positions() -> Case {
    let ty = index_ty(IndexKind::Index2);
    let [row, col] = [0, 1].map(|k| field(local(0, ty.clone()), k, Ty::Usize));
    let e = binary(Add, binary(Mul, row, number(1000)), col);
    let n = 400;
    Case {
        name: "positions",
        kernel: map(
            vec![formula("place", &[ty], e)],
            Some((0, IndexKind::Index2)),
            &[(Role::Out, Ty::Usize)],
        ),
        columns: vec![Column::Out],
        elems: n,
        cols: Some(16),
        expected: Expected::Written(vec![(
            0,
            elements(n, |i| i / 16 * 1000 + i % 16, Value::Usize),
        )]),
    }
}
