//! Arrays and tables, panics, and the order in which parts are computed.

use crate::{Test, harness::Device, ir::*, traps::told};
use skel_core::{
    Element,
    ir::{Arg, BinaryOp, FnId, LoopId, Step, StmtKind, TrapKind, Ty, Value},
    plan::Role,
};

pub(crate) const TESTS: &[Test] = &[
    ("tables_are_read_by_index", tables_are_read_by_index),
    ("arrays_are_values", arrays_are_values),
    ("panics_are_traps", panics_are_traps),
    ("values_come_before_places", values_come_before_places),
    ("steps_may_call", steps_may_call),
];

fn tables_are_read_by_index() {
    let mut device = Device::open();
    let tables: [Vec<f32>; 2] = [
        (0..20).map(|i| (i * i) as f32 - 3.5).collect(),
        vec![1.0, f32::NAN, -0.0, f32::INFINITY, f32::from_bits(1)],
    ];
    for table in tables {
        let ty = Ty::array(Ty::F32, table.len());
        let values = table.iter().map(|x| Value::F32(*x)).collect();
        let e = index(
            constant(Value::array(&ty, values)),
            cast(local(0, Ty::U32), Ty::Usize),
        );
        let kernel = map_of("looked_up", &[Ty::U32], e);
        let n = 3 * table.len();
        let mut at: Vec<u32> = (0..n as u32).map(|i| i % table.len() as u32).collect();
        let array = device.array(&at);
        let found: Vec<f32> = device.map(&kernel, &[&array], n).unwrap();
        for (at, found) in at.iter().zip(found) {
            let expected = table[*at as usize];
            let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
            assert!(same, "[{at}]: {found}, not {expected}");
        }
        at[n - 1] = table.len() as u32;
        let array = device.array(&at);
        let (_, line, at, message) = told(device.map::<f32>(&kernel, &[&array], n).unwrap_err());
        assert_eq!((line, at), (13, Some(n - 1)));
        assert_eq!(message, "index out of bounds");
    }
}

/// `|x| { let mut m = [[0.0; 2]; 3]; for i in 0..6 { m[i / 2][i % 2] = x * i; } third(m)[1 - 0] }` with
/// `fn third(m: [[f32; 2]; 3], i) -> [f32; 2] { m[i] }`.
fn arrays_are_values() {
    let (f, u) = (|| Ty::F32, || Ty::Usize);
    let (row, matrix) = (Ty::array(f(), 2), Ty::array(Ty::array(f(), 2), 3));
    let third = formula(
        "third",
        &[matrix.clone(), u()],
        index(local(0, matrix.clone()), local(1, u())),
    );
    let i = || local(2, u());
    let by = |op, k| binary(op, i(), size(k));
    let product = binary(BinaryOp::Mul, local(0, f()), cast(i(), f()));
    let to = place(
        1,
        vec![
            Step::Index(by(BinaryOp::Div, 2), 0),
            Step::Index(by(BinaryOp::Rem, 2), 0),
        ],
    );
    let body = vec![
        init(1, repeated(&matrix, repeated(&row, local(0, f())))),
        init(2, size(1)),
        stmt(StmtKind::Loop {
            id: LoopId(0),
            body: vec![
                stmt(StmtKind::If(
                    binary(BinaryOp::Ge, i(), size(6)),
                    vec![stmt(StmtKind::Break(LoopId(0)))],
                    vec![],
                )),
                store(to, product),
            ],
            step: vec![set(2, by(BinaryOp::Add, 1))],
        }),
        init(
            3,
            call(0, vec![local(1, matrix.clone()), size(2)], row.clone()),
        ),
        give(binary(
            BinaryOp::Add,
            index(local(3, row.clone()), binary(BinaryOp::Sub, i(), size(5))),
            index(index(local(1, matrix.clone()), size(0)), size(0)),
        )),
    ];
    let entry = function("entry", &[f()], &[matrix, u(), row], f(), body);
    let kernel = map(
        vec![third, entry],
        None,
        &[(Role::In, f()), (Role::Out, f())],
    );
    let mut device = Device::open();
    let data: Vec<f32> = (0..100).map(|i| i as f32).collect();
    let array = device.array(&data);
    let found: Vec<f32> = device.map(&kernel, &[&array], 100).unwrap();
    let expected: Vec<f32> = data.iter().map(|x| x * 5.0 + x).collect();
    assert_eq!(found, expected);
}

fn panics_are_traps() {
    let i = || Ty::I32;
    let message = "assertion failed: x < 10";
    let body = vec![
        stmt(StmtKind::If(
            binary(BinaryOp::Ge, local(0, i()), constant(Value::I32(10))),
            vec![stmt(StmtKind::Trap(TrapKind::Panic(message)))],
            vec![],
        )),
        give(local(0, i())),
    ];
    let kernel = map(
        vec![function("checked", &[i()], &[], i(), body)],
        None,
        &[(Role::In, i()), (Role::Out, i())],
    );
    let mut device = Device::open();
    let mut data = vec![3; 1000];
    let array = device.array(&data);
    assert_eq!(device.map::<i32>(&kernel, &[&array], 1000).unwrap(), data);
    (data[700], data[400]) = (10, 11);
    let array = device.array(&data);
    let (name, line, index, text) = told(device.map::<i32>(&kernel, &[&array], 1000).unwrap_err());
    assert_eq!((name.as_str(), line, index), ("checked", 5, Some(400)));
    assert_eq!(text, message);
}

/// `a[i] = 1 / b`: the division comes first.
fn values_come_before_places() {
    let (i, four) = (|| Ty::I32, <[i32; 4]>::ty());
    let quotient = binary_at(40, BinaryOp::Div, constant(Value::I32(12)), local(1, i()));
    let at = cast(cast(local(0, i()), Ty::U32), Ty::Usize);
    let body = vec![
        init(2, repeated(&four, local(0, i()))),
        store(place(2, vec![Step::Index(at.clone(), 41)]), quotient),
        give(index(local(2, four.clone()), at)),
    ];
    let kernel = map(
        vec![function("stored", &[i(), i()], &[four], i(), body)],
        None,
        &[(Role::In, i()), (Role::In, i()), (Role::Out, i())],
    );
    let mut device = Device::open();
    let mut line = |a: i32, b: i32| {
        let (da, db) = (device.array(&[a]), device.array(&[b]));
        match device.map::<i32>(&kernel, &[&da, &db], 1) {
            Ok(found) => Ok(found[0]),
            Err(trapped) => Err(told(trapped).1),
        }
    };
    assert_eq!(line(3, 4), Ok(3));
    assert_eq!(line(9, 0), Err(40));
    assert_eq!(line(9, 4), Err(41));
    assert_eq!(line(-1, 4), Err(41));
    assert_eq!(line(1, 0), Err(40));
}

/// What happens between rounds may call, and trap.
fn steps_may_call() {
    let u = || Ty::U32;
    let ratio = binary_at(50, BinaryOp::Div, constant(Value::U32(60)), local(1, u()));
    let body = vec![set(0, binary(BinaryOp::Add, local(0, u()), ratio))];
    let add = inout(function("add", &[u(), u()], &[], Ty::Unit, body), 0);
    let (x, sum) = (|| local(0, u()), || local(1, u()));
    let call = StmtKind::Call {
        result: None,
        callee: FnId(0),
        args: vec![Arg::Place(place(1, vec![])), Arg::Value(x())],
    };
    let body = vec![
        init(1, constant(Value::U32(0))),
        stmt(StmtKind::Loop {
            id: LoopId(0),
            body: vec![stmt(StmtKind::If(
                binary(BinaryOp::Ge, sum(), constant(Value::U32(100))),
                vec![give(sum())],
                vec![],
            ))],
            step: vec![stmt(call)],
        }),
    ];
    let kernel = map(
        vec![add, function("rounds", &[u()], &[u()], u(), body)],
        None,
        &[(Role::In, u()), (Role::Out, u())],
    );
    let mut device = Device::open();
    let array = device.array(&[1_u32, 2, 60, 7]);
    let found = device.map::<u32>(&kernel, &[&array], 4).unwrap();
    assert_eq!(found, [120, 120, 100, 104]);
    let array = device.array(&[1_u32, 2, 0, 7]);
    let (name, line, index, _) = told(device.map::<u32>(&kernel, &[&array], 4).unwrap_err());
    assert_eq!((name.as_str(), line, index), ("add", 50, Some(2)));
}
