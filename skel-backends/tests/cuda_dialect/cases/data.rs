//! Structs, tuples, arrays, tables, and functions that change what they are passed.

use super::{Case, Expected, elements};
use crate::{
    ir::{binary, call, cast, constant, formula, function, give, init, local, map, set, stmt},
    launch::Column,
    parts::*,
};
use skel_core::{
    ir::{Arg, BinaryOp::*, LocalId, Mode, Place, Step, StmtKind, Ty, Value},
    plan::Role,
};

const N: usize = 300;

pub(super) fn cases() -> Vec<Case> {
    vec![
        structs(),
        outputs(),
        uniforms(),
        places(),
        tables(),
        exchanges(),
    ]
}

fn column(values: Vec<Value>) -> Column {
    Column::Elements(values)
}

/// Fields of unlike widths lie as on the host; a struct lies in a struct.
fn structs() -> Case {
    let inner = Ty::structure(
        "Tag",
        &[("small", Ty::U8), ("is", Ty::Bool), ("half", Ty::I16)],
    );
    let outer = Ty::structure(
        "Point",
        &[("x", Ty::F64), ("tag", inner.clone()), ("y", Ty::F32)],
    );
    let p = local(0, outer.clone());
    let tag = part(&p, 1);
    let swapped = make(
        &outer,
        vec![
            cast(part(&p, 2), Ty::F64),
            make(
                &inner,
                vec![
                    binary(Add, part(&tag, 0), constant(Value::U8(200))),
                    binary(Lt, part(&p, 0), constant(Value::F64(3.0))),
                    binary(Mul, part(&tag, 2), part(&tag, 2)),
                ],
            ),
            cast(part(&p, 0), Ty::F32),
        ],
    );
    let value = |x: f64, small: u8, is: bool, half: i16, y: f32| {
        let tag = Value::structure(
            &inner,
            vec![Value::U8(small), Value::Bool(is), Value::I16(half)],
        );
        Value::structure(&outer, vec![Value::F64(x), tag, Value::F32(y)])
    };
    let given = |i: usize| {
        (
            i as f64 * 0.1,
            i as u8,
            i.is_multiple_of(3),
            (i * 77) as i16,
            i as f32,
        )
    };
    let inputs = (0..N).map(|i| {
        let (x, small, is, half, y) = given(i);
        value(x, small, is, half, y)
    });
    let outputs = (0..N).map(|i| {
        let (x, small, _, half, y) = given(i);
        let half = half.wrapping_mul(half);
        value(
            f64::from(y),
            small.wrapping_add(200),
            x < 3.0,
            half,
            x as f32,
        )
    });
    Case {
        name: "structs",
        kernel: map(
            vec![formula("swapped", std::slice::from_ref(&outer), swapped)],
            None,
            &[(Role::In, outer.clone()), (Role::Out, outer.clone())],
        ),
        columns: vec![column(inputs.collect()), Column::Out],
        elems: N,
        cols: None,
        expected: Expected::Written(vec![(1, outputs.collect())]),
    }
}

/// Each field of a tuple fills an output.
fn outputs() -> Case {
    let x = || local(0, Ty::U32);
    let pair = Ty::tuple([Ty::U64, Ty::Bool]);
    let wide = cast(x(), Ty::U64);
    let e = make(
        &pair,
        vec![
            binary(Mul, wide.clone(), wide),
            binary(Gt, x(), constant(Value::U32(9))),
        ],
    );
    let given = |i: usize| i as u32 * 40_000_000;
    Case {
        name: "outputs",
        kernel: map(
            vec![formula("square", &[Ty::U32], e)],
            None,
            &[
                (Role::In, Ty::U32),
                (Role::Out, Ty::U64),
                (Role::Out, Ty::Bool),
            ],
        ),
        columns: vec![
            column(elements(N, given, Value::U32)),
            Column::Out,
            Column::Out,
        ],
        elems: N,
        cols: None,
        expected: Expected::Written(vec![
            (1, elements(N, |i| u64::from(given(i)).pow(2), Value::U64)),
            (2, elements(N, |i| given(i) > 9, Value::Bool)),
        ]),
    }
}

/// A struct with an array in it, for all elements; between others, so that places are padded.
fn uniforms() -> Case {
    let weights = Ty::array(Ty::F32, 4);
    let setting = Ty::structure("Setting", &[("weights", weights), ("offset", Ty::I32)]);
    let s = local(1, setting.clone());
    let picked = index(&part(&s, 0), to_usize(local(3, Ty::U8)));
    let flag = cast(cast(local(0, Ty::Bool), Ty::I32), Ty::F32);
    let sum = binary(Add, picked, cast(part(&s, 1), Ty::F32));
    let e = binary(Add, sum, binary(Mul, flag, local(2, Ty::F32)));
    let params = [Ty::Bool, setting.clone(), Ty::F32, Ty::U8];
    let of = [1.5_f32, -2.0, 4.25, 8.0];
    let value = Value::structure(
        &setting,
        vec![
            Value::array(&Ty::array(Ty::F32, 4), of.map(Value::F32).into()),
            Value::I32(-3),
        ],
    );
    Case {
        name: "uniforms",
        kernel: map(
            vec![formula("weighted", &params, e)],
            None,
            &[
                (Role::Uniform, Ty::Bool),
                (Role::Uniform, setting),
                (Role::In, Ty::F32),
                (Role::In, Ty::U8),
                (Role::Out, Ty::F32),
            ],
        ),
        columns: vec![
            Column::Uniform(Value::Bool(true)),
            Column::Uniform(value),
            column(elements(N, |i| i as f32, Value::F32)),
            column(elements(N, |i| (i % 4) as u8, Value::U8)),
            Column::Out,
        ],
        elems: N,
        cols: None,
        expected: Expected::Written(vec![(
            4,
            elements(N, |i| of[i % 4] - 3.0 + i as f32, Value::F32),
        )]),
    }
}

/// `let mut a = [7; 5]; for k in 0..9 { a[(x + k) % 5] += k } a[x % 5], a`, with a struct around it.
fn places() -> Case {
    let ty = Ty::array(Ty::I32, 5);
    let boxed = Ty::structure("Boxed", &[("all", ty.clone())]);
    let (x, k) = (local(0, Ty::Usize), local(2, Ty::Usize));
    let slot = binary(Rem, binary(Add, x.clone(), k.clone()), number(5));
    let inside = part(&local(1, boxed.clone()), 0);
    let more = binary(Add, index(&inside, slot.clone()), cast(k, Ty::I32));
    let place = Place {
        local: LocalId(1),
        path: vec![Step::Field(0), Step::Index(slot, 15)],
    };
    let mut body = vec![init(1, make(&boxed, vec![repeat(int(7), 5)]))];
    body.extend(count_to(2, number(9), vec![assign(place, more)]));
    let chosen = index(&inside, binary(Rem, x, number(5)));
    body.push(give(list(vec![chosen, index(&inside, number(4)), int(1)])));
    let result = Ty::array(Ty::I32, 3);
    let f = function(
        "spread",
        &[Ty::Usize],
        &[boxed, Ty::Usize],
        result.clone(),
        body,
    );
    let native = |i: usize| {
        let mut all = [7_i32; 5];
        for k in 0..9 {
            all[(i + k) % 5] += k as i32;
        }
        Value::array(&result, [all[i % 5], all[4], 1].map(Value::I32).into())
    };
    Case {
        name: "places",
        kernel: map(
            vec![f],
            None,
            &[(Role::In, Ty::Usize), (Role::Out, result.clone())],
        ),
        columns: vec![column(elements(N, |i| i, Value::Usize)), Column::Out],
        elems: N,
        cols: None,
        expected: Expected::Written(vec![(1, (0..N).map(native).collect())]),
    }
}

/// Squares of numbers, from a constant table and a short one.
fn tables() -> Case {
    let squares = Ty::array(Ty::U16, 100);
    let all = (0..100_u16).map(|i| Value::U16(i * i)).collect();
    let long = constant(Value::array(&squares, all));
    let few = [3, 1, 4].map(Value::U16).into();
    let short = constant(Value::array(&Ty::array(Ty::U16, 3), few));
    let x = || local(0, Ty::Usize);
    let e = binary(
        Add,
        index(&long, binary(Rem, x(), number(100))),
        index(&short, binary(Rem, x(), number(3))),
    );
    let native = |i: usize| ((i % 100) * (i % 100) + [3, 1, 4][i % 3]) as u16;
    Case {
        name: "tables",
        kernel: map(
            vec![formula("looked_up", &[Ty::Usize], e)],
            None,
            &[(Role::In, Ty::Usize), (Role::Out, Ty::U16)],
        ),
        columns: vec![column(elements(N, |i| i, Value::Usize)), Column::Out],
        elems: N,
        cols: None,
        expected: Expected::Written(vec![(1, elements(N, native, Value::U16))]),
    }
}

/// `fn bump(n: &mut i32, by: i32) -> i32 { *n += by; *n * 2 }` on a local, a field and an element; the
/// element function changes its own argument as well.
fn exchanges() -> Case {
    let i = || Ty::I32;
    let sum = binary(Add, local(0, i()), local(1, i()));
    let bump = routine(
        "bump",
        &[(Mode::InOut, i()), (Mode::In, i())],
        &[],
        i(),
        vec![set(0, sum), give(binary(Mul, local(0, i()), int(2)))],
    );
    let ty = Ty::structure("Pair", &[("a", i()), ("b", Ty::array(i(), 3))]);
    let inside = Place {
        local: LocalId(0),
        path: vec![Step::Field(1), Step::Index(number(2), 15)],
    };
    let p = local(0, ty.clone());
    let body = vec![
        stmt(StmtKind::Eval(binary(BitOr, part(&p, 0), int(1)))),
        declare(1),
        invoke(
            Some(1),
            0,
            vec![Arg::Place(field_of(0, 0)), Arg::Value(int(5))],
        ),
        invoke(None, 0, vec![Arg::Place(inside), Arg::Value(part(&p, 0))]),
        declare(2),
        invoke(
            Some(2),
            0,
            vec![
                Arg::Place(Place::local(LocalId(1))),
                Arg::Value(call(1, vec![int(4)], i())),
            ],
        ),
        give(binary(Add, local(1, i()), local(2, i()))),
    ];
    let double = formula("double", &[i()], binary(Mul, local(0, i()), int(2)));
    let f = routine(
        "change",
        &[(Mode::InOut, ty.clone())],
        &[i(), i()],
        i(),
        body,
    );
    let value = |a: i32, b: [i32; 3]| {
        let b = Value::array(&Ty::array(Ty::I32, 3), b.map(Value::I32).into());
        Value::structure(&ty, vec![Value::I32(a), b])
    };
    let bump_native = |n: &mut i32, by: i32| {
        *n += by;
        *n * 2
    };
    let native = |i: i32| {
        let (mut a, mut b) = (i, [i, 1, 2 * i]);
        let mut first = bump_native(&mut a, 5);
        bump_native(&mut b[2], a);
        let second = bump_native(&mut first, 8);
        (value(a, b), first + second)
    };
    let (changed, given): (Vec<_>, Vec<_>) = (0..N as i32).map(native).unzip();
    Case {
        name: "exchanges",
        kernel: map(
            vec![bump, double, f],
            None,
            &[(Role::InOut, ty.clone()), (Role::Out, i())],
        ),
        columns: vec![
            column((0..N as i32).map(|i| value(i, [i, 1, 2 * i])).collect()),
            Column::Out,
        ],
        elems: N,
        cols: None,
        expected: Expected::Written(vec![
            (0, changed),
            (1, given.into_iter().map(Value::I32).collect()),
        ]),
    }
}
