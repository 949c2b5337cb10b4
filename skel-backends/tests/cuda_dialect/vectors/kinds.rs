//! Kernels that have vectors: of elements of every size, alone and mixed.

use super::N;
use crate::{
    cases::{Case, Expected, elements},
    ir::*,
    launch::Column,
    parts::{make, part},
    programs,
};
use skel_core::{
    ir::{BinaryOp::*, Ty, UnaryOp, Value},
    plan::{IndexKind, Role},
};

pub(super) fn cases() -> Vec<Case> {
    let mut all = scalars();
    all.extend([
        structs(),
        negated(),
        widened(),
        narrowed(),
        in_place(),
        two_outputs(),
        counted(),
        made(),
    ]);
    all
}

/// `f(i)` of two columns.
fn of_two(
    name: &'static str,
    (ty, e): (Ty, skel_core::ir::Expr),
    [a, b, expected]: [Vec<Value>; 3],
) -> Case {
    let roles = [Role::In, Role::In, Role::Out].map(|role| (role, ty.clone()));
    let f = formula("f", &[ty.clone(), ty], e);
    Case {
        name,
        kernel: map(vec![f], None, &roles),
        columns: vec![Column::Elements(a), Column::Elements(b), Column::Out],
        elems: N,
        cols: None,
        expected: Expected::Written(vec![(2, expected)]),
    }
}

macro_rules! sums {
    ($($name:literal $t:ident $variant:ident $sum:expr;)*) => { vec![$({
        let at = |k: usize| move |i: usize| (i.wrapping_mul(k) ^ k) as $t;
        let sum: fn($t, $t) -> $t = $sum;
        let all = |of: &dyn Fn(usize) -> $t| elements(N, of, Value::$variant);
        let e = binary(Add, local(0, Ty::$variant), local(1, Ty::$variant));
        of_two(
            $name,
            (Ty::$variant, e),
            [all(&at(77_777)), all(&at(31)), all(&|i| sum(at(77_777)(i), at(31)(i)))],
        )
    }),*] };
}

fn scalars() -> Vec<Case> {
    sums! {
        "vectors_of_u8" u8 U8 u8::wrapping_add;
        "vectors_of_i16" i16 I16 i16::wrapping_add;
        "vectors_of_i32" i32 I32 i32::wrapping_add;
        "vectors_of_f32" f32 F32 |a, b| a + b;
        "vectors_of_u64" u64 U64 u64::wrapping_add;
        "vectors_of_f64" f64 F64 |a, b| a + b;
    }
}

/// Sixteen bytes of four words: without vectors, four loads.
fn structs() -> Case {
    let names = ["a", "b", "c", "d"];
    let ty = Ty::structure("Four", &names.map(|name| (name, Ty::U32)));
    let [x, y] = [0, 1].map(|k| local(k, ty.clone()));
    let turned = [1, 2, 3, 0].map(|k| binary(BitXor, part(&x, k), part(&y, 3 - k)));
    let value = |words: [u32; 4]| Value::structure(&ty, words.map(Value::U32).to_vec());
    let words = |i: usize, k: u32| [0, 1, 2, 3].map(|w| (i as u32 + w).wrapping_mul(k));
    let (a, b) = (|i| words(i, 7919), |i| words(i, 104_729));
    let expected = (0..N).map(|i| value([1, 2, 3, 0].map(|k| a(i)[k] ^ b(i)[3 - k])));
    let columns = [
        (0..N).map(|i| value(a(i))).collect(),
        (0..N).map(|i| value(b(i))).collect(),
        expected.collect(),
    ];
    of_two(
        "vectors_of_four_words",
        (ty.clone(), make(&ty, turned.to_vec())),
        columns,
    )
}

fn of_one(
    name: &'static str,
    kernel: (Ty, Ty, skel_core::ir::Expr),
    a: Vec<Value>,
    expected: Vec<Value>,
) -> Case {
    let (from, to, e) = kernel;
    Case {
        name,
        kernel: map(
            vec![formula("f", std::slice::from_ref(&from), e)],
            None,
            &[(Role::In, from), (Role::Out, to)],
        ),
        columns: vec![Column::Elements(a), Column::Out],
        elems: N,
        cols: None,
        expected: Expected::Written(vec![(1, expected)]),
    }
}

fn negated() -> Case {
    let e = unary(UnaryOp::Not, local(0, Ty::Bool));
    let is = |i: usize| i.is_multiple_of(3);
    of_one(
        "vectors_of_bool",
        (Ty::Bool, Ty::Bool, e),
        elements(N, is, Value::Bool),
        elements(N, |i| !is(i), Value::Bool),
    )
}

/// Two bytes are loaded for sixteen that are stored.
fn widened() -> Case {
    let byte = |i: usize| (i * 37) as u8;
    of_one(
        "vectors_of_u8_to_f64",
        (Ty::U8, Ty::F64, cast(local(0, Ty::U8), Ty::F64)),
        elements(N, byte, Value::U8),
        elements(N, |i| f64::from(byte(i)), Value::F64),
    )
}

fn narrowed() -> Case {
    let word = |i: usize| (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    of_one(
        "vectors_of_u64_to_u16",
        (Ty::U64, Ty::U16, cast(local(0, Ty::U64), Ty::U16)),
        elements(N, word, Value::U64),
        elements(N, |i| word(i) as u16, Value::U16),
    )
}

/// `|a: &mut i32, b| { let c = *a; *a = b - *a; c }`.
fn in_place() -> Case {
    let (a, b) = (|i: usize| i as i32 * 3, |i: usize| 1000 - i as i32);
    let column = |of: &dyn Fn(usize) -> i32| elements(N, of, Value::I32);
    Case {
        name: "vectors_in_place",
        kernel: programs::in_place(),
        columns: vec![
            Column::Elements(column(&a)),
            Column::Elements(column(&b)),
            Column::Out,
        ],
        elems: N,
        cols: None,
        expected: Expected::Written(vec![(0, column(&|i| b(i) - a(i))), (2, column(&a))]),
    }
}

/// A tuple of a wide and a narrow value, of a middle one.
fn two_outputs() -> Case {
    let x = || local(0, Ty::U32);
    let pair = Ty::tuple([Ty::U64, Ty::U8]);
    let e = make(&pair, vec![cast(x(), Ty::U64), cast(x(), Ty::U8)]);
    let of = |i: usize| (i as u32).wrapping_mul(2_654_435_761);
    Case {
        name: "vectors_of_two_outputs",
        kernel: map(
            vec![formula("f", &[Ty::U32], e)],
            None,
            &[
                (Role::In, Ty::U32),
                (Role::Out, Ty::U64),
                (Role::Out, Ty::U8),
            ],
        ),
        columns: vec![
            Column::Elements(elements(N, of, Value::U32)),
            Column::Out,
            Column::Out,
        ],
        elems: N,
        cols: None,
        expected: Expected::Written(vec![
            (1, elements(N, |i| u64::from(of(i)), Value::U64)),
            (2, elements(N, |i| of(i) as u8, Value::U8)),
        ]),
    }
}

/// The index of each element, beside an element and a value for all.
fn counted() -> Case {
    let index = field(local(0, index_ty(IndexKind::Index1)), 0, Ty::Usize);
    let sum = binary(
        Add,
        binary(Mul, index, local(1, Ty::Usize)),
        local(2, Ty::Usize),
    );
    let types = [index_ty(IndexKind::Index1), Ty::Usize, Ty::Usize];
    Case {
        name: "vectors_with_an_index",
        kernel: map(
            vec![formula("f", &types, sum)],
            Some((0, IndexKind::Index1)),
            &[
                (Role::Uniform, Ty::Usize),
                (Role::In, Ty::Usize),
                (Role::Out, Ty::Usize),
            ],
        ),
        columns: vec![
            Column::Uniform(Value::Usize(1000)),
            Column::Elements(elements(N, |i| i % 77, Value::Usize)),
            Column::Out,
        ],
        elems: N,
        cols: None,
        expected: Expected::Written(vec![(2, elements(N, |i| i * 1000 + i % 77, Value::Usize))]),
    }
}

/// Of nothing but the index.
fn made() -> Case {
    let index = field(local(0, index_ty(IndexKind::Index1)), 0, Ty::Usize);
    Case {
        name: "vectors_of_indices",
        kernel: map(
            vec![formula(
                "f",
                &[index_ty(IndexKind::Index1)],
                cast(index, Ty::U16),
            )],
            Some((0, IndexKind::Index1)),
            &[(Role::Out, Ty::U16)],
        ),
        columns: vec![Column::Out],
        elems: N,
        cols: None,
        expected: Expected::Written(vec![(0, elements(N, |i| i as u16, Value::U16))]),
    }
}
