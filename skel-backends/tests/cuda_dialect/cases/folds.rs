//! Reductions: operands in order, any type of element.

use super::{Case, Expected, elements};
use crate::{
    ir::{binary, builtin, cast, field, fold, formula, index_ty, local},
    launch::Column,
    parts::*,
};
use skel_core::{
    ir::{BinaryOp::*, Builtin, Ty, Value},
    plan::{IndexKind, Role},
};

/// Several tiles, the last of which is short.
const N: usize = 10_000;

pub(super) fn cases() -> Vec<Case> {
    vec![
        affine(),
        affine_in_a_word(Ty::U32),
        affine_in_a_word(Ty::U64),
        sum(false, "sum_in_order"),
        sum(true, "sum_in_strides"),
        all_true(),
        largest(),
        of_positions(),
    ]
}

/// Composition of x ↦ a·x + b modulo 2³²: associative, not commutative; an element of two fields.
fn affine() -> Case {
    let ty = Ty::structure("Affine", &[("a", Ty::U32), ("b", Ty::U32)]);
    let (f, g) = (local(0, ty.clone()), local(1, ty.clone()));
    let [fa, fb, ga, gb] = [part(&f, 0), part(&f, 1), part(&g, 0), part(&g, 1)];
    // First f, then g.
    let shifted = binary(Add, binary(Mul, ga.clone(), fb), gb);
    let then = make(&ty, vec![binary(Mul, fa, ga), shifted]);
    let operator = formula("then", &[ty.clone(), ty.clone()], then);
    let x = || local(0, Ty::U32);
    let made = make(&ty, vec![binary(BitOr, x(), constant_one()), x()]);
    let name_of = |i: usize| (i as u32).wrapping_mul(2_654_435_761);
    fn native(range: &[usize]) -> Value {
        let ty = Ty::structure("Affine", &[("a", Ty::U32), ("b", Ty::U32)]);
        let (mut a, mut b) = (1_u32, 0_u32);
        for i in range {
            let x = (*i as u32).wrapping_mul(2_654_435_761);
            (a, b) = (
                a.wrapping_mul(x | 1),
                (x | 1).wrapping_mul(b).wrapping_add(x),
            );
        }
        Value::structure(&ty, vec![Value::U32(a), Value::U32(b)])
    }
    Case {
        name: "affine",
        kernel: fold(
            formula("make", &[Ty::U32], made),
            operator,
            false,
            None,
            &[(Role::In, Ty::U32)],
        ),
        columns: vec![Column::Elements(elements(N, name_of, Value::U32))],
        elems: N,
        cols: None,
        expected: Expected::Folded(native),
    }
}

/// The same in one number, `a` above `b`, modulo two to the power of half its bits: what lanes pass by shuffles.
fn affine_in_a_word(ty: Ty) -> Case {
    let wide = ty == Ty::U64;
    let half = if wide { 32 } else { 16 };
    let word = move |x: u64| {
        if wide {
            Value::U64(x)
        } else {
            Value::U32(x as u32)
        }
    };
    let (f, g) = (local(0, ty.clone()), local(1, ty.clone()));
    let constant = |x| crate::ir::constant(word(x));
    let above = |x: &skel_core::ir::Expr| binary(Shr, x.clone(), constant(half));
    let below = |x| binary(BitAnd, x, constant((1 << half) - 1));
    let shifted = binary(
        Add,
        binary(Mul, above(&g), below(f.clone())),
        below(g.clone()),
    );
    let product = binary(Shl, binary(Mul, above(&f), above(&g)), constant(half));
    fn composed(half: u32, range: &[usize]) -> u64 {
        let (mut a, mut b) = (1_u64, 0_u64);
        for i in range {
            let [c, d] = odd_and_any(*i);
            (a, b) = (a.wrapping_mul(c), c.wrapping_mul(b).wrapping_add(d));
        }
        let mask = (1 << half) - 1;
        (a & mask) << half | (b & mask)
    }
    Case {
        name: if wide {
            "affine_in_a_u64"
        } else {
            "affine_in_a_u32"
        },
        kernel: fold(
            formula("same", std::slice::from_ref(&ty), f.clone()),
            formula(
                "then",
                &[ty.clone(), ty.clone()],
                binary(BitOr, product, below(shifted)),
            ),
            false,
            None,
            &[(Role::In, ty)],
        ),
        columns: vec![Column::Elements(
            (0..N)
                .map(odd_and_any)
                .map(|[a, b]| word(a << half | b))
                .collect(),
        )],
        elems: N,
        cols: None,
        expected: match wide {
            true => Expected::Folded(|range| Value::U64(composed(32, range))),
            false => Expected::Folded(|range| Value::U32(composed(16, range) as u32)),
        },
    }
}

/// Below 2¹⁶.
fn odd_and_any(i: usize) -> [u64; 2] {
    let x = (i as u64).wrapping_mul(2_654_435_761) & 0xffff;
    [x | 1, x >> 3]
}

fn constant_one() -> skel_core::ir::Expr {
    crate::ir::constant(Value::U32(1))
}

fn sum(commutative: bool, name: &'static str) -> Case {
    let add = binary(Add, local(0, Ty::I64), local(1, Ty::I64));
    let square = binary(Mul, local(0, Ty::I64), local(0, Ty::I64));
    fn native(range: &[usize]) -> Value {
        Value::I64(range.iter().map(|i| (*i as i64 - 900).pow(2)).sum())
    }
    Case {
        name,
        kernel: fold(
            formula("square", &[Ty::I64], square),
            formula("add", &[Ty::I64, Ty::I64], add),
            commutative,
            None,
            &[(Role::In, Ty::I64)],
        ),
        columns: vec![Column::Elements(elements(
            N,
            |i| i as i64 - 900,
            Value::I64,
        ))],
        elems: N,
        cols: None,
        expected: Expected::Folded(native),
    }
}

fn all_true() -> Case {
    let both = binary(BitAnd, local(0, Ty::Bool), local(1, Ty::Bool));
    let small = binary(Lt, local(0, Ty::U16), crate::ir::constant(Value::U16(1990)));
    fn native(range: &[usize]) -> Value {
        Value::Bool(range.iter().all(|i| *i < 1990))
    }
    Case {
        name: "all_true",
        kernel: fold(
            formula("small", &[Ty::U16], small),
            formula("both", &[Ty::Bool, Ty::Bool], both),
            true,
            None,
            &[(Role::In, Ty::U16)],
        ),
        columns: vec![Column::Elements(elements(N, |i| i as u16, Value::U16))],
        elems: N,
        cols: None,
        expected: Expected::Folded(native),
    }
}

fn largest() -> Case {
    let larger = builtin(Builtin::Max, vec![local(0, Ty::I8), local(1, Ty::I8)]);
    fn native(range: &[usize]) -> Value {
        Value::I8(
            range
                .iter()
                .map(|i| (i * 7 % 113) as i8 - 60)
                .max()
                .unwrap_or(0),
        )
    }
    Case {
        name: "largest",
        kernel: fold(
            formula("same", &[Ty::I8], local(0, Ty::I8)),
            formula("larger", &[Ty::I8, Ty::I8], larger),
            true,
            None,
            &[(Role::In, Ty::I8)],
        ),
        columns: vec![Column::Elements(elements(
            N,
            |i| (i * 7 % 113) as i8 - 60,
            Value::I8,
        ))],
        elems: N,
        cols: None,
        expected: Expected::Folded(native),
    }
}

/// No container at all: the sum of the squares of the indices.
fn of_positions() -> Case {
    let ty = index_ty(IndexKind::Index1);
    let i = cast(field(local(0, ty.clone()), 0, Ty::Usize), Ty::U64);
    let square = binary(Mul, i.clone(), i);
    let add = binary(Add, local(0, Ty::U64), local(1, Ty::U64));
    fn native(range: &[usize]) -> Value {
        Value::U64(range.iter().map(|i| (*i as u64).pow(2)).sum())
    }
    Case {
        name: "of_positions",
        kernel: fold(
            formula("square", &[ty], square),
            formula("add", &[Ty::U64, Ty::U64], add),
            true,
            Some((0, IndexKind::Index1)),
            &[],
        ),
        columns: vec![],
        elems: N,
        cols: None,
        expected: Expected::Folded(native),
    }
}
