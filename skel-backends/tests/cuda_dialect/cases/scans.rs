//! Scans: operands in order, any type of element, with and without something before them.

use super::{Case, Expected, elements};
use crate::{
    ir::{binary, formula, local, scan},
    launch::Column,
    parts::*,
};
use skel_core::{
    ir::{BinaryOp::*, Ty, Value},
    plan::Role,
};

const N: usize = 2000;

pub(super) fn cases() -> Vec<Case> {
    vec![affine_prefixes(), sums_before()]
}

fn affine() -> Ty {
    Ty::structure("Affine", &[("a", Ty::U32), ("b", Ty::U32)])
}

fn element(i: usize) -> [u32; 2] {
    let x = (i as u32).wrapping_mul(2_654_435_761);
    [x | 1, x]
}

fn value([a, b]: [u32; 2]) -> Value {
    Value::structure(&affine(), vec![Value::U32(a), Value::U32(b)])
}

/// Composition of x ↦ a·x + b modulo 2³²: associative, not commutative; an element of two fields.
fn affine_prefixes() -> Case {
    let ty = affine();
    let (f, g) = (local(0, ty.clone()), local(1, ty.clone()));
    let [fa, fb, ga, gb] = [part(&f, 0), part(&f, 1), part(&g, 0), part(&g, 1)];
    // First f, then g.
    let shifted = binary(Add, binary(Mul, ga.clone(), fb), gb);
    let then = make(&ty, vec![binary(Mul, fa, ga), shifted]);
    fn native(range: &[usize]) -> Vec<Value> {
        let mut f = [1_u32, 0_u32];
        let then = |i: &usize| {
            let [a, b] = element(*i);
            f = [f[0].wrapping_mul(a), f[1].wrapping_mul(a).wrapping_add(b)];
            value(f)
        };
        range.iter().map(then).collect()
    }
    let two = [ty.clone(), ty.clone()];
    Case {
        name: "affine_prefixes",
        kernel: scan(
            formula("same", std::slice::from_ref(&ty), f.clone()),
            formula("then", &two, then),
            formula("prefix", &two, f),
            false,
            &[(Role::In, ty.clone()), (Role::Out, ty)],
        ),
        columns: vec![Column::Elements(elements(N, element, value)), Column::Out],
        elems: N,
        cols: None,
        expected: Expected::Scanned(None, native),
    }
}

/// Exclusive, after 1000, and 7 more in what is written.
fn sums_before() -> Case {
    let add = binary(Add, local(0, Ty::I64), local(1, Ty::I64));
    let square = binary(Mul, local(0, Ty::I64), local(0, Ty::I64));
    let shown = binary(Add, local(0, Ty::I64), local(2, Ty::I64));
    fn native(range: &[usize]) -> Vec<Value> {
        let mut sum = 1000;
        let before = |i: &usize| {
            let shown = Value::I64(sum + 7);
            sum += (*i as i64 - 900).pow(2);
            shown
        };
        range.iter().map(before).collect()
    }
    let [two, three] = [vec![Ty::I64; 2], vec![Ty::I64; 3]];
    Case {
        name: "sums_before",
        kernel: scan(
            // The map gets the uniform value, too.
            formula("square", &two, square),
            formula("add", &two, add),
            formula("shown", &three, shown),
            true,
            &[
                (Role::In, Ty::I64),
                (Role::Uniform, Ty::I64),
                (Role::Out, Ty::I64),
            ],
        ),
        columns: vec![
            Column::Elements(elements(N, |i| i as i64 - 900, Value::I64)),
            Column::Uniform(Value::I64(7)),
            Column::Out,
        ],
        elems: N,
        cols: None,
        expected: Expected::Scanned(Some(Value::I64(1000)), native),
    }
}
