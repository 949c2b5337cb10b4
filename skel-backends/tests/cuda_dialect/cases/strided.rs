//! Arguments that are read by strides, and folds of rows and columns.

use super::{Case, Expected, elements};
use crate::{
    ir::{along, binary, binary_at, cast, field, formula, index_ty, local, map},
    launch::{Column, Strides},
    parts::*,
};
use skel_core::{
    ir::{BinaryOp::*, TrapKind, Ty, Value},
    plan::{IndexKind, Role},
};

const ROWS: usize = 29;
const COLS: usize = 13;

pub(super) fn cases() -> Vec<Case> {
    vec![apart(), rows(), columns(), operator_traps()]
}

fn entry(i: usize) -> i32 {
    (i * i % 101) as i32 - 50
}

fn strides(n: usize, offset: usize, dims: &[(isize, usize)], fold: [usize; 3]) -> Column {
    Column::Strided(Strides {
        elements: elements(n, entry, Value::I32),
        offset,
        dims: dims.to_vec(),
        fold,
    })
}

/// An element that lies backwards, in steps of two, minus one of a transposed matrix of planes.
fn apart() -> Case {
    let i = || Ty::I32;
    let difference = binary(Sub, local(0, i()), local(1, i()));
    let (n, planes) = (2 * ROWS * COLS, 2);
    // Element (p, i, j) is element (p, j, i) of planes of `COLS` rows.
    let place = |k: usize| {
        let (p, i, j) = (k / (ROWS * COLS), k / COLS % ROWS, k % COLS);
        p * ROWS * COLS + j * ROWS + i
    };
    Case {
        name: "apart",
        kernel: map(
            vec![formula("difference", &[i(), i()], difference)],
            None,
            &[
                (Role::Strided(1), i()),
                (Role::Strided(3), i()),
                (Role::Out, i()),
            ],
        ),
        columns: vec![
            strides(2 * n, 2 * n - 1, &[(-2, n)], [0; 3]),
            strides(
                n,
                0,
                &[
                    ((ROWS * COLS) as isize, planes),
                    (1, ROWS),
                    (ROWS as isize, COLS),
                ],
                [0; 3],
            ),
            Column::Out,
        ],
        elems: n,
        cols: None,
        expected: Expected::Written(vec![(
            2,
            elements(
                n,
                |k| entry(2 * n - 1 - 2 * k) - entry(place(k)),
                Value::I32,
            ),
        )]),
    }
}

/// `total * 3 + x`, behind 7: the order shows.
fn rows() -> Case {
    let i = || Ty::I32;
    let shifted = binary(Mul, local(0, i()), int(3));
    let operator = formula("shift", &[i(), i()], binary(Add, shifted, local(1, i())));
    let scaled = binary(Mul, local(0, i()), local(1, i()));
    let value = |row: usize| {
        let x = |col: usize| entry(row * COLS + col).wrapping_mul(entry(col));
        let shift = |total: i32, x: i32| total.wrapping_mul(3).wrapping_add(x);
        (0..COLS)
            .map(x)
            .reduce(shift)
            .map_or(7, |total| shift(7, total))
    };
    let fold = [COLS, COLS, 1];
    Case {
        name: "rows",
        kernel: along(
            formula("scaled", &[i(), i()], scaled),
            (operator, false),
            None,
            &[
                (Role::Strided(2), i()),
                (Role::Strided(2), i()),
                (Role::Uniform, i()),
                (Role::Out, i()),
            ],
            Some(2),
        ),
        columns: vec![
            strides(ROWS * COLS, 0, &[(COLS as isize, 0), (1, 0)], fold),
            // The same vector for each row.
            strides(COLS, 0, &[(0, 0), (1, 0)], fold),
            Column::Uniform(Value::I32(7)),
            Column::Out,
        ],
        elems: ROWS,
        cols: Some(COLS),
        expected: Expected::Written(vec![(3, elements(ROWS, value, Value::I32))]),
    }
}

/// Columns of a function of the place, without a value to begin with.
fn columns() -> Case {
    let at = index_ty(IndexKind::Index2);
    let [row, col] = [0, 1].map(|k| cast(field(local(0, at.clone()), k, Ty::Usize), Ty::I32));
    let place = binary(Add, binary(Mul, row, int(100)), col);
    let e = binary(BitXor, place, local(1, Ty::I32));
    let i = || Ty::I32;
    let operator = formula(
        "shift",
        &[i(), i()],
        binary(Add, binary(Mul, local(0, i()), int(5)), local(1, i())),
    );
    let value = |col: usize| {
        (0..ROWS)
            .map(|row| (100 * row + col) as i32 ^ entry(row * COLS + col))
            .reduce(|a, b| a.wrapping_mul(5).wrapping_add(b))
            .unwrap_or(0)
    };
    let fold = [ROWS, 1, COLS];
    Case {
        name: "columns",
        kernel: along(
            formula("placed", &[at, i()], e),
            (operator, false),
            Some((0, IndexKind::Index2)),
            &[(Role::Strided(2), i()), (Role::Out, i())],
            None,
        ),
        columns: vec![
            strides(ROWS * COLS, 0, &[(1, 0), (COLS as isize, 0)], fold),
            Column::Out,
        ],
        elems: COLS,
        cols: Some(COLS),
        expected: Expected::Written(vec![(1, elements(COLS, value, Value::I32))]),
    }
}

/// The operator divides: the smallest row with a zero is named.
fn operator_traps() -> Case {
    let i = || Ty::I32;
    let (rows, cols) = (90, 5);
    let ratio = binary_at(31, Div, local(0, i()), local(1, i()));
    let element =
        |k: usize| i32::from(![(41, 3), (40, 4), (60, 1)].contains(&(k / cols, k % cols)));
    Case {
        name: "operator_along",
        kernel: along(
            formula("itself", &[i()], local(0, i())),
            (formula("ratio", &[i(), i()], ratio), false),
            None,
            &[(Role::Strided(2), i()), (Role::Out, i())],
            None,
        ),
        columns: vec![
            Column::Strided(Strides {
                elements: elements(rows * cols, element, Value::I32),
                offset: 0,
                dims: vec![(cols as isize, 0), (1, 0)],
                fold: [cols, cols, 1],
            }),
            Column::Out,
        ],
        elems: rows,
        cols: Some(cols),
        expected: Expected::Trap(Some(40), 31, TrapKind::DivideByZero),
    }
}
