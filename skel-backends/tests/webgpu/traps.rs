//! Traps: what is reported, and that nothing is where none can be.

use crate::{Test, harness::Device, ir::*};
use skel_backends::{
    device::{Driver, LaunchArg, Trapped},
    webgpu::Options,
};
use skel_core::{
    Error,
    frame::View,
    ir::{BinaryOp, Builtin, Expr, Ty, Value},
    plan::{IndexKind, Kernel, Role},
    space::Shape,
};
use std::sync::Arc;

pub(crate) const TESTS: &[Test] = &[
    (
        "the_smallest_element_is_named",
        the_smallest_element_is_named,
    ),
    (
        "a_trap_in_a_callee_leaves_the_caller",
        a_trap_in_a_callee_leaves_the_caller,
    ),
    (
        "the_first_trap_of_an_element_counts",
        the_first_trap_of_an_element_counts,
    ),
    ("clamp_bounds_trap", clamp_bounds_trap),
    (
        "elements_of_folds_have_an_index",
        elements_of_folds_have_an_index,
    ),
    ("operators_of_folds_have_none", operators_of_folds_have_none),
    ("words_are_used_again", words_are_used_again),
    (
        "usize_beyond_32_bits_is_unsupported",
        usize_beyond_32_bits_is_unsupported,
    ),
];

fn ratio() -> Expr {
    binary_at(11, BinaryOp::Div, local(0, Ty::I32), local(1, Ty::I32))
}

fn divide() -> Arc<Kernel> {
    map_of("ratio", &[Ty::I32, Ty::I32], ratio())
}

/// Function, line, element and message of a trap.
pub(crate) fn told(trapped: Trapped) -> (String, u32, Option<usize>, String) {
    let index = trapped.index;
    match trapped.into_error() {
        Error::Trap {
            function,
            file,
            line,
            index: same,
            message,
        } => {
            assert_eq!((file.as_str(), index), (FILE, same));
            (function, line, index, message)
        }
        other => panic!("a trap was expected: {other}"),
    }
}

fn the_smallest_element_is_named() {
    // Many chunks: the element is counted from the beginning of the launch, not of the chunk.
    let small = Options {
        max_binding_bytes: Some(8 << 10),
        max_buffer_bytes: Some(32 << 10),
        lanes: Some(64),
        ..Options::default()
    };
    for options in [Options::default(), small] {
        let mut device = Device::with(options);
        let kernel = divide();
        let n = 50_000;
        let a: Vec<i32> = (0..n).collect();
        let mut b = vec![3; n as usize];
        for at in [49_000, 30_001, 30_000, 45_000] {
            b[at] = 0;
        }
        let (da, db) = (device.array(&a), device.array(&b));
        let trapped = device
            .map::<i32>(&kernel, &[&da, &db], n as usize)
            .unwrap_err();
        let (function, line, index, message) = told(trapped);
        assert_eq!(
            (function.as_str(), line, index),
            ("ratio", 11, Some(30_000))
        );
        assert_eq!(message, "attempt to divide by zero");

        b.fill(2);
        b[12_345] = -1;
        let mut a = a;
        a[12_345] = i32::MIN;
        let (da, db) = (device.array(&a), device.array(&b));
        let trapped = device
            .map::<i32>(&kernel, &[&da, &db], n as usize)
            .unwrap_err();
        assert_eq!(told(trapped).2, Some(12_345));

        b[12_345] = 2;
        let db = device.array(&b);
        let found: Vec<i32> = device.map(&kernel, &[&da, &db], n as usize).unwrap();
        assert!(
            found.iter().zip(&a).all(|(q, a)| *q == a / 2),
            "no trap: all is computed"
        );
    }
}

fn a_trap_in_a_callee_leaves_the_caller() {
    let i = || Ty::I32;
    let callee = formula("ratio", &[i(), i()], ratio());
    // An endless loop, were the call's result looked at after the trap.
    let quotient = local(2, i());
    let body = vec![
        init(2, call(0, vec![local(0, i()), local(1, i())], i())),
        stmt(skel_core::ir::StmtKind::Loop {
            id: skel_core::ir::LoopId(0),
            body: vec![stmt(skel_core::ir::StmtKind::If(
                binary(BinaryOp::Ne, quotient.clone(), constant(Value::I32(0))),
                vec![give(quotient)],
                vec![],
            ))],
            step: vec![],
        }),
    ];
    let caller = function("caller", &[i(), i()], &[i()], i(), body);
    let kernel = map(
        vec![callee, caller],
        None,
        &[(Role::In, i()), (Role::In, i()), (Role::Out, i())],
    );
    let mut device = Device::open();
    let (da, db) = (device.array(&[8, 9, 10]), device.array(&[4, 0, 5]));
    let (function, line, index, _) = told(device.map::<i32>(&kernel, &[&da, &db], 3).unwrap_err());
    assert_eq!((function.as_str(), line, index), ("ratio", 11, Some(1)));
}

fn the_first_trap_of_an_element_counts() {
    // (a / b) + (a % b): left before right.
    let rest = binary_at(12, BinaryOp::Rem, local(0, Ty::I32), local(1, Ty::I32));
    let kernel = map_of(
        "both",
        &[Ty::I32, Ty::I32],
        binary(BinaryOp::Add, ratio(), rest),
    );
    let mut device = Device::open();
    let (da, db) = (device.array(&[8, i32::MIN]), device.array(&[0, -1]));
    let (_, line, index, message) = told(device.map::<i32>(&kernel, &[&da, &db], 2).unwrap_err());
    assert_eq!((line, index), (11, Some(0)));
    assert_eq!(message, "attempt to divide by zero");
    let (da, db) = (device.array(&[8, i32::MIN]), device.array(&[1, -1]));
    let (_, line, index, message) = told(device.map::<i32>(&kernel, &[&da, &db], 2).unwrap_err());
    assert_eq!((line, index), (11, Some(1)));
    assert_eq!(message, "attempt to divide with overflow");
}

fn clamp_bounds_trap() {
    let f = || Ty::F32;
    let e = builtin(
        Builtin::Clamp,
        vec![local(0, f()), local(1, f()), local(2, f())],
    );
    let kernel = map_of("kept", &[f(), f(), f()], e);
    let mut device = Device::open();
    let x = device.array(&[5.0_f32, -5.0, 0.5, f32::NAN]);
    let lo = device.array(&[0.0_f32; 4]);
    let hi = device.array(&[1.0_f32; 4]);
    let found: Vec<f32> = device.map(&kernel, &[&x, &lo, &hi], 4).unwrap();
    assert_eq!(found[..3], [1.0, 0.0, 0.5]);
    assert!(found[3].is_nan());
    for bad in [[1.0_f32, 1.0, -1.0, 1.0], [1.0, 1.0, f32::NAN, 1.0]] {
        let hi = device.array(&bad);
        let trapped = device.map::<f32>(&kernel, &[&x, &lo, &hi], 4).unwrap_err();
        assert_eq!(told(trapped).2, Some(2), "{bad:?}");
    }
}

fn trapping_fold(commutative: bool) -> Arc<Kernel> {
    let i = || Ty::I32;
    let sum = binary(BinaryOp::Add, local(0, i()), local(1, i()));
    let add = formula("add", &[i(), i()], sum);
    fold(
        formula("ratio", &[i(), i()], ratio()),
        add,
        commutative,
        None,
        &[(Role::In, i()), (Role::In, i())],
    )
}

fn elements_of_folds_have_an_index() {
    let mut device = Device::open();
    for commutative in [false, true] {
        let kernel = trapping_fold(commutative);
        let n = 100_000;
        let a: Vec<i32> = (0..n).collect();
        let mut b = vec![1; n as usize];
        let da = device.array(&a);
        let db = device.array(&b);
        let sum: i32 = device
            .fold(&kernel, &[&da, &db], 10..90_000, n as usize)
            .unwrap();
        assert_eq!(sum, (10..90_000).fold(0_i32, |s, i| s.wrapping_add(i)));
        for at in [70_000, 5, 40_000, 40_001, 95_000] {
            b[at] = 0;
        }
        let db = device.array(&b);
        let trapped = device
            .fold::<i32>(&kernel, &[&da, &db], 10..90_000, n as usize)
            .unwrap_err();
        assert_eq!(told(trapped).2, Some(40_000), "commutative: {commutative}");
    }
}

fn operators_of_folds_have_none() {
    let i = || Ty::I32;
    // Keeps the left operand, and traps where the right one is 0.
    let quotient = binary_at(21, BinaryOp::Rem, local(0, i()), local(1, i()));
    let kept = binary(
        BinaryOp::BitOr,
        local(0, i()),
        binary(BinaryOp::BitAnd, quotient, constant(Value::I32(0))),
    );
    let operator = formula("keep", &[i(), i()], kept);
    let kernel = fold(
        formula("same", &[i()], local(0, i())),
        operator,
        false,
        None,
        &[(Role::In, i())],
    );
    let mut device = Device::open();
    let n = 20_000;
    let mut data = vec![7; n];
    let array = device.array(&data);
    assert_eq!(device.fold::<i32>(&kernel, &[&array], 0..n, n).unwrap(), 7);
    data[12_345] = 0;
    let array = device.array(&data);
    let (function, line, index, _) =
        told(device.fold::<i32>(&kernel, &[&array], 0..n, n).unwrap_err());
    assert_eq!((function.as_str(), line, index), ("keep", 21, None));
}

fn words_are_used_again() {
    let mut device = Device::open();
    let kernel = divide();
    let (da, zero, one) = (device.array(&[1]), device.array(&[0]), device.array(&[1]));
    // Far more launches than a block has words, most of them never read.
    for round in 0..5000 {
        let b = if round % 1000 == 999 { &zero } else { &one };
        let mut out = device.empty::<i32>(0..1);
        let args = vec![
            LaunchArg::In(&da),
            LaunchArg::In(b),
            LaunchArg::Out(&mut out),
        ];
        let traps = device
            .launch(&kernel, args, 0..1, Shape::D1(1))
            .unwrap()
            .traps
            .unwrap();
        if round % 500 == 499 {
            let trapped = device.0.read_traps(traps).unwrap();
            assert_eq!(trapped.is_some(), round % 1000 == 999, "round {round}");
        } else {
            device.0.forget_traps(traps);
        }
    }
}

fn usize_beyond_32_bits_is_unsupported() {
    let mut device = Device::open();
    let at = index_ty(IndexKind::Index1);
    let i = || field(local(0, index_ty(IndexKind::Index1)), 0, Ty::Usize);
    // i - 5 wraps on the host to 2^64 - 5; nothing here must differ silently.
    let e = cast(
        binary_at(31, BinaryOp::Sub, i(), local(1, Ty::Usize)),
        Ty::U32,
    );
    let f = formula("before", &[at, Ty::Usize], e);
    let kernel = map(
        vec![f],
        Some((0, IndexKind::Index1)),
        &[(Role::Uniform, Ty::Usize), (Role::Out, Ty::U32)],
    );
    let mut out = device.empty::<u32>(0..20);
    let run = |device: &mut Device, out: &mut _, by: usize, range| {
        let by = [by];
        let args = vec![LaunchArg::Uniform(View::of(&by)), LaunchArg::Out(out)];
        device.launch(&kernel, args, range, Shape::D1(20))
    };
    let traps = run(&mut device, &mut out, 5, 5..20).unwrap().traps.unwrap();
    assert!(device.0.read_traps(traps).unwrap().is_none());
    let traps = run(&mut device, &mut out, 5, 3..20).unwrap().traps.unwrap();
    let trapped = device.0.read_traps(traps).unwrap().unwrap();
    assert_eq!(trapped.index, Some(3));
    let error = trapped.into_error();
    let Error::Unsupported { unit, reason, .. } = &error else {
        panic!("{error}")
    };
    assert_eq!(*unit, device.0.info().name);
    assert!(
        reason.contains("before (src/user.rs:31)") && reason.contains("32 bits"),
        "{reason}"
    );

    let error = run(&mut device, &mut out, 1 << 40, 0..20).err().unwrap();
    assert!(
        matches!(&error, Error::Unsupported { reason, .. } if reason.contains("1099511627776")),
        "{error}"
    );
}
