//! Vectors of elements: wherever a launch begins and ends, it computes what one element at a time gives, and writes
//! nothing else.

use crate::{
    Test,
    cases::{Case, Expected, elements},
    ir::*,
    launch::{Built, Call, Column, Options, Ran, sources_of},
    parts::{make, part},
    programs,
    shim::Order,
};
use proptest::prelude::*;
use skel_backends::codegen::cuda::{Whole, batch, whole_vectors};
use skel_core::{
    ir::{BinaryOp::*, TrapKind, Ty, UnaryOp, Value},
    plan::{IndexKind, Kernel, Role},
};
use skel_verify::bytes;
use std::{ops::Range, sync::OnceLock};

pub(crate) const TESTS: &[Test] = &[
    (
        "every_size_from_every_element_on",
        every_size_from_every_element_on,
    ),
    ("the_first_trap_is_named", the_first_trap_is_named),
    ("alignment_is_found", alignment_is_found),
    (
        "what_is_no_vector_is_taken_one_by_one",
        what_is_no_vector_is_taken_one_by_one,
    ),
];

const N: usize = 2300;

/// Lengths around one vector, several, and what a block takes.
const LENGTHS: [usize; 16] = [
    1, 2, 3, 5, 15, 16, 17, 31, 33, 64, 127, 130, 500, 1025, 2049, 2200,
];

pub(crate) fn cases() -> Vec<Case> {
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

/// Elements from which on `b` is 0, one in each vector, or none.
const ZEROS: [usize; 4] = [18, 23, 24, 700];

fn trapping() -> Case {
    let i = || Ty::I32;
    let b = |k: usize| if ZEROS.contains(&k) { 0 } else { 3 };
    Case {
        name: "vectors_that_trap",
        kernel: map_of(
            "quotient",
            &[i(), i()],
            binary(Div, local(0, i()), local(1, i())),
        ),
        columns: vec![
            Column::Elements(elements(N, |k| k as i32, Value::I32)),
            Column::Elements(elements(N, b, Value::I32)),
            Column::Out,
        ],
        elems: N,
        cols: None,
        expected: Expected::Written(vec![(2, elements(N, |k| k as i32 / 3, Value::I32))]),
    }
}

fn built() -> &'static Built {
    static BUILT: OnceLock<Result<Built, String>> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        let all = cases().into_iter().chain([trapping()]);
        let kernels: Vec<_> = all
            .map(|case| (case.name.to_owned(), case.kernel))
            .collect();
        Built::new(&kernels)
    });
    built.as_ref().unwrap_or_else(|e| panic!("{e}"))
}

fn run(case: &Case, range: Range<usize>, order: Order) -> Ran {
    let call = Call {
        columns: &case.columns,
        range: range.clone(),
        elems: case.elems,
        cols: None,
        order,
    };
    let ran = built().run(case.name, &call);
    ran.unwrap_or_else(|e| panic!("{}: {range:?}, {order:?}: {e}", case.name))
}

fn every_size_from_every_element_on() {
    for case in cases() {
        let width = sources_of(&case.kernel, &options(true)).unwrap()[0].width;
        assert!(width.is_some(), "{} has no vectors", case.name);
        for (start, (k, len)) in
            (0..=16).flat_map(|s| LENGTHS.iter().enumerate().map(move |l| (s, l)))
        {
            let range = start..start + len;
            let order = Order::ALL[(start + k) % Order::ALL.len()];
            let ran = run(&case, range.clone(), order);
            case.compare(&ran, range.clone())
                .unwrap_or_else(|what| panic!("{}: {range:?}, {order:?}: {what}", case.name));
            untouched(&case, &ran, &range);
        }
    }
}

/// Nothing is written before the range and behind it.
fn untouched(case: &Case, ran: &Ran, range: &Range<usize>) {
    let Ran::Done(written) = ran else {
        panic!("{}: {ran:?}", case.name)
    };
    for (k, values) in written {
        let ty = &case.kernel.arguments[*k].ty;
        let nothing = bytes::values(ty, &vec![0xa5; ty.size_bytes()]).swap_remove(0);
        for i in (0..range.start).chain(range.end..N) {
            let before = match &case.columns[*k] {
                Column::Elements(values) => &values[i],
                _ => &nothing,
            };
            assert!(
                values[i].same(before),
                "{}: {range:?}: element {i} of argument {k} is {:?}",
                case.name,
                values[i]
            );
        }
    }
}

fn the_first_trap_is_named() {
    let case = trapping();
    for start in (0..=26).chain([690]) {
        for len in [1, 2, 4, 7, 8, 30, 100, 1000] {
            let range = start..start + len;
            let first = ZEROS.into_iter().find(|zero| range.contains(zero));
            for order in [
                Order::Ascending,
                Order::Descending,
                Order::Shuffled(len as u64),
            ] {
                match (run(&case, range.clone(), order), first) {
                    (Ran::Trapped(Some(at), site), Some(first)) => {
                        assert_eq!(
                            (at, site.kind),
                            (first, TrapKind::DivideByZero),
                            "{range:?}"
                        );
                    }
                    (ran @ Ran::Done(_), None) => case.compare(&ran, range.clone()).unwrap(),
                    (ran, first) => panic!("{range:?}: {ran:?}, not {first:?}"),
                }
            }
        }
    }
}

fn alignment_is_found() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let argument = (0..300_u64, 0..5_u32).prop_map(|(k, size)| (k << size, 1_usize << size));
    let all = (0..5_u32, 0..100_u64, prop::collection::vec(argument, 1..4));
    runner
        .run(&all, |(width, count, arguments)| {
            let width = 1_u64 << width;
            let aligned = |head: &u64| {
                let at = |(address, size): &(u64, usize)| {
                    (address + head * *size as u64).is_multiple_of(width * *size as u64)
                };
                arguments.iter().all(at)
            };
            let expected = (0..width).find(aligned).and_then(|head| {
                let vectors = count.checked_sub(head)? / width;
                (vectors > 0).then_some(Whole { head, vectors })
            });
            let found = whole_vectors(width as u32, count, arguments.clone());
            prop_assert_eq!(found, expected.unwrap_or_default());
            Ok(())
        })
        .unwrap();
    // An element that lies across where one would.
    assert_eq!(whole_vectors(4, 100, [(2, 4)]), Whole::default());
}

fn options(vectors: bool) -> Options {
    Options {
        lanes: 64,
        elems_per_lane: None,
        vectors,
    }
}

fn what_is_no_vector_is_taken_one_by_one() {
    let width = |kernel: &Kernel, options: &Options| sources_of(kernel, options).unwrap()[0].width;
    let saxpy = programs::saxpy();
    assert_eq!(width(&saxpy, &options(true)), Some(4));
    assert_eq!(batch(&saxpy, true), 4);
    assert_eq!(width(&saxpy, &options(false)), None);
    // Who asks for fewer elements per lane than a vector has, gets them.
    let asked = |elems| Options {
        elems_per_lane: Some(elems),
        ..options(true)
    };
    for (elems, expected) in [(1, None), (2, None), (4, Some(4)), (6, None), (8, Some(4))] {
        assert_eq!(width(&saxpy, &asked(elems)), expected, "{elems}");
    }
    // Three words make no vector, nor do elements whose neighbours are read as well.
    let names = ["a", "b", "c"].map(|name| (name, Ty::U32));
    let three = Ty::structure("Three", &names);
    let same = formula(
        "same",
        std::slice::from_ref(&three),
        local(0, three.clone()),
    );
    let same = map(
        vec![same],
        None,
        &[(Role::In, three.clone()), (Role::Out, three)],
    );
    assert_eq!(width(&same, &options(true)), None);
    for (name, kernel) in programs::all() {
        if ["matvec", "around", "strided", "along"].contains(&name) {
            assert_eq!(width(&kernel, &options(true)), None, "{name}");
        }
    }
}
