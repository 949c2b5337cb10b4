//! Vectors of elements: wherever a launch begins and ends, it computes what one element at a time gives, and writes
//! nothing else.

mod kinds;

use crate::{
    Test,
    cases::{Case, Expected, elements},
    ir::*,
    launch::{Built, Column, KernelCall, Ran, SourceOptions, sources_of},
    programs,
    shim::Order,
};
use kinds::cases;
use proptest::prelude::*;
use skel_backends::codegen::cuda::{Whole, batch, whole_vectors};
use skel_core::{
    ir::{BinaryOp::*, TrapKind, Ty, Value},
    plan::{Kernel, Role},
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
    let call = KernelCall {
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

fn options(vectors: bool) -> SourceOptions {
    SourceOptions {
        lanes: 64,
        elems_per_lane: None,
        vectors,
    }
}

fn what_is_no_vector_is_taken_one_by_one() {
    let width =
        |kernel: &Kernel, options: &SourceOptions| sources_of(kernel, options).unwrap()[0].width;
    let saxpy = programs::saxpy();
    assert_eq!(width(&saxpy, &options(true)), Some(4));
    assert_eq!(batch(&saxpy, true), 4);
    assert_eq!(width(&saxpy, &options(false)), None);
    // A configuration with fewer elements per lane than a vector has is obeyed.
    let asked = |elems| SourceOptions {
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
        let along = name.starts_with("along");
        if along || ["matvec", "around", "strided"].contains(&name) {
            assert_eq!(width(&kernel, &options(true)), None, "{name}");
        }
    }
}
