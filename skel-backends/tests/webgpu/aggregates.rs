//! Structs, tuples, arrays and tables: in memory, in functions, and where an index is none.

use crate::{Test, harness::Device, ir::*, traps::told};
use skel_backends::device::{Driver, LaunchArg};
use skel_core::{
    Element,
    frame::View,
    ir::{Arg, BinaryOp, FnId, LocalId, Step, StmtKind, TrapKind, Ty, Value},
    plan::Role,
    space::Shape,
};

pub(crate) const TESTS: &[Test] = &[
    ("every_leaf_survives", every_leaf_survives),
    ("parts_are_assigned", parts_are_assigned),
    ("uniforms_may_be_structs", uniforms_may_be_structs),
    ("structs_are_folded_in_order", structs_are_folded_in_order),
    (
        "a_tuple_fills_several_outputs",
        a_tuple_fills_several_outputs,
    ),
    ("mutable_arguments_come_back", mutable_arguments_come_back),
];

#[derive(Clone, Copy, Debug, Default, PartialEq, skel::Element)]
#[repr(C)]
struct Inner {
    f: f32,
    n: u32,
}

/// All sizes of scalars, without a gap.
#[derive(Clone, Copy, Debug, Default, PartialEq, skel::Element)]
#[repr(C)]
struct Mixed {
    x: f64,
    tags: [u16; 3],
    on: bool,
    small: i8,
    count: usize,
    inner: [Inner; 2],
    long: i64,
}

fn mixed(i: usize) -> Mixed {
    Mixed {
        x: -0.1 * i as f64,
        tags: [i as u16, 65_535 - i as u16, 7],
        on: i.is_multiple_of(3),
        small: (i % 256) as u8 as i8,
        count: 4_000_000_000 + i,
        inner: [1, 2].map(|k| Inner {
            f: (i * k) as f32 / 7.0,
            n: u32::MAX - i as u32,
        }),
        long: -(i as i64) << 33,
    }
}

fn every_leaf_survives() {
    let mut device = Device::open();
    if !device.has_f64() {
        return;
    }
    let ty = Mixed::ty();
    let kernel = map_of("same", std::slice::from_ref(&ty), local(0, ty.clone()));
    for n in [1, 100, 5000] {
        let data: Vec<Mixed> = (0..n).map(mixed).collect();
        let array = device.array(&data);
        assert_eq!(device.read::<Mixed>(&array, n), data, "there and back");
        let found: Vec<Mixed> = device.map(&kernel, &[&array], n).unwrap();
        assert_eq!(found, data);
    }
    // A part of the elements only, and chunks that begin anywhere in a binding.
    let options = skel_backends::webgpu::Options {
        max_binding_bytes: Some(8 << 10),
        max_buffer_bytes: Some(32 << 10),
        lanes: Some(64),
        ..Default::default()
    };
    let mut device = Device::with(options);
    let data: Vec<Mixed> = (0..3000).map(mixed).collect();
    let array = device.array(&data);
    let found: Vec<Mixed> = device.map(&kernel, &[&array], 3000).unwrap();
    assert_eq!(found, data);
}

/// `|p: &mut Mixed, i: u32| { p.tags[i] += 1; p.inner[1].f = p.tags[i] as f32; p.on = !p.on; }`
fn parts_are_assigned() {
    let mut device = Device::open();
    if !device.has_f64() {
        return;
    }
    let (ty, i) = (Mixed::ty(), || cast(local(1, Ty::U32), Ty::Usize));
    let whole = || local(0, Mixed::ty());
    let tag = || index(field(whole(), 1, <[u16; 3]>::ty()), i());
    let tag_place = place(0, vec![Step::Field(1), Step::Index(i(), 15)]);
    let one = constant(Value::U16(1));
    let f_place = place(
        0,
        vec![Step::Field(5), Step::Index(size(1), 16), Step::Field(0)],
    );
    let body = vec![
        store(tag_place, binary(BinaryOp::Add, tag(), one)),
        store(f_place, cast(tag(), Ty::F32)),
        store(
            place(0, vec![Step::Field(2)]),
            unary(skel_core::ir::UnaryOp::Not, field(whole(), 2, Ty::Bool)),
        ),
    ];
    let f = inout(
        function("touch", &[ty.clone(), Ty::U32], &[], Ty::Unit, body),
        0,
    );
    let kernel = map(vec![f], None, &[(Role::InOut, ty), (Role::In, Ty::U32)]);
    let n = 500;
    let data: Vec<Mixed> = (0..n).map(mixed).collect();
    let mut indices: Vec<u32> = (0..n as u32).map(|i| i % 3).collect();
    let mut run = |indices: &[u32]| {
        let mut array = device.array(&data);
        let at = device.array(indices);
        let args = vec![LaunchArg::InOut(&mut array), LaunchArg::In(&at)];
        let launched = device.launch(&kernel, args, 0..n, Shape::D1(n)).unwrap();
        let traps = launched.traps.expect("it can trap");
        match device.0.read_traps(traps).unwrap() {
            Some(trapped) => Err(told(trapped)),
            None => Ok(device.read::<Mixed>(&array, n)),
        }
    };
    let mut expected = data.clone();
    for (p, i) in expected.iter_mut().zip(&indices) {
        let tag = &mut p.tags[*i as usize];
        *tag = tag.wrapping_add(1);
        p.inner[1].f = f32::from(*tag);
        p.on = !p.on;
    }
    assert_eq!(run(&indices).unwrap(), expected);
    indices[321] = 3;
    indices[400] = u32::MAX;
    let (name, line, index, message) = run(&indices).unwrap_err();
    assert_eq!((name.as_str(), line, index), ("touch", 13, Some(321)));
    assert_eq!(message, TrapKind::OutOfRange.message());
}

fn uniforms_may_be_structs() {
    let mut device = Device::open();
    let (uniform, table) = (Inner::ty(), <[i16; 5]>::ty());
    let at = cast(local(2, Ty::U32), Ty::Usize);
    let scaled = binary(
        BinaryOp::Mul,
        field(local(0, uniform.clone()), 0, Ty::F32),
        cast(index(local(1, table.clone()), at), Ty::F32),
    );
    let args = [
        (Role::Uniform, uniform.clone()),
        (Role::Uniform, table.clone()),
        (Role::In, Ty::U32),
        (Role::Out, Ty::F32),
    ];
    let kernel = map(
        vec![formula("scaled", &[uniform, table, Ty::U32], scaled)],
        None,
        &args,
    );
    let (inner, table) = ([Inner { f: 0.5, n: 9 }], [[3_i16, -4, 5, i16::MIN, 6]]);
    let at = device.array(&[0_u32, 1, 2, 3, 4]);
    let mut out = device.empty::<f32>(0..5);
    let args = vec![
        LaunchArg::Uniform(View::of(&inner)),
        LaunchArg::Uniform(View::of(&table)),
        LaunchArg::In(&at),
        LaunchArg::Out(&mut out),
    ];
    device.launch(&kernel, args, 0..5, Shape::D1(5)).unwrap();
    let found = device.read::<f32>(&out, 5);
    assert_eq!(found, [1.5, -2.0, 2.5, -16_384.0, 3.0]);
}

#[derive(Clone, Copy, Debug, Default, PartialEq, skel::Element)]
#[repr(C)]
struct Span {
    first: u32,
    last: u32,
    count: u16,
    whole: [bool; 2],
}

/// Neighbouring spans joined: associative, far from commutative.
fn structs_are_folded_in_order() {
    let ty = Span::ty();
    let (a, b) = (|| local(0, Span::ty()), || local(1, Span::ty()));
    let of = |whole, k, ty: Ty| field(whole, k, ty);
    let joins = binary(
        BinaryOp::Eq,
        of(a(), 1, Ty::U32),
        binary(BinaryOp::Sub, of(b(), 0, Ty::U32), constant(Value::U32(1))),
    );
    let pair = <[bool; 2]>::ty();
    let all = |k| {
        let part = |e| index(of(e, 3, <[bool; 2]>::ty()), size(k));
        binary(BinaryOp::And, part(a()), part(b()))
    };
    let parts = vec![
        of(a(), 0, Ty::U32),
        of(b(), 1, Ty::U32),
        binary(BinaryOp::Add, of(a(), 2, Ty::U16), of(b(), 2, Ty::U16)),
        made(&pair, vec![binary(BinaryOp::And, joins, all(0)), all(1)]),
    ];
    let operator = formula("join", &[ty.clone(), ty.clone()], made(&ty, parts));
    let kernel = fold(
        formula("same", std::slice::from_ref(&ty), local(0, ty.clone())),
        operator,
        false,
        None,
        &[(Role::In, ty)],
    );
    let mut device = Device::open();
    for n in [1, 2, 300, 70_000] {
        let data: Vec<Span> = (0..n as u32)
            .map(|i| Span {
                first: i,
                last: i,
                count: 1,
                whole: [true; 2],
            })
            .collect();
        let array = device.array(&data);
        let found: Span = device.fold(&kernel, &[&array], 0..n, n).unwrap();
        let expected = Span {
            first: 0,
            last: n as u32 - 1,
            count: n as u16,
            whole: [true; 2],
        };
        assert_eq!(found, expected);
    }
}

fn a_tuple_fills_several_outputs() {
    let mut device = Device::open();
    let x = || local(0, Ty::I32);
    let tuple = Ty::tuple([Ty::F32, <[i16; 2]>::ty(), Ty::Bool]);
    let halves = made(
        &<[i16; 2]>::ty(),
        vec![cast(x(), Ty::I16), constant(Value::I16(-1))],
    );
    let parts = vec![
        cast(x(), Ty::F32),
        halves,
        binary(BinaryOp::Lt, x(), constant(Value::I32(0))),
    ];
    let args = [
        (Role::In, Ty::I32),
        (Role::Out, Ty::F32),
        (Role::Out, <[i16; 2]>::ty()),
        (Role::Out, Ty::Bool),
    ];
    let kernel = map(
        vec![formula("parts", &[Ty::I32], made(&tuple, parts))],
        None,
        &args,
    );
    let data = [5, -70_000, 32_768, 0];
    let array = device.array(&data);
    let (mut a, mut b, mut c) = (
        device.empty::<f32>(0..4),
        device.empty::<[i16; 2]>(0..4),
        device.empty::<bool>(0..4),
    );
    let args = vec![
        LaunchArg::In(&array),
        LaunchArg::Out(&mut a),
        LaunchArg::Out(&mut b),
        LaunchArg::Out(&mut c),
    ];
    device.launch(&kernel, args, 0..4, Shape::D1(4)).unwrap();
    assert_eq!(device.read::<f32>(&a, 4), data.map(|x| x as f32));
    assert_eq!(device.read::<[i16; 2]>(&b, 4), data.map(|x| [x as i16, -1]));
    assert_eq!(device.read::<bool>(&c, 4), data.map(|x| x < 0));
}

/// `fn take(from: &mut u32, by: u32) -> u32 { *from -= by; *from }`, called with a local, a parameter,
/// and an element of an array in a struct.
fn mutable_arguments_come_back() {
    let u = || Ty::U32;
    let take = |name| {
        let less = binary(BinaryOp::Sub, local(0, u()), local(1, u()));
        let body = vec![set(0, less), give(local(0, u()))];
        inout(function(name, &[u(), u()], &[], u(), body), 0)
    };
    let call_of = |callee, result: Option<u32>, to, by| {
        stmt(StmtKind::Call {
            result: result.map(LocalId),
            callee: FnId(callee),
            args: vec![Arg::Place(to), Arg::Value(by)],
        })
    };
    // fn pass(to: &mut u32, by: u32) { take(to, by); }
    let passed = call_of(0, None, place(0, vec![]), local(1, u()));
    let pass = inout(
        function("pass", &[u(), u()], &[], Ty::Unit, vec![passed]),
        0,
    );
    let pair = Ty::tuple([u(), <[u32; 3]>::ty()]);
    let x = || local(0, u());
    let at = || cast(local(1, u()), Ty::Usize);
    let element = || place(2, vec![Step::Field(1), Step::Index(at(), 31)]);
    let tens = constant(Value::array(
        &<[u32; 3]>::ty(),
        vec![Value::U32(10), Value::U32(20), Value::U32(30)],
    ));
    let body = vec![
        init(2, made(&pair, vec![x(), tens])),
        init(3, constant(Value::U32(100))),
        stmt(StmtKind::Let(LocalId(4), None)),
        call_of(0, Some(4), element(), x()),
        call_of(1, None, element(), constant(Value::U32(1))),
        call_of(0, None, place(3, vec![]), local(4, u())),
        call_of(
            1,
            None,
            place(2, vec![Step::Field(0)]),
            constant(Value::U32(5)),
        ),
        give(made(
            &Ty::array(u(), 4),
            vec![
                field(local(2, pair.clone()), 0, u()),
                index(field(local(2, pair.clone()), 1, <[u32; 3]>::ty()), at()),
                local(3, u()),
                local(4, u()),
            ],
        )),
    ];
    let f = function(
        "caller",
        &[u(), u()],
        &[pair.clone(), u(), u()],
        Ty::array(u(), 4),
        body,
    );
    let kernel = map(
        vec![take("take"), pass, f],
        None,
        &[
            (Role::In, u()),
            (Role::In, u()),
            (Role::Out, Ty::array(u(), 4)),
        ],
    );
    let mut device = Device::open();
    let (x, mut i): (Vec<u32>, Vec<u32>) = ((0..99).collect(), (0..99).map(|i| i % 3).collect());
    let (dx, di) = (device.array(&x), device.array(&i));
    let found: Vec<[u32; 4]> = device.map(&kernel, &[&dx, &di], 99).unwrap();
    for (k, found) in found.into_iter().enumerate() {
        let left = (10 * (i[k] + 1)).wrapping_sub(x[k]);
        let expected = [
            x[k].wrapping_sub(5),
            left.wrapping_sub(1),
            100_u32.wrapping_sub(left),
            left,
        ];
        assert_eq!(found, expected, "element {k}");
    }
    i[50] = 3;
    let di = device.array(&i);
    let trapped = device.map::<[u32; 4]>(&kernel, &[&dx, &di], 99);
    let (name, line, index, _) = told(trapped.unwrap_err());
    assert_eq!((name.as_str(), line, index), ("caller", 31, Some(50)));
}
