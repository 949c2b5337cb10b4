//! Whole containers read at random, and random numbers.

use crate::{Test, harness::Device, ir::*, traps::told};
use skel_backends::{
    device::{Driver, LaunchArg},
    webgpu::{Array, Options, WebGpu},
};
use skel_core::{
    Element,
    ir::{BinaryOp, Expr, Function, LoopId, StmtKind, Ty, Value, ViewKind},
    plan::{Kernel, Role},
    space::Shape,
};
use std::sync::Arc;

pub(crate) const TESTS: &[Test] = &[
    ("slices_are_gathered", slices_are_gathered),
    ("matrices_know_their_extents", matrices_know_their_extents),
    (
        "rows_and_columns_are_the_elements_own",
        rows_and_columns_are_the_elements_own,
    ),
    ("containers_are_passed_on", containers_are_passed_on),
    (
        "nothing_can_be_read_of_an_empty_one",
        nothing_can_be_read_of_an_empty_one,
    ),
    (
        "a_container_must_fit_one_binding",
        a_container_must_fit_one_binding,
    ),
    (
        "generators_begin_at_their_element",
        generators_begin_at_their_element,
    ),
];

fn view(elem: Ty, kind: ViewKind) -> Ty {
    Ty::view(elem, kind)
}

/// Runs a kernel whose first arguments are containers, the next an input of `u32`.
fn run<T: Element + Default>(
    device: &mut Device,
    kernel: &Arc<Kernel>,
    views: &[(&Array, Shape)],
    input: Option<&Array>,
    shape: Shape,
) -> Result<Vec<T>, (String, u32, Option<usize>, String)> {
    let n = shape.len();
    let mut out = device.empty::<T>(0..n);
    let mut args: Vec<LaunchArg<'_, Array>> = views
        .iter()
        .map(|&(array, shape)| LaunchArg::View(array, shape))
        .collect();
    args.extend(input.map(LaunchArg::In));
    args.push(LaunchArg::Out(&mut out));
    let launched = device.launch(kernel, args, 0..n, shape).unwrap();
    let trapped = launched
        .traps
        .and_then(|traps| device.0.read_traps(traps).unwrap());
    match trapped {
        Some(trapped) => Err(told(trapped)),
        None => Ok(device.read(&out, n)),
    }
}

/// A map of `e` over containers, and perhaps an input of `u32`.
fn over(views: &[Ty], input: bool, e: Expr) -> Arc<Kernel> {
    let mut params = views.to_vec();
    let mut args: Vec<(Role, Ty)> = views.iter().map(|ty| (Role::View, ty.clone())).collect();
    if input {
        params.push(Ty::U32);
        args.push((Role::In, Ty::U32));
    }
    args.push((Role::Out, e.ty.clone()));
    map(vec![formula("reads", &params, e)], None, &args)
}

fn slices_are_gathered() {
    fn of<T: Element + Default + PartialEq + std::fmt::Debug>(value: impl Fn(usize) -> T) {
        let mut device = Device::open();
        let slice = view(T::ty(), ViewKind::Whole { rank: 1 });
        let i = cast(local(1, Ty::U32), Ty::Usize);
        let element = at(local(0, slice.clone()), vec![i]);
        let kernel = over(&[slice], true, element);
        let data: Vec<T> = (0..1000).map(value).collect();
        let mut wanted: Vec<u32> = (0..5000).map(|i| i * 7919 % 1000).collect();
        let (array, from) = (device.array(&data), device.array(&wanted));
        let views = [(&array, Shape::D1(1000))];
        let found: Vec<T> =
            run(&mut device, &kernel, &views, Some(&from), Shape::D1(5000)).unwrap();
        for (i, found) in wanted.iter().zip(found) {
            assert_eq!(found, data[*i as usize]);
        }
        (wanted[4321], wanted[4322]) = (1000, u32::MAX);
        let from = device.array(&wanted);
        let trap =
            run::<T>(&mut device, &kernel, &views, Some(&from), Shape::D1(5000)).unwrap_err();
        let message = "index out of bounds".to_owned();
        assert_eq!(trap, ("reads".into(), 14, Some(4321), message));
    }
    of::<f32>(|i| i as f32 / 3.0);
    of::<u8>(|i| (i % 256) as u8);
    of::<usize>(|i| i << 20);
    of::<[i16; 3]>(|i| [i as i16, -1, -(i as i16)]);
}

/// `m[(i % m.rows(), i / m.rows())] * 100 + m.cols()`.
fn matrices_know_their_extents() {
    let mut device = Device::open();
    let ty = view(Ty::U32, ViewKind::Whole { rank: 2 });
    let m = || local(0, view(Ty::U32, ViewKind::Whole { rank: 2 }));
    let i = || cast(local(1, Ty::U32), Ty::Usize);
    let row = binary(BinaryOp::Rem, i(), extent(m(), 0));
    let col = binary(BinaryOp::Div, i(), extent(m(), 0));
    let value = binary(
        BinaryOp::Mul,
        at(m(), vec![row, col]),
        constant(Value::U32(100)),
    );
    let e = binary(BinaryOp::Add, value, cast(extent(m(), 1), Ty::U32));
    let kernel = over(&[ty], true, e);
    let data: Vec<u32> = (0..21).collect();
    let (array, from) = (device.array(&data), device.array(&data));
    let views = [(&array, Shape::D2(3, 7))];
    let found: Vec<u32> = run(&mut device, &kernel, &views, Some(&from), Shape::D1(21)).unwrap();
    for (i, found) in (0..).zip(found) {
        assert_eq!(found, (i % 3 * 7 + i / 3) * 100 + 7);
    }
    // A column too far is not the next row.
    let from = device.array(&[0_u32, 21]);
    let trap = run::<u32>(&mut device, &kernel, &views, Some(&from), Shape::D1(2));
    assert_eq!(trap.unwrap_err().2, Some(1));
}

/// The sum over a row or column, by `fn sum(r: Row<T>) -> T`.
fn sum(kind: ViewKind) -> Function {
    let v = || local(0, view(Ty::U32, kind));
    let (total, i) = (|| local(1, Ty::U32), || local(2, Ty::Usize));
    let done = binary(BinaryOp::Ge, i(), extent(v(), 0));
    let body = vec![
        init(1, constant(Value::U32(0))),
        init(2, size(0)),
        stmt(StmtKind::Loop {
            id: LoopId(0),
            body: vec![
                stmt(StmtKind::If(done, vec![give(total())], vec![])),
                set(1, binary(BinaryOp::Add, total(), at(v(), vec![i()]))),
            ],
            step: vec![set(2, binary(BinaryOp::Add, i(), size(1)))],
        }),
    ];
    function(
        "sum",
        &[view(Ty::U32, kind)],
        &[Ty::U32, Ty::Usize],
        Ty::U32,
        body,
    )
}

fn rows_and_columns_are_the_elements_own() {
    let mut device = Device::open();
    let (rows, cols) = (6, 5);
    let data: Vec<u32> = (0..30).map(|i| i * i).collect();
    let array = device.array(&data);
    let matrix = Shape::D2(rows, cols);
    let by = |of_row: bool, k: usize| -> u32 {
        let own = |at: &usize| {
            if of_row {
                at / cols == k
            } else {
                at % cols == k
            }
        };
        (0..30).filter(own).map(|at| data[at]).sum()
    };
    for (kind, of_row, own) in [(ViewKind::Row, true, rows), (ViewKind::Col, false, cols)] {
        let args = [(Role::View, view(Ty::U32, kind)), (Role::Out, Ty::U32)];
        let kernel = map(vec![sum(kind)], None, &args);
        // On a vector, of the element's index; on a matrix, of its row or column.
        let shape = Shape::D1(own);
        let found: Vec<u32> = run(&mut device, &kernel, &[(&array, matrix)], None, shape).unwrap();
        let expected: Vec<u32> = (0..own).map(|k| by(of_row, k)).collect();
        assert_eq!(found, expected);
        let shape = if of_row {
            Shape::D2(rows, 3)
        } else {
            Shape::D2(4, cols)
        };
        let found: Vec<u32> = run(&mut device, &kernel, &[(&array, matrix)], None, shape).unwrap();
        let across = shape.row_elems();
        let expected: Vec<u32> = (0..shape.len())
            .map(|k| by(of_row, if of_row { k / across } else { k % across }))
            .collect();
        assert_eq!(found, expected);
    }
}

/// `fn pick(v, i) -> v[i]` by two functions, for two containers in either order.
fn containers_are_passed_on() {
    let mut device = Device::open();
    let slice = || view(Ty::F32, ViewKind::Whole { rank: 1 });
    let i = |k| local(k, Ty::Usize);
    let pick = formula(
        "pick",
        &[slice(), Ty::Usize],
        at(local(0, slice()), vec![i(1)]),
    );
    let picked = |v, k| call(0, vec![local(v, slice()), i(k)], Ty::F32);
    let less = formula(
        "less",
        &[slice(), slice(), Ty::Usize],
        binary(BinaryOp::Sub, picked(0, 2), picked(1, 2)),
    );
    let at_u = || cast(local(2, Ty::U32), Ty::Usize);
    let lessened = |a, b| {
        call(
            1,
            vec![local(a, slice()), local(b, slice()), at_u()],
            Ty::F32,
        )
    };
    let both = binary(
        BinaryOp::Add,
        binary(BinaryOp::Mul, lessened(0, 1), constant(Value::F32(2.0))),
        lessened(1, 0),
    );
    let entry = formula("both", &[slice(), slice(), Ty::U32], both);
    let args = [
        (Role::View, slice()),
        (Role::View, slice()),
        (Role::In, Ty::U32),
        (Role::Out, Ty::F32),
    ];
    let kernel = map(vec![pick, less, entry], None, &args);
    let (a, b): (Vec<f32>, Vec<f32>) = (
        (0..50).map(|i| (i * i) as f32).collect(),
        (0..40).map(|i| i as f32).collect(),
    );
    let (da, db) = (device.array(&a), device.array(&b));
    let from: Vec<u32> = (0..40).rev().collect();
    let from = device.array(&from);
    let views = [(&da, Shape::D1(50)), (&db, Shape::D1(40))];
    let found: Vec<f32> = run(&mut device, &kernel, &views, Some(&from), Shape::D1(40)).unwrap();
    let expected: Vec<f32> = (0..40).rev().map(|i| a[i] - b[i]).collect();
    assert_eq!(found, expected);
    let from = device.array(&[39_u32, 3, 45, 49]);
    let trap = run::<f32>(&mut device, &kernel, &views, Some(&from), Shape::D1(4)).unwrap_err();
    assert_eq!((trap.0.as_str(), trap.2), ("pick", Some(2)));
}

fn nothing_can_be_read_of_an_empty_one() {
    let mut device = Device::open();
    let slice = view(Ty::F64, ViewKind::Whole { rank: 1 });
    if !device.has_f64() {
        return;
    }
    let v = || local(0, view(Ty::F64, ViewKind::Whole { rank: 1 }));
    let length = over(
        std::slice::from_ref(&slice),
        true,
        cast(extent(v(), 0), Ty::U32),
    );
    let first = over(&[slice], true, at(v(), vec![size(0)]));
    let (empty, from) = (device.array::<f64>(&[]), device.array(&[1_u32, 2]));
    let views = [(&empty, Shape::D1(0))];
    let found: Vec<u32> = run(&mut device, &length, &views, Some(&from), Shape::D1(2)).unwrap();
    assert_eq!(found, [0, 0]);
    let trap = run::<f64>(&mut device, &first, &views, Some(&from), Shape::D1(2));
    assert_eq!(trap.unwrap_err().2, Some(0));
}

fn a_container_must_fit_one_binding() {
    let device = Device::with(Options {
        max_binding_bytes: Some(4096),
        ..Options::default()
    });
    let limits = device.0.limits();
    assert_eq!(WebGpu::check_whole(&limits, &Ty::F32, 1024), Ok(()));
    assert_eq!(WebGpu::check_whole(&limits, &Ty::U8, 1024), Ok(()));
    let reason = WebGpu::check_whole(&limits, &Ty::U8, 1025).unwrap_err();
    assert!(reason.contains("1025 elements of type `u8`"), "{reason}");
}

/// What a user function finds in its generator before the first draw.
fn generators_begin_at_their_element() {
    let names = ["seed", "seed_high", "call", "index", "index_high", "block"];
    let ty = Ty::structure("Random", &names.map(|name| (name, Ty::U32)));
    let parts = (0..6)
        .map(|k| field(local(0, ty.clone()), k, Ty::U32))
        .collect();
    let f = inout(formula("state", &[ty], made(&<[u32; 6]>::ty(), parts)), 0);
    let kernel = map(vec![f], None, &[(Role::Out, <[u32; 6]>::ty())]);
    let kernel = Arc::new(Kernel::clone(&kernel).with_random(0));
    let mut device = Device::open();
    let mut out = device.empty::<[u32; 6]>(0..300);
    device.1.seed = 0x1122_3344_5566_7788;
    device.1.call = 9;
    let args = vec![LaunchArg::Out(&mut out)];
    device
        .launch(&kernel, args, 100..300, Shape::D1(300))
        .unwrap();
    let found = device.read::<[u32; 6]>(&out, 300);
    for (i, found) in found.into_iter().enumerate().skip(100) {
        assert_eq!(found, [0x5566_7788, 0x1122_3344, 9, i as u32, 0, 0]);
    }
}
